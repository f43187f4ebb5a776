import assert from 'node:assert/strict';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import { sliceColumns } from '../../../src/core/capture/checkpoint-store';
import type { ExportRequest } from '../../../src/core/export/export-request';
import { writeParquet } from '../../../src/core/export/parquet';
import { Dismissed } from '../../../src/shell/kit/command-table';
import { exportFile, type ExportSource, type ExportWorld, MOST_CHECKPOINTS, savePicture } from '../../../src/shell/dashboard/exports';
import type { SavedFile, Writing } from '../../../src/shell/kit/file-saver';
import { readCsv } from '../../core/export/csv-reader';
import { readParquet } from '../../core/export/parquet-reader';
import { fakeEvidence } from '../../webview/fake-evidence';
import { FakeConversation } from '../fake-conversation';
import { database, facts, snapshot, systemDatabases } from '../sample';

const beginUtcMs = Date.UTC(2026, 2, 2, 8);
const hostile = '=cmd|"/c calc"!A1\u202e\u200b\u00a0x';

function captureOf(rows: number): CaptureRecord & { generation: number } {
  const columns = {
    rows,
    beginUtcMs: Float64Array.from({ length: rows }, (_, at) => beginUtcMs + at * 1_000),
    durationMs: new Uint32Array(rows).fill(40),
    database: Uint16Array.from({ length: rows }, (_, at) => at % 2),
  };
  return {
    id: 'capture-1',
    generation: 1,
    columns,
    databases: [
      { databaseId: 5, createdLocal: null, name: hostile },
      { databaseId: 6, createdLocal: null, name: 'b' },
    ],
    observation: { beginUtcMs, endUtcMs: beginUtcMs + 3_600_000, gaps: [] },
    ledger: () => assert.fail(),
    unpaired: () => [],
    slice: (from, to) => sliceColumns(columns, from, to),
  };
}

/** An editor whose user chooses a place for every file. */
class Desk implements ExportWorld {
  readonly saved: { readonly file: SavedFile; readonly text: string }[] = [];
  /** Of the file that was saved last. */
  bytes: Uint8Array = new Uint8Array();
  readonly told: number[] = [];
  readonly conversation: FakeConversation;
  cancelsAfter = Infinity;
  pauses = 0;
  private clockMs = 0;
  readonly files: ExportWorld['files'] = {
    save: async (file, write) => {
      const writing: Writing = { isCancelled: () => this.pauses > this.cancelsAfter, tell: (share) => void this.told.push(share) };
      const bytes = await write(writing);
      if (bytes === null) return false;
      this.bytes = bytes;
      this.saved.push({ file, text: Buffer.from(bytes).toString('utf8') });
      return true;
    },
  };

  constructor(...answers: unknown[]) {
    this.conversation = new FakeConversation(answers);
  }

  nowUtcMs = (): number => beginUtcMs;
  pause = async (): Promise<void> => void this.pauses++;
  loadParquet = async (): ReturnType<ExportWorld['loadParquet']> => ({ writeParquet });
  /** Every look at the clock is 10 ms later. */
  elapsedMs = (): number => (this.clockMs += 10);
}

const source = (parts: Partial<ExportSource> = {}): ExportSource => ({
  snapshot: snapshot(facts([...systemDatabases, database(5, hostile), database(6, 'b')]), { label: 'PROD<7>' }),
  capture: captureOf(5),
  pages: fakeEvidence(),
  offsets: [],
  ...parts,
});

const request = (parts: Partial<ExportRequest>): ExportRequest => ({
  format: 'csv',
  what: 'checkpoints',
  pageId: null,
  tableId: null,
  window: null,
  databaseIds: null,
  ...parts,
});

