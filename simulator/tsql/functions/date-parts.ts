/** Dates and times made from parts, and DATETRUNC (Microsoft documentation, "Date and time data types and functions"). */
import { SqlError, type SqlType } from '../../tds/handler';
import { settledType, type Bound } from '../bound';
import { roundTo } from '../convert';
import { civilOf, floorDivide, packOffset, ticksOfDate, ticksPerDay, ticksPerSecond, unpackOffset } from '../datetime';
import { notModelled } from '../errors';
import { isDate, type Value } from '../types';
import { boundaryUnit, date, part } from './dates';
import { arg, asInt, rule, strict, type FunctionTable, type Invocation } from './rule';

const cannotConstruct = (type: SqlType): SqlError =>
  new SqlError(289, `Cannot construct data type ${type.name}, some of the arguments have values which are not valid.`);

/** Ticks of a time of day; undefined for hour 24, minute 60... @param unit ticks of one fraction */
function ticksOfTime(hour: number, minute: number, second: number, fraction: number, unit: bigint): bigint | undefined {
  const within = (value: number, limit: number): boolean => value >= 0 && value < limit;
  if (!within(hour, 24) || !within(minute, 60) || !within(second, 60)) return undefined;
  const part = BigInt(fraction) * unit;
  if (part < 0n || part >= ticksPerSecond) return undefined;
  return BigInt(hour * 3600 + minute * 60 + second) * ticksPerSecond + part;
}

const sum = (a: bigint | undefined, b: bigint | undefined): bigint | undefined => (a === undefined || b === undefined ? undefined : a + b);

/** The last argument of the types with a scale is that scale, as a literal. */
function scaleOf(invocation: Invocation): number {
  const value = invocation.args[invocation.args.length - 1]?.constant?.value;
  if (typeof value !== 'number') throw notModelled(`${invocation.name} with a precision that is not constant`, invocation.line);
  if (value < 0 || value > 7)
    throw new SqlError(1002, `Line ${invocation.line}: Specified scale ${value} is invalid.`, 15, 1, invocation.line);
  return value;
}

function bindParts(
  type: (invocation: Invocation) => SqlType,
  make: (parts: readonly number[], type: SqlType) => bigint | undefined,
): (invocation: Invocation) => Bound {
  return (invocation) => {
    const made = type(invocation);
    const count = 'scale' in made ? invocation.args.length - 1 : invocation.args.length;
    const args = invocation.args.slice(0, count).map((_, index) => asInt(invocation, index));
    const evaluate = (...parts: number[]): Value => {
      const ticks = make(parts, made);
      if (ticks === undefined) throw cannotConstruct(made);
      return ticks;
    };
    return strict(invocation, args, made, evaluate as never);
  };
}

const scaled =
  (name: 'time' | 'datetime2' | 'datetimeoffset') =>
  (invocation: Invocation): SqlType => ({ name, scale: scaleOf(invocation) });
const fractionUnit = (type: SqlType): bigint => 10n ** BigInt(7 - ('scale' in type ? type.scale : 7));

type Seven = [number, number, number, number, number, number, number];

function datetimeOf(parts: readonly number[]): bigint | undefined {
  const [year, month, day, hour, minute, second, milliseconds] = parts as Seven;
  const ticks = sum(ticksOfDate(year, month, day), ticksOfTime(hour, minute, second, milliseconds, 10_000n));
  return ticks === undefined || year < 1753 ? undefined : roundTo(ticks, { name: 'datetime' }, { name: 'datetime' });
}

function datetime2Of(parts: readonly number[], type: SqlType): bigint | undefined {
  const [year, month, day, hour, minute, second, fraction] = parts as Seven;
  return sum(ticksOfDate(year, month, day), ticksOfTime(hour, minute, second, fraction, fractionUnit(type)));
}

function offsetOf(parts: readonly number[], type: SqlType): bigint | undefined {
  const local = datetime2Of(parts, type);
  const [hours = 0, minutes = 0] = parts.slice(7);
  const offset = hours * 60 + minutes;
  if (local === undefined || Math.abs(offset) > 840 || Math.abs(minutes) > 59 || hours * minutes < 0) return undefined;
  return packOffset(local - BigInt(offset) * 600_000_000n, offset);
}

function smallOf(parts: readonly number[]): bigint | undefined {
  const [year, month, day, hour, minute] = parts as Seven;
  return year < 1900 || year > 2079 ? undefined : sum(ticksOfDate(year, month, day), ticksOfTime(hour, minute, 0, 0, 1n));
}

/** Goes back to the start of the part; weeks begin on Sunday (DATEFIRST 7), ISO weeks on Monday. Since SQL Server 2022. */
function bindTruncate(invocation: Invocation): Bound {
  const name = part(invocation);
  if (['weekday', 'tzoffset', 'nanosecond'].includes(name))
    throw new SqlError(
      9810,
      `The datepart ${name} is not supported by date function datetrunc for data type ${arg(invocation, 1).type.name}.`,
    );
  const given = arg(invocation, 1);
  const input = isDate(given.type) ? given : date(invocation, 1, { name: 'datetime2', scale: 7 });
  const type = settledType(input.type);
  if (type.name === 'time' && boundaryUnit(name) === undefined) throw notModelled(`DATETRUNC(${name}) of a time`, invocation.line);
  const evaluate = (value: bigint): Value => {
    const zone = type.name === 'datetimeoffset' ? unpackOffset(value) : undefined;
    const shift = BigInt(zone?.offsetMinutes ?? 0) * 600_000_000n;
    const start = startOf(name, (zone?.utcTicks ?? value) + shift);
    return zone === undefined ? roundTo(start, type, type) : packOffset(start - shift, zone.offsetMinutes);
  };
  return strict(invocation, [input], type, evaluate as never, `DATETRUNC:${name}`);
}

function startOf(name: string, ticks: bigint): bigint {
  const c = civilOf(ticks);
  if (name === 'year') return ticksOfDate(c.year, 1, 1) as bigint;
  if (name === 'quarter') return ticksOfDate(c.year, c.month - ((c.month - 1) % 3), 1) as bigint;
  if (name === 'month') return ticksOfDate(c.year, c.month, 1) as bigint;
  const day = floorDivide(ticks, ticksPerDay) * ticksPerDay;
  if (name === 'week') return day - BigInt(c.weekday) * ticksPerDay;
  if (name === 'iso_week') return day - BigInt((c.weekday + 6) % 7) * ticksPerDay;
  const unit = boundaryUnit(name) as bigint;
  return day + floorDivide(ticks - day, unit) * unit;
}

export const datePartFunctions: FunctionTable = {
  DATETIMEFROMPARTS: rule(
    7,
    7,
    bindParts(() => ({ name: 'datetime' }), datetimeOf),
  ),
  SMALLDATETIMEFROMPARTS: rule(
    5,
    5,
    bindParts(() => ({ name: 'smalldatetime' }), smallOf),
  ),
  DATETIME2FROMPARTS: rule(8, 8, bindParts(scaled('datetime2'), datetime2Of)),
  DATETIMEOFFSETFROMPARTS: rule(10, 10, bindParts(scaled('datetimeoffset'), offsetOf)),
  TIMEFROMPARTS: rule(
    5,
    5,
    bindParts(scaled('time'), ([hour = 0, minute = 0, second = 0, fraction = 0], type) =>
      ticksOfTime(hour, minute, second, fraction, fractionUnit(type)),
    ),
  ),
  DATETRUNC: rule(2, 2, bindTruncate, 2022),
};
