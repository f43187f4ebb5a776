import assert from 'node:assert/strict';
import type { SeenWave } from '../../../src/core/advice/forecast-seen';
import { judgeLimit } from '../../../src/core/advice/limits';
import { type BeforeAfterInput, createBeforeAfterPage } from '../../../src/core/pages/before-after-page';
import { writePageMarkdown } from '../../../src/core/pages/page-markdown';
import { createLimitTable, createWaveTable } from '../../../src/core/pages/wave-tables';
import { FAKE_CHANGE } from '../../webview/fake-evidence';
import { valuesOf } from '../values-of';

const MINUTE = 60_000;
const pageOf = (more: Partial<BeforeAfterInput> = {}) => createBeforeAfterPage({ ...FAKE_CHANGE, ...more });
const result = FAKE_CHANGE.result!;
const sideOf = (side: 'before' | 'after', observedMs: number) =>
  pageOf({
    signs: null,
    result: { ...result, sides: { ...result.sides, [side]: { ...result.sides[side], observedMs } } },
  });

describe('Before / after', () => {
  it('says who took the time that was freed where that was enough and the task had it, and what is clear only while nothing is on hold', () => {
    const { server, rows } = result;
    const others = { ...result, server: { ...server, after: { ...server.after, share: 0.9 } } };
    const from = (fromSeconds: number | null) =>
      rows.map((row) => ({ ...row, databaseId: 999, change: { ...row.change, fromSeconds } }));
    const say = (more: Partial<BeforeAfterInput>): string => pageOf({ signs: null, ...more }).summary;
    const freed = /^Task busy: 97 % → 90 %\. Other databases took most of the time that was freed\./;
    assert.match(say({ result: { ...others, rows: from(0) } }), freed);
    for (const seconds of [30, null])
      assert.doesNotMatch(say({ result: { ...others, rows: from(seconds) } }), /Other databases/);
    assert.doesNotMatch(say({ isContested: true }), /Task busy/);
    const signs = [judgeLimit('log waits', { before: 3.1, now: 3.2, note: '' })];
    assert.match(say({ signs }), /No limit is exceeded\./);
    assert.doesNotMatch(say({ signs, isHeld: true }), /No limit is exceeded/);
  });

  it('says the result first, then of which time, and shows each database, all together and the server', () => {
    const { title, summary, tables } = pageOf({ signs: null });
    assert.equal(title, '3 databases changed: 912 → 7.3 seconds an hour in checkpoints.');
    assert.equal(
      summary,
      'Task busy: 97 % → 58 %. A write to the log: 13.7 → 7.6 ms. Before: 3 h 10 min, 2026-11-17 08:00–11:10. After: 42 min, 2026-11-17 12:08–12:50. No gap since.',
    );
    assert.deepEqual(
      tables[0]?.rows.map(({ cells }) => valuesOf(cells, 'text').join(' | ')),
      [
        'dbA | wave 1 | 19.9 → 62.9 | 22.4 s → 41 ms | 28.6 s → 47 ms | 35.8 s → 62 ms | 446 → 2.6 | 12 % → 0.1 %',
        'dbB | wave 1 | 19.7 → 85.1 | 19.5 s → 43 ms | 23.7 s → 56 ms | 32.5 s → 79 ms | 384 → 3.7 | 11 % → 0.1 %',
        'dbC | wave 1 | 20.5 → 97.7 | 4.1 s → too few (2) | 4.8 s → too few (2) | 6.3 s → too few (2) | 84.0 → 1.0 | 2.2 % → < 0.1 %',
        'The 3 together |  | 60.1 → 246 | 15.2 s → 30 ms | 28.6 s → 56 ms | 35.8 s → 79 ms | 912 → 7.3 | 25 % → 0.2 %',
        'The whole server, 400 |  | 1,427 → 2,654 | 2.4 s → 787 ms | 6.8 s → 3.8 s | 35.8 s → 8.4 s | 3,492 → 2,088 | 97 % → 58 %',
      ],
    );
  });

  it('has no figure to sort or export of durations that it calls too few to tell', () => {
    const row = pageOf({ signs: null }).tables[0]?.rows[2];
    // Checkpoints an hour, then average, p95 and longest, each after the change and before it.
    const cells = row?.cells.slice(2, 6) ?? [];
    assert.deepEqual(
      valuesOf(cells, 'value').map((value) => value === null),
      [false, true, true, true],
    );
    assert.deepEqual(
      valuesOf(cells, 'before').map((value) => value === null),
      [false, false, false, false],
    );
  });

  it('says of the server that it is at least what was recorded, where not all automatic databases are', () => {
    const { tables } = pageOf({ partly: { recorded: 2, of: 312, unread: 0 } });
    const last = tables.find(({ id }) => id === 'result')?.rows.at(-1)?.cells[0]?.text;
    assert.equal(last, 'The server at least: only 2 of 312 automatic databases are recorded');
  });

  it('says below what to bear in mind, with total writes, and what a round of checkpoints takes', () => {
    assert.deepEqual(pageOf({ signs: null }).tables[0]?.below, [
      'Not the same hours of day. Pages are now also written in the background. Total writes: 20,800 → 23,700 MB an hour (+14 %).',
      'One checkpoint of each, one after another: 46.0 s → 92 ms. Longest time without a checkpoint: 4 min 52 s → 98.0 s.',
    ]);
    const noteOf = ({ tables }: ReturnType<typeof pageOf>): string => tables[0]?.below?.[0] ?? '';
    const writes = { before: { mbPerHour: 1, logMs: 1 }, after: { mbPerHour: null, logMs: null } };
    const unknown = /Total writes: not known yet\. Each side needs 30 minutes of samples\.$/;
    assert.match(noteOf(pageOf({ signs: null, writes })), unknown);
    assert.match(noteOf(sideOf('before', 12 * MINUTE)), /Only 12 min before\./);
  });

  it('has no table of figures before ten minutes were seen on each side, and says how many were', () => {
    const early = sideOf('after', 5 * MINUTE);
    assert.equal(early.title, '3 databases changed at 2026-11-17 12:05.');
    assert.equal(early.summary, '3 minutes to settle, then 10 to look: 5 of 10 are seen.');
    assert.ok(!valuesOf(early.tables, 'id').includes('result'));
    assert.equal(sideOf('before', 0).summary, 'Not tracked before the change: no comparison.');
    assert.equal(sideOf('before', 4 * MINUTE).summary, 'Only 4 min before the change: no comparison.');
  });

  it('says in one sentence that nothing was changed, and when there will be a result', () => {
    const page = pageOf({ result: null, observedMs: 180 * MINUTE });
    assert.deepEqual(
      [page.title, page.tables, page.link?.does],
      ['Nothing has changed yet.', [], 'setChangeMoment'],
    );
    assert.equal(page.summary, '13 minutes after a wave its result stands here. Before: 3 h seen, enough.');
    assert.match(pageOf({ result: null, observedMs: 0 }).summary, /Before: 0 ms seen; 10 min are needed\.$/);
  });

  it('puts a limit that is exceeded on top, and folds the limits away while none is', () => {
    const ids = (now: number) =>
      valuesOf(pageOf({ signs: [judgeLimit('log waits', { before: 3.1, now, note: '' })] }).tables, 'id');
    assert.deepEqual(ids(6.4), ['limits', 'result', 'waves', 'chance']);
    assert.deepEqual(ids(3.2), ['result', 'waves', 'limits', 'chance']);
  });

  it('asks whether it is more than chance, and answers beside the question', () => {
    const table = pageOf().tables.find(({ id }) => id === 'chance');
    assert.match(
      table?.fold ?? '',
      /^Time in checkpoints fell: 10 → 0\.3 seconds an hour\. Data per byte of log of the changed databases rose: 10 → 13 bytes/,
    );
    assert.deepEqual(
      table?.rows.map(({ cells }) => cells[1]?.text.slice(0, 10)),
      ['0.030 time', '1.34 times', '0.31 times', 'not enough'],
    );
  });

  it('is in the text for a change record, with the answers of what is folded', () => {
    const text = writePageMarkdown(pageOf(), 'Before / after');
    assert.match(text, /\*\*3 databases changed: 912 → 7\.3 seconds an hour in checkpoints\.\*\*/);
    assert.match(text, /## Is it more than chance\?\n\nTime in checkpoints fell/);
    assert.match(text, /\| Wave 3 \|.*\| 25 \| 22–78 % \| 37 % \| in a wide range \|/);
  });
});

const wave = (low: number, high: number, part: Partial<SeenWave>): SeenWave => ({
  low,
  high,
  databaseIds: [5, 6],
  runUtcMs: 0,
  busyShare: null,
  missingMs: 0,
  verdict: null,
  automatic: 0,
  observedMs: 0,
  ...part,
});

describe('Waves and limits', () => {
  it('have a row for each wave, the forecast of those that were run, and for the next the way to its script', () => {
    const holds = wave(0.22, 0.78, { busyShare: 0.37, verdict: 'as forecast' });
    const waves = [
      holds,
      { ...holds, verdict: null, automatic: 1 },
      wave(0.1, 0.2, { missingMs: 240_000 }),
      wave(0.1, 0.2, {}),
      wave(0.06, 0.29, { runUtcMs: null }),
      wave(0.25, 1, { busyShare: 0.88, verdict: 'as forecast', likely: 0.8 }),
      wave(0.25, 0.6, { busyShare: 0.5, verdict: 'as forecast', likely: 0.4 }),
    ];
    const toCome = { now: 0.5, bound: 0.3, waves: [{ wave: 5, databases: 2, low: 0.25, high: 0.38 }] };
    const { rows } = createWaveTable(waves, { next: 5, forecast: toCome }, (utcMs) => utcMs, false);
    assert.deepEqual(
      rows.map(({ cells }) => [cells[3]?.text, cells[4]?.text, cells[5]?.text]),
      [
        ['22–78 %', '37 %', 'in a wide range'],
        ['22–78 %', '37 %', 'not finished: 1 database still automatic'],
        ['10–20 %', '', '4 min more'],
        ['10–20 %', '', 'too short to tell'],
        ['now 25–38 %', '', ''],
        ['80 % (25–100 %)', '88 %', 'in a wide range; likely was 80 %'],
        ['40 % (25–60 %)', '50 %', 'as forecast'],
      ],
    );
    assert.deepEqual(rows[4]?.cells[5]?.link, {
      text: 'Review wave 5…',
      does: 'reviewScript',
      databaseIds: [5, 6],
    });
  });

  it('say in words what a bar shows, and why a limit cannot be seen', () => {
    const signs = [
      judgeLimit('log used', { before: 0.41, now: 0.63, note: '' }),
      judgeLimit('redo queue', { before: 0, now: 300 * 1024, note: '' }),
      judgeLimit('spinlock', { before: null, now: null, note: 'This login may not.' }),
    ];
    const table = createLimitTable(signs, 3);
    assert.deepEqual(valuesOf(table.columns, 'heading').slice(1, 3), ['Before wave 1', 'Since wave 3']);
    assert.deepEqual(
      table.rows.map(({ cells }) => valuesOf(cells.slice(1), 'text')),
      [
        ['41 %', '63 %', 'near: 10 % left', '70 %', ''],
        ['0 MB', '300 MB', 'none: stop', '200 MB', ''],
        ['', 'not observable', '', '', 'This login may not.'],
      ],
    );
    const calm = createLimitTable([signs[0]!, signs[2]!], null);
    assert.equal(calm.fold, 'None is exceeded. Nearest: log used 63 %, limit 70 %. 1 of 2 cannot be seen.');
  });
});
