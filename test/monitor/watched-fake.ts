import type { KeptRecord } from '../../src/core/capture/capture-record';
import { createServerMonitor } from '../../src/monitor/monitored-server';
import type { MonitorSurroundings } from '../../src/monitor/queries/surroundings';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { type FakeEvent, FakeServer, FakeTimers, installationOf, surroundingsOf } from './fake-server';

/** A monitor of a fake server, in the usual surroundings but for some, that has asked nothing yet. */
export function watchUnread(
  more: Partial<MonitorSurroundings> = {},
  server = new FakeServer(),
  kept: KeptRecord[] = [],
) {
  const timers = new FakeTimers();
  const surroundings = { ...surroundingsOf(server, timers, kept), ...more };
  return { server, timers, surroundings, monitor: createServerMonitor(surroundings) };
}

/** One that has read the facts once. */
export async function watch(
  kept: KeptRecord[] = [],
  server = new FakeServer(),
  installation = installationOf(),
) {
  const watched = watchUnread({ installation }, server, kept);
  const { monitor, timers } = watched;
  await monitor.refresh();
  /**
   * One poll of a server that has changed, with all the turns that it takes.
   * @param afterMs of a session that does not run: 30,000
   */
  const poll = async (change: Partial<FakeServer> = {}, afterMs = 2_000) => {
    Object.assign(server, change);
    timers.fire(afterMs);
    await readAll(monitor);
    await monitor.refresh();
  };
  return { ...watched, poll };
}

/** The same, and tracking. @param databaseIds null: all */
export async function track(
  databaseIds: readonly number[] | null = null,
  kept: KeptRecord[] = [],
  server = new FakeServer(),
) {
  const watched = await watch(kept, server);
  await watched.monitor.startTracking(databaseIds);
  return watched;
}

/** A session of ours that runs already. */
export const running = { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel' };

/** What the server was asked to do to a session. */
export const listChanges = ({ asked }: FakeServer): readonly string[] =>
  asked.filter((name) => name.startsWith('session-'));

/** The gaps of the capture, in the order in which they are told. */
export const gapsOf = ({
  snapshot,
}: ServerMonitor): readonly (readonly [kind: string, beginUtcMs: number, endUtcMs: number])[] =>
  (snapshot.tracking.observation?.gaps ?? []).map(({ kind, beginUtcMs, endUtcMs }) => [
    kind,
    beginUtcMs,
    endUtcMs,
  ]);

/** Waits until background work is done and all stored events are read: a look comes after each turn. */
export async function readAll(monitor: ServerMonitor): Promise<void> {
  const describe = (): string | null => {
    const { reading, rowsRead } = monitor.snapshot.tracking;
    return reading === null ? null : `${reading.events} of stored ones, ${rowsRead} shown`;
  };
  for (let [before, same]: [string | null, number] = ['', 0]; before !== null && same < 3;) {
    await monitor.look();
    const now = describe();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

/** Checkpoints of one second each, one every two seconds from 08:00:01, `each` events to a buffer. */
export function checkpoints(count: number, first = 0, each = 3): FakeEvent[] {
  return Array.from({ length: count * 2 }, (_, i) => {
    const n = first * 2 + i;
    const kind = n % 2 === 0 ? 'begin' : 'end';
    return {
      kind,
      databaseId: 5 + (Math.floor(n / 2) % 2),
      at: time(1 + n),
      sequence: n + 1,
      offset: 512 * (1 + Math.floor(n / each)),
    } as const;
  });
}

/** The same events in buffers that lie further back in their file. */
export const moved = (events: readonly FakeEvent[], bytes: number): FakeEvent[] =>
  events.map((event) => ({ ...event, offset: event.offset + bytes }));

/** The event file that was made this many seconds after 08:00. */
export const fileOf = (second: number): string =>
  `D:\\Log\\CheckpointHealth_0_${(BigInt(at(second)) + 11_644_473_600_000n) * 10_000n}.xel`;

/** This many seconds after 08:00, in milliseconds of UTC. */
export const at = (second: number): number => Date.UTC(2026, 2, 2, 8, 0, second);

/** The same as the server writes a UTC time. */
export const time = (second: number): string => new Date(at(second)).toISOString().slice(0, -1);
