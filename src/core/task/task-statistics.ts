import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type BesideTask, findTaskRows, type TaskRows, type TaskScope } from './checkpoint-task';
import { type Coverage, measureCoverage } from '../statistics/coverage';
import { findObservedPieces } from '../statistics/observed-time';
import { describeDelays, type TaskDelay } from './task-delay';
import { describeRun, findTaskRuns, type TaskRun, type TaskRuns } from './task-run';
import { findBegun } from '../statistics/row-order';

/**
 * The one task that runs the automatic checkpoints of all databases (docs/facts.md, SQL Server 1), in one window. Databases that were not tracked are missing.
 * What another task ran without an overlap may be counted here, unless a backup explains it.
 */
export interface TaskStatistics {
  readonly coverage: Coverage;
  /** Checkpoints of the task that begin in the window. */
  readonly checkpoints: number;
  /** Observed time in which it was at work, including checkpoints that began before the window. */
  readonly busyMs: number;
  /** Of the observed time, 0 to 1; null if no time was observed. */
  readonly busyShare: number | null;
  /** The share may be off by this much, because of overlaps whose cause is not known; null if no time was observed. */
  readonly busyShareMargin: number | null;
  readonly runs: RunStatistics;
  /** One for each database that it ran a checkpoint of, by index. */
  readonly delays: readonly TaskDelay[];
  /** What ran beside it, in order of time, the first MOST_BESIDE_TASK; and how many there were. */
  readonly beside: readonly BesideTask[];
  readonly besideCounts: TaskRows['besideCounts'];
  /** Whether causes could be looked for: without the backups each one is `unknown`. */
  readonly areBackupsKnown: boolean;
}

/** Runs: each checkpoint begins within 0.12 s of the one before. */
interface RunStatistics {
  readonly count: number;
  readonly longest: TaskRun | null;
  /** How many of them a gap or an edge of the window cuts. They were longer than the part that was seen. */
  readonly cut: number;
}

/** Busy share, runs and delays of the one task of automatic checkpoints. */
export function* describeTask(columns: CheckpointColumns, databases: number, scope: TaskScope): Steps<TaskStatistics> {
  const task = yield* findTaskRows(columns, scope);
  const { partsFrom = Infinity } = columns;
  const whole = partsFrom === Infinity ? task.rows : task.rows.filter((row) => row < partsFrom);
  const coverage = measureCoverage(scope.window, scope.observation);
  const runs = yield* findTaskRuns(columns, task.rows, findObservedPieces(scope.window, scope.observation));
  yield;
  const toShare = (ms: number): number | null => (coverage.observedMs > 0 ? ms / coverage.observedMs : null);
  const { busyMs, ...runStatistics } = yield* describeRuns(columns, task.rows, runs);
  yield;
  return {
    coverage,
    checkpoints: whole.length - findBegun(columns, whole, scope.window.beginUtcMs),
    busyMs,
    busyShare: toShare(busyMs),
    busyShareMargin: toShare(task.uncertainMs),
    runs: runStatistics,
    delays: yield* describeDelays(columns, databases, task.rows, runs),
    beside: task.beside,
    besideCounts: task.besideCounts,
    areBackupsKnown: scope.backups !== null,
  };
}

function* describeRuns(
  columns: CheckpointColumns,
  rows: Uint32Array,
  runs: TaskRuns,
): Steps<RunStatistics & Pick<TaskStatistics, 'busyMs'>> {
  const { count } = runs;
  let [longest, longestMs, cut, busyMs] = [-1, -1, 0, 0];
  for (let run = 0; run < count; run++) {
    const lengthMs = (runs.endUtcMs[run] ?? 0) - (runs.beginUtcMs[run] ?? 0);
    if (lengthMs > longestMs) [longest, longestMs] = [run, lengthMs];
    if (runs.isBeginCut[run] === 1 || runs.isEndCut[run] === 1) cut++;
    busyMs += runs.busyMs[run] ?? 0;
    if (run % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return { count, longest: longest < 0 ? null : describeRun(columns, rows, runs, longest), cut, busyMs };
}
