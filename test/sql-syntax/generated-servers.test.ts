import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addPrologue } from '../../src/core/script/prologue';
import { nameSessionFile, writeSessionCreate } from '../../src/core/script/session';
import { reviewSwitch } from '../../src/monitor/switch-review';
import { writeScripts } from '../../src/monitor/script-writing';
import { ownSessionTemplates } from '../../src/texts';
import { checkSyntax, type NamedText, listNames } from '../../tools/tsql-check/check';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { prepareOrSkip } from '../pending';
import { splitAtGo } from '../e2e/query-window';
import { findUnknownName } from './catalogue';
import { generatedServer, type GeneratedServer } from './generated-servers';
import { finishSteps } from '../../src/core/steps';

const servers = 40;

describe('Every script of a generated server', function () {
  this.timeout(240_000);
  /** The same servers each time: a failure can be looked at again. */
  const generated = fc.sample(generatedServer, { numRuns: servers, seed: 2026 });
  const texts = generated.flatMap((server, at) => writeAll(server).map(({ name, sql }) => ({ name: `server ${at}, ${name}`, sql })));

  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('is written: the switch, its twin, and each of the others, for most of them', () => {
    for (const part of [
      'SWITCH: ',
      'ROLLBACK: ',
      'before failover',
      'throttled checkpoint',
      'recovery interval',
      'model',
      'scan cost',
      'session',
    ]) {
      const count = texts.filter(({ name }) => name.includes(part)).length;
      assert.ok(count > servers / 8, `${part}: ${count} of ${servers}`);
    }
  });

  for (const level of [110, 150] as const) {
    it(`parses with Microsoft's parser at level ${level}`, async () => {
      assert.deepEqual((await checkSyntax(texts, level)).slice(0, 3), []);
    });
  }

  it('names nothing outside of the catalogue, nor anything newer than the oldest release that it claims', async () => {
    const unknown = (await listNames(texts)).flatMap((found) => {
      const sentence = findUnknownName(found, 2012);
      // MAX_DURATION is asked for from 2025 on, and the buffer pool scan where the server has the event.
      return sentence === null || /buffer_pool_scan_complete/.test(sentence) ? [] : [`${found.script}, ${sentence}`];
    });
    assert.deepEqual(unknown.slice(0, 5), []);
  });

  it('is cut by GO where its template is cut and nowhere else, and holds no variable of sqlcmd, whatever the names are', () => {
    const batches = new Map<string, Set<number>>();
    for (const { name, sql } of texts) {
      const kind = name.replace(/^server \d+, /, '').replace(/ on [\s\S]*$/, '');
      batches.set(kind, (batches.get(kind) ?? new Set()).add(splitAtGo(sql).length));
      assert.doesNotMatch(sql, /\$\(/, name);
    }
    for (const [kind, counts] of batches) assert.equal(counts.size, 1, `${kind}: ${[...counts].join(', ')} batches`);
  });

  it('changes no system database but model in its own script', () => {
    for (const { name, sql } of texts)
      if (!/, model/.test(name)) assert.doesNotMatch(sql, /^ {4}\(( *\d+, )?\(?N'(master|model|msdb|tempdb)',/m, name);
  });
});

function writeAll({ facts, choice, policy, requests }: GeneratedServer): readonly NamedText[] {
  const { scripts } = finishSteps(
    reviewSwitch(choice, facts, null, null, { inForce: { policy, problems: [] }, hash: () => 'f'.repeat(64) }),
  );
  const others = requests.flatMap((request) => {
    try {
      return writeScripts(request, facts, { evidence: null, instance: null }).map(({ title, kind, text }) => ({
        name: `${request.kind} (${kind}) on ${title}`,
        sql: text,
      }));
    } catch (error) {
      // Nothing to write, or nothing that could be undone: said in one sentence.
      assert.match((error as Error).message, /^[^]*\.$/);
      return [];
    }
  });
  const switched = (scripts?.scripts ?? []).map(({ title, text }) => ({ name: `${title} `, sql: text }));
  return [...switched, ...others, { name: 'session', sql: writeSession({ facts }) }];
}

function writeSession({ facts }: Pick<GeneratedServer, 'facts'>): string {
  const databaseIds = facts.databases.map(({ databaseId }) => databaseId);
  const fileName = nameSessionFile("D:\\it's here\\");
  return addPrologue(
    writeSessionCreate({ databaseIds, hasBufferPoolScanComplete: true, majorVersion: 16, fileName }, ownSessionTemplates.create),
  );
}
