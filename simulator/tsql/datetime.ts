/**
 * Dates and times as ticks of 100 ns since 0001-01-01 (bigint), so that datetime2(7) is exact. A datetimeoffset is
 * `utcTicks * 4096 + offsetMinutes + 2048`: one integer whose order is the order in time.
 */
export const ticksPerSecond = 10_000_000n;
export const ticksPerDay = 864_000_000_000n;
const unixEpochTicks = 621_355_968_000_000_000n;
export const maxTicks = 3_155_378_975_999_999_999n;

export const ticksOfUtcMs = (utcMs: number): bigint => BigInt(Math.floor(utcMs)) * 10_000n + unixEpochTicks;

export const packOffset = (utcTicks: bigint, offsetMinutes: number): bigint =>
  utcTicks * 4096n + BigInt(offsetMinutes + 2048);
export const unpackOffset = (
  packed: bigint,
): { readonly utcTicks: bigint; readonly offsetMinutes: number } => ({
  utcTicks: packed / 4096n,
  offsetMinutes: Number(packed % 4096n) - 2048,
});

export const floorDivide = (a: bigint, b: bigint): bigint =>
  a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b;

export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 to 9,999,999 */
  readonly fraction: number;
  /** 0 = Sunday */
  readonly weekday: number;
}

export function civilOf(ticks: bigint): Civil {
  const day = floorDivide(ticks, ticksPerDay);
  const rest = ticks - day * ticksPerDay;
  const date = new Date(Number(day) * 86_400_000 + Number(-unixEpochTicks / 10_000n));
  const seconds = Number(rest / ticksPerSecond);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    fraction: Number(rest % ticksPerSecond),
  };
}

/** Undefined for a day that does not exist. */
export function ticksOfDate(year: number, month: number, day: number): bigint | undefined {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return BigInt(date.getTime()) * 10_000n + unixEpochTicks;
}

function daysInMonth(year: number, month: number): number {
  return month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;
}

interface ParsedDate {
  /** Local ticks; a time alone is on 1900-01-01. */
  readonly ticks: bigint;
  readonly offsetMinutes?: number;
  readonly hasDate: boolean;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const timeText = String.raw`(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.:](\d{1,9}))?)?)?\s*(am|pm)?`;
const zoneText = String.raw`\s*(z|[+-]\d{2}:\d{2})?`;
const datePatterns: readonly { readonly pattern: RegExp; readonly order: string }[] = [
  { pattern: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/, order: 'ymd' },
  { pattern: /^(\d{4})(\d{2})(\d{2})(?!\d)/, order: 'ymd' },
  { pattern: /^(\d{2})(\d{2})(\d{2})(?!\d)/, order: 'ymd' },
  { pattern: /^(\d{4})$/, order: 'y' },
  { pattern: /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/, order: 'mdy' },
  { pattern: /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?!\d)/, order: 'mdy' },
  { pattern: /^([a-z]{3})[a-z]*\s+(\d{1,2}),?\s+(\d{4})/, order: 'Mdy' },
  { pattern: /^(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})/, order: 'dMy' },
];

/** Character text to a date and time, language us_english, DATEFORMAT mdy. Undefined if SQL Server would fail. */
export function parseDate(text: string): ParsedDate | undefined {
  let rest = text.trim().toLowerCase();
  if (rest === '') return { ticks: ticksOfDate(1900, 1, 1) as bigint, hasDate: true };
  let day = ticksOfDate(1900, 1, 1) as bigint;
  const dated = matchDate(rest);
  if (dated === null) return undefined;
  if (dated !== undefined) [day, rest] = [dated.day, rest.slice(dated.length)];
  const hasDate = dated !== undefined;
  rest = hasDate ? rest.replace(/^t(?=\d)/, '').trim() : rest;
  if (rest === '') return hasDate ? { ticks: day, hasDate } : undefined;
  const time = new RegExp(`^${timeText}${zoneText}$`).exec(rest);
  const ofDay = time === null ? undefined : ticksOfTime(time);
  if (time === null || ofDay === undefined) return undefined;
  const offsetMinutes = parseZone(time[6]);
  return offsetMinutes === undefined
    ? { ticks: day + ofDay, hasDate }
    : { ticks: day + ofDay, hasDate, offsetMinutes };
}

/** null: looks like a date and is none; undefined: no date at the start. */
function matchDate(text: string): { day: bigint; length: number } | null | undefined {
  for (const { pattern, order } of datePatterns) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const part = (letter: string): number => {
      const at = order.toLowerCase().indexOf(letter);
      if (at < 0) return 1;
      const value = found[at + 1] as string;
      // Two digits: 1950 to 2049.
      if (letter === 'y' && value.length === 2) return Number(value) + (Number(value) < 50 ? 2000 : 1900);
      return order[at] === 'M' ? months.indexOf(value) + 1 : Number(value);
    };
    const day = ticksOfDate(part('y'), part('m'), part('d'));
    return day === undefined ? null : { day, length: found[0].length };
  }
  return undefined;
}

function ticksOfTime(found: RegExpExecArray): bigint | undefined {
  const [, hourText, minute = '0', second = '0', fraction = '', half] = found;
  // An hour alone needs AM or PM.
  if (found[2] === undefined && half === undefined) return undefined;
  let hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half === 'pm' && hour < 12) hour += 12;
  if (half === 'am' && hour === 12) hour = 0;
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const ticks = BigInt(Math.round(Number(`0.${fraction || '0'}`) * 1e7));
  return BigInt(hour * 3600 + Number(minute) * 60 + Number(second)) * ticksPerSecond + ticks;
}

function parseZone(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  if (zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Rounds to a number of decimal places of a second. */
export function roundTicks(ticks: bigint, scale: number): bigint {
  const unit = 10n ** BigInt(7 - scale);
  return floorDivide(ticks + unit / 2n, unit) * unit;
}

/** datetime keeps 1/300 s. */
export function roundDatetime(ticks: bigint): bigint {
  const day = floorDivide(ticks, ticksPerDay) * ticksPerDay;
  const units = ((ticks - day) * 300n + ticksPerSecond / 2n) / ticksPerSecond;
  // 1/300 s is shown in whole milliseconds: .000, .003, .007.
  return day + (units / 300n) * ticksPerSecond + (((units % 300n) * 1000n * 2n + 300n) / 600n) * 10_000n;
}

export function roundMinute(ticks: bigint): bigint {
  const unit = ticksPerSecond * 60n;
  return floorDivide(ticks + unit / 2n, unit) * unit;
}

export const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

export function formatIsoDate(c: Civil): string {
  return `${pad(c.year, 4)}-${pad(c.month)}-${pad(c.day)}`;
}

export function formatTime(c: Civil, scale: number): string {
  const fraction = scale === 0 ? '' : `.${pad(c.fraction, 7).slice(0, scale)}`;
  return `${pad(c.hour)}:${pad(c.minute)}:${pad(c.second)}${fraction}`;
}

export function formatOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}
