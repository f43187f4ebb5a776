/**
 * Converts between values of the protocol and the engine (ISO dates, booleans) and values inside this folder (ticks, 0
 * and 1).
 */
import type { SqlType, SqlValue, SqlVariant } from '../tds/handler';
import {
  civilOf,
  formatIsoDate,
  formatOffset,
  formatTime,
  packOffset,
  parseDate,
  ticksPerDay,
  unpackOffset,
} from './datetime';
import { isDate, type Value } from './types';
import { packVariant, unpackVariant } from './variant';

export function fromSqlValue(value: SqlValue, type: SqlType): Value {
  if (value === null) return null;
  if (type.name === 'sql_variant') return fromVariant(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (type.name === 'bigint') return BigInt(value as bigint | number);
  if (isDate(type)) return ticksOf(String(value), type);
  if (type.name === 'uniqueidentifier') return String(value).toUpperCase();
  if (type.name === 'decimal') return String(value);
  return value as Value;
}

function fromVariant(value: Exclude<SqlValue, null>): Value {
  if (typeof value !== 'object' || value instanceof Uint8Array)
    return packVariant({ name: 'nvarchar', length: 4000 }, String(value));
  const inner = fromSqlValue(value.value, value.type);
  return inner === null ? null : packVariant(value.type, inner);
}

function ticksOf(text: string, type: SqlType): bigint {
  const parsed = parseDate(text);
  if (parsed === undefined) throw new Error(`not a date or time: ${text}`);
  if (type.name === 'time') return parsed.ticks % ticksPerDay;
  if (type.name !== 'datetimeoffset') return parsed.ticks;
  const offsetMinutes = parsed.offsetMinutes ?? 0;
  return packOffset(parsed.ticks - BigInt(offsetMinutes) * 600_000_000n, offsetMinutes);
}

export function toSqlValue(value: Value, type: SqlType): SqlValue {
  if (value === null) return null;
  if (type.name === 'bit') return value !== 0;
  if (type.name === 'sql_variant') {
    const inner = unpackVariant(value as string);
    return { type: inner.type, value: toSqlValue(inner.value, inner.type) as SqlVariant['value'] };
  }
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return isDate(type) ? isoText(value as bigint, type) : value;
}

function isoText(ticks: bigint, type: SqlType): string {
  const scale = 'scale' in type ? type.scale : type.name === 'datetime' ? 3 : 0;
  if (type.name === 'date') return formatIsoDate(civilOf(ticks));
  if (type.name === 'time') return formatTime(civilOf(ticks), scale);
  const zone = type.name === 'datetimeoffset' ? unpackOffset(ticks) : undefined;
  const local = civilOf(
    zone === undefined ? ticks : zone.utcTicks + BigInt(zone.offsetMinutes) * 600_000_000n,
  );
  return `${formatIsoDate(local)}T${formatTime(local, scale)}${zone === undefined ? '' : formatOffset(zone.offsetMinutes)}`;
}
