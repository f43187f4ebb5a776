import assert from 'node:assert/strict';
import type { Parameter, SqlType, SqlValue } from '../../tds/handler';
import { ask, connect, type Client } from './client';

const nvarchar: SqlType = { name: 'nvarchar', length: 4000 };
const int: SqlType = { name: 'int' };
const parameter = (name: string, type: SqlType, value: SqlValue, output = false): Parameter => ({ name, type, value, output });

describe('T-SQL sessions', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('refuses a wrong password and an unknown database', () => {
    const login = { user: 'dba', password: 'right', host: '', application: '', library: '', database: '', encrypted: true };
    assert.throws(() => client.host.login({ ...login, password: 'wrong' }), {
      number: 18456,
      severity: 14,
      message: "Login failed for user 'dba'.",
    });
    assert.throws(() => client.host.login({ ...login, database: 'nowhere' }), { number: 4060 });
    assert.equal(client.host.login({ ...login, database: 'SALES' }).database, 'Sales');
    assert.deepEqual([client.host.serverName, client.host.version], ['FAKE01', [15, 0, 4375]]);
  });

  it('runs sp_executesql as a remote call and hands parameters back', async () => {
    const answer = await ask(client.session, {
      kind: 'procedure',
      procedure: 'sp_executesql',
      parameters: [
        parameter('statement', nvarchar, 'SELECT @d AS d, @b AS b; SET @n = @n + 1'),
        parameter('params', nvarchar, '@n int OUTPUT, @d datetime2(3), @b bit'),
        parameter('@n', int, 41, true),
        parameter('@d', { name: 'datetime2', scale: 3 }, '2026-03-02T08:00:00.123'),
        parameter('@b', { name: 'bit' }, true),
      ],
    });
    assert.deepEqual(answer.sets[0]?.rows, [['2026-03-02T08:00:00.123', true]]);
    assert.deepEqual(answer.replies.slice(-2), [
      { kind: 'output', name: '@n', type: int, value: 42 },
      { kind: 'status', value: 0 },
    ]);
  });

  it('prepares, executes and forgets', async () => {
    const call = (procedure: string, ...parameters: Parameter[]): ReturnType<typeof ask> =>
      ask(client.session, { kind: 'procedure', procedure, parameters });
    const prepared = await call(
      'sp_prepare',
      parameter('handle', int, null, true),
      parameter('params', nvarchar, '@n int'),
      parameter('stmt', nvarchar, 'SELECT @n * 2'),
    );
    const output = prepared.replies.find((each) => each.kind === 'output');
    const handle = parameter('', int, output?.kind === 'output' ? output.value : null);
    assert.deepEqual((await call('sp_execute', handle, parameter('@n', int, 21))).sets[0]?.rows, [[42]]);
    await call('sp_unprepare', handle);
    assert.equal((await call('sp_execute', handle, parameter('@n', int, 21))).errors[0]?.number, 8179);
    const both = await call(
      'sp_prepexec',
      parameter('handle', int, null, true),
      parameter('', nvarchar, '@n int'),
      parameter('', nvarchar, 'SELECT @n'),
      parameter('', int, 5),
    );
    assert.deepEqual(both.sets[0]?.rows, [[5]]);
  });

  it('says which parameter is missing or too many', async () => {
    const call = (...parameters: Parameter[]): ReturnType<typeof ask> =>
      ask(client.session, {
        kind: 'procedure',
        procedure: 'sp_executesql',
        parameters: [parameter('', nvarchar, 'SELECT 1'), ...parameters],
      });
    assert.equal((await call(parameter('', nvarchar, '@n int'))).errors[0]?.number, 8178);
    assert.equal((await call(parameter('', nvarchar, '@n int'), parameter('@m', int, 1))).errors[0]?.number, 8145);
    assert.equal((await call(parameter('', nvarchar, '@n int'), parameter('', int, 1), parameter('', int, 1))).errors[0]?.number, 8144);
  });

  it('asks in the name of the login', async () => {
    assert.deepEqual((await client.run('SELECT COUNT(*) FROM sys.dm_os_performance_counters')).errors, []);
    assert.equal(await client.value('@@SPID'), client.session.spid);
  });

  it('goes back to the state after login on reset', async () => {
    await client.run('USE Sales; SET NOEXEC ON; CREATE TABLE #t (n int)');
    await client.run('SET NOEXEC OFF; CREATE TABLE #t (n int); BEGIN TRAN; SET NOCOUNT ON');
    client.session.reset?.();
    assert.deepEqual(await client.rows("SELECT DB_NAME(), @@TRANCOUNT, OBJECT_ID('tempdb..#t')"), [['master', 0, null]]);
  });
});
