import { type Simulator, startSimulator } from '../../../simulator/index';
import { assertOnlyOwnCommands } from '../own-commands';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import { DEFAULT_INTERVALS, WriteWorkSampling } from '../../../src/monitor/facts/write-work-sampling';
import { openBreaker } from '../../monitor/fake-surroundings';
import { reach } from './watched-server';

/** A simulated server whose clock stands still until it is advanced, and our sampling of it over TDS. */
export interface SampledServer {
  readonly simulator: Simulator;
  readonly query: ServerQuery;
  readonly sampling: WriteWorkSampling;
  readonly log: WriteWorkLog;
  /** Samples whenever something is due, until this much of the server's time has gone by; then once more. */
  sampleFor(durationMs: number): Promise<void>;
  dispose(): Promise<void>;
}

export async function sampleSimulator(
  options: Parameters<typeof startSimulator>[0],
  login?: { readonly user: string; readonly password: string },
  intervals = DEFAULT_INTERVALS,
): Promise<SampledServer> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const query = new ServerQuery(reach(simulator, login), openBreaker());
  const log = new WriteWorkLog();
  const engineEdition = simulator.server.platform === 'managed-instance' ? 8 : 3;
  const elapsedMs = (): number => simulator.server.clock.nowUtcMs();
  const sampling = new WriteWorkSampling({ query, elapsedMs, engineEdition, intervals, pause: () => Promise.resolve() }, log);
  return {
    simulator,
    query,
    sampling,
    log,
    sampleFor: async (durationMs) => {
      const untilMs = elapsedMs() + durationMs;
      for (;;) {
        const delayMs = await sampling.sample();
        const leftMs = untilMs - elapsedMs();
        if (leftMs <= 0) return;
        simulator.server.advance(Math.min(Math.max(1, delayMs), leftMs));
      }
    },
    dispose: async () => {
      await query.dispose();
      await simulator.close();
      assertOnlyOwnCommands(simulator.server.ledger);
    },
  };
}
