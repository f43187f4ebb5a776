import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { sortNumbers, pickRank } from '../sorted';
import type { TaskRuns } from './task-run';

/**
 * How long one database's automatic checkpoints waited for others on the one task. Milliseconds, nearest ranks; null if
 * none could be told.
 *   task                    [ a ][  b  ][ c ]     c began `behind` after the task got busy: it cannot have waited longer
 */
export interface TaskDelay {
  readonly database: number;
  /** Checkpoints in runs whose begin was seen. */
  readonly checkpoints: number;
  readonly behindP50Ms: number | null;
  readonly behindP95Ms: number | null;
  readonly behindMaximumMs: number | null;
}

/** Checkpoints whose waits are sorted in one step: about 5 ms. */
const SORTED_A_STEP = ROWS_A_STEP / 2;

/** @param runs those of `rows`, in order */
export function* describeDelays(
  columns: CheckpointColumns,
  databases: number,
  rows: Uint32Array,
  runs: TaskRuns,
): Steps<readonly TaskDelay[]> {
  /** Visits each turn with the time for which the task had been busy; NaN: not known. */
  const visitWaits = function* (visit: (database: number, behindMs: number) => void): Steps<void> {
    for (let run = 0, done = 0; run < runs.count; run++) {
      const runBegin = runs.beginUtcMs[run] ?? 0;
      const first = runs.firstPlace[run] ?? 0;
      for (let place = first; place < first + (runs.checkpoints[run] ?? 0); place++) {
        const row = rows[place] ?? 0;
        const database = columns.database[row] ?? 0;
        const begin = columns.beginUtcMs[row] ?? 0;
        // It began in a gap or before the window: the run's begin says nothing about it.
        if (begin < runBegin || database >= databases || row >= (columns.partsFrom ?? Infinity)) continue;
        visit(database, runs.isBeginCut[run] === 1 ? NaN : begin - runBegin);
        if (++done % ROWS_A_STEP === 0) yield;
      }
    }
  };
  const starts = new Uint32Array(databases + 1);
  yield* visitWaits((database) => (starts[database + 1] = (starts[database + 1] ?? 0) + 1));
  for (let database = 1; database <= databases; database++)
    starts[database] = (starts[database] ?? 0) + (starts[database - 1] ?? 0);
  const [next, waits] = [starts.slice(), new Float64Array(starts[databases] ?? 0)];
  yield* visitWaits((database, behindMs) => {
    const place = next[database] ?? 0;
    next[database] = place + 1;
    waits[place] = behindMs;
  });
  const delays: TaskDelay[] = [];
  let sorted = 0;
  for (let database = 0; database < databases; database++) {
    const [from, to] = [starts[database] ?? 0, starts[database + 1] ?? 0];
    if (from === to) continue;
    const behind = yield* sortNumbers(waits.subarray(from, to).filter((wait) => !Number.isNaN(wait)));
    const behindP50Ms = pickRank(behind, 50);
    const behindP95Ms = pickRank(behind, 95);
    const behindMaximumMs = pickRank(behind, 100);
    delays.push({ database, checkpoints: behind.length, behindP50Ms, behindP95Ms, behindMaximumMs });
    sorted += to - from;
    if (sorted >= SORTED_A_STEP) yield;
    sorted %= SORTED_A_STEP;
  }
  return delays;
}
