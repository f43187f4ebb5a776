import type { DayPair, Effect } from './effect';
import type { MatchedDays } from './matched-days';

/** Where a drift would make up this share of a difference, the difference may be nothing else. */
const MOST_DRIFT_SHARE = 0.4;

/**
 * Doubts about a rise or a fall that comes of something slow: a database that grows, data that ages. What changed at one moment is as large between
 * days a week apart as between days ten weeks apart; what drifts grows with the distance.
 *
 *   week before 3 2 1 | 1 2 3 week after      pairs (1, 1) a week apart, (2, 2) three weeks, (3, 3) five
 *
 * The slope over the distance is by least squares. Nothing is said where all pairs are equally far apart, or where no difference was found.
 */
export function listDriftDoubts(matched: MatchedDays | null, effect: Effect | null): readonly string[] {
  if (matched === null || effect === null || !hasMoved(effect)) return [];
  return findDriftShare(matched) < MOST_DRIFT_SHARE
    ? []
    : ['days further from the change differ more: much of the difference may be a slow drift over all these weeks'];
}

/** The share of the average difference that a steady drift of the size seen makes up; 0 where pairs are all equally far apart. */
function findDriftShare({ pairs, weeksApart }: MatchedDays): number {
  const differences = listDifferences(pairs);
  const [difference, apart] = [mean(differences), mean(weeksApart)];
  let [together, squares] = [0, 0];
  weeksApart.forEach((weeks, i) => {
    together += (weeks - apart) * ((differences[i] ?? difference) - difference);
    squares += (weeks - apart) ** 2;
  });
  return squares > 0 && difference !== 0 ? ((together / squares) * apart) / difference : 0;
}

function hasMoved({ low, high }: Effect): boolean {
  return low > 1 || (high !== null && high < 1);
}

/** As the effect measures them. */
function listDifferences(pairs: readonly DayPair[]): readonly number[] {
  const isRatio = pairs.every(({ before, after }) => before > 0 && after > 0);
  return pairs.map(({ before, after }) => (isRatio ? Math.log(after / before) : after - before));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
