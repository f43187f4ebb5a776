import { createDirectAccess } from '../../../src/hosts/direct';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator } from '../../../simulator/index';

/** A simulated server whose clock stands still until it is advanced, and our monitor connected to it over TDS. */
export interface WatchedServer {
  readonly simulator: Simulator;
  readonly monitor: ServerMonitor;
  dispose(): Promise<void>;
}

export async function watchSimulator(
  login: { user: string; password: string } | 'administrator' = 'administrator',
): Promise<WatchedServer> {
  const simulator = await startSimulator({ rate: 0, tls: 'required' });
  const monitor = watch(simulator, login === 'administrator' ? simulator.administrator : login);
  return {
    simulator,
    monitor,
    dispose: async () => {
      await monitor.dispose();
      await simulator.close();
    },
  };
}

export function watch(simulator: Pick<Simulator, 'port'>, { user, password }: { user: string; password: string }): ServerMonitor {
  const server = {
    id: 'simulated',
    name: 'Simulated',
    server: 'localhost',
    port: simulator.port,
    user,
    encrypt: 'mandatory',
    trustServerCertificate: true,
  } as const;
  return createServerMonitor({
    access: createDirectAccess({ server, password: () => Promise.resolve(password) }),
    schedule: () => ({ dispose: () => undefined }),
    newCaptureId: () => 'capture',
    log: { sql: () => undefined, warn: () => undefined },
    captures: { keep: () => Promise.resolve(), recover: () => Promise.resolve(null) },
    pollIntervalMs: 1_000,
    refreshIntervalMs: 1_000,
  });
}
