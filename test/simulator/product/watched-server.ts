import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { ServerAccess } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { installationOf } from '../../monitor/fake-server';
import { assertOnlyOwnCommands } from '../own-commands';
import { keptSecret } from '../../hosts/opening';
import { openBreaker } from '../../monitor/fake-timers';

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
      assertOnlyOwnCommands(simulator.server.ledger);
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
  return watchThrough(createDirectAccess({ server, secrets: keptSecret(password) }));
}

/** Our monitor of a server that is reached some other way; it reads when it is told to. @param pauses whether its pauses pass, which gathering evidence needs */
export function watchThrough(access: ServerAccess, pauses = false): ServerMonitor {
  const schedule = (delayMs: number, task: () => void): { dispose(): void } => {
    const timer = pauses && delayMs <= 50 ? setTimeout(task, delayMs) : undefined;
    return { dispose: () => clearTimeout(timer) };
  };
  return createServerMonitor({
    access,
    breaker: openBreaker(),
    schedule,
    installation: installationOf(),
    newCaptureId: () => 'capture',
    log: { sql: () => undefined, warn: () => undefined },
    captures: { keep: () => Promise.resolve(), recover: () => Promise.resolve(null) },
    pollIntervalMs: 1_000,
    refreshIntervalMs: 1_000,
    sampling: null,
    elapsedMs: () => performance.now(),
  });
}
