/** Rows of a table as one Apache Parquet file, and back. */
import { type ParquetParsers, parquetReadObjects } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** `moment`: microseconds of UTC; `name`: a text that repeats; `bytes`: anything. */
type ColumnType = 'moment' | 'name' | 'text' | 'int' | 'long' | 'double' | 'flag' | 'bytes';

/** A moment is given as milliseconds of UTC, which may have a fraction. */
export type Value = string | number | boolean | Uint8Array | null;

/** Column -> its type, in the order in which they are written. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** One array a column, all of one length. */
export type ColumnData = Readonly<Record<string, readonly Value[]>>;

/** Rows that a reader takes or leaves as one: 22 bytes a checkpoint; larger groups save 2 % and cost memory. */
const ROWS_A_GROUP = 8_000;

interface Encoding {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Encodings that every reader knows. */
  readonly encoding: 'PLAIN' | 'RLE_DICTIONARY';
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const ENCODINGS: Readonly<Record<ColumnType, Encoding>> = {
  moment: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    encoding: 'PLAIN',
  },
  name: { element: TEXT, encoding: 'RLE_DICTIONARY' },
  text: { element: TEXT, encoding: 'PLAIN' },
  int: { element: { type: 'INT32' }, encoding: 'RLE_DICTIONARY' },
  long: { element: { type: 'INT64' }, encoding: 'PLAIN' },
  double: { element: { type: 'DOUBLE' }, encoding: 'PLAIN' },
  flag: { element: { type: 'BOOLEAN' }, encoding: 'PLAIN' },
  bytes: { element: { type: 'BYTE_ARRAY' }, encoding: 'PLAIN' },
};

/** The rows as a file, packed with Snappy. Every column may be null. */
export function writeParquet(columns: Columns, data: ColumnData): Uint8Array {
  const entries = Object.entries(columns);
  const target = new ByteWriter();
  const writer = new ParquetWriter({
    writer: target,
    codec: 'SNAPPY',
    createdBy: 'checkpoint-health',
    schema: [
      { name: 'root', num_children: entries.length },
      ...entries.map(([name, type]) => ({ name, repetition_type: 'OPTIONAL' as const, ...ENCODINGS[type].element })),
    ],
  });
  const columnData = entries.map(([name, type]): ColumnSource => {
    const values = (data[name] ?? []).map((value) => encode(type, value));
    return { name, data: values, encoding: ENCODINGS[type].encoding, statistics: type === 'moment', offsetIndex: false };
  });
  void writer.write({ rowGroupSize: ROWS_A_GROUP, columnData });
  void writer.finish();
  return target.getBytes();
}

function encode(type: ColumnType, value: Value): unknown {
  if (value === null) return null;
  if (type === 'moment') return BigInt(Math.round((value as number) * 1_000));
  return type === 'long' ? BigInt(Math.trunc(value as number)) : value;
}

/** The rows of a file that `writeParquet` made, or another. Whole numbers of 64 bits come as numbers, moments as milliseconds. @throws Error if it is none */
export async function readParquet(bytes: Uint8Array, columns?: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({
    file,
    utf8: false,
    parsers: PARSERS,
    ...(columns === undefined ? {} : { columns: [...columns] }),
  });
  return rows.map((row) => toPlain(row) as Record<string, unknown>);
}

/** A Date would cut what is below a millisecond. */
const PARSERS = { timestampFromMicroseconds: (micros: bigint): unknown => Number(micros) / 1_000 } as ParquetParsers;

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toPlain(each)]));
}
