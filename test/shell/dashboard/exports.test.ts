import assert from 'node:assert/strict';
import type { ExportRequest } from '../../../src/core/export/export-request';
import { writeParquet } from '../../../src/core/export/parquet';
import { finishSteps } from '../../../src/core/steps';
import { noTaskGrounds, summarizeCapture } from '../../../src/monitor/facts/judgement';
import { Dismissed } from '../../../src/shell/kit/command-table';
import {
  exportFile,
  type ExportSource,
  type ExportWorld,
  MOST_CHECKPOINTS,
  savePicture,
} from '../../../src/shell/dashboard/exports';
import type { SavedFile, Writing } from '../../../src/shell/kit/file-saver';
import { everySecond, recordOf } from '../../core/capture/record-of';
import { readCsv } from '../../core/export/csv-reader';
import { readParquet } from '../../core/export/parquet-reader';
import { fakeEvidence } from '../../webview/fake-evidence';
import { FakeConversation } from '../fake-conversation';
import { database, facts, partsOf, snapshot, systemDatabases, unseenInstance } from '../sample';
import { valuesOf } from '../../core/values-of';
import { changeOf } from '../../core/task/changed';

const beginUtcMs = Date.UTC(2026, 2, 2, 8);
const hostile = '=cmd|"/c calc"!A1\u202e\u200b\u00a0x';

const databases = [
  { databaseId: 5, createdLocal: null, name: hostile },
  { databaseId: 6, createdLocal: null, name: 'b' },
];
const captureOf = (rows: number) => recordOf(everySecond(rows, beginUtcMs, 2), { databases });

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
      const writing: Writing = {
        isCancelled: () => this.pauses > this.cancelsAfter,
        tell: (share) => void this.told.push(share),
      };
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
  snapshot: snapshot(facts([...systemDatabases, database(5, hostile), database(6, 'b')]), {
    label: 'PROD<7>',
  }),
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
  side: null,
  databaseIds: null,
  ...parts,
});

const window = { beginUtcMs, endUtcMs: beginUtcMs + 3_000 };

