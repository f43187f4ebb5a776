import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { createGapCrossing } from '../session/gap-crossing';
import { groupRows } from './grouped-rows';
import { findObservedPieces, findPiece, type TimePieces, type TimeWindow } from './observed-time';
import { orderRows } from './row-order';
import { countBelow, pickRank, sortNumbers } from '../sorted';

/** If a third of the window has fewer intervals, nothing is said of drift. */
const LEAST_IN_THIRD = 5;
/** Intervals that are sorted in one step: about 3 ms. */
const SORTED_A_STEP = 16_384;

/** Intervals between the begins of one database's checkpoints. Nearest ranks; null if there are too few to tell. */
export interface Cadence {
  /** Index into the capture's list of databases. */
  readonly database: number;
  readonly intervals: number;
  readonly medianMs: number | null;
  /** Half of the intervals lie between these two. */
  readonly p25Ms: number | null;
  readonly p75Ms: number | null;
  readonly drift: Drift | null;
}

/** How intervals changed over the window. */
interface Drift {
  /** Medians of the intervals that begin in the first and in the last third of the window. */
  readonly firstThirdMs: number;
  readonly lastThirdMs: number;
}

/** How regularly each database with a checkpoint in the window had them, by index. Intervals over a gap are left out: checkpoints may be missing from them. */
export function* describeCadence(
  columns: CheckpointColumns,
  databases: number,
  window: TimeWindow,
  observation: Observation,
): Steps<readonly Cadence[]> {
  const pieces = findObservedPieces(window, observation);
  const isAcrossGap = createGapCrossing(observation.gaps);
  const ordered = yield* orderRows(columns, (row) => {
    const begin = columns.beginUtcMs[row] ?? 0;
    if ((columns.database[row] ?? 0) >= databases || findPiece(pieces, begin) < 0) return false;
    return isAcrossGap?.(begin, begin + (columns.durationMs[row] ?? 0)) !== true;
  });
  const rowsOf = yield* groupRows(columns, databases, ordered);
  const pace = new Pace();
  const cadences: Cadence[] = [];
  for (let database = 0; database < databases; database++) {
    const own = rowsOf(database);
    if (own.length === 0) continue;
    const history = yield* measureIntervals(columns, own, pieces);
    cadences.push(yield* describeIntervals(database, history, pieces, pace));
  }
  return cadences;
}

/** Intervals without a gap in them, in order of time: when each begins, and how long it is. */
interface History {
  readonly begins: Float64Array;
  readonly intervals: Float64Array;
}

function* measureIntervals({ beginUtcMs }: CheckpointColumns, rows: Uint32Array, pieces: TimePieces): Steps<History> {
  const [begins, intervals] = [new Float64Array(rows.length - 1), new Float64Array(rows.length - 1)];
  let count = 0;
  let before = beginUtcMs[rows[0] ?? 0] ?? 0;
  let pieceBefore = findPiece(pieces, before);
  for (let i = 1; i < rows.length; i++) {
    const begin = beginUtcMs[rows[i] ?? 0] ?? 0;
    const piece = findPiece(pieces, begin);
    if (piece === pieceBefore) {
      begins[count] = before;
      intervals[count++] = begin - before;
    }
    [before, pieceBefore] = [begin, piece];
    if (i % ROWS_A_STEP === 0) yield;
  }
  return { begins: begins.subarray(0, count), intervals: intervals.subarray(0, count) };
}

/** Sorts parts of intervals, with a pause after every few thousand. */
class Pace {
  private sorted = 0;

  /** Sorts a copy. */
  *sort(values: Float64Array): Steps<Float64Array> {
    const sorted = yield* sortNumbers(values.slice());
    this.sorted += values.length;
    if (this.sorted >= SORTED_A_STEP) yield;
    this.sorted %= SORTED_A_STEP;
    return sorted;
  }

  *median(values: Float64Array): Steps<number> {
    return pickRank(yield* this.sort(values), 50) ?? 0;
  }
}

function* describeIntervals(database: number, history: History, pieces: TimePieces, pace: Pace): Steps<Cadence> {
  const { intervals } = history;
  const sorted = yield* pace.sort(intervals);
  const drift = yield* describeDrift(history, pieces, pace);
  const [medianMs, p25Ms, p75Ms] = [pickRank(sorted, 50), pickRank(sorted, 25), pickRank(sorted, 75)];
  return { database, intervals: intervals.length, medianMs, p25Ms, p75Ms, drift };
}

function* describeDrift(history: History, pieces: TimePieces, pace: Pace): Steps<Drift | null> {
  const { begins, intervals } = history;
  const [fromUtcMs, toUtcMs] = [pieces[0] ?? 0, pieces[pieces.length - 1] ?? 0];
  const third = (toUtcMs - fromUtcMs) / 3;
  const first = intervals.subarray(0, countBelow(begins, fromUtcMs + third));
  const last = intervals.subarray(countBelow(begins, toUtcMs - third));
  if (first.length < LEAST_IN_THIRD || last.length < LEAST_IN_THIRD) return null;
  return { firstThirdMs: yield* pace.median(first), lastThirdMs: yield* pace.median(last) };
}
