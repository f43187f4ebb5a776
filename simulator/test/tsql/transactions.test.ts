/** Transactions over #temporary tables (Microsoft Learn, "Transactions", "SAVE TRANSACTION", "SET XACT_ABORT", "SET IMPLICIT_TRANSACTIONS"). */
import assert from 'node:assert/strict';
import { connect, type Answer, type Client } from './client';

const numbers = (answer: Answer): readonly number[] => answer.errors.map((each) => each.number);
const rows = (answer: Answer): readonly unknown[] => answer.sets.map((each) => each.rows);

describe('T-SQL transactions', () => {
  let client: Client;
  beforeEach(async () => {
    client = await connect();
    await client.run('CREATE TABLE #t (id int IDENTITY, n int UNIQUE); INSERT #t (n) VALUES (1), (2)');
  });
  afterEach(() => client.close());

  it('undoes changes of #tables, not of table variables, variables and identity values', async () => {
    const answer = await client.run(
      `DECLARE @t TABLE (n int); DECLARE @v int = 0;
      BEGIN TRAN;
      INSERT #t (n) VALUES (3); UPDATE #t SET n = n * 10; DELETE #t WHERE n = 10; INSERT @t VALUES (7); SET @v = 1;
      SELECT n INTO #new FROM #t; DROP TABLE #t;
      ROLLBACK;
      SELECT n FROM #t ORDER BY n; SELECT (SELECT COUNT(*) FROM @t), @v, OBJECT_ID(N'tempdb..#new');
      INSERT #t (n) VALUES (9); SELECT id FROM #t WHERE n = 9`,
    );
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[1], [2]], [[1, 1, null]], [[4]]]]);
  });

  it('keeps what was committed, and the inner COMMIT commits nothing', async () => {
    const answer = await client.run(
      'BEGIN TRAN; BEGIN TRAN; DELETE #t WHERE n = 1; COMMIT; DROP TABLE IF EXISTS #gone; ROLLBACK; SELECT COUNT(*) FROM #t; BEGIN TRAN; DELETE #t WHERE n = 1; COMMIT; SELECT COUNT(*) FROM #t',
    );
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[2]], [[1]]]]);
  });

  it('goes back to a savepoint, more than once', async () => {
    const answer = await client.run(`BEGIN TRAN whole; DELETE #t WHERE n = 1; SAVE TRAN half; DELETE #t; INSERT #t (n) VALUES (5);
      ROLLBACK TRAN half; SELECT n FROM #t; INSERT #t (n) VALUES (6); ROLLBACK TRANSACTION HALF; SELECT n FROM #t; SELECT @@TRANCOUNT;
      ROLLBACK TRAN nowhere; ROLLBACK TRAN whole; SELECT COUNT(*), @@TRANCOUNT FROM #t; SAVE TRAN x; ROLLBACK; COMMIT`);
    assert.deepEqual(
      [rows(answer), numbers(answer)],
      [
        [[[2]], [[2]], [[1]], [[2, 0]]],
        [6401, 628, 3903, 3902],
      ],
    );
  });

  it('lets an uncommittable transaction only be rolled back, and does so at the end of the batch', async () => {
    const doomed = "BEGIN TRAN; DELETE #t; BEGIN TRY SELECT CAST('x' AS int) END TRY BEGIN CATCH ";
    assert.deepEqual(numbers(await client.run(`${doomed} COMMIT END CATCH`)), [3930, 3998]);
    assert.deepEqual(numbers(await client.run(`${doomed} INSERT #t (n) VALUES (8) END CATCH; ROLLBACK`)), [3930]);
    const left = await client.run(`${doomed} SELECT XACT_STATE() END CATCH`);
    assert.deepEqual([numbers(left), left.errors[0]?.severity, rows(left).at(-1)], [[3998], 16, [[-1]]]);
    assert.deepEqual(await client.rows('SELECT COUNT(*), @@TRANCOUNT FROM #t'), [[2, 0]]);
  });

  it('rolls back at a batch-ending error in silence, and keeps the transaction at any other', async () => {
    assert.deepEqual(numbers(await client.run("BEGIN TRAN; DELETE #t; SELECT CAST('x' AS int)")), [245]);
    assert.deepEqual(await client.rows('SELECT COUNT(*), @@TRANCOUNT FROM #t'), [[2, 0]]);
    assert.deepEqual(numbers(await client.run('BEGIN TRAN; DELETE #t; INSERT #t (n) VALUES (1), (1); COMMIT')), [2627]);
    assert.deepEqual(await client.rows('SELECT COUNT(*), @@TRANCOUNT FROM #t'), [[0, 0]]);
    await client.run('SET XACT_ABORT ON; BEGIN TRAN; INSERT #t (n) VALUES (1); INSERT #t (n) VALUES (1)');
    assert.deepEqual(await client.rows('SELECT COUNT(*), @@TRANCOUNT FROM #t'), [[0, 0]]);
  });

  it('says 266 where a procedure or text leaves another count than it found', async () => {
    const answer = await client.run("EXEC ('BEGIN TRAN'); SELECT @@TRANCOUNT; ROLLBACK");
    assert.deepEqual(rows(answer), [[[1]]]);
    assert.deepEqual(
      answer.errors.map(({ number, message }) => [number, message]),
      [
        [
          266,
          'Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = 0, current count = 1.',
        ],
      ],
    );
    assert.deepEqual(numbers(await client.run("BEGIN TRAN; EXEC sp_executesql N'ROLLBACK'; SELECT @@TRANCOUNT")), [266]);
  });

  it('begins by itself with IMPLICIT_TRANSACTIONS, at the first statement that reads or writes a table', async () => {
    const answer = await client.run(`SET IMPLICIT_TRANSACTIONS ON; SELECT @@TRANCOUNT; DECLARE @x int = 5; SELECT @@TRANCOUNT;
      DELETE #t WHERE n = 1; SELECT @@TRANCOUNT; ROLLBACK; SELECT COUNT(*) FROM #t; SELECT @@TRANCOUNT; COMMIT;
      ALTER DATABASE Sales SET TARGET_RECOVERY_TIME = 60 SECONDS; SET IMPLICIT_TRANSACTIONS OFF; SELECT COUNT(*) FROM #t; SELECT @@TRANCOUNT`);
    assert.deepEqual(rows(answer), [[[0]], [[0]], [[1]], [[2]], [[1]], [[2]], [[0]]]);
    assert.deepEqual(numbers(answer), [226]);
  });

  it('refuses COMMIT, ROLLBACK and another INSERT ... EXEC within INSERT ... EXEC', async () => {
    const into = (text: string): string => `INSERT #t (n) EXEC ('${text}')`;
    assert.deepEqual(numbers(await client.run(`BEGIN TRAN; ${into('ROLLBACK')}; ROLLBACK`)), [3915]);
    assert.deepEqual(numbers(await client.run(`BEGIN TRAN; ${into('COMMIT')}; ROLLBACK`)), [3916]);
    assert.deepEqual(numbers(await client.run(into("INSERT #t (n) EXEC (''''SELECT 1'''')".replaceAll("''''", "''")))), [8164]);
    assert.deepEqual(numbers(await client.run(into('SELECT 1, 2'))), [213]);
  });
});
