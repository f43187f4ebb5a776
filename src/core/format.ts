/** Values as a person reads them: the same in every locale, in the pane, the dashboard and the scripts. */
import { toLocalMs } from './time';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** What is shown for a value that could not be observed; never a zero or a blank. */
export const NOT_OBSERVABLE = 'not observable';

/** The value as `format` writes it, or `not observable` if there is none. */
export function formatObserved<T>(value: T | null | undefined, format: (value: T) => string): string {
  return value === null || value === undefined ? NOT_OBSERVABLE : format(value);
}

/** `2.5 ms`, `40 ms`, `9.8 s`, `65.5 s`, `34 min 38 s`, `2 h 14 min`, `3 d 4 h`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs)}`;
  if (Math.round(durationMs) < SECOND_MS) return `${durationMs < 10 ? trimZero(durationMs.toFixed(1)) : Math.round(durationMs)} ms`;
  // Each bound is tested after rounding to what its unit shows, so that 119.96 s is 2 min and not 120.0 s.
  if (Math.round(durationMs / 100) < 1200) return `${(durationMs / SECOND_MS).toFixed(1)} s`;
  if (Math.round(durationMs / SECOND_MS) * SECOND_MS < HOUR_MS) return formatTwoUnits(durationMs, MINUTE_MS, 'min', SECOND_MS, 's');
  if (Math.round(durationMs / MINUTE_MS) * MINUTE_MS < 2 * DAY_MS) return formatTwoUnits(durationMs, HOUR_MS, 'h', MINUTE_MS, 'min');
  return formatTwoUnits(durationMs, DAY_MS, 'd', HOUR_MS, 'h');
}

/** A whole number with separators: `1,234,567`. */
export function formatCount(count: number): string {
  return formatFixed(count, 0);
}

/** `1 database`, `1,234 databases`. @param more the plural, if it is not made with an s */
export function countOf(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`;
}

/**
 * `400 databases`, `28 databases and 1 system database`. Only databases of users are counted as databases; others are named.
 * @param beside system databases
 */
export function countDatabases(databases: number, beside = 0): string {
  if (beside === 0) return countOf(databases, 'database');
  const others = countOf(beside, 'system database');
  return databases === 0 ? others : `${countOf(databases, 'database')} and ${others}`;
}

/** Checkpoints per hour, without the unit: `0.4`, `58.3`, `1,200`. */
export function formatPerHour(perHour: number): string {
  return formatFixed(perHour, perHour < 99.95 ? 1 : 0);
}

/** A share of 0 to 1: `0 %`, `< 0.1 %`, `0.4 %`, `12 %`. 100 % is shown only for exactly 1. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (percent < 0.05) return '< 0.1 %';
  if (percent >= 99.5 && percent < 100) return '> 99 %';
  return `${percent < 9.95 ? trimZero(percent.toFixed(1)) : formatCount(percent)} %`;
}

/** Date and time of day on a clock that is this many minutes ahead of UTC: `2016-07-09 03:30:14`. */
export function formatDateTime(utcMs: number, utcOffsetMinutes: number): string {
  return new Date(toLocalMs(utcMs, utcOffsetMinutes)).toISOString().slice(0, 19).replace('T', ' ');
}

/** `UTC`, `UTC+1`, `UTC-3:30`. */
export function formatUtcOffset(utcOffsetMinutes: number): string {
  if (utcOffsetMinutes === 0) return 'UTC';
  const minutes = Math.abs(utcOffsetMinutes) % 60;
  const hours = Math.floor(Math.abs(utcOffsetMinutes) / 60);
  return `UTC${utcOffsetMinutes < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

function formatTwoUnits(durationMs: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const inSmall = Math.round(durationMs / smallMs);
  const perLarge = largeMs / smallMs;
  const rest = inSmall % perLarge;
  const whole = `${formatCount(Math.floor(inSmall / perLarge))} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

function formatFixed(value: number, digits: number): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(digits).split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = value < 0 && Number(value.toFixed(digits)) !== 0 ? '-' : '';
  return `${sign}${separated}${fraction === undefined ? '' : trimZero(`.${fraction}`)}`;
}

/** `2.0` -> `2`, `.0` -> ``. */
function trimZero(fixed: string): string {
  return fixed.endsWith('.0') ? fixed.slice(0, -2) : fixed;
}
