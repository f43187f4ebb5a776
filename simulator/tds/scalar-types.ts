import type { SqlType, SqlValue } from './handler';
import type { ByteWriter } from './byte-writer';
import {
  daysTo1900,
  daysOfDate,
  momentOf,
  roundMoment,
  shiftMoment,
  thirdsOf,
  ticksOfTime,
  ticksPerDay,
  ticksPerSecond,
  zonedMomentOf,
  type Moment,
} from './date-time';

export type Present = Exclude<SqlValue, null>;

/** A type whose values all have the same length: numbers, dates, times, uniqueidentifier. */
export interface ScalarType {
  /** The token of a NOT NULL column, if there is one; its values have no length in front. */
  readonly fixedToken?: number;
  /** The token of a column that takes NULL; each value has its length in front. */
  readonly token: number;
  /** What follows the token in a column's description. */
  readonly info: readonly number[];
  /** The description of the type inside a sql_variant. */
  readonly properties: readonly number[];
  readonly bytes: number;
  write(writer: ByteWriter, value: Present): void;
}

/** Throws: a session gave a value that its column cannot hold, a mistake behind the protocol. */
export function refuseValue(value: Present, type: SqlType): never {
  throw new TypeError(`a value of JavaScript type ${typeof value} cannot be sent as ${type.name}`);
}

export function textOf(value: Present, type: SqlType): string {
  return typeof value === 'string' ? value : refuseValue(value, type);
}

function numberOf(value: Present, type: SqlType): number {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : refuseValue(value, type);
}

function bigintOf(value: Present, type: SqlType): bigint {
  return typeof value === 'bigint' ? value : BigInt(numberOf(value, type));
}

/** Bytes of the time in time(n), datetime2(n) and datetimeoffset(n). */
function timeBytes(scale: number): number {
  if (scale <= 2) return 3;
  return scale <= 4 ? 4 : 5;
}

function writeTime(writer: ByteWriter, ticks: number, scale: number): void {
  writer.uint(ticks / 10 ** (7 - scale), timeBytes(scale));
}

function writeMoment(writer: ByteWriter, moment: Moment, scale: number): void {
  writeTime(writer, moment.ticks, scale);
  writer.uint(moment.days, 3);
}

/** datetime, since 1753: days since 1900 and 1/300 s. The last 1/300 s of a day rounds to the next day. */
function writeDatetime(writer: ByteWriter, text: string): void {
  const moment = momentOf(text);
  const thirds = thirdsOf(moment.ticks);
  const nextDay = thirds === 300 * 86_400;
  const days = moment.days - daysTo1900 + (nextDay ? 1 : 0);
  if (days < -53_690 || days > 2_958_463) throw new RangeError(`${text} is out of the range of datetime`);
  writer.i32(days).u32(nextDay ? 0 : thirds);
}

/** smalldatetime: whole minutes; 29.998 s and less round down. 1900-01-01 to 2079-06-06. */
function writeSmalldatetime(writer: ByteWriter, text: string): void {
  const moment = momentOf(text);
  const minutes = Math.floor((thirdsOf(moment.ticks) + 9_000) / 18_000);
  const nextDay = minutes === 1440;
  writer.u16(moment.days - daysTo1900 + (nextDay ? 1 : 0)).u16(nextDay ? 0 : minutes);
}

function writeDatetimeoffset(writer: ByteWriter, text: string, scale: number): void {
  const { local, offsetMinutes } = zonedMomentOf(text);
  writeMoment(writer, roundMoment(shiftMoment(local, -offsetMinutes * 60 * ticksPerSecond), scale), scale);
  writer.i16(offsetMinutes);
}

/** The first three groups are little-endian on the wire, the last two as written. */
function writeUniqueidentifier(writer: ByteWriter, text: string): void {
  if (!/^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(text))
    throw new RangeError(`'${text}' is no uniqueidentifier`);
  const bytes = Buffer.from(text.replace(/[{}-]/g, ''), 'hex');
  bytes.subarray(0, 4).swap32();
  bytes.subarray(4, 8).swap16();
  writer.raw(bytes);
}

/** A type without a scale whose NOT NULL columns have a token of their own. */
function fixedType(fixedToken: number, token: number, bytes: number, write: ScalarType['write']): ScalarType {
  return { fixedToken, token, info: [bytes], properties: [], bytes, write };
}

/** A type without a scale that has only the token of a column that takes NULL. */
function plainType(
  token: number,
  info: readonly number[],
  bytes: number,
  write: ScalarType['write'],
): ScalarType {
  return { token, info, properties: [], bytes, write };
}

function scaledType(token: number, scale: number, bytes: number, write: ScalarType['write']): ScalarType {
  return { token, info: [scale], properties: [scale], bytes, write };
}

