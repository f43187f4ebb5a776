import assert from 'node:assert/strict';
import fc from 'fast-check';
import { otherScripts } from '../../src/core/script/script-request';
import { checkSyntax, listNames } from '../../tools/tsql-check/check';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { prepareOrSkip } from '../pending';
import { splitAtGo } from '../e2e/query-window';
import { findUnknownName } from './catalogue';
import { generatedServer, writeAll } from './generated-servers';

const servers = 40;

describe('Every script of a generated server', () => {
  /** The same servers each time: a failure can be looked at again. */
  const generated = fc.sample(generatedServer, { numRuns: servers, seed: 2028 });
  const texts = generated.flatMap((server, at) =>
    writeAll(server).map(({ name, sql }) => ({ name: `server ${at}, ${name}`, sql })),
  );

  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('is written: the switch, its twin, and each of the others, for most of them', () => {
    for (const part of ['SWITCH: ', 'ROLLBACK: ', ...Object.keys(otherScripts), 'session']) {
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
      // MAX_DURATION is asked for from 2025 on, the buffer pool scan where the server has the event, physical names on
      // Managed Instance.
      return sentence === null || /buffer_pool_scan_complete|physical_database_name/.test(sentence)
        ? []
        : [`${found.script}, ${sentence}`];
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
    for (const [kind, counts] of batches)
      assert.equal(counts.size, 1, `${kind}: ${[...counts].join(', ')} batches`);
  });

  it('changes no system database but model in its own script', () => {
    for (const { name, sql } of texts)
      if (!/, model/.test(name))
        assert.doesNotMatch(sql, /^ {4}\(( *\d+, )?\(?N'(master|model|msdb|tempdb)',/m, name);
  });
});
