import { WORKLOADS, type MeasureScope, type WorkloadId } from './comparison-measure';
import { estimateEffect, type Effect } from './effect';
import type { MatchedDays } from './matched-days';

/** A workload that is estimated to have changed by more than this either way may have, whatever the interval says. */
const MOST_DRIFT = 1.2;

/** A smaller change counts where its interval excludes none; below it, normalising by log bytes is good enough. */
const LEAST_SHIFT = 1.1;

/** Asked on behalf of the doubter, so not corrected for the number of databases. */
const WORKLOAD_ERROR = 0.05;

/** How the work that was asked for compares before and after. */
export interface WorkloadComparison {
  readonly id: WorkloadId;
  /** null: not observable, or too few days. */
  readonly effect: Effect | null;
  readonly hasChanged: boolean;
}

const NAMES: Readonly<Record<WorkloadId, string>> = {
  'log rate': 'log bytes an hour',
  'transaction rate': 'write transactions an hour',
  'log per transaction': 'log bytes per write transaction',
  'instance log rate': 'log bytes an hour of all databases',
};

/**
 * How many pages a byte of log dirties depends on the workload itself: a hot page that is changed twice as often is written as often. So writes per
 * byte of log can be compared only where log and transactions stayed about the same.
 */
export function compareWorkloads(match: (id: WorkloadId) => MatchedDays | null): readonly WorkloadComparison[] {
  return WORKLOADS.map((id) => {
    const matched = match(id);
    const effect = matched === null ? null : estimateEffect(matched.pairs, WORKLOAD_ERROR);
    return { id, effect, hasChanged: effect !== null && hasShifted(effect) };
  });
}

function hasShifted({ ratio, low, high }: Effect): boolean {
  if (ratio === null || ratio <= 0) return true;
  const size = Math.max(ratio, 1 / ratio);
  return size > MOST_DRIFT || (size > LEAST_SHIFT && (low > 1 || (high !== null && high < 1)));
}

/** Doubts about a measure of that scope that come from the workload, in words. */
export function listWorkloadDoubts(comparisons: readonly WorkloadComparison[], scope: MeasureScope): readonly string[] {
  const isAsked = (id: WorkloadId): boolean => (id === 'instance log rate') === (scope === 'instance');
  const asked = comparisons.filter(({ id }) => isAsked(id));
  const changed = asked.filter(({ hasChanged }) => hasChanged);
  if (changed.length > 0) {
    const figures = changed.map(({ id, effect }) => `${NAMES[id]} ${writeRatio(effect)}`);
    return [`the workload changed at the same time (${figures.join(', ')})`];
  }
  const known = asked.find(({ id }) => id === 'log rate' || id === 'instance log rate');
  return known?.effect === null ? ['whether the workload changed at the same time could not be observed'] : [];
}

function writeRatio(effect: Effect | null): string {
  return effect?.ratio == null ? 'from none' : `${effect.ratio.toFixed(2)} times`;
}
