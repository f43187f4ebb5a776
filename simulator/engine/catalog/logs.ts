import type { Database } from '../databases/databases';
import type { World } from '../world/world';
import { tableFunction, type CatalogObject } from './object';
import type { Presence } from '../../scenarios/platform';
import { bigint, bit, datetime, field, float, int, need, nvarchar, since, smallint, tinyint, varbinary, type Field } from './relation';

const MB = 1_048_576;
/** Share of the file that an empty log uses. The model's choice. */
const EMPTY_SHARE = 0.01;
const MOST_SHARE = 0.98;

interface LogSpace {
  /** Log that the next log backup will free; under SIMPLE, the next checkpoint. */
  readonly heldBytes: number;
  /** Share of the file in use, from 0 to 1. */
  readonly usedShare: number;
}

/** How full a log is: it fills until a log backup has finished, SIMPLE until a checkpoint. Microsoft Learn, "The transaction log", log truncation. */
export function measureLog(world: World, database: Database, nowUs: number): LogSpace {
  const work = world.works.get(database.id);
  if (work === undefined) return { heldBytes: 0, usedShare: EMPTY_SHARE };
  const heldBytes =
    database.recoveryModel === 'SIMPLE'
      ? work.logRecordsSinceCheckpoint(nowUs) * database.workload.bytesPerLogRecord
      : world.backups.logBytesSinceBackup(work, nowUs);
  return { heldBytes, usedShare: Math.min(MOST_SHARE, EMPTY_SHARE + heldBytes / (database.logMb * MB)) };
}

interface LogState {
  readonly database: Database;
  readonly logBytes: number;
  readonly sinceCheckpointBytes: number;
  readonly usedShare: number;
  readonly sinceLogBackupBytes: number;
  /** Local time, null if there was none. */
  readonly logBackup: string | null;
}

const hex = (value: number, width: number): string => Math.floor(value).toString(16).padStart(width, '0');
/** A log sequence number as these functions give it: virtual log file, block and slot in hexadecimal. */
const lsnText = (sequence: number, bytes: number): string => `${hex(sequence, 8)}:${hex((bytes / 512) % 0xffff_ffff, 8)}:0001`;
const sequenceOf = (state: LogState): number => 40 + state.database.vlfCount + Math.floor(state.logBytes / MB / 64);
const activeCount = (state: LogState): number => Math.max(1, Math.ceil(state.database.vlfCount * state.usedShare));

function* listStates(world: World, nowUs: number, argument: unknown, ownDatabase: string): Generator<LogState> {
  const database =
    argument === null || argument === undefined ? world.databases.byName(ownDatabase) : world.databases.byId(Number(argument));
  const work = database === undefined ? undefined : world.works.get(database.id);
  if (database === undefined || work === undefined || database.state !== 'ONLINE') return;
  const sinceCheckpointBytes = work.logRecordsSinceCheckpoint(nowUs) * database.workload.bytesPerLogRecord;
  const { usedShare } = measureLog(world, database, nowUs);
  const isLogBackedUp = database.recoveryModel !== 'SIMPLE';
  const backedUpUs = isLogBackedUp ? world.backups.lastLogBackupUs(work) : undefined;
  yield {
    database,
    logBytes: work.at(nowUs).logBytes,
    sinceCheckpointBytes,
    usedShare,
    sinceLogBackupBytes: isLogBackedUp ? world.backups.logBytesSinceBackup(work, nowUs) : 0,
    logBackup: backedUpUs === undefined ? null : world.clock.localMoment(backedUpUs),
  };
}

const mb = (name: string, value: (state: LogState) => number): Field<LogState> => field(name, float, value);
const count = (name: string, value: (state: LogState) => number): Field<LogState> => field(name, bigint, (state) => BigInt(value(state)));
const text = (name: string, length: number, value: (state: LogState) => string | null): Field<LogState> =>
  field(name, nvarchar(length), value);

