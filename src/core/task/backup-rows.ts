/** Reads rows of sql/read/backups as runs of each database (docs/facts.md, SQL Server 6). */
import {
  bit,
  defineRow,
  integer,
  nullable,
  type RowOf,
  type RowProblem,
  text,
  type TextRows,
  utc,
  readRowPages,
} from '../rows';
import { addToList } from '../lists';
import { toUtcMs } from '../time';
import type { Steps } from '../steps';
import { findFirst } from '../sorted';

/** One database's backups that this server made, oldest first. By name: msdb has no id that the server still uses. */
interface DatabaseBackups {
  readonly databaseName: string;
  readonly runs: readonly BackupRun[];
}

export interface BackupsReading {
  readonly databases: readonly DatabaseBackups[];
  readonly problems: readonly RowProblem[];
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

const TYPES = new Map<string, BackupRun['type']>(Object.entries({ D: 'full', I: 'differential', L: 'log' }));
/** backupset.time_zone: quarters of an hour from UTC, -48 to 56; 127 is unknown. Microsoft Learn, "backupset". */
const MOST_QUARTERS = 56;

type Row = RowOf<typeof backupRow>;
interface Dated {
  readonly row: Row;
  readonly offsetMinutes: number;
  readonly beginUtcMs: number;
}

/**
 * Reads the answer of sql/read/backups.sql. Left out are backups that came with those of another server, snapshots of
 * storage, whose time compares with nothing, those without a known offset, size or kind, and those that ran while the
 * clocks may have changed.
 */
export function* readBackupRows(set: TextRows): Steps<BackupsReading> {
  const { rows, problems } = yield* readRowPages(backupRow, set);
  const dated = rows.flatMap(dateRow);
  yield;
  dated.sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  yield;
  const sensible = dated.filter(isSensible);
  const changes = countChanges(sensible);
  return {
    databases: groupRuns(sensible.filter((each, at) => isClockSteady(each, at, sensible, changes))),
    problems,
  };
}

function dateRow(row: Row): readonly Dated[] {
  const { quarterHours: quarters, madeHere: isOurs, isSnapshot } = row;
  if (!isOurs || isSnapshot === true || quarters === null || Math.abs(quarters) > MOST_QUARTERS) return [];
  return [{ row, offsetMinutes: quarters * 15, beginUtcMs: toUtcMs(row.beginLocal, quarters * 15) }];
}

function isSensible({ row }: Dated): boolean {
  return row.sizeBytes !== null && TYPES.has(row.backupType.trim());
}

/**
 * The offset is that of the begin. If any backup from there on, up to the first that began after this one's end, has
 * another offset, clocks may have changed while this one ran.
 * @param changes how often, up to each backup, the offset differed from that of the backup before
 */
function isClockSteady(
  { row, offsetMinutes }: Dated,
  at: number,
  dated: readonly Dated[],
  changes: readonly number[],
): boolean {
  if (row.endLocal < row.beginLocal) return false;
  const endUtcMs = toUtcMs(row.endLocal, offsetMinutes);
  const next = findFirst(
    at + 1,
    dated.length - 1,
    (place) => (dated[place]?.beginUtcMs ?? Infinity) >= endUtcMs,
  );
  return changes[Math.min(next, dated.length - 1)] === changes[at];
}

function countChanges(dated: readonly Dated[]): readonly number[] {
  let changes = 0;
  return dated.map(
    ({ offsetMinutes }, at) => (changes += at > 0 && dated[at - 1]?.offsetMinutes !== offsetMinutes ? 1 : 0),
  );
}

function groupRuns(dated: readonly Dated[]): readonly DatabaseBackups[] {
  const byName = new Map<string, BackupRun[]>();
  for (const { row, offsetMinutes, beginUtcMs } of dated) {
    const type = TYPES.get(row.backupType.trim());
    if (type === undefined) continue;
    const run = {
      type,
      beginUtcMs,
      endUtcMs: toUtcMs(row.endLocal, offsetMinutes),
      bytes: row.sizeBytes ?? 0,
    };
    addToList(byName, row.databaseName, run);
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
