/**
 * The one rule by which cumulative counters become figures of an interval. The two readings must be of the same server
 * and the same start, in order, not too far apart, and no counter may have fallen. Anything else ends the stretch, and
 * the next reading counts as a first one: there is no figure, never a negative or an invented one. Ticks of the machine
 * measure the time between, so a clock that was set is found out. sample_ms is not used: it is an int before SQL Server
 * 2016 and begins again after 24 days.
 *
 * What this cannot tell: a database was closed, opened, and wrote more in one interval than in all the time since it
 * was opened before. Then its figure is too low, never too high. That happens only to a database that has hardly
 * written.
 */
import type { Count, UtcMs } from '../schema';
import type { ServerMoment } from './work-readings';

/** Why two successive readings gave no figures. */
export type WorkBreakKind =
  | 'server restarted'
  | 'another server'
  | 'clock set back'
  | 'clock set forward'
  | 'too far apart'
  | 'counters fell'
  | 'waits cleared';

/** What the readings are of. The two kinds are taken separately. */
export type WorkScope = 'instance' | 'databases';

/** A time without figures on the server's clock, what it concerns, and why. */
export interface WorkBreak {
  readonly kind: WorkBreakKind;
  readonly scope: WorkScope;
  /** How many databases it concerns, at most at once; null: all of them. */
  readonly databases: Count | null;
  /**
   * By the server's clock. If the clock was set back, this is the time that came twice; what is recorded of it is of
   * the second time.
   */
  readonly beginUtcMs: UtcMs;
  readonly endUtcMs: UtcMs;
}

/**
 * Clock and ticks may differ by a quarter of the interval, but by one to five seconds: a busy server may read one later
 * than the other.
 */
const CLOCK_SHARE = 0.25;
const LEAST_CLOCK_MS = 1_000;
const MOST_CLOCK_MS = 5_000;

/**
 * Why two readings cannot be compared; null if they can, and then the interval is from clock to clock.
 * @param longestMs that they may be apart
 */
export function findBreak(
  before: ServerMoment,
  after: ServerMoment,
  longestMs: number,
): WorkBreakKind | null {
  if (before.serverName !== after.serverName) return 'another server';
  if (before.startedTicksMs !== after.startedTicksMs || after.ticksMs <= before.ticksMs)
    return 'server restarted';
  const ticksMs = after.ticksMs - before.ticksMs;
  const clockMs = after.nowUtcMs - before.nowUtcMs;
  const toleranceMs = Math.min(MOST_CLOCK_MS, Math.max(LEAST_CLOCK_MS, ticksMs * CLOCK_SHARE));
  if (clockMs <= 0 || Math.abs(clockMs - ticksMs) > toleranceMs)
    return clockMs < ticksMs ? 'clock set back' : 'clock set forward';
  return ticksMs > longestMs ? 'too far apart' : null;
}

/**
 * Writes after less before, for every figure, to `into` from `offset` on; NaN if one of the two is.
 * @returns false if a counter fell: it began again in between, so the other counters cannot be trusted either
 */
export function subtractInto(
  into: Float64Array,
  offset: number,
  before: Float64Array,
  after: Float64Array,
): boolean {
  for (let at = 0; at < after.length; at++) {
    const [from, to] = [before[at] ?? NaN, after[at] ?? NaN];
    if (to < from) return false;
    into[offset + at] = to - from;
  }
  return true;
}
