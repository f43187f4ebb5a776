/**
 * Transactions over #temporary tables, dynamic SQL and SET options: what each scope has of its own, and what it hands
 * back. The pages of Microsoft Learn are those of the statements.
 */
import assert from 'node:assert/strict';
import { ask, itTells, numbersOf, tell, useClient, type Told } from './client';
import { shown } from '../shown';

const TARGET = 'ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS';
const caught = (sql: string): string =>
  `BEGIN TRAN; BEGIN TRY ${sql} END TRY BEGIN CATCH SELECT XACT_STATE(); ROLLBACK END CATCH`;
const T = 'CREATE TABLE #t (id int IDENTITY, n int UNIQUE); INSERT #t (n) VALUES (1), (2);';

const TRANSACTIONS: Told = {
  'takes changes of table variables, which no ROLLBACK undoes, and refuses those of #tables, which it would':
    [
      `DECLARE @t TABLE (n int); DECLARE @v int = 0; BEGIN TRAN; INSERT @t VALUES (7); SET @v = 1; ROLLBACK; SELECT n, @v FROM @t`,
      '[[7,1]]',
    ],
  'refuses to change a #table inside one': [`${T} BEGIN TRAN; DELETE #t WHERE n = 1`, '!50000'],
  'refuses to make or drop a #table inside one': [`${T} BEGIN TRAN; DROP TABLE #t`, '!50000'],
  'counts transactions, and refuses changes of the server inside one': [
    `BEGIN TRAN; BEGIN TRANSACTION; SELECT @@TRANCOUNT; COMMIT; SELECT @@TRANCOUNT, XACT_STATE(); ${TARGET}; DROP EVENT SESSION x ON SERVER; ROLLBACK TRAN nowhere; ROLLBACK; SELECT @@TRANCOUNT; COMMIT`,
    '[[2]] | [[1,1]] | !226 | !574 | !6401 | [[0]] | !3902',
  ],
  'dooms a transaction at a failed conversion': [caught("SELECT CAST('x' AS int)"), '[] | [[-1]]'],
  'dooms none at a missing object of dynamic SQL': [caught("EXEC ('SELECT * FROM dbo.nothing')"), '[[1]]'],
  'dooms none at a division by zero': [caught('SELECT 1 / 0'), '[] | [[1]]'],
  'dooms one at a division by zero with XACT_ABORT': [
    `SET XACT_ABORT ON; ${caught('SELECT 1 / 0')}`,
    '[] | [[-1]]',
  ],
  'lets an uncommittable transaction only be rolled back, and does so at the end of the batch': [
    `${T} BEGIN TRAN; BEGIN TRY SELECT CAST('x' AS int) END TRY BEGIN CATCH COMMIT END CATCH`,
    '[] | !3930 | !3998',
  ],
  'lets an uncommittable transaction change nothing': [
    `${T} BEGIN TRAN; BEGIN TRY SELECT CAST('x' AS int) END TRY BEGIN CATCH INSERT #t (n) VALUES (8) END CATCH; ROLLBACK; SELECT COUNT(*) FROM #t`,
    '[] | !3930 | [[2]]',
  ],
  'says 266 where a procedure or text leaves another count than it found': [
    "EXEC ('BEGIN TRAN'); SELECT @@TRANCOUNT; EXEC sp_executesql N'ROLLBACK'; SELECT @@TRANCOUNT",
    '!266 | [[1]] | !266 | [[0]]',
  ],
  'begins by itself with IMPLICIT_TRANSACTIONS, at the first statement that reads or writes a table': [
    `${T} SET IMPLICIT_TRANSACTIONS ON; SELECT @@TRANCOUNT; DECLARE @x int = 5; SELECT @@TRANCOUNT; SELECT COUNT(*) FROM #t; SELECT @@TRANCOUNT; ROLLBACK; SELECT COUNT(*) FROM #t; SELECT @@TRANCOUNT; COMMIT;
      ${TARGET}; SET IMPLICIT_TRANSACTIONS OFF; SELECT COUNT(*) FROM #t; SELECT @@TRANCOUNT`,
    '[[0]] | [[0]] | [[2]] | [[1]] | [[2]] | [[1]] | !226 | [[2]] | [[0]]',
  ],
  'refuses COMMIT within INSERT ... EXEC': [
    "DECLARE @t TABLE (n int); BEGIN TRAN; INSERT @t (n) EXEC ('COMMIT')",
    '!3916',
  ],
  'wants as many values from EXEC as there are columns': [`${T} INSERT #t (n) EXEC ('SELECT 1, 2')`, '!213'],
};

