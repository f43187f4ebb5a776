/**
 * AT TIME ZONE (Microsoft documentation, "AT TIME ZONE"): the zones below, by their Windows names, from 2007 to 2037. In these years Windows and the IANA
 * database of Node agree on them. Other Windows zones and years are refused by name.
 */
import { SqlError, type SqlType } from '../../tds/handler';
import { settledType, type Bound } from '../bound';
import { packOffset, ticksOfUtcMs, unpackOffset } from '../datetime';
import { notModelled } from '../errors';
import { isString, type Value } from '../types';
import { arg, rule, strict, text, type FunctionTable, type Invocation } from './rule';

const zones: Readonly<Record<string, string>> = {
  utc: 'UTC',
  'gmt standard time': 'Europe/London',
  'w. europe standard time': 'Europe/Berlin',
  'central european standard time': 'Europe/Warsaw',
  'central europe standard time': 'Europe/Budapest',
  'romance standard time': 'Europe/Paris',
  'fle standard time': 'Europe/Helsinki',
  'eastern standard time': 'America/New_York',
  'central standard time': 'America/Chicago',
  'mountain standard time': 'America/Denver',
  'us mountain standard time': 'America/Phoenix',
  'pacific standard time': 'America/Los_Angeles',
  'india standard time': 'Asia/Kolkata',
  'china standard time': 'Asia/Shanghai',
  'tokyo standard time': 'Asia/Tokyo',
  'korea standard time': 'Asia/Seoul',
  'singapore standard time': 'Asia/Singapore',
  'arabian standard time': 'Asia/Dubai',
  'aus eastern standard time': 'Australia/Sydney',
  'e. australia standard time': 'Australia/Brisbane',
};

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes east of UTC at that moment. @throws SqlError 9820, 50000. */
function offsetAt(zone: string, utcMs: number): number {
  if (zone === 'UTC') return 0;
  let clock = clocks.get(zone);
  if (clock === undefined) clocks.set(zone, (clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })));
  const name = clock.formatToParts(utcMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function findZone(name: string): string {
  const zone = zones[name.trim().toLowerCase()];
  if (zone !== undefined) return zone;
  if (/ Standard Time$| Time$|^UTC[+-]/i.test(name.trim())) throw notModelled(`time zone ${name.trim()}`);
  throw new SqlError(9820, `The time zone parameter '${name}' provided to AT TIME ZONE clause is invalid.`);
}

const dayMs = 86_400_000;
const minuteTicks = 600_000_000n;
const epochTicks = ticksOfUtcMs(0);
const msOf = (ticks: bigint): number => Number((ticks - epochTicks) / 10_000n);

function checkYears(zone: string, ms: number): void {
  const year = new Date(ms).getUTCFullYear();
  if (zone !== 'UTC' && (year < 2007 || year > 2037)) throw notModelled(`AT TIME ZONE in the year ${year}`);
}

/** A local time that occurs twice gets the offset before the change. One that the clock skips moves forward by the skipped time. */
function fromLocal(zone: string, local: bigint): bigint {
  const ms = msOf(local);
  const [before, after] = [offsetAt(zone, ms - dayMs), offsetAt(zone, ms + dayMs)];
  const fits = (offset: number): boolean => offsetAt(zone, ms - offset * 60_000) === offset;
  const offset = fits(before) || !fits(after) ? before : after;
  const utc = local - BigInt(offset) * minuteTicks;
  return packOffset(utc, fits(before) || fits(after) ? offset : after);
}

function bindZone(invocation: Invocation): Bound {
  const input = arg(invocation, 0);
  const type = settledType(input.type);
  if (!/^(small)?datetime2?$|^datetimeoffset$/.test(type.name))
    throw new SqlError(8116, `Argument data type ${type.name} is invalid for argument 1 of AT TIME ZONE function.`, 16, 1, invocation.line);
  const zone = text(invocation, 1);
  if (!isString(arg(invocation, 1).type)) throw new SqlError(9820, 'The time zone parameter provided to AT TIME ZONE clause is invalid.');
  const scale = 'scale' in type ? type.scale : type.name === 'datetime' ? 3 : 0;
  const result: SqlType = { name: 'datetimeoffset', scale };
  const evaluate = (value: bigint, name: string): Value => {
    const found = findZone(name);
    const utc = type.name === 'datetimeoffset' ? unpackOffset(value).utcTicks : undefined;
    checkYears(found, msOf(utc ?? value));
    return utc === undefined ? fromLocal(found, value) : packOffset(utc, offsetAt(found, msOf(utc)));
  };
  return strict(invocation, [input, zone], result, evaluate as never);
}

export const zoneFunctions: FunctionTable = { 'AT TIME ZONE': rule(2, 2, bindZone, 2016) };
