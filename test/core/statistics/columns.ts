import type { CheckpointColumns, Observation } from '../../../src/core/capture/checkpoint-columns';
import { CheckpointStore } from '../../../src/core/capture/checkpoint-store';
import type { GapKind } from '../../../src/core/session/gap';
import { gapOf } from '../gap-of';

/** [begin, duration, database, task] a row; without a task it is not known. */
export type Row = readonly [number, number, number, number?];

export function columnsOf(...rows: readonly Row[]): CheckpointColumns {
  const store = new CheckpointStore();
  for (const row of rows) store.append(...row);
  return store.columns();
}

/** [begin, end] of a gap, by default of a kind before which everything was recorded. */
type GapRow = readonly [number, number, GapKind?];

export function observe(beginUtcMs: number, endUtcMs: number, ...gaps: readonly GapRow[]): Observation {
  return {
    beginUtcMs,
    endUtcMs,
    gaps: gaps.map(([from, to, kind = 'session stopped']) => gapOf(kind, from, to, 'in a test')),
  };
}

/** Whether one of its two events may be missing: in a gap with lost events it may be any, else the one at its end. */
export const isAcrossGap = ([begin, ms]: Row, gaps: readonly GapRow[]): boolean =>
  gaps.some(
    ([a, b, kind]) =>
      a < b && (kind === 'events lost' ? a <= begin + ms && begin <= b : begin < b && b <= begin + ms),
  );
