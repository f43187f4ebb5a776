/**
 * The one rule by which cumulative counters become figures of an interval: two readings of the same server, of the same start, in order, and not
 * too far apart, none of whose counters fell. Anything else ends the stretch, and the next reading is a first one again: no figure, never a
 * negative or an invented one. Ticks of the machine measure the time between, so that a clock that was set shows; sample_ms is not used, which
 * is an int before SQL Server 2016 and begins again after 24 days.
 *
 * What this cannot tell: a database that was closed, opened, and wrote more in one interval than in all the time since it was opened before. Its
 * figure is then too low, never too high, and only for a database that has hardly written.
 */
import type { ServerMoment } from './work-readings';

/** Why two readings next to each other gave no figures. */
export const WORK_BREAK_KINDS = [
  'server restarted',
  'another server',
  'clock set back',
  'clock set forward',
  'too far apart',
  'counters fell',
  'waits cleared',
] as const;
export type WorkBreakKind = (typeof WORK_BREAK_KINDS)[number];

/** Whose readings: they are taken apart. */
export type WorkScope = 'instance' | 'databases';

/** A stretch of the server's time for which there are no figures, whose, and why. */
export interface WorkBreak {
  readonly kind: WorkBreakKind;
  readonly scope: WorkScope;
  /** How many databases it concerns, at the most at once; null: all of them. */
  readonly databases: number | null;
  /** By the server's clock. For a clock that was set back, the time that came twice: what is recorded of it is of the second time. */
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

/** Clock and ticks may differ by a quarter of the interval, one to five seconds: a query on a busy server reads one before the other. */
const CLOCK_SHARE = 0.25;
const LEAST_CLOCK_MS = 1_000;
const MOST_CLOCK_MS = 5_000;

/** Whether two readings can be compared; null: yes, and the interval is from clock to clock. @param longestMs apart */
export function findBreak(before: ServerMoment, after: ServerMoment, longestMs: number): WorkBreakKind | null {
  if (before.serverName !== after.serverName) return 'another server';
  if (before.startedTicksMs !== after.startedTicksMs || after.ticksMs <= before.ticksMs) return 'server restarted';
  const ticksMs = after.ticksMs - before.ticksMs;
  const clockMs = after.nowUtcMs - before.nowUtcMs;
  const toleranceMs = Math.min(MOST_CLOCK_MS, Math.max(LEAST_CLOCK_MS, ticksMs * CLOCK_SHARE));
  if (clockMs <= 0 || Math.abs(clockMs - ticksMs) > toleranceMs) return clockMs < ticksMs ? 'clock set back' : 'clock set forward';
  return ticksMs > longestMs ? 'too far apart' : null;
}

/**
 * After less before, for every figure, written to `into` from `offset` on; NaN where one of the two is.
 * @returns false where a counter fell: it began again in between, so that none of its companions can be trusted either
 */
export function subtractInto(into: Float64Array, offset: number, before: Float64Array, after: Float64Array): boolean {
  for (let at = 0; at < after.length; at++) {
    const [from, to] = [before[at] ?? NaN, after[at] ?? NaN];
    if (to < from) return false;
    into[offset + at] = to - from;
  }
  return true;
}
