import { findOffset, type OffsetPeriod } from '../errorlog/server-clock';
import { BLOCK_MS } from '../write-work/block';
import type { TimeWindow } from '../statistics/statistics';

/** Minutes of a block that a comparison is made of. All divide the hour and are made of whole quarters of an hour. */
export type BlockMinutes = 15 | 30 | 60;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** Blocks of the server's wall clock, counted from 1970 as if it were UTC: those of the same hour and weekday lie whole weeks apart. */
export interface LocalClock {
  readonly blockMinutes: BlockMinutes;
  readonly blocksADay: number;
  /** The block in which that moment lies. */
  indexOf(utcMs: number): number;
  /** When that block begins; of a moment that the clock skips, the nearest. */
  utcMsOf(index: number): number;
}

/** @param offsets in order of time, the first also for what lies before it; the clock is taken for UTC where there is none */
export function createLocalClock(offsets: readonly OffsetPeriod[], blockMinutes: BlockMinutes): LocalClock {
  const offsetAt = (utcMs: number): number => findOffset(offsets, utcMs, 0);
  const blockMs = blockMinutes * MINUTE_MS;
  return {
    blockMinutes,
    blocksADay: DAY_MINUTES / blockMinutes,
    indexOf: (utcMs) => Math.floor((utcMs + offsetAt(utcMs) * MINUTE_MS) / blockMs),
    utcMsOf: (index) => {
      const about = index * blockMs - offsetAt(index * blockMs) * MINUTE_MS;
      return index * blockMs - offsetAt(about) * MINUTE_MS;
    },
  };
}

/** Less of a block than this observed, and it does not count. */
export const LEAST_OBSERVED_SHARE = 0.8;

/**
 * Sums over the blocks of one side of a change. A block of the wall clock that comes twice when clocks go back counts as one, twice as long;
 * one that never comes when they go forward is not observed.
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
    this.first = isEmpty ? 0 : clock.indexOf(side.beginUtcMs);
    // One more where the clock went back by less than the side is long.
    this.length = isEmpty ? 0 : Math.max(1, clock.indexOf(side.endUtcMs - 1) - this.first + 1);
    this.numerator = new Float64Array(this.length);
    this.denominator = new Float64Array(this.length);
    this.observedMs = new Float64Array(this.length);
  }

  /** Adds what was observed in some part of a quarter of an hour; outside of the side it is left out. */
  add(utcMs: number, observedMs: number, numerator: number, denominator: number): void {
    this.addTo(this.clock.indexOf(utcMs), observedMs, numerator, denominator);
  }

  /** The same where the block is known. */
  addTo(index: number, observedMs: number, numerator: number, denominator: number): void {
    const at = index - this.first;
    if (at < 0 || at >= this.length) return;
    this.added++;
    if (Number.isFinite(numerator) && Number.isFinite(denominator)) this.known++;
    this.observedMs[at] = (this.observedMs[at] ?? 0) + observedMs;
    this.numerator[at] = (this.numerator[at] ?? 0) + numerator;
    this.denominator[at] = (this.denominator[at] ?? 0) + denominator;
  }

  /** False where blocks were there and none of them had this figure: a counter that this server lacks, or this login does not see. */
  get isObservable(): boolean {
    return this.added === 0 || this.known > 0;
  }

  /** Whether enough of that block was observed, and nothing in it could not be. */
  counts(index: number): boolean {
    const at = index - this.first;
    if (at < 0 || at >= this.length) return false;
    if ((this.observedMs[at] ?? 0) < LEAST_OBSERVED_SHARE * this.clock.blockMinutes * MINUTE_MS) return false;
    return Number.isFinite(this.numerator[at]) && Number.isFinite(this.denominator[at]);
  }

  /** Sum of the numerators over that of the denominators; null where that is zero. */
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
