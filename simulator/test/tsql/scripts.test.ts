/**
 * Batches of several statements: what each answers, in order. The pages of Microsoft Learn that say so are those of the
 * statements.
 */
import assert from 'node:assert/strict';
import { ask, itTells, tell, useClient, type Told } from './client';
import { shown } from '../shown';

const TARGET = 'ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS';
const dynamic = (sql: string): string => `EXEC (N'${sql.replaceAll("'", "''")}')`;
const T = 'CREATE TABLE #t (id int IDENTITY, n int UNIQUE); INSERT #t (n) VALUES (1), (2);';
const insert = (rest: string): string => `DECLARE @t TABLE (a int, b int); INSERT @t${rest}`;
const KEYED = 'DECLARE @t TABLE (name varchar(5) NOT NULL PRIMARY KEY);';

const FLOW: Told = {
  'declares, sets and prints': [
    "DECLARE @a int = 3, @b nvarchar(5) = N'abcdefgh', @c datetime; SET @a += 4; SELECT @c = '2026-03-02'; PRINT @a; PRINT @b; PRINT @c; PRINT NULL",
    '7 | abcde | Mar  2 2026 12:00AM |  ',
  ],
  'declares variables for the whole batch, whether or not the flow meets DECLARE': [
    'IF 1 = 0 DECLARE @a int = 5; SELECT @a; DECLARE @v nvarchar(3) = 12345; SELECT @v; SELECT 1 UNION ALL SELECT 2; DECLARE @n int = 7; SELECT @@ROWCOUNT',
    '[[null]] | !8115 | [[null]] | [[1],[2]] | [[1]]',
  ],
  'takes names from the bytes of their UTF-16': [
    "DECLARE @n nvarchar(20) = N'Pr' + CONVERT(nvarchar(1), 0xFC00) + N'f ' + CONVERT(nvarchar(2), 0x3DD880DE); PRINT @n;",
    'Prüf 🚀',
  ],
  'chooses by IF and ELSE, also after semicolons, and takes UNKNOWN as false': [
    "IF NULL = NULL PRINT 'a'; ELSE IF EXISTS (SELECT * FROM sys.databases WHERE name = 'sales') BEGIN PRINT 'b'; PRINT 'c'; END ELSE PRINT 'd'",
    'b | c',
  ],
  'loops with BREAK and CONTINUE, and RETURN ends the batch': [
    "DECLARE @i int = 0; WHILE 1 = 1 BEGIN SET @i += 1; IF @i = 2 CONTINUE; IF @i > 3 BREAK; PRINT CONCAT('i', @i); END; RETURN; PRINT 'never'",
    'i1 | i3',
  ],
  'assigns from the last row, keeps the value where there is none, and concatenates over rows': [
    `DECLARE @n int = -1, @m int = -1, @s nvarchar(max) = N'', @t nvarchar(100);
      SELECT @n = n FROM sys.numbers ORDER BY n; SELECT @m = n FROM sys.numbers WHERE n > 99;
      SELECT @s += QUOTENAME(name) + N';' FROM sys.databases WHERE database_id > 4 ORDER BY database_id;
      SELECT @t = ISNULL(@t + N',', N'') + name FROM sys.databases WHERE database_id < 3 ORDER BY database_id;
      SELECT @n, @m, @s, @t, @@ROWCOUNT`,
    '[[10,-1,"[Sales];[sales_archive];[a]]b];","master,tempdb",2]]',
  ],
  'hands out @@ROWCOUNT and @@ERROR as each statement leaves them': [
    `SELECT 1 UNION SELECT 2; SELECT @@ROWCOUNT; SELECT 1 UNION SELECT 2; PRINT 'x'; SELECT @@ROWCOUNT; SELECT 1 UNION SELECT 2; IF @@ROWCOUNT = 2 SELECT @@ROWCOUNT;
      SELECT 1 / 0; IF @@ERROR <> 0 SELECT @@ERROR; SELECT 1 / 0; DECLARE @x int; SELECT @@ERROR`,
    '[[1],[2]] | [[2]] | [[1],[2]] | x | [[0]] | [[1],[2]] | [[0]] | [] | !8134 | [[0]] | [] | !8134 | [[8134]]',
  ],
  'has no rows to count after an error': [
    'DECLARE @t TABLE (a int PRIMARY KEY); INSERT @t VALUES (1), (2); INSERT @t VALUES (3), (3); SELECT @@ERROR, @@ROWCOUNT',
    '!2627 | The statement has been terminated. | [[2627,0]]',
  ],
  'ends the batch at a failed conversion, at any error with XACT_ABORT, but not at RAISERROR': [
    "SET XACT_ABORT ON; RAISERROR ('x', 16, 1); PRINT 'on'; EXEC nowhere; PRINT 'after'",
    '!50000 | on | !2812',
  ],
  'catches what dynamic SQL failed to compile, not what its own level did': [
    `BEGIN TRY EXEC sp_executesql N'SELECT * FROM dbo.nothing' END TRY BEGIN CATCH PRINT ERROR_MESSAGE() END CATCH; PRINT 'after';
      BEGIN TRY SELECT * FROM dbo.nothing END TRY BEGIN CATCH PRINT 'caught' END CATCH; PRINT 'never'`,
    "Invalid object name 'dbo.nothing'. | after | !208",
  ],
  'tells the reason and then 5069 for ALTER DATABASE, and CATCH sees 5069': [
    `ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 1 MINUTES; BEGIN TRY ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 1 MINUTES END TRY BEGIN CATCH PRINT ERROR_NUMBER() END CATCH`,
    '!5011 | !5069 | 5069',
  ],
  'throws an error of its own, which CATCH sees and nothing else outlives': [
    "BEGIN TRY THROW 50010, 'own', 7 END TRY BEGIN CATCH PRINT CONCAT(ERROR_NUMBER(), ' ', ERROR_STATE(), ' ', ERROR_MESSAGE()) END CATCH; DECLARE @m nvarchar(9) = N'more'; THROW 50011, @m, 1; PRINT 'never'",
    '50010 7 own | !50011',
  ],
  'finds a missing database when it compiles the batch': ["PRINT 'before'; IF 1 = 0 USE nowhere", '!911'],
};

