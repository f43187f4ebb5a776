import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { checkSyntax, type GrammarLevel, type NamedText } from '../../tools/tsql-check/check';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { listGeneratedTexts } from './generated-texts';
import type { Cells } from '../e2e/query-window';
import { prepareOrSkip } from '../pending';
import { listSqlFiles } from './template-defaults';
import { observe } from '../live/observe';
import type { LiveLogin } from '../live/login';
import { openSqlServerTarget } from '../live/target';

/** Columns of every answer that the tests read on from. */
const row: Cells = { name: "CheckpointHealthLive B]'--", n: 16, product_version: '16.0.4135.4' };

/**
 * Every T-SQL text that the live tests send to a SQL Server, recorded by logins that answer everything with one row.
 */
async function listLiveTexts(): Promise<readonly NamedText[]> {
  const texts: string[] = [];
  const answer = (sql: string): readonly Cells[] => {
    texts.push(sql);
    return [row];
  };
  const login: LiveLogin = {
    run: (sql) => Promise.resolve({ printed: '', tables: [answer(sql)] }),
    rows: (sql) => Promise.resolve(answer(sql)),
    number: (sql) => Promise.resolve(Number(answer(sql)[0]?.['n'])),
    close: () => undefined,
  };
  const open = (): Promise<LiveLogin> => Promise.resolve(login);
  const target = await openSqlServerTarget({ host: 'h', port: 1433, user: 'u', password: 'p' }, open);
  await observe(target);
  await target.work();
  for (const may of ['VIEW SERVER STATE', 'db_owner of one database'] as const) await target.loginOf(may);
  await target.dispose();
  return [...new Set(texts)].map((sql, i) => ({ name: String(i), sql }));
}

/** The oldest server that we speak to and the newest grammar that Microsoft's parser has here. */
const levels: readonly GrammarLevel[] = [110, 150];

describe("Microsoft's T-SQL parser", () => {
  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('says where a text is wrong', async () => {
    const [error, ...others] = await checkSyntax(
      [
        { name: 'good', sql: 'SELECT 1;' },
        { name: 'bad', sql: 'SELECT 1;\nGO\nSELECT FROM;' },
      ],
      150,
    );
    assert.deepEqual([error?.name, error?.line, others.length], ['bad', 3, 0]);
  });

  for (const level of levels) {
    it(`accepts every file of sql/ with its template defaults at level ${level}`, async () => {
      // Those for Azure SQL Database claim no release of SQL Server; ON DATABASE is newer than the grammar of 2012.
      const texts = listSqlFiles().filter(({ name }) => level > 110 || !name.startsWith('azure/'));
      assert.ok(texts.length > 0);
      assert.deepEqual(await checkSyntax(texts, level), []);
    });

    it(`accepts the job of SQL Server Agent among the examples at level ${level}`, async () => {
      const sql = readFileSync(join(root, 'examples/agent-job.sql'), 'utf8');
      assert.deepEqual(await checkSyntax([{ name: 'agent-job', sql }], level), []);
    });

    it(`accepts every text that the live tests send, which no server has seen yet, at level ${level}`, async () => {
      const texts = await listLiveTexts();
      assert.ok(
        texts.some(({ sql }) => sql.startsWith('CREATE DATABASE')) &&
          texts.some(({ sql }) => sql.includes('dbo.work')),
      );
      const refused = [...new Set((await checkSyntax(texts, level)).map(({ name }) => name))];
      const sent = refused.map((name) => texts.find((text) => text.name === name)?.sql ?? '');
      // Not in this parser's grammar; written after Microsoft Learn, the pages of these statements.
      const isUnknownHere = (sql: string): boolean => /MAX_DURATION/.test(sql);
      assert.deepEqual(
        sent.filter((sql) => !isUnknownHere(sql)),
        [],
      );
    });

    it(`accepts every text that the product composes, whatever the databases are called, at level ${level}`, async () => {
      assert.deepEqual(await checkSyntax(listGeneratedTexts(), level), []);
    });
  }
});
