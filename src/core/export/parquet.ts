/**
 * A table as Apache Parquet. Times are INT64 in milliseconds of UTC, and names stand once in each row group. What is
 * missing is NULL. The envelope, with the reasons, is one JSON text in the metadata of the file, under the key
 * `checkpoint-health-export`. Loaded only when it is needed, because the encoder is large.
 */
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { type BytePieces, type ColumnType, ROWS_A_PIECE, type TypedTable, type Value } from './export-table';
import { describeHead, EXPORT_FORMAT, EXPORT_VERSION, type ExportHead } from './json';

/**
 * A row group is encoded in one go, about 15 ms. Smaller ones would make the file, and the list of groups at its end,
 * larger.
 */
export const MOST_ROWS_A_GROUP = 16 * ROWS_A_PIECE;

interface Encoding {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Encodings that every reader knows. Newer ones halve the file, but Power BI and Spark below 3.3 refuse them. */
  readonly encoding: 'PLAIN' | 'RLE_DICTIONARY';
  readonly encode: (value: Exclude<Value, object>) => unknown;
}

/** The writer takes whole numbers of 64 bits as BigInt. */
const toInt64 = (value: Exclude<Value, object>): bigint => BigInt(Math.trunc(Number(value)));
const same = (value: Exclude<Value, object>): unknown => value;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const MOMENT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const ENCODINGS: Readonly<Record<ColumnType, Encoding>> = {
  moment: { element: MOMENT, encoding: 'PLAIN', encode: toInt64 },
  text: { element: TEXT, encoding: 'PLAIN', encode: same },
  name: { element: TEXT, encoding: 'RLE_DICTIONARY', encode: same },
  int32: { element: { type: 'INT32' }, encoding: 'RLE_DICTIONARY', encode: same },
  int64: { element: { type: 'INT64' }, encoding: 'PLAIN', encode: toInt64 },
  double: { element: { type: 'DOUBLE' }, encoding: 'PLAIN', encode: same },
  flag: { element: { type: 'BOOLEAN' }, encoding: 'PLAIN', encode: same },
};

/** The first groups are small: code that never ran is ten times as slow, and a large group would block the thread. */
export function* writeParquet(head: ExportHead, table: TypedTable): BytePieces {
  const types = Object.values(table.types);
  const target = new ByteWriter();
  const metadata: { key: string; value: string }[] = [];
  const writer = new ParquetWriter({
    writer: target,
    schema: [
      { name: table.id, num_children: types.length },
      ...table.columns.map((name, at): SchemaElement => {
        return { name, repetition_type: 'OPTIONAL', ...ENCODINGS[types[at]!].element };
      }),
    ],
    kvMetadata: metadata,
    createdBy: `${EXPORT_FORMAT} version ${EXPORT_VERSION}`,
  });
  const missing = table.columns.map(() => new Set<string>());
  let most = ROWS_A_PIECE;
  for (let from = 0; from < table.rows; most = Math.min(2 * most, MOST_ROWS_A_GROUP)) {
    const to = Math.min(table.rows, from + most);
    const data = yield* readColumns(table, from, to, missing);
    void writer.write({
      columnData: table.columns.map((name, at) => describeData(name, types[at]!, data[at]!)),
      rowGroupSize: to - from,
    });
    from = to;
    yield takeBytes(target);
  }
  metadata.push({
    key: EXPORT_FORMAT,
    value: JSON.stringify({ ...describeHead(head), not_observable: describeMissing(table, missing) }),
  });
  void writer.finish();
  yield takeBytes(target);
}

/**
 * Moments get their least and largest value, so that readers find the rows of a time. No reader asks other columns for
 * a range.
 */
function describeData(name: string, type: ColumnType, data: unknown[]): ColumnSource {
  return {
    name,
    data,
    encoding: ENCODINGS[type].encoding,
    statistics: type === 'moment',
    offsetIndex: false,
  };
}

const NOTHING = new Uint8Array(0);

/** @param missing takes the reasons, per column */
function* readColumns(
  { types, values }: TypedTable,
  from: number,
  to: number,
  missing: readonly Set<string>[],
): Generator<Uint8Array, readonly unknown[][], void> {
  const encodings = Object.values(types).map((type) => ENCODINGS[type]);
  const data = encodings.map((): unknown[] => []);
  for (let at = from; at < to; at++) {
    if (at > from && (at - from) % ROWS_A_PIECE === 0) yield NOTHING;
    for (const [column, value] of values(at).entries()) {
      if (typeof value === 'object') missing[column]?.add(value.missing);
      data[column]?.push(typeof value === 'object' ? null : encodings[column]?.encode(value));
    }
  }
  return data;
}

/** Column -> reasons why it is NULL in some rows. */
function describeMissing({ columns }: TypedTable, missing: readonly ReadonlySet<string>[]): object {
  return Object.fromEntries(
    columns.flatMap((name, at) => ((missing[at]?.size ?? 0) > 0 ? [[name, [...(missing[at] ?? [])]]] : [])),
  );
}

/** Takes the bytes out, so that they are not held twice. The writer goes on counting its place in the file. */
function takeBytes(target: ByteWriter): Uint8Array {
  const bytes = target.getBytes().slice();
  target.index = 0;
  return bytes;
}
