/** Dates and times as TDS counts them, from the ISO text of handler.ts. */

/** A moment on the calendar without a zone: days since 0001-01-01, and 100 ns ticks since midnight. */
export interface Moment {
  readonly days: number;
  readonly ticks: number;
}

export const ticksPerSecond = 10_000_000;
export const ticksPerDay = 86_400 * ticksPerSecond;
/** 1900-01-01: datetime and smalldatetime count from here. */
export const daysTo1900 = 693_595;
const lastDay = 3_652_058;
const msPerDay = 86_400_000;
const daysTo1970 = 719_162;

const datePattern = /^(\d{4})-(\d\d)-(\d\d)/;
const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,7})\d*)?)?/;
const offsetPattern = /^(?:Z|([+-])(\d\d):(\d\d))$/;

function failReading(text: string, kind: string): never {
  throw new RangeError(`'${text}' is not ISO text of a ${kind}`);
}

/** 0001-01-01 is day 0. */
export function daysOfDate(text: string): number {
  const match = datePattern.exec(text) ?? failReading(text, 'date');
  const date = new Date(0);
  date.setUTCFullYear(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  const days = date.getTime() / msPerDay + daysTo1970;
  if (days < 0 || formatDate(days) !== match[0]) failReading(text, 'date');
  return days;
}

/** 100 ns ticks since midnight. */
export function ticksOfTime(text: string): number {
  const match = timePattern.exec(text) ?? failReading(text, 'time');
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  const seconds = Number(match[3] ?? '0');
  if (hours > 23 || minutes > 59 || seconds > 59) failReading(text, 'time');
  return (hours * 3600 + minutes * 60 + seconds) * ticksPerSecond + Number((match[4] ?? '').padEnd(7, '0'));
}

/** "2026-03-02T08:00:00.1234567"; the time of day is optional. */
export function momentOf(text: string): Moment {
  const days = daysOfDate(text);
  return { days, ticks: text.length > 10 ? ticksOfTime(text.slice(11)) : 0 };
}

/** "2026-03-02T08:00:00.1234567+01:00": the local moment, and the minutes that it is ahead of UTC. */
export function zonedMomentOf(text: string): { readonly local: Moment; readonly offsetMinutes: number } {
  const at = text.search(/(?:Z|[+-]\d\d:\d\d)$/);
  const match = offsetPattern.exec(at < 0 ? '' : text.slice(at)) ?? failReading(text, 'datetimeoffset');
  const minutes = Number(match[2] ?? '0') * 60 + Number(match[3] ?? '0');
  return { local: momentOf(text.slice(0, at)), offsetMinutes: match[1] === '-' ? -minutes : minutes };
}

/** Moves a moment by ticks, across midnight too. @throws RangeError outside the years 1 to 9999. */
export function shiftMoment(moment: Moment, ticks: number): Moment {
  const total = moment.ticks + ticks;
  const carry = Math.floor(total / ticksPerDay);
  const days = moment.days + carry;
  if (days < 0 || days > lastDay) throw new RangeError('a date outside of the years 1 to 9999');
  return { days, ticks: total - carry * ticksPerDay };
}

/** Rounds, half up, to this many digits of a second; the last moment of a day may become the first of the next. */
export function roundMoment(moment: Moment, scale: number): Moment {
  const unit = 10 ** (7 - scale);
  return shiftMoment({ days: moment.days, ticks: Math.floor((moment.ticks + unit / 2) / unit) * unit }, 0);
}

/** 1/300 s since midnight, as datetime counts: milliseconds end in 0, 3 or 7. 90,000 * 288 is the next midnight. */
export function thirdsOf(ticks: number): number {
  return Math.floor((ticks * 3 + 50_000) / 100_000);
}

function formatDate(days: number): string {
  return new Date((days - daysTo1970) * msPerDay).toISOString().slice(0, 10);
}
