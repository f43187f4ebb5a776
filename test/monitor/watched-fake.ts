import type { KeptRecord } from '../../src/core/capture/capture-record';
import { createServerMonitor } from '../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { type FakeEvent, FakeServer, FakeTimers, installationOf, surroundingsOf } from './fake-server';

/** A monitor that has read the facts of a fake server once. */
export async function watch(kept: KeptRecord[] = [], server = new FakeServer(), installation = installationOf()) {
  const timers = new FakeTimers();
  const surroundings = surroundingsOf(server, timers, kept, installation);
  const monitor = createServerMonitor(surroundings);
  await monitor.refresh();
  /** One poll, with all the turns that it takes. */
  const poll = async () => {
    timers.fire(2_000);
    await readAll(monitor);
    await monitor.refresh();
  };
  return { server, timers, surroundings, monitor, poll };
}

/** Waits until what waits in the background is done, and all that is stored is read: a look goes behind each turn. */
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

/** This many seconds after 08:00, as the server writes a UTC time. */
export function time(second: number): string {
  return new Date(Date.UTC(2026, 2, 2, 8, 0, second)).toISOString().slice(0, -1);
}