const ROWS: Told = {
  'fills, changes and empties a table variable with identity, default and key': [
    `DECLARE @t TABLE (id int IDENTITY(10, 5) PRIMARY KEY, name sysname NOT NULL UNIQUE, done bit NOT NULL DEFAULT (0), note varchar(20) NULL);
      INSERT INTO @t (name) SELECT name FROM sys.databases WHERE database_id > 4 ORDER BY database_id;
      INSERT @t (name, note) VALUES (N'x', 'one'), (N'y', DEFAULT);
      UPDATE t SET done = 1, note = d.log_reuse_wait_desc FROM @t AS t JOIN sys.databases AS d ON d.name = t.name WHERE d.database_id = 5;
      DELETE FROM @t WHERE name = N'Y'; DELETE TOP (1) FROM @t WHERE name = N'A]B';
      SELECT * FROM @t ORDER BY id`,
    '[[10,"Sales",true,"LOG_BACKUP"],[15,"sales_archive",false,null],[25,"x",false,"one"]]',
  ],
  'keeps nothing of a change that breaks a key': [
    `${KEYED} INSERT @t VALUES ('a'); INSERT @t VALUES ('b'), ('A '); SELECT COUNT(*) FROM @t`,
    '!2627 | The statement has been terminated. | [[1]]',
  ],
  'tells of INSERT (a, b) VALUES (1) that the list of columns is the longer one': [
    insert('(a, b) VALUES (1)'),
    '!109',
  ],
  'tells of INSERT (a, b) SELECT 1 that the list of columns is the longer one': [
    insert('(a, b) SELECT 1'),
    '!120',
  ],
  'tells of INSERT SELECT 1 that the table has more columns': [insert(' SELECT 1'), '!213'],
  'tells of INSERT VALUES (1, 2), (1) that its rows are not of one length': [
    insert(' VALUES (1, 2), (1)'),
    '!10709',
  ],
  'wants no value for an identity column': [
    'CREATE TABLE #i (id int IDENTITY, n int); INSERT #i VALUES (5, 6)',
    '!8101',
  ],
  'says that a change of rows was terminated, after the error that did it, but not in TRY': [
    `${T} INSERT #t (n) VALUES (1); INSERT #t (n) SELECT 1 / 0; SELECT 1 / 0; BEGIN TRY INSERT #t (n) VALUES (1) END TRY BEGIN CATCH END CATCH`,
    '!2627 | The statement has been terminated. | !8134 | The statement has been terminated. | [] | !8134',
  ],
  'takes every result set of what EXEC runs, with its messages and in spite of its errors': [
    `CREATE TABLE #e (a int, b varchar(20));
      INSERT #e EXEC (N'PRINT ''from inside''; SELECT 1, ''x''; SELECT 1 / 0, ''y'' WHERE 1 = 0; RAISERROR (''oops'', 16, 1); SELECT 2, ''z''');
      SELECT @@ROWCOUNT; SELECT a, b FROM #e ORDER BY a;
      INSERT INTO #e (b, a) EXEC sp_executesql N'SELECT name, database_id FROM sys.databases WHERE database_id = @id', N'@id int', @id = 5; SELECT b FROM #e WHERE a = 5`,
    'from inside | !50000 | [[2]] | [[1,"x"],[2,"z"]] | [["Sales"]]',
  ],
  'takes many rows from EXEC': [
    `DECLARE @t TABLE (n int, s nvarchar(10)); INSERT @t ${dynamic("SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n, N'x' FROM sys.numbers a CROSS JOIN sys.numbers b CROSS JOIN sys.numbers c CROSS JOIN sys.numbers d")}; SELECT COUNT(*), COUNT(DISTINCT n) FROM @t`,
    '[[10000,10000]]',
  ],
  'stops every statement after ROWCOUNT rows, changes too': [
    `CREATE TABLE #t (n int); INSERT #t VALUES (1), (2), (3), (4), (5);
      SET ROWCOUNT 2; SELECT n FROM #t; UPDATE #t SET n = n + 10; SELECT @@ROWCOUNT; DELETE #t WHERE n > 10; DELETE TOP (1) FROM #t; CREATE TABLE #u (n int); INSERT #u SELECT n FROM #t;
      INSERT #u SELECT n FROM #t; SET ROWCOUNT 0; SELECT COUNT(*) FROM #t; SELECT COUNT(*) FROM #u`,
    '[[1],[2]] | [[2]] | [[2]] | [[4]]',
  ],
};

