/**
 * What is known of a server's offset from UTC, and which UTC times the local times of its error log are (docs/facts.md,
 * SQL Server 5).
 */
import type { Logged } from './error-log-row';
import { MINUTE_MS } from '../time';

/** An offset that is in force from a moment until the next period begins. */
export interface OffsetPeriod {
  /** -Infinity for the first. */
  readonly fromUtcMs: number;
  readonly offsetMinutes: number;
}

/** An offset that is known at a local time: from the log's own header, from a backup in msdb, or from a query now. */
export interface OffsetObservation {
  readonly localMs: number;
  readonly offsetMinutes: number;
}

const utcOf = ({ localMs, offsetMinutes }: OffsetObservation): number => localMs - offsetMinutes * MINUTE_MS;

/** A range of local time in which an offset was in force, or may have been. */
interface Span {
  readonly fromLocalMs: number;
  /** The end is not part of it. */
  readonly toLocalMs: number;
  readonly offsetMinutes: number;
  readonly isKnown: boolean;
}

type LocalReading = Pick<Logged, 'atUtcMs' | 'sureness'>;

/** Two neighbouring times of a log that run against the order of its lines. */
export interface ClockJump {
  /** Number of the first line after the jump. */
  readonly line: number;
  readonly beforeLocalMs: number;
  readonly afterLocalMs: number;
}

type LocalTimeReader = (localMs: number | null, line: number) => LocalReading;

/**
 * Between two observations of one offset this close, nothing changed: no zone changes its offset and changes back
 * within four weeks.
 */
const SAME_WITHIN_MS = 21 * 24 * 60 * MINUTE_MS;
const UNKNOWN: LocalReading = { atUtcMs: null, sureness: 'unknown' };

/** @param jumps where local time runs against the order of the lines */
export function createLocalTimeReader(
  clock: readonly OffsetObservation[],
  jumps: readonly ClockJump[] = [],
  isNewestFirst = false,
): LocalTimeReader {
  const spans = listSpans(clock);
  return (localMs, line) => {
    if (localMs === null) return UNKNOWN;
    const found = spans.filter((span) => localMs >= span.fromLocalMs && localMs < span.toLocalMs);
    const [offset, ...others] = new Set(found.map(({ offsetMinutes }) => offsetMinutes));
    if (offset === undefined) return UNKNOWN;
    if (others.length > 0) return decideByOrder(localMs, line, found, jumps, isNewestFirst);
    const sureness = found.some(({ isKnown }) => isKnown) ? 'known' : 'assumed';
    return { atUtcMs: localMs - offset * MINUTE_MS, sureness };
  };
}

/**
 * When clocks go back, an hour comes twice, and the line of the jump parts the two. If it is not known when they went
 * back, only a jump of about an hour counts, because clocks are also corrected at other times.
 */
function decideByOrder(
  localMs: number,
  line: number,
  found: readonly Span[],
  jumps: readonly ClockJump[],
  isNewestFirst: boolean,
): LocalReading {
  const from = Math.max(...found.map(({ fromLocalMs }) => fromLocalMs));
  const to = Math.min(...found.map(({ toLocalMs }) => toLocalMs));
  const isHere = (time: number): boolean => time >= from && time < to;
  const offsets = found.map(({ offsetMinutes }) => offsetMinutes);
  const hourMs = (Math.max(...offsets) - Math.min(...offsets)) * MINUTE_MS;
  const leastMs = to - from > hourMs ? hourMs / 2 : MINUTE_MS;
  const here = jumps.filter(({ beforeLocalMs: before, afterLocalMs: after }) => {
    const size = Math.abs(before - after);
    return isHere(before) && isHere(after) && size >= leastMs && size <= hourMs;
  });
  const [jump] = here;
  if (jump === undefined || here.length > 1 || found.length > 2)
    return { atUtcMs: null, sureness: 'ambiguous' };
  const isEarlier = line < jump.line !== isNewestFirst;
  // In the hour that comes first, the clock is further ahead of UTC.
  const offset = isEarlier ? Math.max(...offsets) : Math.min(...offsets);
  return { atUtcMs: localMs - offset * MINUTE_MS, sureness: 'by order' };
}

/**
 * Between two observations of one offset it was in force all the time, if they are close enough. Between different ones
 * it changed at an unknown moment, so either may have been in force. Before the first and after the last one nothing is
 * known, and theirs is assumed.
 */
function listSpans(observations: readonly OffsetObservation[]): readonly Span[] {
  const ordered = [...observations].sort((a, b) => utcOf(a) - utcOf(b));
  const [first, last] = [ordered[0], ordered[ordered.length - 1]];
  if (first === undefined || last === undefined) return [];
  const spanOf = (from: number, to: number, { offsetMinutes }: OffsetObservation, isKnown: boolean): Span => {
    const shift = offsetMinutes * MINUTE_MS;
    return { fromLocalMs: from + shift, toLocalMs: to + shift, offsetMinutes, isKnown };
  };
  const between = ordered.slice(1).flatMap((next, at) => {
    const before = ordered[at] ?? next;
    const [from, to] = [utcOf(before), utcOf(next)];
    const isSame = before.offsetMinutes === next.offsetMinutes;
    const span = spanOf(from, to, before, isSame && to - from <= SAME_WITHIN_MS);
    return isSame ? [span] : [span, spanOf(from, to, next, false)];
  });
  return [
    spanOf(-Infinity, utcOf(first), first, false),
    ...between,
    spanOf(utcOf(last), utcOf(last) + MINUTE_MS, last, true),
    spanOf(utcOf(last), Infinity, last, false),
  ];
}

/**
 * The offsets as periods, to cut time into local hours and days. If clocks changed between two observations, the new
 * period begins with the later one, so hours around a change may be off by one.
 */
export function listOffsetPeriods(clock: readonly OffsetObservation[]): readonly OffsetPeriod[] {
  const ordered = clock
    .map((one) => ({ fromUtcMs: utcOf(one), offsetMinutes: one.offsetMinutes }))
    .sort((a, b) => a.fromUtcMs - b.fromUtcMs);
  const changes = ordered.filter(({ offsetMinutes }, at) => ordered[at - 1]?.offsetMinutes !== offsetMinutes);
  return changes.map((period, at) => (at === 0 ? { ...period, fromUtcMs: -Infinity } : period));
}

/** What the server's clock showed at a moment, in milliseconds since 1970-01-01T00:00:00 of that clock. */
export type ServerTime = (utcMs: number) => number;

/** @param otherwise the offset in minutes if no period is known */
export function createServerTime(offsets: readonly OffsetPeriod[], otherwise: number): ServerTime {
  return (utcMs) => utcMs + findOffset(offsets, utcMs, otherwise) * MINUTE_MS;
}

/**
 * The offset in minutes in force at a moment; before the first period, the offset of that one.
 * @param otherwise if no period is known
 */
export function findOffset(offsets: readonly OffsetPeriod[], utcMs: number, otherwise: number): number {
  let minutes = offsets[0]?.offsetMinutes ?? otherwise;
  for (const { fromUtcMs, offsetMinutes } of offsets) if (fromUtcMs <= utcMs) minutes = offsetMinutes;
  return minutes;
}
