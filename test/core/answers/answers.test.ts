import assert from 'node:assert/strict';
import type { Finding } from '../../../src/core/advice/finding';
import {
  citeCapture,
  createNameFinder,
  finishAnswer,
  listNames,
  type StoredCapture,
} from '../../../src/core/answers/answer';
import { describePlan } from '../../../src/core/answers/plan-answer';
import { explainDatabase, explainInstance, type StoredServer } from '../../../src/core/answers/server-answer';
import { describeReview } from '../../../src/core/review/review-page';
import { judgeDatabase } from '../../../src/core/advice/verdict';
import { database, facts, instanceWith } from '../../shell/sample';
import { choiceOf } from '../script/scripts-of';
import { planSwitch } from '../finished';
import { changeOf } from '../task/changed';
import { gapOf } from '../gap-of';

const beginUtcMs = Date.UTC(2026, 2, 2, 8);
const HOUR_MS = 3_600_000;
const capture: StoredCapture = {
  id: 'capture-1',
  observation: {
    beginUtcMs,
    endUtcMs: beginUtcMs + 4 * HOUR_MS,
    gaps: [
      gapOf('server restarted', beginUtcMs + HOUR_MS, beginUtcMs + 2 * HOUR_MS, 'It started again.'),
      gapOf('events lost', beginUtcMs + 3 * HOUR_MS, beginUtcMs + 3.5 * HOUR_MS, '7 events were lost.'),
    ],
  },
  rowsRead: 2_001,
  checkpoints: 1_000,
  lostEvents: 7,
  lostBuffers: 0,
  utcOffsetMinutes: 60,
};

const given = facts([database(5, 'Sales'), database(6, 'Stock'), database(7, 'Mail', { targetSeconds: 60 })]);
const finding = (sentence: string, severity: Finding['severity']): Finding => ({
  rule: sentence,
  severity,
  sentence,
  remedy: 'Install the update.',
  sources: [{ title: 'KB3166902', url: 'https://support.microsoft.com/kb/3166902' }],
});
const server: StoredServer = {
  label: 'Production 7',
  absence: null,
  facts: given,
  instance: instanceWith({ 5: 0.6, 6: 0.3 }),
  verdicts: new Map(given.databases.map((one) => [one.databaseId, judgeDatabase(one, given, null)])),
  statistics: new Map(),
  preflight: {
    server: [finding('This build has a fault', 'look first')],
    databases: new Map([
      [5, [finding('Sales is in SIMPLE', 'inform')]],
      [6, [finding('Stock is in a group', 'look first')]],
    ]),
    unseen: ['The trace flags cannot be seen: VIEW SERVER STATE was denied.'],
  },
  changes: [changeOf(7, beginUtcMs, { source: 'user', fromSeconds: null })],
  nearestLimit: null,
  capture,
};

