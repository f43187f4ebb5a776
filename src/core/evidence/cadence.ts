import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type Coverage, measureCoverage } from './coverage';
import { createGapCrossing } from './gap-crossing';
import { pickRank } from './nearest-rank';
import { findObservedPieces, findPiece, type TimeWindow } from './observed-time';
import { orderRows } from './row-order';

/** Below so many intervals in a third of the window nothing is said of drift. */
export const LEAST_IN_THIRD = 5;
/** Points through which a trend is laid: medians of as many groups of intervals that follow each other. */
const MOST_POINTS = 40;
const HOUR_MS = 3_600_000;

/** Intervals between the begins of one database's checkpoints. Nearest ranks; null where there are too few to tell. */
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
export interface Drift {
  /** Medians of the intervals that begin in the first and in the last third of the window. */
  readonly firstThirdMs: number;
  readonly lastThirdMs: number;
  /** By how much an interval grew in an hour: the median of the slopes between any two points (Theil and Sen), which single outliers do not move. */
  readonly trendMsPerHour: number;
}

export interface CadenceSet {
  readonly coverage: Coverage;
  /** Intervals that are not in the figures because a gap lies in them. */
  readonly acrossGaps: number;
  /** Of databases with a checkpoint in the window, by index. */
  readonly databases: readonly Cadence[];
}

/** How regularly each database had checkpoints. An interval over a gap is none: checkpoints may be missing from it. */
export function* describeCadence(
  columns: CheckpointColumns,
  databases: number,
  window: TimeWindow,
  observation: Observation,
): Steps<CadenceSet> {
  const pieces = findObservedPieces(window, observation);
  const isAcrossGap = createGapCrossing(observation.gaps);
  const rows = yield* orderRows(columns, (row) => {
    const begin = columns.beginUtcMs[row] ?? 0;
    if ((columns.database[row] ?? 0) >= databases || findPiece(pieces, begin) < 0) return false;
    return isAcrossGap?.(begin, begin + (columns.durationMs[row] ?? 0)) !== true;
  });
  const histories: (History | undefined)[] = new Array<History | undefined>(databases).fill(undefined);
  let acrossGaps = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const begin = columns.beginUtcMs[row] ?? 0;
    const piece = findPiece(pieces, begin);
    const database = columns.database[row] ?? 0;
    const history = (histories[database] ??= { lastPiece: -1, lastBegin: 0, begins: [], intervals: [] });
    if (history.lastPiece === piece) {
      history.begins.push(history.lastBegin);
      history.intervals.push(begin - history.lastBegin);
    } else if (history.lastPiece >= 0) acrossGaps++;
    [history.lastPiece, history.lastBegin] = [piece, begin];
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  const [fromUtcMs, toUtcMs] = [pieces[0] ?? 0, pieces[pieces.length - 1] ?? 0];
  const cadences: Cadence[] = [];
  for (const [database, history] of histories.entries()) {
    if (history === undefined) continue;
    cadences.push(describeIntervals(database, history, fromUtcMs, toUtcMs));
    if (cadences.length % 16 === 0) yield;
  }
  return { coverage: measureCoverage(window, observation), acrossGaps, databases: cadences };
}

interface History {
  lastPiece: number;
  lastBegin: number;
  /** When each interval begins, and how long it is. */
  readonly begins: number[];
  readonly intervals: number[];
}

function describeIntervals(database: number, { begins, intervals }: History, fromUtcMs: number, toUtcMs: number): Cadence {
  const sorted = Float64Array.from(intervals).sort();
  const [medianMs, p25Ms, p75Ms] = [50, 25, 75].map((percent) => pickRank(sorted, percent)) as [
    number | null,
    number | null,
    number | null,
  ];
  const third = (toUtcMs - fromUtcMs) / 3;
  const first = intervals.filter((_, i) => (begins[i] ?? 0) < fromUtcMs + third);
  const last = intervals.filter((_, i) => (begins[i] ?? 0) >= toUtcMs - third);
  return { database, intervals: intervals.length, medianMs, p25Ms, p75Ms, drift: describeDrift(begins, intervals, first, last) };
}

function describeDrift(
  begins: readonly number[],
  intervals: readonly number[],
  first: readonly number[],
  last: readonly number[],
): Drift | null {
  if (first.length < LEAST_IN_THIRD || last.length < LEAST_IN_THIRD) return null;
  return { firstThirdMs: findMedian(first), lastThirdMs: findMedian(last), trendMsPerHour: findTrend(begins, intervals) };
}

/** Theil and Sen's slope through medians of groups. */
function findTrend(begins: readonly number[], intervals: readonly number[]): number {
  const size = Math.ceil(intervals.length / MOST_POINTS);
  const points: (readonly [number, number])[] = [];
  for (let from = 0; from < intervals.length; from += size) {
    points.push([findMedian(begins.slice(from, from + size)), findMedian(intervals.slice(from, from + size))]);
  }
  const slopes = points.flatMap(([at, ms], i) =>
    points.slice(i + 1).flatMap(([later, laterMs]) => (later > at ? [((laterMs - ms) / (later - at)) * HOUR_MS] : [])),
  );
  const sorted = Float64Array.from(slopes).sort();
  // Of an even number the mean of the middle two: two slopes of opposite sign must not favour one.
  return ((pickRank(sorted, 50) ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
}

function findMedian(values: readonly number[]): number {
  return pickRank(Float64Array.from(values).sort(), 50) ?? 0;
}
