import type { ServerDescription } from '../../scenarios/scenario';
import type { Database } from '../databases/databases';
import { unitOf } from '../../scenarios/random';

/** Full, differential and log, as msdb names them. */
export type BackupType = 'D' | 'I' | 'L';

export interface Backup {
  readonly database: Database;
  readonly type: BackupType;
  readonly startUs: number;
  readonly finishUs: number;
  readonly bytes: number;
}

const DAY_US = 86_400_000_000;
const HOUR_US = 3_600_000_000;
const MINUTE_US = 60_000_000;
/**
 * Full backups at night from 22:00 local time, log backups hourly at a quarter past, one database after another. The
 * model's choice.
 */
const FULL_AT_US = 22 * HOUR_US;
const LOG_AT_US = 15 * MINUTE_US;
/** What msdb still knows from before the model began: its cleanup job keeps 7 nights, and log backups of one day. */
const FULL_NIGHTS = 7;
const LOG_HOURS = 24;
const BYTES_PER_US = 900;
const START_UP_US = 300_000;
/** From the end of one backup to the begin of the next. */
export const BACKUP_GAP_US = 40_000;

/** When the job of that type next begins after that moment; undefined if there is no such job. */
export function nextBackupRun(
  type: BackupType,
  afterUs: number,
  server: ServerDescription,
): number | undefined {
  const offsetUs = server.utcOffsetMinutes * MINUTE_US;
  const [everyUs, atUs] = {
    D: [fullEveryUs(server), FULL_AT_US],
    I: [HOUR_US, (server.differentialAtMinute ?? 0) * MINUTE_US],
    L: [HOUR_US, LOG_AT_US],
  }[type] as [number, number];
  if (server.hasBackups === false || (type === 'I' && server.differentialAtMinute === undefined))
    return undefined;
  return (Math.floor((afterUs + offsetUs - atUs) / everyUs) + 1) * everyUs + atUs - offsetUs;
}

function fullEveryUs({ fullBackupDays = 1 }: ServerDescription): number {
  return fullBackupDays * DAY_US;
}

/** Whether jobs back up the database: never tempdb; no log backups of model and of SIMPLE databases. */
export function isBackedUp(
  type: BackupType,
  { state, isReadOnly, name, recoveryModel, availability }: Database,
): boolean {
  if (state !== 'ONLINE' || isReadOnly || name === 'tempdb' || availability?.isWritable === false)
    return false;
  if (type === 'I') return name !== 'master' && name !== 'model';
  return type === 'D' || (recoveryModel !== 'SIMPLE' && name !== 'model');
}

/** Time to copy this many bytes, at a fixed rate within 10 %. */
export function copyUs(bytes: number, seed: number, databaseId: number, startUs: number): number {
  return Math.round(START_UP_US + (bytes / BYTES_PER_US) * varyRun(seed, databaseId, startUs));
}

export function fullBytes({ dataMb }: Database): number {
  return Math.round(dataMb * 1_048_576 * 0.8);
}

function varyRun(seed: number, databaseId: number, startUs: number): number {
  return 0.9 + 0.2 * unitOf(seed, databaseId, Math.floor(startUs / HOUR_US));
}

/** What msdb tells of the time before the model begins. */
export function listEarlierBackups(options: {
  readonly server: ServerDescription;
  /** The databases that the jobs of each type backed up. */
  readonly databases: Readonly<Record<'D' | 'L', readonly Database[]>>;
  readonly seed: number;
  readonly untilUs: number;
}): readonly Backup[] {
  const { server, databases, seed, untilUs } = options;
  const runsOf = (type: 'D' | 'L', everyUs: number, count: number): readonly Backup[] => {
    const next = nextBackupRun(type, untilUs, server);
    if (next === undefined) return [];
    return Array.from({ length: count }, (_, i) => next - (count - i) * everyUs).flatMap((startUs) =>
      chain(type, startUs, databases[type], seed),
    );
  };
  return [
    ...runsOf('D', fullEveryUs(server), Math.ceil((FULL_NIGHTS * DAY_US) / fullEveryUs(server))),
    ...runsOf('L', HOUR_US, LOG_HOURS),
  ].filter((backup) => backup.finishUs <= untilUs);
}

function chain(
  type: 'D' | 'L',
  runUs: number,
  databases: readonly Database[],
  seed: number,
): readonly Backup[] {
  let startUs = runUs;
  return databases.map((database) => {
    const { logRecordsPerSecond, bytesPerLogRecord } = database.workload;
    const logBytes =
      66_560 + logRecordsPerSecond * bytesPerLogRecord * 1800 * varyRun(seed, database.id, runUs);
    const bytes = type === 'D' ? fullBytes(database) : Math.round(logBytes);
    const finishUs = startUs + copyUs(bytes, seed, database.id, runUs);
    const backup = { database, type, startUs, finishUs, bytes };
    startUs = backup.finishUs + BACKUP_GAP_US;
    return backup;
  });
}
