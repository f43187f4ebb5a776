/** Where the axis has its ticks: round times of the clock that is shown, also across a change to or from summer time. Pure. */
import { scaleUtc } from 'd3-scale';
import type { TimeWindow } from '../../../core/statistics/statistics';
import { toLocalMs, toUtcMs } from '../../../core/time';
import type { Clock } from '../../model/clock';

/** Offsets are looked for at this many places of a window: a clock changes twice a year. */
const PLACES = 16;

/** Moments in UTC milliseconds, in order, about as many as asked for. */
export function listClockTicks(window: TimeWindow, clock: Clock, count: number): readonly number[] {
  const spanMs = window.endUtcMs - window.beginUtcMs;
  const places = Array.from({ length: PLACES + 1 }, (_, i) => window.beginUtcMs + (spanMs * i) / PLACES);
  const offsets = new Set(places.map((utcMs) => clock.offsetMinutesAt(utcMs)));
  const ticks = [...offsets].flatMap((offset) =>
    scaleUtc()
      .domain([toLocalMs(window.beginUtcMs, offset), toLocalMs(window.endUtcMs, offset)])
      .ticks(count)
      .map((at) => toUtcMs(at.getTime(), offset))
      .filter((utcMs) => clock.offsetMinutesAt(utcMs) === offset),
  );
  return ticks.sort((a, b) => a - b);
}
