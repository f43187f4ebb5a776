import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../index';
import type { Release } from '../../scenarios/releases';
import {
  connect,
  connectAndListen,
  disconnect,
  run,
  type Answered,
  type ClientSettings,
} from '../tds/tedious-client';

const password = 'Str0ng!Passw0rd';
const readOnlyIntent: ClientSettings = { options: { readOnlyIntent: true } };
const ALTER = 'ALTER DATABASE [Sales_Orders] SET TARGET_RECOVERY_TIME = 90 SECONDS;';

/** Of the groups that a server has, its replicas, as that server has them. */
const ROLES = `SELECT g.name, s.is_local, s.role_desc, r.replica_server_name
  FROM sys.dm_hadr_availability_replica_states AS s
  INNER JOIN sys.availability_groups AS g ON g.group_id = s.group_id
  INNER JOIN sys.availability_replicas AS r ON r.replica_id = s.replica_id
  WHERE g.is_distributed = 0 AND g.name LIKE N'Sales%' ORDER BY r.replica_server_name;`;
const DISTRIBUTED = `SELECT s.role_desc FROM sys.dm_hadr_availability_replica_states AS s
  INNER JOIN sys.availability_groups AS g ON g.group_id = s.group_id WHERE g.is_distributed = 1 AND s.is_local = 1;`;
const WRITTEN = `SELECT CONVERT(nvarchar(20), DATABASEPROPERTYEX(N'Sales_Orders', N'Updateability')), is_read_only FROM sys.databases WHERE name = N'Sales_Orders';`;

/** [server, query, rows as JSON] */
const ANSWERS: readonly (readonly [string, string, string])[] = [
  [
    'SALES-SQL01',
    ROLES,
    '[["Sales",true,"PRIMARY","SALES-SQL01"],["Sales",false,"SECONDARY","SALES-SQL02"],["Sales",false,"SECONDARY","SALES-SQL03"]]',
  ],
  ['SALES-SQL03', ROLES, '[["Sales",true,"SECONDARY","SALES-SQL03"]]'],
  [
    'SALES-DR01',
    ROLES,
    '[["SalesDRSite",true,"PRIMARY","SALES-DR01"],["SalesDRSite",false,"SECONDARY","SALES-DR02"]]',
  ],
  ['SALES-SQL01', DISTRIBUTED, '[["PRIMARY"]]'],
  ['SALES-DR01', DISTRIBUTED, '[["SECONDARY"]]'],
  ['SALES-SQL02', DISTRIBUTED, '[]'],
  ['SALES-DR02', DISTRIBUTED, '[]'],
  ['SALES-SQL01', WRITTEN, '[["READ_WRITE",false]]'],
  ['SALES-SQL02', WRITTEN, '[["READ_ONLY",false]]'],
  ['SALES-DR01', WRITTEN, '[["READ_ONLY",false]]'],
  ['SALES-SQL03', "SELECT HAS_DBACCESS(N'Sales_Orders'), HAS_DBACCESS(N'Tools');", '[[0,1]]'],
];

/** [server, batch, numbers of the errors, what else the client asks for] */
const REFUSALS: readonly (readonly [string, string, readonly number[], ClientSettings?])[] = [
  ['SALES-SQL03', 'USE [Sales_Orders];', [976], readOnlyIntent],
  ['SALES-SQL02', 'USE [Sales_Orders];', [978]],
  ['SALES-SQL02', 'USE [Sales_Orders];', [], readOnlyIntent],
  // Not joined: it is being restored.
  ['SALES-SQL03', 'USE [Sales_Import];', [927]],
  ['SALES-SQL03', 'SELECT * FROM [Sales_Orders].sys.databases;', [976]],
  ['SALES-SQL02', ALTER, [978, 5069]],
  ['SALES-SQL02', ALTER, [3906, 5069], readOnlyIntent],
  ['SALES-SQL03', ALTER, [976, 5069]],
  ['SALES-DR01', ALTER, [3906, 5069]],
  ['SALES-SQL03', 'ALTER DATABASE [Tools] SET HADR SUSPEND;', [50_000]],
  ['SALES-SQL01', 'ALTER AVAILABILITY GROUP [Sales] FAILOVER;', [50_000]],
];

