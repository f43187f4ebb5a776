/**
 * Figures of equal stretches of a time span that grows, in a bounded number of bins. If the span outgrows them,
 * neighbours are joined.
 *
 *   128 ms  |a|b|c|d|e|        the span grows        256 ms  |a+b|c+d| e |   |   |
 */
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { TimeWindow } from '../statistics/statistics';
export class TimeBins {
  /** Milliseconds of a bin: a power of 2. */
  binMs = 1;
  /** Where the first bin begins, a whole number of milliseconds. */
  beginUtcMs = 0;
  /** Bins in use. */
  count = 0;
  /** For each series, one value a bin; 0 if nothing was put into the bin. */
  readonly series: readonly Float64Array[];

  /** @param join gives the one value for two neighbouring bins */
  constructor(
    readonly most: number,
    seriesCount: number,
    private readonly join: (a: number, b: number) => number,
  ) {
    this.series = Array.from({ length: seriesCount }, () => new Float64Array(most));
  }

  /** The bin of a moment, which may lie outside of the bins in use. */
  binOf(utcMs: number): number {
    return Math.floor((utcMs - this.beginUtcMs) / this.binMs);
  }

  /** Makes the bins reach from one moment to another; their contents stay. */
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
      for (let bin = 0; bin < joined; bin++)
        values[bin] = this.join(values[2 * bin]!, values[2 * bin + 1] ?? 0);
      values.fill(0, joined, this.count);
    }
    this.count = joined;
    this.binMs *= 2;
  }
}

/** More than a screen has pixels, but so few that a checkpoint of hours touches few of them. */
const MOST_BINS = 8_192;

/**
 * The longest checkpoint of all databases in each stretch of the whole time. Appended rows cost by their number, in
 * whatever order they come.
 */
export class OverviewBins {
  /**
   * For each bin, the milliseconds of the longest checkpoint that touches it, plus 1: so a checkpoint of 0 ms differs
   * from none.
   */
  private readonly bins = new TimeBins(MOST_BINS, 1, Math.max);
  private takenRows = 0;

  /** Takes in new rows, at most this many. @returns whether all of them are in */
  takeIn(columns: CheckpointColumns, mostRows: number): boolean {
    const until = Math.min(columns.rows, this.takenRows + mostRows);
    for (; this.takenRows < until; this.takenRows++)
      this.add(columns.beginUtcMs[this.takenRows]!, columns.durationMs[this.takenRows]!);
    return until === columns.rows;
  }

  /**
   * Fills `longestMs`, spread evenly over a window, with the longest checkpoint of each part, exact to a bin; -1 if
   * there is none.
   */
  reduce({ beginUtcMs, endUtcMs }: TimeWindow, longestMs: Float64Array): void {
    longestMs.fill(-1);
    const { bins } = this;
    const [longest] = bins.series as readonly [Float64Array];
    const partMs = (endUtcMs - beginUtcMs) / longestMs.length;
    for (let bin = Math.max(0, bins.binOf(beginUtcMs)); bin < bins.count; bin++) {
      const from = bins.beginUtcMs + bin * bins.binMs;
      if (from >= endUtcMs) break;
      if (longest[bin] === 0) continue;
      const first = Math.max(0, Math.floor((from - beginUtcMs) / partMs));
      const last = Math.min(
        longestMs.length - 1,
        Math.max(first, Math.ceil((from + bins.binMs - beginUtcMs) / partMs) - 1),
      );
      for (let part = first; part <= last; part++)
        longestMs[part] = Math.max(longestMs[part]!, longest[bin]! - 1);
    }
  }

  private add(beginUtcMs: number, durationMs: number): void {
    const { bins } = this;
    const endUtcMs = beginUtcMs + Math.max(1, durationMs);
    bins.cover(beginUtcMs, endUtcMs);
    const [longest] = bins.series as readonly [Float64Array];
    const last = Math.ceil((endUtcMs - bins.beginUtcMs) / bins.binMs) - 1;
    for (let bin = bins.binOf(beginUtcMs); bin <= last; bin++)
      longest[bin] = Math.max(longest[bin]!, durationMs + 1);
  }
}
