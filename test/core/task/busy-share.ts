import type { CheckpointColumns, Observation } from '../../../src/core/capture/checkpoint-columns';
import type { TimeWindow } from '../../../src/core/statistics/statistics';
import { computeStatistics } from '../finished';

/** Share of the observed time in which a checkpoint was running: that of one database which has all of them. */
export function computeBusyShare(
  columns: CheckpointColumns,
  window: TimeWindow,
  observation: Observation,
): number | null {
  const database = columns.database.map(() => 0);
  return computeStatistics({ ...columns, database }, 1, window, observation)[0]?.share ?? null;
}
