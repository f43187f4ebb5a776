import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import type { ScenarioName } from '../../scenarios/scenarios';
import { SqlError, type Session, type SqlValue } from '../../tds/handler';
import { createSessionHost } from '../../tsql/session-host';
import { ask } from './client';

interface Platform {
  readonly server: ModelledServer;
  login(user: string, database?: string): Session;
  close(): Promise<void>;
}

async function open(scenario: ScenarioName): Promise<Platform> {
  const server = createModelledServer({ scenario, rate: 0 });
  const host = await createSessionHost(server);
  const login = (user: string, database = ''): Session =>
    host.login({ user, password: 'Str0ng!Passw0rd', host: 'DESK', application: 'tests', library: '', database, encrypted: true });
  return { server, login, close: () => host.close() };
}

async function run(
  session: Session,
  sql: string,
): Promise<{ readonly errors: readonly number[]; readonly rows: readonly (readonly SqlValue[])[] }> {
  const { errors, sets } = await ask(session, { kind: 'batch', sql });
  return { errors: errors.map(({ number }) => number), rows: sets.flatMap(({ rows }) => rows) };
}

const first = async (session: Session, sql: string): Promise<SqlValue> => (await run(session, sql)).rows[0]?.[0] ?? null;

describe('Azure SQL Database, modelled', () => {
  let azure: Platform;
  let master: Session;
  let user: Session;
  let name: string;
  before(async () => {
    azure = await open('azure-sql-database');
    name = azure.server.databaseName(5) ?? '';
    master = azure.login('dba');
    user = azure.login('dba', name);
  });
  after(() => azure.close());

  it('is edition 5 and says 12.0.2000.8, whatever it is built from', async () => {
    const sql =
      "SELECT CAST(SERVERPROPERTY('EngineEdition') AS int), CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(20)), CAST(SERVERPROPERTY('Edition') AS nvarchar(20))";
    assert.deepEqual((await run(user, sql)).rows, [[5, '12.0.2000.8', 'SQL Azure']]);
    assert.match(String(await first(user, 'SELECT @@VERSION')), /^Microsoft SQL Azure \(RTM\) - 12\.0\.2000\.8 \n\t/);
  });

  it('lets no session leave its database, by USE or by name', async () => {
    const other = azure.server.databaseName(7) ?? '';
    assert.deepEqual((await run(user, `USE ${quote(other)}`)).errors, [40508]);
    assert.deepEqual((await run(user, `USE ${quote(name)}; SELECT DB_NAME()`)).rows, [[name]]);
    for (const database of [other, 'master', 'nowhere'])
      assert.deepEqual((await run(user, `SELECT name FROM ${quote(database)}.sys.databases`)).errors, [40515], database);
    assert.equal((await run(user, `SELECT name FROM ${quote(name)}.sys.databases`)).rows.length, 2);
  });

  it('shows every database in master, elsewhere master and itself, and never tempdb', async () => {
    const names = async (session: Session) => (await run(session, 'SELECT name FROM sys.databases ORDER BY database_id')).rows.flat();
    assert.deepEqual(await names(user), ['master', name]);
    const all = await names(master);
    assert.ok(all.length > 5 && !all.includes('tempdb') && !all.includes('msdb'));
  });

  it('has neither the files, logins and host of a server nor its error log', async () => {
    for (const object of [
      'sys.master_files',
      'sys.server_principals',
      'sys.dm_os_host_info',
      'sys.dm_server_services',
      'sys.dm_os_volume_stats(5, 1)',
    ])
      assert.deepEqual((await run(user, `SELECT * FROM ${object}`)).errors, [208], object);
    assert.deepEqual((await run(user, 'EXEC sp_readerrorlog')).errors, [2812]);
    assert.deepEqual((await run(user, 'SELECT DISTINCT database_id FROM sys.dm_io_virtual_file_stats(NULL, NULL)')).rows, [[5]]);
  });

  it('asks for the permission of the database, and follows the refusal with 297', async () => {
    const sql = 'SELECT cpu_count FROM sys.dm_os_sys_info';
    assert.deepEqual((await run(azure.login('performance'), sql)).errors, [262, 297]);
    for (const allowed of ['viewer', 'operator', 'performance', 'owner'])
      assert.deepEqual((await run(azure.login(allowed, name), sql)).errors, [], allowed);
    assert.throws(
      () => azure.login('reader', name),
      (error: unknown) => error instanceof SqlError && error.number === 4060,
    );
  });

  it('names databases in counters by what they are called physically', async () => {
    const sql =
      "SELECT DISTINCT RTRIM(instance_name) FROM sys.dm_os_performance_counters WHERE object_name LIKE 'MSSQL$%:Databases%' AND instance_name = (SELECT physical_database_name FROM sys.databases WHERE database_id = DB_ID())";
    assert.match(String(await first(user, sql)), /^[0-9A-F]{8}-/);
  });
});