describe('T-SQL on the servers of availability groups', () => {
  let simulator: Simulator;

  const start = async (release?: Release): Promise<void> => {
    simulator = await startSimulator({
      scenario: 'availability-group',
      rate: 0,
      tls: 'off',
      ...(release && { release }),
    });
  };
  const portOf = (name: string): number =>
    [...simulator.replicas, ...simulator.listeners].find((each) => each.name === name)?.port ??
    assert.fail(name);
  const settingsOf = (more: ClientSettings = {}): ClientSettings => ({ userName: 'dba', password, ...more });
  const answer = async (name: string, sql: string, more?: ClientSettings): Promise<Answered> => {
    const connection = await connect(portOf(name), settingsOf(more));
    const answered = await run(connection, sql).catch((error: { answered: Answered }) => error.answered);
    await disconnect(connection);
    return answered;
  };
  const ask = async (name: string, sql: string): Promise<unknown> => {
    const { errors, sets } = await answer(name, sql);
    assert.deepEqual(errors, [], sql);
    return sets[0];
  };
  const refuse = async (name: string, sql: string, more?: ClientSettings): Promise<readonly number[]> =>
    (await answer(name, sql, more)).errors.map(({ number }) => number);
  const refuseLogin = async (name: string, more: ClientSettings): Promise<number | undefined> => {
    const { connection, messages } = await connectAndListen(portOf(name), settingsOf(more));
    connection.close();
    return messages[0]?.number;
  };

  describe('that stand still', () => {
    before(() => start());
    after(() => simulator.close());

    for (const [name, sql, rows] of ANSWERS)
      it(`answers on ${name}: ${sql.slice(0, 60)} ... ${rows}`, async () =>
        assert.equal(JSON.stringify(await ask(name, sql)), rows));

    for (const [name, sql, numbers, more] of REFUSALS)
      it(`answers ${numbers.join() || 'no error'} on ${name}${more ? ` to ${JSON.stringify(more)}` : ''}: ${sql}`, async () =>
        assert.deepEqual(await refuse(name, sql, more), numbers));

    it('lets a login into a secondary as its replica says, and by ApplicationIntent', async () => {
      const options = { database: 'Sales_Orders' };
      assert.equal(await refuseLogin('SALES-SQL03', { options }), 976);
      assert.equal(await refuseLogin('SALES-SQL02', { options }), 978);
      assert.equal(
        await refuseLogin('SALES-SQL02', { options: { ...options, readOnlyIntent: true } }),
        undefined,
      );
    });
  });

  describe('at work', () => {
    beforeEach(() => start());
    afterEach(() => simulator.close());
    const target = (name: string, database: string): Promise<unknown> =>
      ask(name, `SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = N'${database}';`);

    it('hands a new target recovery time on to every copy', async () => {
      assert.deepEqual(await refuse('SALES-SQL01', ALTER), []);
      assert.deepEqual(await target('SALES-SQL03', 'Sales_Orders'), [[0]], 'it has not come there yet');
      simulator.server.advance(10_000);
      for (const { name } of simulator.replicas)
        assert.deepEqual(await target(name, 'Sales_Orders'), [[90]], name);
    });

    it('is without a primary during a failover: 983 there, and whoever was in the databases is cut off', async () => {
      const inside = await connect(
        portOf('SALES-SQL01'),
        settingsOf({ options: { database: 'Sales_Orders' } }),
      );
      const elsewhere = await connect(portOf('SALES-SQL01'), settingsOf());
      const inMs = simulator.failover('Sales', 'SALES-SQL02');
      for (const name of ['SALES-SQL01', 'SALES-SQL02'])
        assert.deepEqual(await refuse(name, 'USE [Sales_Orders];'), [983]);
      assert.throws(() => simulator.failover('Sales', 'SALES-SQL02'), { number: 41_113 });
      assert.deepEqual(await refuse('SALES-SQL01', ALTER), [983, 5069]);
      const cut = await run(inside, 'SELECT 1;').catch((error: { answered: Answered }) => error.answered);
      assert.deepEqual([cut.errors[0]?.number, cut.errors[0]?.class], [596, 21]);
      assert.deepEqual((await run(elsewhere, 'SELECT 1;')).sets, [[[1]]]);
      simulator.server.advance(inMs);
      assert.deepEqual(simulator.replicas[1]?.roles, { Sales: 'PRIMARY', Apps: 'PRIMARY' });
      assert.deepEqual(await refuse('SALES-SQL02', 'USE [Sales_Orders];'), [], 'it is open here now');
      simulator.server.advance(2_000);
      assert.deepEqual(simulator.replicas[0].roles, { Sales: 'SECONDARY', Apps: 'SECONDARY' });
      assert.throws(() => simulator.failover('Sales', 'SALES-SQL02'), { number: 41_122 });
      assert.throws(() => simulator.failover('Sales', 'SALES-SQL03'), { number: 41_142 });
      await disconnect(elsewhere);
      inside.close();
    });

    it('shows through the listener of a contained group its own master and msdb, tempdb and its databases, wherever the primary is', async () => {
      const list = 'SELECT name FROM sys.databases ORDER BY name;';
      const contained = [['Apps_Jobs'], ['Apps_Web'], ['master'], ['msdb'], ['tempdb']];
      const where = "SELECT CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName'));";
      assert.deepEqual(await ask('apps', list), contained);
      assert.deepEqual(
        await ask('apps', "SELECT DB_ID(N'master'), DB_NAME(1), COUNT(*) FROM msdb.dbo.backupset;"),
        [[1, 'master', 0]],
      );
      assert.deepEqual(await ask('apps', where), [['SALES-SQL02']]);
      assert.deepEqual(await refuse('apps', 'USE [Tools];'), [], 'other databases are there by name');
      const seen = (await ask('SALES-SQL02', list)) as readonly (readonly string[])[];
      assert.ok(seen.some(([name]) => name === 'Apps_master') && seen.some(([name]) => name === 'Tools'));
      simulator.server.advance(simulator.failover('Apps', 'SALES-SQL01') + 1);
      assert.deepEqual(await ask('apps', list), contained);
      assert.deepEqual(
        [await ask('apps', where), await ask('sales', where)],
        [[['SALES-SQL01']], [['SALES-SQL01']]],
      );
      assert.equal(
        await refuseLogin('apps', { userName: 'viewer' }),
        18_456,
        'of the logins only those of sysadmin are there',
      );
    });
  });

  for (const [release, groups, refused] of [
    [2012, '[["Sales"]]', [207]],
    [2019, '[["Sales"],["SalesDR"]]', []],
    [2025, '[["Apps"],["Sales"],["SalesDR"]]', []],
  ] as const)
    it(`has the groups and columns of ${release}`, async () => {
      await start(release);
      assert.equal(
        JSON.stringify(await ask('SALES-SQL01', 'SELECT name FROM sys.availability_groups ORDER BY name;')),
        groups,
      );
      assert.deepEqual(
        await refuse('SALES-SQL01', 'SELECT is_distributed FROM sys.availability_groups;'),
        refused,
      );
      await simulator.close();
    });
});
