import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgeLimit } from '../../../src/core/advice/limits';
import { RunningStatistics } from '../../../src/core/statistics/running-statistics';
import { computeStatistics, countPauses } from '../finished';
import {
  type ExportedCapture,
  listCheckpoints,
  listStatistics,
} from '../../../src/core/export/capture-tables';
import { writeCsv } from '../../../src/core/export/csv';
import { type ExportTable, ROWS_A_PIECE } from '../../../src/core/export/export-table';
import { nameExport } from '../../../src/core/export/export-request';
import { EXPORT_FORMAT, type ExportHead, writeJson } from '../../../src/core/export/json';
import { createPageTable } from '../../../src/core/export/page-table';
import { column, writeCell, writeFigure } from '../../../src/core/pages/evidence-page';
import { createLimitTable } from '../../../src/core/pages/wave-tables';
import { finishSteps } from '../../../src/core/steps';
import {
  captureOf as captureNamed,
  EVERYTHING,
  EXPORT_BEGIN_UTC_MS as beginUtcMs,
  type ExportedRow,
  headOf,
} from './exported-capture';
import { readCsv } from './csv-reader';
import { valuesOf } from '../values-of';
import { forAll } from '../../for-all';

const NAMES = ['=HYPERLINK("http://x")', 'a]b\'c"--', '😀\nline', '＠full'];

/** Clocks go an hour ahead at 01:00 UTC. */
const OFFSETS = [
  { fromUtcMs: -Infinity, offsetMinutes: 60 },
  { fromUtcMs: beginUtcMs + 3_600_000, offsetMinutes: 120 },
];
const captureOf = (rows: readonly ExportedRow[]): ExportedCapture =>
  captureNamed(rows, NAMES, { offsets: OFFSETS });

interface ReadExport {
  readonly format: string;
  readonly observed: { readonly gaps: readonly Readonly<Record<string, unknown>>[] };
  readonly ledger: Readonly<Record<string, number | null>>;
  readonly tables: readonly {
    readonly id: string;
    readonly columns: readonly string[];
    readonly rows: readonly Record<string, unknown>[];
  }[];
}

const readJson = (head: ExportHead, tables: readonly ExportTable[]): ReadExport =>
  JSON.parse([...writeJson(head, tables)].join('')) as ReadExport;

describe('Checkpoints that are written to a file', () => {
  const capture = captureOf([
    [3_600_500, 40, 1],
    [500, 700, 0],
    [10, 0, 2],
    [7_000_000, 9, 3],
  ]);

  it('are in order of time, in UTC and by the clock of the server then', () => {
    const table = finishSteps(listCheckpoints(capture, EVERYTHING));
    const lines = readCsv([...writeCsv(table)].join('').slice(1));
    assert.deepEqual(
      lines.map((cells) => cells.join(' | ')),
      [
        'begin_utc | end_utc | begin_server_time | duration_ms | database_id | database | across_gap',
        '2026-03-29T00:00:00.010Z | 2026-03-29T00:00:00.010Z | 2026-03-29T01:00:00.010+01:00 | 0 | 7 | 😀\nline | no',
        `2026-03-29T00:00:00.500Z | 2026-03-29T00:00:01.200Z | 2026-03-29T01:00:00.500+01:00 | 700 | 5 | '${NAMES[0]} | yes`,
        `2026-03-29T01:00:00.500Z | 2026-03-29T01:00:00.540Z | 2026-03-29T03:00:00.500+02:00 | 40 | 6 | ${NAMES[1]} | no`,
        "2026-03-29T01:56:40.000Z | 2026-03-29T01:56:40.009Z | 2026-03-29T03:56:40.000+02:00 | 9 | 8 | '＠full | no",
      ],
    );
  });

  it('say the same as CSV and as JSON, with what they are of and what was not observed', () => {
    const table = finishSteps(listCheckpoints(capture, EVERYTHING));
    const read = readJson(headOf(capture), [table]);
    assert.deepEqual(
      [read.format, read.ledger['events_read'], read.ledger['lost_events']],
      [EXPORT_FORMAT, 12, null],
    );
    assert.deepEqual(valuesOf(read.observed.gaps, 'begin_utc', 'reason'), [
      ['2026-03-29T00:00:01.000Z', 'The server lost "3" events.'],
    ]);
    assert.deepEqual(valuesOf(read.tables[0]?.rows, 'database'), [NAMES[2], NAMES[0], NAMES[1], NAMES[3]]);
    assert.deepEqual(readJson(headOf(capture), []).tables, []);
  });

  it('are, read back, every checkpoint that there was', () => {
    const row = fc.tuple(
      fc.integer({ min: 0, max: 7_200_000 }),
      fc.integer({ min: 0, max: 90_000 }),
      fc.integer({ min: 0, max: 3 }),
    );
    forAll(fc.array(row, { maxLength: 1_200 }), 20, (rows) => {
      const table = finishSteps(listCheckpoints(captureOf(rows), EVERYTHING));
      const lines = readCsv([...writeCsv(table)].join('').slice(1)).slice(1);
      const back = lines.map(([begin = '', , , duration, id]) => [
        Date.parse(begin) - beginUtcMs,
        Number(duration),
        Number(id) - 5,
      ]);
      const ordered = (list: readonly (readonly number[])[]): readonly string[] =>
        list.map((one) => one.join(' ')).sort();
      assert.deepEqual(ordered(back), ordered(rows));
      assert.deepEqual(
        valuesOf(readJson(headOf(captureOf(rows)), [table]).tables[0]?.rows, 'duration_ms'),
        back.map(([, duration]) => duration),
      );
    });
  });

  it('are written in short pieces, however many there are', () => {
    const rows = 200_000;
    const steps = listCheckpoints(
      captureOf(Array.from({ length: rows }, (_, at) => [at * 7, 3, 0])),
      EVERYTHING,
    );
    const { pauses, value } = countPauses(steps);
    let [count, characters, most] = [0, 0, 0];
    for (const piece of writeCsv(value)) {
      count++;
      characters += piece.length;
      most = Math.max(most, piece.split('\n').length - 1);
    }
    assert.ok(pauses > 2 && characters > rows * 80, `${pauses} pauses, ${characters} characters`);
    assert.deepEqual([count, most], [1 + rows / ROWS_A_PIECE, ROWS_A_PIECE]);
  });
});