const SCOPES: Told = {
  'ends SET options, USE and #tables with the text that made them': [
    `CREATE TABLE #t (n int); INSERT #t VALUES (1);
      EXEC (N'SET NOCOUNT ON; SET XACT_ABORT ON; SET ROWCOUNT 1; USE Sales; SELECT COUNT(*) FROM #t; CREATE TABLE #t (a int, b int); INSERT #t VALUES (5, 6); CREATE TABLE #u (n int); SELECT a, b FROM #t');
      SELECT n, DB_NAME() FROM #t UNION ALL SELECT 2, DB_NAME(); SELECT OBJECT_ID(N'tempdb..#u')`,
    '[[1]] | [[5,6]] | [[1,"master"],[2,"master"]] | [[null]]',
  ],
  'goes on after dynamic SQL whose names are missing, not after a failed conversion in it': [
    "EXEC ('PRINT ''in'';\nSELECT * FROM dbo.nothing; PRINT ''never'''); PRINT @@ERROR; EXEC ('SELECT CAST(''x'' AS int)'); PRINT 'never'",
    'in | !208 | 208 | [] | !245',
  ],
  'runs dynamic SQL with parameters, their defaults, and values handed back': [
    `DECLARE @sql nvarchar(max) = N'SELECT @n = COUNT(*) FROM sys.databases WHERE database_id > @low; SET @low = 99', @found int, @low int = 4, @r int;
      EXEC sys.sp_executesql @sql, N'@low int, @n int OUTPUT', @low = @low, @n = @found OUTPUT; SELECT @found, @low; EXEC (N'SELECT ' + '7');
      EXEC @r = sp_executesql N'SELECT @a + @b', N'@a int, @b int = 5', 3; SELECT @r; EXEC @r = sp_executesql N'SELECT 1 / 0'; SELECT @r`,
    '[[3,4]] | [[7]] | [[8]] | [[0]] | [] | !8134 | [[8134]]',
  ],
  // Microsoft Learn, "sp_executesql": changes in database context last only to the end of the statement.
  'runs a procedure in the database that its name begins with': [
    `EXEC [a]]b]..sp_executesql N'SELECT DB_NAME()'; EXEC "a]b".[sys].[sp_executesql] N'SELECT DB_NAME(); SELECT 1 / 0'; SELECT DB_NAME();`,
    '[["a]b"]] | [["a]b"]] | [] | !8134 | [["master"]]',
  ],
  'takes the name of a procedure with its database from a variable': [
    "DECLARE @call nvarchar(300) = QUOTENAME(N'a]b') + N'.sys.sp_executesql'; EXEC @call N'SELECT DB_NAME()'; EXEC nowhere.sys.sp_executesql N'SELECT 1'",
    '[["a]b"]] | !911',
  ],
  'takes text between double quotation marks for a name, or with QUOTED_IDENTIFIER OFF for a string, from where the option stands':
    [
      `SELECT "name" FROM sys.databases WHERE database_id = 5; IF 1 = 0 SET ANSI_NULLS, QUOTED_IDENTIFIER OFF; SELECT "it's ""so""" AS [x];
      EXEC (N'SET QUOTED_IDENTIFIER ON; SELECT "name" FROM sys.databases WHERE database_id = 5'); SELECT "name"`,
      '[["Sales"]] | [["it\'s \\"so\\""]] | [["Sales"]] | [["name"]]',
    ],
  'keeps the lock time-out, and takes what has no model': [
    `SET LOCK_TIMEOUT 5000; SELECT @@LOCK_TIMEOUT; SET DEADLOCK_PRIORITY LOW; SET TEXTSIZE 2147483647;
      SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SET ARITHABORT, ANSI_NULLS, ANSI_WARNINGS ON; SET LANGUAGE us_english`,
    '[[5000]]',
  ],
};

