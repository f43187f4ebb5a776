import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError } from '../../../src/hosts/host';
import { FakeServer } from '../fake-server';
import { checkpoints, time, track, watch, watchUnread } from '../watched-fake';

const gone = new ConnectionError('unreachable', 'The SQL Server extension shares its connections no longer.');

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
      assert.deepEqual([kept.length, kept[0]?.columns.rows], [1, 5]);
    });

  it('does not count as tracked now, and does so again with the first answer', async () => {
    const { server, monitor, poll } = await track();
    const told = (): readonly unknown[] => {
      const { standing, tracking } = monitor.snapshot;
      return [standing?.kind, tracking.state, tracking.isLastSeen];
    };
    assert.deepEqual(told(), [undefined, 'tracking', false]);
    server.failures.set('*', new ConnectionError('disconnected', 'It went away.')).set('open', gone);
    await poll();
    await poll();
    assert.deepEqual(told(), ['unreachable', 'tracking', true]);
    assert.doesNotMatch(monitor.snapshot.tracking.message ?? '', /goes on/);
    server.failures.clear();
    await monitor.refresh();
    assert.deepEqual(told(), [undefined, 'tracking', false]);
  });

  it('is called silent before it is given up, with the time since when', async () => {
    const { server, timers, monitor } = await track();
    assert.deepEqual([monitor.snapshot.lastReadMs, monitor.snapshot.silentSinceMs], [0, null]);
    server.isSilent = true;
    timers.fire(2_000);
    await new Promise(setImmediate);
    timers.fire(5_000);
    const { silentSinceMs, tracking, connection } = monitor.snapshot;
    assert.deepEqual([silentSinceMs, tracking.isLastSeen, connection], [0, true, 'connected']);
    await monitor.dispose();
  });

  it('is shown as tracked when last seen, if following had not ended, until it is read', async () => {
    const kept: KeptRecord[] = [];
    const first = await track(null, kept);
    await first.monitor.dispose();
    const server = new FakeServer();
    server.failures.set('open', new ConnectionError('needsClick', 'PROD-SQL07 needs the password of dba.'));
    const { monitor } = watchUnread({}, server, kept);
    await monitor.look();
    assert.deepEqual(
      [monitor.snapshot.standing?.kind, monitor.snapshot.tracking.isLastSeen],
      ['waiting', true],
    );
    server.failures.clear();
    await monitor.refresh();
    // It was stopped meanwhile.
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.tracking.isLastSeen],
      ['stopped', false],
    );
  });

  it('is left alone after the user disconnected it elsewhere, unless it is being tracked', async () => {
    const { server, timers, monitor } = await watch();
    await monitor.leave('It was disconnected. Refresh to connect again.');
    assert.deepEqual(
      [monitor.snapshot.connection, monitor.snapshot.failure],
      ['failed', 'It was disconnected. Refresh to connect again.'],
    );
    assert.deepEqual([timers.delays, server.closed], [[], 1]);
    await monitor.refresh();
    await monitor.startTracking(null);
    await monitor.leave('It was disconnected.');
    assert.equal(monitor.snapshot.connection, 'connected');
  });
});

describe('A server that answers', () => {
  it('is connected as soon as its facts are read, and has its verdicts a little later', async () => {
    const { monitor } = watchUnread();
    const seen: (readonly unknown[])[] = [];
    monitor.onDidChange((change) => {
      const { connection, facts, instance, verdicts } = monitor.snapshot;
      if (change === 'facts')
        seen.push([connection, facts?.databases.length ?? null, instance !== null, verdicts.size]);
    });
    await monitor.refresh();
    const first = seen.findIndex(([connection]) => connection === 'connected');
    assert.deepEqual(
      [seen[first], seen.slice(first + 1)],
      [['connected', 3, false, 0], [['connected', 3, true, 3]]],
    );
  });

  it('shows no verdict on the server that answered before', async () => {
    const { server, monitor } = await watch();
    assert.ok(monitor.snapshot.verdicts.size > 0);
    server.name = 'TEST-SQL01';
    const seen: unknown[] = [];
    monitor.onDidChange(() => {
      if (monitor.snapshot.facts?.server.serverName === 'TEST-SQL01')
        seen.push(monitor.snapshot.verdicts.size);
    });
    await monitor.refresh();
    assert.deepEqual([seen[0], seen.at(-1)], [0, monitor.snapshot.facts?.databases.length]);
  });
});
