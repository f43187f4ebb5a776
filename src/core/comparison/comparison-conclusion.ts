import type { EffectEstimate } from './effect';
import { t } from '../language';

/** What can be said of one measure before and after one change. */
export interface Conclusion {
  readonly kind: 'rose' | 'fell' | 'no difference' | 'cannot tell' | 'not enough data' | 'not observable';
  /** For `no difference`: the largest factor either way that the interval allows, 1 or more; else null. */
  readonly largest: number | null;
  /** Why it cannot be told, one sentence each; otherwise empty. */
  readonly because: readonly string[];
}

/**
 * `no difference` is said only if the whole interval lies within this factor either way. A test that finds no
 * difference does not exclude one.
 */
export const MARGIN = 1.2;

/**
 * A smaller effect is never called a rise or a fall, however narrow the interval: counters, clocks and rounding are no
 * more exact.
 */
const LEAST_EFFECT = 1.05;

/** What an effect says, unless something else may have caused it. @param doubts one sentence each */
export function concludeEffect(effect: EffectEstimate, doubts: readonly string[]): Conclusion {
  if (doubts.length > 0) return { kind: 'cannot tell', largest: null, because: doubts };
  const { ratio, low, high } = effect;
  if (low > 1 && (ratio === null || ratio >= LEAST_EFFECT))
    return { kind: 'rose', largest: null, because: [] };
  if (high !== null && high < 1 && ratio !== null && ratio <= 1 / LEAST_EFFECT)
    return { kind: 'fell', largest: null, because: [] };
  const largest = high === null || low <= 0 ? Infinity : Math.max(1 / low, high);
  if (largest <= MARGIN) return { kind: 'no difference', largest, because: [] };
  return {
    kind: 'cannot tell',
    largest: null,
    because: [t('The days differ too much from each other, so the interval is too wide.')],
  };
}