describe('Figures that are written to a file', () => {
  const capture = captureOf([
    [2_500, 700, 0],
    [10_000, 300, 0],
    [4_000, 5, 2],
  ]);

  it('are those of the statistics, and say why one is missing', () => {
    const table = finishSteps(listStatistics(capture, EVERYTHING));
    const { rows = [] } = readJson(headOf(capture), [table]).tables[0] ?? {};
    assert.deepEqual(valuesOf(rows, 'database_id'), [5, 7, 6, 8]);
    const [figures] = computeStatistics(capture.columns, 4, capture.observation, capture.observation);
    assert.deepEqual(
      valuesOf(rows.slice(0, 1), 'checkpoints', 'per_hour', 'p95_ms', 'share_of_time_0_to_1'),
      [[2, figures?.perHour, 700, figures?.share]],
    );
    assert.deepEqual([rows[2]?.['checkpoints'], rows[2]?.['p50_ms']], [0, null]);
    assert.deepEqual(rows[2]?.['not_observable'], {
      target_recovery_time_s: 'could not be read',
      average_ms: 'no checkpoint in this time',
      p50_ms: 'no checkpoint in this time',
      p95_ms: 'no checkpoint in this time',
      p99_ms: 'no checkpoint in this time',
      max_ms: 'no checkpoint in this time',
    });
    assert.equal(rows[0]?.['not_observable'], undefined);
  });

  it('have every checkpoint that the page counts, also those outside of the time that was observed', () => {
    const { observation, ...rest } = captureOf([
      [-50, 20, 1],
      [10_000, 300, 0],
      [7_200_000, 40, 1],
      [7_200_900, 7, 2],
    ]);
    const { columns, databases } = rest;
    const page = finishSteps(
      new RunningStatistics().refresh({ columns, generation: 0, databases: 4, observation }),
    );
    const table = finishSteps(listStatistics({ ...rest, observation }, EVERYTHING));
    const { rows = [] } = readJson(headOf(capture), [table]).tables[0] ?? {};
    const figuresOf = (database: number): readonly unknown[] => {
      const { count, perHour, maximumMs, totalMs, share } = page.databases[database]!;
      return [databases[database]?.name, count, perHour, maximumMs, totalMs, share];
    };
    assert.deepEqual(
      valuesOf(rows, 'database', 'checkpoints', 'per_hour', 'max_ms', 'total_ms', 'share_of_time_0_to_1'),
      [0, 1, 2, 3].map(figuresOf),
    );
  });
});

