/** CAST and CONVERT, one value at a time, with SQL Server's errors. */
import { notModelled, sqlError } from '../tds/messages';
import type { SqlError, SqlType } from '../tds/handler';
import { encodeCodePage } from '../tds/code-page';
import { toCodePage } from './code-page';
import { formatDate, checkStyle } from './date-style';
import {
  civilOf,
  maxTicks,
  packOffset,
  roundDatetime,
  roundMinute,
  roundTicks,
  ticksPerDay,
  unpackOffset,
  parseDate,
} from './datetime';
import { toDecimalText } from './decimal';
import { overflow } from './errors';
import { bytesToText, formatFloat, parseInteger, parseFloatText } from './number-text';
import { isBinary, isDate, isInteger, isNumber, isString, isUnicode, type Value } from './types';
import { canonicalXml } from './xml-tree';
import { packVariant, unpackVariant } from './variant';

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  tinyint: [0n, 255n],
  smallint: [-32768n, 32767n],
  int: [-2147483648n, 2147483647n],
  bigint: [-9223372036854775808n, 9223372036854775807n],
};

/** The name that SQL Server's messages use. */
export const messageName = (type: SqlType): string => (type.name === 'decimal' ? 'numeric' : type.name);

/**
 * @throws SqlError 220, 232, 241, 242, 245, 281, 529, 8114, 8115...
 * @param explicit true for CAST and CONVERT, false for an implicit conversion.
 */
export function convertValue(value: Value, from: SqlType, to: SqlType, style?: number): Value {
  if (value === null) return null;
  if (from.name === 'sql_variant') {
    if (to.name === 'sql_variant') return value;
    const inner = unpackVariant(value as string);
    return convertValue(inner.value, inner.type, to, style);
  }
  if (to.name === 'sql_variant') return packVariant(from, value);
  if (isInteger(to)) return toInteger(value, from, to);
  if (to.name === 'decimal') return toDecimal(value, from, to);
  if (to.name === 'float' || to.name === 'real') return toFloat(value, from, to);
  if (isString(to)) return toCharacters(value, from, to, style);
  if (isDate(to)) return toDate(value, from, to, style);
  if (isBinary(to)) return toBinary(value, from, to, style);
  if (to.name === 'uniqueidentifier') return toGuid(value, from);
  if (to.name === 'xml' && from.name === 'xml') return value;
  if (to.name === 'xml' && isString(from)) return canonicalXml(value as string, style === 1 || style === 3);
  throw disallowed(from, to);
}

function disallowed(from: SqlType, to: SqlType): SqlError {
  return sqlError(529, [messageName(from), messageName(to)]);
}

function toInteger(value: Exclude<Value, null>, from: SqlType, to: SqlType): Value {
  if (to.name === 'bit') return toBit(value, from);
  const whole = wholeNumber(value, from, to);
  const [low, high] = ranges[to.name] as readonly [bigint, bigint];
  if (whole < low || whole > high) throw integerOverflow(value, from, to);
  return to.name === 'bigint' ? whole : Number(whole);
}

function wholeNumber(value: Exclude<Value, null>, from: SqlType, to: SqlType): bigint {
  if (isInteger(from)) return BigInt(value as number);
  if (from.name === 'decimal') return BigInt((value as string).split('.')[0] || '0');
  if (from.name === 'float' || from.name === 'real') return BigInt(Math.trunc(value as number));
  if (isString(from)) return parseInteger(value as string, from, to);
  if (isBinary(from) || isLegacyDate(from)) throw notModelled(`${messageName(from)} as ${to.name}`);
  throw disallowed(from, to);
}

function integerOverflow(value: Exclude<Value, null>, from: SqlType, to: SqlType): SqlError {
  if (isString(from)) {
    if (to.name === 'int') return sqlError(248, [from.name, value]);
    return sqlError(244, [
      from.name,
      value,
      to.name === 'tinyint' ? 'INT1' : to.name === 'smallint' ? 'INT2' : 'INT8',
    ]);
  }
  if (from.name === 'float' || from.name === 'real')
    return sqlError(232, [to.name, (value as number).toFixed(6)]);
  if (isInteger(from) && to.name !== 'int') return sqlError(220, [to.name, value]);
  return overflow(to.name);
}

function toBit(value: Exclude<Value, null>, from: SqlType): number {
  if (isString(from)) throw notModelled('text as bit');
  if (isNumber(from)) return Number(value) === 0 ? 0 : 1;
  if (isBinary(from)) return (value as Uint8Array).some((byte) => byte !== 0) ? 1 : 0;
  throw disallowed(from, { name: 'bit' });
}

const isLegacyDate = (type: SqlType): boolean => type.name === 'datetime' || type.name === 'smalldatetime';

