/** Changes of #tables and what INSERT ... EXEC takes (Microsoft Learn, "ALTER TABLE", "CREATE INDEX", "INSERT"). */
import assert from 'node:assert/strict';
import { connect, type Answer, type Client } from './client';

const numbers = (answer: Answer): readonly number[] => answer.errors.map((each) => each.number);
const rows = (answer: Answer): readonly unknown[] => answer.sets.map((each) => each.rows);

describe('T-SQL temporary tables', () => {
  let client: Client;
  beforeEach(async () => {
    client = await connect();
    await client.run("CREATE TABLE #t (id int IDENTITY, name varchar(10) CONSTRAINT uq_name UNIQUE); INSERT #t (name) VALUES ('a'), ('b')");
  });
  afterEach(() => client.close());

  it('adds and drops columns', async () => {
    const answer = await client.run(`ALTER TABLE #t ADD n int NULL, d int NOT NULL DEFAULT (7), e int NULL DEFAULT (8);
      INSERT #t (name) VALUES ('c'); SELECT id, name, n, d, e FROM #t ORDER BY id; ALTER TABLE #t DROP COLUMN n, e; SELECT * FROM #t WHERE id = 3`);
    assert.deepEqual(
      [answer.errors, rows(answer)],
      [
        [],
        [
          [
            [1, 'a', null, 7, null],
            [2, 'b', null, 7, null],
            [3, 'c', null, 7, 8],
          ],
          [[3, 'c', 7]],
        ],
      ],
    );
    assert.match(await client.error('ALTER TABLE #t ADD x int NOT NULL'), /^4901 .* Column 'x' cannot be added to non-empty table '#t'/);
    assert.match(await client.error('ALTER TABLE #t ADD NAME int'), /^2705 /);
    assert.match(await client.error('ALTER TABLE #t DROP COLUMN x'), /^4924 ALTER TABLE DROP COLUMN failed because column 'x' does not/);
    assert.match(await client.error('ALTER TABLE #nowhere ADD x int'), /^4902 /);
    assert.equal(await client.error('ALTER TABLE dbo.t ADD x int'), '50000 simulator: ALTER TABLE dbo.t is not modelled');
  });

  it('holds unique indexes, and takes others for granted', async () => {
    await client.run(
      'CREATE CLUSTERED INDEX c ON #t (id); CREATE UNIQUE NONCLUSTERED INDEX u ON #t (id DESC) INCLUDE (name) WITH (DATA_COMPRESSION = PAGE)',
    );
    assert.deepEqual(numbers(await client.run('UPDATE #t SET name = UPPER(name)')), []);
    assert.equal(
      await client.error("INSERT #t (name) VALUES ('A')"),
      "2627 Violation of UNIQUE KEY constraint 'uq_name'. Cannot insert duplicate key in object 'dbo.#t'. The duplicate key value is (A).",
    );
    await client.run('CREATE TABLE #u (n int); INSERT #u VALUES (1), (1), (2)');
    assert.equal(
      await client.error('CREATE UNIQUE INDEX u ON #u (n)'),
      "1505 The CREATE UNIQUE INDEX statement terminated because a duplicate key was found for the object name 'dbo.#u' and the index name 'u'. The duplicate key value is (1).",
    );
    await client.run('DELETE TOP (1) FROM #u WHERE n = 1; CREATE UNIQUE INDEX u ON #u (n)');
    assert.equal(
      await client.error('INSERT #u VALUES (2)'),
      "2601 Cannot insert duplicate key row in object 'dbo.#u' with unique index 'u'. The duplicate key value is (2).",
    );
    assert.deepEqual(numbers(await client.run('DROP INDEX u ON #u; INSERT #u VALUES (2)')), []);
    assert.match(await client.error('CREATE INDEX i ON #nowhere (n)'), /^1088 /);
    assert.match(await client.error('CREATE INDEX i ON #u (m)'), /^1911 /);
  });

  it('says that a change of rows was terminated, after the error that did it', async () => {
    const answer = await client.run("INSERT #t (name) VALUES ('a'); INSERT #t (name) SELECT 1 / 0; SELECT 1 / 0");
    assert.deepEqual(numbers(answer), [2627, 8134, 8134]);
    assert.deepEqual(
      answer.messages.map(({ number, severity, message }) => [number, severity, message]),
      [
        [3621, 0, 'The statement has been terminated.'],
        [3621, 0, 'The statement has been terminated.'],
      ],
    );
    const kinds = answer.replies.map((each) => each.kind);
    assert.equal(kinds.indexOf('info'), kinds.indexOf('error') + 1);
    assert.deepEqual((await client.run("BEGIN TRY INSERT #t (name) VALUES ('a') END TRY BEGIN CATCH END CATCH")).messages, []);
  });

  it('takes every result set of what EXEC runs, with its messages and in spite of its errors', async () => {
    const answer = await client.run(`CREATE TABLE #e (a int, b varchar(20));
      INSERT #e EXEC (N'PRINT ''from inside''; SELECT 1, ''x''; SELECT 1 / 0, ''y'' WHERE 1 = 0; RAISERROR (''oops'', 16, 1); SELECT 2, ''z''');
      SELECT @@ROWCOUNT; SELECT a, b FROM #e ORDER BY a;
      INSERT INTO #e (b, a) EXEC sp_executesql N'SELECT name, database_id FROM sys.databases WHERE database_id = @id', N'@id int', @id = 5; SELECT b FROM #e WHERE a = 5`);
    assert.deepEqual(numbers(answer), [50000]);
    assert.deepEqual(rows(answer), [
      [[2]],
      [
        [1, 'x'],
        [2, 'z'],
      ],
      [['Sales']],
    ]);
    assert.deepEqual(
      answer.messages.map((each) => each.message),
      ['from inside'],
    );
  });

  it('takes many rows from EXEC', async () => {
    const sql =
      "SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n, N'x' FROM sys.numbers a CROSS JOIN sys.numbers b CROSS JOIN sys.numbers c CROSS JOIN sys.numbers d";
    const answer = await client.run(
      `DECLARE @t TABLE (n int, s nvarchar(10)); INSERT @t EXEC (N'${sql.replaceAll("'", "''")}'); SELECT COUNT(*), COUNT(DISTINCT n) FROM @t`,
    );
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[10000, 10000]]]]);
  });

  it('describes results without running anything, with FMTONLY', async () => {
    const answer = await client.run(
      'SET FMTONLY ON; SELECT id, name FROM #t; IF 1 = 0 SELECT 1 AS one ELSE SELECT 2 AS two; SET FMTONLY OFF; SELECT COUNT(*) FROM #t',
    );
    assert.deepEqual(
      answer.sets.map((each) => [each.columns.map((column) => column.name).join(), each.rows.length]),
      [
        ['id,name', 0],
        ['one', 0],
        ['two', 0],
        ['', 1],
      ],
    );
  });
});
