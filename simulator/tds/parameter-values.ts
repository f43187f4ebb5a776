import type { SqlType, SqlValue } from './handler';
import { SqlError } from './handler';
import { ByteReader, ProtocolError } from './byte-reader';
import { decodeCodePage } from './code-page';
import { daysTo1900, formatDate, formatMoment, formatOffset, formatTime, shiftMoment, ticksOfThirds, ticksPerSecond } from './date-time';
import { decodeDecimal, formatUnscaled } from './decimal';
import { timeBytes } from './scalar-types';

interface TypedValue {
  readonly type: SqlType;
  readonly value: SqlValue;
}

/** A type as a client declared it, and how to read the bytes of one value of it. */
interface ReadableType {
  readonly type: SqlType;
  decode(bytes: Buffer): Exclude<SqlValue, null>;
}

const unknownPlpLength = 0xffff_ffff_ffff_fffen;
const nullPlp = 0xffff_ffff_ffff_ffffn;

function readUniqueidentifier(bytes: Buffer): string {
  const ordered = Buffer.from(bytes);
  ordered.subarray(0, 4).swap32();
  ordered.subarray(4, 8).swap16();
  return ordered
    .toString('hex')
    .toUpperCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function integerType(bytes: number): ReadableType {
  switch (bytes) {
    case 1:
      return { type: { name: 'tinyint' }, decode: (value) => value.readUInt8() };
    case 2:
      return { type: { name: 'smallint' }, decode: (value) => value.readInt16LE() };
    case 4:
      return { type: { name: 'int' }, decode: (value) => value.readInt32LE() };
    case 8:
      return { type: { name: 'bigint' }, decode: (value) => value.readBigInt64LE() };
    default:
      throw new ProtocolError(`an integer of ${bytes} bytes`);
  }
}

function floatType(bytes: number): ReadableType {
  if (bytes === 4) return { type: { name: 'real' }, decode: (value) => value.readFloatLE() };
  return { type: { name: 'float' }, decode: (value) => value.readDoubleLE() };
}

/** Behind the protocol money is a decimal of four digits. Its 8 bytes are two halves, the higher first. */
function moneyType(bytes: number): ReadableType {
  if (bytes === 4)
    return { type: { name: 'decimal', precision: 10, scale: 4 }, decode: (value) => formatUnscaled(BigInt(value.readInt32LE()), 4) };
  const unscaled = (value: Buffer): bigint => (BigInt(value.readInt32LE(0)) << 32n) | BigInt(value.readUInt32LE(4));
  return { type: { name: 'decimal', precision: 19, scale: 4 }, decode: (value) => formatUnscaled(unscaled(value), 4) };
}

function datetimeType(bytes: number): ReadableType {
  if (bytes === 4) {
    const decode = (value: Buffer): string =>
      formatMoment({ days: value.readUInt16LE(0) + daysTo1900, ticks: value.readUInt16LE(2) * 60 * ticksPerSecond }, 0);
    return { type: { name: 'smalldatetime' }, decode };
  }
  const decode = (value: Buffer): string =>
    formatMoment({ days: value.readInt32LE(0) + daysTo1900, ticks: ticksOfThirds(value.readUInt32LE(4)) }, 3);
  return { type: { name: 'datetime' }, decode };
}

function ticksIn(bytes: Buffer, scale: number): number {
  return bytes.readUIntLE(0, timeBytes(scale)) * 10 ** (7 - scale);
}

function timedType(name: 'time' | 'datetime2' | 'datetimeoffset', scale: number): ReadableType {
  if (scale > 7) throw new ProtocolError(`${name}(${scale})`);
  const at = timeBytes(scale);
  if (name === 'time') return { type: { name, scale }, decode: (value) => formatTime(ticksIn(value, scale), scale) };
  if (name === 'datetime2') {
    return {
      type: { name, scale },
      decode: (value) => formatMoment({ days: value.readUIntLE(at, 3), ticks: ticksIn(value, scale) }, scale),
    };
  }
  const decode = (value: Buffer): string => {
    const offsetMinutes = value.readInt16LE(at + 3);
    const utc = { days: value.readUIntLE(at, 3), ticks: ticksIn(value, scale) };
    return formatMoment(shiftMoment(utc, offsetMinutes * 60 * ticksPerSecond), scale) + formatOffset(offsetMinutes);
  };
  return { type: { name, scale }, decode };
}

function decimalType(reader: ByteReader): ReadableType {
  const [precision, scale] = [reader.u8(), reader.u8()];
  return { type: { name: 'decimal', precision, scale }, decode: (value) => decodeDecimal(value, scale) };
}

function stringType(name: 'char' | 'varchar' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary', bytes: number | 'max'): ReadableType {
  const unicode = name === 'nchar' || name === 'nvarchar';
  const type: SqlType = { name, length: bytes === 'max' ? 'max' : unicode ? bytes / 2 : bytes };
  if (unicode) return { type, decode: (value) => value.toString('utf16le') };
  return name === 'binary' || name === 'varbinary' ? { type, decode: (value) => Uint8Array.from(value) } : { type, decode: decodeCodePage };
}

const fixedTypes: Readonly<Record<number, () => readonly [number, ReadableType]>> = {
  0x30: () => [1, integerType(1)],
  0x32: () => [1, { type: { name: 'bit' }, decode: (value) => value.readUInt8() !== 0 }],
  0x34: () => [2, integerType(2)],
  0x38: () => [4, integerType(4)],
  0x7f: () => [8, integerType(8)],
  0x3b: () => [4, floatType(4)],
  0x3e: () => [8, floatType(8)],
  0x7a: () => [4, moneyType(4)],
  0x3c: () => [8, moneyType(8)],
  0x3a: () => [4, datetimeType(4)],
  0x3d: () => [8, datetimeType(8)],
};

/** Types whose values follow a one-byte length, 0 for NULL. */
const byteLengthTypes: Readonly<Record<number, (reader: ByteReader) => ReadableType>> = {
  0x24: (reader) => (reader.u8(), { type: { name: 'uniqueidentifier' }, decode: readUniqueidentifier }),
  0x26: (reader) => integerType(reader.u8()),
  0x68: (reader) => (reader.u8(), { type: { name: 'bit' }, decode: (value) => value.readUInt8() !== 0 }),
  0x6d: (reader) => floatType(reader.u8()),
  0x6e: (reader) => moneyType(reader.u8()),
  0x6f: (reader) => datetimeType(reader.u8()),
  0x6a: (reader) => (reader.u8(), decimalType(reader)),
  0x6c: (reader) => (reader.u8(), decimalType(reader)),
  0x28: () => ({ type: { name: 'date' }, decode: (value) => formatDate(value.readUIntLE(0, 3)) }),
  0x29: (reader) => timedType('time', reader.u8()),
  0x2a: (reader) => timedType('datetime2', reader.u8()),
  0x2b: (reader) => timedType('datetimeoffset', reader.u8()),
};

const stringNames = { 0xa7: 'varchar', 0xaf: 'char', 0xe7: 'nvarchar', 0xef: 'nchar', 0xa5: 'varbinary', 0xad: 'binary' } as const;
const longTextNames = { 0x23: 'varchar', 0x63: 'nvarchar', 0x22: 'varbinary' } as const;

function isCharacter(name: string): boolean {
  return name.endsWith('char');
}

function decodeAs(readable: ReadableType, bytes: Buffer | undefined): TypedValue {
  try {
    return { type: readable.type, value: bytes === undefined ? null : readable.decode(bytes) };
  } catch (error) {
    throw new ProtocolError(`a parameter of ${readable.type.name} with a value that it cannot have: ${(error as Error).message}`);
  }
}

/** Reads chunks up to an empty one. Ignores their announced total, which may be unknown. */
function readChunks(reader: ByteReader): Buffer | undefined {
  const total = reader.u64();
  if (total === nullPlp) return undefined;
  const chunks: Buffer[] = [];
  for (let length = reader.u32(); length > 0; length = reader.u32()) chunks.push(reader.take(length));
  const bytes = Buffer.concat(chunks);
  if (total !== unknownPlpLength && total !== BigInt(bytes.length))
    throw new ProtocolError(`${bytes.length} bytes in chunks where ${total} were announced`);
  return bytes;
}

function readString(reader: ByteReader, name: (typeof stringNames)[keyof typeof stringNames]): TypedValue {
  const declaredBytes = reader.u16();
  if (isCharacter(name)) reader.take(5);
  if (declaredBytes === 0xffff) return decodeAs(stringType(name, 'max'), readChunks(reader));
  const length = reader.u16();
  return decodeAs(stringType(name, declaredBytes), length === 0xffff ? undefined : reader.take(length));
}

function readLongText(reader: ByteReader, name: (typeof longTextNames)[keyof typeof longTextNames]): TypedValue {
  reader.u32();
  if (isCharacter(name)) reader.take(5);
  const length = reader.u32();
  return decodeAs(stringType(name, 'max'), length === 0xffff_ffff ? undefined : reader.take(length));
}

function readXml(reader: ByteReader): TypedValue {
  if (reader.u8() !== 0) {
    reader.shortText();
    reader.shortText();
    reader.text(reader.u16());
  }
  return decodeAs({ type: { name: 'xml' }, decode: (value) => value.toString('utf16le').replace(/^\ufeff/, '') }, readChunks(reader));
}

/** A sql_variant: its length, base type, length of the properties, properties, value. */
function readVariant(reader: ByteReader): TypedValue {
  reader.u32();
  const length = reader.u32();
  if (length === 0) return { type: { name: 'sql_variant' }, value: null };
  const body = new ByteReader(reader.take(length));
  const token = body.u8();
  const properties = new ByteReader(body.take(body.u8()));
  const { type, value } = decodeAs(variantBase(token, properties), body.take(body.remaining));
  return { type: { name: 'sql_variant' }, value: { type, value: value as Exclude<SqlValue, null | object> } };
}

function variantBase(token: number, properties: ByteReader): ReadableType {
  const name = stringNames[token as keyof typeof stringNames];
  if (name) {
    if (isCharacter(name)) properties.take(5);
    return stringType(name, properties.u16());
  }
  const fixed = fixedTypes[token];
  if (fixed) return fixed()[1];
  if (token === 0x24) return { type: { name: 'uniqueidentifier' }, decode: readUniqueidentifier };
  if (token === 0x6a || token === 0x6c) return decimalType(properties);
  const timed = token >= 0x28 && token <= 0x2b ? byteLengthTypes[token] : undefined;
  if (timed) return timed(properties);
  throw new ProtocolError(`a sql_variant of type 0x${token.toString(16)}`);
}

/** Types of TDS that nothing behind the protocol has. The call cannot be read past them. */
const refusedTypes: Readonly<Record<number, string>> = { 0xf0: 'user-defined types', 0xf3: 'table-valued parameters' };

/**
 * One parameter's type and value.
 * @throws ProtocolError if it is not TDS; SqlError for a type that TDS has and this server does not model.
 */
export function readTypedValue(reader: ByteReader): TypedValue {
  const token = reader.u8();
  const fixed = fixedTypes[token]?.();
  if (fixed) return decodeAs(fixed[1], reader.take(fixed[0]));
  const byteLength = byteLengthTypes[token]?.(reader);
  if (byteLength) {
    const length = reader.u8();
    return decodeAs(byteLength, length === 0 ? undefined : reader.take(length));
  }
  const name = stringNames[token as keyof typeof stringNames];
  if (name) return readString(reader, name);
  const longName = longTextNames[token as keyof typeof longTextNames];
  if (longName) return readLongText(reader, longName);
  if (token === 0xf1) return readXml(reader);
  if (token === 0x62) return readVariant(reader);
  if (token === 0x1f) return { type: { name: 'nvarchar', length: 1 }, value: null };
  const refused = refusedTypes[token];
  if (refused) throw new SqlError(40_510, `${refused} are not modelled by this server.`);
  throw new ProtocolError(`a parameter of unknown type 0x${token.toString(16)}`);
}
