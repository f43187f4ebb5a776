import assert from 'node:assert/strict';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { listenInSilence, type SilentServer } from '../../e2e/silent-server';
import { FakeServer, FakeTimers, surroundingsOf } from '../../monitor/fake-server';
import { assertHonest, follow } from '../product/followed-server';
import { reach } from '../product/watched-server';

const second = 1_000;

describe('Several servers that are followed at once', function () {
  this.timeout(30_000);
  let simulators: Simulator[] = [];
  let silent: SilentServer;
  const monitors: ServerMonitor[] = [];
  before(async () => {
    const options = { rate: 0, tls: 'required', databases: 12 } as const;
    simulators = await Promise.all([
      startSimulator(options),
      startSimulator({ ...options, seed: 2 }),
      startSimulator({ ...options, seed: 3 }),
    ]);
    silent = await listenInSilence();
  });
  after(async () => {
    await Promise.all(monitors.map((monitor) => monitor.dispose()));
    await silent.close();
    await Promise.all(simulators.map((simulator) => simulator.close()));
  });

  const watchPort = (port: number): ServerMonitor => {
    const [first] = simulators;
    assert.ok(first !== undefined);
    const access = reach({ port, administrator: first.administrator });
    const monitor = createServerMonitor({ ...surroundingsOf(new FakeServer(), new FakeTimers()), access, sampling: null });
    monitors.push(monitor);
    return monitor;
  };

  it('do not hold each other up where one hangs and one cannot be reached', async () => {
    const hanging = watchPort(silent.port);
    const closed = await listenInSilence();
    await closed.close();
    const failing = watchPort(closed.port);
    let isOver = false;
    void hanging.refresh().finally(() => (isOver = true));
    const failed = failing.refresh();
    const followed = await Promise.all(simulators.map((simulator) => follow(simulator)));
    monitors.push(...followed.map(({ monitor }) => monitor));
    await Promise.all(followed.map(({ monitor }) => monitor.startTracking(null)));
    for (let i = 0; i < 6; i++) await Promise.all(followed.map(({ pass }) => pass(20 * second)));
    assert.equal(isOver, false, 'the silent one is still being waited for');
    assert.equal(hanging.snapshot.connection, 'connecting');
    await failed;
    assert.equal(failing.snapshot.connection, 'failed');
    await Promise.all(followed.map(({ monitor }) => monitor.stopTracking()));
    followed.forEach(({ monitor }, i) => assertHonest(monitor, simulators[i] as Simulator));
    const begins = followed.map(({ monitor }) => monitor.capture?.columns.beginUtcMs[0]);
    assert.ok(followed.every(({ monitor }) => (monitor.capture?.columns.rows ?? 0) > 3));
    assert.equal(new Set(begins).size, 3, 'three histories, each its own');
  });
});
