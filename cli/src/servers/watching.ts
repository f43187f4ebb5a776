/** A monitor for a command that looks at a server once: it reads when it is told to, and samples nothing. */
import { SHOWN_MARK } from '../../../src/core/script/session';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { PolicyInForce } from '../../../src/core/advice/policy';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { thisComputer } from '../../../src/monitor/queries/slices';
import type { Installation, MonitorSurroundings } from '../../../src/monitor/queries/surroundings';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { ReachedServer } from './reaching';

/** Longer than any command: it looks when it is told to. */
const NEVER_MS = 24 * 60 * 60_000;

/** Remembers no session as its own, for work that only reads. */
export const NO_INSTALLATION: Installation = {
  newMark: () => SHOWN_MARK,
  findStarted: () => null,
  keepStarted: () => Promise.resolve(),
};

const NO_CAPTURES: MonitorSurroundings['captures'] = {
  keep: () => Promise.resolve(),
  recover: () => Promise.resolve(null),
};

/** @param more what this command has besides */
export function watchServer(
  { access, world }: Pick<ReachedServer, 'access' | 'world'>,
  more: Partial<
    Pick<MonitorSurroundings, 'installation' | 'captures' | 'recorder' | 'policy' | 'hash' | 'sessionDays'>
  > = {},
): ServerMonitor {
  return createServerMonitor({
    ...world,
    access,
    installation: NO_INSTALLATION,
    captures: NO_CAPTURES,
    pollIntervalMs: NEVER_MS,
    refreshIntervalMs: NEVER_MS,
    sampling: null,
    ...more,
  });
}

/** What a capture of the lake is opened with: nothing is behind it. */
export function surroundRecord(
  inForce: PolicyInForce,
): Omit<MonitorSurroundings, 'access' | 'captures' | 'sampling'> {
  return {
    breaker: new LoginBreaker(thisComputer),
    ...thisComputer,
    // A timer takes at least a millisecond, and nothing else needs this thread.
    schedule: (delayMs, task) => {
      if (delayMs > 0) return thisComputer.schedule(delayMs, task);
      const soon = setImmediate(task);
      return { dispose: () => clearImmediate(soon) };
    },
    newCaptureId: randomUUID,
    installation: NO_INSTALLATION,
    log: { sql: () => undefined, warn: () => undefined },
    pollIntervalMs: NEVER_MS,
    refreshIntervalMs: NEVER_MS,
    policy: holdPolicy(inForce),
  };
}

/** A policy that does not change while a command runs. */
export function holdPolicy(current: PolicyInForce): NonNullable<MonitorSurroundings['policy']> {
  return { current, onDidChange: () => ({ dispose: () => undefined }) };
}

/** Connects and reads the facts; without a click, so a refused login stops its account. The snapshot has the result. */
export async function lookOnce(monitor: ServerMonitor, signal: AbortSignal): Promise<void> {
  const listening = monitor.onDidChange(() => {
    if (monitor.snapshot.tracking.reading?.isPaused === false) monitor.pauseReading();
  });
  await Promise.race([monitor.look('now'), waitForAbort(signal)]);
  listening.dispose();
  monitor.pauseReading();
}

export async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
