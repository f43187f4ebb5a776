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

/** Gaps as [begin, end], of a kind before which everything was recorded. */
export function observe(
  beginUtcMs: number,
  endUtcMs: number,
  ...gaps: readonly (readonly [number, number, GapKind?])[]
): Observation {
  return {
    beginUtcMs,
    endUtcMs,
    gaps: gaps.map(([from, to, kind = 'session stopped']) => gapOf(kind, from, to, 'in a test')),
  };
}
