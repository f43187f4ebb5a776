/**
 * Which time is compared: one side before the changes of a server and one after them, chosen once, for every page, row
 * and sentence.
 *
 *      before (8 h at most)  |change|  settles  |          after
 *   ...====================[   first ... last   ]---------=============> now
 *
 * No side holds a change, so that rows of databases add up. If both sides share half an hour of the day (working days
 * apart from weekends), only those hours count, of all days.
 */
import type { Observation } from '../capture/checkpoint-columns';
import { findOffset, type OffsetPeriod } from '../errorlog/server-clock';
import {
  findBetween,
  findObservedPieces,
  joinPiece,
  sumPieces,
  type TimePieces,
  type TimeWindow,
} from '../statistics/observed-time';
import type { ChangeMoment } from '../task/change-moment';
import { MINUTE_MS } from '../time';

const DAY_MINUTES = 1440;
/**
 * Right after a change, pages that were dirty are still written: this time belongs to no side. Our own limit, as all of
 * these.
 */
export const SETTLES_MS = 3 * MINUTE_MS;
/** Changes further apart than this are two stories: only the last is told. */
const CALM_MS = 28 * DAY_MINUTES * MINUTE_MS;
/** How much observed time before the change counts, if not the same hours of more days. */
const MOST_BEFORE_MS = 8 * 60 * MINUTE_MS;
/**
 * Sides longer than this, two years, are not compared hour by hour: that goes through them minute by minute, and such a
 * clock was moved.
 */
const MOST_MINUTES = 2 * 366 * DAY_MINUTES;
/** Both sides must share this many minutes of the day to be compared hour by hour. */
const LEAST_SHARED_MINUTES = 30;

/** One side: from its first observed moment to its last. */
export interface Side extends TimeWindow {
  /** The time that counts. */
  readonly pieces: TimePieces;
  readonly observedMs: number;
  /** What was watched, and which stretches of it do not count. */
  readonly observation: Observation;
}

export interface Sides {
  /** Since when nothing had been changed before the first change of the series; -Infinity: nothing is known. */
  readonly calmUtcMs: number;
  /** The first change of the series may have come at this moment, the last one at that. */
  readonly firstUtcMs: number;
  readonly lastUtcMs: number;
  readonly before: Side;
  readonly after: Side;
  /** All time after the last change: what verdicts rest on. `after` has of it the hours that are compared. */
  readonly since: Side;
  /** Whether only the hours of the day count that both sides have. */
  readonly areSameHours: boolean;
  /** Whether the hour of the day that holds this moment counts. */
  readonly isCompared: (utcMs: number) => boolean;
}

/** @param changes of all databases, in any order; if there are none, there is nothing to compare */
export function chooseSides(
  changes: readonly Pick<ChangeMoment, 'atUtcMs' | 'notBeforeUtcMs'>[],
  observation: Observation,
  offsets: readonly OffsetPeriod[],
): Sides | null {
  const ordered = [...changes].sort((a, b) => a.atUtcMs - b.atUtcMs);
  const last = ordered[ordered.length - 1];
  if (last === undefined) return null;
  let begin = ordered.length - 1;
  while (begin > 0 && ordered[begin]!.atUtcMs - ordered[begin - 1]!.atUtcMs < CALM_MS) begin--;
  const calmUtcMs = begin === 0 ? -Infinity : ordered[begin - 1]!.atUtcMs + SETTLES_MS;
  const firstUtcMs = ordered
    .slice(begin)
    .reduce((first, { notBeforeUtcMs }) => Math.min(first, notBeforeUtcMs), Infinity);
  const was = findObservedPieces({ beginUtcMs: calmUtcMs, endUtcMs: firstUtcMs }, observation);
  const is = findObservedPieces({ beginUtcMs: last.atUtcMs + SETTLES_MS, endUtcMs: Infinity }, observation);
  const minuteOf = createMinuteOf(offsets);
  const isTooLong = sumPieces(was) + sumPieces(is) > MOST_MINUTES * MINUTE_MS;
  const marksBefore = markMinutes(isTooLong ? [] : was, minuteOf);
  const marksAfter = markMinutes(isTooLong ? [] : is, minuteOf);
  const shared = marksBefore.map((mark, minute) => mark & (marksAfter[minute] ?? 0));
  const areSameHours = shared.reduce((sum, mark) => sum + mark, 0) >= LEAST_SHARED_MINUTES;
  const isCompared = (utcMs: number): boolean => !areSameHours || shared[minuteOf(utcMs)] === 1;
  const side = (pieces: TimePieces): Side =>
    describeSide(areSameHours ? pickMinutes(pieces, isCompared) : pieces, observation);
  return {
    calmUtcMs,
    firstUtcMs,
    lastUtcMs: last.atUtcMs,
    areSameHours,
    isCompared,
    before: side(areSameHours ? was : keepLast(was, MOST_BEFORE_MS)),
    after: side(is),
    since: describeSide(is, observation),
  };
}

function describeSide(pieces: TimePieces, observation: Observation): Side {
  const [beginUtcMs = 0, endUtcMs = 0] = [pieces[0], pieces[pieces.length - 1]];
  const leftOut = findBetween(pieces);
  return {
    beginUtcMs,
    endUtcMs,
    pieces,
    observedMs: sumPieces(pieces),
    observation: { ...observation, beginUtcMs, endUtcMs, leftOut },
  };
}

/** The minute of the day by the server's clock: working days first, then weekends. 1 January 1970 was a Thursday. */
function createMinuteOf(offsets: readonly OffsetPeriod[]): (utcMs: number) => number {
  return (utcMs) => {
    const minutes = Math.floor(utcMs / MINUTE_MS) + findOffset(offsets, utcMs, 0);
    const weekday = (Math.floor(minutes / DAY_MINUTES) + 4) % 7;
    return (minutes % DAY_MINUTES) + (weekday === 0 || weekday === 6 ? DAY_MINUTES : 0);
  };
}

function markMinutes(pieces: TimePieces | readonly [], minuteOf: (utcMs: number) => number): Uint8Array {
  const marks = new Uint8Array(2 * DAY_MINUTES);
  for (const [beginUtcMs] of listMinutes(pieces)) marks[minuteOf(beginUtcMs)] = 1;
  return marks;
}

function pickMinutes(pieces: TimePieces, isCompared: (utcMs: number) => boolean): TimePieces {
  const picked: number[] = [];
  for (const [beginUtcMs, endUtcMs] of listMinutes(pieces))
    if (isCompared(beginUtcMs)) joinPiece(picked, beginUtcMs, endUtcMs);
  return Float64Array.from(picked);
}

/** The pieces cut at each full minute. */
function* listMinutes(
  pieces: TimePieces | readonly [],
): Generator<readonly [beginUtcMs: number, endUtcMs: number]> {
  for (let i = 0; i + 1 < pieces.length; i += 2) {
    const end = pieces[i + 1] ?? 0;
    for (let at = pieces[i] ?? 0; at < end;) {
      const next = Math.min(end, (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS);
      yield [at, next];
      at = next;
    }
  }
}

/** The last pieces that make up this much time. */
function keepLast(pieces: TimePieces, mostMs: number): TimePieces {
  let leftMs = mostMs;
  for (let i = pieces.length - 2; i >= 0; i -= 2) {
    const [begin, end] = [pieces[i] ?? 0, pieces[i + 1] ?? 0];
    if (end - begin >= leftMs) return Float64Array.of(end - leftMs, ...pieces.subarray(i + 1));
    leftMs -= end - begin;
  }
  return pieces;
}
