import assert from 'node:assert/strict';
import { connectModelled, numbersOf, type Client, type ModelledConnection } from './client';

const quote = (name: string): string => `[${name.replace(/\]/g, ']]')}]`;
const errorsOf = async (client: Client, sql: string): Promise<readonly number[]> =>
  numbersOf(await client.run(sql));

describe('Azure SQL Database, modelled', () => {
  let azure: ModelledConnection;
  let master: Client;
  let user: Client;
  let name: string;
  before(async () => {
    azure = await connectModelled({ scenario: 'azure-sql-database' });
    name = azure.server.databaseName(5) ?? '';
    master = azure.as('dba');
    user = azure.as('dba', name);
  });
  after(() => azure.close());

  it('is edition 5 and says 12.0.2000.8, whatever it is built from', async () => {
    const sql =
      "SELECT CAST(SERVERPROPERTY('EngineEdition') AS int), CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(20)), CAST(SERVERPROPERTY('Edition') AS nvarchar(20))";
    assert.deepEqual(await user.rows(sql), [[5, '12.0.2000.8', 'SQL Azure']]);
    assert.match(String(await user.value('@@VERSION')), /^Microsoft SQL Azure \(RTM\) - 12\.0\.2000\.8 \n\t/);
  });

  it('lets no session leave its database, by USE or by name', async () => {
    const other = azure.server.databaseName(7) ?? '';
    assert.deepEqual(await errorsOf(user, `USE ${quote(other)}`), [40508]);
    assert.deepEqual(await user.rows(`USE ${quote(name)}; SELECT DB_NAME()`), [[name]]);
    for (const database of [other, 'master', 'nowhere'])
      assert.deepEqual(
        await errorsOf(user, `SELECT name FROM ${quote(database)}.sys.databases`),
        [40515],
        database,
      );
    assert.equal((await user.rows(`SELECT name FROM ${quote(name)}.sys.databases`)).length, 2);
  });

  it('shows every database in master, elsewhere master and itself, and never tempdb', async () => {
    const names = async (session: Client) =>
      (await session.rows('SELECT name FROM sys.databases ORDER BY database_id')).flat();
    assert.deepEqual(await names(user), ['master', name]);
    const all = await names(master);
    assert.ok(all.length > 5 && !all.includes('tempdb') && !all.includes('msdb'));
  });

  it('has neither the files of a server nor its error log', async () => {
    for (const object of ['master_files', 'dm_os_volume_stats(5, 1)'])
      assert.deepEqual(await errorsOf(user, `SELECT * FROM sys.${object}`), [208], object);
    assert.deepEqual(await errorsOf(user, 'EXEC sp_readerrorlog'), [2812]);
    assert.deepEqual(
      await user.rows('SELECT DISTINCT database_id FROM sys.dm_io_virtual_file_stats(NULL, NULL)'),
      [[5]],
    );
  });

  it('asks for the permission of the database, and follows the refusal with 297', async () => {
    const sql = 'SELECT ms_ticks FROM sys.dm_os_sys_info';
    assert.deepEqual(await errorsOf(azure.as('performance'), sql), [262, 297]);
    for (const allowed of ['viewer', 'operator', 'performance', 'owner'])
      assert.deepEqual(await errorsOf(azure.as(allowed, name), sql), [], allowed);
    assert.throws(() => azure.as('reader', name), { number: 4060 });
  });

  it('names databases in counters by what they are called physically', async () => {
    const sql =
      "SELECT DISTINCT RTRIM(instance_name) FROM sys.dm_os_performance_counters WHERE object_name LIKE 'MSSQL$%:Databases%' AND instance_name = (SELECT physical_database_name FROM sys.databases WHERE database_id = DB_ID())";
    assert.match(String((await user.rows(sql))[0]?.[0]), /^[0-9A-F]{8}-/);
  });
});

