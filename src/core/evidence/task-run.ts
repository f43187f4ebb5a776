import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import type { TimePieces } from './observed-time';
import { BACK_TO_BACK_MS } from './task-overlap';

/**
 * An unbroken stretch of work of the one task, as far as it was seen:
 *   task    [==][=====][==]          [===]
 *   runs    |..............|         |...|       a pause of more than 0.12 s, or a gap, ends one
 */
export interface TaskRun {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  /** Of that, time in which a checkpoint was running. */
  readonly busyMs: number;
  readonly checkpoints: number;
  /** Indexes of the databases, each once, in order of their first checkpoint. */
  readonly databases: readonly number[];
  /** Where in the task's rows it begins: so many rows from there are its own. */
  readonly firstPlace: number;
  /** Which stretch of observed time it lies in: between runs of two stretches there is a gap. */
  readonly stretch: number;
  /** Whether it may have begun before what was seen, or gone on after. */
  readonly isBeginCut: boolean;
  readonly isEndCut: boolean;
}

/** Every row may begin a run: some 10 ms. */
const RUNS_A_STEP = ROWS_A_STEP / 4;

type Draft = { -readonly [K in keyof TaskRun]: TaskRun[K] } & { readonly pieceEndUtcMs: number; readonly seen: Set<number> };

/**
 * The runs of the task, from its checkpoints. What lies outside of the pieces is cut off.
 * @param rows the task's checkpoints, in order of begins, without overlaps
 * @param pieces observed time
 */
export function* findTaskRuns(columns: CheckpointColumns, rows: Uint32Array, pieces: TimePieces): Steps<readonly TaskRun[]> {
  const runs: TaskRun[] = [];
  let run: Draft | null = null;
  let piece = 0;
  for (let place = 0; place < rows.length; place++) {
    if (place % RUNS_A_STEP === RUNS_A_STEP - 1) yield;
    const row = rows[place] ?? 0;
    const beginUtcMs = columns.beginUtcMs[row] ?? 0;
    const endUtcMs = beginUtcMs + (columns.durationMs[row] ?? 0);
    while (piece < pieces.length && (pieces[piece + 1] ?? 0) <= beginUtcMs) piece += 2;
    const [pieceBegin = Infinity, pieceEnd = Infinity] = pieces.subarray(piece, piece + 2);
    // Of a checkpoint that begins in a gap, only what lies behind the gap was seen.
    if (endUtcMs < pieceBegin || (endUtcMs === pieceBegin && beginUtcMs < pieceBegin)) continue;
    const seen = { beginUtcMs: Math.max(beginUtcMs, pieceBegin), endUtcMs: Math.min(endUtcMs, pieceEnd) };
    if (run === null || run.pieceEndUtcMs !== pieceEnd || seen.beginUtcMs - run.endUtcMs > BACK_TO_BACK_MS) {
      if (run !== null) runs.push(closeRun(run));
      run = openRun(seen.beginUtcMs, place, piece / 2, [pieceBegin, pieceEnd]);
    }
    run.busyMs += seen.endUtcMs - seen.beginUtcMs;
    run.endUtcMs = seen.endUtcMs;
    run.checkpoints++;
    run.seen.add(columns.database[row] ?? 0);
  }
  if (run !== null) runs.push(closeRun(run));
  return runs;
}

function openRun(beginUtcMs: number, firstPlace: number, stretch: number, [pieceBegin, pieceEndUtcMs]: readonly [number, number]): Draft {
  const isBeginCut = beginUtcMs - pieceBegin <= BACK_TO_BACK_MS;
  const counted = { busyMs: 0, checkpoints: 0, databases: [], firstPlace, stretch, isBeginCut, isEndCut: false };
  return { beginUtcMs, endUtcMs: beginUtcMs, ...counted, pieceEndUtcMs, seen: new Set() };
}

function closeRun({ pieceEndUtcMs, seen, ...run }: Draft): TaskRun {
  return { ...run, databases: [...seen], isEndCut: pieceEndUtcMs - run.endUtcMs <= BACK_TO_BACK_MS };
}
