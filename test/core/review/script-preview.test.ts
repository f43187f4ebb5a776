import assert from 'node:assert/strict';
import { planSwitch } from '../finished';
import { type PreviewPart, previewScripts } from '../../../src/core/review/script-preview';
import { finishSteps } from '../../../src/core/steps';
import type { ScriptSet } from '../../../src/core/script/script-set';
import { databaseOf, factsOf } from '../advice/facts-of';
import { choiceOf, writeSwitch } from '../script/scripts-of';

const preview = (scripts: ScriptSet) => finishSteps(previewScripts(scripts));
const ids = Array.from({ length: 78 }, (_, at) => at + 5);
const facts = factsOf(ids.map((databaseId) => databaseOf({ databaseId })));
const origin = { serverName: 'LEGACY-SQL07', readAt: '2026-03-02 16:04:00 UTC+1', evidence: 'e.' };
const set = (databases: readonly number[]) =>
  writeSwitch(
    planSwitch(choiceOf(databases), facts, () => 'seen'),
    origin,
  );
const shownLines = (parts: readonly PreviewPart[]): number =>
  parts.reduce((sum, { kind, count }) => sum + (kind === 'fold' ? 1 : count), 0);

describe('The preview of scripts', () => {
  it('holds every line of the text that would be opened, in order, each once', () => {
    const scripts = set(ids);
    const [change, rollback, record] = preview(scripts);
    const texts = [...scripts.scripts.map(({ text }) => text as string), scripts.record];
    [change, rollback, record].forEach((one, at) => {
      const lines = one!.parts.flatMap((part) => part.lines ?? []);
      assert.deepEqual(lines, texts[at]!.replace(/\n$/, '').split('\n'));
      let next = 1;
      for (const { from, count } of one!.parts) assert.equal(from, next, String((next += count)));
    });
    assert.deepEqual(
      [change, rollback, record].map((one) => one?.name),
      ['Switch', 'Rollback', 'Change record'],
    );
  });

  it('folds a long list and says how many databases are in it, and shows its begin and its end', () => {
    const [change] = preview(set(ids));
    const fold = change!.parts.find(({ words }) => words.endsWith('more databases'));
    assert.equal(fold?.words, '73 more databases');
    const around = change!.parts.filter(({ kind }) => kind === 'text').flatMap(({ lines }) => lines ?? []);
    for (const name of ['db5', 'db8', 'db82'])
      assert.ok(
        around.some((line) => line.includes(`N'${name}'`)),
        name,
      );
    assert.ok(!around.some((line) => line.includes("N'db40'")));
  });

  it('has the statement that changes something within thirty lines, however many databases there are', () => {
    for (const count of [1, 3, 78]) {
      const [change] = preview(set(ids.slice(0, count)));
      const at = change!.parts.findIndex(({ kind }) => kind === 'change');
      assert.match(change!.parts[at]?.lines?.join('\n') ?? '', /^ +(N')?ALTER DATABASE \[/m);
      assert.ok(
        shownLines(change!.parts.slice(0, at)) < 30,
        `${shownLines(change!.parts.slice(0, at))} lines before it`,
      );
    }
  });

  it('sends no more than a message holds: what is longer is a fold without its lines', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => at + 5);
    const large = factsOf(
      many.map((databaseId) => databaseOf({ databaseId, name: 'n'.repeat(120) + databaseId })),
    );
    const plan = planSwitch(choiceOf(many), large, () => 'seen');
    const previews = preview(writeSwitch(plan, origin));
    assert.ok(JSON.stringify(previews).length < 500_000, `${JSON.stringify(previews).length} characters`);
    const closed = previews[0]!.parts.filter(({ lines }) => lines === null);
    assert.match(closed[0]?.words ?? '', /^4,99\d more databases$/);
  });

  it('is empty where there is nothing to open', () => {
    assert.deepEqual(preview({ scripts: [], record: '' }), []);
  });
});
