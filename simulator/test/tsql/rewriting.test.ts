import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexBatch, type Token } from '../../tsql/lexer';
import { useClient } from './client';

/** Queries whose columns all have names, without ORDER BY: rows are compared as sets. */
const queries = [
  "SELECT d.name, target = d.target_recovery_time_in_seconds FROM sys.databases AS d WHERE d.name <> N'tempdb' AND d.database_id > 1",
  'SELECT f.database_id, COUNT(*) AS files, MAX(f.name) AS last FROM sys.master_files AS f GROUP BY f.database_id HAVING COUNT(*) >= 1',
  'SELECT d.name, x.n FROM sys.databases AS d OUTER APPLY (SELECT COUNT(*) AS n FROM sys.master_files AS f WHERE f.database_id = d.database_id) AS x',
  "SELECT d.name, CASE WHEN EXISTS (SELECT 1 FROM sys.master_files AS f WHERE f.database_id = d.database_id) THEN 'has files' ELSE NULL END AS found FROM sys.databases AS d",
  'SELECT CONVERT(varchar(30), create_date, 126) AS created, LAG(name) OVER (ORDER BY database_id) AS previous FROM sys.databases',
  "SELECT d.name, g.file_name FROM sys.databases AS d CROSS APPLY sys.files_of(d.database_id, N'it''s') AS g WHERE g.word = N'IT''S'",
  "SELECT name AS n FROM sys.databases WHERE database_id IN (1, 5) UNION SELECT name FROM sys.master_files WHERE name LIKE '%[_]log'",
];

const blanks = [
  ' ',
  '\n',
  '\t',
  '  \r\n ',
  ' /* a ; comment */ ',
  ' -- a comment\n',
  ' /* one /* in */ another */ ',
];

/** The same tokens with other blanks between them and other case where case does not matter. */
function reprint(sql: string, choices: readonly number[]): string {
  let at = 0;
  const choose = (count: number): number => (choices[at++ % choices.length] as number) % count;
  return lexBatch(sql)
    .tokens.map((token) => spelling(sql, token, choose) + (blanks[choose(blanks.length)] as string))
    .join('');
}

function spelling(sql: string, token: Token, choose: (count: number) => number): string {
  const written = sql.slice(token.start, token.end);
  if (token.kind !== 'word') return written;
  return [written, written.toUpperCase(), written.toLowerCase()][choose(3)] as string;
}

describe('T-SQL queries, rewritten', () => {
  const client = useClient();

  const rowsOf = async (sql: string): Promise<readonly string[]> =>
    (await client.rows(sql)).map((row) => JSON.stringify(row)).sort();

  for (const sql of queries) {
    it(`give the same rows whatever their case, blanks and comments: ${sql.slice(0, 60)}`, async () => {
      const expected = await rowsOf(sql);
      assert.ok(expected.length > 0);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 }), async (choices) => {
          assert.deepEqual(await rowsOf(reprint(sql, choices)), expected);
        }),
        { numRuns: 15, seed: 7 },
      );
    });

    it(`give the same rows inside derived tables, with a true predicate and in an order: ${sql.slice(0, 60)}`, async () => {
      const expected = await rowsOf(sql);
      const rewritten = [
        `SELECT * FROM (${sql}) AS w WHERE 1 = 1`,
        `SELECT v.* FROM (SELECT * FROM (${sql}) AS w) AS v WHERE EXISTS (SELECT NULL) AND NOT 1 = 0`,
        `${sql} ORDER BY 1 DESC`,
        `SELECT TOP (1000) * FROM (${sql}) AS w ORDER BY 1`,
        `SELECT * FROM (${sql}) AS w OUTER APPLY (SELECT 1 AS one) AS o`.replace('SELECT *', 'SELECT w.*'),
        `DECLARE @n int = 1; SELECT * FROM (${sql}) AS w WHERE @n = 1`,
        `EXEC (N'${sql.replace(/'/g, "''")}')`,
      ];
      for (const each of rewritten) assert.deepEqual(await rowsOf(each), expected, each);
    });

    it(`give no rows with a false or unknown predicate: ${sql.slice(0, 60)}`, async () => {
      for (const predicate of ['1 = 0', 'NULL = NULL', 'NOT NULL = NULL'])
        assert.deepEqual(await rowsOf(`SELECT * FROM (${sql}) AS w WHERE ${predicate}`), []);
    });
  }
});