describe('T-SQL scripts', () => {
  const client = useClient();
  beforeEach(() => client.session.reset?.());

  itTells(client, { ...FLOW, ...ROWS });

  it('tells errors with number, state, severity and the line within the batch', async () => {
    const { errors } = await client.run(
      "SELECT 1;\n\nSELECT 1 / 0;\nRAISERROR (N'%s: %d', 16, 3, N'x', 5);\nSELECT 2",
    );
    assert.equal(
      shown(
        errors.map(({ number, state, severity, message, line }) => [number, state, severity, message, line]),
      ),
      '[[8134,1,16,"Divide by zero error encountered.",3],[50000,3,16,"x: 5",4]]',
    );
  });

  it('catches, tells, and rethrows, and knows no error afterwards', async () => {
    const answer = await client.run(`BEGIN TRY
      RAISERROR ('broken %d', 12, 7, 3);
      PRINT 'never';
    END TRY
    BEGIN CATCH
      SELECT error_number = ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE(), @@ERROR;
      THROW;
    END CATCH; PRINT 'never'`);
    assert.equal(tell(answer), '[[50000,"broken 3",12,7,2,null,50000]] | !50000');
    assert.deepEqual(
      [answer.errors[0]?.message, answer.errors[0]?.severity, answer.errors[0]?.line],
      ['broken 3', 12, 2],
    );
    assert.equal(await client.value('ERROR_NUMBER()'), null);
  });

  it('switches databases one by one, as a reviewed script does', async () => {
    client.instance.deeds.length = 0;
    const answer = await client.run(`SET NOCOUNT ON;
      DECLARE @list TABLE (id int IDENTITY PRIMARY KEY, name sysname NOT NULL);
      INSERT @list (name) VALUES (N'Sales'), (N'a]b'), (N'gone');
      DECLARE @id int = 0, @name sysname, @sql nvarchar(max);
      WHILE 1 = 1
      BEGIN
        SELECT TOP (1) @id = id, @name = name FROM @list WHERE id > @id ORDER BY id;
        IF @@ROWCOUNT = 0 BREAK;
        IF NOT EXISTS (SELECT 1 FROM sys.databases WHERE name = @name) BEGIN PRINT N'skipped ' + @name; CONTINUE; END;
        SET @sql = N'ALTER DATABASE ' + QUOTENAME(@name) + N' SET TARGET_RECOVERY_TIME = 1 MINUTES WITH NO_WAIT;';
        EXEC sys.sp_executesql @sql;
        RAISERROR (N'%s done', 0, 1, @name) WITH NOWAIT;
        WAITFOR DELAY '00:00:02.5';
      END;`);
    assert.equal(tell(answer), 'Sales done | a]b done | skipped gone');
    assert.equal(
      shown(client.instance.deeds),
      '[{"what":"target","detail":["Sales",60]},{"what":"wait","detail":2500},{"what":"target","detail":["a]b",60]},{"what":"wait","detail":2500}]',
    );
    assert.ok(answer.replies.every((each) => each.kind !== 'done' || each.rowCount === undefined));
  });

  it('compiles only after SET NOEXEC ON, in later batches too, until OFF', async () => {
    client.instance.deeds.length = 0;
    const guard = `IF @@SERVERNAME <> N'OTHER' OR @@SERVERNAME IS NULL BEGIN RAISERROR (N'Not this server.', 16, 1); SET NOEXEC ON; END; ${TARGET}; PRINT 'never'`;
    assert.equal(await client.told(guard), '!50000');
    assert.deepEqual((await client.run(`${TARGET}; PRINT 'never'`)).replies, []);
    assert.equal(await client.error('SELECT FROM'), "156 Incorrect syntax near the keyword 'FROM'.");
    assert.equal(await client.told("SET NOEXEC OFF; PRINT 'again'"), 'again');
    assert.deepEqual(client.instance.deeds, []);
  });

  it('reads SET PARSEONLY before anything of its batch runs', async () => {
    assert.equal(await client.told('SET PARSEONLY ON; SELECT * FROM dbo.nothing'), '');
    assert.equal(await client.told('SELECT 1'), '');
    assert.equal(await client.told('SET PARSEONLY OFF; SELECT 3'), '[[3]]');
  });

  it('runs nothing of a batch that does not parse', async () => {
    for (const bad of [
      'SELEC 1',
      TARGET.slice(0, -8),
      'BEGIN SELECT 1',
      'CREATE PROCEDURE p AS SELECT 1',
      'WAITFOR DELAY',
      'GOTO x',
      'EXEC p 1 2',
    ]) {
      const answer = await client.run(`PRINT 'before'; ${TARGET};\n${bad}`);
      assert.deepEqual([answer.errors.length, answer.errors[0]?.line, answer.messages], [1, 2, []], bad);
    }
  });

  it('stops loops, waits and queries when the client has had enough', async () => {
    const letters = [...'abcdefghij'];
    for (const sql of [
      'WHILE 1 = 1 BEGIN DECLARE @i int = 1 END',
      "WAITFOR DELAY '01:00:00'",
      `SELECT COUNT(*) FROM ${letters.map((letter) => `sys.numbers ${letter}`).join(' CROSS JOIN ')} WHERE ${letters.map((letter) => `${letter}.n`).join(' + ')} = 3`,
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      await assert.rejects(
        ask(client.session, { kind: 'batch', sql }, controller.signal),
        { name: 'AbortError' },
        sql,
      );
      assert.equal(await client.value('1'), 1);
    }
  });
});
