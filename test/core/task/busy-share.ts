import type { CheckpointColumns, Observation } from '../../../src/core/capture/checkpoint-columns';
import { createGapCrossing } from '../../../src/core/session/gap-crossing';
import { findObservedPieces, measureUnion, sumPieces, type TimeWindow } from '../../../src/core/statistics/observed-time';

/** Share of the observed time in which a checkpoint of these databases was running, over all rows at once: what growing figures are held to. */
export function computeBusyShare(
  columns: CheckpointColumns,
  window: TimeWindow,
  observation: Observation,
  databases?: ReadonlySet<number>,
): number | null {
  const pieces = findObservedPieces(window, observation);
  const observedMs = sumPieces(pieces);
  if (observedMs === 0) return null;
  const { rows, beginUtcMs, durationMs, database } = columns;
  const isAcrossGap = createGapCrossing(observation.gaps);
  const begins = new Float64Array(rows);
  const ends = new Float64Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const begin = beginUtcMs[row] ?? 0;
    const end = begin + (durationMs[row] ?? 0);
    if (begin < window.beginUtcMs || begin >= window.endUtcMs || isAcrossGap?.(begin, end) === true) continue;
    if (databases !== undefined && !databases.has(database[row] ?? 0)) continue;
    begins[count] = begin;
    ends[count++] = end;
  }
  return measureUnion(begins.subarray(0, count), ends.subarray(0, count), pieces) / observedMs;
}
