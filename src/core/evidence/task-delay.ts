import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { pickRank } from './nearest-rank';
import type { TaskRun } from './task-run';

/**
 * How one database's automatic checkpoints stood behind those of others on the one task. Milliseconds, nearest ranks; null where none could be told.
 *   task                    [ a ][  b  ][ c ]     c began `behind` after the task got busy: it cannot have waited longer
 *   [ c ]-- its median interval --|.late.[ c ]    and so much later than its own interval says, of that
 */
export interface TaskDelay {
  readonly database: number;
  /** Checkpoints in runs whose beginning was seen. */
  readonly checkpoints: number;
  readonly behindP50Ms: number | null;
  readonly behindP95Ms: number | null;
  readonly behindMaximumMs: number | null;
  /** Intervals between its begins on the task, none of them over a gap; below LEAST_INTERVALS no median is taken of them. */
  readonly intervals: number;
  /** How much later than its median interval, and never more than it was behind: a pause of its own is no delay. */
  readonly lateP95Ms: number | null;
  readonly lateMaximumMs: number | null;
}

/** Below so many intervals a database has no interval of its own to be late by. */
export const LEAST_INTERVALS = 5;

/** Some 10 ms. */
const WAITS_A_STEP = ROWS_A_STEP / 4;

/** @param runs those of `rows`, in order */
export function* describeDelays(
  columns: CheckpointColumns,
  databases: number,
  rows: Uint32Array,
  runs: readonly TaskRun[],
): Steps<readonly TaskDelay[]> {
  const waits: Wait[][] = Array.from({ length: databases }, () => []);
  const lastBegins = new Float64Array(databases).fill(NaN);
  let done = 0;
  let stretch = -1;
  for (const run of runs) {
    if (run.stretch !== stretch) lastBegins.fill(NaN);
    stretch = run.stretch;
    for (let place = run.firstPlace; place < run.firstPlace + run.checkpoints; place++) {
      const row = rows[place] ?? 0;
      const database = columns.database[row] ?? 0;
      const begin = columns.beginUtcMs[row] ?? 0;
      // Begun in a gap or before the window: the run's beginning says nothing about it.
      if (begin < run.beginUtcMs) continue;
      const intervalMs = begin - (lastBegins[database] ?? NaN);
      waits[database]?.push({ behindMs: run.isBeginCut ? NaN : begin - run.beginUtcMs, intervalMs });
      lastBegins[database] = begin;
      if (++done % WAITS_A_STEP === 0) yield;
    }
  }
  const delays: TaskDelay[] = [];
  for (let database = 0; database < databases; database++) {
    const mine = waits[database] ?? [];
    if (mine.length > 0) delays.push(describeDelay(database, mine));
    if (database % 8 === 7) yield;
  }
  return delays;
}

/** NaN: not known. */
interface Wait {
  readonly behindMs: number;
  readonly intervalMs: number;
}

function describeDelay(database: number, waits: readonly Wait[]): TaskDelay {
  const behind = sortKnown(waits.map((wait) => wait.behindMs));
  const intervals = sortKnown(waits.map((wait) => wait.intervalMs));
  const typicalMs = intervals.length < LEAST_INTERVALS ? NaN : (pickRank(intervals, 50) ?? NaN);
  const late = sortKnown(waits.map(({ behindMs, intervalMs }) => Math.min(behindMs, Math.max(0, intervalMs - typicalMs))));
  return {
    database,
    checkpoints: behind.length,
    behindP50Ms: pickRank(behind, 50),
    behindP95Ms: pickRank(behind, 95),
    behindMaximumMs: pickRank(behind, 100),
    intervals: intervals.length,
    lateP95Ms: pickRank(late, 95),
    lateMaximumMs: pickRank(late, 100),
  };
}

function sortKnown(values: readonly number[]): Float64Array {
  return Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();
}
