import assert from 'node:assert/strict';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { RELEASES } from '../../../simulator/scenarios/releases';
import { SCENARIOS, type ScenarioName } from '../../../simulator/scenarios/scenarios';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { assertWholeCapture } from './followed-server';
import { watch } from './watched-server';

const minuteMs = 60_000;
const databases = 30;

/** Servers that this version cannot read or track, and the sentence that says so. */
const refused: Readonly<Partial<Record<ScenarioName, RegExp>>> = {
  'azure-sql-database': /contoso-sql is Azure SQL Database, which has no event sessions for the whole server/,
};

describe('The product on every server that the simulator has', () => {
  let simulator: Simulator;
  let monitor: ServerMonitor;

  const open = async (options: Parameters<typeof startSimulator>[0]): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases, ...options });
    monitor = watch(simulator);
    await monitor.refresh();
  };
  afterEach(async () => {
    await monitor?.dispose();
    await simulator?.close();
  });

  const trackFor = async (minutes: number): Promise<void> => {
    await monitor.startTracking(null);
    for (let minute = 0; minute < minutes; minute++) simulator.server.advance(minuteMs);
    await monitor.stopTracking();
    assertWholeCapture(monitor, simulator);
  };

  for (const scenario of Object.keys(SCENARIOS) as ScenarioName[]) {
    const sentence = refused[scenario];
    it(
      sentence
        ? `${scenario}: says why it is not tracked`
        : `${scenario}: captures exactly what the server did`,
      async () => {
        await open({ scenario });
        if (sentence === undefined) return trackFor(12);
        await assert.rejects(monitor.startTracking(null), sentence);
        assert.equal(
          simulator.server.ledger.sessionRuns.filter((run) => run.sessionName === 'CheckpointHealth').length,
          0,
        );
      },
    );
  }

  for (const release of RELEASES)
    it(`SQL Server ${release}: reads every fact and captures exactly what the server did`, async () => {
      await open({ release });
      assert.equal(monitor.snapshot.facts?.state.kind, 'observed');
      await trackFor(6);
    });
});
