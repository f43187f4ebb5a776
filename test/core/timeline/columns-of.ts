import fc from 'fast-check';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import { createLaneIndex, indexNewRows, type LaneIndex } from '../../../src/core/timeline/lane-index';

export type Row = readonly [beginUtcMs: number, durationMs: number, database?: number];

/** Rows in any order, as from several files: of these many databases, the latest begins and the longest lasts. */
export const anyRows = (latestMs: number, longestMs: number, databases = 1, most = 60) =>
  fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: latestMs }),
      fc.integer({ min: 0, max: longestMs }),
      fc.integer({ min: 0, max: databases - 1 }),
    ),
    { maxLength: most },
  );

/** Columns of a few rows. */
export function columnsOf(rows: readonly Row[]): CheckpointColumns {
  return {
    rows: rows.length,
    beginUtcMs: Float64Array.from(rows, ([begin]) => begin),
    durationMs: Uint32Array.from(rows, ([, duration]) => duration),
    database: Uint16Array.from(rows, ([, , database]) => database ?? 0),
  };
}

/** The index of all of the columns. */
export function indexOf(columns: CheckpointColumns): LaneIndex {
  const index = createLaneIndex();
  indexNewRows(index, columns);
  return index;
}
