/** Checkpoints of a capture, and their figures for each database, as tables to be written. */
import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { createGapCrossing } from '../session/gap-crossing';
import { findOffset, type OffsetPeriod } from '../errorlog/server-clock';
import { isInPieces } from '../statistics/observed-time';
import { orderRows } from '../statistics/row-order';
import { computeStatistics, type CountedWindow } from '../statistics/statistics';
import type { Steps } from '../steps';
import { toLocalMs } from '../time';
import { createTypedTable, numberOr, type TypedTable } from './export-table';

/** A database at its index in the `database` column; databases with higher indexes had no checkpoint. */
interface ExportedDatabase {
  readonly databaseId: number;
  readonly name: string;
  /** null: could not be read. */
  readonly targetSeconds: number | null;
}

export interface ExportedCapture {
  readonly columns: CheckpointColumns;
  readonly databases: readonly ExportedDatabase[];
  readonly observation: Observation;
  /** Offsets of the server's clock; empty if only the present one is known. */
  readonly offsets: readonly OffsetPeriod[];
  readonly utcOffsetMinutes: number;
}

/** What to export of a capture: checkpoints that begin in the window. */
export interface ExportScope {
  /** null: all that was recorded. */
  readonly window: CountedWindow | null;
  /** Indexes; null: all. */
  readonly databases: ReadonlySet<number> | null;
}

/** Includes, like the page, what began outside the observed time: the server's clock and ours differ. */
const EVERYTHING: CountedWindow = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** A row takes some nanoseconds. */
const ROWS_A_STEP = 100_000;

/** How many rows `listCheckpoints` would give. */
export function* countCheckpoints(
  { columns }: Pick<ExportedCapture, 'columns'>,
  scope: ExportScope,
): Steps<number> {
  const isWanted = createChoice(columns, scope);
  let count = 0;
  for (let row = 0; row < columns.rows; row++) {
    if (isWanted(row)) count++;
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return count;
}

function createChoice(columns: CheckpointColumns, scope: ExportScope): (row: number) => boolean {
  const { beginUtcMs: from, endUtcMs: to, pieces } = scope.window ?? EVERYTHING;
  return (row) => {
    const begin = columns.beginUtcMs[row] ?? NaN;
    if (pieces !== undefined && !isInPieces(pieces, begin)) return false;
    return begin >= from && begin < to && scope.databases?.has(columns.database[row] ?? -1) !== false;
  };
}

const CHECKPOINT_TYPES = {
  begin_utc: 'moment',
  end_utc: 'moment',
  begin_server_time: 'text',
  duration_ms: 'int64',
  database_id: 'int32',
  database: 'name',
  across_gap: 'flag',
} as const;

/**
 * In order of their begins. `across_gap`: perhaps the begin of one checkpoint and the end of another, with a gap
 * between; it is in no figure.
 */
export function* listCheckpoints(capture: ExportedCapture, scope: ExportScope): Steps<TypedTable> {
  const { columns, databases, observation } = capture;
  const rows = yield* orderRows(columns, createChoice(columns, scope));
  const isAcrossGap = createGapCrossing(observation.gaps);
  const writeServerTime = createServerTimeWriter(capture.offsets, capture.utcOffsetMinutes);
  return createTypedTable({
    id: 'checkpoints',
    types: CHECKPOINT_TYPES,
    rows: rows.length,
    values: (at) => {
      const row = rows[at] ?? 0;
      const [begin = 0, duration = 0] = [columns.beginUtcMs[row], columns.durationMs[row]];
      const database = databases[columns.database[row] ?? -1];
      return [
        begin,
        begin + duration,
        writeServerTime(begin),
        duration,
        numberOr(database?.databaseId ?? null, 'not known'),
        database?.name ?? { missing: 'not known' },
        isAcrossGap?.(begin, begin + duration) === true,
      ];
    },
  });
}

/**
 * Writes the time of a server's clock with the offset in force then: `2026-03-02T09:30:00.123+01:00`.
 * @param otherwise the offset if none is known
 */
function createServerTimeWriter(
  offsets: readonly OffsetPeriod[],
  otherwise: number,
): (utcMs: number) => string {
  const zones = new Map<number, string>();
  return (utcMs) => {
    const offset = findOffset(offsets, utcMs, otherwise);
    let zone = zones.get(offset);
    if (zone === undefined) zones.set(offset, (zone = writeZone(offset)));
    return `${new Date(toLocalMs(utcMs, offset)).toISOString().slice(0, -1)}${zone}`;
  };
}

function writeZone(offsetMinutes: number): string {
  const time = new Date(Math.abs(offsetMinutes) * 60_000).toISOString().slice(11, 16);
  return `${offsetMinutes < 0 ? '-' : '+'}${time}`;
}

const NONE = 'no checkpoint in this time';
const UNOBSERVED = 'no time of it was observed';

const STATISTICS_TYPES = {
  database_id: 'int32',
  database: 'name',
  target_recovery_time_s: 'int32',
  checkpoints: 'int64',
  per_hour: 'double',
  average_ms: 'double',
  p50_ms: 'int64',
  p95_ms: 'int64',
  p99_ms: 'int64',
  max_ms: 'int64',
  total_ms: 'int64',
  share_of_time_0_to_1: 'double',
} as const;

/** The figures of the databases table: the largest total first. */
export function* listStatistics(capture: ExportedCapture, scope: ExportScope): Steps<TypedTable> {
  const { columns, databases, observation } = capture;
  const set = yield* computeStatistics(columns, databases.length, scope.window ?? EVERYTHING, observation);
  const listed = set.databases.filter(({ database }) => scope.databases?.has(database) !== false);
  listed.sort((a, b) => b.totalMs - a.totalMs || a.database - b.database);
  return createTypedTable({
    id: 'statistics',
    types: STATISTICS_TYPES,
    rows: listed.length,
    values: (at) => {
      const figures = listed[at];
      const database = databases[figures?.database ?? -1];
      if (figures === undefined || database === undefined) return [];
      const { averageMs, p50Ms, p95Ms, p99Ms, maximumMs } = figures;
      return [
        database.databaseId,
        database.name,
        numberOr(database.targetSeconds, 'could not be read'),
        figures.count,
        numberOr(figures.perHour, UNOBSERVED),
        ...[averageMs, p50Ms, p95Ms, p99Ms, maximumMs].map((value) => numberOr(value, NONE)),
        figures.totalMs,
        numberOr(figures.share, UNOBSERVED),
      ];
    },
  });
}
