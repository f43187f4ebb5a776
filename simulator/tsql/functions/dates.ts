/** Date and time functions. */
import { SqlError, type SqlType } from '../../tds/handler';
import { settledType, type Bound } from '../bound';
import { coerce, convert } from '../coerce';
import { roundTo as roundToType } from '../convert';
import {
  civilOf,
  daysInMonth,
  floorDivide,
  formatOffset,
  maxTicks,
  packOffset,
  ticksOfDate,
  ticksPerDay,
  ticksPerSecond,
  unpackOffset,
} from '../datetime';
import { bigint, int, isDate, isString, nvarchar, type Value } from '../types';
import { arg, asInt, rule, strict, type FunctionTable, type Invocation } from './rule';

const partNames: Readonly<Record<string, string>> = {
  year: 'year',
  yy: 'year',
  yyyy: 'year',
  quarter: 'quarter',
  qq: 'quarter',
  q: 'quarter',
  month: 'month',
  mm: 'month',
  m: 'month',
  dayofyear: 'dayofyear',
  dy: 'dayofyear',
  y: 'dayofyear',
  day: 'day',
  dd: 'day',
  d: 'day',
  week: 'week',
  wk: 'week',
  ww: 'week',
  weekday: 'weekday',
  dw: 'weekday',
  w: 'weekday',
  hour: 'hour',
  hh: 'hour',
  minute: 'minute',
  mi: 'minute',
  n: 'minute',
  second: 'second',
  ss: 'second',
  s: 'second',
  millisecond: 'millisecond',
  ms: 'millisecond',
  microsecond: 'microsecond',
  mcs: 'microsecond',
  nanosecond: 'nanosecond',
  ns: 'nanosecond',
  tzoffset: 'tzoffset',
  tz: 'tzoffset',
  iso_week: 'iso_week',
  isowk: 'iso_week',
  isoww: 'iso_week',
};

export function part(invocation: Invocation): string {
  const [first] = invocation.expressions;
  const written = first?.kind === 'word' ? first.text : undefined;
  const name = written === undefined ? undefined : partNames[written.toLowerCase()];
  if (name === undefined)
    throw new SqlError(155, `'${written ?? ''}' is not a recognized ${invocation.name.toLowerCase()} option.`, 15, 1, invocation.line);
  return name;
}

const timeParts = new Set(['hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond']);

/** A date has no hours, a time no days. @throws SqlError 9810. */
function checkPart(invocation: Invocation, name: string, type: SqlType): void {
  const missing = type.name === 'date' ? timeParts.has(name) : type.name === 'time' && !timeParts.has(name);
  if (!missing) return;
  const message = `The datepart ${name} is not supported by date function ${invocation.name.toLowerCase()} for data type ${type.name}.`;
  throw new SqlError(9810, message, 16, 1, invocation.line);
}

/** A date argument. Characters are read as the widest type, or as the one given. */
export function date(invocation: Invocation, index: number, ofText: SqlType = { name: 'datetimeoffset', scale: 7 }): Bound {
  const bound = arg(invocation, index);
  if (isDate(bound.type)) return bound;
  const to: SqlType = isString(bound.type) ? ofText : { name: 'datetime' };
  return coerce(invocation.binding.duck, bound, to, invocation.line);
}

const unitTicks: Readonly<Record<string, bigint>> = {
  week: ticksPerDay * 7n,
  day: ticksPerDay,
  dayofyear: ticksPerDay,
  weekday: ticksPerDay,
  hour: ticksPerSecond * 3600n,
  minute: ticksPerSecond * 60n,
  second: ticksPerSecond,
  millisecond: 10_000n,
  microsecond: 10n,
};

const isZoned = (type: SqlType): boolean => type.name === 'datetimeoffset';
const localTicks = (value: bigint, type: SqlType): bigint =>
  isZoned(type) ? unpackOffset(value).utcTicks + BigInt(unpackOffset(value).offsetMinutes) * 600_000_000n : value;
const utcTicks = (value: bigint, type: SqlType): bigint => (isZoned(type) ? unpackOffset(value).utcTicks : value);

