import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Finding } from '../../../src/core/advice/finding';
import { type Choice, type WaveChoice } from '../../../src/core/advice/plan';
import { FAKE_FORECAST } from '../../webview/fake-instance';
import { planSwitch } from '../finished';
import type { ScriptOrigin } from '../../../src/core/script/switch-heading';
import { databaseOf, factsOf } from '../advice/facts-of';
import { hostileNames } from './hostile-names';
import { choiceOf, writeSwitch } from './scripts-of';

const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const finding: Finding = {
  rule: 'oldest-page',
  severity: 'look first',
  sentence: 'Its log waits for the oldest page.',
  remedy: 'Look at it again in an hour.',
  sources: [{ title: 'Microsoft Learn, log reuse', url: 'https://learn.microsoft.com/x y' }],
};
const origin: ScriptOrigin = {
  serverName: 'SQL|07',
  readAt: '2026-03-02 09:00:00 UTC+1',
  evidence: '17,496 checkpoints in 2 h observed.',
  preflight: {
    server: [],
    databases: new Map([[6, [finding]]]),
    unseen: ['Trace flags: VIEW SERVER STATE is needed.'],
  },
  snapshot: {
    sentences: ['17,496 checkpoints in 2 h observed.', 'Watched from 07:00 to 09:00.'],
    gaps: ['08:00 to 08:03: server restarted. It came up again.'],
  },
  hash,
};
const facts = factsOf([
  databaseOf({ databaseId: 5 }),
  databaseOf({ databaseId: 6 }),
  databaseOf({ databaseId: 7 }),
  databaseOf({ databaseId: 8, isReadOnly: true }),
  ...hostileNames.map((name, at) => databaseOf({ databaseId: 20 + at, name })),
]);
const waves: WaveChoice = { canary: 1, batch: 1, pauseMinutes: 15, stopAboveWriteMs: 20 };
const write = (ids: number[], more: Partial<Choice> = {}, from = origin) => {
  const plan = planSwitch(choiceOf(ids, true, more), facts, ({ name }) => `seen ${name}`, {
    preflight: origin.preflight,
  });
  return writeSwitch(plan, from);
};

