import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import type { TimePieces } from '../statistics/observed-time';
import { BACK_TO_BACK_MS } from './task-overlap';

/**
 * An unbroken stretch of work of the one task, as far as it was seen:
 *   task    [==][=====][==]          [===]
 *   runs    |..............|         |...|       a pause of more than 0.12 s, or a gap, ends one
 */
export interface TaskRun {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  /** Indexes of the databases, each once, in the order of their first checkpoint. */
  readonly databases: readonly number[];
}

/** Runs as columns, in order: a quiet task has as many runs as checkpoints. */
export type TaskRuns = Readonly<Omit<RunColumns, 'goesOn' | 'open' | 'add'>>;

/**
 * The runs of the task, from its checkpoints. Whatever lies outside of the pieces is cut off.
 * @param rows the task's checkpoints, in order of begins, without overlaps
 * @param pieces observed time
 */
export function* findTaskRuns(
  columns: CheckpointColumns,
  rows: Uint32Array,
  pieces: TimePieces,
): Steps<TaskRuns> {
  const runs = new RunColumns(rows.length);
  let piece = 0;
  for (let place = 0; place < rows.length; place++) {
    if (place % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const row = rows[place] ?? 0;
    const beginUtcMs = columns.beginUtcMs[row] ?? 0;
    const endUtcMs = beginUtcMs + (columns.durationMs[row] ?? 0);
    while (piece < pieces.length && (pieces[piece + 1] ?? 0) <= beginUtcMs) piece += 2;
    const pieceBegin = pieces[piece] ?? Infinity;
    // Of a checkpoint that begins in a gap, only the part after the gap was seen.
    if (endUtcMs < pieceBegin || (endUtcMs === pieceBegin && beginUtcMs < pieceBegin)) continue;
    const seenBegin = Math.max(beginUtcMs, pieceBegin);
    if (!runs.goesOn(seenBegin, piece / 2))
      runs.open(seenBegin, place, piece / 2, seenBegin - pieceBegin <= BACK_TO_BACK_MS);
    runs.add(seenBegin, Math.min(endUtcMs, pieces[piece + 1] ?? Infinity));
  }
  return runs;
}

/** One run, with the databases that it ran checkpoints of. */
export function describeRun(
  columns: CheckpointColumns,
  rows: Uint32Array,
  runs: TaskRuns,
  run: number,
): TaskRun {
  const firstPlace = runs.firstPlace[run] ?? 0;
  const checkpoints = runs.checkpoints[run] ?? 0;
  const seen = new Set<number>();
  for (let place = firstPlace; place < firstPlace + checkpoints; place++)
    seen.add(columns.database[rows[place] ?? 0] ?? 0);
  return { beginUtcMs: runs.beginUtcMs[run] ?? 0, endUtcMs: runs.endUtcMs[run] ?? 0, databases: [...seen] };
}

class RunColumns {
  count = 0;
  readonly beginUtcMs: Float64Array;
  readonly endUtcMs: Float64Array;
  /** How much of that time a checkpoint was running. */
  readonly busyMs: Float64Array;
  readonly checkpoints: Uint32Array;
  /** Its first place in the task's rows. As many rows from there on are its own as it has checkpoints. */
  readonly firstPlace: Uint32Array;
  /** Which stretch of observed time it lies in. Between runs of two stretches there is a gap. */
  readonly stretch: Uint32Array;
  /** Whether it may have begun before the time that was seen. */
  readonly isBeginCut: Uint8Array;

  /** @param mostRuns as many as there are checkpoints: each may be a run of its own */
  constructor(mostRuns: number) {
    const [numbers, counts] = [() => new Float64Array(mostRuns), () => new Uint32Array(mostRuns)];
    [this.beginUtcMs, this.endUtcMs, this.busyMs] = [numbers(), numbers(), numbers()];
    [this.checkpoints, this.firstPlace, this.stretch] = [counts(), counts(), counts()];
    this.isBeginCut = new Uint8Array(mostRuns);
  }

  /** Whether a checkpoint that begins there belongs to the last run. */
  goesOn(beginUtcMs: number, stretch: number): boolean {
    const last = this.count - 1;
    return (
      last >= 0 &&
      this.stretch[last] === stretch &&
      beginUtcMs - (this.endUtcMs[last] ?? 0) <= BACK_TO_BACK_MS
    );
  }

  open(beginUtcMs: number, firstPlace: number, stretch: number, isBeginCut: boolean): void {
    const run = this.count++;
    this.beginUtcMs[run] = beginUtcMs;
    this.firstPlace[run] = firstPlace;
    this.stretch[run] = stretch;
    this.isBeginCut[run] = isBeginCut ? 1 : 0;
  }

  /** Adds a checkpoint to the last run. */
  add(beginUtcMs: number, endUtcMs: number): void {
    const run = this.count - 1;
    this.busyMs[run] = (this.busyMs[run] ?? 0) + endUtcMs - beginUtcMs;
    this.endUtcMs[run] = endUtcMs;
    this.checkpoints[run] = (this.checkpoints[run] ?? 0) + 1;
  }
}
