import { MARGIN } from './comparison-conclusion';
import type { MeasureId } from './comparison-measure';
import type { Effect } from './effect';
import type { MatchedDays } from './matched-days';
import { findUpperZ } from './student-t';

/** Measures that count events by the hour. */
const COUNTS: readonly MeasureId[] = ['checkpoint rate', 'flush cache'];

/**
 * Doubts about a number of events that chance alone could have made. One message a day on each of five days has no spread among the days, so that the interval over days is no
 * wider than a point; counts of five are no better known than by a half. The bound is that of two Poisson counts, by the logarithm of their ratio.
 */
export function listFewDoubts(id: MeasureId, matched: MatchedDays | null, effect: Effect | null, blockMinutes: number): readonly string[] {
  if (matched === null || effect === null || !COUNTS.includes(id)) return [];
  const hours = (matched.blocks * blockMinutes) / 60 / matched.pairs.length;
  const before = Math.round(matched.pairs.reduce((sum, pair) => sum + pair.before, 0) * hours);
  const after = Math.round(matched.pairs.reduce((sum, pair) => sum + pair.after, 0) * hours);
  // A half more on each side, so that none at all is no certainty either.
  const size = Math.abs(Math.log((after + 0.5) / (before + 0.5)));
  const reach = findUpperZ((1 - effect.confidence) / 2) * Math.sqrt(1 / (before + 0.5) + 1 / (after + 0.5));
  const isTold = size > reach || size + reach <= Math.log(MARGIN);
  return isTold ? [] : [`too few were counted for more than chance: about ${before} before and ${after} after`];
}
