import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { sortNumbers, pickRank } from '../sorted';
import type { TaskRuns } from './task-run';

/**
 * How long one database's automatic checkpoints waited for others on the one task. Milliseconds, nearest ranks; null if none could be told.
 *   task                    [ a ][  b  ][ c ]     c began `behind` after the task got busy: it cannot have waited longer
 *   [ c ]-- its median interval --|.late.[ c ]    of that, how much later it came than its own interval says
 */
export interface TaskDelay {
  readonly database: number;
  /** Checkpoints in runs whose begin was seen. */
  readonly checkpoints: number;
  readonly behindP50Ms: number | null;
  readonly behindP95Ms: number | null;
  readonly behindMaximumMs: number | null;
  /** How many intervals between its begins on the task have no gap; with fewer than LEAST_INTERVALS no median is taken. */
  readonly intervals: number;
  /** How much later than its median interval it came, but never more than it was behind: a pause of its own is no delay. */
  readonly lateP95Ms: number | null;
}

/** With fewer intervals than this a database has no usual interval, so it cannot be late. */
const LEAST_INTERVALS = 5;

/** Checkpoints whose waits are sorted in one step: about 5 ms. */
const SORTED_A_STEP = ROWS_A_STEP / 2;

/** @param runs those of `rows`, in order */
export function* describeDelays(
  columns: CheckpointColumns,
  databases: number,
  rows: Uint32Array,
  runs: TaskRuns,
): Steps<readonly TaskDelay[]> {
  const { starts, behindMs, intervalMs } = yield* collectWaits(columns, databases, rows, runs);
  const delays: TaskDelay[] = [];
  let sorted = 0;
  for (let database = 0; database < databases; database++) {
    const [from, to] = [starts[database] ?? 0, starts[database + 1] ?? 0];
    if (from === to) continue;
    delays.push(yield* describeDelay(database, behindMs.subarray(from, to), intervalMs.subarray(from, to)));
    sorted += to - from;
    if (sorted >= SORTED_A_STEP) yield;
    sorted %= SORTED_A_STEP;
  }
  return delays;
}

/** How long each checkpoint waited, the ones of a database side by side; NaN: not known. */
interface Waits {
  /** The waits of database d are at `starts[d]` to before `starts[d + 1]`. */
  readonly starts: Uint32Array;
  readonly behindMs: Float64Array;
  readonly intervalMs: Float64Array;
}

function* collectWaits(columns: CheckpointColumns, databases: number, rows: Uint32Array, runs: TaskRuns): Steps<Waits> {
  const starts = new Uint32Array(databases + 1);
  yield* visitWaits(columns, databases, rows, runs, (database) => (starts[database + 1] = (starts[database + 1] ?? 0) + 1));
  for (let database = 1; database <= databases; database++) starts[database] = (starts[database] ?? 0) + (starts[database - 1] ?? 0);
  const next = starts.slice();
  const count = starts[databases] ?? 0;
  const [behind, intervals] = [new Float64Array(count), new Float64Array(count)];
  yield* visitWaits(columns, databases, rows, runs, (database, behindMs, intervalMs) => {
    const place = next[database] ?? 0;
    next[database] = place + 1;
    behind[place] = behindMs;
    intervals[place] = intervalMs;
  });
  return { starts, behindMs: behind, intervalMs: intervals };
}

function* visitWaits(
  columns: CheckpointColumns,
  databases: number,
  rows: Uint32Array,
  runs: TaskRuns,
  visit: (database: number, behindMs: number, intervalMs: number) => void,
): Steps<void> {
  const lastBegins = new Float64Array(databases).fill(NaN);
  let stretch = -1;
  for (let run = 0, done = 0; run < runs.count; run++) {
    if (runs.stretch[run] !== stretch) lastBegins.fill(NaN);
    stretch = runs.stretch[run] ?? 0;
    const runBegin = runs.beginUtcMs[run] ?? 0;
    const first = runs.firstPlace[run] ?? 0;
    for (let place = first; place < first + (runs.checkpoints[run] ?? 0); place++) {
      const row = rows[place] ?? 0;
      const database = columns.database[row] ?? 0;
      const begin = columns.beginUtcMs[row] ?? 0;
      // It began in a gap or before the window: the run's begin says nothing about it.
      if (begin < runBegin || database >= databases || row >= (columns.partsFrom ?? Infinity)) continue;
      visit(database, runs.isBeginCut[run] === 1 ? NaN : begin - runBegin, begin - (lastBegins[database] ?? NaN));
      lastBegins[database] = begin;
      if (++done % ROWS_A_STEP === 0) yield;
    }
  }
}

function* describeDelay(database: number, behindMs: Float64Array, intervalMs: Float64Array): Steps<TaskDelay> {
  const intervals = yield* sortNumbers(pickKnown(intervalMs));
  const typicalMs = intervals.length < LEAST_INTERVALS ? NaN : (pickRank(intervals, 50) ?? NaN);
  const late = yield* sortNumbers(
    pickKnown(intervalMs.map((interval, i) => Math.min(behindMs[i] ?? NaN, Math.max(0, interval - typicalMs)))),
  );
  const behind = yield* sortNumbers(pickKnown(behindMs));
  return {
    database,
    checkpoints: behind.length,
    behindP50Ms: pickRank(behind, 50),
    behindP95Ms: pickRank(behind, 95),
    behindMaximumMs: pickRank(behind, 100),
    intervals: intervals.length,
    lateP95Ms: pickRank(late, 95),
  };
}

function pickKnown(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}
