/**
 * #procedures, and what clients call by name or number (Microsoft Learn, "CREATE PROCEDURE", "sp_executesql",
 * "sp_prepare").
 */
import assert from 'node:assert/strict';
import type { Parameter, SqlType, SqlValue } from '../../tds/handler';
import { ask, loginOf, numbersOf, tell, useClient, type Answer } from './client';

const nvarchar: SqlType = { name: 'nvarchar', length: 4000 };
const int: SqlType = { name: 'int' };
const parameter = (name: string, type: SqlType, value: SqlValue, output = false): Parameter => ({
  name,
  type,
  value,
  output,
});

describe('T-SQL procedures', () => {
  const client = useClient();
  beforeEach(() => client.session.reset?.());

  it('run with defaults, output and return value, in their own session', async () => {
    await client.run(`CREATE PROCEDURE #scale @n int, @by int = 10, @result int = NULL OUTPUT AS
      SET NOCOUNT ON;
      IF @n IS NULL RETURN -1;
      SET @result = @n * @by;
      RETURN @by`);
    const sql = `DECLARE @r int, @status int, @proc sysname = N'#scale';
      EXEC @status = #scale 4, @result = @r OUTPUT; SELECT @status, @r;
      EXEC @status = @proc @n = 2, @by = 3, @result = @r OUT; SELECT @status, @r;
      EXEC @status = #scale @by = DEFAULT, @n = NULL; SELECT @status`;
    assert.equal(await client.told(sql), '[[10,40]] | [[3,6]] | [[-1]]');
    const other = client.login();
    assert.deepEqual(numbersOf(await ask(other, { kind: 'batch', sql: 'EXEC #scale 1' })), [2812]);
    other.close();
  });

  it('say what is wrong with their arguments', async () => {
    await client.run('CREATE PROC #p (@a int, @b int) AS SELECT @a + @b');
    const told = await client.told(
      'EXEC #p 1; EXEC #p 1, 2, 3; EXEC #p 1, @c = 2; EXEC #p 1, @a = 2; DECLARE @o int; EXEC #p 1, @b = @o OUTPUT',
    );
    assert.equal(told, '!201 | !8144 | !8145 | !8143 | !8162');
    assert.equal(await client.told('EXEC #p @a = 1, 2'), '!119');
  });

  it('tell line and name where an error arose, and CATCH the same', async () => {
    await client.run("CREATE PROCEDURE #fails AS\nPRINT 'a';\n\nSELECT 1 / 0;\nRAISERROR ('own', 16, 2)");
    const places = ({ errors }: Answer): unknown =>
      errors.map(({ number, line, procedure }) => `${number} ${line} ${procedure}`);
    assert.deepEqual(places(await client.run('\n\nEXEC #fails')), ['8134 4 #fails', '50000 5 #fails']);
    const caught = await client.run(
      'BEGIN TRY\nEXEC #fails\nEND TRY BEGIN CATCH SELECT ERROR_LINE(), ERROR_PROCEDURE();\nTHROW END CATCH',
    );
    assert.equal(tell(caught), 'a | [] | [[4,"#fails"]] | !8134');
    assert.deepEqual(places(caught), ['8134 4 #fails']);
  });

  it('are created only at the start of a batch, and none that is permanent', async () => {
    assert.match(
      await client.error('SELECT 1; CREATE PROC #p AS SELECT 1'),
      /^111 'CREATE\/ALTER PROCEDURE' must be the first /,
    );
    assert.match(
      await client.error('CREATE OR ALTER PROCEDURE dbo.sp_mine AS SELECT 1'),
      /^50000 .*OR ALTER PROCEDURE dbo\.sp_mine is not modelled/,
    );
    await client.run('CREATE PROC #p AS SELECT 1');
    assert.equal(await client.told('CREATE PROC #p AS SELECT 2'), '!2714');
    await client.run('CREATE OR ALTER PROC #p AS SELECT 3');
    assert.equal(await client.told('#p'), '[[3]]');
    assert.equal(
      await client.told('DROP PROC #p; DROP PROCEDURE IF EXISTS #p, dbo.sp_mine; DROP PROCEDURE #p'),
      '!3701',
    );
  });

  it('nest 32 levels and not one more', async () => {
    await client.run(
      'CREATE PROCEDURE #down @n int AS IF @n > 1 BEGIN DECLARE @m int = @n - 1; EXEC #down @m END ELSE SELECT @@NESTLEVEL',
    );
    assert.equal(await client.told('EXEC #down 32; EXEC #down 33'), '[[32]] | !217');
  });

  const call = (procedure: string, ...parameters: Parameter[]): Promise<Answer> =>
    ask(client.session, { kind: 'procedure', procedure, parameters });

  it('of a remote call take parameters, but none for OUTPUT', async () => {
    const given = (output: boolean): Promise<Answer> =>
      call(
        'sp_executesql',
        parameter('statement', nvarchar, 'SELECT @n + 1 AS n, @b AS b'),
        parameter('params', nvarchar, '@n int, @b bit'),
        parameter('@n', int, 41, output),
        parameter('@b', { name: 'bit' }, true),
      );
    const answer = await given(false);
    assert.equal(tell(answer), '[[42,true]]');
    assert.deepEqual(answer.replies.at(-1), { kind: 'status', value: 0 });
    assert.match(
      (await given(true)).errors[0]?.message ?? '',
      /the OUTPUT parameter @n of a remote call is not modelled/,
    );
    assert.equal(tell(await call('sp_prepare', parameter('', int, 1))), '!50000');
  });

  it('of a remote call say which parameter is missing or too many', async () => {
    const numbers = async (...parameters: Parameter[]): Promise<string> =>
      tell(
        await call(
          'sp_executesql',
          parameter('', nvarchar, 'SELECT 1'),
          parameter('', nvarchar, '@n int'),
          ...parameters,
        ),
      );
    assert.equal(await numbers(), '!8178');
    assert.equal(await numbers(parameter('@m', int, 1)), '!8145');
    assert.equal(await numbers(parameter('', int, 1), parameter('', int, 1)), '!8144');
  });
});

describe('T-SQL sessions', () => {
  const client = useClient();

  it('refuse a wrong password and an unknown database', () => {
    const wrong = { number: 18456, severity: 14, message: "Login failed for user 'dba'." };
    assert.throws(() => client.host.login(loginOf({ password: 'wrong' })), wrong);
    assert.throws(() => client.host.login(loginOf({ database: 'nowhere' })), { number: 4060 });
    assert.equal(client.host.login(loginOf({ database: 'SALES' })).database, 'Sales');
    assert.deepEqual([client.host.serverName, client.host.version], ['FAKE01', [15, 0, 4375]]);
  });

  it('ask in the name of the login', async () => {
    assert.deepEqual((await client.run('SELECT COUNT(*) FROM sys.dm_os_performance_counters')).errors, []);
    assert.equal(await client.value('@@SPID'), client.session.spid);
  });

  it('go back to the state after login on reset', async () => {
    await client.run(
      'USE Sales; CREATE TABLE #t (n int); BEGIN TRAN; SET NOCOUNT ON; SET LOCK_TIMEOUT 7; SET QUOTED_IDENTIFIER OFF',
    );
    client.session.reset?.();
    assert.equal(
      await client.told(`SELECT DB_NAME() AS "x", @@TRANCOUNT, OBJECT_ID('tempdb..#t'), @@LOCK_TIMEOUT`),
      '[["master",0,null,-1]]',
    );
  });
});
