/** Procedures, dynamic SQL and labels: what each has of its own, and what it hands back (Microsoft Learn, "CREATE PROCEDURE", "SET statements", "GOTO"). */
import assert from 'node:assert/strict';
import { ask, connect, type Answer, type Client } from './client';

const texts = (answer: Answer): readonly string[] => answer.messages.map((each) => each.message);
const rows = (answer: Answer): readonly unknown[] => answer.sets.map((each) => each.rows);
const numbers = (answer: Answer): readonly number[] => answer.errors.map((each) => each.number);

describe('T-SQL scopes', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('runs a #procedure with defaults, output and return value', async () => {
    await client.run(`CREATE PROCEDURE #scale @n int, @by int = 10, @result int = NULL OUTPUT WITH RECOMPILE AS
      SET NOCOUNT ON;
      IF @n IS NULL RETURN -1;
      SET @result = @n * @by;
      RETURN @by`);
    const answer = await client.run(`DECLARE @r int, @status int, @proc sysname = N'#scale';
      EXEC @status = #scale 4, @result = @r OUTPUT; SELECT @status, @r;
      EXEC @status = @proc @n = 2, @by = 3, @result = @r OUT; SELECT @status, @r;
      EXEC @status = #scale @by = DEFAULT, @n = NULL; SELECT @status`);
    assert.deepEqual([answer.errors, rows(answer)], [[], [[[10, 40]], [[3, 6]], [[-1]]]]);
    const other = client.login();
    assert.deepEqual(numbers(await ask(other, { kind: 'batch', sql: 'EXEC #scale 1' })), [2812]);
    other.close();
  });

  it('says what is wrong with the arguments of a procedure', async () => {
    await client.run('CREATE PROC #p (@a int, @b int) AS SELECT @a + @b');
    const cases: readonly (readonly [string, number, string])[] = [
      ['EXEC #p 1', 201, "Procedure or function '#p' expects parameter '@b', which was not supplied."],
      ['EXEC #p 1, 2, 3', 8144, 'Procedure or function #p has too many arguments specified.'],
      ['EXEC #p 1, @c = 2', 8145, '@c is not a parameter for procedure #p.'],
      ['EXEC #p 1, @a = 2', 8143, "Parameter '@a' was supplied multiple times."],
      [
        'DECLARE @o int; EXEC #p 1, @b = @o OUTPUT',
        8162,
        'The formal parameter "@b" was not declared as an OUTPUT parameter, but the actual parameter passed in requested output.',
      ],
    ];
    for (const [sql, number, message] of cases) assert.equal(await client.error(sql), `${number} ${message}`, sql);
    assert.equal(
      await client.error('EXEC #p @a = 1, 2'),
      "119 Must pass parameter number 2 and subsequent parameters as '@name = value'. After the form '@name = value' has been used, all subsequent parameters must be passed in the form '@name = value'.",
    );
  });

  it('tells line and name of the procedure where an error arose, and CATCH the same', async () => {
    await client.run("CREATE PROCEDURE #fails AS\nPRINT 'a';\n\nSELECT 1 / 0;\nRAISERROR ('own', 16, 2)");
    const told = await client.run('\n\nEXEC #fails');
    assert.deepEqual(
      told.errors.map(({ number, line, procedure }) => [number, line, procedure]),
      [
        [8134, 4, '#fails'],
        [50000, 5, '#fails'],
      ],
    );
    const caught = await client.run('BEGIN TRY\nEXEC #fails\nEND TRY BEGIN CATCH SELECT ERROR_LINE(), ERROR_PROCEDURE();\nTHROW END CATCH');
    assert.deepEqual(rows(caught).at(-1), [[4, '#fails']]);
    assert.deepEqual(
      caught.errors.map(({ line, procedure }) => [line, procedure]),
      [[4, '#fails']],
    );
  });

  it('creates procedures only at the start of a batch, and no permanent ones', async () => {
    assert.match(
      await client.error('SELECT 1; CREATE PROC #p AS SELECT 1'),
      /^111 'CREATE\/ALTER PROCEDURE' must be the first statement in a query batch\.$/,
    );
    assert.equal(
      await client.error('CREATE OR ALTER PROCEDURE dbo.sp_mine AS SELECT 1'),
      '50000 simulator: CREATE OR ALTER PROCEDURE dbo.sp_mine is not modelled',
    );
    await client.run('CREATE PROC #p AS SELECT 1');
    assert.match(await client.error('CREATE PROC #p AS SELECT 2'), /^2714 There is already an object named '#p'/);
    await client.run('CREATE OR ALTER PROC #p AS SELECT 3');
    assert.deepEqual(await client.rows('#p'), [[3]]);
    assert.deepEqual((await client.run('DROP PROC #p; DROP PROCEDURE IF EXISTS #p, dbo.sp_mine')).errors, []);
    assert.match(await client.error('DROP PROCEDURE #p'), /^3701 Cannot drop the procedure '#p', because it does not exist/);
    assert.match(await client.error('RETURN 1'), /^178 /);
  });

  it('ends SET options, USE, #tables and local cursors with the procedure or text that made them', async () => {
    const answer = await client.run(`CREATE TABLE #t (n int); INSERT #t VALUES (1);
      EXEC (N'SET NOCOUNT ON; SET XACT_ABORT ON; SET ROWCOUNT 1; USE Sales; SELECT COUNT(*) FROM #t; CREATE TABLE #t (a int, b int); INSERT #t VALUES (5, 6); CREATE TABLE #u (n int); SELECT a, b FROM #t');
      SELECT n, DB_NAME() FROM #t UNION ALL SELECT 2, DB_NAME(); SELECT OBJECT_ID(N'tempdb..#u')`);
    assert.deepEqual(
      [answer.errors, rows(answer)],
      [
        [],
        [
          [[1]],
          [[5, 6]],
          [
            [1, 'master'],
            [2, 'master'],
          ],
          [[null]],
        ],
      ],
    );
    const cursors = await client.run(
      "EXEC ('DECLARE l CURSOR LOCAL FOR SELECT 1; OPEN l; DECLARE g CURSOR FOR SELECT 2; OPEN g'); FETCH g; FETCH l; CLOSE g; DEALLOCATE g",
    );
    assert.deepEqual([rows(cursors)[0], numbers(cursors)], [[[2]], [16916]]);
  });

  it('goes on after dynamic SQL whose names are missing, and says its lines', async () => {
    const answer = await client.run("EXEC ('PRINT ''in'';\nSELECT * FROM sys.nothing; PRINT ''never''');\nPRINT 'after'; PRINT @@ERROR");
    assert.deepEqual([numbers(answer), answer.errors[0]?.line, texts(answer)], [[208], 2, ['in', 'after', '0']]);
    const conversion = await client.run("EXEC ('SELECT CAST(''x'' AS int)'); PRINT 'never'");
    assert.deepEqual([numbers(conversion), texts(conversion)], [[245], []]);
  });

  it('nests 32 levels and not one more', async () => {
    await client.run('CREATE PROCEDURE #down @n int AS IF @n > 1 BEGIN DECLARE @m int = @n - 1; EXEC #down @m END ELSE SELECT @@NESTLEVEL');
    assert.deepEqual(await client.rows('EXEC #down 32'), [[32]]);
    assert.deepEqual(numbers(await client.run('EXEC #down 33')), [217]);
    assert.equal(await client.value('@@NESTLEVEL'), 0);
    assert.deepEqual(await client.rows("EXEC ('SELECT @@NESTLEVEL')"), [[1]]);
    assert.deepEqual(await client.rows("EXEC sp_executesql N'SELECT @@NESTLEVEL'"), [[2]]);
  });

  it('jumps to labels, forwards, backwards and out of loops', async () => {
    const answer = await client.run(`DECLARE @i int = 0;
      again:
      SET @i += 1;
      IF @i < 3 GOTO Again;
      WHILE 1 = 1 BEGIN IF @i = 3 GOTO done; END
      PRINT 'never';
      done: PRINT CONCAT('i = ', @i);
      GOTO inside;
      PRINT 'never';
      IF 1 = 0 BEGIN PRINT 'never'; inside: PRINT 'inside'; END
      BEGIN TRY GOTO out_of_it; END TRY BEGIN CATCH END CATCH
      PRINT 'never';
      out_of_it: PRINT 'end'`);
    assert.deepEqual([answer.errors, texts(answer)], [[], ['i = 3', 'inside', 'end']]);
    assert.match(await client.error('GOTO nowhere'), /^133 A GOTO statement references the label 'nowhere'/);
    assert.match(await client.error('a: PRINT 1; A: PRINT 2'), /^132 The label 'A' has already been declared/);
    assert.match(await client.error('GOTO x; BEGIN TRY x: PRINT 1 END TRY BEGIN CATCH END CATCH'), /^1026 GOTO cannot be used to jump/);
  });

  it('hands out @@ROWCOUNT and @@ERROR as each statement leaves them', async () => {
    const answer = await client.run(`SELECT 1 UNION SELECT 2; SELECT @@ROWCOUNT; SELECT 1 UNION SELECT 2; PRINT 'x'; SELECT @@ROWCOUNT;
      SELECT 1 UNION SELECT 2; IF @@ROWCOUNT = 2 SELECT @@ROWCOUNT; SELECT 1 / 0; IF @@ERROR <> 0 SELECT @@ERROR; SELECT 1 / 0; DECLARE @x int; SELECT @@ERROR`);
    assert.deepEqual(
      rows(answer).filter((set) => (set as unknown[]).length === 1),
      [[[2]], [[0]], [[0]], [[0]], [[8134]]],
    );
  });
});