describe('A table of a page that is written to a file', () => {
  it('has what is on the screen and the exact value beside it, with its unit, in columns with the same names in every language', () => {
    const told = ['Translated', ''] as const;
    const table = createPageTable({
      id: 'flush',
      heading: 'FlushCache',
      columns: [
        ...[
          column.moment('logged', ...told),
          column.word('database', ...told),
          column.ms('duration', ...told),
        ],
        ...[
          column.share('share', ...told),
          column.megabytesPerSecond('rate', ...told),
          column.bytes('log', ...told),
        ],
      ],
      rows: [
        {
          databaseId: 5,
          cells: [
            { text: '2026-03-29 01:00:00', value: beginUtcMs, kind: 'moment' },
            writeCell('=x'),
            { text: '65.5 s', value: 65_500 },
            { text: '12 %', value: 0.121 },
            { text: '17.9 MB/s', value: 17.89 },
            writeFigure(null, String),
          ],
        },
      ],
    });
    assert.deepEqual(table.columns, [
      'database_id',
      'logged',
      'logged (UTC)',
      'database',
      'duration',
      'duration (ms)',
      'share',
      'share (share, 0 to 1)',
      'rate',
      'rate (MB a second)',
      'log',
      'log (bytes)',
    ]);
    assert.deepEqual(table.row(0), [
      5,
      '2026-03-29 01:00:00',
      '2026-03-29T00:00:00.000Z',
      '=x',
      '65.5 s',
      65_500,
      '12 %',
      0.121,
      '17.9 MB/s',
      17.89,
      { missing: 'not observable' },
      { missing: 'not observable' },
    ]);
  });

  it('names the unit of each row where rows have different ones, as limits do', () => {
    const limits = (
      [
        ['log used', 0.5, 0.61],
        ['oldest page', 0, 90_000],
        ['redo queue', 1_024, 51_200],
        ['data writes', 1.5, 2.25],
        ['pages', 40, 55],
        ['flush cache', 0, 0],
        ['spinlock', 1, 3],
      ] as const
    ).map(([id, before, now]) => judgeLimit(id, { before, now, note: '' }));
    const table = createPageTable(createLimitTable(limits, 1));
    assert.deepEqual(table.columns, [
      ...[
        'database_id',
        'limit',
        'before',
        'before (exact)',
        'since',
        'since (exact)',
        'room_left',
        'limit_at',
        'limit_at (exact)',
      ],
      ...['note', 'unit'],
    ]);
    const figures = limits.map((_, at) => [3, 5, 8, 10].map((place) => table.row(at)[place]));
    assert.deepEqual(figures, [
      [0.5, 0.61, 0.7, 'share, 0 to 1'],
      [0, 90_000, 1_800_000, 'ms'],
      [1_024, 51_200, 204_800, 'KB'],
      // Twice the value before, and at least 5.
      [1.5, 2.25, 5, 'ms'],
      [40, 55, 60, 'pages for each MB of log'],
      [0, 0, 1, 'a day'],
      [1, 3, { missing: 'none' }, 'a minute'],
    ]);
  });

  it('has both ends of a forecast, and the interval beside an estimate', () => {
    const interval = { low: 0.08, high: 0.15 };
    const table = createPageTable({
      id: 'waves',
      heading: '',
      columns: [column.share('forecast', '', '', 'range'), column.ratio('effect', '', '', 'estimate')],
      rows: [
        {
          databaseId: null,
          cells: [
            { text: '8 to 15 %', value: 0.15, interval },
            { text: '0.1 times', value: 0.1, interval },
          ],
        },
        {
          databaseId: null,
          cells: [
            writeCell(''),
            { text: 'more than 2 times', value: null, interval: { low: 2, high: null } },
          ],
        },
      ],
    });
    assert.deepEqual(table.columns, [
      ...['database_id', 'forecast', 'forecast_low (share, 0 to 1)', 'forecast_high (share, 0 to 1)'],
      ...['effect', 'effect (ratio)', 'effect_low (ratio)', 'effect_high (ratio)'],
    ]);
    const [first, second] = [0, 1].map((at) => table.row(at).slice(1));
    assert.deepEqual(first, ['8 to 15 %', 0.08, 0.15, '0.1 times', 0.1, 0.08, 0.15]);
    const open = { missing: 'more than 2 times' };
    assert.deepEqual(second, [
      '',
      { missing: 'none' },
      { missing: 'none' },
      'more than 2 times',
      open,
      2,
      open,
    ]);
  });
});

describe('The name of a file', () => {
  it('tells the server and the time, and is one that Windows takes', () => {
    const at = Date.UTC(2026, 2, 2, 8, 30);
    assert.equal(
      nameExport('checkpoints', 'PROD-SQL07', at, 'csv'),
      'checkpoints PROD-SQL07 2026-03-02 0830Z.csv',
    );
    assert.equal(
      nameExport('timeline', 'a]b"c:\\SQL\u0000?*|<1>/.. ', at, 'png'),
      'timeline a]b-c--SQL-U+0000-----1-- 2026-03-02 0830Z.png',
    );
    assert.equal(
      nameExport('timeline', 'Sales\u202e', at, 'png'),
      'timeline Sales-U+202E- 2026-03-02 0830Z.png',
    );
    forAll(fc.string({ unit: 'binary', maxLength: 150 }), 50, (name) => {
      const file = nameExport('checkpoints', name, at, 'json');
      assert.doesNotMatch(file, /[<>:"/\\|?*\p{Cc}]|[. ]$/u);
      assert.ok(file.length < 240 && file.endsWith('.json'));
    });
  });
});
