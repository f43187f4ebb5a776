/**
 * Rows of a capture by database, each lane sorted by begin. Every picture and every search along a lane uses it. It
 * holds about 4 bytes a checkpoint beside the columns, and as many in the levels of detail. New rows are added; nothing
 * is rebuilt for them.
 */
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import {
  buildLevels,
  createLevels,
  finishLevels,
  LEAST_ROWS,
  markFinest,
  markLevels,
  type LaneLevels,
  type LaneRows,
} from './lane-levels';
import { lengthen } from '../number-columns';
import { findRowsBegun } from '../statistics/row-order';

export interface Lane extends LaneRows {
  /** The longest checkpoint of the lane. A checkpoint that runs at a moment began no further before it than this. */
  longestMs: number;
  /** Levels of detail; null if there are few checkpoints. */
  levels: LaneLevels | null;
}

/** Lanes by the number of their database in the `database` column; databases without a checkpoint have none. */
export interface LaneIndex {
  readonly lanes: (Lane | undefined)[];
  indexedRows: number;
  /**
   * The recovery interval of the levels of detail. A lane whose levels are for another one is rebuilt when it is looked
   * at.
   */
  recoveryIntervalMs: number;
}

/** SQL Server's own, if `recovery interval` is 0. */
const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

/** An empty index. */
export function createLaneIndex(): LaneIndex {
  return { lanes: [], indexedRows: 0, recoveryIntervalMs: DEFAULT_RECOVERY_INTERVAL_MS };
}

/**
 * Takes in new rows. Rows of one database nearly always come in the order of their begin; late ones are moved into
 * place.
 */
export function indexNewRows(index: LaneIndex, columns: CheckpointColumns): void {
  const from = index.indexedRows;
  const held = index.lanes.map((lane) => lane?.count ?? 0);
  reserveRows(index, columns);
  for (let row = from; row < columns.rows; row++) {
    const lane = index.lanes[columns.database[row]!]!;
    insertRow(lane, columns.beginUtcMs, row);
    lane.longestMs = Math.max(lane.longestMs, columns.durationMs[row]!);
    lane.lastEndUtcMs = Math.max(lane.lastEndUtcMs, columns.beginUtcMs[row]! + columns.durationMs[row]!);
    if (lane.levels && !markLevels(lane.levels, lane, columns, row)) lane.levels = null;
  }
  index.indexedRows = columns.rows;
  addLevels(index, columns, from, held);
}

/**
 * Makes room for the new rows of each lane at once, and in proportion for as many more as the columns have room for.
 * Arrays that grow step by step leave as much memory again behind.
 */
function reserveRows({ lanes, indexedRows }: LaneIndex, columns: CheckpointColumns): void {
  const counts: number[] = [];
  for (let row = indexedRows; row < columns.rows; row++)
    counts[columns.database[row]!] = (counts[columns.database[row]!] ?? 0) + 1;
  const room = Math.max(1, columns.beginUtcMs.length / Math.max(1, columns.rows));
  counts.forEach((count, database) => {
    const lane = (lanes[database] ??= {
      rows: new Uint32Array(0),
      count: 0,
      longestMs: 0,
      lastEndUtcMs: -Infinity,
      levels: null,
    });
    const needed = lane.count + count;
    if (needed <= lane.rows.length) return;
    lane.rows = lengthen(lane.rows, Math.max(16, Math.ceil(needed * room), Math.ceil(lane.count * 1.5)));
  });
}

function insertRow(lane: Lane, beginUtcMs: Float64Array, row: number): void {
  let at = lane.count++;
  while (at > 0 && beginUtcMs[lane.rows[at - 1]!]! > beginUtcMs[row]!) {
    lane.rows[at] = lane.rows[at - 1]!;
    at--;
  }
  lane.rows[at] = row;
}

/**
 * Gives levels of detail to lanes that have become long enough. New lanes are marked together in the order of the rows,
 * which are neighbours in memory. The rows of one lane are not, and a history that arrives at once has millions of
 * them.
 */
function addLevels(
  { lanes, recoveryIntervalMs }: LaneIndex,
  columns: CheckpointColumns,
  from: number,
  held: readonly number[],
): void {
  const added: (LaneLevels | undefined)[] = [];
  lanes.forEach((lane, database) => {
    if (!lane || lane.levels || lane.count < LEAST_ROWS) return;
    if ((held[database] ?? 0) > 0) lane.levels = buildLevels(lane, columns, recoveryIntervalMs);
    else lane.levels = added[database] = createLevels(lane, columns, recoveryIntervalMs);
  });
  if (added.length === 0) return;
  for (let row = from; row < columns.rows; row++) {
    const levels = added[columns.database[row]!];
    if (levels) markFinest(levels, columns, row);
  }
  for (const levels of added) if (levels) finishLevels(levels);
}

/** Position in the lane of the first checkpoint that begins at or after a moment; `lane.count` if there is none. */
export function findFirstFrom(lane: Lane, columns: CheckpointColumns, utcMs: number): number {
  return findRowsBegun(columns, lane.rows, utcMs, lane.count);
}

/**
 * The checkpoint after (`step` 1) or before (-1) a row of the same lane, in order of begin. If no row is given, the
 * first or the last one that begins inside the window. null at the lane's end.
 */
export function findNeighbour(
  lane: Lane,
  columns: CheckpointColumns,
  row: number | null,
  step: 1 | -1,
  window: { readonly beginUtcMs: number; readonly endUtcMs: number },
): number | null {
  let at: number;
  if (row === null) {
    at =
      step === 1
        ? findFirstFrom(lane, columns, window.beginUtcMs)
        : findFirstFrom(lane, columns, window.endUtcMs) - 1;
  } else {
    at = findFirstFrom(lane, columns, columns.beginUtcMs[row]!);
    while (at < lane.count && lane.rows[at] !== row) at++;
    at += step;
  }
  return at >= 0 && at < lane.count ? lane.rows[at]! : null;
}