describe('The change record of a switch', () => {
  it('has what was proposed, on what evidence, what was left out and why, what to look at, and what was not seen', () => {
    const { record } = write([5, 6, 8]);
    for (const part of [
      '| 1 | db5 | 5 | 2019-03-01T10:00:00.123 | 0 | 60 | seen db5 |',
      '17,496 checkpoints in 2 h observed.',
      'Watched from 07:00 to 09:00.',
      '08:00 to 08:03: server restarted.',
      '**db6**, look first: Its log waits for the oldest page. Look at it again in an hour. Source: Microsoft Learn, log reuse (<https://learn.microsoft.com/x%20y>).',
      'Not seen: Trace flags: VIEW SERVER STATE is needed.',
      '| db8 | It is read-only. |  |',
    ])
      assert.ok(record.includes(part), `${part}\n${record}`);
  });

  it('has the hash of the exact bytes of each script, so that a file saved as it says is told from any other', () => {
    for (const pauseMinutes of [15, null]) {
      const { record, scripts } = write([5, 6, 7], { waves: { ...waves, pauseMinutes } });
      assert.equal(scripts.length, 2);
      for (const { title, text } of scripts) {
        const row =
          record.split('\n').find((line) => line.startsWith(`| ${title.replace('|', '\\|')} |`)) ?? '';
        assert.ok(row.endsWith(`| ${hash(text)} |`), title);
        assert.doesNotMatch(text, /\r|^\uFEFF/);
      }
    }
    assert.match(write([5], {}, { ...origin, hash: null }).record, /\| not computed \|/);
    assert.match(
      write([5]).record,
      /UTF-8, no byte order mark, LF line ends[\s\S]*certutil -hashfile[\s\S]*sha256sum/,
    );
  });

  it('says how the waves go, what stops them, and how to take them back', () => {
    const byItself = write([5, 6, 7], { waves }).record;
    assert.match(byItself, /Waves: 1 is a canary of 1, 2 and 3 have 1 each\./);
    assert.match(
      byItself,
      /watches for 15 min before each wave, then goes on by itself\. It stops if data writes take more than 20 ms\. It also stops after a failure, or if WRITELOG waits take twice as long/,
    );
    const byHand = write([5, 6, 7], { waves: { ...waves, pauseMinutes: null } }).record;
    assert.match(byHand, /One script: \\@wave says which wave it runs\. Three failures stop it\./);
    assert.match(byHand, /Run the rollback script for all waves or for one \(\\@wave\)/);
    assert.match(write([5]).record, /One wave: all databases in one run\. Three failures stop it\./);
  });

  it('keeps the forecast: what the task was, its range after each wave, up to where it counts as free, and when that was said', () => {
    const { record } = write([5, 6], {}, { ...origin, forecast: FAKE_FORECAST });
    const section = /## Forecast\n\n([\s\S]*?)\n\n## /.exec(record)?.[1] ?? '';
    assert.match(
      section,
      /^Made at 2026-03-02 09:00:00 UTC\+1\. The checkpoint task was busy 97 % of the time\. Goal: under 30 %\./,
    );
    assert.ok(
      section.includes('| 1 | 3 | at least 95 % |') && section.includes('| 4 | 25 | 6 to 29 % |'),
      section,
    );
    assert.match(section, /Total writes are not forecast\./);
    assert.match(write([5]).record, /## Forecast\n\nNone: too little measured, or nothing to switch/);
  });

  it('keeps why a value is unusual, and the reason that was given', () => {
    assert.match(
      write([5], { targetSeconds: 10, reason: 'Recovery in a minute.' }).record,
      /Reason: Recovery in a minute\.\n\nUnusually short: below 60 seconds/,
    );
    assert.doesNotMatch(write([5]).record, /Reason:|Unusually short/);
  });

  it('stays a text with tables whatever the names are', () => {
    const { record } = write(facts.databases.map(({ databaseId }) => databaseId));
    const widths = record
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.replace(/\\\\/g, '').replace(/\\\|/g, '').split('|').length - 2);
    assert.deepEqual([...new Set(widths)].sort(), [3, 7], 'columns of its three tables');
    assert.doesNotMatch(record.replace(/<https:[^>]*>/g, ''), /<(?!$)\w/);
  });
});

describe('The scripts of a switch in waves', () => {
  it('wait for minutes that WAITFOR takes, whatever was chosen', () => {
    const pauseOf = (pauseMinutes: number): string =>
      /@pause char\(8\) = '([^']+)'/.exec(
        write([5, 6], { waves: { ...waves, pauseMinutes } }).scripts[0]?.text ?? '',
      )?.[1] ?? '';
    assert.deepEqual([0, 1, 90, 5_000, -3, NaN, 2.6].map(pauseOf), [
      '00:01:00',
      '00:01:00',
      '01:30:00',
      '23:59:00',
      '00:01:00',
      '00:01:00',
      '00:03:00',
    ]);
  });

  it('have a limit only where there is a wave behind the first one', () => {
    const limitOf = (ids: number[], stopAboveWriteMs: number | null): string =>
      /@limit_ms float = (\S+),/.exec(
        write(ids, { waves: { ...waves, stopAboveWriteMs } }).scripts[0]?.text ?? '',
      )?.[1] ?? '';
    assert.deepEqual(
      [limitOf([5], 20), limitOf([5, 6], 20), limitOf([5, 6], 12.5), limitOf([5, 6], null)],
      ['', '20', '12.5', 'NULL'],
    );
    assert.deepEqual([limitOf([5, 6], Infinity), limitOf([5, 6], 1e-9)], ['NULL', '0']);
  });
});
