/**
 * Quantiles of the t and of the normal distribution, for intervals of effects. Computed from the incomplete beta
 * function by its continued fraction (Abramowitz and Stegun 26.5.8), to about 12 digits. A table would not do: the
 * correction for many databases can need any level.
 */

/**
 * The t that a variable with this many degrees of freedom exceeds in absolute value with that probability (0 to 1, both
 * ends excluded).
 */
export function findTwoSidedT(probability: number, degreesOfFreedom: number): number {
  let high = 1;
  while (findTwoSidedProbability(high, degreesOfFreedom) > probability && high < 1e300) high *= 2;
  let low = 0;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (findTwoSidedProbability(middle, degreesOfFreedom) > probability) low = middle;
    else high = middle;
  }
  return high;
}

/** The probability that |t| exceeds that value. */
function findTwoSidedProbability(t: number, degreesOfFreedom: number): number {
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/** The z that a standard normal variable exceeds with that probability, at most one half. */
export function findUpperZ(probability: number): number {
  return findTwoSidedT(Math.min(1, 2 * probability), 1e7);
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * continueFraction(x, a, b)) / a
    : 1 - (front * continueFraction(1 - x, b, a)) / b;
}

/** Lentz's method. It converges in tens of steps for x below (a + 1) / (a + b + 2). */
function continueFraction(x: number, a: number, b: number): number {
  const keepOff = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / keepOff(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keepOff(1 + even * d);
    c = keepOff(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keepOff(1 + odd * d);
    c = keepOff(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return fraction;
}

/** Lanczos's approximation, g = 7. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

function logGamma(value: number): number {
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value);
  const x = value - 1;
  const sum = LANCZOS.reduce((total, term, i) => (i === 0 ? term : total + term / (x + i)), 0);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
