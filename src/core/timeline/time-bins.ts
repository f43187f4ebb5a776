/**
 * Figures of equal stretches of time over a span that grows, in a number of bins that does not: when the span outgrows them, neighbours are joined.
 *
 *   128 ms  |a|b|c|d|e|        the span grows        256 ms  |a+b|c+d| e |   |   |
 */
export class TimeBins {
  /** Milliseconds of a bin: a power of 2. */
  binMs = 1;
  /** Where the first bin begins, a whole number of milliseconds. */
  beginUtcMs = 0;
  /** Bins in use. */
  count = 0;
  /** One value a bin for each series; 0 in bins that nothing was put into. */
  readonly series: readonly Float64Array[];

  /** @param join the value of two neighbouring bins as one */
  constructor(
    readonly most: number,
    seriesCount: number,
    private readonly join: (a: number, b: number) => number,
  ) {
    this.series = Array.from({ length: seriesCount }, () => new Float64Array(most));
  }

  get endUtcMs(): number {
    return this.beginUtcMs + this.count * this.binMs;
  }

  /** Bin of a moment, which may lie outside of those in use. */
  binOf(utcMs: number): number {
    return Math.floor((utcMs - this.beginUtcMs) / this.binMs);
  }

  /** Makes the bins reach from one moment to another; what is in them stays. */
  cover(beginUtcMs: number, endUtcMs: number): void {
    if (this.count === 0) this.beginUtcMs = Math.floor(beginUtcMs);
    while (this.count + this.missingBefore(beginUtcMs) > this.most) this.joinPairs();
    const before = this.missingBefore(beginUtcMs);
    if (before > 0) this.moveBack(before);
    while (endUtcMs - this.beginUtcMs > this.most * this.binMs) this.joinPairs();
    this.count = Math.max(this.count, Math.ceil((endUtcMs - this.beginUtcMs) / this.binMs));
  }

  private missingBefore(utcMs: number): number {
    return Math.max(0, Math.ceil((this.beginUtcMs - utcMs) / this.binMs));
  }

  private moveBack(bins: number): void {
    for (const values of this.series) {
      values.copyWithin(bins, 0, this.count);
      values.fill(0, 0, bins);
    }
    this.beginUtcMs -= bins * this.binMs;
    this.count += bins;
  }

  private joinPairs(): void {
    const joined = Math.ceil(this.count / 2);
    for (const values of this.series) {
      for (let bin = 0; bin < joined; bin++) values[bin] = this.join(values[2 * bin]!, values[2 * bin + 1] ?? 0);
      values.fill(0, joined, this.count);
    }
    this.count = joined;
    this.binMs *= 2;
  }
}
