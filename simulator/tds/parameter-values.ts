import type { SqlType, SqlValue } from './handler';
import { notModelled } from './messages';
import { ProtocolError, type ByteReader } from './byte-reader';
import { decodeCodePage } from './code-page';

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

const bitType = (_bytes: number): ReadableType => ({
  type: { name: 'bit' },
  decode: (value) => value.readUInt8() !== 0,
});

function stringType(
  name: 'char' | 'varchar' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary',
  bytes: number | 'max',
): ReadableType {
  const unicode = name === 'nchar' || name === 'nvarchar';
  const type: SqlType = { name, length: bytes === 'max' ? 'max' : unicode ? bytes / 2 : bytes };
  if (unicode) return { type, decode: (value) => value.toString('utf16le') };
  return name === 'binary' || name === 'varbinary'
    ? { type, decode: (value) => Uint8Array.from(value) }
    : { type, decode: decodeCodePage };
}

const stringNames = {
  0xa7: 'varchar',
  0xaf: 'char',
  0xe7: 'nvarchar',
  0xef: 'nchar',
  0xa5: 'varbinary',
  0xad: 'binary',
} as const;

function isCharacter(name: string): boolean {
  return name.endsWith('char');
}

function decodeAs(readable: ReadableType, bytes: Buffer | undefined): TypedValue {
  try {
    return { type: readable.type, value: bytes === undefined ? null : readable.decode(bytes) };
  } catch (error) {
    throw new ProtocolError(
      `a parameter of ${readable.type.name} with a value that it cannot have: ${(error as Error).message}`,
    );
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

/** Types of TDS whose values no client here sends. The call cannot be read past them. */
const refusedTypes: Readonly<Record<number, string>> = {
  ...Object.fromEntries(
    [0x30, 0x32, 0x34, 0x38, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x7a, 0x7f].map((token) => [
      token,
      'a type of fixed length',
    ]),
  ),
  0x22: 'image',
  0x23: 'text',
  0x24: 'uniqueidentifier',
  0x28: 'date',
  0x29: 'time',
  0x2a: 'datetime2',
  0x2b: 'datetimeoffset',
  0x62: 'sql_variant',
  0x63: 'ntext',
  0x6a: 'decimal',
  0x6c: 'decimal',
  0x6d: 'float',
  0x6e: 'money',
  0x6f: 'datetime',
  0xf0: 'a user-defined type',
  0xf1: 'xml',
  0xf3: 'a table type',
};

/**
 * One parameter's type and value.
 * @throws ProtocolError if it is not TDS; SqlError for a type that TDS has and this server does not model.
 */
export function readTypedValue(reader: ByteReader): TypedValue {
  const token = reader.u8();
  const name = stringNames[token as keyof typeof stringNames];
  if (name) return readString(reader, name);
  if (token === 0x26 || token === 0x68) {
    const type = token === 0x26 ? integerType(reader.u8()) : bitType(reader.u8());
    const length = reader.u8();
    return decodeAs(type, length === 0 ? undefined : reader.take(length));
  }
  const refused = refusedTypes[token];
  if (refused) throw notModelled(`a parameter of ${refused}`);
  throw new ProtocolError(`a parameter of unknown type 0x${token.toString(16)}`);
}
