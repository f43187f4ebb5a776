import assert from 'node:assert/strict';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import type { GapKind } from '../../../src/core/session/gap';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { Installation } from '../../../src/monitor/queries/surroundings';
import type { Simulator } from '../../../simulator/index';
import { readCheckpoints } from '../../e2e/ledger-truth';
import { assertOnlyOwnCommands } from '../own-commands';
import { FakeServer, FakeTimers, installationOf, surroundingsOf } from '../../monitor/fake-server';
import { readAll } from '../../monitor/watched-fake';
import { reach } from './watched-server';

export interface Followed {
  readonly monitor: ServerMonitor;
  readonly timers: FakeTimers;
  /** Lets virtual time pass, then reads whatever is due. */
  pass(ms: number): Promise<void>;
}

/** One installation a server: its windows know of each other's sessions. */
const installations = new WeakMap<Simulator, Installation>();

/** Our monitor of a simulated server, whose reads happen when the test says so. */
export async function follow(simulator: Simulator, kept: KeptRecord[] = [], access = reach(simulator)): Promise<Followed> {
  const timers = new FakeTimers();
  const installation = installations.get(simulator) ?? installationOf();
  installations.set(simulator, installation);
  const monitor = createServerMonitor({ ...surroundingsOf(new FakeServer(), timers, kept, installation), access, sampling: null });
  await monitor.refresh();
  const pass = async (ms: number): Promise<void> => {
    simulator.server.advance(ms);
    // Longer than any wait between two reads, and shorter than between two readings of the facts that matter here.
    timers.fire(40_000);
    await readAll(monitor);
    await monitor.refresh();
  };
  return { monitor, timers, pass };
}

/** Stops tracking. Whoever started the session again has to be asked first; here they agree. */
export async function stopWithConsent(monitor: ServerMonitor): Promise<void> {
  await monitor.stopTracking().catch((error: unknown) => {
    if (error instanceof StartedElsewhere) return monitor.stopTracking(undefined, error.session);
    throw error;
  });
}

/**
 * Holds a capture to what the server did: every checkpoint in it happened so, with that begin and end; every one of the observed time that is not in it touches a
 * gap; every row is accounted for.
 */
export function assertHonest({ capture }: Pick<ServerMonitor, 'capture'>, simulator: Simulator): void {
  assert.ok(capture !== null);
  assert.equal(findUnaccountedRows(capture.ledger()), 0);
  assertOnlyOwnCommands(simulator.server.ledger);
  const happened = new Set(
    [...simulator.server.ledger.listCheckpoints()].map((each) => keyOf(each.databaseId, each.beginUtcMs, each.endUtcMs)),
  );
  const { columns, databases, observation } = capture;
  const captured = new Set<string>();
  for (let row = 0; row < columns.rows; row++) {
    const begin = columns.beginUtcMs[row] ?? 0;
    const key = keyOf(databases[columns.database[row] ?? 0]?.databaseId ?? 0, begin, begin + (columns.durationMs[row] ?? 0));
    assert.ok(happened.has(key), `never happened: ${key}`);
    assert.ok(!captured.has(key), `twice: ${key}`);
    captured.add(key);
  }
  const { beginUtcMs, endUtcMs, gaps } = observation ?? { beginUtcMs: 0, endUtcMs: 0, gaps: [] };
  for (const each of simulator.server.ledger.listCheckpoints()) {
    const isObserved = each.beginUtcMs >= beginUtcMs && each.endUtcMs < endUtcMs;
    const isExcused = gaps.some((gap) => each.beginUtcMs <= gap.endUtcMs && gap.beginUtcMs <= each.endUtcMs);
    const key = keyOf(each.databaseId, each.beginUtcMs, each.endUtcMs);
    if (isObserved && !isExcused) assert.ok(captured.has(key), `missing, and in no gap: ${key}`);
  }
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

function keyOf(databaseId: number, beginUtcMs: number, endUtcMs: number): string {
  return `${databaseId} ${beginUtcMs} ${endUtcMs}`;
}
