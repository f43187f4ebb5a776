/** Values as a person reads them: on the screen in the user's language, in scripts in English (`english`). */
import { fillText, t } from './language';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toLocalMs } from './time';

/** What is shown for a value that could not be observed; never a zero or a blank. */
export const NOT_OBSERVABLE = t('not observable');

/** The way of one language to write values. */
interface Language {
  readonly decimalPoint: string;
  readonly thousandsSeparator: string;
  /** {0}, {1} and {2} stand for year, month and day. */
  readonly date: string;
  readonly days: string;
  readonly daysAndHours: string;
  readonly hours: string;
  readonly hoursAndMinutes: string;
  readonly minutes: string;
  readonly minutesAndSeconds: string;
}

const ENGLISH: Language = {
  decimalPoint: '.',
  thousandsSeparator: ',',
  date: '{0}-{1}-{2}',
  days: '{0} d',
  daysAndHours: '{0} d {1} h',
  hours: '{0} h',
  hoursAndMinutes: '{0} h {1} min',
  minutes: '{0} min',
  minutesAndSeconds: '{0} min {1} s',
};

const screen: Language = {
  decimalPoint: t({ message: '.', comment: ['Between the whole part of a number and its fraction'] }),
  thousandsSeparator: t({ message: ',', comment: ['Between the thousands of a number'] }),
  date: t({ message: '{0}-{1}-{2}', comment: ['A date: year, month, day'] }),
  days: t('{0} d'),
  daysAndHours: t('{0} d {1} h'),
  hours: t('{0} h'),
  hoursAndMinutes: t('{0} h {1} min'),
  minutes: t('{0} min'),
  minutesAndSeconds: t('{0} min {1} s'),
};

/** The value as `format` writes it, or `not observable` if there is none. */
export function formatObserved<T>(value: T | null | undefined, format: (value: T) => string): string {
  return value === null || value === undefined ? NOT_OBSERVABLE : format(value);
}

/** `2.5 ms`, `40 ms`, `9.8 s`, `65.5 s`, `34 min 38 s`, `2 h 14 min`, `3 d 4 h`. */
export const formatDuration = (durationMs: number): string => writeDuration(durationMs, screen);

/** Of fewer durations, a high percentile would be one of the longest two. */
export const LEAST_FOR_PERCENTILE = 20;

/** A high percentile of `count` durations; `–` where they are too few. */
export const formatPercentile = (durationMs: number | null, count: number): string =>
  count > 0 && count < LEAST_FOR_PERCENTILE ? '–' : formatObserved(durationMs, formatDuration);

/** A whole number with separators: `1,234,567`. */
export const formatCount = (count: number): string => writeNumber(count, 0, screen);

/** With this many digits after the point: `9.6`. */
export const formatNumber = (value: number, digits: number): string => writeNumber(value, digits, screen);

/** Checkpoints per hour, without the unit: `< 0.1`, `0.4`, `58.3`, `1,200`. */
export const formatPerHour = (perHour: number): string =>
  perHour > 0 && perHour < 0.05
    ? `< ${writeNumber(0.1, 1, screen)}`
    : writeShortNumber(perHour, perHour < 99.95 ? 1 : 0, screen);

/** Seconds in checkpoints of an hour, without the unit: `0`, `43.2`, `2,060`. */
export const formatSecondsAnHour = (seconds: number): string =>
  formatNumber(seconds, seconds > 0 && seconds < 99.95 ? 1 : 0);

/** A share of 0 to 1: `0 %`, `< 0.1 %`, `0.4 %`, `12 %`. 100 % is shown only for exactly 1. */
export const formatPercent = (share: number): string => writePercent(share, screen);

/** With no more digits than it needs, and no more than three that count: `0.25`, `1.5`, `120`. */
export function formatShort(value: number): string {
  const rounded = Number(value.toPrecision(3));
  let digits = 0;
  while (digits < 20 && Number(rounded.toFixed(digits)) !== rounded) digits++;
  return writeNumber(rounded, digits, screen);
}

/** Date and time of day on a clock that is this many minutes ahead of UTC: `2016-07-09 03:30:14`. */
export const formatDateTime = (utcMs: number, utcOffsetMinutes: number): string =>
  writeDateTime(utcMs, utcOffsetMinutes, screen);

/** The date on such a clock: `2016-07-09`. */
export const formatDate = (utcMs: number, utcOffsetMinutes: number): string =>
  writeDate(toLocalMs(utcMs, utcOffsetMinutes), screen);

/** The time of day on such a clock: `22:00`. */
export const formatTimeOfDay = (utcMs: number, utcOffsetMinutes: number): string =>
  new Date(toLocalMs(utcMs, utcOffsetMinutes)).toISOString().slice(11, 16);

/**
 * A number of things: `1 database`, `1,234 databases`.
 * @param one what is said of one, with {0} where the number goes; already in the user's language
 * @param more what is said of any other number
 */
export const countOf = (count: number, one: string, more: string): string =>
  fillText(count === 1 ? one : more, formatCount(count));

/** The same; '' for none. */
export const countSome = (count: number, one: string, more: string): string =>
  count === 0 ? '' : countOf(count, one, more);

/** `1 second`, `60 seconds`. */
export const countSeconds = (seconds: number): string => countOf(seconds, t('{0} second'), t('{0} seconds'));

/** The same of what is counted most often: `1 checkpoint`, `1,234 events`. */
export const countCheckpoints = (count: number): string =>
  countOf(count, t('{0} checkpoint'), t('{0} checkpoints'));
