import assert from 'node:assert/strict';
import { ask, connect, type Answer, type Client } from './client';

const texts = (answer: Answer): readonly string[] => answer.messages.map((each) => each.message);
const numbers = (answer: Answer): readonly number[] => answer.errors.map((each) => each.number);

describe('T-SQL statements', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('declares, sets and prints', async () => {
    const answer = await client.run(
      "DECLARE @a int = 3, @b nvarchar(5) = N'abcdefgh', @c datetime; SET @a += 4; SELECT @c = '2026-03-02'; PRINT @a; PRINT @b; PRINT @c; PRINT NULL",
    );
    assert.deepEqual(texts(answer), ['7', 'abcde', 'Mar  2 2026 12:00AM', ' ']);
    assert.deepEqual(
      answer.messages.map((each) => [each.number, each.severity]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    );
  });

  it('shows the options of the session as bits', async () => {
    // tedious switches ARITHABORT on and implicit transactions off after its login.
    const bits = async (text: string): Promise<readonly string[]> => texts(await client.run(`${text} PRINT @@OPTIONS;`));
    const [before = ''] = await bits('');
    assert.equal(Number(before) & ~64, 5_432, 'as after a login of a driver');
    assert.deepEqual(await bits('SET IMPLICIT_TRANSACTIONS, XACT_ABORT, NOCOUNT ON;'), [String(Number(before) + 2 + 512 + 16_384)]);
    assert.deepEqual(await bits('SET IMPLICIT_TRANSACTIONS, XACT_ABORT, NOCOUNT OFF;'), [before]);
    assert.deepEqual(texts(await client.run("IF (@@OPTIONS & 2) = 2 PRINT 'on'; ELSE PRINT 'off';")), ['off']);
    assert.equal(Number((await bits('SET QUOTED_IDENTIFIER OFF;'))[0]) & 256, 0);
  });

  it('takes names from the bytes of their UTF-16', async () => {
    const answer = await client.run(
      "DECLARE @n nvarchar(20) = N'Pr' + CONVERT(nvarchar(1), 0xFC00) + N'f ' + CONVERT(nvarchar(2), 0x3DD880DE); PRINT @n;",
    );
    assert.deepEqual(texts(answer), ['Prüf 🚀']);
  });

  it('chooses by IF and ELSE, also after semicolons, and takes UNKNOWN as false', async () => {
    const answer = await client.run(
      "IF NULL = NULL PRINT 'a'; ELSE IF EXISTS (SELECT * FROM sys.databases WHERE name = 'sales') BEGIN PRINT 'b'; PRINT 'c'; END ELSE PRINT 'd'",
    );
    assert.deepEqual(texts(answer), ['b', 'c']);
  });

  it('loops with BREAK and CONTINUE, and RETURN ends the batch', async () => {
    const answer = await client.run(
      "DECLARE @i int = 0; WHILE 1 = 1 BEGIN SET @i += 1; IF @i = 2 CONTINUE; IF @i > 3 BREAK; PRINT CONCAT('i', @i); END; RETURN; PRINT 'never'",
    );
    assert.deepEqual(texts(answer), ['i1', 'i3']);
  });

  it('assigns from the last row, keeps the value where there is none, and concatenates over rows', async () => {
    const answer = await client.run(`DECLARE @n int = -1, @m int = -1, @s nvarchar(max) = N'', @t nvarchar(100);
      SELECT @n = n FROM sys.numbers ORDER BY n; SELECT @m = n FROM sys.numbers WHERE n > 99;
      SELECT @s += QUOTENAME(name) + N';' FROM sys.databases WHERE database_id > 4 ORDER BY database_id;
      SELECT @t = COALESCE(@t + N',', N'') + name FROM sys.databases WHERE database_id < 3 ORDER BY database_id;
      SELECT @n, @m, @s, @t, @@ROWCOUNT`);
    assert.deepEqual(answer.sets[0]?.rows, [[10, -1, '[Sales];[sales_archive];[a]]b];', 'master,tempdb', 2]]);
  });

  it('fills, changes and empties a table variable with identity, default and key', async () => {
    const answer =
      await client.run(`DECLARE @t TABLE (id int IDENTITY(10, 5) PRIMARY KEY, name sysname NOT NULL UNIQUE, done bit NOT NULL DEFAULT (0), note varchar(20) NULL);
      INSERT INTO @t (name) SELECT name FROM sys.databases WHERE database_id > 4 ORDER BY database_id;
      INSERT @t (name, note) VALUES (N'x', 'one'), (N'y', DEFAULT);
      UPDATE t SET done = 1, note = d.log_reuse_wait_desc FROM @t AS t JOIN sys.databases AS d ON d.name = t.name WHERE d.database_id = 5;
      DELETE FROM @t WHERE name = N'Y'; DELETE TOP (1) FROM @t WHERE name = N'A]B';
      SELECT * FROM @t ORDER BY id`);
    assert.deepEqual(answer.errors, []);
    assert.deepEqual(answer.sets[0]?.rows, [
      [10, 'Sales', true, 'LOG_BACKUP'],
      [15, 'sales_archive', false, null],
      [25, 'x', false, 'one'],
    ]);
    assert.deepEqual(
      answer.replies.flatMap((each) => (each.kind === 'done' ? [each.rowCount] : [])),
      [3, 2, 1, 1, 1, 3],
    );
  });

  it('holds keys, NOT NULL and lengths, and keeps nothing of a change that breaks one', async () => {
    const table = 'DECLARE @t TABLE (name varchar(5) NOT NULL PRIMARY KEY);';
    const twice = await client.run(`${table} INSERT @t VALUES ('a'); INSERT @t VALUES ('b'), ('A '); SELECT COUNT(*) FROM @t`);
    assert.deepEqual(numbers(twice), [2627]);
    assert.deepEqual(twice.sets[0]?.rows, [[1]]);
    assert.deepEqual(numbers(await client.run(`${table} INSERT @t VALUES (NULL)`)), [515]);
    assert.deepEqual(numbers(await client.run(`${table} INSERT @t VALUES ('abcdef')`)), [2628]);
    assert.deepEqual(numbers(await client.run(`${table} INSERT @t VALUES ('abcd ', 1)`)), [213]);
  });

  it('keeps #temporary tables for the session and table variables for the batch', async () => {
    await client.run('CREATE TABLE #t (n int); INSERT #t VALUES (1); SELECT n * 2 AS m INTO #u FROM #t; DECLARE @t TABLE (n int)');
    assert.deepEqual(await client.rows('SELECT n, m FROM #t CROSS JOIN #u'), [[1, 2]]);
    assert.equal(await client.error('SELECT * FROM @t'), '1087 Must declare the table variable "@t".');
    const other = client.login();
    assert.deepEqual(numbers(await ask(other, { kind: 'batch', sql: 'SELECT * FROM #t' })), [208]);
    other.close();
    assert.deepEqual(
      (await client.run("IF OBJECT_ID('tempdb..#t') IS NOT NULL DROP TABLE #t; DROP TABLE IF EXISTS #t; SELECT * FROM #t")).errors.map(
        (each) => each.message,
      ),
      ["Invalid object name '#t'."],
    );
  });

  it('walks a cursor', async () => {
    const answer =
      await client.run(`DECLARE @n sysname, @i int; DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT name, database_id FROM sys.databases WHERE database_id > 4 ORDER BY database_id;
      OPEN c; FETCH NEXT FROM c INTO @n, @i; WHILE @@FETCH_STATUS = 0 BEGIN PRINT CONCAT(@i, ' ', @n); FETCH NEXT FROM c INTO @n, @i; END; CLOSE c; DEALLOCATE c; FETCH NEXT FROM c INTO @n, @i`);
    assert.deepEqual(texts(answer), ['5 Sales', '6 sales_archive', '7 a]b']);
    assert.deepEqual(
      answer.errors.map((each) => each.message),
      ["A cursor with the name 'c' does not exist."],
    );
  });

  it('runs dynamic SQL with parameters, also handed back', async () => {
    const answer = await client.run(
      `DECLARE @sql nvarchar(max) = N'SELECT @n = COUNT(*) FROM sys.databases WHERE database_id > @low; SET @low = 99', @found int, @low int = 4;
      EXEC sys.sp_executesql @sql, N'@low int, @n int OUTPUT', @low = @low, @n = @found OUTPUT; SELECT @found, @low; EXEC (N'SELECT ' + '7')`.replace(
        "(N'SELECT ' + '7')",
        "(N'SELECT ' + '7')",
      ),
    );
    assert.deepEqual(
      answer.sets.map((each) => each.rows),
      [[[3, 4]], [[7]]],
    );
  });
});