/** Undefined for types whose values differ in length. */
export function scalarTypeOf(type: SqlType): ScalarType | undefined {
  const text = (value: Present): string => textOf(value, type);
  switch (type.name) {
    case 'bit':
      return fixedType(0x32, 0x68, 1, (w, v) => w.u8(numberOf(v, type) === 0 ? 0 : 1));
    case 'tinyint':
      return fixedType(0x30, 0x26, 1, (w, v) => w.uint(numberOf(v, type), 1));
    case 'smallint':
      return fixedType(0x34, 0x26, 2, (w, v) => w.i16(numberOf(v, type)));
    case 'int':
      return fixedType(0x38, 0x26, 4, (w, v) => w.i32(numberOf(v, type)));
    case 'bigint':
      return fixedType(0x7f, 0x26, 8, (w, v) => w.i64(bigintOf(v, type)));
    case 'real':
      return fixedType(0x3b, 0x6d, 4, (w, v) => w.f32(numberOf(v, type)));
    case 'float':
      return fixedType(0x3e, 0x6d, 8, (w, v) => w.f64(numberOf(v, type)));
    case 'datetime':
      return fixedType(0x3d, 0x6f, 8, (w, v) => writeDatetime(w, text(v)));
    case 'smalldatetime':
      return fixedType(0x3a, 0x6f, 4, (w, v) => writeSmalldatetime(w, text(v)));
    case 'uniqueidentifier':
      return plainType(0x24, [16], 16, (w, v) => writeUniqueidentifier(w, text(v)));
    case 'decimal':
      return decimalType(type.precision, type.scale);
    case 'date':
      return plainType(0x28, [], 3, (w, v) => w.uint(daysOfDate(text(v)), 3));
    case 'time':
      // A time that rounds up to midnight is 00:00:00, because it has no day.
      return scaledType(0x29, type.scale, timeBytes(type.scale), (w, v) =>
        writeTime(
          w,
          roundMoment({ days: 0, ticks: ticksOfTime(text(v)) }, type.scale).ticks % ticksPerDay,
          type.scale,
        ),
      );
    case 'datetime2':
      return scaledType(0x2a, type.scale, timeBytes(type.scale) + 3, (w, v) =>
        writeMoment(w, roundMoment(momentOf(text(v)), type.scale), type.scale),
      );
    case 'datetimeoffset':
      return scaledType(0x2b, type.scale, timeBytes(type.scale) + 5, (w, v) =>
        writeDatetimeoffset(w, text(v), type.scale),
      );
    default:
      return undefined;
  }
}

function decimalType(precision: number, scale: number): ScalarType {
  const bytes = decimalBytes(precision);
  const decimalText = (value: Present): string =>
    typeof value === 'string' ? value : String(bigintOrNumber(value, precision, scale));
  return {
    token: 0x6c,
    info: [bytes, precision, scale],
    properties: [precision, scale],
    bytes,
    write: (writer, value) => writer.raw(encodeDecimal(decimalText(value), precision, scale)),
  };
}

function bigintOrNumber(value: Present, precision: number, scale: number): bigint | number {
  return typeof value === 'bigint' || typeof value === 'number'
    ? value
    : refuseValue(value, { name: 'decimal', precision, scale });
}

/** decimal(precision, scale) as TDS sends it: a sign byte, then the unscaled value as a little-endian integer. */

const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Bytes of a decimal of that precision, with the sign byte. */
function decimalBytes(precision: number): number {
  if (precision <= 9) return 5;
  if (precision <= 19) return 9;
  return precision <= 28 ? 13 : 17;
}

/**
 * The value times ten to the power of `scale`. Further digits are rounded half away from zero, like SQL Server does.
 * @throws RangeError if it is no decimal, or has more digits than the precision.
 */
function unscaledOf(text: string, precision: number, scale: number): bigint {
  const match = decimalPattern.exec(text);
  const digits = `${match?.[2] ?? ''}${match?.[3] ?? ''}`;
  if (!match || digits === '') throw new RangeError(`'${text}' is not the text of a decimal`);
  const fraction = (match[3] ?? '').padEnd(scale, '0');
  const kept = BigInt(`${match[2] ?? ''}${fraction.slice(0, scale)}` || '0');
  const size = fraction.charAt(scale) >= '5' ? kept + 1n : kept;
  if (size >= 10n ** BigInt(precision))
    throw new RangeError(`${text} does not fit decimal(${precision},${scale})`);
  return match[1] === '-' ? -size : size;
}

export function encodeDecimal(text: string, precision: number, scale: number): Buffer {
  const unscaled = unscaledOf(text, precision, scale);
  const bytes = Buffer.alloc(decimalBytes(precision));
  bytes[0] = unscaled < 0n ? 0 : 1;
  let rest = unscaled < 0n ? -unscaled : unscaled;
  for (let index = 1; rest > 0n; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn);
  return bytes;
}
