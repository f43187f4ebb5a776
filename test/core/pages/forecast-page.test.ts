import assert from 'node:assert/strict';
import type { ForecastSeen, SeenWave } from '../../../src/core/advice/forecast-seen';
import { judgeStopSign } from '../../../src/core/advice/stop-signs';
import { createEmptyPage, createStopTable, createWaveTable, describeSeen } from '../../../src/core/pages/forecast-page';
import { writePageMarkdown } from '../../../src/core/pages/page-markdown';
import { fakeEvidence, NOTHING_CHANGED } from '../../webview/fake-evidence';
import { valuesOf } from '../values-of';

const wave = (low: number, high: number, part: Partial<SeenWave>): SeenWave => ({
  low,
  high,
  databaseIds: [5, 6],
  runUtcMs: 0,
  endUtcMs: 1,
  busyShare: null,
  missingMs: 0,
  verdict: null,
  again: 0,
  ...part,
});
const planned = wave(0.06, 0.29, { runUtcMs: null, endUtcMs: null });
const holds = wave(0.22, 0.78, { busyShare: 0.37, verdict: 'as forecast' });
const hoursFrom = (begin: number, count: number) => ({
  hours: new Set(Array.from({ length: count }, (_, i) => (begin + i) % 24)),
  days: 'all' as const,
});
const seen = (waves: readonly SeenWave[], sameHours: ForecastSeen['sameHours'] = null): ForecastSeen => ({
  sameHours,
  blockMs: 7_200_000,
  blocks: [],
  waves,
  nowUtcMs: 2,
});
const titleOf = (waves: readonly SeenWave[]): string | undefined => describeSeen(seen(waves), []).title;

describe('Forecast and seen', () => {
  it('says in one sentence whether the forecast came true', () => {
    assert.equal(titleOf([holds, planned]), 'The forecast holds so far.');
    assert.equal(titleOf([holds]), 'The forecast came true.');
    assert.equal(titleOf([{ ...holds, verdict: 'above' }]), 'The forecast did not come true: the task is busier than forecast.');
    assert.equal(titleOf([{ ...holds, verdict: 'below' }]), 'The forecast did not come true: the task is less busy than forecast.');
    assert.equal(titleOf([wave(0.2, 0.8, { missingMs: 240_000 })]), 'Not known yet whether the forecast holds.');
  });

  it('says what was seen in which hours, and what was forecast', () => {
    const near = judgeStopSign('log used', { before: 0.41, now: 0.63, by: 'Alpine_Billing', note: '' });
    assert.equal(
      describeSeen(seen([holds, holds, holds, planned], hoursFrom(8, 8)), [near]).summary,
      'After wave 3 of 4 the task is busy 37 % in the hours of the forecast, 08:00–16:00; the forecast was 22 to 78 %. ' +
        'No stop sign is up. One is near: log used in Alpine_Billing: 63 %, stop at 70 %.',
    );
  });

  it('names hours over midnight, and days where the forecast has only some', () => {
    const night = { ...hoursFrom(22, 8), days: 'working days' as const };
    assert.match(describeSeen(seen([holds], night), []).summary, /in the hours of the forecast, 22:00–06:00, Monday to Friday;/);
  });

  it('has a row for each wave, and for the next one the way to its script', () => {
    const again = { ...holds, again: 1 };
    const { rows } = createWaveTable(
      seen([holds, again, wave(0.1, 0.2, { missingMs: 240_000 }), wave(0.1, 0.2, {}), planned]),
      (utcMs) => utcMs,
    );
    assert.deepEqual(
      rows.map(({ cells }) => [cells[3]?.text, cells[4]?.text, cells[5]?.text]),
      [
        ['22–78 %', '37 %', 'as forecast'],
        ['22–78 %', '37 %', 'as forecast; 1 database automatic again'],
        ['10–20 %', '', '4 min more'],
        ['10–20 %', '', 'too short to tell'],
        ['6–29 %', '', ''],
      ],
    );
    assert.deepEqual(rows[4]?.cells[5]?.link, { text: 'Open its script', does: 'reviewScript', databaseIds: [5, 6] });
  });

  it('says in words what a bar shows, and why a sign cannot be seen', () => {
    const table = createStopTable(
      [
        judgeStopSign('log used', { before: 0.41, now: 0.63, note: '' }),
        judgeStopSign('redo queue', { before: 0, now: 300 * 1024, note: '' }),
        judgeStopSign('spinlock', { before: null, now: null, note: 'This login may not.' }),
      ],
      3,
    );
    assert.deepEqual(table.columns.map(({ heading }) => heading).slice(1, 3), ['Before wave 1', 'Since wave 3']);
    assert.deepEqual(
      table.rows.map(({ cells }) => cells.slice(1).map(({ text }) => text)),
      [
        ['41 %', '63 %', 'near: 10 % left', '70 %', ''],
        ['0 MB', '300 MB', 'none: stop', '200 MB', ''],
        ['', 'not observable', '', '', 'This login may not.'],
      ],
    );
  });

  it('comes before the comparison of each database, and is in the text for a change record', () => {
    const { beforeAfter } = fakeEvidence();
    assert.deepEqual(valuesOf(beforeAfter.tables, 'id'), ['waves', 'stop-signs', 'changes', 'measures']);
    const text = writePageMarkdown(beforeAfter, 'Before / after');
    assert.match(text, /\*\*The forecast holds so far\.\*\*\n\nAfter wave 3 of 4/);
    assert.match(text, /\| Wave 3 \|.*\| 25 \| 22–78 % \| 37 % \| as forecast \|/);
  });
});

describe('Before / after, while nothing was changed', () => {
  const page = createEmptyPage(NOTHING_CHANGED, (utcMs) => utcMs, []);

  it('says what it will compare, where it looked, and what to do until then', () => {
    assert.equal(page.title, 'Nothing has changed yet. Afterwards, this page compares the forecast with what happened.');
    assert.equal(page.link?.does, 'setChangeMoment');
    assert.deepEqual(
      page.tables[0]?.rows.map(({ cells }) => [cells[0]?.text, cells[2]?.text]),
      [
        ['Error log', '0'],
        ['Values of 400 databases, while this server was open', '0'],
        ['Set by hand', '0'],
      ],
    );
    assert.deepEqual(valuesOf(page.parts, 'heading'), ['Before: 1 of 5 days', 'The change: 4 waves', 'After: what to stop for']);
    assert.match(page.parts?.[0]?.text ?? '', /Keep tracking for 4 more days\.$/);
    assert.match(page.parts?.[1]?.text ?? '', /^78 databases: 3 first, then 25 at a time\./);
  });

  it('has the forecast in the text for a change record too', () => {
    assert.match(writePageMarkdown(page, 'Before / after'), /now 97 %; forecast after wave 1: 95 to 100 %/);
  });

  it('says that no log was read, and that nothing is advised', () => {
    const blind = createEmptyPage(
      { ...NOTHING_CHANGED, isLogRead: false, loggedSinceUtcMs: null, forecast: null, databaseIds: [] },
      (utcMs) => utcMs,
      [],
    );
    assert.deepEqual(valuesOf(blind.tables[0]?.rows[0]?.cells, 'text'), ['Error log', 'not observable', 'not observable']);
    assert.match(blind.parts?.[1]?.text ?? '', /^No switch is advised now\./);
  });
});
