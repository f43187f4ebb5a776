import assert from 'node:assert/strict';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import type { ErrorLogRow } from '../../../src/core/errorlog/error-log-row';
import { createMessage, makeRow, PUBLISHED } from './log-texts';
import { valuesOf } from '../values-of';

const PUBLISHED_GROUP = {
  logDateLocal: '2026-03-02T08:00:00.79',
  processInfo: 'spid25s',
  atUtcMs: null,
  sureness: 'unknown',
  lines: [1, 2, 3, 4],
  state: 'whole',
  databaseId: 19,
  pages: 394031,
  writes: 282252,
  durationMs: 65544,
  pagesPerWrite: 394031 / 282252,
  avoidedPages: 21,
  writesPerSecond: 4306.3,
  megabytesPerSecond: 46.96,
  ioSaturation: 53644,
  contextSwitches: 101117,
  lastTargetOutstanding: 639360,
  averageWriteLatencyMs: 1,
  throughputDiffersBy: null,
};

function readTexts(texts: readonly string[]): ReturnType<typeof readErrorLog> {
  return readErrorLog(texts.map((text) => makeRow(text)));
}

describe('a FlushCache message', () => {
  it('is read from its four lines', () => {
    const { groups, counts } = readTexts(PUBLISHED);
    assert.deepEqual(groups, [PUBLISHED_GROUP]);
    assert.deepEqual(counts, {
      rows: 4,
      parsed: 4,
      noise: 0,
      unrecognised: 0,
      lines: { read: 4, parsed: 4, noise: 0, unrecognised: 0 },
    });
  });

  it('is whole with the three lines of SQL Server 2012', () => {
    const { groups } = readTexts(PUBLISHED.filter((line) => !line.includes('writes per second')));
    assert.deepEqual(groups, [{ ...PUBLISHED_GROUP, lines: [1, 2, 3], writesPerSecond: null }]);
  });

  const [first, writes, throughput, outstanding] = PUBLISHED;
  for (const [damage, texts] of [
    ['lost padding', PUBLISHED.map((line) => line.trim().replace(/ +/g, ' '))],
    ['added padding', PUBLISHED.map((line) => `   ${line.replace(/ /g, '   ')}\t`)],
    ['Bufs with a capital', [first.replace('bufs with', 'Bufs with'), writes, throughput, outstanding]],
    ['a comma after writes', [first.replace('writes in', 'writes, in'), writes, throughput, outstanding]],
    ['no blank before ms', [first.replace('65544 ms', '65544ms'), writes, throughput, outstanding]],
    ['no "for db" before the database', [first.replace(' for db', ''), writes, throughput, outstanding]],
    ['missing colons and commas', PUBLISHED.map((line) => line.replace(/[:,]/g, ' '))],
    ['its lines joined in one', [PUBLISHED.join(' ')]],
    ['its lines joined without blanks', [PUBLISHED.map((line) => line.trim()).join('')]],
    ['its lines joined with line ends', [PUBLISHED.join('\r\n')]],
    ['the newest line first', [...PUBLISHED].reverse()],
  ] as const) {
    it(`is read with ${damage}`, () => {
      const { groups, counts } = readTexts(texts);
      assert.deepEqual(groups, [{ ...PUBLISHED_GROUP, lines: texts.map((_, at) => at + 1) }]);
      assert.equal(counts.unrecognised, 0);
    });
  }

  it('is read without its database where that is missing, or where lost colons leave open which one it is', () => {
    for (const texts of [
      [first.replace(' for db 19:0', ''), writes, throughput, outstanding],
      PUBLISHED.map((text) => text.replace(/[:,]/g, '')),
    ])
      assert.deepEqual(readTexts(texts).groups, [{ ...PUBLISHED_GROUP, databaseId: null }]);
  });

  it('of which the end was cut is not of the database whose first digits are left', () => {
    for (const cut of ['19', '1']) {
      const texts = [first.replace('19:0', cut), writes, throughput, outstanding];
      assert.deepEqual(readTexts(texts).groups, [{ ...PUBLISHED_GROUP, databaseId: null }]);
    }
  });

  it('stays together when its lines bear two dates, in every order of time', () => {
    const rows = [first, writes, throughput, outstanding].map((text, index) =>
      makeRow(text, index < 2 ? '2026-03-02 08:00:00.79' : '2026-03-02 08:00:00.84'),
    );
    const earlier = createMessage(1000, 900, 61_000, 7).map((text) =>
      makeRow(text, '2026-03-02 07:00:00.10'),
    );
    const oldestFirst = [...earlier, ...rows];
    const byDateDescending = [rows[2], rows[3], rows[0], rows[1], ...earlier] as readonly ErrorLogRow[];
    for (const order of [oldestFirst, [...oldestFirst].reverse(), byDateDescending]) {
      const { groups, counts } = readErrorLog(order);
      assert.deepEqual(
        groups
          .map(({ state, databaseId, averageWriteLatencyMs }) => [state, databaseId, averageWriteLatencyMs])
          .sort(),
        [
          ['whole', 19, 1],
          ['whole', 7, 1],
        ],
      );
      assert.equal(counts.unrecognised, 0);
    }
  });

  it('keeps apart from others whose lines stand between its own, by process', () => {
    const [a, b] = [createMessage(5000, 400, 70_000, 5), createMessage(900_000, 800_000, 90_000, 6)];
    const rows = a.flatMap((text, index) => [
      makeRow(text, undefined, 'spid25s'),
      makeRow(b[index] ?? '', undefined, 'spid40s'),
    ]);
    const { groups, counts } = readErrorLog(rows);
    assert.deepEqual(
      valuesOf(groups, 'state', 'databaseId', 'pages', 'ioSaturation', 'lastTargetOutstanding'),
      [
        ['whole', 5, 5000, 5000, 5],
        ['whole', 6, 900_000, 900_000, 6],
      ],
    );
    assert.equal(counts.parsed, 8);
  });

  it('that was mixed with another of the same process is reported as a mixture, and what is left over is counted', () => {
    const [a, b] = [createMessage(5000, 400, 70_000, 5), createMessage(900_000, 800_000, 90_000, 6)];
    const { groups, unrecognised, counts } = readTexts(a.flatMap((text, index) => [text, b[index] ?? '']));
    assert.ok(groups.every(({ state }) => state !== 'whole'));
    assert.ok(groups.some(({ state }) => state === 'mixture'));
    assert.equal(groups.length, 2);
    assert.equal(unrecognised.length, 5);
    assert.deepEqual([counts.rows, counts.parsed, counts.unrecognised], [8, 3, 5]);
  });

  it('is whole without a line that is out of place behind it, in a log with the newest line first', () => {
    const earlier = createMessage(1000, 900, 61_000, 7).map((text) =>
      makeRow(text, '2026-03-02T07:00:00.79'),
    );
    const { groups, counts } = readErrorLog(
      [outstanding, throughput, first, writes].map((text) => makeRow(text)).concat(earlier.reverse()),
    );
    assert.deepEqual(valuesOf(groups, 'state', 'databaseId', 'writesPerSecond'), [
      ['whole', 19, null],
      ['whole', 7, 14.75],
    ]);
    assert.equal(counts.unrecognised, 1);
  });

  for (const [line, wrong] of [
    ['writes per second', PUBLISHED.map((text) => text.replace('4306.30', '4306.32'))],
    ['throughput', PUBLISHED.map((text) => text.replace('46.96', '46.66'))],
  ] as const) {
    it(`is a mixture when its ${line} does not fit its first line`, () => {
      assert.equal(readTexts(wrong).groups[0]?.state, 'mixture');
    });
  }

  it('of which a line is missing is incomplete, with null for what is missing', () => {
    const figures = ['state', 'megabytesPerSecond', 'averageWriteLatencyMs', 'writesPerSecond'] as const;
    assert.deepEqual(valuesOf(readTexts([first, writes]).groups, ...figures), [
      ['incomplete', null, null, 4306.3],
    ]);
  });

  it('of no measurable duration is not judged by its rates', () => {
    const texts = [first.replace('65544 ms', '0 ms'), writes, throughput, outstanding];
    assert.equal(readTexts(texts).groups[0]?.state, 'whole');
  });

  it('without its first line is no message: its lines are counted as unrecognised', () => {
    const { groups, unrecognised } = readTexts(PUBLISHED.slice(1));
    assert.deepEqual(groups, []);
    assert.deepEqual(
      valuesOf(unrecognised, 'text'),
      PUBLISHED.slice(1).map((text) => text.trim()),
    );
  });

  it('with anything else in its lines is not read', () => {
    const { groups, counts } = readTexts([`${first} and more`, `said: ${first}`, 'average throughput: much']);
    assert.deepEqual(groups, []);
    assert.equal(counts.unrecognised, 3);
  });

  /** Of SQL Server 2008, where context switches, latency and database came not yet, between prints of trace flag 3502. */
  const OF_2008 = [
    'Ckpt dbid 5 started (8)',
    'FlushCache: cleaned up 61760 bufs with 3104 writes in 3125 ms (avoided 0 new dirty bufs)',
    '      average throughput: 154.40 MB/sec, I/O saturation: 5449',
    '      last target outstanding: 2586',
    'Ckpt dbid 5 complete',
  ];
  const FIGURES_2008 = [
    'state',
    'databaseId',
    'ioSaturation',
    'contextSwitches',
    'lastTargetOutstanding',
  ] as const;

  it('of 2008 is whole, and its database is the one that the same process prints around it', () => {
    for (const texts of [OF_2008, [...OF_2008].reverse()]) {
      const rows = texts.map((text, at) =>
        makeRow(
          text,
          `2026-03-02 08:00:0${texts === OF_2008 ? (at === 0 ? 0 : at === 4 ? 9 : 4) : at === 0 ? 9 : at === 4 ? 0 : 4}.00`,
        ),
      );
      const { groups, counts } = readErrorLog(rows);
      assert.deepEqual(valuesOf(groups, ...FIGURES_2008), [['whole', 5, 5449, null, 2586]]);
      assert.equal(counts.unrecognised, 0);
    }
  });

  it('of 2008 is of no known database where the prints are of another process, of two databases, or of another time', () => {
    const [started = '', ...rest] = OF_2008;
    const message = rest.slice(0, 3);
    for (const rows of [
      [makeRow(started, undefined, 'spid9s'), ...rest.map((text) => makeRow(text))],
      [started.replace('5', '6'), ...rest].map((text) => makeRow(text)),
      ['Ckpt dbid 5 complete', ...message, 'Ckpt dbid 5 started (8)'].map((text) => makeRow(text)),
      message.map((text) => makeRow(text)),
    ])
      assert.deepEqual(valuesOf(readErrorLog(rows).groups, ...FIGURES_2008), [
        ['whole', null, 5449, null, 2586],
      ]);
  });

  it('of later versions is not whole with a line that was cut where the one of 2008 ends', () => {
    const [, , cut] = PUBLISHED.map((text) => text.replace(/, context.*/, ''));
    const { groups, counts } = readTexts([first, writes, cut ?? '', outstanding]);
    assert.notEqual(groups[0]?.state, 'whole');
    assert.deepEqual([groups[0]?.ioSaturation, counts.parsed + counts.unrecognised], [null, 4]);
  });

  it('that is alone and whose writes agree is whole, with what its throughput differs by', () => {
    const alone = [
      'FlushCache: cleaned up 39907 bufs with 1628 writes in 74882 ms (avoided 21 new dirty bufs) for db 5:0',
      'average writes per second: 21.74 writes/sec',
      'average throughput: 4.15 MB/sec, I/O saturation: 3296, context switches 1500',
      'last target outstanding: 512, avgWriteLatency 22',
    ];
    const [group] = readTexts(alone).groups;
    assert.deepEqual(
      [group?.state, group?.megabytesPerSecond, group?.averageWriteLatencyMs],
      ['whole', 4.15, 22],
    );
    assert.ok(Math.abs((group?.throughputDiffersBy ?? 0) - 0.003) < 0.0005);
    assert.deepEqual(valuesOf(readTexts([...alone].reverse()).groups, 'state'), ['whole']);
    for (const texts of [
      alone.map((text) => text.replace('4.15', '4.25')),
      alone.map((text) => text.replace('21.74', '21.70')),
      [...alone, PUBLISHED[0]],
    ])
      assert.notEqual(readTexts(texts).groups[0]?.state, 'whole');
  });
});
