import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type BesideTask, findTaskRows, type TaskScope } from './checkpoint-task';
import { type Coverage, measureCoverage } from '../statistics/coverage';
import { findObservedPieces } from '../statistics/observed-time';
import { describeDelays, type TaskDelay } from './task-delay';
import { describeRun, findTaskRuns, type TaskRun } from './task-run';

/**
 * The one task that runs the automatic checkpoints of all databases (docs/facts.md, SQL Server 1), in one window.
 * Databases that were not tracked are missing. What another task ran without an overlap may be counted here, unless a
 * backup explains it.
 */
export interface TaskStatistics {
  readonly coverage: Coverage;
  /** Observed time in which it was at work, including checkpoints that began before the window. */
  readonly busyMs: number;
  /** Of the observed time, 0 to 1; null if no time was observed. */
  readonly busyShare: number | null;
  /** The share may be off by this much, because of overlaps whose cause is not known; null if no time was observed. */
  readonly busyShareMargin: number | null;
  /** The longest run; null: there is none. */
  readonly longestRun: TaskRun | null;
  /** One for each database that it ran a checkpoint of, by index. */
  readonly delays: readonly TaskDelay[];
  /** What ran beside it, in order of time, the first MOST_BESIDE_TASK. */
  readonly beside: readonly BesideTask[];
}

/** The same with the rows of its checkpoints, in order. */
interface DescribedTask extends TaskStatistics {
  readonly rows: Uint32Array;
}

/** Busy share, runs and delays of the one task of automatic checkpoints. */
export function* describeTask(
  columns: CheckpointColumns,
  databases: number,
  scope: TaskScope,
): Steps<DescribedTask> {
  const task = yield* findTaskRows(columns, scope);
  const coverage = measureCoverage(scope.window, scope.observation);
  const runs = yield* findTaskRuns(columns, task.rows, findObservedPieces(scope.window, scope.observation));
  yield;
  const toShare = (ms: number): number | null => (coverage.observedMs > 0 ? ms / coverage.observedMs : null);
  let longest = -1;
  let longestMs = -1;
  let busyMs = 0;
  for (let run = 0; run < runs.count; run++) {
    const lengthMs = (runs.endUtcMs[run] ?? 0) - (runs.beginUtcMs[run] ?? 0);
    if (lengthMs > longestMs) [longest, longestMs] = [run, lengthMs];
    busyMs += runs.busyMs[run] ?? 0;
    if (run % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  yield;
  return {
    coverage,
    busyMs,
    busyShare: toShare(busyMs),
    busyShareMargin: toShare(task.uncertainMs),
    longestRun: longest < 0 ? null : describeRun(columns, task.rows, runs, longest),
    delays: yield* describeDelays(columns, databases, task.rows, runs),
    beside: task.beside,
    rows: task.rows,
  };
}
