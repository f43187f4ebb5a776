/** Dates in the forms of error logs and of the tools that show them: the server's wall clock, mostly without a zone. */
import { composeUtcMs, MINUTE_MS } from '../time';

/** Half of the day, before or after the time. */
const HALF = String.raw`[AP]\.?\s?M\b\.?|上午|下午|午前|午後|오전|오후`;
/**
 * Finds a date in a line; `~` stands for marks of direction, which some cultures write between the parts. Few, or a
 * line of marks alone would take long.
 */
export const DATE =
  String.raw`~\d{1,4}~[./-] ?~\d{1,2}~[./-] ?~\d{1,4}\.?~(?:[,T]?\s+|T)(?:(?:${HALF})\s*)?~\d{1,2}~[:.]~\d\d(?:[:.]\d\d)?(?:[.,:]\d{1,9})?(?:\s*(?:${HALF}))?(?:Z|[+-]\d\d:?\d\d)?`.replaceAll(
    '~',
    String.raw`[\u200e\u200f]{0,2}`,
  );
const PARTS = new RegExp(
  String.raw`^(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?(?:[,T]?\s+|T)(?:(${HALF})\s*)?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:[.,:](\d{1,9}))?(?:\s*(${HALF}))?\s?(Z|[+-]\d\d:?\d\d)?$`,
  'i',
);

/** Which of the first two numbers of a date is the day. Not known until a date shows it. */
export type DayPlace = 'year first' | 'day first' | 'month first' | 'unknown';

/**
 * Milliseconds of a date as if it were UTC: `2016-07-09 03:30:14.79`, `T` instead of the blank, or in the form of a
 * culture, as `7/9/2016 3:30:14 AM`, `09.07.2016 03:30:14` and `2016/7/9 上午 03:30:14`; null for anything else, and if
 * `place` does not say which number is the day.
 */
export function readLogDate(text: string, place: DayPlace = 'year first'): number | null {
  const match = splitDate(text);
  if (!match) return null;
  const [
    ,
    first = '',
    ,
    second = '',
    third = '',
    before,
    hour,
    minute,
    seconds = 0,
    fraction = '0',
    half = before,
  ] = match;
  const date = orderDate(first, second, third, place);
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000 + 1e-6);
  return (
    date && composeUtcMs(...date, readHour(Number(hour), half), Number(minute), Number(seconds), milliseconds)
  );
}

/** The moment of a date that says its zone: of the year first, as programs write it; null for any other. */
export function readMoment(text: string): number | null {
  const localMs = readLogDate(text);
  const zone = splitDate(text)?.[11]?.toUpperCase();
  if (localMs === null || zone === undefined) return null;
  const minutes = zone === 'Z' ? 0 : Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return localMs + (zone.startsWith('-') ? minutes : -minutes) * MINUTE_MS;
}

/** If one date shows the place of the day, it holds for all. If dates contradict each other, it is not known. */
export function findDayPlace(dates: readonly string[]): DayPlace {
  const places = new Set(dates.map(readDayPlace).filter((place) => place !== 'unknown'));
  const [place] = places;
  return places.size === 1 && place !== undefined ? place : 'unknown';
}

/** `13/07/2016` is day first, `07/13/2016` month first. */
function readDayPlace(text: string): DayPlace {
  const [, first = '', separator, second] = splitDate(text) ?? [];
  if (first.length === 4) return 'year first';
  // Cultures that write a dot between the numbers put the day first.
  if (separator === '.' || Number(first) > 12) return 'day first';
  return Number(second) > 12 ? 'month first' : 'unknown';
}

/** True for anything that readLogDate can read once it knows the place of the day. */
export function looksLikeDate(text: string): boolean {
  return splitDate(text) !== null;
}

function splitDate(text: string): RegExpExecArray | null {
  return text.length > 60 ? null : PARTS.exec(text.trim().replace(/[\u200e\u200f]/g, ''));
}

function orderDate(
  first: string,
  second: string,
  third: string,
  place: DayPlace,
): readonly [number, number, number] | null {
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  if (first.length === 4) return [a, b, c];
  if (third.length !== 4 || place === 'unknown' || place === 'year first') return null;
  return place === 'day first' ? [c, b, a] : [c, a, b];
}

function readHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return hour > 12 ? NaN : (hour % 12) + (/^(?:p|下午|午後|오후)/i.test(half) ? 12 : 0);
}
