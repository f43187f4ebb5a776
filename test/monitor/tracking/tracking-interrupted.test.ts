import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { checkpoints, readAll, time, watch } from '../watched-fake';

describe('Tracking that is interrupted, or found running', () => {
  it('marks a gap where the session was stopped and started again between two reads, and pairs nothing across it', async () => {
    const { server, monitor, poll } = await watch();
    await monitor.startTracking(null);
    server.nowUtc = time(20);
    await poll();
    server.startedLocal = '2026-03-02T09:00:40';
    server.events = [
      { kind: 'begin', databaseId: 5, at: time(19), sequence: 1, offset: 512 },
      { kind: 'end', databaseId: 5, at: time(50), sequence: 2, offset: 1024 },
    ];
    server.nowUtc = time(120);
    await poll();
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    assert.deepEqual(monitor.snapshot.tracking.observation?.gaps, [
      {
        kind: 'session stopped',
        beginUtcMs: Date.UTC(2026, 2, 2, 8, 0, 20),
        endUtcMs: Date.UTC(2026, 2, 2, 8, 0, 40),
        reason: 'The event session was stopped and started again.',
      },
    ]);
    assert.deepEqual([monitor.capture?.ledger().checkpoints, monitor.capture?.ledger().unpaired], [0, 2]);
  });

  it('does not take a running session of our name without event files for its own: its silence would look like health', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, { isDefined: true, isRunning: true, file: null });
    await assert.rejects(monitor.startTracking(null), /does not record both .* so it was not made by Checkpoint Health/);
    assert.ok(!server.asked.some((name) => name.startsWith('session-')));
    const next = createServerMonitor(surroundingsOf(server, new FakeTimers()));
    await next.refresh();
    assert.equal(next.snapshot.tracking.state, 'not tracking');
  });

  it('says so where the answer to the events cannot be read, in place of showing a server without checkpoints', async () => {
    const { server, monitor, poll } = await watch();
    await monitor.startTracking(null);
    const { eventColumns } = server;
    server.eventColumns = ['event_data', 'file_name', 'file_offset'];
    await poll();
    assert.match(monitor.snapshot.tracking.message ?? '', /New events could not be read: The query returned no column "event_name"/);
    assert.equal(monitor.snapshot.tracking.trouble, 'not read');
    server.eventColumns = eventColumns;
    await poll();
    assert.equal(monitor.snapshot.tracking.trouble, null);
  });

  it('takes a predicate that is not ours for no knowledge of which databases are recorded', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel', nowUtc: '2026-03-02T10:00:00' });
    server.predicate = '([database_id]>(4) AND [database_id]=(5))';
    await monitor.startTracking(null);
    await monitor.refresh();
    assert.equal(monitor.snapshot.verdicts.get(6)?.group, 'Automatic, not measured');
  });

  it('still takes up the running session when the connection was lost at first sight', async () => {
    const server = new FakeServer();
    Object.assign(server, { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel' });
    server.failures.set('event-session', new ConnectionError('disconnected', 'The connection was lost.'));
    const monitor = createServerMonitor(surroundingsOf(server, new FakeTimers()));
    await monitor.refresh();
    assert.equal(monitor.snapshot.connection, 'failed');
    server.failures.clear();
    await monitor.refresh();
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
  });

  it('says of a recovered capture nothing about databases that were not tracked, nor about one that took the number since, but about one renamed', async () => {
    const kept: KeptRecord[] = [];
    const { server, monitor } = await watch(kept);
    await monitor.startTracking([5]);
    server.events = checkpoints(1);
    server.nowUtc = '2026-03-02T09:00:00';
    await monitor.stopTracking();
    const { server: again, monitor: next } = await watch(kept);
    assert.equal(next.snapshot.verdicts.get(5)?.group, 'Quiet');
    assert.equal(next.snapshot.verdicts.get(6)?.group, 'Automatic, not measured');
    const renamed = { id: 5, name: 'Another', target: '0' };
    again.databases = [renamed];
    await next.refresh();
    assert.equal(next.snapshot.verdicts.get(5)?.group, 'Quiet');
    again.databases = [{ ...renamed, created: '2026-03-02T09:30:00' }];
    await next.refresh();
    assert.equal(next.snapshot.verdicts.get(5)?.group, 'Automatic, not measured');
  });

  it('says so when the session was stopped elsewhere, keeps what it read, and does not call the rest observed', async () => {
    const { server, monitor, poll } = await watch();
    await monitor.startTracking(null);
    server.nowUtc = time(20);
    await poll();
    server.isRunning = false;
    server.events = checkpoints(5);
    server.nowUtc = time(600);
    await poll();
    const { state, trouble } = monitor.snapshot.tracking;
    assert.deepEqual([state, trouble], ['stopped', 'session gone']);
    assert.match(monitor.snapshot.tracking.message ?? '', /stopped outside Checkpoint Health/);
    assert.equal(monitor.capture?.ledger().checkpoints, 5);
    const { gaps, endUtcMs } = monitor.snapshot.tracking.observation ?? { gaps: [], endUtcMs: 0 };
    const [from, to] = [Date.UTC(2026, 2, 2, 8, 0, 20), Date.UTC(2026, 2, 2, 8, 10)];
    assert.deepEqual(
      [gaps.map(({ kind, beginUtcMs, endUtcMs: end }) => [kind, beginUtcMs, end]), endUtcMs],
      [[['session stopped', from, to]], to],
    );
  });

  it('goes on following our session in the next window, where it was left running', async () => {
    const server = new FakeServer();
    Object.assign(server, { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel', nowUtc: time(60), events: checkpoints(3) });
    const timers = new FakeTimers();
    const monitor = createServerMonitor(surroundingsOf(server, timers));
    await monitor.refresh();
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    timers.fire(0);
    await readAll(monitor);
    await monitor.refresh();
    assert.equal(monitor.capture?.ledger().checkpoints, 3);
    assert.ok(!server.asked.some((name) => name.startsWith('session-')), 'reads only');
  });

  it('takes up a session of ours that is running already', async () => {
    const { server, monitor, poll } = await watch();
    Object.assign(server, {
      isDefined: true,
      isRunning: true,
      file: 'CheckpointHealth.xel',
      predicate: '([database_id]=(5))',
      nowUtc: time(60),
      events: checkpoints(3),
    });
    await monitor.startTracking(null);
    await poll();
    assert.ok(!server.asked.includes('session-create'));
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5]);
    assert.equal(monitor.snapshot.trackingSinceUtcMs, Date.UTC(2026, 2, 2, 8));
    assert.equal(monitor.capture?.ledger().checkpoints, 3);
  });

  it('marks a gap where the files rolled over before they were read', async () => {
    const { server, monitor, poll } = await watch();
    await monitor.startTracking(null);
    server.events = checkpoints(10);
    server.nowUtc = time(30);
    await poll();
    server.fileName = 'CheckpointHealth_0_2.xel';
    server.events = checkpoints(10, 30).map((event) => ({ ...event, offset: event.offset }));
    server.nowUtc = time(120);
    await poll();
    // From what was surely read at the last look to behind the first event that is left, each give or take the time that events lie in buffers.
    const [beginUtcMs, endUtcMs] = [Date.UTC(2026, 2, 2, 8, 0, 15), Date.UTC(2026, 2, 2, 8, 1, 16)];
    assert.deepEqual(monitor.snapshot.tracking.observation?.gaps, [
      { kind: 'files rolled over', beginUtcMs, endUtcMs, reason: 'The event files rolled over before they were read.' },
    ]);
    assert.equal(monitor.capture?.ledger().checkpoints, 20);
  });

  it('marks one too where the file in which the session began was gone before anything was read of it', async () => {
    const { server, monitor, poll } = await watch();
    const first = `D:\\Log\\CheckpointHealth_0_${(BigInt(Date.UTC(2026, 2, 2, 8)) + 11_644_473_600_000n) * 10_000n}.xel`;
    Object.assign(server, { currentFile: first, fileName: first });
    await monitor.startTracking(null);
    Object.assign(server, { fileName: 'D:\\Log\\CheckpointHealth_0_2.xel', events: checkpoints(10, 30), nowUtc: time(120) });
    await poll();
    assert.deepEqual(
      monitor.snapshot.tracking.observation?.gaps.map(({ kind }) => kind),
      ['files rolled over'],
    );
    assert.equal(monitor.capture?.ledger().checkpoints, 10);
  });

  it('reads all files of the name where the session runs again before anything was read, and leaves out what is older than the run that was followed', async () => {
    const { server, monitor, poll } = await watch();
    const first = `D:\\Log\\CheckpointHealth_0_${(BigInt(Date.UTC(2026, 2, 2, 8)) + 11_644_473_600_000n) * 10_000n}.xel`;
    Object.assign(server, { currentFile: first, fileName: first });
    await monitor.startTracking(null);
    const earlier = checkpoints(3).map((event) => ({ ...event, at: event.at.replace('T08', 'T07'), sequence: event.sequence + 500 }));
    const later = checkpoints(4, 30).map((event) => ({ ...event, offset: event.offset + 9_000 }));
    Object.assign(server, { currentFile: 'D:\\Log\\CheckpointHealth_0_2.xel', fileName: 'D:\\Log\\CheckpointHealth_0_2.xel' });
    Object.assign(server, { startedLocal: '2026-03-02T09:00:40', events: [...earlier, ...later], nowUtc: time(120) });
    await poll();
    assert.equal(monitor.capture?.ledger().checkpoints, 4);
  });
});
