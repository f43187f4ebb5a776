import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { checkSyntax, type GrammarLevel, type NamedText } from '../../tools/tsql-check/check-syntax';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { listGeneratedTexts } from './generated-texts';
import { listLiveTexts } from './live-texts';
import { prepareOrSkip } from '../pending';
import { fillWithDefaults } from './template-defaults';

/** The oldest server that we speak to and the newest grammar that Microsoft's parser has here. */
const levels: readonly GrammarLevel[] = [110, 150];

/** Correct T-SQL that this parser refuses: its newest grammar is from 2019. */
const refusedThoughCorrect = ['2022.sql'];
/** Wrong T-SQL that this parser lets through: a CTE after a statement without a semicolon reads as a table hint, and `::` as a method of a type. */
const acceptedThoughWrong = ['colon-cast.sql', 'cte-nosemi.sql'];

describe("Microsoft's T-SQL parser", function () {
  this.timeout(240_000);

  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('accepts the correct texts of the corpus, except those newer than its grammar', async () => {
    assert.deepEqual(await listRefused(readTexts('test/sql-syntax/corpus/accept'), 150), refusedThoughCorrect);
  });

  it('refuses the wrong texts of the corpus, except two that its grammar reads otherwise', async () => {
    const texts = readTexts('test/sql-syntax/corpus/reject');
    const refused = await listRefused(texts, 150);
    assert.deepEqual(
      texts.map(({ name }) => name).filter((name) => !refused.includes(name)),
      acceptedThoughWrong,
    );
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
      const claimed = readTexts('sql').filter(({ name }) => level > 110 || !name.startsWith('azure/'));
      const texts = claimed.map(({ name, sql }) => ({ name, sql: fillWithDefaults(sql) }));
      assert.ok(texts.length > 0);
      assert.deepEqual(await checkSyntax(texts, level), []);
    });

    it(`accepts every text that the live tests send, which no server has seen yet, at level ${level}`, async () => {
      const texts = await listLiveTexts();
      assert.ok(texts.some(({ sql }) => sql.startsWith('CREATE DATABASE')) && texts.some(({ sql }) => sql.includes('dbo.work')));
      const refused = [...new Set((await checkSyntax(texts, level)).map(({ name }) => name))];
      const sent = refused.map((name) => texts.find((text) => text.name === name)?.sql ?? '');
      // Not in this parser's grammar; written after Microsoft Learn, the pages of these statements.
      const isUnknownHere = (sql: string): boolean => /MAX_DURATION|CLUSTER_TYPE|FROM BINARY|GRANT CREATE ANY DATABASE/.test(sql);
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

async function listRefused(texts: readonly NamedText[], level: GrammarLevel): Promise<string[]> {
  return [...new Set((await checkSyntax(texts, level)).map(({ name }) => name))].sort();
}

function readTexts(folder: string): NamedText[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' } as { encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(root, folder, name), 'utf8') }));
}