describe('Amazon RDS, modelled', () => {
  let rds: Platform;
  let admin: Session;
  before(async () => {
    rds = await open('rds');
    admin = rds.login('admin');
  });
  after(() => rds.close());

  it('gives its customer no sysadmin, and what its guide lists', async () => {
    assert.equal(rds.server.administrator.name, 'admin');
    const sql = `SELECT IS_SRVROLEMEMBER('sysadmin'), IS_SRVROLEMEMBER('processadmin'), HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY DATABASE'),
      HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER SETTINGS'), HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY EVENT SESSION'), HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')`;
    assert.deepEqual((await run(admin, sql)).rows, [[0, 1, 0, 0, 1, 1]]);
  });

  it('reads the error log through rdsadmin alone', async () => {
    assert.deepEqual((await run(admin, 'EXEC sp_readerrorlog')).errors, [229]);
    const { rows } = await run(admin, "EXEC rdsadmin.dbo.rds_read_error_log @index = 0, @type = 1, @search_str1 = N'ready for client'");
    assert.ok(rows.length === 1 && String(rows[0]?.[2]).includes('ready for client'));
    assert.deepEqual((await run(admin, 'EXEC rdsadmin.dbo.rds_read_error_log @nothing = 0')).errors, [8145]);
    assert.notEqual(await first(admin, "SELECT OBJECT_ID(N'rdsadmin.dbo.rds_read_error_log', N'P')"), null);
  });

  it('lets the customer change databases of his own, not the one of Amazon', async () => {
    const own = rds.server.databaseName(6) ?? '';
    assert.deepEqual((await run(admin, `ALTER DATABASE ${quote(own)} SET TARGET_RECOVERY_TIME = 90 SECONDS`)).errors, []);
    assert.deepEqual((await run(admin, 'ALTER DATABASE rdsadmin SET TARGET_RECOVERY_TIME = 90 SECONDS')).errors, [5011, 5069]);
    assert.deepEqual((await run(admin, `USE ${quote(own)}; SELECT HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CHECKPOINT')`)).rows, [[1]]);
    const paths = (await run(admin, 'SELECT physical_name FROM sys.master_files')).rows.flat();
    assert.ok(paths.length > 0 && paths.every((path) => String(path).startsWith('D:\\rdsdbdata\\')));
  });
});

describe('other platforms, modelled', () => {
  it('on Linux has paths of Linux', async () => {
    const linux = await open('linux');
    const session = linux.login('dba');
    const sql =
      "SELECT CAST(SERVERPROPERTY('PathSeparator') AS nchar(1)), CAST(SERVERPROPERTY('ErrorLogFileName') AS nvarchar(260)), (SELECT host_platform FROM sys.dm_os_host_info)";
    assert.deepEqual((await run(session, sql)).rows, [['/', '/var/opt/mssql/log/errorlog', 'Linux']]);
    const paths = (await run(session, 'SELECT physical_name FROM sys.master_files')).rows.flat();
    assert.ok(paths.every((path) => /^\/(var\/opt\/mssql\/data|mnt\/mssql-log)\/.+\.(mdf|ldf)$/.test(String(path))));
    const volumes = 'SELECT COUNT(*) FROM sys.master_files AS f CROSS APPLY sys.dm_os_volume_stats(f.database_id, f.file_id) AS v';
    assert.equal(await first(session, volumes), paths.length);
    await linux.close();
  });

  it('in a managed instance uses databases as a server does, and its error log', async () => {
    const instance = await open('managed-instance');
    const session = instance.login('dba');
    assert.deepEqual(
      (await run(session, `USE ${quote(instance.server.databaseName(5) ?? '')}; SELECT SERVERPROPERTY('EngineEdition')`)).errors,
      [],
    );
    assert.equal(await first(session, "SELECT CAST(SERVERPROPERTY('EngineEdition') AS int)"), 8);
    assert.ok((await run(session, 'EXEC sp_readerrorlog')).rows.length > 10);
    assert.deepEqual((await run(instance.login('viewer'), 'EXEC sp_readerrorlog')).errors, [27219]);
    assert.deepEqual(
      (await run(session, "SELECT COUNT(*) FROM sys.databases WHERE recovery_model_desc <> N'FULL' AND database_id > 4")).rows,
      [[0]],
    );
    assert.deepEqual((await run(session, 'EXEC rdsadmin.dbo.rds_read_error_log')).errors, [2812]);
    await instance.close();
  });

  it('answers a column of a later release with 207 and an object of one with 208', async () => {
    const server = createModelledServer({ scenario: 'healthy', databases: 6, release: 2014, rate: 0 });
    const host = await createSessionHost(server);
    const session = host.login({
      user: 'dba',
      password: 'Str0ng!Passw0rd',
      host: '',
      application: '',
      library: '',
      database: '',
      encrypted: true,
    });
    assert.deepEqual((await run(session, 'SELECT is_accelerated_database_recovery_on FROM sys.databases')).errors, [207]);
    assert.deepEqual((await run(session, 'SELECT * FROM sys.dm_db_log_info(5)')).errors, [208]);
    assert.deepEqual((await run(session, 'SELECT * FROM sys.dm_os_host_info')).errors, [208]);
    assert.deepEqual((await run(session, 'SELECT delayed_durability FROM sys.databases WHERE database_id = 1')).rows, [[0]]);
    await host.close();
  });
});

function quote(name: string): string {
  return `[${name.replace(/\]/g, ']]')}]`;
}