/** Days since 1900-01-01, with the time of day as their fraction. */
const daysOf = (ticks: bigint): number => Number(ticks - epoch1900) / Number(ticksPerDay);

function toDecimal(
  value: Exclude<Value, null>,
  from: SqlType,
  to: Extract<SqlType, { name: 'decimal' }>,
): Value {
  if (isLegacyDate(from)) return toDecimalText(floatDigits(daysOf(value as bigint)), to, messageName(from));
  if (isString(from)) {
    const text = (value as string).trim();
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw sqlError(8114, [from.name, 'numeric']);
    return toDecimalText(text, to, messageName(from));
  }
  if (!isNumber(from)) throw disallowed(from, to);
  const text = from.name === 'float' || from.name === 'real' ? floatDigits(value as number) : String(value);
  return toDecimalText(text, to, messageName(from));
}

function floatDigits(value: number): string {
  return Math.abs(value) < 1e21 ? value.toFixed(20).replace(/(\d{17})\d*$/, '$1') : BigInt(value).toString();
}

function toFloat(value: Exclude<Value, null>, from: SqlType, to: SqlType): Value {
  if (isString(from)) {
    const number = parseFloatText(value as string);
    if (number === undefined) throw sqlError(8114, [from.name, to.name]);
    return toReal(number, to);
  }
  if (isLegacyDate(from)) return toReal(daysOf(value as bigint), to);
  if (!isNumber(from)) throw disallowed(from, to);
  return toReal(Number(value), to);
}

function toReal(value: number, to: SqlType): number {
  if (to.name !== 'real') return value;
  const rounded = Math.fround(value);
  if (!Number.isFinite(rounded)) throw sqlError(232, ['real', value.toFixed(6)], 1, { state: 2 });
  return rounded;
}

