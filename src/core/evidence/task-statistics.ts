import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { Steps } from '../steps';
import { type BesideTask, findTaskRows, type TaskRows, type TaskScope } from './checkpoint-task';
import { type Coverage, measureCoverage } from './coverage';
import { pickRank } from './nearest-rank';
import { findObservedPieces } from './observed-time';
import { describeDelays, type TaskDelay } from './task-delay';
import { findTaskRuns, type TaskRun } from './task-run';

/**
 * The one task that runs the automatic checkpoints of all databases (docs/facts.md, SQL Server 1), in one window. Databases that were not tracked are missing
 * from it; what ran elsewhere without overlapping any of its checkpoints cannot be told from them, but where a backup is known.
 */
export interface TaskStatistics {
  readonly coverage: Coverage;
  /** Checkpoints of the task that begin in the window. */
  readonly checkpoints: number;
  /** Observed time in which it was at work, also on a checkpoint begun before the window. */
  readonly busyMs: number;
  /** Of the observed time, 0 to 1; null where no time was observed. */
  readonly busyShare: number | null;
  /** The share may be off by as much, because of overlaps whose cause is not known; null where no time was observed. */
  readonly busyShareMargin: number | null;
  readonly runs: RunStatistics;
  /** Of databases that it ran a checkpoint of, by index. */
  readonly delays: readonly TaskDelay[];
  /** What ran beside it, in order of time, the first MOST_LISTED; and how many there were. */
  readonly beside: readonly BesideTask[];
  readonly besideCounts: TaskRows['besideCounts'];
  /** Whether a cause could be looked for at all: without the backups every one is `unknown`. */
  readonly areBackupsKnown: boolean;
}

/** Unbroken stretches of work: each checkpoint within 0.12 s of the one before. */
export interface RunStatistics {
  readonly count: number;
  /** Nearest ranks; null where there is none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly longest: TaskRun | null;
  /** How many of them a gap or an edge of the window cuts: they were longer than what was seen of them. */
  readonly cut: number;
}

/** Busy share, runs and delays of the one task of automatic checkpoints. */
export function* describeTask(columns: CheckpointColumns, databases: number, scope: TaskScope): Steps<TaskStatistics> {
  const task = yield* findTaskRows(columns, scope);
  const coverage = measureCoverage(scope.window, scope.observation);
  const runs = yield* findTaskRuns(columns, task.rows, findObservedPieces(scope.window, scope.observation));
  yield;
  const busyMs = runs.reduce((sum, run) => sum + run.busyMs, 0);
  yield;
  const toShare = (ms: number): number | null => (coverage.observedMs > 0 ? ms / coverage.observedMs : null);
  const runStatistics = describeRuns(runs);
  yield;
  return {
    coverage,
    checkpoints: task.rows.reduce((sum, row) => sum + ((columns.beginUtcMs[row] ?? 0) >= scope.window.beginUtcMs ? 1 : 0), 0),
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

function describeRuns(runs: readonly TaskRun[]): RunStatistics {
  const lengths = new Float64Array(runs.length);
  runs.forEach((run, i) => (lengths[i] = lengthOf(run)));
  lengths.sort();
  const pick = (percent: number): number | null => pickRank(lengths, percent);
  let longest: TaskRun | null = null;
  for (const run of runs) if (longest === null || lengthOf(run) > lengthOf(longest)) longest = run;
  const cut = runs.filter((run) => run.isBeginCut || run.isEndCut).length;
  return { count: runs.length, p50Ms: pick(50), p95Ms: pick(95), longest, cut };
}

const lengthOf = (run: TaskRun): number => run.endUtcMs - run.beginUtcMs;
