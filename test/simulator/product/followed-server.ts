import assert from 'node:assert/strict';
import type { GapKind } from '../../../src/core/session/gap';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { Installation } from '../../../src/monitor/queries/surroundings';
import type { Simulator } from '../../../simulator/index';
import { assertTrueCapture } from '../../core/capture/held-to-truth';
import { readCheckpoints } from '../../e2e/ledger-truth';
import { assertOnlyOwnCommands } from '../own-commands';
import { FakeServer, FakeTimers, installationOf, surroundingsOf } from '../../monitor/fake-server';
import { thisComputer } from '../../../src/monitor/queries/slices';
import { readAll } from '../../monitor/watched-fake';
import { reach } from './watched-server';

export interface Followed {
  readonly monitor: ServerMonitor;
  /** Lets virtual time pass, then reads whatever is due. */
  pass(ms: number): Promise<void>;
}

/** One installation a server: its windows know of each other's sessions. */
const installations = new WeakMap<Simulator, Installation>();

/** Our monitor of a simulated server, whose reads happen when the test says so. */
export async function follow(
  simulator: Simulator,
  kept: KeptRecord[] = [],
  access = reach(simulator),
): Promise<Followed> {
  const timers = new FakeTimers();
  const installation = installations.get(simulator) ?? installationOf();
  installations.set(simulator, installation);
  // Pauses within one reading pass by themselves: after a change the monitor reads what limits rest on.
  const schedule: typeof timers.schedule = (delayMs, task) =>
    (delayMs <= 50 ? thisComputer : timers).schedule(delayMs, task);
  const monitor = createServerMonitor({
    ...surroundingsOf(new FakeServer(), timers, kept, installation),
    access,
    schedule,
    sampling: null,
  });
  await monitor.refresh();
  const pass = async (ms: number): Promise<void> => {
    simulator.server.advance(ms);
    // Longer than any wait between two reads, and shorter than between two readings of the facts that matter here.
    timers.fire(40_000);
    await readAll(monitor);
    await monitor.refresh();
  };
  return { monitor, pass };
}

/** Stops tracking. Whoever started the session again has to be asked first; here they agree. */
export async function stopWithConsent(monitor: ServerMonitor): Promise<void> {
  await monitor.stopTracking().catch((error: unknown) => {
    if (error instanceof StartedElsewhere) return monitor.stopTracking(undefined, error.session);
    throw error;
  });
}

/** Holds a capture to what the server did, which was given no command of ours but about our own session. */
export function assertHonest(
  { capture }: Pick<ServerMonitor, 'capture'>,
  { server: { ledger } }: Simulator,
): void {
  assertOnlyOwnCommands(ledger);
  assertTrueCapture(capture, ledger.listCheckpoints());
}

/** Holds a capture to all that its session recorded: every checkpoint of that is in it, and no other, without a gap. */
export function assertWholeCapture(monitor: Pick<ServerMonitor, 'capture'>, simulator: Simulator): void {
  assertHonest(monitor, simulator);
  assert.deepEqual(listGapKinds(monitor), []);
  const recorded = readCheckpoints(simulator.server.ledger).length;
  assert.ok(recorded > 0);
  assert.equal(monitor.capture?.columns.rows, recorded);
}

export function listGapKinds({ capture }: Pick<ServerMonitor, 'capture'>): readonly GapKind[] {
  return [...new Set((capture?.observation?.gaps ?? []).map(({ kind }) => kind))];
}
