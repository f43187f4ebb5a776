import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ExportedCapture,
  listCheckpoints,
  listStatistics,
} from '../../../src/core/export/capture-tables';
import { createTypedTable, ROWS_A_PIECE, type TypedTable } from '../../../src/core/export/export-table';
import { EXPORT_FORMAT } from '../../../src/core/export/json';
import { MOST_ROWS_A_GROUP, writeParquet } from '../../../src/core/export/parquet';
import { finishSteps } from '../../../src/core/steps';
import {
  captureOf as captureNamed,
  EVERYTHING,
  EXPORT_BEGIN_UTC_MS as beginUtcMs,
  type ExportedRow,
  headOf,
} from './exported-capture';
import { readParquet, type ReadParquet } from './parquet-reader';

/** The last one holds half of an emoji, which UTF-8 cannot. */
const NAMES = [
  "=cmd|'/c calc'!A1",
  'a]b\'c"--',
  '😀\nline\u0000, "quoted"\t',
  '<img src=x onerror=alert(1)>',
  'x'.repeat(127) + '😀',
  '  ',
  '',
  'half \uD83D emoji',
];
const STORED = NAMES.map((name) => name.replace('\uD83D emoji', '\uFFFD emoji'));

const captureOf = (rows: readonly ExportedRow[]): ExportedCapture => captureNamed(rows, NAMES);

const head = headOf(captureOf([]));

const joined = (table: TypedTable): Uint8Array => Buffer.concat([...writeParquet(head, table)]);
const read = (table: TypedTable, sql?: string): Promise<ReadParquet> => readParquet(joined(table), sql);
const checkpointsOf = (capture: ExportedCapture): TypedTable =>
  finishSteps(listCheckpoints(capture, EVERYTHING));
const envelopeOf = ({ metadata }: ReadParquet): Readonly<Record<string, unknown>> =>
  JSON.parse(metadata[EXPORT_FORMAT] ?? '') as Readonly<Record<string, unknown>>;

/** What another program must find: the cells as they are in CSV before a formula is disarmed, by their types. */
const expected = (table: TypedTable): readonly object[] =>
  Array.from({ length: table.rows }, (_, at) => {
    const row = table.values(at).map((value, column) => {
      if (typeof value === 'object') return null;
      if (table.types[table.columns[column]!] === 'moment') return new Date(Number(value)).toISOString();
      return typeof value === 'string' ? (STORED[NAMES.indexOf(value)] ?? value) : value;
    });
    return Object.fromEntries(table.columns.map((name, column) => [name, row[column] ?? null]));
  });

