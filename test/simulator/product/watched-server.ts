import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { ResultSet, ServerAccess } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { MonitorSurroundings } from '../../../src/monitor/queries/surroundings';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../simulator/index';
import { runScript } from '../../e2e/query-window';
import { assertOnlyOwnCommands } from '../own-commands';
import { keptSecret } from '../../hosts/opening';
import { installationOf, openBreaker, through } from '../../monitor/fake-surroundings';

export type WatchedServer = Awaited<ReturnType<typeof watchSimulator>>;

/** Who logs in; the administrator unless given. All logins have one password. */
export type Login = Partial<Simulator['administrator']>;

/** A simulated server whose clock stands still until it is advanced, and our monitor connected to it over TDS. */
export async function watchSimulator(login?: Login, options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const monitor = watch(simulator, login);
  return {
    simulator,
    monitor,
    dispose: async (): Promise<void> => {
      await monitor.dispose();
      await simulator.close();
      assertOnlyOwnCommands(simulator.server.ledger);
    },
  };
}

/** A simulated server by our own driver. */
export function reach(
  { port, administrator }: Pick<Simulator, 'port' | 'administrator'>,
  login?: Login,
): ServerAccess {
  const { user, password } = { ...administrator, ...login };
  const address = { id: 'simulated', name: 'Simulated', server: 'localhost', port, user } as const;
  const server = { ...address, encrypt: 'mandatory', trustServerCertificate: true } as const;
  return createDirectAccess({ server, secrets: keptSecret(password) });
}

/** The same server; each text that it is asked is heard, with its answer. */
export function overhear(
  access: ServerAccess,
  hear: (text: string, sets: readonly ResultSet[]) => void,
): ServerAccess {
  return through(access, async (connection, text, options) => {
    const sets = await connection.query(text, options);
    hear(text, sets);
    return sets;
  });
}

export function watch(simulator: Pick<Simulator, 'port' | 'administrator'>, login?: Login): ServerMonitor {
  return watchThrough(reach(simulator, login));
}

/** Starts our event session, as a window does that is closed afterwards. */
export async function startTracking(simulator: Pick<Simulator, 'port' | 'administrator'>): Promise<void> {
  const monitor = watch(simulator);
  await monitor.refresh();
  await monitor.startTracking(null);
  await monitor.dispose();
}

/** What is run by hand, batch by batch. @returns what it printed */
export function runAsAdministrator(
  { host, port, administrator }: Pick<Simulator, 'host' | 'port' | 'administrator'>,
  script: string,
): Promise<readonly string[]> {
  return runScript({ host, port, ...administrator }, script);
}

/**
 * Our monitor of a server that is reached some other way; it reads when it is told to.
 * @param pauses whether its pauses pass, which gathering evidence needs
 */
export function watchThrough(
  access: ServerAccess,
  pauses = false,
  more: Partial<Omit<MonitorSurroundings, 'access'>> = {},
): ServerMonitor {
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
    ...more,
  });
}

/** A window that was opened now and has read all that the session holds. */
export async function openWindow(
  simulator: Simulator,
  more?: Parameters<typeof watchThrough>[2],
): Promise<ServerMonitor> {
  const window = watchThrough(reach(simulator), true, more);
  await window.refresh();
  while (window.snapshot.tracking.reading !== null || window.capture?.observation == null)
    await new Promise((go) => setTimeout(go, 50));
  await window.refresh();
  return window;
}
