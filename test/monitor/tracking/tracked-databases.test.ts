import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { checkpoints, readAll, time, watch } from '../watched-fake';

const at = (second: number): number => Date.UTC(2026, 2, 2, 8, 0, second);
const gapsOf = (monitor: Awaited<ReturnType<typeof watch>>['monitor']): readonly unknown[] =>
  (monitor.snapshot.tracking.observation?.gaps ?? []).map(({ kind, beginUtcMs, endUtcMs, databases }) => [
    kind,
    beginUtcMs,
    endUtcMs,
    databases,
  ]);

/** Both databases were tracked for a minute, with ten checkpoints of each read. */
async function track(databaseIds: readonly number[] | null) {
  const watched = await watch();
  await watched.monitor.startTracking(databaseIds);
  Object.assign(watched.server, { events: checkpoints(20, 0, 2), nowUtc: time(60) });
  await watched.poll();
  return watched;
}

describe('The databases of a running session', () => {
  it('are changed without waiting for a reading, with a gap of the moment of the change, and nothing captured is lost', async () => {
    const { server, monitor, surroundings, poll } = await track([5, 6]);
    server.nowUtc = time(70);
    const before = server.asked.length;
    await monitor.changeTrackedDatabases([5, 7]);
    const asked = server.asked.slice(before);
    assert.ok(asked.indexOf('checkpoint-events') > asked.indexOf('session-change-databases'), 'read afterwards');
    assert.ok(asked.lastIndexOf('event-session') > asked.indexOf('session-change-databases'), 'looked at again at once');
    assert.match(
      surroundings.logged.at(-1) ?? '',
      /DROP EVENT sqlserver\.checkpoint_begin[\s\S]*\[database_id\] = \(5\) OR \[database_id\] = \(7\)/,
    );
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5, 7]);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    server.nowUtc = time(600);
    await poll();
    assert.equal(monitor.capture?.ledger().checkpoints, 20);
    // The fake's clock stands still during the change: the gap is a moment, and still told of.
    assert.deepEqual(gapsOf(monitor), [['databases changed', at(70), at(70), { before: [5, 6], after: [5, 7] }]]);
  });

  it('that were not recorded all the time are never taken for silent: their rates rest on the time in which they were', async () => {
    const { server, monitor, poll } = await track([5, 6]);
    await monitor.changeTrackedDatabases([5, 7]);
    server.nowUtc = time(3_660);
    await poll();
    const unrecorded = monitor.capture?.observation?.unrecorded ?? [];
    const names = monitor.capture?.databases.map(({ databaseId }) => databaseId) ?? [];
    assert.deepEqual(
      unrecorded.map(({ database, beginUtcMs, endUtcMs }) => [names[database], beginUtcMs, endUtcMs]).filter(([id]) => id === 6),
      [[6, at(60), at(3_660)]],
    );
    assert.equal(
      unrecorded.some(({ database }) => names[database] === 5),
      false,
    );
    assert.match(monitor.snapshot.verdicts.get(6)?.reason ?? '', /60\.0 s seen so far/);
    assert.doesNotMatch(monitor.snapshot.verdicts.get(5)?.reason ?? '', /Only/);
  });

  it('are told from those recorded before where somebody changed them while the session was stopped', async () => {
    const { server, monitor, timers } = await track([5]);
    Object.assign(server, { isRunning: false, nowUtc: time(70) });
    timers.fire(2_000);
    await readAll(monitor);
    await monitor.refresh();
    const predicate = '([database_id]=(5) OR [database_id]=(6))';
    Object.assign(server, { isRunning: true, startedLocal: '2026-03-02T10:00:20', predicate, nowUtc: time(3_660) });
    timers.fire(30_000);
    await readAll(monitor);
    await monitor.refresh();
    assert.deepEqual(gapsOf(monitor), [['session stopped', at(60), at(3_620), { before: [5], after: [5, 6] }]]);
    assert.match(monitor.snapshot.verdicts.get(6)?.reason ?? '', /40\.0 s seen so far/);
  });

  it('stay as they are where the change fails, with a gap of the moment all the same, and tracking goes on', async () => {
    const { server, monitor, poll } = await track([5, 6]);
    server.failures.set('session-change-databases', new ConnectionError('timedOut', 'No answer in time.'));
    await assert.rejects(monitor.changeTrackedDatabases([5]), /No answer in time/);
    server.failures.clear();
    Object.assign(server, { nowUtc: time(100), events: checkpoints(40, 0, 2) });
    await poll();
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.trackedDatabaseIds, gapsOf(monitor), monitor.capture?.ledger().checkpoints],
      ['tracking', [5, 6], [['databases changed', at(60), at(60), { before: [5, 6], after: [5, 6] }]], 40],
    );
  });

  it('are not changed where nothing is tracked, nor without the permission, which is named with what still works', async () => {
    const { server, monitor } = await watch();
    await assert.rejects(monitor.changeTrackedDatabases([5]), /are not being tracked/);
    await monitor.startTracking(null);
    server.permissions = { ...server.permissions, can_alter_event_session: '0', can_drop_session_event: '1', can_add_session_event: '0' };
    await monitor.refresh();
    await assert.rejects(
      monitor.changeTrackedDatabases([5]),
      /Changing the tracked databases needs ALTER ANY EVENT SESSION ADD EVENT, which the login dba does not have .* tracking goes on with the databases that it has\./,
    );
    assert.ok(!server.asked.includes('session-change-databases'));
  });
});

describe('A session left behind', () => {
  it('is told of on connecting, with its files and how large they are at most', async () => {
    const server = new FakeServer();
    Object.assign(server, { isDefined: true, file: 'CheckpointHealth_20260301T080000Z_3f9a1c2e.xel' });
    const monitor = createServerMonitor(surroundingsOf(server, new FakeTimers()));
    await monitor.refresh();
    assert.equal(monitor.snapshot.tracking.state, 'not tracking');
    assert.equal(
      monitor.snapshot.tracking.message,
      "The event session CheckpointHealth was left behind here and does not run; its files are CheckpointHealth_20260301T080000Z_3f9a1c2e_0_*.xel beside the error log (up to 250 MB by the session's settings: 5 files of 50 MB). Start Tracking makes it anew, Remove Tracking Session drops it.",
    );
    assert.deepEqual(await monitor.removeTracking(), [
      "CheckpointHealth_20260301T080000Z_3f9a1c2e_0_*.xel beside the error log (up to 250 MB by the session's settings: 5 files of 50 MB)",
    ]);
  });

  it('of that name that somebody else made is left alone and not called ours', async () => {
    const server = new FakeServer();
    Object.assign(server, { isDefined: true, file: 'E:\\traces\\theirs.xel' });
    const monitor = createServerMonitor(surroundingsOf(server, new FakeTimers()));
    await monitor.refresh();
    assert.equal(monitor.snapshot.tracking.message, null);
  });
});
