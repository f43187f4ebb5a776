import type { SqlType, SqlVariant } from './handler';
import type { ByteWriter } from './byte-writer';
import { collation, encodeCodePage } from './code-page';
import { refuseValue, scalarTypeOf, textOf } from './scalar-types';
import type { Present, ScalarType } from './scalar-types';

/** How one column is described and how its values are written. */
export interface ColumnType {
  writeInfo(writer: ByteWriter): void;
  writeValue(writer: ByteWriter, value: Present): void;
}

type StringType = Extract<SqlType, { readonly length: number | 'max' }>;

const chunkBytes = 0x8000;
/** Of a (max) type, in the place of its length. */
const maxLength = 0xffff;

const stringTokens = {
  char: 0xaf,
  varchar: 0xa7,
  nchar: 0xef,
  nvarchar: 0xe7,
  binary: 0xad,
  varbinary: 0xa5,
} as const;

/** A NULL has no bytes of its own: NBCROW marks it before the values of its row. */
export function columnTypeOf(type: SqlType, nullable: boolean): ColumnType {
  const scalar = scalarTypeOf(type);
  // A NOT NULL column must have the fixed-length type if there is one: SQL Tools Service waits for ever on the other
  // form with its nullable flag off.
  if (scalar)
    return !nullable && scalar.fixedToken !== undefined
      ? fixedColumn(scalar, scalar.fixedToken)
      : nullableColumn(scalar);
  if (type.name === 'sql_variant') return variantColumn;
  if (type.name === 'xml') return xmlColumn;
  const stringType = type as StringType;
  return stringType.length === 'max' ? plpColumn(stringType) : stringColumn(stringType, stringType.length);
}

function fixedColumn(scalar: ScalarType, token: number): ColumnType {
  return {
    writeInfo: (writer) => writer.u8(token),
    writeValue: (writer, value) => scalar.write(writer, value),
  };
}

function nullableColumn(scalar: ScalarType): ColumnType {
  return {
    writeInfo: (writer) => writer.u8(scalar.token, ...scalar.info),
    writeValue: (writer, value) => scalar.write(writer.u8(scalar.bytes), value),
  };
}

function isCharacter(type: StringType): boolean {
  return type.name !== 'binary' && type.name !== 'varbinary';
}

function isUnicode(type: StringType): boolean {
  return type.name === 'nchar' || type.name === 'nvarchar';
}

function writeStringInfo(writer: ByteWriter, type: StringType, declaredBytes: number): void {
  writer.u8(stringTokens[type.name]).u16(declaredBytes);
  if (isCharacter(type)) writer.raw(collation);
}

/** The bytes of the value, padded to the length of the type if that is fixed. */
function encodeString(type: StringType, value: Present): Uint8Array {
  if (!isCharacter(type))
    return value instanceof Uint8Array ? padBytes(type, value) : refuseValue(value, type);
  const text = textOf(value, type);
  const padded =
    (type.name === 'char' || type.name === 'nchar') && type.length !== 'max'
      ? text.padEnd(type.length, ' ')
      : text;
  return isUnicode(type) ? Buffer.from(padded, 'utf16le') : encodeCodePage(padded);
}

function padBytes(type: StringType, value: Uint8Array): Uint8Array {
  if (type.name !== 'binary' || type.length === 'max' || value.length >= type.length) return value;
  const padded = Buffer.alloc(type.length);
  padded.set(value);
  return padded;
}

function stringColumn(type: StringType, length: number): ColumnType {
  const declaredBytes = length * (isUnicode(type) ? 2 : 1);
  return {
    writeInfo: (writer) => writeStringInfo(writer, type, declaredBytes),
    writeValue: (writer, value) => {
      const bytes = encodeString(type, value);
      if (bytes.length > declaredBytes)
        throw new RangeError(`a value of ${bytes.length} bytes in a column of ${type.name}(${length})`);
      writer.u16(bytes.length).raw(bytes);
    },
  };
}

function plpColumn(type: StringType): ColumnType {
  return {
    writeInfo: (writer) => writeStringInfo(writer, type, maxLength),
    writeValue: (writer, value) => writeChunks(writer, encodeString(type, value)),
  };
}

/** The total length, chunks each with its length, and an empty chunk. No length comes near the 4 GB of its 32 bits. */
function writeChunks(writer: ByteWriter, bytes: Uint8Array): void {
  writer.u64(BigInt(bytes.length));
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    writer.u32(chunk.length).raw(chunk);
  }
  writer.u32(0);
}

const xmlColumn: ColumnType = {
  writeInfo: (writer) => writer.u8(0xf1, 0),
  writeValue: (writer, value) => writeChunks(writer, Buffer.from(textOf(value, { name: 'xml' }), 'utf16le')),
};

const variantColumn: ColumnType = {
  writeInfo: (writer) => writer.u8(0x62).u32(8009),
  writeValue: (writer, value) =>
    writeVariant(writer, isVariant(value) ? value : refuseValue(value, { name: 'sql_variant' })),
};

function isVariant(value: Present): value is SqlVariant {
  return typeof value === 'object' && !(value instanceof Uint8Array);
}

/** The whole length, the base type, the length of its properties, the properties, and the value. */
function writeVariant(writer: ByteWriter, { type, value }: SqlVariant): void {
  const scalar = scalarTypeOf(type);
  if (scalar) {
    writer
      .u32(2 + scalar.properties.length + scalar.bytes)
      .u8(scalar.fixedToken ?? scalar.token, scalar.properties.length, ...scalar.properties);
    return scalar.write(writer, value);
  }
  if (!('length' in type) || type.length === 'max')
    throw new TypeError(`a sql_variant cannot hold ${type.name}`);
  const bytes = encodeString(type, value);
  const properties = isCharacter(type) ? 7 : 2;
  writer.u32(2 + properties + bytes.length).u8(stringTokens[type.name], properties);
  if (isCharacter(type)) writer.raw(collation);
  writer.u16(type.length * (isUnicode(type) ? 2 : 1)).raw(bytes);
}
