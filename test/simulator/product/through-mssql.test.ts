import assert from 'node:assert/strict';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { answersAt } from '../../../src/hosts/sql-tools-service';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { NOT_CONNECTED, simpleExecute, type Service } from '../../azdata/provider/simple-execute';
import { createFakeMssql, type FakeMssql } from '../../hosts/mssql/fake';
import { assertWholeCapture } from './captured';
import { gatherThrough, reach, watch, watchThrough } from './watched-server';

/** What a user may have set for the queries of the SQL Server extension, each of it in the way. */
const hostile: Service = {
  display: { decimalMark: ',', bits: 'True', maxChars: 65_535 },
  userSettings: 'SET LOCK_TIMEOUT -1; SET ROWCOUNT 3; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET IMPLICIT_TRANSACTIONS ON;',
};

describe('The product through the SQL Server extension', function () {
  this.timeout(60_000);
  let simulator: Simulator;
  let monitor: ServerMonitor;
  let fake: FakeMssql;
  /** The database that the connection was saved with. */
  let database: string | undefined;

  beforeEach(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases: 30 });
    const { port, administrator } = simulator;
    const login = { server: `localhost,${port}`, ...administrator, trustServerCertificate: true };
    database = undefined;
    fake = createFakeMssql('commands');
    fake.does['executeSimpleQuery'] = (_uri, text) => simpleExecute({ options: { ...login, database } }, String(text), hostile);
    monitor = watchThrough(createMssqlHost(fake.world).access({ id: 'mssql:one', name: 'PROD', server: 'sql07', user: 'dba' }));
  });

  afterEach(async () => {
    await monitor.dispose();
    await simulator.close();
  });

  for (const context of ['master', 'a user database'])
    it(`reads the very facts that our own driver reads, past the user's own settings, in the context of ${context}`, async () => {
      const direct = watch(simulator);
      await direct.refresh();
      const { facts } = direct.snapshot;
      await direct.dispose();
      assert.ok(facts !== null && facts.databases.length >= 30);
      if (context !== 'master')
        database = facts.databases.find(({ databaseId, targetSeconds }) => databaseId > 4 && targetSeconds === 0)?.name;
      await monitor.refresh();
      assert.deepEqual(monitor.snapshot.facts, facts);
      assert.equal(monitor.snapshot.failure, null);
    });

  it('hears from a server that is there without a login', async () => {
    assert.equal(await answersAt(`localhost,${simulator.port}`), true);
    assert.equal(simulator.server.ledger.logins.length, 0);
  });

  it('gathers the very evidence about error log and backups that our own driver gathers', async () => {
    const ours = await gatherThrough(reach(simulator));
    assert.ok(ours.errorLog.tables.some(({ rows }) => rows.length > 0));
    assert.deepEqual(
      await gatherThrough(createMssqlHost(fake.world).access({ id: 'mssql:one', name: 'PROD', server: 'sql07', user: 'dba' })),
      ours,
    );
  });

  it('captures exactly what the server did, also when mssql shares nothing for a while', async () => {
    await monitor.startTracking(null);
    simulator.server.advance(5 * 60_000);
    await monitor.refresh();
    const { executeSimpleQuery } = fake.does;
    fake.does['executeSimpleQuery'] = () => Promise.reject(new Error('command not found'));
    fake.way = 'neither';
    await monitor.refresh().catch(() => undefined);
    assert.match(
      monitor.snapshot.failure ?? '',
      /does not share its connections with other extensions\. With Add Server you can connect without it\.$/,
    );
    assert.ok(monitor.capture !== null);
    simulator.server.advance(5 * 60_000);
    fake.does['executeSimpleQuery'] = executeSimpleQuery!;
    fake.way = 'exports';
    await monitor.stopTracking();
    assertWholeCapture(monitor, simulator);
  });
});

