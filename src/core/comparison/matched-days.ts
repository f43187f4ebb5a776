import type { DayPair } from './effect';
import { BLOCKS_A_DAY } from './local-blocks';

/** If two days have fewer hours in common, they are no pair. */
export const LEAST_HOURS = 4;

const DAYS_A_WEEK = 7;

/** The blocks of one side: which of them count, and the figure over some of them; null if there is none. */
export interface SideFigure {
  readonly first: number;
  readonly length: number;
  counts(index: number): boolean;
  figureOf(indexes: readonly number[]): number | null;
}

export interface MatchedDays {
  readonly pairs: readonly DayPair[];
  /** How many weeks lie between the two days of each pair. */
  readonly weeksApart: readonly number[];
  /** Blocks in the pairs, the same number on each side. */
  readonly blocks: number;
  /**
   * Days after the change that had enough blocks in common with one before, but nothing to divide by: no log written,
   * no backup made.
   */
  readonly emptyDays: number;
}

interface FoundPair {
  readonly pair: DayPair;
  readonly weeksApart: number;
  readonly blocks: number;
  readonly lastIndex: number;
}

/**
 * Pairs each day after the change with one before it, on the same hours of the same weekday. A day is 24 hours of the
 * server's wall clock, counted from the change, so that no day is cut:
 *
 *   week before         change            week after
 *   |-7|-6|-5|-4|-3|-2|-1| 0| 1| 2| 3| 4| 5| 6|        pairs (-7, 0), (-6, 1) ... (-1, 6); the next weeks out likewise
 *
 * For each weekday the nearest days come first, and none is used twice. Only blocks that count on both sides are in the
 * figures. A day without a figure (no log written, no backup) makes no pair.
 */
export function matchDays(before: SideFigure, after: SideFigure, changeIndex: number): MatchedDays {
  const day = BLOCKS_A_DAY;
  const weeksAfter = Math.ceil((after.first + after.length - changeIndex) / (DAYS_A_WEEK * day));
  const weeksBefore = Math.ceil((changeIndex - before.first) / (DAYS_A_WEEK * day));
  const found: FoundPair[] = [];
  let emptyDays = 0;
  for (let weekday = 0; weekday < DAYS_A_WEEK; weekday++) {
    const free = Array.from({ length: Math.max(0, weeksBefore) }, (_, week) => week + 1);
    for (let week = 0; week < weeksAfter; week++) {
      const dayAfter = changeIndex + (week * DAYS_A_WEEK + weekday) * day;
      for (let i = 0; i < free.length; i++) {
        const dayBefore = changeIndex - ((free[i] ?? 0) * DAYS_A_WEEK - weekday) * day;
        const pair = pairDays(before, after, dayBefore, dayAfter);
        if (pair === null) continue;
        if (pair === 'empty') emptyDays++;
        else found.push(pair);
        free.splice(i, 1);
        break;
      }
    }
  }
  found.sort((a, b) => a.lastIndex - b.lastIndex);
  return {
    pairs: found.map(({ pair }) => pair),
    weeksApart: found.map(({ weeksApart }) => weeksApart),
    blocks: found.reduce((sum, { blocks }) => sum + blocks, 0),
    emptyDays,
  };
}

function pairDays(
  before: SideFigure,
  after: SideFigure,
  dayBefore: number,
  dayAfter: number,
): FoundPair | 'empty' | null {
  const befores: number[] = [];
  const afters: number[] = [];
  for (let i = 0; i < BLOCKS_A_DAY; i++) {
    if (!before.counts(dayBefore + i) || !after.counts(dayAfter + i)) continue;
    befores.push(dayBefore + i);
    afters.push(dayAfter + i);
  }
  if (befores.length < LEAST_HOURS) return null;
  const [valueBefore, valueAfter] = [before.figureOf(befores), after.figureOf(afters)];
  if (valueBefore === null || valueAfter === null) return 'empty';
  return {
    pair: { before: valueBefore, after: valueAfter },
    weeksApart: (dayAfter - dayBefore) / (DAYS_A_WEEK * BLOCKS_A_DAY),
    blocks: befores.length,
    lastIndex: afters[afters.length - 1] ?? dayAfter,
  };
}
