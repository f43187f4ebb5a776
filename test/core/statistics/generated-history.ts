import assert from 'node:assert/strict';
import { BLOCK_MS, type DatabaseBlock } from '../../../src/core/write-work/block';
import {
  compareDays,
  type Comparison,
  type MeasureComparison,
} from '../../../src/core/comparison/comparison';
import type { ComparisonInput } from '../../../src/core/comparison/comparison-figures';
import type { MeasureId } from '../../../src/core/comparison/comparison-measure';
import { finishSteps } from '../../../src/core/steps';
import { type Chance, createChance } from '../errorlog/disturbed-log';
import { everySecond } from '../capture/record-of';

/** Histories of write work that no server made: what the statistics are held to. */

/** A Monday, midnight. */
export const BEGIN_UTC_MS = Date.UTC(2026, 0, 5);
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
const BLOCKS_A_DAY = DAY_MS / BLOCK_MS;

/**
 * How a history departs from a constant; every number is a standard deviation of a logarithm unless it says otherwise.
 */
export interface Disorder {
  /**
   * Noise of writes per byte of log from one quarter of an hour to the next: its size, and how alike neighbours are (0
   * to 1).
   */
  readonly noise: number;
  readonly correlation: number;
  /** Of whole days. */
  readonly days?: number;
  /** Size of noise with three degrees of freedom: heavy tails. */
  readonly tails?: number;
  /** Share of blocks in which the log is many times as large. */
  readonly bursts?: number;
  /** Every Sunday at two, for three hours: this many times the log, and another mix of writes. */
  readonly weeklyJob?: number;
  /** Noise of the log itself. */
  readonly log?: number;
}

/** What changes at the change. 1: nothing. */
export interface Shift {
  readonly writes?: number;
  readonly log?: number;
  readonly transactions?: number;
}

type Draw = Chance;
export const createDraw = createChance;

function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

function heavy(draw: Draw): number {
  return normal(draw) / Math.sqrt((normal(draw) ** 2 + normal(draw) ** 2 + normal(draw) ** 2) / 3);
}

/** Blocks of one database over this many days, with a day cycle; the shift holds from `changeDay` on. */
export function generateBlocks(
  draw: Draw,
  disorder: Disorder,
  days: number,
  changeDay: number,
  shift: Shift = {},
): DatabaseBlock[] {
  const {
    noise,
    correlation,
    days: dayNoise = 0,
    tails = 0,
    bursts = 0,
    weeklyJob = 1,
    log: logNoise = 0.2,
  } = disorder;
  const blocks: DatabaseBlock[] = [];
  const fresh = Math.sqrt(1 - correlation ** 2);
  let level = normal(draw);
  let logLevel = normal(draw);
  let ofDay = 0;
  for (let i = 0; i < days * BLOCKS_A_DAY; i++) {
    if (i % BLOCKS_A_DAY === 0) ofDay = dayNoise * normal(draw);
    level = correlation * level + fresh * normal(draw);
    logLevel = 0.8 * logLevel + 0.6 * normal(draw);
    const hour = (i % BLOCKS_A_DAY) / 4;
    const isJob = Math.floor(i / BLOCKS_A_DAY) % 7 === 6 && hour >= 2 && hour < 5;
    const isAfter = i >= changeDay * BLOCKS_A_DAY;
    const burst = draw() < bursts ? 1 - 10 * Math.log(1 - draw()) : 1;
    const cycle = Math.exp(Math.sin((hour / 12) * Math.PI));
    const logBytes =
      1e8 *
      cycle *
      burst *
      (isJob ? weeklyJob : 1) *
      Math.exp(logNoise * logLevel) *
      (isAfter ? (shift.log ?? 1) : 1);
    const spread = noise * level + ofDay + (tails > 0 ? tails * heavy(draw) : 0);
    const perLogByte =
      3 * Math.exp(spread) * (isJob && weeklyJob > 1 ? 0.3 : 1) * (isAfter ? (shift.writes ?? 1) : 1);
    blocks.push(
      createBlock(
        BEGIN_UTC_MS + i * BLOCK_MS,
        logBytes,
        perLogByte,
        isAfter ? (shift.transactions ?? shift.log ?? 1) : 1,
      ),
    );
  }
  return blocks;
}

function createBlock(
  beginUtcMs: number,
  logBytes: number,
  perLogByte: number,
  transactionsShift: number,
): DatabaseBlock {
  const transactions = Math.round(logBytes / 4000);
  return {
    beginUtcMs,
    observedMs: BLOCK_MS,
    dataWrittenBytes: Math.round(logBytes * perLogByte),
    dataWrites: Math.round((logBytes * perLogByte) / 16_384),
    dataWriteStallMs: Math.round((logBytes * perLogByte) / 16_384 / 2),
    logWrittenBytes: Math.round(logBytes),
    logWrites: transactions,
    logWriteStallMs: Math.round(transactions * 0.7),
    writeTransactions: Math.round(transactions * transactionsShift),
  };
}

/** What a database that wrote these blocks is compared from, changed at that moment; no checkpoint was seen. */
export function inputOf(
  blocks: readonly DatabaseBlock[],
  changedUtcMs: number,
  more: Partial<ComparisonInput> = {},
): ComparisonInput {
  return {
    sides: { calmUtcMs: -Infinity, firstUtcMs: changedUtcMs, lastUtcMs: changedUtcMs },
    captured: new Set(),
    blocks,
    columns: everySecond(0),
    observation: null,
    offsets: [{ fromUtcMs: 0, offsetMinutes: 0 }],
    ...more,
  };
}

/** Before and after that change. */
export function compare(
  blocks: readonly DatabaseBlock[],
  changedUtcMs: number,
  more: Partial<ComparisonInput> = {},
): Comparison {
  return finishSteps(compareDays(inputOf(blocks, changedUtcMs, more)));
}

export const measureOf = ({ measures }: Comparison, id: MeasureId = 'write work'): MeasureComparison =>
  measures.find(({ measure }) => measure.id === id) ?? assert.fail(id);
