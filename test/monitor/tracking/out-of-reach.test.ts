import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { checkpoints, running, time, track, watch } from '../watched-fake';

const gone = new ConnectionError('unreachable', 'The SQL Server extension shares its connections no longer.');

/** What a window kept that stopped tracking after four checkpoints. */
async function keepStopped(): Promise<KeptRecord[]> {
  const kept: KeptRecord[] = [];
  const { server, monitor } = await track(null, kept);
  Object.assign(server, { events: checkpoints(4), nowUtc: time(9) });
  await monitor.stopTracking();
  return kept;
}

function outOfReach(): FakeServer {
  const server = new FakeServer();
  server.failures.set('open', gone);
  return server;
}

describe('A server that cannot be reached any more', () => {
  for (const [title, failure] of [
    ['keeps what was read of a session that still runs, because its files may roll over', gone],
    ['keeps a healthy capture too when the editor ends, so that another window can go on with it', null],
  ] as const)
    it(title, async () => {
      const kept: KeptRecord[] = [];
      const { server, monitor, poll } = await track(null, kept);
      await poll({ events: checkpoints(5), nowUtc: time(60) });
      if (failure !== null) server.failures.set('*', failure).set('open', failure);
      await poll();
      await monitor.dispose();
      assert.deepEqual(
        kept.map(({ columns }) => columns.rows),
        [5],
      );
    });

  it('still shows the capture kept last, and follows its running session once it answers again', async () => {
    const kept = await keepStopped();
    const server = outOfReach();
    const { monitor } = await watch(kept, server);
    assert.deepEqual([monitor.snapshot.connection, monitor.snapshot.failure, monitor.capture?.columns.rows], ['failed', gone.message, 4]);
    assert.equal(monitor.snapshot.tracking.unverified?.toUtcMs, monitor.capture?.observation?.endUtcMs);

    server.failures.clear();
    await monitor.refresh();
    assert.match(monitor.snapshot.tracking.message ?? '', /Nothing is being tracked now/);
    assert.equal(monitor.snapshot.tracking.unverified, null);

    const again = Object.assign(outOfReach(), running);
    const { monitor: next } = await watch(kept, again);
    again.failures.clear();
    await next.refresh();
    assert.equal(next.snapshot.tracking.state, 'tracking');
  });

  it('does not show a capture of another server that the connection led to before', async () => {
    const kept = await keepStopped();
    assert.equal(kept[0]?.serverName, 'PROD-SQL07');
    const server = Object.assign(outOfReach(), { name: 'TEST-SQL01' });
    const { monitor } = await watch(kept, server);
    assert.equal(monitor.capture?.columns.rows, 4);
    server.failures.clear();
    await monitor.refresh();
    assert.deepEqual([monitor.capture, monitor.snapshot.tracking.state], [null, 'not tracking']);
  });

  it('does not count as tracked now, and does so again with the first answer', async () => {
    const { server, monitor, poll } = await track();
    const snapshot = (): readonly unknown[] => [
      monitor.snapshot.standing?.kind,
      monitor.snapshot.tracking.state,
      monitor.snapshot.tracking.isLastSeen,
    ];
    assert.deepEqual(snapshot(), [undefined, 'tracking', false]);
    server.failures.set('*', new ConnectionError('disconnected', 'It went away.'));
    server.failures.set('open', gone);
    await poll();
    await poll();
    assert.deepEqual(snapshot(), ['unreachable', 'tracking', true]);
    assert.doesNotMatch(monitor.snapshot.tracking.message ?? '', /goes on/);
    server.failures.clear();
    await monitor.refresh();
    assert.deepEqual(snapshot(), [undefined, 'tracking', false]);
  });

  it('is called silent before it is given up, with the time since when', async () => {
    const { server, timers, monitor } = await track();
    const { lastReadMs } = monitor.snapshot;
    assert.deepEqual([lastReadMs, monitor.snapshot.silentSinceMs], [0, null]);
    server.isSilent = true;
    timers.fire(2_000);
    await new Promise(setImmediate);
    timers.fire(5_000);
    assert.deepEqual(
      [monitor.snapshot.silentSinceMs, monitor.snapshot.tracking.isLastSeen, monitor.snapshot.connection],
      [0, true, 'connected'],
    );
    await monitor.dispose();
  });

  it('is shown as tracked when last seen, if following had not ended, until it is read', async () => {
    const kept: KeptRecord[] = [];
    const first = await track(null, kept);
    await first.monitor.dispose();
    const server = new FakeServer();
    server.failures.set('open', new ConnectionError('needsClick', 'PROD-SQL07 needs the password of dba.'));
    const monitor = createServerMonitor(surroundingsOf(server, new FakeTimers(), kept));
    await monitor.look();
    assert.deepEqual([monitor.snapshot.standing?.kind, monitor.snapshot.tracking.isLastSeen], ['waiting', true]);
    server.failures.clear();
    await monitor.refresh();
    // It was stopped meanwhile.
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.snapshot.tracking.isLastSeen], ['stopped', false]);
  });

  it('is left alone after the user disconnected it elsewhere, unless it is being tracked', async () => {
    const { server, timers, monitor } = await watch();
    await monitor.leave('It was disconnected. Refresh to connect again.');
    assert.deepEqual([monitor.snapshot.connection, monitor.snapshot.failure], ['failed', 'It was disconnected. Refresh to connect again.']);
    assert.deepEqual([timers.delays, server.closed], [[], 1]);
    await monitor.refresh();
    await monitor.startTracking(null);
    await monitor.leave('It was disconnected.');
    assert.equal(monitor.snapshot.connection, 'connected');
  });
});
