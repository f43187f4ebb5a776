/** Reads rows of sql/read/backups as runs of each database (docs/facts.md, SQL Server 6). */
import { bit, defineRow, integer, nullable, type RowOf, type RowProblem, text, type TextRows, utc, readRowPages } from '../rows';
import { addToList } from '../lists';
import { toUtcMs } from '../time';
import type { Steps } from '../steps';
import { findFirst } from '../sorted';

/** One database's backups that this server made, oldest first. By name: msdb has no id that the server still uses. */
interface DatabaseBackups {
  readonly databaseName: string;
  readonly runs: readonly BackupRun[];
}

/** Backups that are not among the runs, counted by the reason. */
interface LeftOutBackups {
  /** They came to msdb with a backup of another server. */
  readonly madeElsewhere: number;
  /** Snapshots of storage take no time that could be compared. */
  readonly snapshots: number;
  /** msdb does not say their offset from UTC, and it is not known otherwise. */
  readonly unknownOffset: number;
  /** The server's clocks changed, or may have changed, while they ran: how long they took is not certain. */
  readonly clocksChanged: number;
  /** They have another type, or no size. */
  readonly senseless: number;
}

export interface BackupsReading {
  readonly databases: readonly DatabaseBackups[];
  readonly leftOut: LeftOutBackups;
  readonly problems: readonly RowProblem[];
  /** All backups that ended then or later are here; null: all that were asked for. The number of rows is bounded, and the newest come first. */
  readonly completeFromUtcMs: number | null;
}

const backupRow = defineRow({
  database_name: text(),
  backup_type: text(),
  begin_local: utc(),
  end_local: utc(),
  quarter_hours: nullable(integer()),
  size_bytes: nullable(integer()),
  is_snapshot: nullable(bit()),
  made_here: bit(),
});

const TYPES: Readonly<Record<string, BackupRun['type']>> = { D: 'full', I: 'differential', L: 'log' };
/** backupset.time_zone: quarters of an hour from UTC, -48 to 56; 127 is unknown. Microsoft Learn, "backupset". */
const MOST_QUARTERS = 56;

type Row = RowOf<typeof backupRow>;
interface Dated {
  readonly row: Row;
  readonly offsetMinutes: number;
  readonly beginUtcMs: number;
}

/**
 * Reads the answer of sql/read/backups.sql.
 * @param mostRows how many rows were asked for
 * @param toUtc for rows that do not say their offset: the UTC of a local time, by what else is known of the server's clock; null if it is not known
 */
export function* readBackupRows(
  set: TextRows,
  mostRows: number,
  toUtc: (localMs: number) => number | null = () => null,
): Steps<BackupsReading> {
  const { rows, problems } = yield* readRowPages(backupRow, set);
  const here = rows.filter((row) => row.made_here && row.is_snapshot !== true);
  const dated = here.map((row) => dateRow(row, toUtc)).filter((each): each is Dated => each !== null);
  yield;
  dated.sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  yield;
  const sensible = dated.filter(isSensible);
  const changes = countChanges(sensible);
  const certain = sensible.filter((each, at) => isClockSteady(each, at, sensible, changes));
  return {
    databases: groupRuns(certain),
    leftOut: {
      madeElsewhere: rows.filter((row) => !row.made_here).length,
      snapshots: rows.filter((row) => row.made_here && row.is_snapshot === true).length,
      unknownOffset: here.length - dated.length,
      clocksChanged: sensible.length - certain.length,
      senseless: dated.length - sensible.length,
    },
    problems,
    completeFromUtcMs: set.rows.length >= mostRows ? findFirstEnd(dated) : null,
  };
}

function dateRow(row: Row, toUtc: (localMs: number) => number | null): Dated | null {
  if (row.quarter_hours !== null && Math.abs(row.quarter_hours) <= MOST_QUARTERS) {
    const offsetMinutes = row.quarter_hours * 15;
    return { row, offsetMinutes, beginUtcMs: toUtcMs(row.begin_local, offsetMinutes) };
  }
  const beginUtcMs = toUtc(row.begin_local);
  return beginUtcMs === null ? null : { row, offsetMinutes: (row.begin_local - beginUtcMs) / 60_000, beginUtcMs };
}

function isSensible({ row }: Dated): boolean {
  return row.size_bytes !== null && TYPES[row.backup_type.trim()] !== undefined;
}

/** Backups that ended before the first end that is here may be missing. */
function findFirstEnd(dated: readonly Dated[]): number {
  return dated.reduce((first, { row, offsetMinutes }) => Math.min(first, toUtcMs(row.end_local, offsetMinutes)), Infinity);
}

/**
 * The offset is that of the begin. If any backup from there on, up to the first that began after this one's end, has another offset, clocks may have
 * changed while this one ran. @param changes how often, up to each backup, the offset differed from that of the backup before
 */
function isClockSteady({ row, offsetMinutes }: Dated, at: number, dated: readonly Dated[], changes: readonly number[]): boolean {
  if (row.end_local < row.begin_local) return false;
  const endUtcMs = toUtcMs(row.end_local, offsetMinutes);
  const next = findFirst(at + 1, dated.length - 1, (place) => (dated[place]?.beginUtcMs ?? Infinity) >= endUtcMs);
  return changes[Math.min(next, dated.length - 1)] === changes[at];
}

function countChanges(dated: readonly Dated[]): readonly number[] {
  let changes = 0;
  return dated.map(({ offsetMinutes }, at) => (changes += at > 0 && dated[at - 1]?.offsetMinutes !== offsetMinutes ? 1 : 0));
}

function groupRuns(dated: readonly Dated[]): readonly DatabaseBackups[] {
  const byName = new Map<string, BackupRun[]>();
  for (const { row, offsetMinutes, beginUtcMs } of dated) {
    const type = TYPES[row.backup_type.trim()];
    if (type === undefined) continue;
    const run = { type, beginUtcMs, endUtcMs: toUtcMs(row.end_local, offsetMinutes), bytes: row.size_bytes ?? 0 };
    addToList(byName, row.database_name, run);
  }
  return [...byName].map(([databaseName, runs]) => ({ databaseName, runs }));
}

/** One backup of one database, from msdb.dbo.backupset (docs/facts.md, SQL Server 6). */
export interface BackupRun {
  readonly type: 'full' | 'differential' | 'log';
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  /** Uncompressed bytes, with which the time is compared. */
  readonly bytes: number;
}
