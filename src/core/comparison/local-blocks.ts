import { findOffset, type OffsetPeriod } from '../errorlog/server-clock';
import { BLOCK_MS } from '../write-work/block';
import type { TimeWindow } from '../statistics/statistics';
import { HOUR_MS, MINUTE_MS } from '../time';

/** A block of a comparison. */
export const BLOCKS_A_DAY = 24;

/**
 * The block that holds a moment: hours of the server's wall clock, counted from 1970 as if it were UTC. Blocks of the
 * same hour and weekday are whole weeks apart.
 */
export type LocalClock = (utcMs: number) => number;

/** @param offsets in order of time; the first also holds before its begin. If none, the clock is taken for UTC. */
export function createLocalClock(offsets: readonly OffsetPeriod[]): LocalClock {
  return (utcMs) => Math.floor((utcMs + findOffset(offsets, utcMs, 0) * MINUTE_MS) / HOUR_MS);
}

/** A block does not count if less of it was observed. */
export const LEAST_OBSERVED_SHARE = 0.8;

/**
 * Sums over the blocks of one side of a change. If clocks go back, a block of the wall clock comes twice; it counts as
 * one, twice as long. If they go forward, a block never comes; it is not observed.
 */
export class BlockSums {
  readonly first: number;
  readonly length: number;
  readonly numerator: Float64Array;
  readonly denominator: Float64Array;
  private readonly observedMs: Float64Array;
  private added = 0;
  private known = 0;

  constructor(
    private readonly clock: LocalClock,
    side: TimeWindow,
  ) {
    const isEmpty = !(side.endUtcMs > side.beginUtcMs);
    this.first = isEmpty ? 0 : clock(side.beginUtcMs);
    // At least one block: if the clock went back by more than the side is long, the count would be below one.
    this.length = isEmpty ? 0 : Math.max(1, clock(side.endUtcMs - 1) - this.first + 1);
    this.numerator = new Float64Array(this.length);
    this.denominator = new Float64Array(this.length);
    this.observedMs = new Float64Array(this.length);
  }

  /** Adds what was observed in a part of a quarter of an hour. Outside of the side it is left out. */
  add(utcMs: number, observedMs: number, numerator: number, denominator: number): void {
    this.addTo(this.clock(utcMs), observedMs, numerator, denominator);
  }

  /** The same for a known block. */
  addTo(index: number, observedMs: number, numerator: number, denominator: number): void {
    const at = index - this.first;
    if (at < 0 || at >= this.length) return;
    this.added++;
    if (Number.isFinite(numerator) && Number.isFinite(denominator)) this.known++;
    this.observedMs[at] = (this.observedMs[at] ?? 0) + observedMs;
    this.numerator[at] = (this.numerator[at] ?? 0) + numerator;
    this.denominator[at] = (this.denominator[at] ?? 0) + denominator;
  }

  /** False if there were blocks but none had this figure: the server lacks the counter, or the login may not see it. */
  get isObservable(): boolean {
    return this.added === 0 || this.known > 0;
  }

  /** Whether enough of that block was observed, and all of it could be. */
  counts(index: number): boolean {
    const at = index - this.first;
    if (at < 0 || at >= this.length) return false;
    if ((this.observedMs[at] ?? 0) < LEAST_OBSERVED_SHARE * HOUR_MS) return false;
    return Number.isFinite(this.numerator[at]) && Number.isFinite(this.denominator[at]);
  }

  /** Sum of the numerators over the sum of the denominators; null if the latter is zero. */
  figureOf(indexes: readonly number[]): number | null {
    let numerator = 0;
    let denominator = 0;
    for (const index of indexes) {
      numerator += this.numerator[index - this.first] ?? 0;
      denominator += this.denominator[index - this.first] ?? 0;
    }
    return denominator > 0 ? numerator / denominator : null;
  }
}

/** Quarters of an hour, aligned in UTC, that lie wholly within the side. */
export function isWithin(beginUtcMs: number, side: TimeWindow): boolean {
  return beginUtcMs >= side.beginUtcMs && beginUtcMs + BLOCK_MS <= side.endUtcMs;
}