describe('T-SQL transactions and scopes', () => {
  const client = useClient();
  beforeEach(() => client.session.reset?.());

  itTells(client, { ...TRANSACTIONS, ...SCOPES });

  it('rolls back at a batch-ending error in silence, and keeps the transaction at any other', async () => {
    const ended = await client.run("BEGIN TRAN; SELECT CAST('x' AS int)");
    assert.deepEqual([tell(ended), ended.replies.at(-1)?.kind], ['[] | !245', 'transaction']);
    assert.equal(await client.told('SELECT @@TRANCOUNT'), '[[0]]');
    await client.run('BEGIN TRAN; SELECT * FROM dbo.nothing');
    assert.equal(await client.told('SELECT @@TRANCOUNT; ROLLBACK'), '[[1]]');
    await client.run('SET XACT_ABORT ON; BEGIN TRAN; SELECT 1 / 0');
    assert.equal(await client.told('SELECT @@TRANCOUNT'), '[[0]]');
  });

  it('changes the database by USE, for dynamic SQL only as long as it runs', async () => {
    client.instance.deeds.length = 0;
    const answer = await client.run(
      "USE [a]]b]; EXEC ('USE Sales; SELECT DB_NAME()'); SELECT DB_NAME(); CHECKPOINT 10; CHECKPOINT",
    );
    assert.equal(tell(answer), '[["Sales"]] | [["a]b"]]');
    assert.equal(
      shown(answer.replies.flatMap((each) => (each.kind === 'database' ? [each.name] : []))),
      '["a]b","Sales","a]b"]',
    );
    assert.equal(shown(client.instance.deeds.map((each) => each.detail)), '[["a]b",10],["a]b","undefined"]]');
  });

  it('keeps #temporary tables and #procedures for the session, table variables for the batch', async () => {
    await client.run(
      'CREATE TABLE #t (n int); INSERT #t VALUES (1); CREATE TABLE #u (m int); INSERT #u SELECT n * 2 FROM #t; DECLARE @t TABLE (n int)',
    );
    assert.equal(await client.told('SELECT n, m FROM #t CROSS JOIN #u'), '[[1,2]]');
    assert.equal(await client.error('SELECT * FROM @t'), '1087 Must declare the table variable "@t".');
    const other = client.login();
    assert.deepEqual(numbersOf(await ask(other, { kind: 'batch', sql: 'SELECT * FROM #t' })), [208]);
    other.close();
    assert.equal(
      await client.told(
        "IF OBJECT_ID('tempdb..#t') IS NOT NULL DROP TABLE #t; DROP TABLE IF EXISTS #t; SELECT * FROM #t",
      ),
      '!208',
    );
  });

  it('shows the options of the session as bits', async () => {
    const bits = async (sql: string): Promise<number> => Number(await client.told(`${sql} PRINT @@OPTIONS;`));
    const before = await bits('');
    assert.equal(before & ~64, 5_432, 'as after a login of a driver, of which some switch ARITHABORT on');
    assert.equal(await bits('SET IMPLICIT_TRANSACTIONS, XACT_ABORT, NOCOUNT ON;'), before + 2 + 512 + 16_384);
    assert.equal(await bits('SET IMPLICIT_TRANSACTIONS, XACT_ABORT, NOCOUNT OFF;'), before);
    assert.equal((await bits('SET QUOTED_IDENTIFIER OFF;')) & 256, 0);
  });
});