describe('Checkpoints that are written as Parquet', () => {
  it('are read by another program with their types, their times in UTC and their names as they are', async () => {
    const capture = captureOf([
      ...NAMES.map((_, at): readonly [number, number, number] => [10_000 + at, at, at]),
      [500, 700, 0],
      [20_000, 4_294_967_295, 1],
      // Of a database that nobody knows any more.
      [30_000, 1, 99],
    ]);
    const table = checkpointsOf(capture);
    const back = await read(table);
    assert.deepEqual(back.columns, [
      ['begin_utc', 'TIMESTAMP WITH TIME ZONE'],
      ['end_utc', 'TIMESTAMP WITH TIME ZONE'],
      ['begin_server_time', 'VARCHAR'],
      ['duration_ms', 'BIGINT'],
      ['database_id', 'INTEGER'],
      ['database', 'VARCHAR'],
      ['across_gap', 'BOOLEAN'],
    ]);
    assert.deepEqual(back.rows, expected(table));
    const [first, last] = [back.rows[0], back.rows.at(-1)];
    assert.deepEqual(
      [first?.['begin_utc'], first?.['begin_server_time'], first?.['database'], first?.['across_gap']],
      ['2026-03-29T00:00:00.500Z', '2026-03-29T02:00:00.500+02:00', "=cmd|'/c calc'!A1", true],
    );
    assert.deepEqual([last?.['database_id'], last?.['database'], last?.['across_gap']], [null, null, false]);
  });

  it('use no encoding that Power BI and older Spark refuse', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at): readonly [number, number, number] => [
      at,
      at % 7,
      at % NAMES.length,
    ]);
    assert.deepEqual((await read(checkpointsOf(captureOf(rows)))).encodings, ['PLAIN', 'RLE_DICTIONARY']);
  });

  it('say in the file what they are of, what was not observed, and why a value is NULL', async () => {
    const back = await read(checkpointsOf(captureOf([[30_000, 1, 99]])));
    assert.deepEqual(Object.keys(back.metadata), [EXPORT_FORMAT]);
    const { format, generated_utc, capture_id, server, window, observed, ledger, not_observable } =
      envelopeOf(back);
    assert.deepEqual(
      [format, generated_utc, capture_id],
      [EXPORT_FORMAT, '2026-03-29T00:00:00.000Z', 'capture-1'],
    );
    assert.deepEqual(server, { name: 'PROD"<7>😀', description: 'SQL Server 2019', utc_offset_minutes: 120 });
    assert.deepEqual(window, { begin_utc: '2026-03-29T00:00:00.000Z', end_utc: '2026-03-29T00:00:00.005Z' });
    const [gap] = (observed as { readonly gaps: readonly { readonly reason: string }[] }).gaps;
    assert.equal(gap?.reason, 'The server lost "3" events.');
    assert.equal((ledger as { readonly events_read: number }).events_read, 12);
    assert.deepEqual(not_observable, { database_id: ['not known'], database: ['not known'] });
  });

  it('are a file that can be read also where there is none', async () => {
    const back = await read(checkpointsOf(captureOf([])));
    assert.deepEqual([back.rows, back.groups, back.columns.length], [[], [], 7]);
    assert.deepEqual(envelopeOf(back)['not_observable'], {});
  });

  it('are, read back, every checkpoint that there was', async () => {
    const row = fc.tuple(
      fc.integer({ min: -5_000_000, max: 7_200_000 }),
      fc.nat({ max: 4_294_967_295 }),
      fc.nat({ max: NAMES.length }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 1_700 }), async (rows) => {
        const table = checkpointsOf(captureOf(rows));
        assert.deepEqual((await read(table)).rows, expected(table));
      }),
      { numRuns: 15 },
    );
  });

  it('are looked at a piece at a time and encoded a group at a time, however many there are', async () => {
    const rows = 250_000;
    const capture = captureOf(
      Array.from({ length: rows }, (_, at) => [at * 7, at % 9_973, at % NAMES.length]),
    );
    const table = checkpointsOf(capture);
    let [looks, most] = [0, 0];
    const counting = createTypedTable({ ...table, values: (at) => (looks++, table.values(at)) });
    const parts: Uint8Array[] = [];
    for (const part of writeParquet(head, counting)) {
      parts.push(part);
      most = Math.max(most, looks);
      looks = 0;
    }
    assert.deepEqual([most, looks], [ROWS_A_PIECE, 0]);
    assert.ok(parts.every(({ length }) => length < 40 * MOST_ROWS_A_GROUP));
    const early = `SELECT count(*) FROM file WHERE begin_utc < TIMESTAMPTZ '${new Date(beginUtcMs + 70_007).toISOString()}'`;
    const sums = `SELECT count(*) AS n, sum(duration_ms) AS total, sum(epoch_ms(end_utc) - epoch_ms(begin_utc)) AS same, (${early}) AS early FROM file`;
    const bytes = Buffer.concat(parts);
    const back = await readParquet(bytes, sums);
    const total = capture.columns.durationMs.reduce((sum, one) => sum + one, 0);
    assert.deepEqual(back.rows, [{ n: rows, total, same: total, early: 10_001 }]);
    assert.deepEqual(back.groups.slice(0, 6), [500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    assert.equal(Math.max(...back.groups), MOST_ROWS_A_GROUP);
    assert.ok(bytes.length < 25 * rows, `${bytes.length / rows} bytes a checkpoint`);
  });
});

describe('Figures that are written as Parquet', () => {
  it('are numbers of their kind, and NULL where they could not be observed, with the reason', async () => {
    const capture = captureOf([
      [2_500, 700, 0],
      [10_000, 301, 0],
      [4_000, 5, 2],
    ]);
    const table = finishSteps(listStatistics(capture, EVERYTHING));
    const back = await read(table);
    const types = Object.fromEntries(back.columns);
    assert.deepEqual(
      [types['target_recovery_time_s'], types['per_hour'], types['p50_ms']],
      ['INTEGER', 'DOUBLE', 'BIGINT'],
    );
    assert.deepEqual(back.rows, expected(table));
    const [first, , third] = back.rows;
    assert.deepEqual(
      [first?.['database'], first?.['average_ms'], first?.['p50_ms'], first?.['total_ms']],
      [NAMES[0], 500.5, 301, 1_001],
    );
    assert.deepEqual(
      [third?.['database'], third?.['target_recovery_time_s'], third?.['p50_ms']],
      [NAMES[1], null, null],
    );
    const { target_recovery_time_s, p50_ms } = envelopeOf(back)['not_observable'] as Readonly<
      Record<string, unknown>
    >;
    assert.deepEqual(
      [target_recovery_time_s, p50_ms],
      [['could not be read'], ['no checkpoint in this time']],
    );
  });
});
