/** SET options, each as its page on Microsoft Learn has it. */
import assert from 'node:assert/strict';
import { connect, type Answer, type Client } from './client';

const numbers = (answer: Answer): readonly number[] => answer.errors.map((each) => each.number);
const rows = (answer: Answer): readonly unknown[] => answer.sets.map((each) => each.rows);

describe('T-SQL session options', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('takes text between double quotation marks for a name, or with QUOTED_IDENTIFIER OFF for a string', async () => {
    assert.deepEqual(await client.rows('SELECT "name" FROM "sys"."databases" WHERE database_id = 5'), [['Sales']]);
    // From where the option stands, whether that statement would run or not; the session keeps it.
    const answer = await client.run(
      'SELECT "name" FROM sys.databases WHERE database_id = 5; IF 1 = 0 SET ANSI_NULLS, QUOTED_IDENTIFIER OFF; SELECT "it\'s ""so""" AS [x]',
    );
    assert.deepEqual([answer.errors, rows(answer)], [[], [[['Sales']], [['it\'s "so"']]]]);
    assert.deepEqual(await client.rows('SELECT "still"'), [['still']]);
    assert.deepEqual(
      rows(await client.run('EXEC (N\'SET QUOTED_IDENTIFIER ON; SELECT "name" FROM sys.databases WHERE database_id = 5\'); SELECT "name"')),
      [[['Sales']], [['name']]],
    );
    assert.deepEqual(await client.rows('SET QUOTED_IDENTIFIER ON; SELECT TOP (1) "name" FROM sys.databases WHERE database_id = 1'), [
      ['master'],
    ]);
  });

  it('stops every statement after ROWCOUNT rows, changes too', async () => {
    const answer = await client.run(`CREATE TABLE #t (n int); INSERT #t VALUES (1), (2), (3), (4), (5);
      SET ROWCOUNT 2; SELECT n FROM #t; UPDATE #t SET n = n + 10; SELECT @@ROWCOUNT; DELETE #t WHERE n > 10; DELETE TOP (1) FROM #t; SELECT n INTO #u FROM #t;
      INSERT #u SELECT n FROM #t; SET ROWCOUNT 0; SELECT COUNT(*) FROM #t; SELECT COUNT(*) FROM #u`);
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[1], [2]], [[2]], [[2]], [[4]]]]);
  });

  it('keeps the lock time-out, and takes what has no model', async () => {
    const answer =
      await client.run(`SET LOCK_TIMEOUT 5000; SELECT @@LOCK_TIMEOUT; SET DEADLOCK_PRIORITY LOW; SET DEADLOCK_PRIORITY -5; SET TEXTSIZE 2147483647;
      SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SET ARITHABORT, ANSI_NULLS, ANSI_WARNINGS ON; SET STATISTICS IO, TIME OFF; SET LANGUAGE us_english`);
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[5000]]]]);
    client.session.reset?.();
    assert.equal(await client.value('@@LOCK_TIMEOUT'), -1);
  });

  it('fills in the defaults of sp_executesql, and hands back its return value', async () => {
    const answer = await client.run(
      "DECLARE @r int; EXEC @r = sp_executesql N'SELECT @a + @b', N'@a int, @b int = 5', 3; SELECT @r; EXEC @r = sp_executesql N'SELECT 1 / 0'; SELECT @r",
    );
    assert.deepEqual(numbers(answer), [8134]);
    assert.deepEqual(
      rows(answer).filter((set) => (set as unknown[]).length > 0),
      [[[8]], [[0]], [[8134]]],
    );
  });

  it('moves a scrollable cursor anywhere, and lets a variable name a cursor', async () => {
    const answer =
      await client.run(`DECLARE c CURSOR SCROLL STATIC FOR SELECT n FROM sys.numbers ORDER BY n; DECLARE @c CURSOR, @n int, @k int = 3; SET @c = c;
      OPEN @c; FETCH ABSOLUTE @k FROM c INTO @n; SELECT @n; FETCH RELATIVE -2 FROM @c INTO @n; SELECT @n; FETCH ABSOLUTE -1 FROM c INTO @n; SELECT @n;
      FETCH NEXT FROM c INTO @n; SELECT @@FETCH_STATUS; FETCH PRIOR FROM c INTO @n; SELECT @n; CLOSE c; DEALLOCATE c; DEALLOCATE @c`);
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[3]], [[1]], [[10]], [[-1]], [[10]]]]);
  });

  it('ends the connection at severity 20, saying which process it is', async () => {
    const answer = await client.run("PRINT 'x'; RAISERROR ('fatal', 20, 1) WITH LOG; PRINT 'never'");
    assert.deepEqual(
      answer.errors.map(({ number, severity }) => [number, severity]),
      [
        [2745, 16],
        [50000, 20],
      ],
    );
    assert.equal(answer.messages.length, 1);
    const [mild] = (await client.run("RAISERROR ('noted', 9, 1) WITH SETERROR; SELECT @@ERROR")).sets;
    assert.deepEqual(mild?.rows, [[50000]]);
  });
});
