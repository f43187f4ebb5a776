/** The checkpoint task of a few rows, for tests. */
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import type { BackupRun } from '../../../src/core/task/backup-rows';
import type { TaskScope } from '../../../src/core/task/checkpoint-task';
import { describeTask, type TaskStatistics } from '../../../src/core/task/task-statistics';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, observe, type Row } from '../statistics/columns';

const DATABASES = 20;
export const ALL = findAutomaticTime(
  new Map(Array.from({ length: DATABASES }, (_, database) => [database, 0])),
);

/** @param callers by the number of the task; absent: not recorded */
export function describeRows(
  rows: readonly Row[],
  scope: Partial<TaskScope> = {},
  callers?: Uint32Array,
): TaskStatistics {
  const whole = {
    window: { beginUtcMs: 0, endUtcMs: 10_000 },
    observation: observe(0, 10_000),
    automatic: ALL,
    backups: null,
  };
  const columns = { ...columnsOf(...rows), ...(callers && { callers }) };
  return finishSteps(describeTask(columns, DATABASES, { ...whole, ...scope }));
}

export const backup = (
  beginUtcMs: number,
  endUtcMs: number,
  type: BackupRun['type'] = 'full',
): BackupRun => ({
  type,
  beginUtcMs,
  endUtcMs,
  bytes: 1,
});
