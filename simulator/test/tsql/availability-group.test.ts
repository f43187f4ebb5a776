import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../index';
import { connect, connectAndListen, disconnect, run, type Answered, type ClientSettings } from '../tds/tedious-client';

const password = 'Str0ng!Passw0rd';
const readOnlyIntent: ClientSettings = { options: { readOnlyIntent: true } };

describe('T-SQL on the servers of availability groups', function () {
  this.timeout(30_000);
  let simulator: Simulator;

  beforeEach(async () => (simulator = await startSimulator({ scenario: 'availability-group', rate: 0, tls: 'off' })));
  afterEach(() => simulator.close());

  const portOf = (name: string): number =>
    [...simulator.replicas, ...simulator.listeners].find((each) => each.name === name)?.port ?? assert.fail(name);
  const settingsOf = (more: ClientSettings = {}): ClientSettings => ({ userName: 'dba', password, ...more });
  const answer = async (name: string, sql: string, more?: ClientSettings): Promise<Answered> => {
    const connection = await connect(portOf(name), settingsOf(more));
    try {
      return await run(connection, sql);
    } catch (error) {
      return (error as { answered: Answered }).answered;
    } finally {
      await disconnect(connection);
    }
  };
  const ask = async (name: string, sql: string, more?: ClientSettings): Promise<unknown> => {
    const { errors, sets } = await answer(name, sql, more);
    assert.deepEqual(errors, [], sql);
    return sets[0];
  };
  /** Numbers of the errors of a batch, in order. */
  const refuse = async (name: string, sql: string, more?: ClientSettings): Promise<readonly number[]> =>
    (await answer(name, sql, more)).errors.map(({ number }) => number);
  const refuseLogin = async (name: string, database: string, more: ClientSettings = {}): Promise<readonly number[]> => {
    const { connection, messages } = await connectAndListen(portOf(name), settingsOf({ options: { ...more.options, database } }));
    connection.close();
    return messages.map(({ number }) => number);
  };

  it('tells on each server the role of its own replica only, but on the primary those of all', async () => {
    const sql = `SELECT g.name, s.is_local, s.role_desc, r.replica_server_name
      FROM sys.dm_hadr_availability_replica_states AS s
      INNER JOIN sys.availability_groups AS g ON g.group_id = s.group_id
      INNER JOIN sys.availability_replicas AS r ON r.replica_id = s.replica_id
      WHERE g.is_distributed = 0 AND g.name LIKE N'Sales%' ORDER BY r.replica_server_name;`;
    assert.deepEqual(await ask('SALES-SQL01', sql), [
      ['Sales', true, 'PRIMARY', 'SALES-SQL01'],
      ['Sales', false, 'SECONDARY', 'SALES-SQL02'],
      ['Sales', false, 'SECONDARY', 'SALES-SQL03'],
    ]);
    assert.deepEqual(await ask('SALES-SQL03', sql), [['Sales', true, 'SECONDARY', 'SALES-SQL03']]);
    assert.deepEqual(await ask('SALES-DR01', sql), [
      ['SalesDRSite', true, 'PRIMARY', 'SALES-DR01'],
      ['SalesDRSite', false, 'SECONDARY', 'SALES-DR02'],
    ]);
  });

  it('shows the distributed group where a group has its primary and nowhere else: PRIMARY on the global primary, SECONDARY on the forwarder', async () => {
    const sql = `SELECT s.role_desc FROM sys.dm_hadr_availability_replica_states AS s
      INNER JOIN sys.availability_groups AS g ON g.group_id = s.group_id WHERE g.is_distributed = 1 AND s.is_local = 1;`;
    assert.deepEqual(await ask('SALES-SQL01', sql), [['PRIMARY']]);
    assert.deepEqual(await ask('SALES-DR01', sql), [['SECONDARY']]);
    for (const name of ['SALES-SQL02', 'SALES-SQL03', 'SALES-DR02']) assert.deepEqual(await ask(name, sql), []);
  });

  it('brings a database that is in a distributed group too back twice from the usual join, with the roles that the server has in each', async () => {
    const sql = `SELECT d.name, s.role_desc FROM sys.databases AS d
      INNER JOIN sys.availability_databases_cluster AS c ON c.database_name = d.name
      INNER JOIN sys.dm_hadr_availability_replica_states AS s ON s.group_id = c.group_id AND s.is_local = 1
      WHERE d.name = N'Sales_Orders' ORDER BY s.role_desc;`;
    assert.deepEqual(await ask('SALES-SQL01', sql), [
      ['Sales_Orders', 'PRIMARY'],
      ['Sales_Orders', 'PRIMARY'],
    ]);
    assert.deepEqual(await ask('SALES-DR01', sql), [
      ['Sales_Orders', 'PRIMARY'],
      ['Sales_Orders', 'SECONDARY'],
    ]);
    assert.deepEqual(await ask('SALES-SQL02', sql), [['Sales_Orders', 'SECONDARY']]);
  });

  it('says READ_ONLY of what is not written here: on secondaries and on the forwarder, though sys.databases says is_read_only 0', async () => {
    const sql = `SELECT CONVERT(nvarchar(20), DATABASEPROPERTYEX(N'Sales_Orders', N'Updateability')), is_read_only,
      sys.fn_hadr_is_primary_replica(name), master.sys.fn_hadr_is_primary_replica(N'Tools') FROM sys.databases WHERE name = N'Sales_Orders';`;
    assert.deepEqual(await ask('SALES-SQL01', sql), [['READ_WRITE', false, true, null]]);
    assert.deepEqual(await ask('SALES-SQL02', sql), [['READ_ONLY', false, false, null]]);
    assert.deepEqual(await ask('SALES-DR01', sql), [['READ_ONLY', false, true, null]]);
    const preferred = `SELECT sys.fn_hadr_backup_is_preferred_replica(N'Sales_Orders'), sys.fn_hadr_backup_is_preferred_replica(N'Tools');`;
    assert.deepEqual(await ask('SALES-SQL01', preferred), [[false, true]]);
    assert.deepEqual(await ask('SALES-SQL02', preferred), [[true, true]]);
  });

  it('lets nobody into a secondary that takes no connections (976), and only ApplicationIntent=ReadOnly into one for readers (978)', async () => {
    assert.deepEqual(await refuse('SALES-SQL03', 'USE [Sales_Orders];', readOnlyIntent), [976]);
    assert.deepEqual(await refuse('SALES-SQL02', 'USE [Sales_Orders];'), [978]);
    assert.deepEqual(await refuse('SALES-SQL02', 'USE [Sales_Orders];', readOnlyIntent), []);
    assert.deepEqual(await refuse('SALES-SQL03', 'USE [Sales_Import];'), [927], 'not joined: it is being restored');
    assert.deepEqual((await refuseLogin('SALES-SQL03', 'Sales_Orders')).slice(0, 1), [976]);
    assert.deepEqual((await refuseLogin('SALES-SQL02', 'Sales_Orders')).slice(0, 1), [978]);
    assert.deepEqual(await refuseLogin('SALES-SQL02', 'Sales_Orders', readOnlyIntent), []);
    assert.deepEqual(await refuse('SALES-SQL03', 'SELECT * FROM [Sales_Orders].sys.databases;'), [976]);
    assert.deepEqual(await ask('SALES-SQL03', "SELECT HAS_DBACCESS(N'Sales_Orders'), HAS_DBACCESS(N'Tools');"), [[0, 1]]);
  });

  it('refuses another target recovery time everywhere but on the primary, which hands it on to every copy', async () => {
    const sql = 'ALTER DATABASE [Sales_Orders] SET TARGET_RECOVERY_TIME = 90 SECONDS;';
    assert.deepEqual(await refuse('SALES-SQL02', sql), [978, 5069]);
    assert.deepEqual(await refuse('SALES-SQL02', sql, readOnlyIntent), [3906, 5069]);
    assert.deepEqual(await refuse('SALES-SQL03', sql), [976, 5069]);
    assert.deepEqual(await refuse('SALES-DR01', sql), [3906, 5069]);
    assert.deepEqual(await refuse('SALES-SQL01', sql), []);
    const seen = async (name: string): Promise<unknown> =>
      ask(name, "SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = N'Sales_Orders';");
    assert.deepEqual(await seen('SALES-SQL03'), [[0]], 'it has not come there yet');
    simulator.server.advance(10_000);
    for (const { name } of simulator.replicas) assert.deepEqual(await seen(name), [[90]], name);
  });

  it('takes a new target recovery time where data movement was suspended when it is resumed', async () => {
    assert.deepEqual(await refuse('SALES-SQL01', 'ALTER DATABASE [Sales_Archive] SET TARGET_RECOVERY_TIME = 60 SECONDS;'), []);
    simulator.server.advance(60_000);
    const seen = "SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = N'Sales_Archive';";
    assert.deepEqual(await ask('SALES-SQL03', seen), [[0]]);
    assert.deepEqual(await refuse('SALES-SQL03', 'ALTER DATABASE [Sales_Archive] SET HADR RESUME;'), []);
    assert.deepEqual(await ask('SALES-SQL03', seen), [[60]]);
    assert.deepEqual(await refuse('SALES-SQL03', 'ALTER DATABASE [Tools] SET HADR SUSPEND;'), [35_242, 5069]);
  });

  it('fails over on command, which waits until this server has the primary; meanwhile 983, and whoever was in the databases is cut off', async () => {
    const inside = await connect(portOf('SALES-SQL01'), settingsOf({ options: { database: 'Sales_Orders' } }));
    const elsewhere = await connect(portOf('SALES-SQL01'), settingsOf());
    const target = await connect(portOf('SALES-SQL02'), settingsOf());
    const failing = run(target, 'ALTER AVAILABILITY GROUP [Sales] FAILOVER; SELECT n = 1;');
    await new Promise((resolve) => setTimeout(resolve, 100));
    simulator.server.advance(500);
    assert.deepEqual(await refuse('SALES-SQL01', 'USE [Sales_Orders];'), [983]);
    assert.deepEqual(await refuse('SALES-SQL02', 'USE [Sales_Orders];'), [983]);
    assert.deepEqual(await refuse('SALES-SQL01', 'ALTER DATABASE [Sales_Orders] SET TARGET_RECOVERY_TIME = 60 SECONDS;'), [983, 5069]);
    const cut = await run(inside, 'SELECT 1;').catch((error: { answered: Answered }) => error.answered);
    assert.deepEqual(
      cut.errors.map(({ number, class: severity }) => [number, severity]),
      [[596, 21]],
    );
    assert.deepEqual((await run(elsewhere, 'SELECT 1;')).sets, [[[1]]]);
    simulator.server.advance(2_000);
    assert.deepEqual((await failing).sets, [[[1]]]);
    assert.deepEqual(simulator.replicas[1]?.roles, { Sales: 'PRIMARY', Apps: 'PRIMARY' });
    assert.deepEqual(await refuse('SALES-SQL02', 'USE [Sales_Orders];'), [], 'it is open here now');
    simulator.server.advance(2_000);
    assert.deepEqual(simulator.replicas[0].roles, { Sales: 'SECONDARY', Apps: 'SECONDARY' });
    await Promise.all([elsewhere, target].map(disconnect));
    inside.close();
  });

  it('refuses a failover that cannot be, with the numbers of SQL Server', async () => {
    assert.deepEqual(await refuse('SALES-SQL01', 'ALTER AVAILABILITY GROUP [Sales] FAILOVER;'), [41_122]);
    assert.deepEqual(await refuse('SALES-SQL03', 'ALTER AVAILABILITY GROUP [Sales] FAILOVER;'), [41_142]);
    assert.deepEqual(await refuse('SALES-SQL01', 'ALTER AVAILABILITY GROUP [no such] FAILOVER;'), [15_151]);
    assert.deepEqual(await refuse('SALES-SQL02', 'ALTER AVAILABILITY GROUP [Sales] FAILOVER;', { userName: 'reader' }), [15_151]);
    assert.deepEqual(await refuse('SALES-SQL02', 'BEGIN TRANSACTION; ALTER AVAILABILITY GROUP [Sales] FAILOVER;'), [574]);
    assert.deepEqual(await refuse('SALES-DR01', 'ALTER AVAILABILITY GROUP [SalesDR] FORCE_FAILOVER_ALLOW_DATA_LOSS;'), [50_000]);
    assert.deepEqual(await refuse('SALES-SQL01', 'ALTER AVAILABILITY GROUP [Sales] OFFLINE;'), [50_000]);
    assert.deepEqual(await refuse('SALES-SQL01', 'ALTER AVAILABILITY GROUP [Sales] SIDEWAYS;'), [102]);
    simulator.failover('Sales', 'SALES-SQL02');
    assert.deepEqual(await refuse('SALES-SQL02', 'ALTER AVAILABILITY GROUP [Sales] FAILOVER;'), [41_113]);
  });

  it('shows through the listener of a contained group its own master and msdb, tempdb and its databases, wherever the primary is', async () => {
    const list = 'SELECT name FROM sys.databases ORDER BY name;';
    const contained = [['Apps_Jobs'], ['Apps_Web'], ['master'], ['msdb'], ['tempdb']];
    assert.deepEqual(await ask('apps', list), contained);
    assert.deepEqual(await ask('apps', "SELECT DB_ID(N'master'), DB_NAME(1), COUNT(*) FROM msdb.dbo.backupset;"), [[1, 'master', 0]]);
    const where = "SELECT CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName'));";
    assert.deepEqual(await ask('apps', where), [['SALES-SQL02']]);
    assert.deepEqual(await refuse('apps', 'USE [Tools];'), [], 'other databases are there by name');
    const seen = (await ask('SALES-SQL02', list)) as readonly (readonly string[])[];
    assert.ok(seen.some(([name]) => name === 'Apps_master') && seen.some(([name]) => name === 'Tools'));
    simulator.server.advance(simulator.failover('Apps', 'SALES-SQL01') + 1);
    assert.deepEqual(await ask('apps', list), contained);
    assert.deepEqual(await ask('apps', where), [['SALES-SQL01']]);
    assert.deepEqual(await ask('sales', where), [['SALES-SQL01']]);
    const known = await connectAndListen(portOf('apps'), settingsOf({ userName: 'viewer' }));
    known.connection.close();
    assert.deepEqual(
      known.messages.map(({ number }) => number),
      [18_456],
      'of the logins only those of sysadmin are there',
    );
  });

  it('gives every view of availability groups whole to a client, on every server', async () => {
    simulator.server.advance(60_000);
    simulator.failover('Sales', 'SALES-SQL02');
    simulator.server.advance(500);
    const views = (await ask(
      'SALES-SQL01',
      "SELECT name FROM sys.all_objects WHERE name LIKE N'%availability%' OR name LIKE N'dm[_]hadr%';",
    )) as string[][];
    assert.ok(views.length >= 15);
    const sql = views.map(([view]) => `SELECT * FROM sys.${view};`).join('\n');
    for (const { name } of simulator.replicas) assert.equal((await answer(name, sql)).errors.length, 0, name);
  });

  it('has no contained group before 2022 and no distributed one before 2016, and the columns of the release', async () => {
    await simulator.close();
    simulator = await startSimulator({ scenario: 'availability-group', release: 2012, rate: 0, tls: 'off' });
    assert.deepEqual(
      [...simulator.replicas, ...simulator.listeners].map(({ name }) => name),
      ['SALES-SQL01', 'SALES-SQL02', 'SALES-SQL03', 'sales'],
    );
    assert.deepEqual(await ask('SALES-SQL01', 'SELECT name FROM sys.availability_groups;'), [['Sales']]);
    assert.deepEqual(await refuse('SALES-SQL01', 'SELECT is_distributed FROM sys.availability_groups;'), [207]);
    await simulator.close();
    simulator = await startSimulator({ scenario: 'availability-group', release: 2019, rate: 0, tls: 'off' });
    assert.deepEqual(await ask('SALES-SQL01', 'SELECT name FROM sys.availability_groups ORDER BY name;'), [['Sales'], ['SalesDR']]);
    assert.deepEqual(await refuse('SALES-SQL01', 'SELECT is_contained FROM sys.availability_groups;'), [207]);
    assert.deepEqual(await refuse('SALES-SQL01', 'SELECT is_internal FROM sys.dm_hadr_database_replica_states;'), [207]);
    await simulator.close();
    simulator = await startSimulator({ scenario: 'availability-group', release: 2025, rate: 0, tls: 'off' });
    assert.deepEqual(await ask('SALES-SQL01', "SELECT cluster_connection_options FROM sys.availability_groups WHERE name = N'Sales';"), [
      [null],
    ]);
    assert.deepEqual(await ask('SALES-SQL01', 'SELECT DISTINCT is_internal FROM sys.dm_hadr_database_replica_states;'), [[false]]);
  });
});
