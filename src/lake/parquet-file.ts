/** Rows of a table as one Apache Parquet file, and back. */
import { decompress } from 'fzstd';
import { open } from 'node:fs/promises';
import {
  type AsyncBuffer,
  type Compressors,
  parquetMetadataAsync,
  type ParquetParsers,
  parquetScan,
  parquetSchema,
} from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';

/** `moment`: microseconds of UTC; `name`: a text that repeats; `bytes`: anything. */
type ColumnType = 'moment' | 'name' | 'text' | 'int' | 'long' | 'double' | 'bytes';

/** A moment is given as milliseconds of UTC, which may have a fraction. */
export type LakeValue = string | number | boolean | Uint8Array | null;

/** Column -> its type, in the order in which they are written. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** One array a column, all of one length. */
export type ColumnData = Readonly<Record<string, readonly LakeValue[]>>;

/**
 * Rows that a reader takes or leaves as one: 22 bytes a checkpoint; larger groups save 2 % and cost memory. Of rows with
 * `bytes`, which have hundreds of kilobytes, few.
 */
const ROWS_A_GROUP = { plain: 8_000, withBytes: 8 };

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;
const MOMENT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const;

/** Encodings that every reader knows. */
const ENCODINGS = {
  moment: { element: MOMENT, encoding: 'PLAIN' },
  name: { element: TEXT, encoding: 'RLE_DICTIONARY' },
  text: { element: TEXT, encoding: 'PLAIN' },
  int: { element: { type: 'INT32' }, encoding: 'RLE_DICTIONARY' },
  long: { element: { type: 'INT64' }, encoding: 'PLAIN' },
  double: { element: { type: 'DOUBLE' }, encoding: 'PLAIN' },
  bytes: { element: { type: 'BYTE_ARRAY' }, encoding: 'PLAIN' },
} as const satisfies Readonly<Record<ColumnType, Pick<ColumnSource, 'encoding'> & { element: object }>>;

/** The rows as a file, packed with Snappy. Every column may be null. */
export function writeLakeFile(columns: Columns, data: ColumnData): Uint8Array {
  const entries = Object.entries(columns);
  const target = new ByteWriter();
  const writer = new ParquetWriter({
    writer: target,
    codec: 'SNAPPY',
    createdBy: 'checkpoint-health',
    schema: [
      { name: 'root', num_children: entries.length },
      ...entries.map(([name, type]) => ({ name, ...OPTIONAL, ...ENCODINGS[type].element })),
    ],
  });
  const columnData = entries.map(([name, type]): ColumnSource => ({
    name,
    data: (data[name] ?? []).map((value) => encode(type, value)),
    encoding: ENCODINGS[type].encoding,
    // By these, readers leave out groups of rows: a file is sorted by server.
    statistics: type === 'moment' || name === 'server',
    offsetIndex: false,
  }));
  const rowGroupSize = ROWS_A_GROUP[Object.values(columns).includes('bytes') ? 'withBytes' : 'plain'];
  void writer.write({ rowGroupSize, columnData });
  void writer.finish();
  return target.getBytes();
}

function encode(type: ColumnType, value: LakeValue): unknown {
  if (value === null) return null;
  if (type === 'moment') return BigInt(Math.round((value as number) * 1_000));
  return type === 'long' ? BigInt(Math.trunc(value as number)) : value;
}

/**
 * A row as it was written: whole numbers of 64 bits as numbers, moments as milliseconds. Every row is given in the same
 * object. Copy it to keep it.
 */
export type ReadRow = Readonly<Record<string, unknown>>;

export interface WantedRows {
  /** Absent: all. */
  readonly columns?: readonly string[];
  /** Rows of these servers only. Groups of rows that hold none of them are not read. Absent: of all. */
  readonly servers?: ReadonlySet<string>;
}

/** Smaller files are read in one piece. */
const WHOLE_BYTES = 1 << 20;

/** Visits the rows of a file on the disk (see `visitParquet`), and reads no more of it than it has to. */
export async function visitParquetFile(
  path: string,
  visit: (row: ReadRow) => void,
  wanted: WantedRows,
): Promise<void> {
  const file = await open(path, 'r');
  try {
    const read = async (from: number, to: number): Promise<ArrayBuffer> => {
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
        // What is missing at the end of a file that was cut is zeros, which no reader takes for rows.
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return bytes.buffer;
    };
    const byteLength = (await file.stat()).size;
    const whole = byteLength <= WHOLE_BYTES ? await read(0, byteLength) : null;
    const slice = (from: number, to = byteLength): ArrayBuffer | Promise<ArrayBuffer> =>
      whole === null ? read(from, to) : whole.slice(from, to);
    await visitParquet({ byteLength, slice }, visit, wanted);
  } finally {
    await file.close();
  }
}

/**
 * Visits the rows of a file that `writeLakeFile` made, or of another. Others have the thread after each group of rows.
 * @throws Error if it is none
 */
export async function visitParquet(
  file: AsyncBuffer,
  visit: (row: ReadRow) => void,
  { columns, servers }: WantedRows = {},
): Promise<void> {
  const metadata = await parquetMetadataAsync(file);
  // An earlier version wrote fewer columns: what is not there is not in the row.
  const there = parquetSchema(metadata).children.map(({ element }) => element.name);
  const own = servers !== undefined && there.includes('server') ? servers : null;
  const names = there.filter(
    (name) => columns === undefined || columns.includes(name) || (own && name === 'server'),
  );
  const pruningFilter = own === null ? undefined : { server: { $in: [...own] } };
  const scan = await parquetScan({ file, metadata, columns: names, pruningFilter, ...READING });
  const serverAt = names.indexOf('server');
  for (const { rowStart, rowEnd } of scan.ranges) {
    const data = await Promise.all(names.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
    const row: Record<string, unknown> = {};
    for (let at = 0; at < rowEnd - rowStart; at++) {
      if (own !== null && !own.has(data[serverAt]?.[at] as string)) continue;
      for (let column = 0; column < names.length; column++)
        row[names[column]!] = toPlain(data[column]![at] as unknown);
      visit(row);
    }
    await new Promise((go) => setImmediate(go));
  }
}

/** A Date would cut what is below a millisecond. */
const fromMicros = (micros: bigint): unknown => Number(micros) / 1_000;
/** Spark writes moments as nanoseconds (INT96), delta-rs packs with Zstandard (docs/libraries.md, Parquet). */
const READING = {
  utf8: false,
  parsers: {
    timestampFromMicroseconds: fromMicros,
    timestampFromNanoseconds: (nanos: bigint) => fromMicros(nanos / 1_000n),
  } as ParquetParsers,
  compressors: { ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)) } as Compressors,
} as const;

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toPlain(each)]));
}
