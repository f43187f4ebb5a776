/** What else may have made a difference between before and after: the workload, chance, or a drift over weeks. */
import { WORKLOADS, type WorkloadId } from './comparison-measure';
import { estimateEffect, mean, type EffectEstimate, type DayPair } from './effect';
import type { MatchedDays } from './matched-days';
import { formatNumber } from '../format';
import { t } from '../language';

/** If the estimate says a workload changed by more than this either way, it may have, whatever the interval says. */
const MOST_DRIFT = 1.2;

/** A smaller change counts if its interval excludes no change. Below this, dividing by log bytes is good enough. */
const LEAST_SHIFT = 1.1;

/** Not corrected for the number of databases, because it helps the doubt. */
const WORKLOAD_ERROR = 0.05;

/** How much work was asked for before and after. */
export interface WorkloadComparison {
  readonly id: WorkloadId;
  /** null: not observable, or too few days. */
  readonly effect: EffectEstimate | null;
  readonly hasChanged: boolean;
}

const NAMES: Readonly<Record<WorkloadId, string>> = {
  'log rate': t('log bytes an hour'),
  'transaction rate': t('write transactions an hour'),
  'log per transaction': t('log bytes per write transaction'),
};

/**
 * How many pages a byte of log dirties depends on the workload: a hot page that is changed twice as often is still
 * written as often. So writes per byte of log can be compared only if log and transactions stayed about the same.
 */
export function compareWorkloads(
  match: (id: WorkloadId) => MatchedDays | null,
): readonly WorkloadComparison[] {
  return WORKLOADS.map((id) => {
    const matched = match(id);
    const effect = matched === null ? null : estimateEffect(matched.pairs, WORKLOAD_ERROR);
    return { id, effect, hasChanged: effect !== null && hasShifted(effect) };
  });
}

function hasShifted(effect: EffectEstimate): boolean {
  const { ratio } = effect;
  if (ratio === null || ratio <= 0) return true;
  const size = Math.max(ratio, 1 / ratio);
  return size > MOST_DRIFT || (size > LEAST_SHIFT && hasMoved(effect));
}

/** Doubts because the workload changed, one sentence each. */
export function listWorkloadDoubts(comparisons: readonly WorkloadComparison[]): readonly string[] {
  const changed = comparisons.filter(({ hasChanged }) => hasChanged);
  if (changed.length > 0) {
    const figures = changed.map(({ id, effect }) => `${NAMES[id]}: ${writeRatio(effect)}`);
    return [t('The workload changed at the same time ({0}).', figures.join(', '))];
  }
  const known = comparisons.find(({ id }) => id === 'log rate');
  return known?.effect === null
    ? [t('Workload: not measured, so it may have changed at the same time.')]
    : [];
}

function writeRatio(effect: EffectEstimate | null): string {
  return effect?.ratio == null ? t('from none') : t('{0} times', formatNumber(effect.ratio, 2));
}

/** If a drift would make up this share of a difference, it may be the whole of it. */
const MOST_DRIFT_SHARE = 0.4;

/**
 * Doubts about a rise or a fall that may come from something slow: a database that grows, data that ages. What changed
 * at one moment is as large between days one week apart as between days ten weeks apart; a drift grows with the
 * distance.
 *
 *   week before 3 2 1 | 1 2 3 week after      pairs (1, 1) a week apart, (2, 2) three weeks, (3, 3) five
 *
 * The slope over the distance is by least squares. Nothing is said if all pairs are equally far apart, or if no
 * difference was found.
 */
export function listDriftDoubts(
  matched: MatchedDays | null,
  effect: EffectEstimate | null,
): readonly string[] {
  if (matched === null || effect === null || !hasMoved(effect)) return [];
  return findDriftShare(matched) < MOST_DRIFT_SHARE
    ? []
    : [
        t(
          'Days further from the change differ more. Much of the difference may be a slow drift over all these weeks.',
        ),
      ];
}

/**
 * The share of the average difference that a steady drift of the measured size makes up; 0 if all pairs are equally far
 * apart.
 */
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

function hasMoved({ low, high }: EffectEstimate): boolean {
  return low > 1 || (high !== null && high < 1);
}

/** The differences, as the effect measures them. */
function listDifferences(pairs: readonly DayPair[]): readonly number[] {
  const isRatio = pairs.every(({ before, after }) => before > 0 && after > 0);
  return pairs.map(({ before, after }) => (isRatio ? Math.log(after / before) : after - before));
}