export const countEvents = (count: number): string => countOf(count, t('{0} event'), t('{0} events'));
export const countGaps = (count: number): string => countOf(count, t('{0} gap'), t('{0} gaps'));
export const countBuffers = (count: number): string => countOf(count, t('{0} buffer'), t('{0} buffers'));

/**
 * `400 databases`, `28 databases and 1 system database`. Only databases of users are counted as databases; others are
 * named.
 * @param beside system databases
 */
export function countDatabases(databases: number, beside = 0): string {
  const own = countOf(databases, t('{0} database'), t('{0} databases'));
  if (beside === 0) return own;
  const others = countOf(beside, t('{0} system database'), t('{0} system databases'));
  return databases === 0 ? others : t('{0} and {1}', own, others);
}

/** The same in English, for T-SQL scripts and what is kept with them. */
export const english = {
  formatDuration: (durationMs: number): string => writeDuration(durationMs, ENGLISH),
  formatCount: (count: number): string => writeNumber(count, 0, ENGLISH),
  formatPercent: (share: number): string => writePercent(share, ENGLISH),
  formatDateTime: (utcMs: number, utcOffsetMinutes: number): string =>
    writeDateTime(utcMs, utcOffsetMinutes, ENGLISH),
  /** @param more the plural, if it is not made with an s */
  countOf(count: number, one: string, more = `${one}s`): string {
    return `${english.formatCount(count)} ${count === 1 ? one : more}`;
  },
  countDatabases: (databases: number): string => english.countOf(databases, 'database'),
};

/** `UTC`, `UTC+1`, `UTC-3:30`. */
export function formatUtcOffset(utcOffsetMinutes: number): string {
  if (utcOffsetMinutes === 0) return 'UTC';
  const minutes = Math.abs(utcOffsetMinutes) % 60;
  const hours = Math.floor(Math.abs(utcOffsetMinutes) / 60);
  return `UTC${utcOffsetMinutes < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

function writeDuration(durationMs: number, language: Language): string {
  if (durationMs < 0) return `-${writeDuration(-durationMs, language)}`;
  if (Math.round(durationMs) < SECOND_MS)
    return `${writeShortNumber(durationMs, durationMs < 10 ? 1 : 0, language)} ms`;
  // Each bound is tested after rounding to what its unit shows, so that 119.96 s is 2 min and not 120.0 s.
  if (Math.round(durationMs / 100) < 1200) return `${writeNumber(durationMs / SECOND_MS, 1, language)} s`;
  if (Math.round(durationMs / SECOND_MS) * SECOND_MS < HOUR_MS)
    return writeTwoUnits(
      durationMs,
      [MINUTE_MS, SECOND_MS],
      [language.minutes, language.minutesAndSeconds],
      language,
    );
  if (Math.round(durationMs / MINUTE_MS) * MINUTE_MS < 2 * DAY_MS)
    return writeTwoUnits(
      durationMs,
      [HOUR_MS, MINUTE_MS],
      [language.hours, language.hoursAndMinutes],
      language,
    );
  return writeTwoUnits(durationMs, [DAY_MS, HOUR_MS], [language.days, language.daysAndHours], language);
}

function writeTwoUnits(
  durationMs: number,
  [largeMs, smallMs]: readonly [number, number],
  [whole, both]: readonly [string, string],
  language: Language,
): string {
  const inSmall = Math.round(durationMs / smallMs);
  const perLarge = largeMs / smallMs;
  const rest = inSmall % perLarge;
  const large = writeNumber(Math.floor(inSmall / perLarge), 0, language);
  return rest === 0 ? fillText(whole, large) : fillText(both, large, rest);
}

function writePercent(share: number, language: Language): string {
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (percent < 0.05) return `< ${writeNumber(0.1, 1, language)} %`;
  if (percent >= 99.5 && percent < 100) return '> 99 %';
  return `${writeShortNumber(percent, percent < 9.95 ? 1 : 0, language)} %`;
}

function writeDateTime(utcMs: number, utcOffsetMinutes: number, language: Language): string {
  const localMs = toLocalMs(utcMs, utcOffsetMinutes);
  return `${writeDate(localMs, language)} ${new Date(localMs).toISOString().slice(11, 19)}`;
}

function writeDate(localMs: number, { date }: Language): string {
  return fillText(date, ...new Date(localMs).toISOString().slice(0, 10).split('-'));
}

/** Without a fraction of zero: `2`, not `2.0`. */
function writeShortNumber(value: number, digits: number, language: Language): string {
  return writeNumber(value, value.toFixed(digits).endsWith('.0') ? 0 : digits, language);
}

function writeNumber(value: number, digits: number, { decimalPoint, thousandsSeparator }: Language): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(digits).split('.');
  const separated = whole.replace(/\B(?=(?:\d{3}){1,7}$)/g, thousandsSeparator);
  const sign = value < 0 && Number(value.toFixed(digits)) !== 0 ? '-' : '';
  return `${sign}${separated}${fraction === undefined ? '' : `${decimalPoint}${fraction}`}`;
}

/** Whole minutes from two minutes on, whole hours from ten hours on. */
export function formatMinutes(ms: number): string {
  if (ms < 120_000) return formatDuration(ms);
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return countOf(minutes, t('{0} minute'), t('{0} minutes'));
  const hoursMs = Math.round(ms / 3_600_000) * 3_600_000;
  return formatDuration(minutes > 600 ? hoursMs : minutes * 60_000);
}

/** Rounded up: that much time is still needed. */
export function writeMinutes(ms: number): string {
  return countOf(Math.ceil(ms / 60_000), t('{0} minute'), t('{0} minutes'));
}