describe('An answer to a language model', () => {
  it('cites its capture with the offset of the clock, what was lost, and each gap with its reason', () => {
    assert.deepEqual(citeCapture(capture), [
      'Capture capture-1: from 2026-03-02 09:00:00 UTC+1 to 2026-03-02 13:00:00 UTC+1. Read: 2,001 events, 1,000 checkpoints.' +
        ' 2 h 30 min of 4 h observed; missing: server restarted 1 h; events lost 30 min. Lost: 7 events and 0 buffers of events.',
      '- Gap from 2026-03-02 10:00:00 UTC+1 to 2026-03-02 11:00:00 UTC+1, not observed: server restarted. It started again.',
      '- Gap from 2026-03-02 12:00:00 UTC+1 to 2026-03-02 12:30:00 UTC+1, not fully observed: events lost. 7 events were lost.',
    ]);
  });

  it('never takes what was not counted for nothing lost, and writes UTC where the clock of the server is not known', () => {
    const [line = ''] = citeCapture({
      ...capture,
      lostEvents: null,
      lostBuffers: null,
      utcOffsetMinutes: null,
    });
    assert.match(line, /from 2026-03-02 08:00:00 UTC to .*The number of lost events is not observable here/);
    assert.deepEqual(citeCapture(null), ['Capture: none. Nothing was measured.']);
    assert.match(citeCapture({ ...capture, observation: null })[0] ?? '', /no time was observed yet/);
  });

  it('lists twenty gaps of many', () => {
    const gaps = Array.from({ length: 50 }, (_, at) =>
      gapOf('failover', beginUtcMs + at * 10, beginUtcMs + at * 10 + 5),
    );
    const lines = citeCapture({
      ...capture,
      observation: { beginUtcMs, endUtcMs: beginUtcMs + HOUR_MS, gaps },
    });
    assert.deepEqual([lines.length, lines.at(-1)], [22, '- 30 more gaps']);
  });

  it('is bounded by whole lines, and a long line does not take the place of the others', () => {
    const text = finishAnswer([
      'x'.repeat(1_000_000),
      ...Array.from({ length: 2_000 }, (_, at) => `line ${at}`),
    ]);
    assert.ok(text.length < 12_500, `${text.length}`);
    assert.match(
      text,
      /\nline 0\n.*\n[\d,]+ lines were left out\. Ask about one database, or open the dashboard\.$/s,
    );
    assert.ok(
      !/[\ud800-\udbff](?![\udc00-\udfff])/.test(finishAnswer(['x' + '😀'.repeat(2_000)])),
      'no half of an emoji',
    );
  });

  it('finds a name as it is before one that only looks like it, and none where two look the same', () => {
    const find = createNameFinder(['Sales', 'SALES', 'a_b', 'x<U+202E>', 'x\u202e', 'Mail']);
    assert.deepEqual(['Sales', 'SALES', 'sales', 'a\\_b', 'MAIL', 'x\u202e', 'none', ''].map(find), [
      0,
      1,
      null,
      2,
      5,
      4,
      null,
      null,
    ]);
    assert.equal(listNames(['a', 'b']), 'a, b');
  });

  it('explains the server with findings, their sources and what could not be seen', () => {
    const text = explainInstance(server);
    assert.match(text, /\*\*The checkpoint task is almost never free\.\*\*/);
    assert.match(text, /- Automatic, not measured, 2 databases: Sales, Stock\n- Indirect, 1 database: Mail/);
    assert.match(text, /- The trace flags cannot be seen: VIEW SERVER STATE was denied\./);
    assert.match(
      text,
      /- \*\*The server\*\*, look first: This build has a fault Install the update\. Source: KB3166902 \(<https:\/\/support\.microsoft\.com\/kb\/3166902>\)\./,
    );
    assert.doesNotMatch(text, /Stock is in a group/, 'what is of one database stands there');
  });

  it('explains a database with what was found of it and of its server, and when it was changed', () => {
    assert.match(
      explainDatabase(server, 6),
      /- \*\*Stock\*\*, look first: Stock is in a group[\s\S]*- \*\*The server\*\*, look first: This build has a fault/,
    );
    assert.match(
      explainDatabase(server, 7),
      /Changed at 2026-03-02 09:00:00 UTC\+1: from not observable to 60 s\./,
    );
  });

  it('says of a server that was not judged that it is not, and claims no check', () => {
    const text = explainDatabase(
      { ...server, instance: null, verdicts: new Map(), absence: 'not reached since 10:32' },
      5,
    );
    assert.match(text, /As of an earlier time: not reached since 10:32\. .*\n[\s\S]*Not judged yet\./);
    assert.doesNotMatch(text, /Nothing was found|Nothing is known to be missing/);
  });

  it('tells a plan by waves with the forecast after each, and counts what is merely good to know', () => {
    const plan = planSwitch(choiceOf([5, 6, 7]), given, () => 'no checkpoint measured');
    const forecast = { now: 0.9, bound: 0.3, waves: [{ wave: 1, databases: 2, low: 0.05, high: 0.2 }] };
    const input = {
      revision: 1,
      facts: given,
      instance: server.instance,
      verdicts: server.verdicts,
      namedIds: new Set([5, 6, 7]),
    };
    const page = describeReview({
      ...input,
      plan,
      preflight: server.preflight,
      scripts: null,
      previews: [],
      forecast,
      mediansMs: new Map(),
    });
    const text = describePlan(server, page);
    assert.match(text, /- Wave 1, 2 databases: Sales, Stock\. Busy after this wave: 5 to 20 %\./);
    assert.match(text, /## Left out\n- Mail: It already has 60 seconds\./);
    assert.match(text, /1 more is good to know, about single databases\./);
    assert.match(text, /- \*\*Stock\*\*, look first: Stock is in a group/);
  });
});
