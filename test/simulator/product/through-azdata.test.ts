import assert from 'node:assert/strict';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { assertWholeCapture } from './captured';
import { gatherThrough, reach, watch, watchThrough } from './watched-server';
import { connectRow, seeded, seededServer, startAzdata, type AzdataTest } from '../../hosts/azdata/host';
import { executeOverTds, logInOverTds } from '../../hosts/azdata-fake/over-tds';
import { recordedId } from '../../hosts/azdata-fake/recordings';

const minuteMs = 60_000;
/** What a user may have SQL Tools Service run at the beginning of each of his logins, and what it runs itself. */
const userSettings =
  'SET ROWCOUNT 2; SET IMPLICIT_TRANSACTIONS ON; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET NOEXEC OFF; SET LOCK_TIMEOUT -1;\n';

describe('The product through Azure Data Studio', function () {
  this.timeout(60_000);
  let simulator: Simulator;
  let test: AzdataTest;
  let monitor: ServerMonitor;

  beforeEach(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases: 30 });
    const { user, password } = simulator.administrator;
    const reach = () => ({ host: 'localhost', port: simulator.port });
    test = startAzdata({
      saved: [{ ...seeded, user, options: { trustServerCertificate: 'True' } }],
      passwords: { [recordedId]: password },
      logIn: logInOverTds(reach),
      execute: executeOverTds(reach),
      display: { decimalMark: ',', bits: 'True' },
    });
    test.fake.queries.userSettings = userSettings;
    monitor = watchThrough(test.host.access({ ...seededServer, user }));
  });

  afterEach(async () => {
    await monitor.dispose();
    await simulator.close();
  });

  it("reads the very facts that our own driver reads, in German numbers, True and False, and past the user's own settings", async () => {
    const direct = watch(simulator);
    await Promise.all([monitor.refresh(), direct.refresh()]);
    const [ours, theirs] = [direct.snapshot.facts, monitor.snapshot.facts];
    await direct.dispose();
    assert.ok(ours !== null && ours.databases.length >= 30);
    assert.deepEqual(theirs, ours);
    assert.deepEqual([monitor.snapshot.connection, monitor.snapshot.failure], ['connected', null]);
  });

  it('gathers the very evidence about error log and backups that our own driver gathers', async () => {
    const ours = await gatherThrough(reach(simulator));
    assert.ok(ours.errorLog.tables.some(({ rows }) => rows.length > 0));
    assert.deepEqual(await gatherThrough(test.host.access({ ...seededServer, user: simulator.administrator.user })), ours);
  });

  it('captures exactly what the server did', async () => {
    await monitor.refresh();
    await monitor.startTracking(null);
    for (let minute = 0; minute < 12; minute++) simulator.server.advance(minuteMs);
    await monitor.stopTracking();
    assertWholeCapture(monitor, simulator);
  });

  it("goes on after the user has disconnected the server's row, and asks for no more logins than it has to", async () => {
    await connectRow(test.fake);
    await monitor.refresh();
    assert.equal(test.fake.connected.length, 0);
    test.fake.connections.disconnect(test.fake.connections.findUri(recordedId)!, test.fake.find(recordedId));
    await monitor.refresh().catch(() => undefined);
    await monitor.refresh();
    assert.equal(monitor.snapshot.connection, 'connected');
    assert.equal(test.fake.connected.length, 1);
  });

  it('says in one sentence that the login failed, and names no password', async () => {
    test.fake.settings.user![0] = { ...test.fake.settings.user![0]!, options: { ...test.fake.settings.user![0]!.options, user: 'nobody' } };
    await monitor.refresh().catch(() => undefined);
    assert.match(monitor.snapshot.failure ?? '', /^Azure Data Studio could not log in to seedhost: Login failed for user 'nobody'/);
    assert.ok(!(monitor.snapshot.failure ?? '').includes(simulator.administrator.password));
  });
});