function toCharacters(
  value: Exclude<Value, null>,
  from: SqlType,
  to: Extract<SqlType, { name: 'varchar' | 'char' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary' }>,
  style?: number,
): Value {
  const characters = charactersOf(value, from, to, style);
  const text = isUnicode(to) ? characters : toCodePage(characters);
  const fitted = fit(text, from, to);
  const length = to.length;
  return length !== 'max' && (to.name === 'char' || to.name === 'nchar') ? fitted.padEnd(length) : fitted;
}

function charactersOf(value: Exclude<Value, null>, from: SqlType, to: SqlType, style?: number): string {
  if (from.name === 'float' || from.name === 'real') return formatFloat(value as number, style);
  if (isDate(from)) return formatDate(value as bigint, from, style);
  if (isBinary(from)) return bytesToText(value as Uint8Array, isUnicode(to), style);
  return String(value);
}

/** If a value does not fit: strings and dates are cut, integers become `*` or an error, the rest is an error. */
function fit(
  text: string,
  from: SqlType,
  to: Extract<SqlType, { name: 'varchar' | 'char' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary' }>,
): string {
  if (to.length === 'max' || text.length <= to.length) return text;
  if (isString(from) || isDate(from) || isBinary(from) || from.name === 'xml')
    return text.slice(0, to.length);
  if (from.name === 'uniqueidentifier') throw sqlError(8170);
  if (isInteger(from) && from.name !== 'bigint' && !isUnicode(to)) return '*';
  throw sqlError(8115, [isInteger(from) ? 'expression' : messageName(from), to.name]);
}

function toDate(value: Exclude<Value, null>, from: SqlType, to: SqlType, style?: number): Value {
  const local = localTicks(value, from, to, style);
  if (to.name === 'datetimeoffset') {
    const rounded = roundTicks(local.ticks, to.scale);
    return packOffset(rounded - BigInt(local.offsetMinutes) * 600_000_000n, local.offsetMinutes);
  }
  return roundTo(local.ticks, to, from);
}

export function roundTo(ticks: bigint, to: SqlType, from: SqlType): bigint {
  switch (to.name) {
    case 'date':
      return ticks - (ticks % ticksPerDay);
    case 'time':
      return roundTicks(ticks % ticksPerDay, to.scale) % ticksPerDay;
    case 'datetime2': {
      const rounded = roundTicks(ticks, to.scale);
      return rounded > maxTicks ? rounded - 10n ** BigInt(7 - to.scale) : rounded;
    }
    default: {
      // A smalldatetime is rounded as a datetime first: 29.998 seconds go down, 29.999 go up (Microsoft Learn,
      // "smalldatetime").
      const rounded = to.name === 'datetime' ? roundDatetime(ticks) : roundMinute(roundDatetime(ticks));
      const year = civilOf(ticks).year;
      if (to.name === 'datetime' ? year < 1753 : year < 1900 || year > 2079)
        throw sqlError(242, [from.name, to.name]);
      return rounded;
    }
  }
}

const epoch1900 = 693595n * ticksPerDay;

function localTicks(
  value: Exclude<Value, null>,
  from: SqlType,
  to: SqlType,
  style?: number,
): { ticks: bigint; offsetMinutes: number } {
  if (isString(from)) return parseLocal(value as string, from, to, style);
  if (from.name === 'datetimeoffset') {
    const { utcTicks, offsetMinutes } = unpackOffset(value as bigint);
    return { ticks: utcTicks + BigInt(offsetMinutes) * 600_000_000n, offsetMinutes };
  }
  if (from.name === 'time') {
    if (to.name === 'date') throw disallowed(from, to);
    return {
      ticks: to.name === 'time' ? (value as bigint) : epoch1900 + (value as bigint),
      offsetMinutes: 0,
    };
  }
  if (isDate(from)) {
    if (from.name === 'date' && to.name === 'time') throw disallowed(from, to);
    return { ticks: value as bigint, offsetMinutes: 0 };
  }
  const legacy = to.name === 'datetime' || to.name === 'smalldatetime';
  if (isNumber(from) && legacy)
    return { ticks: epoch1900 + BigInt(Math.round(Number(value) * Number(ticksPerDay))), offsetMinutes: 0 };
  throw disallowed(from, to);
}

function toBinary(
  value: Exclude<Value, null>,
  from: SqlType,
  to: Extract<SqlType, { name: 'binary' | 'varbinary' | 'char' | 'varchar' | 'nchar' | 'nvarchar' }>,
  style?: number,
): Value {
  const bytes = bytesOf(value, from, to, style);
  if (to.length === 'max') return bytes;
  const cut = bytes.slice(0, to.length);
  if (to.name === 'varbinary') return cut;
  const padded = new Uint8Array(to.length);
  padded.set(cut);
  return padded;
}

function bytesOf(value: Exclude<Value, null>, from: SqlType, to: SqlType, style?: number): Uint8Array {
  if (isBinary(from)) return value as Uint8Array;
  if (isInteger(from) || from.name === 'uniqueidentifier') throw notModelled(`${from.name} as ${to.name}`);
  if (isString(from)) {
    if (style === 1 || style === 2) return hexBytes(value as string, style, to);
    return isUnicode(from)
      ? Buffer.from(value as string, 'utf16le')
      : encodeCodePage(toCodePage(value as string));
  }
  throw disallowed(from, to);
}

function hexBytes(text: string, style: number, to: SqlType): Uint8Array {
  const hex =
    style === 1 ? /^0x((?:[0-9a-f]{2})*)$/i.exec(text)?.[1] : /^((?:[0-9a-f]{2})*)$/i.exec(text)?.[1];
  if (hex === undefined) throw sqlError(8114, ['varchar', to.name]);
  return Buffer.from(hex, 'hex');
}

function toGuid(value: Exclude<Value, null>, from: SqlType): Value {
  if (from.name === 'uniqueidentifier') return value;
  if (isBinary(from)) throw notModelled('binary as uniqueidentifier');
  if (isString(from)) {
    const found = /^\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i.exec(
      (value as string).trim(),
    );
    if (found === null) throw sqlError(8169);
    return (found[1] as string).toUpperCase();
  }
  throw disallowed(from, { name: 'uniqueidentifier' });
}

/** The local time of a text, and its offset, 0 if it has none. @throws SqlError 241, 242, 295. */
function parseLocal(
  text: string,
  from: SqlType,
  to: SqlType,
  style?: number,
): { ticks: bigint; offsetMinutes: number } {
  if (style !== undefined) checkStyle(style);
  const parsed = parseDate(text);
  const legacy = to.name === 'datetime' || to.name === 'smalldatetime';
  const tooFine = legacy && /[.]\d{4,}/.test(text);
  if (
    parsed === undefined ||
    tooFine ||
    (legacy && parsed.offsetMinutes !== undefined && !/z\s*$/i.test(text))
  )
    throw dateFailure(text, from, to);
  const offsetMinutes = parsed.offsetMinutes ?? 0;
  // A text with an offset, read as a type without one, keeps its local time.
  return { ticks: parsed.ticks, offsetMinutes };
}

function dateFailure(text: string, from: SqlType, to: SqlType): SqlError {
  if (
    to.name === 'datetime' &&
    /^\s*\d{1,4}[-/.]?\d{1,2}[-/.]?\d{1,4}/.test(text) &&
    parseDate(text) === undefined
  )
    return sqlError(242, [from.name, 'datetime']);
  if (to.name === 'smalldatetime') return sqlError(295);
  return sqlError(241);
}
