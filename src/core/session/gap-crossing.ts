import { countBelow, countUpTo } from '../sorted';
import type { Gap, GapKind } from './gap';

/**
 * Gaps of these kinds spoil every pair that touches them, not only pairs around them. Single events are missing within,
 * or the clock went through that time twice, so a begin and an end may be of two checkpoints even if one of them lies
 * inside. Gaps of other kinds hold all events up to some moment and none after it.
 */
export const SPOILT_THROUGHOUT: ReadonlySet<GapKind> = new Set([
  'events lost',
  'clock moved back',
  'damaged file',
  'databases changed',
  'ring buffer overwritten',
]);

/**
 * Such a gap is longer than the loss on both sides: the last events before the loss and the first behind it lie inside,
 * and are no pairs either.
 */
const WIDER_THAN_ITS_LOSS: GapKind = 'files rolled over';

/**
 * A gap of these kinds ends when another run of the session began. It begins at the last look, and the earlier run may
 * have recorded events after that. So a begin inside the gap and an end after it are of two runs. Other runs may have
 * come and gone within the gap: each has event files of its own.
 */
const ENDED_BY_A_NEW_RUN: ReadonlySet<GapKind> = new Set([
  'session stopped',
  'session dropped',
  'session replaced',
  'server restarted',
]);

/**
 * Tells whether a begin and an end may be of two checkpoints, because the events between them were lost in a gap.
 * Pairing goes by it, and so do figures, for gaps that became known after pairing. null: there is no gap.
 *   gap                  |.....|
 *   checkpoint      [=============]      doubtful: the whole gap lies inside
 *   checkpoint              [=====]      doubtful if another run of the session began with the end of the gap
 *   checkpoint      [======]             sound if all before the gap was recorded; doubtful if events were lost within it
 * @param fileStarts the time of the first event of each event file, as far as it is known
 */
export function createGapCrossing(
  gaps: readonly Gap[],
  fileStarts: readonly number[] = [],
): ((beginUtcMs: number, endUtcMs: number) => boolean) | null {
  const real = gaps
    .filter((gap) => gap.beginUtcMs < gap.endUtcMs)
    .sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  if (real.length === 0) return null;
  const isSpoilt = ({ kind }: Gap): boolean => SPOILT_THROUGHOUT.has(kind) || kind === WIDER_THAN_ITS_LOSS;
  const isTouching = createTouching(real.filter(isSpoilt));
  const ended = real.filter(({ kind }) => ENDED_BY_A_NEW_RUN.has(kind));
  const within = fileStarts.filter((atUtcMs) =>
    ended.some((gap) => gap.beginUtcMs <= atUtcMs && atUtcMs < gap.endUtcMs),
  );
  const isOverEnd = createOverEnd([...within, ...ended.map(({ endUtcMs }) => endUtcMs)]);
  const isAround = createAround(real.filter((gap) => !isSpoilt(gap) && !ENDED_BY_A_NEW_RUN.has(gap.kind)));
  return (beginUtcMs, endUtcMs) =>
    isAround(beginUtcMs, endUtcMs) || isOverEnd(beginUtcMs, endUtcMs) || isTouching(beginUtcMs, endUtcMs);
}

/** Whether a run began after the begin, and not after the end. */
function createOverEnd(runs: readonly number[]): (beginUtcMs: number, endUtcMs: number) => boolean {
  const ends = Float64Array.from(runs).sort();
  return (beginUtcMs, endUtcMs) => (ends[countUpTo(ends, beginUtcMs)] ?? Infinity) <= endUtcMs;
}

/** @param gaps in order of their begins */
function createAround(gaps: readonly Gap[]): (beginUtcMs: number, endUtcMs: number) => boolean {
  const begins = Float64Array.from(gaps, (gap) => gap.beginUtcMs);
  /** The earliest end of this gap and of all that begin later. */
  const ends = Float64Array.from(gaps, (gap) => gap.endUtcMs);
  for (let i = ends.length - 2; i >= 0; i--) ends[i] = Math.min(ends[i] ?? 0, ends[i + 1] ?? 0);
  return (beginUtcMs, endUtcMs) => (ends[countBelow(begins, beginUtcMs)] ?? Infinity) <= endUtcMs;
}

/** @param gaps in order of their begins */
function createTouching(gaps: readonly Gap[]): (beginUtcMs: number, endUtcMs: number) => boolean {
  const begins = Float64Array.from(gaps, (gap) => gap.beginUtcMs);
  /** The latest end of this gap and of all that begin earlier. */
  const ends = Float64Array.from(gaps, (gap) => gap.endUtcMs);
  for (let i = 1; i < ends.length; i++) ends[i] = Math.max(ends[i] ?? 0, ends[i - 1] ?? 0);
  return (beginUtcMs, endUtcMs) => (ends[countUpTo(begins, endUtcMs) - 1] ?? -Infinity) >= beginUtcMs;
}

/** The gaps that matter to checkpoints that ended by then, as a text to be compared. */
export function writePastGaps(gaps: readonly Gap[], untilUtcMs: number): string {
  const past = gaps.filter((gap) => gap.beginUtcMs <= untilUtcMs);
  return past.map((gap) => `${gap.kind} ${gap.beginUtcMs} ${Math.min(gap.endUtcMs, untilUtcMs + 1)}`).join();
}
