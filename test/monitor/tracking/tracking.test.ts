import assert from 'node:assert/strict';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError } from '../../../src/hosts/host';
import { AlreadySo } from '../../../src/monitor/queries/failure';
import { FakeServer } from '../fake-server';
import { at, checkpoints, listChanges, moved, time, track, watch } from '../watched-fake';

describe('Tracking', () => {
  it('creates and starts our session only on the click, and logs the T-SQL that it runs', async () => {
    const { server, surroundings, monitor } = await watch();
    assert.deepEqual(listChanges(server), []);
    await monitor.startTracking([5, 6]);
    assert.deepEqual(listChanges(server), ['session-create', 'session-start']);
    assert.match(
      surroundings.logged[0] ?? '',
      /CREATE EVENT SESSION \[CheckpointHealth\][\s\S]*\[database_id\] = \(5\) OR \[database_id\] = \(6\)/,
    );
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    assert.equal(monitor.snapshot.trackingSinceUtcMs, at(0));
  });

  it('reads only what is new, pairs what is old enough, and accounts for every row', async () => {
    const { server, monitor, poll } = await track(null, [], Object.assign(new FakeServer(), { droppedEvents: 3 }));
    await poll({ events: checkpoints(10), nowUtc: time(60) });
    assert.equal(monitor.capture?.columns.rows, 10);
    await poll({
      events: [...server.events, ...moved(checkpoints(10, 10), 10_000)],
      nowUtc: time(100),
    });
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([ledger?.checkpoints, ledger?.rowsRead, ledger?.duplicates, ledger && findUnaccountedRows(ledger)], [20, 40, 0, 0]);
    assert.equal(monitor.snapshot.tracking.lostEvents, 3);
  });

  it('never cuts a buffer if a page ends inside it', async () => {
    const { monitor, poll } = await track();
    await poll({ events: checkpoints(2_500, 0, 7), nowUtc: time(6_000) });
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([ledger?.rowsRead, ledger?.checkpoints, ledger?.duplicates, ledger?.unpaired], [5_000, 2_500, 0, 0]);
  });

  it('reads a buffer larger than a page', async () => {
    const { monitor, poll } = await track();
    await poll({ events: checkpoints(2_500, 0, 5_000), nowUtc: time(6_000) });
    assert.equal(monitor.capture?.ledger().checkpoints, 2_500);
  });

  it('stops first, then reads what was recorded and what stopping wrote out, and keeps the data', async () => {
    const { server, monitor } = await track();
    Object.assign(server, { events: checkpoints(4), nowUtc: time(9) });
    await monitor.stopTracking();
    const { state, trouble, observation } = monitor.snapshot.tracking;
    assert.deepEqual([state, trouble, observation], ['stopped', null, { beginUtcMs: at(0), endUtcMs: at(9), gaps: [] }]);
    assert.equal(monitor.capture?.ledger().checkpoints, 4);
    assert.ok(server.asked.indexOf('checkpoint-events') > server.asked.indexOf('session-stop'));
  });

  it('names the event files that stay on the server after removal, with their largest size, and those of earlier versions if there are any', async () => {
    const own = "CheckpointHealth_0_*.xel beside the error log (up to 250 MB by the session's settings: 5 files of 50 MB)";
    const earlier = 'CheckpointHealth_2*.xel beside the error log (of earlier versions of Checkpoint Health: up to 250 MB for each start)';
    for (const hasEarlierFiles of [false, true]) {
      const { server, monitor } = await track();
      Object.assign(server, { hasEarlierFiles, events: checkpoints(1) });
      await monitor.stopTracking();
      assert.deepEqual(await monitor.removeTracking(), hasEarlierFiles ? [own, earlier] : [own]);
      assert.equal(server.isDefined, false);
      assert.equal(monitor.capture?.ledger().checkpoints, 1);
    }
  });

  it('goes on after an error, from the same place, and says what happened meanwhile', async () => {
    const { server, monitor, poll } = await track();
    server.failures.set('checkpoint-events', new ConnectionError('disconnected', 'The connection was lost.'));
    await poll({ events: checkpoints(5), nowUtc: time(60) });
    assert.match(monitor.snapshot.tracking.message ?? '', /^New events could not be read: The connection was lost\.$/);
    server.failures.clear();
    await poll();
    assert.equal(monitor.snapshot.tracking.message, null);
    assert.equal(monitor.capture?.ledger().checkpoints, 5);
  });

  it('shows a server whose sessions this login may not see', async () => {
    const server = new FakeServer();
    server.failures.set('event-session', new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300));
    const { monitor } = await watch([], server);
    assert.equal(monitor.snapshot.connection, 'connected');
  });

  const { permissions } = new FakeServer();
  for (const [title, change, sentence] of [
    [
      'names the permission that is missing, and changes nothing then',
      { permissions: { ...permissions, can_alter_event_session: '0', can_view_server_state: '0' } },
      /Tracking needs ALTER ANY EVENT SESSION and VIEW SERVER STATE, which the login dba does not have/,
    ],
    [
      'says on which platforms it is not possible, and asks nothing of the session there',
      { engineEdition: '5' },
      /PROD-SQL07 is Azure SQL Database, which has no event sessions for the whole server/,
    ],
  ] as const)
    it(title, async () => {
      const { server, monitor } = await watch([], Object.assign(new FakeServer(), change));
      await assert.rejects(monitor.startTracking(null), sentence);
      assert.deepEqual(listChanges(server), []);
    });

  it('allows the two permissions of SQL Server 2022 in place of one', async () => {
    const server = new FakeServer();
    const granted = Object.keys(permissions).map((name) => [name, '1']);
    server.permissions = { ...Object.fromEntries(granted), can_view_server_state: '0', can_alter_event_session: '0' };
    const { monitor } = await track(null, [], server);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
  });

  it('goes on tracking if the stop was refused', async () => {
    const { server, monitor } = await track();
    server.failures.set('session-stop', new ConnectionError('permissionDenied', 'You may not.', 15151));
    await assert.rejects(monitor.stopTracking(), /You may not/);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    assert.match(monitor.snapshot.tracking.message ?? '', /could not be stopped: You may not\./);
  });

  it('never starts twice, and says that there is nothing to stop', async () => {
    const { monitor } = await watch();
    const alreadySo = (sentence: RegExp) => (error: unknown) => error instanceof AlreadySo && sentence.test(error.message);
    await assert.rejects(monitor.stopTracking(), alreadySo(/not being tracked/));
    await Promise.all([monitor.startTracking(null), assert.rejects(monitor.startTracking(null), alreadySo(/already being tracked/))]);
  });

  it('keeps the capture when tracking ends, and shows it again in the next window', async () => {
    const kept: KeptRecord[] = [];
    const { server, monitor } = await track(null, kept);
    Object.assign(server, { events: checkpoints(4), nowUtc: time(9) });
    await monitor.stopTracking();
    const { monitor: next } = await watch(kept);
    assert.equal(next.snapshot.tracking.state, 'stopped');
    assert.match(next.snapshot.tracking.message ?? '', /This capture is from the last time/);
    assert.equal(next.capture?.columns.rows, 4);
    assert.deepEqual(next.snapshot.tracking.observation, monitor.snapshot.tracking.observation);
  });

  it('says so if the capture could not be kept, and stops all the same', async () => {
    const { monitor, surroundings } = await watch();
    Object.assign(surroundings.captures, { keep: () => Promise.reject(new Error('The disk is full.')) });
    await monitor.startTracking(null);
    await monitor.stopTracking();
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.equal(monitor.snapshot.tracking.message, 'The disk is full.');
  });

  it('leaves no timer behind', async () => {
    const { timers, monitor } = await track();
    await monitor.dispose();
    assert.deepEqual(timers.delays, []);
  });
});
