import { findTwoSidedT, findUpperZ } from './student-t';

/**
 * One figure of one day before a change and of the matching day after it: the same hours of the same weekday, observed
 * on both sides.
 */
export interface DayPair {
  readonly before: number;
  readonly after: number;
}

/**
 * How many times as large a figure is after a change as before, and the interval that holds the true value with the
 * stated confidence.
 */
export interface EffectEstimate {
  /** after / before; null if there was nothing before. */
  readonly ratio: number | null;
  /** 0: the data set no bound. */
  readonly low: number;
  /** null: the data set no bound. */
  readonly high: number | null;
  /** The typical day: the geometric mean if every day has some, else the mean. */
  readonly before: number;
  readonly after: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/**
 * With fewer pairs of days there is no interval: its factor would be more than 4, and nothing would show how alike
 * neighbouring days are.
 */
export const LEAST_PAIRS = 5;

/** The most that neighbouring days are taken to be correlated. With more, an interval would say nothing anyway. */
const MOST_CORRELATION = 0.95;

/**
 * The effect over pairs of days, oldest first; null if there are fewer than LEAST_PAIRS, or if all days are zero on
 * both sides. If every day has a value above zero: the mean of the logarithms of the ratios. Else the ratio of the
 * means, with Fieller's interval. Both use Student's t over days, because blocks of one day are correlated and days
 * hardly. Without a change the two sides of a pair could be exchanged, so their difference is symmetric, and t errs on
 * the safe side for heavy tails.
 *
 *   standard error = s / sqrt(n) * sqrt((1 + r) / (1 - r))      r: an upper bound of the correlation of neighbouring pairs
 *
 * The bound is the measured correlation, less its bias of (1 + 4 r) / n (Kendall; Marriott and Pope, 1954), plus z /
 * sqrt(n), where z belongs to the square root of the error allowed: the rarer a false alarm must be, the less a lucky
 * estimate of r is trusted. In histories without a change intervals keep their level for noise with a memory of a day
 * or less, and lose it for a longer one: this interval cannot tell slow drift from a change. If there are several
 * weeks, doubts.ts looks for drift.
 * @param error how often the interval may miss: 0.05 for 95 %
 */
export function estimateEffect(pairs: readonly DayPair[], error: number): EffectEstimate | null {
  if (pairs.length < LEAST_PAIRS || pairs.every(({ before, after }) => before === 0 && after === 0))
    return null;
  return pairs.every(({ before, after }) => before > 0 && after > 0)
    ? compareLogarithms(pairs, error)
    : compareMeans(pairs, error);
}

function compareLogarithms(pairs: readonly DayPair[], error: number): EffectEstimate {
  const logarithms = pairs.map(({ before, after }) => Math.log(after) - Math.log(before));
  const average = mean(logarithms);
  const widening = findWidening(logarithms, average, error);
  const reach =
    findTwoSidedT(error, pairs.length - 1) *
    Math.sqrt(covary(logarithms, logarithms) / pairs.length) *
    widening;
  const high = Math.exp(average + reach);
  return {
    ratio: Math.exp(average),
    low: Math.exp(average - reach),
    high: Number.isFinite(high) ? high : null,
    before: Math.exp(mean(pairs.map(({ before }) => Math.log(before)))),
    after: Math.exp(mean(pairs.map(({ after }) => Math.log(after)))),
    confidence: 1 - error,
  };
}

/** Fieller: every ratio r at which the mean of after - r * before could be zero. */
function compareMeans(pairs: readonly DayPair[], error: number): EffectEstimate {
  const befores = pairs.map(({ before }) => before);
  const afters = pairs.map(({ after }) => after);
  const [before, after] = [mean(befores), mean(afters)];
  const residuals = (ratio: number): readonly number[] =>
    pairs.map((pair) => pair.after - ratio * pair.before);
  const wideningAt = (ratio: number): number => {
    const values = residuals(ratio);
    return findWidening(values, mean(values), error);
  };
  const widening = before > 0 ? Math.max(wideningAt(after / before), wideningAt(1)) : 1;
  const q = (findTwoSidedT(error, pairs.length - 1) * widening) ** 2 / pairs.length;
  // r² a - 2 r b + c <= 0
  const a = before ** 2 - q * covary(befores, befores);
  const b = after * before - q * covary(befores, afters);
  const c = after ** 2 - q * covary(afters, afters);
  return {
    ratio: before > 0 ? after / before : null,
    ...solveFieller(a, b, c),
    before,
    after,
    confidence: 1 - error,
  };
}

/**
 * If "nothing before" cannot be excluded, the ratio has no upper bound. It may still have a lower one: nothing before,
 * much after.
 */
function solveFieller(a: number, b: number, c: number): Pick<EffectEstimate, 'low' | 'high'> {
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  if (a > 0) return { low: Math.max(0, (b - root) / a), high: Math.max(0, (b + root) / a) };
  if (c <= 0) return { low: 0, high: null };
  const low = a < 0 ? (b - root) / a : c / (2 * b);
  // Nothing on any day before: the ratio is above any number.
  return { low: Number.isFinite(low) && low > 0 ? low : Number.MAX_VALUE, high: null };
}

function findWidening(values: readonly number[], average: number, error: number): number {
  let squares = 0;
  let neighbours = 0;
  values.forEach((value, i) => {
    squares += (value - average) ** 2;
    if (i > 0) neighbours += (value - average) * ((values[i - 1] ?? average) - average);
  });
  const measured = squares > 0 ? neighbours / squares : 0;
  const n = values.length;
  const bias = (1 + 4 * Math.max(0, measured)) / n;
  const bound = measured + bias + findUpperZ(Math.sqrt(error)) / Math.sqrt(n);
  const correlation = Math.max(0, Math.min(MOST_CORRELATION, bound));
  return Math.sqrt((1 + correlation) / (1 - correlation));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function covary(a: readonly number[], b: readonly number[]): number {
  const [averageA, averageB] = [mean(a), mean(b)];
  return (
    a.reduce((sum, value, i) => sum + (value - averageA) * ((b[i] ?? averageB) - averageB), 0) /
    (a.length - 1)
  );
}
