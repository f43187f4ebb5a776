import type { CheckpointColumns, Observation } from '../../../src/core/capture/checkpoint-columns';
import type { TimeWindow } from '../../../src/core/statistics/statistics';
import { computeStatistics } from '../finished';

/**
 * Share of the observed time in which a checkpoint of these databases was running: that of one database which has all
 * of theirs.
 */
export function computeBusyShare(
  columns: CheckpointColumns,
  window: TimeWindow,
  observation: Observation,
  databases?: ReadonlySet<number>,
): number | null {
  const database = columns.database.map((one) => (databases === undefined || databases.has(one) ? 0 : 1));
  return computeStatistics({ ...columns, database }, 1, window, observation)[0]?.share ?? null;
}