describe('Exporting from a dashboard', () => {
  it('writes the checkpoints of the window and the databases that are shown, under a name that says of which server and when', async () => {
    const desk = new Desk();
    const window = { beginUtcMs, endUtcMs: beginUtcMs + 3_000 };
    await exportFile(request({ window, databaseIds: [5] }), source(), desk);
    const [{ file, text } = assert.fail()] = desk.saved;
    assert.equal(file.name, 'checkpoints PROD-7- 2026-03-02 0800Z.csv');
    const lines = readCsv(text.slice(1)).slice(1);
    assert.deepEqual(
      lines.map(([begin, , , duration, id, name]) => [begin, duration, id, name]),
      [
        ['2026-03-02T08:00:00.000Z', '40', '5', `'${hostile}`],
        ['2026-03-02T08:00:02.000Z', '40', '5', `'${hostile}`],
      ],
    );
  });

  it('writes the figures of every database as JSON, with what they rest on', async () => {
    const desk = new Desk();
    await exportFile(request({ format: 'json', what: 'statistics' }), source(), desk);
    const read = JSON.parse(desk.saved[0]?.text ?? '') as { capture_id: string; server: { name: string }; tables: { rows: object[] }[] };
    assert.deepEqual([read.capture_id, read.server.name], ['capture-1', 'PROD<7>']);
    assert.ok((read.tables[0]?.rows.length ?? 0) >= 2);
  });

  it('writes the same checkpoints as Parquet, with names as they are, and the figures', async () => {
    const desk = new Desk();
    const window = { beginUtcMs, endUtcMs: beginUtcMs + 3_000 };
    await exportFile(request({ format: 'parquet', window, databaseIds: [5] }), source(), desk);
    const { file } = desk.saved[0] ?? assert.fail();
    assert.deepEqual(file, {
      name: 'checkpoints PROD-7- 2026-03-02 0800Z.parquet',
      kind: 'parquet',
      title: 'Export checkpoints as Parquet',
    });
    const { rows, metadata } = await readParquet(desk.bytes);
    assert.deepEqual(
      rows.map((row) => [row['begin_utc'], row['duration_ms'], row['database_id'], row['database']]),
      [
        ['2026-03-02T08:00:00.000Z', 40, 5, hostile],
        ['2026-03-02T08:00:02.000Z', 40, 5, hostile],
      ],
    );
    assert.match(metadata['checkpoint-health-export'] ?? '', /"capture_id":"capture-1"/);
    await exportFile(request({ format: 'parquet', what: 'statistics' }), source(), desk);
    const figures = (await readParquet(desk.bytes)).rows;
    assert.deepEqual(
      figures.slice(0, 2).map((row) => [row['database'], row['checkpoints'], row['total_ms']]),
      [
        [hostile, 3, 120],
        ['b', 2, 80],
      ],
    );
  });

  it('names the time that figures are of', async () => {
    const desk = new Desk();
    const window = { beginUtcMs, endUtcMs: beginUtcMs + 3_000 };
    for (const of of [window, null]) await exportFile(request({ what: 'statistics', window: of }), source(), desk);
    assert.deepEqual(
      desk.saved.map(({ file }) => file.name),
      ['statistics from 2026-03-02 080000Z to 2026-03-02 080003Z PROD-7- 2026-03-02 0800Z.csv', 'statistics PROD-7- 2026-03-02 0800Z.csv'],
    );
  });

  it('writes one table of a page as CSV, asking which, and the whole page as JSON', async () => {
    const page = fakeEvidence().errorLog;
    const filled = page.tables.filter(({ rows }) => rows.length > 0);
    assert.ok(filled.length > 0);
    const desk = new Desk(filled[0]);
    await exportFile(request({ what: 'page', pageId: 'errorLog', tableId: filled[0]?.id ?? null }), source(), desk);
    assert.equal(readCsv(desk.saved[0]?.text.slice(1) ?? '').length, 1 + (filled[0]?.rows.length ?? 0));
    await exportFile(request({ what: 'page', pageId: 'errorLog', format: 'json' }), source(), desk);
    const read = JSON.parse(desk.saved[1]?.text ?? '') as { sentences: string[]; tables: { id: string }[] };
    assert.deepEqual(read.sentences, [page.summary, ...page.notes]);
    assert.deepEqual(
      read.tables.map(({ id }) => id),
      page.tables.map(({ id }) => id),
    );
  });

  it('says at once where there is nothing to write', async () => {
    const desk = new Desk();
    await assert.rejects(exportFile(request({}), source({ capture: null }), desk), /no checkpoint of PROD<7> has been recorded yet/);
    await assert.rejects(
      exportFile(request({ what: 'page', pageId: 'errorLog' }), source({ pages: null }), desk),
      /has not been computed yet/,
    );
    await assert.rejects(
      exportFile(request({ what: 'page', pageId: 'constructor' as 'errorLog' }), source(), desk),
      /has not been computed yet/,
    );
    await assert.rejects(exportFile(request({ what: 'everything' as 'page' }), source(), desk), /not known/);
    await assert.rejects(exportFile(request({ what: 'page', pageId: 'errorLog', format: 'parquet' }), source(), desk), /not known/);
    const empty = { ...fakeEvidence().errorLog, tables: [] };
    const pages = { ...fakeEvidence(), errorLog: empty };
    await assert.rejects(
      exportFile(request({ what: 'page', pageId: 'errorLog' }), source({ pages }), desk),
      /no table of this page has a row/,
    );
    assert.deepEqual(desk.saved, []);
  });

  for (const format of ['csv', 'parquet'] as const)
    it(`lets others have the thread between slices of ${format}, tells how far it is, and writes nothing where it is cancelled`, async () => {
      const desk = new Desk();
      await exportFile(request({ format }), source({ capture: captureOf(20_000) }), desk);
      assert.ok(desk.pauses > 10);
      assert.ok(desk.told.length > 5 && desk.told.every((share, at) => share <= 1 && share >= (desk.told[at - 1] ?? 0)));
      const cancelled = new Desk();
      cancelled.cancelsAfter = 3;
      await exportFile(request({ format }), source({ capture: captureOf(20_000) }), cancelled);
      assert.deepEqual([cancelled.saved.length, cancelled.pauses], [0, 4]);
    });

  it('refuses more checkpoints than one file may hold before it asks where to, and writes those of a shorter time', async () => {
    const desk = new Desk();
    const rows = MOST_CHECKPOINTS.json + 1;
    const many = source({ capture: captureOf(rows) });
    const sentence = /^Error: 1,000,001 checkpoints are too many for one file: choose a shorter time, with at most 1,000,000 for JSON\.$/;
    await assert.rejects(exportFile(request({ format: 'json' }), many, desk), sentence);
    assert.deepEqual([desk.saved.length, desk.told.length, desk.pauses > 3], [0, 0, true]);
    const window = { beginUtcMs, endUtcMs: beginUtcMs + 3_000 };
    await exportFile(request({ format: 'json', window }), many, desk);
    const read = JSON.parse(desk.saved[0]?.text ?? '') as { tables: { rows: object[] }[] };
    assert.equal(read.tables[0]?.rows.length, 3);
  });

  it('is never joined in one go: others have the thread between two parts', async () => {
    const desk = new Desk();
    await exportFile(request({}), source({ capture: captureOf(20_000) }), desk);
    assert.ok(desk.told.filter((share) => share === 1).length > 10);
    assert.equal(readCsv(desk.saved[0]?.text.slice(1) ?? '').length, 20_001);
  });

  for (const format of ['csv', 'parquet'] as const)
    it(`writes no ${format} of rows that are no longer true`, async () => {
      const desk = new Desk();
      const capture = captureOf(20_000);
      desk.pause = async () => void (desk.pauses++ === 4 && capture.generation++);
      await assert.rejects(exportFile(request({ format }), source({ capture }), desk), /corrected while the file was being written/);
      assert.deepEqual(desk.saved, []);
    });

  it('leaves without a word where the reader does not say which table', async () => {
    const two = fakeEvidence().errorLog.tables[0] ?? assert.fail();
    const filled = { ...two, rows: [{ databaseId: null, cells: two.columns.map(() => ({ text: 'x', value: null })) }] };
    const pages = { ...fakeEvidence(), errorLog: { ...fakeEvidence().errorLog, tables: [filled, { ...filled, id: 'other' }] } };
    await assert.rejects(exportFile(request({ what: 'page', pageId: 'errorLog' }), source({ pages }), new Desk()), Dismissed);
  });
});

describe('Saving a picture of a dashboard', () => {
  it('writes its bytes under a name that says of which server and when', async () => {
    const desk = new Desk();
    const bytes = Uint8Array.from(Buffer.from('<svg/>')).buffer;
    await savePicture({ format: 'svg', name: 'timeline', bytes }, 'a]b"c:', desk);
    assert.deepEqual(desk.saved, [
      { file: { name: 'timeline a]b-c- 2026-03-02 0800Z.svg', kind: 'svg', title: 'Save the picture as SVG' }, text: '<svg/>' },
    ]);
  });

  it('refuses what is no picture', async () => {
    const desk = new Desk();
    for (const bytes of [new ArrayBuffer(0), 'text' as unknown as ArrayBuffer])
      await assert.rejects(savePicture({ format: 'png', name: 'x', bytes }, 's', desk), /could not be made/);
    await assert.rejects(savePicture({ format: 'exe' as 'png', name: 'x', bytes: new ArrayBuffer(1) }, 's', desk), /could not be made/);
  });
});
