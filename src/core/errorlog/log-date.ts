/** Dates in the forms of error logs and of the tools that show them: the server's wall clock, without a zone. */

import { composeUtcMs } from '../time';

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,:](\d{1,7}))?$/;
const LOCALE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})[,T]?\s+(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[.,:](\d{1,7}))?(?:\s*([AP])\.?M\.?)?$/i;

/** Which of the first two numbers of a date is the day. Not known until a date shows it. */
export type DayPlace = 'year first' | 'day first' | 'month first' | 'unknown';

/** Milliseconds of an ISO date as if it were UTC (`2016-07-09 03:30:14.79`, `T` instead of the blank); null for anything else. */
export function readLogDate(text: string): number | null {
  const match = ISO.exec(text.trim());
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction] = match;
  return createLocalMs([Number(year), Number(month), Number(day)], [Number(hour), Number(minute), Number(second)], fraction);
}

/** The same for a date in the form of somebody's culture: `7/9/2016 3:30:14 AM`, `09.07.2016 03:30:14`; null if `place` does not say which is the day. */
export function readCultureDate(text: string, place: DayPlace): number | null {
  const iso = readLogDate(text);
  const match = iso === null ? LOCALE.exec(normaliseBlanks(text)) : null;
  if (!match) return iso;
  const [, first = '', , second = '', third = '', hour, minute, seconds, fraction, half] = match;
  const date = orderDate(first, second, third, place);
  return date && createLocalMs(date, [readHour(Number(hour), half), Number(minute), Number(seconds ?? 0)], fraction);
}

/** What one date says about the place of the day: `13/07/2016` is day first, `07/13/2016` month first. */
export function findDayPlace(text: string): DayPlace {
  if (ISO.test(text.trim())) return 'year first';
  const match = LOCALE.exec(normaliseBlanks(text));
  if (!match) return 'unknown';
  const [first, second] = [match[1] ?? '', match[3] ?? ''];
  if (first.length === 4) return 'year first';
  // Cultures that write a dot between the numbers put the day first.
  if (match[2] === '.' || Number(first) > 12) return 'day first';
  return Number(second) > 12 ? 'month first' : 'unknown';
}

/** True for anything that readCultureDate can read once it knows the place of the day. */
export function looksLikeDate(text: string): boolean {
  return ISO.test(text) || LOCALE.test(normaliseBlanks(text));
}

function normaliseBlanks(text: string): string {
  return text
    .trim()
    .replace(/[\u200e\u200f]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ');
}

function orderDate(first: string, second: string, third: string, place: DayPlace): readonly [number, number, number] | null {
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  if (first.length === 4) return [a, b, c];
  if (third.length !== 4 || place === 'unknown' || place === 'year first') return null;
  return place === 'day first' ? [c, b, a] : [c, a, b];
}

function readHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
}

function createLocalMs(
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second]: readonly [number, number, number],
  fraction: string | undefined,
): number | null {
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000 + 1e-6);
  return composeUtcMs(year, month, day, hour, minute, second, milliseconds);
}
