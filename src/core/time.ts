/**
 * Times as text and as numbers. Inside the product every time is milliseconds since 1970-01-01T00:00:00Z. Text appears
 * only where a server is read or a person reads.
 */

/**
 * The first and the last moment that a time from outside may be: the years 1970 to 2199. So no loop over time runs for
 * ever.
 */
export const FIRST_UTC_MS = 0;
export const LAST_UTC_MS = 7_258_118_399_999;

/** Whether it is a moment that a server, a file or a message can tell of: milliseconds since 1970 in UTC. */
export function isUtcMs(value: unknown): value is number {
  return typeof value === 'number' && value >= FIRST_UTC_MS && value <= LAST_UTC_MS;
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Milliseconds of a style 126 text `yyyy-mm-ddThh:mi:ss[.f{1,7}][Z]`, taken as UTC; null if the text is no such time of
 * 1970 to 2199. Digits beyond the millisecond are cut off, not rounded, as Extended Events does (docs/facts.md, SQL
 * Server 3).
 */
export function readUtcTime(text: string): number | null {
  const length = text.endsWith('Z') ? text.length - 1 : text.length;
  if (length < 19 || length > 27 || length === 20) return null;
  if (
    !isAt(text, 4, '-') ||
    !isAt(text, 7, '-') ||
    !isAt(text, 10, 'T') ||
    !isAt(text, 13, ':') ||
    !isAt(text, 16, ':')
  )
    return null;
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 7);
  const day = readDigits(text, 8, 10);
  const hour = readDigits(text, 11, 13);
  const minute = readDigits(text, 14, 16);
  const second = readDigits(text, 17, 19);
  const millisecond = readFraction(text, length);
  return composeUtcMs(year, month, day, hour, minute, second, millisecond);
}

/**
 * Milliseconds of a UTC time given by its parts; null if there is no such time of 1970 to 2199, or a part is NaN.
 * `month` counts from 1.
 */
export function composeUtcMs(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
): number | null {
  if (!isDate(year, month, day) || !isTimeOfDay(hour, minute, second) || Number.isNaN(millisecond))
    return null;
  const utcMs =
    Date.UTC(year, month - 1, day) + hour * 60 * MINUTE_MS + minute * MINUTE_MS + second * 1000 + millisecond;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  return year > 99 && isUtcMs(utcMs) ? utcMs : null;
}

/**
 * Style 126 text with milliseconds and no zone, `2016-07-09T03:30:14.023`: SQL Server takes and gives UTC times like
 * this.
 */
export function writeUtcTime(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, -1);
}

/** The server's wall clock as if it were UTC, to show it or to compare it with texts in server time. */
export function toLocalMs(utcMs: number, utcOffsetMinutes: number): number {
  return utcMs + utcOffsetMinutes * MINUTE_MS;
}

/** UTC of a wall-clock time that was read as if it were UTC. The offset is the one at that time. */
export function toUtcMs(localMs: number, utcOffsetMinutes: number): number {
  return localMs - utcOffsetMinutes * MINUTE_MS;
}

/** The number that the characters `from` to `to` write; NaN if there are none or one is not a digit. */
function readDigits(text: string, from: number, to: number): number {
  if (from >= to) return NaN;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

function isAt(text: string, at: number, character: string): boolean {
  return text.charCodeAt(at) === character.charCodeAt(0);
}

/** Milliseconds of `.f{1,7}` from position 19 to `length`; 0 if there is none, NaN if it is something else. */
function readFraction(text: string, length: number): number {
  if (length === 19) return 0;
  if (text[19] !== '.' || Number.isNaN(readDigits(text, 20, length))) return NaN;
  const digits = Math.min(length - 20, 3);
  return readDigits(text, 20, 20 + digits) * 10 ** (3 - digits);
}

function isDate(year: number, month: number, day: number): boolean {
  if (!(year >= 1) || !(month >= 1 && month <= 12) || !(day >= 1)) return false;
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeapDay || day <= (DAYS_IN_MONTH[month - 1] ?? 0);
}

function isTimeOfDay(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59;
}