/** Number of boundaries of the part between two moments. */
function boundaries(name: string, from: bigint, to: bigint): bigint {
  const [a, b] = [civilOf(from), civilOf(to)];
  if (name === 'year') return BigInt(b.year - a.year);
  if (name === 'quarter') return BigInt((b.year - a.year) * 4 + Math.floor((b.month - 1) / 3) - Math.floor((a.month - 1) / 3));
  if (name === 'month') return BigInt((b.year - a.year) * 12 + b.month - a.month);
  if (name === 'nanosecond') return (to - from) * 100n;
  // Weeks begin on Sunday: 0001-01-01 was a Monday.
  if (name === 'week') return floorDivide(to + ticksPerDay, ticksPerDay * 7n) - floorDivide(from + ticksPerDay, ticksPerDay * 7n);
  const unit = unitTicks[name] as bigint;
  return floorDivide(to, unit) - floorDivide(from, unit);
}

function bindDateDiff(invocation: Invocation): Bound {
  const name = part(invocation);
  if (name === 'tzoffset' || name === 'iso_week')
    throw new SqlError(9806, `The datepart ${name} is not supported by date function datediff.`, 16, 0, invocation.line);
  const [from, to] = [date(invocation, 1), date(invocation, 2)];
  const [fromType, toType] = [settledType(from.type), settledType(to.type)];
  const big = invocation.name === 'DATEDIFF_BIG';
  const evaluate = (a: bigint, b: bigint): Value => {
    const count = boundaries(name, utcTicks(a, fromType), utcTicks(b, toType));
    if (big) return count;
    if (BigInt.asIntN(32, count) !== count)
      throw new SqlError(
        535,
        'The datediff function resulted in an overflow. The number of dateparts separating two date/time instances is too large. Try to use datediff with a less precise datepart.',
        16,
        0,
      );
    return Number(count);
  };
  return strict(invocation, [from, to], big ? bigint : int, evaluate as never, `${invocation.name}:${name}`);
}

function addMonths(ticks: bigint, months: number): bigint | undefined {
  const c = civilOf(ticks);
  const total = c.year * 12 + (c.month - 1) + months;
  const [year, month] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1];
  const day = ticksOfDate(year, month, year < 1 || year > 9999 ? 1 : Math.min(c.day, daysInMonth(year, month)));
  return day === undefined ? undefined : day + (ticks - floorDivide(ticks, ticksPerDay) * ticksPerDay);
}

function added(name: string, ticks: bigint, count: number): bigint | undefined {
  if (name === 'year') return addMonths(ticks, count * 12);
  if (name === 'quarter') return addMonths(ticks, count * 3);
  if (name === 'month') return addMonths(ticks, count);
  if (name === 'nanosecond') return ticks + floorDivide(BigInt(count) + 50n, 100n);
  return ticks + BigInt(count) * (unitTicks[name] as bigint);
}

const lastMinute = (ticksOfDate(2079, 6, 6) as bigint) + ticksPerDay - ticksPerDay / 1440n;

/** The first moment of types that begin after the year 1. */
const firstTicks: Readonly<Record<string, bigint | undefined>> = {
  datetime: ticksOfDate(1753, 1, 1),
  smalldatetime: ticksOfDate(1900, 1, 1),
};

function bindDateAdd(invocation: Invocation): Bound {
  const name = part(invocation);
  if (name === 'tzoffset' || name === 'iso_week')
    throw new SqlError(9806, `The datepart ${name} is not supported by date function dateadd.`, 16, 0, invocation.line);
  const bound = arg(invocation, 2);
  const input = isDate(bound.type) ? bound : coerce(invocation.binding.duck, bound, { name: 'datetime' }, invocation.line);
  const type = settledType(input.type);
  checkPart(invocation, name, type);
  const latest = type.name === 'smalldatetime' ? lastMinute : maxTicks;
  const earliest = type.name === 'time' ? -maxTicks : (firstTicks[type.name] ?? 0n);
  const evaluate = (count: number, value: bigint): Value => {
    const zone = isZoned(type) ? unpackOffset(value) : undefined;
    const result = added(name, localTicks(value, type), count);
    if (result === undefined || result < earliest || result > latest)
      throw new SqlError(517, `Adding a value to a '${type.name}' column caused an overflow.`);
    if (type.name === 'time') return ((result % ticksPerDay) + ticksPerDay) % ticksPerDay;
    return zone === undefined
      ? roundToType(result, type, type)
      : packOffset(result - BigInt(zone.offsetMinutes) * 600_000_000n, zone.offsetMinutes);
  };
  const count = convert(invocation.binding.duck, arg(invocation, 1), int);
  return strict(invocation, [count, input], type, evaluate as never, `DATEADD:${name}`);
}

