/** The clocks that the dashboard can show times by, and the formats of times. */
import { utcFormat } from 'd3-time-format';
import { findOffset } from '../../core/errorlog/server-clock';
import { formatDate, formatUtcOffset } from '../../core/format';
import { DAY_MS, toLocalMs, toUtcMs } from '../../core/time';
import type { TimeWindow } from '../../core/statistics/statistics';
import type { ClockId } from './view-state';
import type { ServerView } from '../../protocol';
import { t } from '../../core/language';

export interface Clock {
  readonly id: ClockId;
  /** Equal for clocks that show every moment alike: a text written with one is also right for the other. */
  readonly key: string;
  /** `Server time`. */
  readonly name: string;
  /** Minutes to add to UTC at that moment; it changes with summer time. */
  offsetMinutesAt(utcMs: number): number;
}

export const CLOCK_NAMES: Readonly<Record<ClockId, string>> = {
  server: t('Server time'),
  utc: 'UTC',
  local: t('Local time'),
};

/** The same names within a sentence. */
export const CLOCK_NAMES_WITHIN: Readonly<Record<ClockId, string>> = {
  server: t('server time'),
  utc: 'UTC',
  local: t('local time'),
};

const browserOffsetMinutesAt = (utcMs: number): number => -new Date(utcMs).getTimezoneOffset();

/** The current offset of the server's clock and all its known offsets, in order of time. */
export type ServerOffsets = Pick<ServerView, 'utcOffsetMinutes' | 'offsets'>;

export function createClock(
  id: ClockId,
  server: ServerOffsets,
  localOffsetMinutesAt = browserOffsetMinutesAt,
): Clock {
  const { utcOffsetMinutes, offsets } = server;
  const named = {
    id,
    key: id === 'server' ? JSON.stringify([id, utcOffsetMinutes, offsets]) : id,
    name: CLOCK_NAMES[id],
  };
  if (id === 'local') return { ...named, offsetMinutesAt: localOffsetMinutesAt };
  return {
    ...named,
    offsetMinutesAt: (utcMs) => (id === 'utc' ? 0 : findOffset(offsets, utcMs, utcOffsetMinutes)),
  };
}

/** `Server time, UTC+1`, with the offset in that time. */
export function describeClock(clock: Clock, window: TimeWindow): string {
  return clock.id === 'utc' ? clock.name : `${clock.name}, ${describeOffset(clock, window)}`;
}

/** `UTC+2`; `UTC+2 → UTC+1` where the clock is set in that time: its length is not the difference of its times then. */
export function describeOffset(clock: Clock, { beginUtcMs, endUtcMs }: TimeWindow): string {
  const [from, to] = [beginUtcMs, endUtcMs].map((utcMs) => formatUtcOffset(clock.offsetMinutesAt(utcMs)));
  return from === to ? from! : `${from} → ${to}`;
}

/** Of a date whose UTC parts are what the clock shows. */
export const withMilliseconds = utcFormat('%H:%M:%S.%L');
export const withSeconds = utcFormat('%H:%M:%S');
export const withMinutes = utcFormat('%H:%M');

/** A date whose UTC parts are what the clock shows. */
export const showOn = (clock: Clock, utcMs: number): Date =>
  new Date(toLocalMs(utcMs, clock.offsetMinutesAt(utcMs)));

/** `12:45:03.127`. */
export const formatTime = (utcMs: number, clock: Clock): string => withMilliseconds(showOn(clock, utcMs));

/** `2026-11-21`. */
export const formatDay = (utcMs: number, clock: Clock): string =>
  formatDate(utcMs, clock.offsetMinutesAt(utcMs));

const nameOffset = (utcMs: number, clock: Clock): string =>
  ` ${formatUtcOffset(clock.offsetMinutesAt(utcMs))}`;

/** Whether the clock shows that time twice, as it is set back about then. */
function isShownTwice(utcMs: number, clock: Clock): boolean {
  const offset = clock.offsetMinutesAt(utcMs);
  return [-DAY_MS / 8, DAY_MS / 8].some((awayMs) => {
    const other = clock.offsetMinutesAt(utcMs + awayMs);
    return other !== offset && clock.offsetMinutesAt(toUtcMs(toLocalMs(utcMs, offset), other)) === other;
  });
}

/** `2026-11-21 12:45:03.127`; with the offset if the clock shows that time twice. */
export const formatMoment = (utcMs: number, clock: Clock): string =>
  `${formatDay(utcMs, clock)} ${formatTime(utcMs, clock)}${isShownTwice(utcMs, clock) ? nameOffset(utcMs, clock) : ''}`;

/** `12:45`; with the offset if the clock shows that time twice. */
export const formatMinute = (utcMs: number, clock: Clock): string =>
  withMinutes(showOn(clock, utcMs)) + (isShownTwice(utcMs, clock) ? nameOffset(utcMs, clock) : '');

/**
 * `2026-11-21 12:45:03.127 – 12:46:00.000`; with the second day if there is one, and with both offsets if the clock is
 * set in that time, or shows a part of it twice.
 */
export function formatSpan({ beginUtcMs, endUtcMs }: TimeWindow, clock: Clock): string {
  const isSameDay = formatDay(beginUtcMs, clock) === formatDay(endUtcMs, clock);
  const ends = [beginUtcMs, endUtcMs] as const;
  const [from, to] = ends.map((utcMs) => nameOffset(utcMs, clock));
  const isUnclear = from !== to || ends.some((utcMs) => isShownTwice(utcMs, clock));
  const [begin, end] = ends.map(
    (utcMs, at) =>
      (at === 0 || !isSameDay ? `${formatDay(utcMs, clock)} ` : '') +
      formatTime(utcMs, clock) +
      (isUnclear ? nameOffset(utcMs, clock) : ''),
  );
  return `${begin} – ${end}`;
}

/** `2026-11-21 12:45 – 15:01`; with the second day if there is one, and with seconds if the window is short. */
export function formatWindow(window: TimeWindow, clock: Clock): string {
  const span = window.endUtcMs - window.beginUtcMs;
  const format = span < 10_000 ? withMilliseconds : span < 600_000 ? withSeconds : withMinutes;
  const from = showOn(clock, window.beginUtcMs);
  const to = showOn(clock, window.endUtcMs);
  const sameDay = Math.floor(from.getTime() / DAY_MS) === Math.floor(to.getTime() / DAY_MS);
  return `${formatDay(window.beginUtcMs, clock)} ${format(from)} – ${sameDay ? '' : `${formatDay(window.endUtcMs, clock)} `}${format(to)}`;
}
