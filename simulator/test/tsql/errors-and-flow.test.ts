import assert from 'node:assert/strict';
import { ask, connect, type Answer, type Client } from './client';

const texts = (answer: Answer): readonly string[] => answer.messages.map((each) => each.message);
const numbers = (answer: Answer): readonly number[] => answer.errors.map((each) => each.number);

describe('T-SQL errors and flow', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('tells errors with number, state, severity and the line within the batch', async () => {
    const answer = await client.run("SELECT 1;\n\nSELECT 1 / 0;\nRAISERROR (N'%s: %d', 16, 3, N'x', 5);\nSELECT 2");
    assert.deepEqual(
      answer.errors.map(({ number, state, severity, message, line }) => [number, state, severity, message, line]),
      [
        [8134, 1, 16, 'Divide by zero error encountered.', 3],
        [50000, 3, 16, 'x: 5', 4],
      ],
    );
    assert.deepEqual(
      answer.sets.map((each) => each.rows),
      [[[1]], [], [[2]]],
    );
  });

  it('ends the batch at a failed conversion, a missing object and THROW, the statement at the rest', async () => {
    for (const sql of ["SELECT CAST('x' AS int)", 'SELECT * FROM sys.nothing', "THROW 50001, 'x', 1"])
      assert.deepEqual(texts(await client.run(`PRINT 'before'; ${sql}; PRINT 'after'`)), ['before'], sql);
    for (const sql of [
      'SELECT 1 / 0',
      "RAISERROR ('x', 16, 1)",
      'EXEC nowhere',
      'ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 1 MINUTES',
    ])
      assert.deepEqual(texts(await client.run(`PRINT 'before'; ${sql}; PRINT 'after'`)), ['before', 'after'], sql);
  });

  it('ends the batch at any error with XACT_ABORT, but not at RAISERROR', async () => {
    assert.deepEqual(texts(await client.run("SET XACT_ABORT ON; RAISERROR ('x', 16, 1); PRINT 'on'; EXEC nowhere; PRINT 'after'")), ['on']);
  });

  it('catches, tells, and rethrows', async () => {
    const answer = await client.run(`BEGIN TRY
      SELECT 1;
      RAISERROR ('broken %d', 12, 7, 3);
      PRINT 'never';
    END TRY
    BEGIN CATCH
      SELECT error_number = ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE(), @@ERROR;
      THROW;
    END CATCH; PRINT 'never'`);
    assert.deepEqual(answer.sets[1]?.rows, [[50000, 'broken 3', 12, 7, 3, null, 50000]]);
    assert.deepEqual(
      answer.errors.map(({ message, severity, line }) => [message, severity, line]),
      [['broken 3', 12, 3]],
    );
    assert.deepEqual(texts(answer), []);
    assert.equal(await client.value('ERROR_NUMBER()'), null);
  });

  it('catches what dynamic SQL failed to compile, not what its own level did', async () => {
    const inner = await client.run(
      "BEGIN TRY EXEC sp_executesql N'SELECT * FROM sys.nothing' END TRY BEGIN CATCH PRINT ERROR_MESSAGE() END CATCH; PRINT 'after'",
    );
    assert.deepEqual(texts(inner), ["Invalid object name 'sys.nothing'.", 'after']);
    const own = await client.run("BEGIN TRY SELECT * FROM sys.nothing END TRY BEGIN CATCH PRINT 'caught' END CATCH; PRINT 'after'");
    assert.deepEqual([numbers(own), texts(own)], [[208], []]);
  });

  it('tells the reason and then 5069 for ALTER DATABASE; CATCH sees 5069', async () => {
    assert.deepEqual(numbers(await client.run('ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 60 SECONDS')), [5011, 5069]);
    assert.deepEqual(
      texts(
        await client.run(
          'BEGIN TRY ALTER DATABASE nowhere SET TARGET_RECOVERY_TIME = 60 SECONDS END TRY BEGIN CATCH PRINT ERROR_NUMBER() END CATCH',
        ),
      ),
      ['5069'],
    );
  });

  it('switches databases one by one, as a reviewed script does', async () => {
    const answer = await client.run(`SET NOCOUNT ON;
      DECLARE @todo TABLE (id int IDENTITY PRIMARY KEY, name sysname NOT NULL);
      INSERT @todo (name) VALUES (N'Sales'), (N'a]b'), (N'gone');
      DECLARE @id int = 0, @name sysname, @sql nvarchar(max);
      WHILE 1 = 1
      BEGIN
        SELECT TOP (1) @id = id, @name = name FROM @todo WHERE id > @id ORDER BY id;
        IF @@ROWCOUNT = 0 BREAK;
        IF NOT EXISTS (SELECT 1 FROM sys.databases WHERE name = @name) BEGIN PRINT N'skipped ' + @name; CONTINUE; END;
        SET @sql = N'ALTER DATABASE ' + QUOTENAME(@name) + N' SET TARGET_RECOVERY_TIME = 1 MINUTES WITH NO_WAIT;';
        EXEC sys.sp_executesql @sql;
        RAISERROR (N'%s done', 0, 1, @name) WITH NOWAIT;
        WAITFOR DELAY '00:00:02.5';
      END;`);
    assert.deepEqual(answer.errors, []);
    assert.deepEqual(client.instance.deeds, [
      { what: 'target', detail: ['Sales', 60] },
      { what: 'wait', detail: 2500 },
      { what: 'target', detail: ['a]b', 60] },
      { what: 'wait', detail: 2500 },
    ]);
    assert.deepEqual(texts(answer), ['Sales done', 'a]b done', 'skipped gone']);
    assert.ok(answer.replies.every((each) => each.kind !== 'done' || each.rowCount === undefined));
  });

  it('compiles only after SET NOEXEC ON, in later batches too, until OFF', async () => {
    const guard = await client.run(
      "IF @@SERVERNAME <> N'OTHER' OR @@SERVERNAME IS NULL BEGIN RAISERROR (N'Not this server.', 16, 1); SET NOEXEC ON; END; ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS; PRINT 'never'",
    );
    assert.deepEqual([numbers(guard), texts(guard)], [[50000], []]);
    assert.deepEqual((await client.run("ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS; PRINT 'never'")).replies, []);
    assert.equal(await client.error('SELECT FROM'), "156 Incorrect syntax near the keyword 'FROM'.");
    assert.deepEqual(texts(await client.run("SET NOEXEC OFF; PRINT 'again'")), ['again']);
    assert.deepEqual(client.instance.deeds, []);
  });

  it('runs nothing of a batch that does not parse', async () => {
    for (const bad of [
      'SELEC 1',
      'ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60',
      'BEGIN SELECT 1',
      'CREATE PROCEDURE p AS SELECT 1',
      'WAITFOR DELAY',
      'GOTO x',
      'EXEC p 1 2',
      'MERGE #t USING #s ON 1 = 1',
    ]) {
      const answer = await client.run(`PRINT 'before'; ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS;\n${bad}`);
      assert.equal(answer.errors.length, 1, bad);
      assert.equal(answer.errors[0]?.line, 2, bad);
      assert.deepEqual(texts(answer), [], bad);
    }
    assert.deepEqual(client.instance.deeds, []);
  });

  it('runs nothing of a batch that names an undeclared variable, an unknown function or an unknown type', async () => {
    const cases: readonly (readonly [string, number])[] = [
      ['SELECT @typo', 137],
      ['SET @typo = 1', 137],
      ['DECLARE @a int; DECLARE @A int', 134],
      ['INSERT @typo VALUES (1)', 1087],
      ['SELECT * FROM @typo', 1087],
      ['SELECT nope(1)', 195],
      ["SELECT SOUNDEX('x')", 50000],
      ['DECLARE @a blob', 243],
      ['SELECT CAST(1 AS blob)', 243],
      ['BREAK', 135],
      ['FETCH NEXT FROM c INTO @typo', 137],
      ["EXEC sp_executesql N'x', @p = @typo", 137],
    ];
    for (const [bad, number] of cases) {
      const answer = await client.run(`PRINT 'before';\n${bad}`);
      assert.deepEqual([numbers(answer), answer.errors[0]?.line, texts(answer)], [[number], 2, []], bad);
    }
  });

  it('counts transactions, and refuses changes of the server inside one', async () => {
    const answer = await client.run(
      'BEGIN TRAN; BEGIN TRANSACTION; SELECT @@TRANCOUNT; COMMIT; SELECT @@TRANCOUNT, XACT_STATE(); ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS; DROP EVENT SESSION x ON SERVER; ROLLBACK; SELECT @@TRANCOUNT; COMMIT',
    );
    assert.deepEqual(
      answer.sets.map((each) => each.rows[0]),
      [[2], [1, 1], [0]],
    );
    assert.deepEqual(numbers(answer), [226, 574, 3902]);
    assert.deepEqual(
      answer.replies.flatMap((each) => (each.kind === 'transaction' ? [each.action] : [])),
      ['begin', 'rollback'],
    );
    assert.deepEqual(client.instance.deeds, []);
  });

  it('dooms a transaction at a failed conversion or with XACT_ABORT, not at a missing object', async () => {
    const caught = (sql: string): string => `BEGIN TRAN; BEGIN TRY ${sql} END TRY BEGIN CATCH SELECT XACT_STATE(); ROLLBACK END CATCH`;
    assert.deepEqual((await client.run(caught("SELECT CAST('x' AS int)"))).sets.at(-1)?.rows, [[-1]]);
    assert.deepEqual((await client.run(caught("EXEC ('SELECT * FROM sys.nothing')"))).sets.at(-1)?.rows, [[1]]);
    assert.deepEqual((await client.run(caught('SELECT 1 / 0'))).sets.at(-1)?.rows, [[1]]);
    assert.deepEqual((await client.run(`SET XACT_ABORT ON; ${caught('SELECT 1 / 0')}; SET XACT_ABORT OFF`)).sets.at(-1)?.rows, [[-1]]);
    const ended = await client.run("BEGIN TRAN; SELECT CAST('x' AS int)");
    assert.equal(ended.replies.at(-1)?.kind, 'transaction');
    await client.run('BEGIN TRAN; SELECT * FROM sys.nothing');
    assert.equal(await client.value('@@TRANCOUNT'), 1);
  });

  it('changes the database by USE, for dynamic SQL only as long as it runs', async () => {
    const answer = await client.run("USE [a]]b]; EXEC ('USE Sales; SELECT DB_NAME()'); SELECT DB_NAME(); CHECKPOINT 10; CHECKPOINT");
    assert.deepEqual(
      answer.sets.map((each) => each.rows),
      [[['Sales']], [['a]b']]],
    );
    assert.deepEqual(
      answer.replies.flatMap((each) => (each.kind === 'database' ? [each.name] : [])),
      ['a]b', 'Sales', 'a]b'],
    );
    assert.deepEqual(
      client.instance.deeds.map((each) => each.detail),
      [
        ['a]b', 10],
        ['a]b', undefined],
      ],
    );
    const missing = await client.run("PRINT 'before'; IF 1 = 0 USE nowhere");
    assert.deepEqual([numbers(missing), texts(missing)], [[911], []], 'as SQL Server finds it when it compiles the batch');
  });

  it('stops loops, waits and queries when the client has had enough', async () => {
    for (const sql of [
      'WHILE 1 = 1 BEGIN DECLARE @i int = 1 END',
      "WAITFOR DELAY '01:00:00'",
      'SELECT COUNT(*) FROM sys.numbers a CROSS JOIN sys.numbers b CROSS JOIN sys.numbers c CROSS JOIN sys.numbers d CROSS JOIN sys.numbers e CROSS JOIN sys.numbers f CROSS JOIN sys.numbers g CROSS JOIN sys.numbers h CROSS JOIN sys.numbers i CROSS JOIN sys.numbers j WHERE a.n + b.n * c.n - d.n + e.n + f.n + g.n + h.n * i.n - j.n = 3',
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      await assert.rejects(ask(client.session, { kind: 'batch', sql }, controller.signal), { name: 'AbortError' }, sql);
      assert.equal(await client.value('1'), 1);
    }
  });

  it('reads the error log through its procedures, also into a table', async () => {
    const answer = await client.run(
      "CREATE TABLE #log (LogDate datetime, ProcessInfo nvarchar(50), [Text] nvarchar(max)); INSERT #log EXEC sys.sp_readerrorlog 0, 1, N'flushcache'; SELECT ProcessInfo, [Text] FROM #log",
    );
    assert.deepEqual(answer.sets[0]?.rows, [['spid9s', 'FlushCache: cleaned up 1 bufs']]);
    assert.deepEqual(numbers(await client.run("EXEC xp_readerrorlog 0, 1, 'FlushCache'")), [22004]);
  });

  it('refuses by name what it does not have', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['EXEC sp_helpdb', '50000 simulator: procedure sp_helpdb is not modelled'],
      ['EXEC dbo.nowhere', "2812 Could not find stored procedure 'dbo.nowhere'."],
      ['DBCC SQLPERF (CLEAR)', '50000 simulator: DBCC SQLPERF (CLEAR) is not modelled'],
      ['DBCC CHECKDB', '50000 simulator: DBCC CHECKDB is not modelled'],
      ['SET ANSI_NULLS OFF', '50000 simulator: SET ANSI_NULLS OFF is not modelled'],
      ['SET NOTHING ON', "102 Incorrect syntax near 'NOTHING'."],
      ['UPDATE sys.databases SET name = 1', '50000 simulator: a change to sys.databases is not modelled'],
      ['ALTER DATABASE Sales SET RECOVERY SIMPLE', '50000 simulator: ALTER DATABASE ... SET RECOVERY is not modelled'],
      [
        'THROW',
        '10704 To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the THROW statement inside a CATCH block, or add error parameters to the THROW statement.',
      ],
      ["WAITFOR DELAY '25:00'", "148 Incorrect time syntax in time string '25:00' used with WAITFOR."],
    ];
    for (const [sql, expected] of cases) assert.equal(await client.error(sql), expected);
  });
});
