import assert from 'node:assert/strict';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
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
    const { server, monitor, poll } = await track(
      null,
      [],
      Object.assign(new FakeServer(), { droppedEvents: 3 }),
    );
    await poll({ events: checkpoints(10), nowUtc: time(60) });
    assert.equal(monitor.capture?.columns.rows, 10);
    await poll({ events: [...server.events, ...moved(checkpoints(10, 10), 10_000)], nowUtc: time(100) });
    const ledger = monitor.capture?.ledger();
    assert.deepEqual(
      [ledger?.checkpoints, ledger?.rowsRead, ledger?.duplicates, ledger && findUnaccountedRows(ledger)],
      [20, 40, 0, 0],
    );
    assert.equal(monitor.snapshot.tracking.lostEvents, 3);
  });

  for (const [what, each] of Object.entries({
    'never cuts a buffer if a page ends inside it': 7,
    'reads a buffer larger than a page': 5_000,
  }))
    it(what, async () => {
      const { monitor, poll } = await track();
      await poll({ events: checkpoints(2_500, 0, each), nowUtc: time(6_000) });
      const ledger = monitor.capture?.ledger();
      assert.deepEqual(
        [ledger?.rowsRead, ledger?.checkpoints, ledger?.duplicates, ledger?.unpaired],
        [5_000, 2_500, 0, 0],
      );
    });

  it('stops first, then reads what was recorded and what stopping wrote out, and keeps the data', async () => {
    const { server, monitor } = await track();
    Object.assign(server, { events: checkpoints(4), nowUtc: time(9) });
    await monitor.stopTracking();
    const { state, trouble, observation } = monitor.snapshot.tracking;
    assert.deepEqual(
      [state, trouble, observation],
      ['stopped', null, { beginUtcMs: at(0), endUtcMs: at(9), gaps: [] }],
    );
    assert.equal(monitor.capture?.ledger().checkpoints, 4);
    assert.ok(server.asked.indexOf('checkpoint-events') > server.asked.indexOf('session-stop'));
  });

  it('names the event files that stay on the server after removal, with their largest size', async () => {
    const { server, monitor } = await track();
    server.events = checkpoints(1);
    await monitor.stopTracking();
    const left =
      "CheckpointHealth_0_*.xel beside the error log (up to 250 MB by the session's settings: 5 files of 50 MB)";
    assert.deepEqual(await monitor.removeTracking(), [left]);
    assert.equal(server.isDefined, false);
    assert.equal(monitor.capture?.ledger().checkpoints, 1);
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
    server.permissions = {
      ...Object.fromEntries(granted),
      can_view_server_state: '0',
      can_alter_event_session: '0',
    };
    const { monitor } = await track(null, [], server);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
  });

  it('never starts twice, and says that there is nothing to stop', async () => {
    const { monitor } = await watch();
    const alreadySo = (sentence: RegExp) => (error: unknown) =>
      error instanceof AlreadySo && sentence.test(error.message);
    await assert.rejects(monitor.stopTracking(), alreadySo(/not being tracked/));
    await Promise.all([
      monitor.startTracking(null),
      assert.rejects(monitor.startTracking(null), alreadySo(/already being tracked/)),
    ]);
  });

  it('says so if the capture could not be kept, and stops all the same', async () => {
    const { monitor, surroundings } = await watch();
    Object.assign(surroundings.captures, { keep: () => Promise.reject(new Error('The disk is full.')) });
    await monitor.startTracking(null);
    await monitor.stopTracking();
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.equal(monitor.snapshot.tracking.message, 'The disk is full.');
  });
});
