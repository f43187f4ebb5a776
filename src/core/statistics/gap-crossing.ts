import type { Gap } from '../session/gap';
import { SPOILT_THROUGHOUT } from '../capture/observation';
import { countBelow, countUpTo } from '../sorted';

/**
 * Tells whether a checkpoint may be the begin of one and the end of another, because the events between them were lost in a gap. That is so if a whole gap
 * lies inside of it, or it touches a gap of a kind that misses single events. Then it is in no figure. null: there is no gap. Pairing goes by the same rule;
 * this finds gaps that became known after pairing.
 *   gap                  |.....|
 *   checkpoint      [=============]      doubtful: the whole gap lies inside
 *   checkpoint      [======]             sound if all before the gap was recorded; doubtful if events were lost within it
 */
export function createGapCrossing(gaps: readonly Gap[]): ((beginUtcMs: number, endUtcMs: number) => boolean) | null {
  const real = gaps.filter((gap) => gap.beginUtcMs < gap.endUtcMs).sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  if (real.length === 0) return null;
  const isAround = createAround(real.filter((gap) => !SPOILT_THROUGHOUT.has(gap.kind)));
  const isTouching = createTouching(real.filter((gap) => SPOILT_THROUGHOUT.has(gap.kind)));
  return (beginUtcMs, endUtcMs) => isAround(beginUtcMs, endUtcMs) || isTouching(beginUtcMs, endUtcMs);
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
