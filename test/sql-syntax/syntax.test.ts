import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSyntax, type GrammarLevel, type NamedText } from '../../tools/tsql-check/check';
import { installTsqlCheck } from '../../tools/tsql-check/install';
import { listGeneratedTexts } from './generated-texts';
import { listLiveTexts } from './live-texts';
import { prepareOrSkip } from '../pending';
import { listSqlFiles } from './template-defaults';

/** The oldest server that we speak to and the newest grammar that Microsoft's parser has here. */
const levels: readonly GrammarLevel[] = [110, 150];

/** Correct T-SQL that this parser refuses: its newest grammar is from 2019. */
const refusedThoughCorrect = ['2022'];
/** Wrong T-SQL that this parser lets through: a CTE after a statement without a semicolon reads as a table hint, and `::` as a method of a type. */
const acceptedThoughWrong = ['colon-cast', 'cte-nosemi'];

describe("Microsoft's T-SQL parser", function () {
  this.timeout(240_000);

  before(function () {
    return prepareOrSkip(this, installTsqlCheck);
  });

  it('accepts the correct texts of the corpus, except those newer than its grammar', async () => {
    assert.deepEqual(await listRefused(readCorpus('accept'), 150), refusedThoughCorrect);
  });

  it('refuses the wrong texts of the corpus, except two that its grammar reads otherwise', async () => {
    const texts = readCorpus('reject');
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
      const texts = listSqlFiles().filter(({ name }) => level > 110 || !name.startsWith('azure/'));
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

/* Each text of the corpus begins with a line of its name. */
function readCorpus(name: 'accept' | 'reject'): NamedText[] {
  const texts = readFileSync(join(__dirname, `corpus/${name}.sql`), 'utf8').split(/^--- (.*)\n/m);
  return texts.flatMap((text, at) => (at % 2 === 1 ? [{ name: text, sql: texts[at + 1] ?? '' }] : []));
}
