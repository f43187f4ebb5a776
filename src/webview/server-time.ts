/** Moments as the server's clock shows them. */
import { utcFormat } from 'd3-time-format';
import { toLocalMs } from '../core/time';
import type { TimeWindow } from '../core/evidence/statistics';

const withMilliseconds = utcFormat('%H:%M:%S.%L');
const withSeconds = utcFormat('%H:%M:%S');
const withMinutes = utcFormat('%H:%M');
const day = utcFormat('%Y-%m-%d');

const DAY_MS = 86_400_000;

const clock = (utcMs: number, utcOffsetMinutes: number): Date => new Date(toLocalMs(utcMs, utcOffsetMinutes));

/** `12:45:03.127`, in the server's time. */
export const formatServerTime = (utcMs: number, utcOffsetMinutes: number): string => withMilliseconds(clock(utcMs, utcOffsetMinutes));

/** `2026-11-21`, in the server's time. */
export const formatServerDay = (utcMs: number, utcOffsetMinutes: number): string => day(clock(utcMs, utcOffsetMinutes));

/** `12:45`, in the server's time. */
export const formatServerMinute = (utcMs: number, utcOffsetMinutes: number): string => withMinutes(clock(utcMs, utcOffsetMinutes));

/** `12:45:03.127 – 12:46:00.000`; with the days where there are two. */
export function formatSpan({ beginUtcMs, endUtcMs }: TimeWindow, utcOffsetMinutes: number): string {
  const [from, to] = [beginUtcMs, endUtcMs].map((utcMs) => formatServerTime(utcMs, utcOffsetMinutes));
  const [fromDay, toDay] = [beginUtcMs, endUtcMs].map((utcMs) => formatServerDay(utcMs, utcOffsetMinutes));
  return fromDay === toDay ? `${from} – ${to}` : `${fromDay} ${from} – ${toDay} ${to}`;
}

/** `2026-11-21 12:45 – 15:01`, with the second day where there is one and with seconds where the window is short. */
export function formatWindow(window: TimeWindow, utcOffsetMinutes: number): string {
  const span = window.endUtcMs - window.beginUtcMs;
  const format = span < 10_000 ? withMilliseconds : span < 600_000 ? withSeconds : withMinutes;
  const from = clock(window.beginUtcMs, utcOffsetMinutes);
  const to = clock(window.endUtcMs, utcOffsetMinutes);
  const sameDay = Math.floor(from.getTime() / DAY_MS) === Math.floor(to.getTime() / DAY_MS);
  return `${day(from)} ${format(from)} – ${sameDay ? '' : day(to) + ' '}${format(to)}`;
}
