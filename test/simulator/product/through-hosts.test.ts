import assert from 'node:assert/strict';
import type { ServerAccess } from '../../../src/hosts/host';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { everyHost } from '../../hosts/every-host';
import { assertWholeCapture } from './followed-server';
import { reach, watch, watchThrough } from './watched-server';

async function gatherThrough(access: ServerAccess) {
  const monitor = watchThrough(access, true);
  await monitor.refresh();
  try {
    return { ...(await monitor.gatherEvidence()), ...monitor.timeline.known.marks };
  } finally {
    await monitor.dispose();
  }
}

for (const [way, access] of Object.values(everyHost).flatMap(({ through }) => Object.entries(through)))
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