describe('The stand-in for query/simpleexecute', () => {
  let simulator: Simulator;
  const plain = { decimalMark: '.', bits: '1', maxChars: 65_535 } as const;
  const toInfo = (password = simulator.administrator.password): Parameters<typeof simpleExecute>[0] => {
    const { port, administrator } = simulator;
    return { options: { server: `localhost,${port}`, user: administrator.user, password, trustServerCertificate: true } };
  };
  const ask = async (text: string, service: Service = {}): Promise<readonly (readonly string[])[]> => {
    const { rows } = await simpleExecute(toInfo(), text, { display: plain, ...service });
    return rows.map((row) => row.map(({ displayValue, isNull }) => (isNull ? 'null' : displayValue)));
  };

  before(async () => (simulator = await startSimulator({ scenario: 'healthy', rate: 0, tls: 'required' })));
  after(() => simulator.close());

  it('gives the first result set of the first batch as display text', async () => {
    const text =
      "SELECT CONVERT(bit, 1), CONVERT(float, 1.5), NULL, CONVERT(datetime2(3), '2026-01-02T03:04:05.678'), CONVERT(varbinary(2), 0x0AFF);\nSELECT 2;\nGO\nSELECT 3;";
    assert.deepEqual(await ask(text), [['1', '1.5', 'null', '2026-01-02 03:04:05.678', '0x0AFF']]);
    assert.deepEqual((await ask(text, { display: { ...plain, bits: 'True', decimalMark: ',' } }))[0]?.slice(0, 2), ['True', '1,5']);
  });

  it('shows every digit of a decimal and of a time', async () => {
    const text =
      "SELECT CONVERT(decimal(9, 2), 1.5), CONVERT(datetime2(7), '2026-01-02T03:04:05.1234567'), CONVERT(datetime2(0), '2026-01-02T03:04:05');";
    assert.deepEqual(await ask(text), [['1.50', '2026-01-02 03:04:05.1234567', '2026-01-02 03:04:05']]);
  });

  it('calls a column without a name so, and numbers the rows', async () => {
    const { columnInfo, rows } = await simpleExecute(toInfo(), "SELECT 1, 'x' AS named;");
    assert.deepEqual(
      columnInfo.map(({ columnName }) => columnName),
      ['(No column name)', 'named'],
    );
    assert.deepEqual(Object.keys(rows[0]?.[0] ?? {}).sort(), ['displayValue', 'invariantCultureDisplayValue', 'isNull', 'rowId']);
  });

  it("lets the user's settings leak in, and cuts cells", async () => {
    assert.equal((await ask('SELECT name FROM sys.databases;', { userSettings: 'SET ROWCOUNT 2;' })).length, 2);
    assert.equal((await ask("SELECT REPLICATE(CONVERT(varchar(max), 'x'), 70000);"))[0]?.[0]?.length, 65_535);
  });

  it('has a session of its own for each call', async () => {
    await assert.rejects(ask('SET LOCK_TIMEOUT 1234;'), /no results/);
    assert.deepEqual(await ask('SELECT @@LOCK_TIMEOUT;'), [['-1']]);
  });

  it('hides the error of SQL Server, with a number for a code, and gives what came before it', async () => {
    await assert.rejects(ask('SELECT 1 FROM nowhere;'), { message: 'Query has no results to return', code: 0, data: undefined });
    assert.deepEqual(await ask("SELECT 1; RAISERROR(N'late', 16, 1);"), [['1']]);
  });

  it('tells an error where it is newer, also behind rows, and takes a batch without rows', async () => {
    await assert.rejects(ask("SELECT 1; RAISERROR(N'late', 16, 1);", { isNewer: true }), { message: 'late', code: 0 });
    const answer = await simpleExecute(toInfo(), "PRINT N'told';", { isNewer: true });
    assert.deepEqual([answer.columnInfo, answer.rows, answer.messages?.[0]?.message], [[], [], 'told']);
  });

  it('logs in twice for a query, and once where it is refused, and says then that it is not connected', async () => {
    const count = (): number => simulator.server.ledger.logins.length;
    const before = count();
    await ask('SELECT 1;');
    assert.equal(count() - before, 2);
    await assert.rejects(simpleExecute(toInfo('wrong'), 'SELECT 1;'), { message: NOT_CONNECTED, code: 0 });
    assert.equal(count() - before, 3);
  });
});
