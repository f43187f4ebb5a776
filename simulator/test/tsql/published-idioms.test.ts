/** What DBAs' published scripts do beside plain queries, each held to Microsoft's documentation or refused by name. */
import assert from 'node:assert/strict';
import { connect, type Client } from './client';

describe('Idioms of published scripts', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('does not know hours of a date, or years of a time', async () => {
    for (const name of ['DATEADD(hour, 1, CAST(d AS date))', 'DATEPART(hour, CAST(d AS date))', 'DATENAME(year, CAST(d AS time))'])
      for (const sql of [
        `SELECT ${name} FROM (SELECT TOP (1) create_date AS d FROM sys.databases) AS x`,
        `SELECT ${name} FROM (VALUES (GETDATE())) AS x(d)`,
      ])
        assert.match(
          await client.error(sql),
          /^9810 The datepart (hour|year) is not supported by date function date\w+ for data type (date|time)\.$/,
        );
    assert.equal(await client.value("DATEDIFF(hour, CAST('20240101' AS date), CAST('20240102' AS date))"), 24);
  });

  it('tells a float that is too large for an integer by its value', async () => {
    assert.equal(await client.error('SELECT POWER(2, 31)'), '232 Arithmetic overflow error for type int, value = 2147483648.000000.');
    assert.equal(await client.error('SELECT CAST(3e2 AS tinyint)'), '232 Arithmetic overflow error for type tinyint, value = 300.000000.');
  });

  it('cuts binary on the left when it becomes an integer', async () => {
    assert.equal(await client.value('CAST(0x0102030405 AS int)'), 0x02030405);
    assert.equal(await client.value('CAST(0xFFFFFFFF AS int)'), -1);
    assert.equal(await client.value('CAST(0x01FF AS tinyint)'), 255);
  });

  it('counts days of a datetime as a number, both ways', async () => {
    assert.equal(await client.value("CAST(CAST('20240101 12:00' AS datetime) AS float)"), 45290.5);
    assert.equal(await client.value('CONVERT(varchar(30), CAST(45290.25 AS datetime), 120)'), '2024-01-01 06:00:00');
    assert.equal(
      await client.value("CONVERT(varchar(30), CAST(FLOOR(CAST(CAST('20240101 12:00' AS datetime) AS float)) AS datetime), 120)"),
      '2024-01-01 00:00:00',
    );
  });

  it('overflows where rounding needs a digit more than the type has', async () => {
    assert.match(await client.error('SELECT ROUND(748.58, -3)'), /^8115 /);
    assert.equal(await client.value('ROUND(748.58, -2)'), '700.00');
  });

  it('takes signs, points and currency signs alone for numbers, as ISNUMERIC does', async () => {
    for (const text of ['$', '.', '-', '+', ',', '1e5', '-$1.5']) assert.equal(await client.value(`ISNUMERIC('${text}')`), 1, text);
    for (const text of ['', ' ', 'e', '1x', '..']) assert.equal(await client.value(`ISNUMERIC('${text}')`), 0, text);
  });

  it('needs no FROM for the star of EXISTS', async () => {
    assert.deepEqual(await client.rows('SELECT 1 WHERE EXISTS (SELECT * WHERE 1 = 1) AND NOT EXISTS (SELECT * WHERE 1 = 2)'), [[1]]);
    assert.match(await client.error('SELECT *'), /^263 /);
  });

  it('stops recursion after 100 steps, or where MAXRECURSION says', async () => {
    const count = (limit: number, option = ''): string =>
      `WITH n AS (SELECT 1 AS i UNION ALL SELECT n.i + 1 FROM n WHERE n.i < ${limit}) SELECT COUNT(*) FROM n ${option}`;
    assert.deepEqual(await client.rows(count(101)), [[101]]);
    assert.match(await client.error(count(102)), /^530 The statement terminated. The maximum recursion 100 has been exhausted/);
    assert.match(await client.error(count(6, 'OPTION (MAXRECURSION 4)')), /^530 .* recursion 4 /);
    assert.deepEqual(await client.rows(count(500, 'OPTION (RECOMPILE, MAXRECURSION 0)')), [[500]]);
    assert.match(await client.error('WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'), /^530 /);
  });

  it('wants the same length in both parts of a recursive table', async () => {
    assert.match(
      await client.error("WITH n (s) AS (SELECT 'a' UNION ALL SELECT s + 'b' FROM n WHERE LEN(s) < 3) SELECT * FROM n"),
      /^240 /,
    );
    assert.deepEqual(
      await client.rows(
        "WITH n (s) AS (SELECT CAST('a' AS varchar(9)) UNION ALL SELECT CAST(s + 'b' AS varchar(9)) FROM n AS m WHERE LEN(s) < 3) SELECT * FROM n",
      ),
      [['a'], ['ab'], ['abb']],
    );
  });

  it('reads SET PARSEONLY before anything of its batch runs', async () => {
    assert.deepEqual(await client.run('SET PARSEONLY ON; SELECT * FROM sys.nothing').then(({ sets, errors }) => [sets, errors]), [[], []]);
    assert.deepEqual(await client.run('SELECT 1').then(({ sets }) => sets), []);
    assert.deepEqual(await client.rows('SET PARSEONLY OFF; SELECT 3'), [[3]]);
  });

  it('tells RAISERROR of severity 10 as 0, as clients see it', async () => {
    const [message] = (await client.run("RAISERROR ('%d done', 10, 1, 5)")).messages;
    assert.deepEqual([message?.number, message?.severity, message?.message], [50000, 0, '5 done']);
  });

  it('refuses by name what SQL Server has and it has not', async () => {
    for (const [sql, name] of [
      ['SELECT * FROM sys.resource_governor_workload_groups', 'sys.resource_governor_workload_groups'],
      ["WITH XMLNAMESPACES (DEFAULT 'http://x') SELECT 1", 'WITH XMLNAMESPACES'],
      ['SELECT $1.5', 'a money literal'],
      ['MERGE t USING s ON 1 = 1 WHEN MATCHED THEN DELETE OUTPUT $action;', 'MERGE'],
      ['SELECT CONVERT(varchar(30), GETDATE(), 130)', 'style 130, the Hijri calendar'],
      [
        "SELECT CASE WHEN 'a' COLLATE Latin1_General_BIN2 = 'A' COLLATE Latin1_General_CI_AS THEN 1 END",
        'comparing values of different COLLATE clauses',
      ],
    ] as const)
      assert.equal(await client.error(sql), `50000 simulator: ${name} is not modelled`, sql);
    assert.match(await client.error('SELECT GREATEST(1, 2)'), /^195 /, 'SQL Server 2019 does not have it');
    assert.deepEqual((await client.run('SET TRAN ISOLATION LEVEL READ UNCOMMITTED')).errors, []);
  });

  it('inserts what a common table gives', async () => {
    const insert =
      'CREATE TABLE #t (n int); WITH a AS (SELECT n FROM sys.numbers WHERE n < 4), b (m) AS (SELECT n * 2 FROM a) INSERT INTO #t (n) SELECT m FROM b';
    const { sets, errors } = await client.run(`${insert}; SELECT SUM(n) FROM #t`);
    assert.deepEqual([errors, sets[0]?.rows], [[], [[12]]]);
  });

  it('has no rows to count after an error', async () => {
    const sql = 'DECLARE @t TABLE (a int PRIMARY KEY); INSERT @t VALUES (1), (2); INSERT @t VALUES (3), (3);';
    assert.deepEqual((await client.run(`${sql} SELECT @@ERROR, @@ROWCOUNT`)).sets[0]?.rows, [[2627, 0]]);
  });
});
