/** Date and time functions. */
import type { SqlType } from '../../tds/handler';
import { settledType, type Bound } from '../bound';
import { coerce, convert } from '../coerce';
import { notModelled } from '../errors';
import { roundTo as roundToType } from '../convert';
import {
  civilOf,
  floorDivide,
  maxTicks,
  packOffset,
  ticksOfDate,
  ticksPerDay,
  ticksPerSecond,
  unpackOffset,
} from '../datetime';
import { int, isDate, isString, type Value } from '../types';
import { arg, rule, strict, type FunctionTable, type Invocation } from './rule';
import { sqlError } from '../../tds/messages';
import { wordSet } from '../word-set';

/** Each with its abbreviations. */
const PARTS =
  'year yy yyyy, month mm m, day dd d, hour hh, minute mi n, second ss s, millisecond ms, microsecond mcs, tzoffset tz'.split(
    ', ',
  );
const partNames = Object.fromEntries(
  PARTS.flatMap((part) => part.split(' ').map((each) => [each, part.split(' ')[0] as string])),
);

/** Parts that SQL Server has besides these. */
const notModelledParts = wordSet(`quarter qq q dayofyear dy y week wk ww weekday dw w nanosecond ns iso_week
  isowk isoww`);

function part(invocation: Invocation): string {
  const [first] = invocation.expressions;
  const written = first?.kind === 'word' ? first.text : undefined;
  const name = written === undefined ? undefined : partNames[written.toLowerCase()];
  if (notModelledParts.has(written?.toLowerCase() ?? ''))
    throw notModelled(`the datepart ${written ?? ''}`, invocation.line);
  if (name === undefined)
    throw sqlError(155, [written ?? '', invocation.name.toLowerCase()], invocation.line);
  return name;
}

const timeParts = new Set(['hour', 'minute', 'second', 'millisecond', 'microsecond']);

/** A date has no hours, a time no days. @throws SqlError 9810. */
function checkPart(invocation: Invocation, name: string, type: SqlType): void {
  const missing = type.name === 'date' ? timeParts.has(name) : type.name === 'time' && !timeParts.has(name);
  if (!missing) return;
  throw sqlError(9810, [name, invocation.name.toLowerCase(), type.name], invocation.line);
}

/** A date argument. Characters are read as the widest type, or as the one given. */
function date(
  invocation: Invocation,
  index: number,
  ofText: SqlType = { name: 'datetimeoffset', scale: 7 },
): Bound {
  const bound = arg(invocation, index);
  if (isDate(bound.type)) return bound;
  const to: SqlType = isString(bound.type) ? ofText : { name: 'datetime' };
  return coerce(invocation.binding.duck, bound, to, invocation.line);
}

const unitTicks: Readonly<Record<string, bigint>> = {
  day: ticksPerDay,
  hour: ticksPerSecond * 3600n,
  minute: ticksPerSecond * 60n,
  second: ticksPerSecond,
  millisecond: 10_000n,
  microsecond: 10n,
};

const isZoned = (type: SqlType): boolean => type.name === 'datetimeoffset';
const localTicks = (value: bigint, type: SqlType): bigint =>
  isZoned(type)
    ? unpackOffset(value).utcTicks + BigInt(unpackOffset(value).offsetMinutes) * 600_000_000n
    : value;
const utcTicks = (value: bigint, type: SqlType): bigint =>
  isZoned(type) ? unpackOffset(value).utcTicks : value;

/** @throws SqlError 9806 for an offset; months and years have no fixed length and are not modelled */
function requireUnit(name: string, { name: called, line }: Invocation): void {
  if (name === 'tzoffset') throw sqlError(9806, [name, called.toLowerCase()], line);
  if (unitTicks[name] === undefined) throw notModelled(`the datepart ${name} of ${called}`, line);
}

/** Number of boundaries of the unit between two moments. */
function boundaries(name: string, from: bigint, to: bigint): bigint {
  const unit = unitTicks[name] as bigint;
  return floorDivide(to, unit) - floorDivide(from, unit);
}

function bindDateDiff(invocation: Invocation): Bound {
  const name = part(invocation);
  requireUnit(name, invocation);
  const [from, to] = [date(invocation, 1), date(invocation, 2)];
  const [fromType, toType] = [settledType(from.type), settledType(to.type)];
  const evaluate = (a: bigint, b: bigint): Value => {
    const count = boundaries(name, utcTicks(a, fromType), utcTicks(b, toType));
    if (BigInt.asIntN(32, count) !== count) throw sqlError(535);
    return Number(count);
  };
  return strict(invocation, [from, to], int, evaluate as never, `DATEDIFF:${name}`);
}

const lastMinute = (ticksOfDate(2079, 6, 6) as bigint) + ticksPerDay - ticksPerDay / 1440n;

/** The first moment of types that begin after the year 1. */
const firstTicks: Readonly<Record<string, bigint | undefined>> = {
  datetime: ticksOfDate(1753, 1, 1),
  smalldatetime: ticksOfDate(1900, 1, 1),
};

function bindDateAdd(invocation: Invocation): Bound {
  const name = part(invocation);
  requireUnit(name, invocation);
  const bound = arg(invocation, 2);
  const input = isDate(bound.type)
    ? bound
    : coerce(invocation.binding.duck, bound, { name: 'datetime' }, invocation.line);
  const type = settledType(input.type);
  checkPart(invocation, name, type);
  const latest = type.name === 'smalldatetime' ? lastMinute : maxTicks;
  const earliest = type.name === 'time' ? -maxTicks : (firstTicks[type.name] ?? 0n);
  const evaluate = (count: number, value: bigint): Value => {
    const zone = isZoned(type) ? unpackOffset(value) : undefined;
    const result = localTicks(value, type) + BigInt(count) * (unitTicks[name] as bigint);
    if (result < earliest || result > latest) throw sqlError(517, [type.name]);
    if (type.name === 'time') return ((result % ticksPerDay) + ticksPerDay) % ticksPerDay;
    return zone === undefined
      ? roundToType(result, type, type)
      : packOffset(result - BigInt(zone.offsetMinutes) * 600_000_000n, zone.offsetMinutes);
  };
  const count = convert(invocation.binding.duck, arg(invocation, 1), int);
  return strict(invocation, [count, input], type, evaluate as never, `DATEADD:${name}`);
}

function partOf(name: string, value: bigint, type: SqlType): number {
  const ticks = localTicks(value, type);
  const c = civilOf(ticks);
  const parts: Readonly<Record<string, () => number>> = {
    year: () => c.year,
    month: () => c.month,
    day: () => c.day,
    hour: () => c.hour,
    minute: () => c.minute,
    second: () => c.second,
    millisecond: () => Math.floor(c.fraction / 10_000),
    microsecond: () => Math.floor(c.fraction / 10),
    tzoffset: () => (isZoned(type) ? unpackOffset(value).offsetMinutes : 0),
  };
  return (parts[name] as () => number)();
}

function bindDatePart(invocation: Invocation): Bound {
  const name = part(invocation);
  const input = date(invocation, 1);
  const type = settledType(input.type);
  checkPart(invocation, name, type);
  return strict(
    invocation,
    [input],
    int,
    ((value: bigint) => partOf(name, value, type)) as never,
    `DATEPART:${name}`,
  );
}

export const dateFunctions: FunctionTable = {
  DATEDIFF: rule(3, 3, bindDateDiff),
  DATEADD: rule(3, 3, bindDateAdd),
  DATEPART: rule(2, 2, bindDatePart),
};