describe('Exporting from a dashboard', () => {
  let desk: Desk;
  beforeEach(() => (desk = new Desk()));
  const write = (parts: Partial<ExportRequest>, of: Partial<ExportSource> = {}): Promise<void> =>
    exportFile(request(parts), source(of), desk);
  /** The file that was saved last. */
  const saved = (): Desk['saved'][number] => desk.saved.at(-1) ?? assert.fail('nothing was saved');
  const readJson = <T>(): T => JSON.parse(saved().text) as T;
  const begins = ['2026-03-02T08:00:00.000Z', '2026-03-02T08:00:02.000Z'];

  it('writes the checkpoints of the window and the databases that are shown, under a name that says of which server and when', async () => {
    await write({ window, databaseIds: [5] });
    assert.equal(saved().file.name, 'checkpoints PROD-7- 2026-03-02 0800Z.csv');
    const lines = readCsv(saved().text.slice(1)).slice(1);
    const written = lines.map(([begin, , , duration, id, name]) => [begin, duration, id, name]);
    assert.deepEqual(
      written,
      begins.map((begin) => [begin, '40', '5', `'${hostile}`]),
    );
  });

  it('writes the figures of one side of the changes as their table has them, and names its time', async () => {
    const changes = [changeOf(5, beginUtcMs + 20_000)];
    const capture = recordOf(everySecond(1_000, beginUtcMs, 2), { databases });
    const given = source({ capture });
    const steps = summarizeCapture(capture, given.snapshot.facts!, { ...noTaskGrounds, changes });
    const evidence = finishSteps(steps) ?? assert.fail('nothing observed');
    const { after } = evidence.result!.sides;
    const instance = { ...unseenInstance, sinceUtcMs: evidence.sinceUtcMs, task: evidence.task, neededMs: 0 };
    await write(
      { what: 'statistics', side: 'since' },
      { ...given, snapshot: { ...given.snapshot, instance, result: evidence.result } },
    );
    const expected = capture.columns.beginUtcMs.filter(
      (at) => at >= after.beginUtcMs && at < after.endUtcMs,
    ).length;
    const [head = [], ...rows] = readCsv(saved().text.slice(1));
    const counts = rows.map((row) => Number(row[head.indexOf('checkpoints')]));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      expected,
    );
    assert.ok(expected > 500 && expected < 1_000);
    assert.match(saved().file.name, /^statistics from 2026-03-02 0803/);
  });

  it('writes the same checkpoints as Parquet, with names as they are, and the figures', async () => {
    await write({ format: 'parquet', window, databaseIds: [5] });
    const name = 'checkpoints PROD-7- 2026-03-02 0800Z.parquet';
    assert.deepEqual(saved().file, { name, kind: 'parquet', title: 'Export checkpoints as Parquet' });
    const { rows, metadata } = await readParquet(desk.bytes);
    const written = valuesOf(rows, 'begin_utc', 'duration_ms', 'database_id', 'database');
    assert.deepEqual(
      written,
      begins.map((begin) => [begin, 40, 5, hostile]),
    );
    assert.match(metadata['checkpoint-health-export'] ?? '', /"capture_id":"capture-1"/);
    await write({ format: 'parquet', what: 'statistics' });
    assert.equal(saved().file.name, 'statistics PROD-7- 2026-03-02 0800Z.parquet');
    const figures = (await readParquet(desk.bytes)).rows.slice(0, 2);
    assert.deepEqual(valuesOf(figures, 'database', 'checkpoints', 'total_ms'), [
      [hostile, 3, 120],
      ['b', 2, 80],
    ]);
  });

  it('writes one table of a page as CSV, asking which, and the whole page as JSON', async () => {
    const page = fakeEvidence().errorLog;
    const filled = page.tables.find(({ rows }) => rows.length > 0) ?? assert.fail();
    desk = new Desk(filled);
    await write({ what: 'page', pageId: 'errorLog', tableId: filled.id });
    assert.equal(readCsv(saved().text.slice(1)).length, 1 + filled.rows.length);
    await write({ what: 'page', pageId: 'errorLog', format: 'json' });
    const { sentences, tables } = readJson<{ sentences: string[]; tables: { id: string }[] }>();
    assert.deepEqual(
      [sentences, partsOf(tables, 'id')],
      [[page.summary, ...page.notes], partsOf(page.tables, 'id')],
    );
  });

  const empty = { ...fakeEvidence(), errorLog: { ...fakeEvidence().errorLog, tables: [] } };
  for (const [what, parts, of, sentence] of [
    [
      'checkpoints without a capture',
      {},
      { capture: null },
      /no checkpoint of PROD<7> has been recorded yet/,
    ],
    [
      'a page before there is one',
      { what: 'page', pageId: 'errorLog' },
      { pages: null },
      /has not been computed yet/,
    ],
    [
      'a page that is none',
      { what: 'page', pageId: 'constructor' as 'errorLog' },
      {},
      /has not been computed yet/,
    ],
    ['a page as Parquet', { what: 'page', pageId: 'errorLog', format: 'parquet' }, {}, /not known/],
    [
      'a page without a row',
      { what: 'page', pageId: 'errorLog' },
      { pages: empty },
      /no table of this page has a row/,
    ],
  ] as const)
    it(`says at once where there is nothing to write: ${what}`, async () => {
      await assert.rejects(write(parts, of), sentence);
      assert.deepEqual(desk.saved, []);
    });

  for (const format of ['csv', 'parquet'] as const) {
    it(`lets others have the thread between slices of ${format}, tells how far it is, and writes nothing where it is cancelled`, async () => {
      await write({ format }, { capture: captureOf(20_000) });
      assert.ok(desk.pauses > 10);
      assert.ok(
        desk.told.length > 5 &&
          desk.told[0]! < 1 &&
          desk.told.every((share, at) => share <= 1 && share >= (desk.told[at - 1] ?? 0)),
      );
      if (format === 'csv') {
        assert.equal(readCsv(saved().text.slice(1)).length, 20_001);
        assert.ok(desk.told.filter((share) => share === 1).length > 10, 'it is never joined in one go');
      }
      desk = new Desk();
      desk.cancelsAfter = 3;
      await write({ format }, { capture: captureOf(20_000) });
      assert.deepEqual([desk.saved.length, desk.pauses], [0, 4]);
    });

    it(`writes no ${format} of rows that are no longer true`, async () => {
      const capture = captureOf(20_000);
      desk.pause = async () => void (desk.pauses++ === 4 && Object.assign(capture, { generation: 2 }));
      await assert.rejects(write({ format }, { capture }), /corrected while the file was being written/);
      assert.deepEqual(desk.saved, []);
    });
  }

  it('refuses more checkpoints than one file may hold before it asks where to, and writes those of a shorter time', async () => {
    const capture = captureOf(MOST_CHECKPOINTS.json + 1);
    const sentence =
      /^Error: 1,000,001 checkpoints are too many for one file: choose a shorter time, with at most 1,000,000 for JSON\.$/;
    await assert.rejects(write({ format: 'json' }, { capture }), sentence);
    assert.deepEqual([desk.saved.length, desk.told.length, desk.pauses > 3], [0, 0, true]);
    await write({ format: 'json', window }, { capture });
    assert.equal(readJson<{ tables: { rows: object[] }[] }>().tables[0]?.rows.length, 3);
  });

  it('leaves without a word where the reader does not say which table', async () => {
    const two = fakeEvidence().errorLog.tables[0] ?? assert.fail();
    const filled = {
      ...two,
      rows: [{ databaseId: null, cells: two.columns.map(() => ({ text: 'x', value: null })) }],
    };
    const pages = {
      ...fakeEvidence(),
      errorLog: { ...fakeEvidence().errorLog, tables: [filled, { ...filled, id: 'other' }] },
    };
    await assert.rejects(write({ what: 'page', pageId: 'errorLog' }, { pages }), Dismissed);
  });
});

describe('Saving a picture of a dashboard', () => {
  it('writes its bytes under a name that says of which server and when', async () => {
    const desk = new Desk();
    const bytes = Uint8Array.from(Buffer.from('<svg/>')).buffer;
    await savePicture({ format: 'svg', name: 'timeline', bytes }, 'a]b"c:', desk);
    assert.deepEqual(desk.saved, [
      {
        file: { name: 'timeline a]b-c- 2026-03-02 0800Z.svg', kind: 'svg', title: 'Save the picture as SVG' },
        text: '<svg/>',
      },
    ]);
  });

  it('refuses what is no picture', async () => {
    const desk = new Desk();
    const bytes = new ArrayBuffer(0);
    await assert.rejects(savePicture({ format: 'png', name: 'x', bytes }, 's', desk), /could not be made/);
  });
});
