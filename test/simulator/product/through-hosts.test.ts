import assert from 'node:assert/strict';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import type { ServerAccess } from '../../../src/hosts/host';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { simpleExecute } from '../../azdata/provider/simple-execute';
import { createFakeMssql } from '../../hosts/mssql/fake';
import { assertWholeCapture } from './followed-server';
import { reachThroughAzdata } from './through-azdata';
import { reach, watch, watchThrough } from './watched-server';

/** What a user may have run at the beginning of each of his sessions, each of it in the way. */
const userSettings =
  'SET LOCK_TIMEOUT -1; SET ROWCOUNT 3; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET IMPLICIT_TRANSACTIONS ON; SET NOEXEC OFF;\n';

function reachThroughMssql({ port, administrator }: Simulator, database?: string): ServerAccess {
  const fake = createFakeMssql('commands');
  const options = { server: `localhost,${port}`, ...administrator, trustServerCertificate: true, database };
  const display = { decimalMark: ',', bits: 'True', maxChars: 65_535 } as const;
  fake.does['executeSimpleQuery'] = (_uri, text) =>
    simpleExecute({ options }, String(text), { display, userSettings });
  return createMssqlHost(fake.world).access({ id: 'mssql:one', name: 'PROD', server: 'sql07', user: 'dba' });
}

async function gatherThrough(access: ServerAccess) {
  const monitor = watchThrough(access, true);
  await monitor.refresh();
  try {
    return { ...(await monitor.gatherEvidence()), ...monitor.timeline.known.marks };
  } finally {
    await monitor.dispose();
  }
}

for (const [way, access] of [
  ['the SQL Server extension', reachThroughMssql],
  [
    'the SQL Server extension in the context of a user database',
    (simulator: Simulator) => reachThroughMssql(simulator, 'a]b'),
  ],
  ['Azure Data Studio', (simulator: Simulator) => reachThroughAzdata(simulator, undefined, userSettings)],
] as const)
  describe(`The product through ${way}, in German numbers and with the user's own settings`, () => {
    let simulator: Simulator;
    let monitor: ServerMonitor;
    before(async () => {
      simulator = await startSimulator({ rate: 0, tls: 'required', databases: 40 });
      monitor = watchThrough(access(simulator));
    });
    after(async () => {
      await monitor.dispose();
      await simulator.close();
    });

    it('reads the very facts that our own driver reads', async () => {
      const direct = watch(simulator);
      await Promise.all([monitor.refresh(), direct.refresh()]);
      const { facts } = direct.snapshot;
      await direct.dispose();
      assert.ok(facts !== null && facts.databases.length > 40);
      assert.deepEqual([monitor.snapshot.facts, monitor.snapshot.failure], [facts, null]);
    });

    it('gathers the very evidence about error log and backups that our own driver gathers', async () => {
      const ours = await gatherThrough(reach(simulator));
      assert.ok(ours.errorLog.tables.some(({ rows }) => rows.length > 0));
      assert.ok(
        ours.marks.some(({ databaseId }) => databaseId !== null),
        'each mark on the time knows its database',
      );
      assert.deepEqual(await gatherThrough(access(simulator)), ours);
    });

    it('captures exactly what the server did', async () => {
      await monitor.startTracking(null);
      simulator.server.advance(12 * 60_000);
      await monitor.stopTracking();
      assertWholeCapture(monitor, simulator);
    });
  });