describe('Amazon RDS, modelled', () => {
  let rds: ModelledConnection;
  let admin: Client;
  before(async () => {
    rds = await connectModelled({ scenario: 'rds' });
    admin = rds.as('admin');
  });
  after(() => rds.close());

  it('gives its customer no sysadmin, and what its guide lists', async () => {
    assert.equal(rds.server.administrator.name, 'admin');
    const sql = `SELECT IS_SRVROLEMEMBER('sysadmin'), IS_SRVROLEMEMBER('processadmin'), HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY DATABASE'),
      HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER SETTINGS'), HAS_PERMS_BY_NAME(NULL, NULL, 'ALTER ANY EVENT SESSION'), HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')`;
    assert.deepEqual(await admin.rows(sql), [[0, 1, 0, 0, 1, 1]]);
  });

  it('reads the error log through rdsadmin alone', async () => {
    assert.deepEqual(await errorsOf(admin, 'EXEC sp_readerrorlog'), [229]);
    const rows = await admin.rows(
      "EXEC rdsadmin.dbo.rds_read_error_log @index = 0, @type = 1, @search_str1 = N'ready for client'",
    );
    assert.ok(rows.length === 1 && String(rows[0]?.[2]).includes('ready for client'));
    assert.deepEqual(await errorsOf(admin, 'EXEC rdsadmin.dbo.rds_read_error_log @nothing = 0'), [8145]);
    assert.notEqual(await admin.value("OBJECT_ID(N'rdsadmin.dbo.rds_read_error_log', N'P')"), null);
  });

  it('lets the customer change databases of his own, not the one of Amazon', async () => {
    const own = rds.server.databaseName(6) ?? '';
    assert.deepEqual(
      await errorsOf(admin, `ALTER DATABASE ${quote(own)} SET TARGET_RECOVERY_TIME = 90 SECONDS`),
      [],
    );
    assert.deepEqual(
      await errorsOf(admin, 'ALTER DATABASE rdsadmin SET TARGET_RECOVERY_TIME = 90 SECONDS'),
      [5011, 5069],
    );
    assert.deepEqual(
      await admin.rows(`USE ${quote(own)}; SELECT HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CHECKPOINT')`),
      [[1]],
    );
  });
});

describe('other platforms, modelled', () => {
  it('on Linux has paths of Linux', async () => {
    const linux = await connectModelled({ scenario: 'linux' });
    const session = linux.as('dba');
    const sql =
      "SELECT CAST(SERVERPROPERTY('PathSeparator') AS nchar(1)), CAST(SERVERPROPERTY('ErrorLogFileName') AS nvarchar(260))";
    assert.deepEqual(await session.rows(sql), [['/', '/var/opt/mssql/log/errorlog']]);
    const volumes =
      'SELECT DISTINCT v.volume_mount_point FROM sys.master_files AS f CROSS APPLY sys.dm_os_volume_stats(f.database_id, f.file_id) AS v';
    assert.deepEqual((await session.rows(`${volumes} ORDER BY 1`)).flat(), [
      '/mnt/mssql-log',
      '/var/opt/mssql/data',
    ]);
    await linux.close();
  });

  it('in a managed instance uses databases as a server does, and its error log', async () => {
    const instance = await connectModelled({ scenario: 'managed-instance' });
    const session = instance.as('dba');
    const own = instance.server.databaseName(5) ?? '';
    assert.deepEqual(
      await session.rows(`USE ${quote(own)}; SELECT CAST(SERVERPROPERTY('EngineEdition') AS int)`),
      [[8]],
    );
    assert.ok((await session.rows('EXEC sp_readerrorlog')).length > 10);
    assert.deepEqual(await errorsOf(instance.as('viewer'), 'EXEC sp_readerrorlog'), [27219]);
    assert.equal(
      await session.value(
        "COUNT(*) FROM sys.databases WHERE recovery_model_desc <> N'FULL' AND database_id > 4",
      ),
      0,
    );
    assert.deepEqual(await errorsOf(session, 'EXEC rdsadmin.dbo.rds_read_error_log'), [2812]);
    await instance.close();
  });
});