/** Microsoft Learn, "sys.dm_db_log_stats". */
const LOG_STATS: readonly Field<LogState>[] = [
  need('database_id', int, (s) => s.database.id),
  text('recovery_model', 60, (s) => s.database.recoveryModel),
  text('log_min_lsn', 24, (s) => lsnText(sequenceOf(s) - activeCount(s) + 1, 0)),
  text('log_end_lsn', 24, (s) => lsnText(sequenceOf(s), s.logBytes)),
  count('current_vlf_sequence_number', sequenceOf),
  mb('current_vlf_size_mb', (s) => s.database.logMb / s.database.vlfCount),
  count('total_vlf_count', (s) => s.database.vlfCount),
  mb('total_log_size_mb', (s) => s.database.logMb),
  count('active_vlf_count', activeCount),
  mb('active_log_size_mb', (s) => (s.database.logMb * activeCount(s)) / s.database.vlfCount),
  text('log_truncation_holdup_reason', 60, (s) => s.database.logReuseWait.name),
  field('log_backup_time', datetime, (s) => s.logBackup),
  text('log_backup_lsn', 24, () => null),
  mb('log_since_last_log_backup_mb', (s) => s.sinceLogBackupBytes / MB),
  text('log_checkpoint_lsn', 24, (s) => lsnText(sequenceOf(s), Math.max(0, s.logBytes - s.sinceCheckpointBytes))),
  mb('log_since_last_checkpoint_mb', (s) => s.sinceCheckpointBytes / MB),
  text('log_recovery_lsn', 24, (s) => lsnText(sequenceOf(s), Math.max(0, s.logBytes - s.sinceCheckpointBytes))),
  mb('log_recovery_size_mb', (s) => s.sinceCheckpointBytes / MB),
  count('recovery_vlf_count', (s) =>
    Math.min(activeCount(s), 1 + Math.floor(s.sinceCheckpointBytes / MB / Math.max(1, s.database.logMb / s.database.vlfCount))),
  ),
];

interface Vlf {
  readonly state: LogState;
  readonly number: number;
}

const FIRST_VLF_OFFSET = 8_192;
const vlfBytes = ({ state }: Vlf): number => (state.database.logMb * MB) / state.database.vlfCount;
const isActive = ({ state, number }: Vlf): boolean => number >= state.database.vlfCount - activeCount(state);
const vlfSequence = (vlf: Vlf): number => sequenceOf(vlf.state) - (vlf.state.database.vlfCount - 1 - vlf.number);

/** Microsoft Learn, "sys.dm_db_log_info". */
const LOG_INFO: readonly Field<Vlf>[] = [
  need('database_id', int, (v) => v.state.database.id),
  need('file_id', smallint, () => 2),
  need('vlf_begin_offset', bigint, (v) => BigInt(FIRST_VLF_OFFSET + Math.floor(v.number * vlfBytes(v)))),
  need('vlf_size_mb', float, (v) => vlfBytes(v) / MB),
  need('vlf_sequence_number', bigint, (v) => BigInt(vlfSequence(v))),
  need('vlf_active', bit, isActive),
  need('vlf_status', int, (v) => (isActive(v) ? 2 : 0)),
  need('vlf_parity', tinyint, (v) => (v.number % 2 === 0 ? 64 : 128)),
  field('vlf_first_lsn', nvarchar(48), (v) => lsnText(vlfSequence(v), 8192)),
  field('vlf_create_lsn', nvarchar(48), () => '00000000:00000000:0000'),
  ...since(
    2019,
    field('vlf_encryptor_thumbprint', varbinary(20), () => null),
  ),
];

/** Since 2016 SP2: every build of that release here has it. */
const PRESENCE: Presence = { since: 2016 };

export const LOG_OBJECTS: readonly CatalogObject[] = [
  tableFunction(
    'sys.dm_db_log_stats',
    LOG_STATS,
    (world, { nowUs, principal }, [id]) => listStates(world, nowUs, id, principal.database),
    PRESENCE,
  ),
  tableFunction(
    'sys.dm_db_log_info',
    LOG_INFO,
    (world, { nowUs, principal }, [id]) =>
      [...listStates(world, nowUs, id, principal.database)].flatMap((state) =>
        Array.from({ length: state.database.vlfCount }, (_, number) => ({ state, number })),
      ),
    PRESENCE,
  ),
];
