import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/hosts/host';
import { FakeServer, installationOf } from '../fake-server';
import { at, checkpoints, time, track as trackOnly, watch } from '../watched-fake';
import { valuesOf } from '../../core/values-of';

const gapsOf = (monitor: Awaited<ReturnType<typeof watch>>['monitor']): readonly unknown[] =>
  valuesOf(monitor.snapshot.tracking.observation?.gaps, 'kind', 'beginUtcMs', 'endUtcMs', 'databases');

/** Both databases were tracked for a minute, with ten checkpoints of each read. */
async function track(databaseIds: readonly number[] | null) {
  const watched = await trackOnly(databaseIds);
  await watched.poll({ events: checkpoints(20, 0, 2), nowUtc: time(60) });
  return watched;
}

describe('The databases of a running session', () => {
  it('are changed without waiting for a read, with a gap at the moment of the change, and nothing captured is lost', async () => {
    const { server, monitor, surroundings, poll } = await track([5, 6]);
    server.nowUtc = time(70);
    const before = server.asked.length;
    await monitor.changeTrackedDatabases([5, 7]);
    const asked = server.asked.slice(before);
    assert.ok(
      asked.indexOf('checkpoint-events') > asked.indexOf('session-change-databases'),
      'read afterwards',
    );
    assert.ok(
      asked.lastIndexOf('event-session') > asked.indexOf('session-change-databases'),
      'looked at again at once',
    );
    assert.match(
      surroundings.logged.at(-1) ?? '',
      /DROP EVENT sqlserver\.checkpoint_begin[\s\S]*\[database_id\] = \(5\) OR \[database_id\] = \(7\)/,
    );
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5, 7]);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    await poll({ nowUtc: time(600) });
    assert.equal(monitor.capture?.ledger().checkpoints, 20);
    // The fake's clock stands still during the change: the gap is a moment, and still told of.
    assert.deepEqual(gapsOf(monitor), [
      ['databases changed', at(70), at(70), { before: [5, 6], after: [5, 7] }],
    ]);
  });

  it('are never taken for silent if they were not recorded all the time: their rates rest on the recorded time', async () => {
    const { monitor, poll } = await track([5, 6]);
    await monitor.changeTrackedDatabases([5, 7]);
    await poll({ nowUtc: time(3_660) });
    const unrecorded = monitor.capture?.observation?.unrecorded ?? [];
    const names = monitor.capture?.databases.map(({ databaseId }) => databaseId) ?? [];
    const left = unrecorded.map(({ database, beginUtcMs, endUtcMs }) => [
      names[database],
      beginUtcMs,
      endUtcMs,
    ]);
    assert.deepEqual(
      left.filter(([id]) => id === 5 || id === 6),
      [[6, at(60), at(3_660)]],
    );
    assert.match(monitor.snapshot.verdicts.get(6)?.reason ?? '', /60\.0 s seen so far/);
    assert.doesNotMatch(monitor.snapshot.verdicts.get(5)?.reason ?? '', /Only/);
  });

  it('are noticed if somebody changed them while the session was stopped', async () => {
    const { monitor, poll } = await track([5]);
    await poll({ isRunning: false, nowUtc: time(70) });
    const predicate = '([database_id]=(5) OR [database_id]=(6))';
    await poll(
      { isRunning: true, startedLocal: '2026-03-02T10:00:20', predicate, nowUtc: time(3_660) },
      30_000,
    );
    assert.deepEqual(gapsOf(monitor), [
      ['session stopped', at(60), at(3_620), { before: [5], after: [5, 6] }],
    ]);
    assert.match(monitor.snapshot.verdicts.get(6)?.reason ?? '', /40\.0 s seen so far/);
  });

  it('stay as they are if the change fails, with a gap at that moment too, and tracking goes on', async () => {
    const { server, monitor, poll } = await track([5, 6]);
    server.failures.set('session-change-databases', new ConnectionError('timedOut', 'No answer in time.'));
    await assert.rejects(monitor.changeTrackedDatabases([5]), /No answer in time/);
    server.failures.clear();
    await poll({ nowUtc: time(100), events: checkpoints(40, 0, 2) });
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.trackedDatabaseIds],
      ['tracking', [5, 6]],
    );
    assert.deepEqual(gapsOf(monitor), [
      ['databases changed', at(60), at(60), { before: [5, 6], after: [5, 6] }],
    ]);
    assert.equal(monitor.capture?.ledger().checkpoints, 40);
  });

  it('are not changed if nothing is tracked, nor without the permission, which is named with what still works', async () => {
    const { server, monitor } = await watch();
    await assert.rejects(monitor.changeTrackedDatabases([5]), /are not being tracked/);
    await monitor.startTracking(null);
    server.permissions = {
      ...server.permissions,
      can_alter_event_session: '0',
      can_drop_session_event: '1',
      can_add_session_event: '0',
    };
    await monitor.refresh();
    await assert.rejects(
      monitor.changeTrackedDatabases([5]),
      /Changing the tracked databases needs ALTER ANY EVENT SESSION ADD EVENT, which the login dba does not have .* tracking continues with the current databases\./,
    );
    assert.ok(!server.asked.includes('session-change-databases'));
  });

  it('are not changed if the session is gone by then: tracking counts as stopped at once, and may be started again', async () => {
    const { server, monitor } = await track(null);
    Object.assign(server, { isDefined: false, isRunning: false, nowUtc: time(70) });
    await assert.rejects(monitor.changeTrackedDatabases([5]), /not make|no event session|changed/);
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    await monitor.startTracking(null);
  });
});

describe('A session left behind', () => {
  it('is mentioned on connecting, with its files and their largest size', async () => {
    const installation = installationOf();
    const mark = installation.newMark();
    await installation.keepStarted({ mark, startedLocalMs: null });
    const file = 'CheckpointHealth_20260301T080000Z_3f9a1c2e.xel';
    const { monitor } = await watch(
      [],
      Object.assign(new FakeServer(), { isDefined: true, file, mark }),
      installation,
    );
    assert.equal(monitor.snapshot.tracking.state, 'not tracking');
    const files =
      "CheckpointHealth_20260301T080000Z_3f9a1c2e_0_*.xel beside the error log (up to 250 MB by the session's settings: 5 files of 50 MB)";
    assert.equal(
      monitor.snapshot.tracking.message,
      `The event session CheckpointHealth was left on this server and is not running. Its files: ${files}. Start Tracking replaces it; Remove Tracking Session drops it.`,
    );
    assert.deepEqual(await monitor.removeTracking(), [files]);
  });

  it('is left alone and not called ours if somebody else made it', async () => {
    const { monitor } = await watch(
      [],
      Object.assign(new FakeServer(), { isDefined: true, file: 'E:\\traces\\theirs.xel' }),
    );
    assert.equal(monitor.snapshot.tracking.message, null);
  });
});