function dayOfYear(ticks: bigint): number {
  return Number(floorDivide(ticks, ticksPerDay) - (ticksOfDate(civilOf(ticks).year, 1, 1) as bigint) / ticksPerDay) + 1;
}

function isoWeek(ticks: bigint): number {
  const day = floorDivide(ticks, ticksPerDay);
  const thursday = day - (((day % 7n) + 7n) % 7n) + 3n;
  return Math.floor((dayOfYear(thursday * ticksPerDay) - 1) / 7) + 1;
}

function partOf(name: string, value: bigint, type: SqlType): number {
  const ticks = localTicks(value, type);
  const c = civilOf(ticks);
  const parts: Readonly<Record<string, () => number>> = {
    year: () => c.year,
    quarter: () => Math.floor((c.month - 1) / 3) + 1,
    month: () => c.month,
    day: () => c.day,
    dayofyear: () => dayOfYear(ticks),
    weekday: () => c.weekday + 1,
    week: () => Number(boundaries('week', ticksOfDate(c.year, 1, 1) as bigint, ticks)) + 1,
    iso_week: () => isoWeek(ticks),
    hour: () => c.hour,
    minute: () => c.minute,
    second: () => c.second,
    millisecond: () => Math.floor(c.fraction / 10_000),
    microsecond: () => Math.floor(c.fraction / 10),
    nanosecond: () => c.fraction * 100,
    tzoffset: () => (isZoned(type) ? unpackOffset(value).offsetMinutes : 0),
  };
  return (parts[name] as () => number)();
}

function bindDatePart(invocation: Invocation): Bound {
  const name = part(invocation);
  const input = date(invocation, 1);
  const type = settledType(input.type);
  checkPart(invocation, name, type);
  return strict(invocation, [input], int, ((value: bigint) => partOf(name, value, type)) as never, `DATEPART:${name}`);
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function bindDateName(invocation: Invocation): Bound {
  const name = part(invocation);
  const input = date(invocation, 1);
  const type = settledType(input.type);
  checkPart(invocation, name, type);
  const evaluate = (value: bigint): string => {
    const number = partOf(name, value, type);
    if (name === 'month') return months[number - 1] as string;
    if (name === 'weekday') return weekdays[number - 1] as string;
    return name === 'tzoffset' ? formatOffset(number) : String(number);
  };
  return strict(invocation, [input], nvarchar(30), evaluate as never, `DATENAME:${name}`);
}

function named(name: string): (invocation: Invocation) => Bound {
  return (invocation) => {
    const input = date(invocation, 0);
    const type = settledType(input.type);
    return strict(invocation, [input], int, ((value: bigint) => partOf(name, value, type)) as never, `DATEPART:${name}`);
  };
}

function bindEndOfMonth(invocation: Invocation): Bound {
  const input = convert(invocation.binding.duck, date(invocation, 0), { name: 'date' });
  const rest = invocation.args.length > 1 ? [asInt(invocation, 1)] : [];
  const evaluate = (value: bigint, count = 0): Value => {
    const moved = addMonths(value, count);
    if (moved === undefined) throw new SqlError(517, "Adding a value to a 'date' column caused an overflow.");
    const c = civilOf(moved);
    return ticksOfDate(c.year, c.month, daysInMonth(c.year, c.month)) as bigint;
  };
  return strict(invocation, [input, ...rest], { name: 'date' }, evaluate as never);
}

export const dateFunctions: FunctionTable = {
  DATEDIFF: rule(3, 3, bindDateDiff),
  DATEDIFF_BIG: rule(3, 3, bindDateDiff, 2016),
  DATEADD: rule(3, 3, bindDateAdd),
  DATEPART: rule(2, 2, bindDatePart),
  DATENAME: rule(2, 2, bindDateName),
  YEAR: rule(1, 1, named('year')),
  MONTH: rule(1, 1, named('month')),
  DAY: rule(1, 1, named('day')),
  EOMONTH: rule(1, 2, bindEndOfMonth),
};
