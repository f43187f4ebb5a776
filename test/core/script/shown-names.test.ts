import assert from 'node:assert/strict';
import type { Finding } from '../../../src/core/advice/finding';
import { planSwitch } from '../finished';
import { planCheckpoints } from '../../../src/core/advice/checkpoint-plan';
import { writeScanCost } from '../../../src/core/script/scan-cost';
import { type ReviewScript, writeComparedText } from '../../../src/core/script/script-set';
import type { ScriptOrigin } from '../../../src/core/script/switch-heading';
import type { ReviewText } from '../../../src/core/script/text';
import { reviewTemplates } from '../../../src/texts';
import { databaseOf, factsOf } from '../advice/facts-of';
import { listInvisible } from '../invisible-characters';
import { commandNames, hostileNames, unseenNames } from './hostile-names';
import { listOtherScripts } from './other-scripts';
import { choiceOf, writeSwitch } from './scripts-of';

const names = [...unseenNames, ...commandNames, ...hostileNames];
/** Each name once to be changed, and once left out. */
const facts = factsOf(
  names.flatMap((name, at) => [
    databaseOf({ databaseId: 10 + at, name }),
    databaseOf({ databaseId: 1010 + at, name: `${name}`, isReadOnly: true }),
  ]),
);
const ids = facts.databases.map(({ databaseId }) => databaseId);

/** All that a script is made of says the same strange text. */
function writeAll(strange: string): { readonly scripts: readonly ReviewScript[]; readonly record: string } {
  const finding: Finding = {
    rule: 'r',
    severity: 'look first',
    sentence: strange,
    remedy: strange,
    sources: [{ title: strange, url: null }],
  };
  const origin: ScriptOrigin = {
    serverName: strange,
    readAt: '2026-03-02 09:00:00 UTC+1',
    evidence: strange,
    preflight: { server: [finding], databases: new Map(ids.map((id) => [id, [finding]])), unseen: [strange] },
    snapshot: { sentences: [strange], gaps: [strange] },
  };
  const choice = choiceOf(ids, true, {
    reason: strange,
    waves: { canary: 1, batch: 30, pauseMinutes: null, stopAboveWriteMs: 20 },
  });
  const plan = planSwitch(choice, facts, () => strange, { preflight: origin.preflight });
  const there = [{ primary: strange, steps: plan.steps }];
  const exclusions = plan.exclusions.map((one) => ({ ...one, reason: strange, elsewhere: strange }));
  const { scripts, record } = writeSwitch(
    { ...plan, exclusions, elsewhere: there, order: `Order: ${strange}` },
    origin,
  );
  const measured = planCheckpoints(ids, facts, () => ({ estimatedMs: 1, basis: strange }));
  return {
    scripts: [...scripts, ...writeScanCost(measured, 5, facts, origin, reviewTemplates['scan cost'])],
    record,
  };
}

const written = [...unseenNames, ...commandNames].map(writeAll);
const texts = [...written.flatMap(({ scripts }) => scripts), ...listOtherScripts(facts)];

describe('A script and its change record, whatever the names are', () => {
  it('hold no character that cannot be seen but their own ends of lines', () => {
    for (const text of [
      ...texts.map((one) => one.text),
      ...written.map(({ record }) => record),
      writeComparedText({ scripts: texts, record: '' }),
    ])
      assert.deepEqual(listInvisible(text.replace(/\n/g, '')), []);
  });

  it('name those characters in heading, comments and record', () => {
    const { scripts, record } = writeAll('Sales\u202Egol');
    const [change] = scripts;
    assert.match(change?.text ?? '', /^\/\* SWITCH: \d+ databases on Sales\{U\+202E\}gol to /);
    assert.match(change?.text ?? '', /\n {3}Evidence: Sales\{U\+202E\}gol\n/);
    assert.match(record, /^# Change record: target recovery time on Sales&lt;U\+202E&gt;gol$/m);
  });

  it('say in ASCII how a name reads that the list has as bytes', () => {
    const one = factsOf([...names, 'S\u00fcd'].map((name, at) => databaseOf({ databaseId: 10 + at, name })));
    const plan = planSwitch(
      choiceOf(
        one.databases.map(({ databaseId }) => databaseId),
        true,
      ),
      one,
      () => '',
    );
    const { scripts } = writeSwitch(plan, { serverName: 'X', readAt: 'now', evidence: 'e' });
    for (const { text } of scripts) {
      assert.match(
        text,
        /^ {4}\(1, N'S' \+ CONVERT\(nvarchar\(1\), 0xFC00\) \+ N'd',.* \/\* reads: S\{U\+00FC\}d \*\/$/m,
      );
      assert.match(text, /^[\n -~]*$/);
      for (const line of text.split('\n')) assert.ok(line.length <= 140, line);
      assert.doesNotMatch(text, /<[^<>]*,[^<>]*,[^<>]*>/);
    }
  });

  it('have nothing that SSMS takes for a parameter of a template, also not of parts of several names', () => {
    for (const { text } of texts) assert.deepEqual(text.match(/<[^<>\n]*,[^<>\n]*,[^<>\n]*>/g), null);
  });
});

describe('The text by which two sets of scripts are compared', () => {
  it('holds every script under its title, which cannot end its comment', () => {
    const script = (title: string, text: string) =>
      ({ title, kind: 'change', text: text as ReviewText }) as const;
    const text = writeComparedText({ scripts: [script('on A*/B', 'one'), script('two', 'two')], record: '' });
    assert.equal(text, '/* ==== on A* /B ==== */\none\n\n/* ==== two ==== */\ntwo');
  });
});
