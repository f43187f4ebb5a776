import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError } from '../../../src/hosts/host';
import { FakeServer } from '../fake-server';
import { at, checkpoints, listChanges, running, time, track, watch } from '../watched-fake';

describe('A session that is found running', () => {
  it('is not taken for our own if it has our name and no event files: its silence would look like health', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, { isDefined: true, isRunning: true, file: null });
    await assert.rejects(
      monitor.startTracking(null),
      /Checkpoint Health did not create it: it does not record both /,
    );
    assert.deepEqual(listChanges(server), []);
    const { monitor: next } = await watch([], server);
    assert.equal(next.snapshot.tracking.state, 'not tracking');
  });

  it('is followed by the next window, if it is ours, also when the connection was lost at first sight', async () => {
    for (const failure of [null, new ConnectionError('disconnected', 'The connection was lost.')]) {
      const server = Object.assign(new FakeServer(), running, { nowUtc: time(60), events: checkpoints(3) });
      if (failure !== null) server.failures.set('event-session', failure);
      const { monitor, poll } = await watch([], server);
      assert.equal(monitor.snapshot.connection, failure === null ? 'connected' : 'failed');
      server.failures.clear();
      await monitor.refresh();
      assert.equal(monitor.snapshot.tracking.state, 'tracking');
      await poll({}, 0);
      assert.deepEqual([monitor.capture?.ledger().checkpoints, listChanges(server)], [3, []]);
    }
  });

  it('is not taken for none after a failure that may pass: it is said that this cannot be told, and asked again', async () => {
    for (const number of [1205, 701, 1222, 8645]) {
      const server = Object.assign(new FakeServer(), running, { nowUtc: time(60), events: checkpoints(3) });
      server.failures.set('event-session', new ConnectionError('queryFailed', 'It passes.', number));
      const { monitor, timers, poll } = await watch([], server);
      const { connection, tracking } = monitor.snapshot;
      assert.deepEqual([connection, tracking.state], ['connected', 'failed']);
      assert.match(
        tracking.message ?? '',
        /^Tracking on PROD-SQL07: not known yet\. Checkpoint Health will ask again\. .*It passes\.$/,
      );
      server.failures.clear();
      assert.ok(timers.delays.includes(15_000), 'asked again without a click');
      await poll();
      await poll({}, 0);
      assert.deepEqual(
        [monitor.snapshot.tracking.state, monitor.capture?.ledger().checkpoints],
        ['tracking', 3],
      );
    }
  });

  it('is none where the server then says so, and where the login may not see it or it is not there', async () => {
    const server = new FakeServer();
    server.failures.set('event-session', new ConnectionError('queryFailed', 'It passes.', 1205));
    const { monitor } = await watch([], server);
    assert.equal(monitor.snapshot.tracking.state, 'failed');
    server.failures.clear();
    await monitor.refresh();
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.tracking.message],
      ['not tracking', null],
    );
    for (const fact of [
      new ConnectionError('permissionDenied', 'No.', 300),
      new ConnectionError('queryFailed', 'No such view.', 208),
    ]) {
      const other = new FakeServer();
      other.failures.set('event-session', fact);
      assert.equal((await watch([], other)).monitor.snapshot.tracking.state, 'not tracking');
    }
  });

  it('gives the events of its present run alone, also where it has stopped before they are read', async () => {
    const stored = { startedLocal: '2026-03-02T09:00:11', nowUtc: time(60), events: checkpoints(10) };
    const { monitor, poll } = await watch([], Object.assign(new FakeServer(), running, stored));
    await poll({ isRunning: false }, 0);
    assert.equal(monitor.capture?.ledger().checkpoints, 5);
  });

  it('is taken up with its databases by a click on Start', async () => {
    const { server, monitor, poll } = await watch();
    Object.assign(server, running, {
      predicate: '([database_id]=(5))',
      nowUtc: time(60),
      events: checkpoints(3),
    });
    await monitor.startTracking(null);
    await poll();
    assert.deepEqual(
      [listChanges(server), monitor.snapshot.trackedDatabaseIds, monitor.snapshot.trackingSinceUtcMs],
      [[], [5], at(0)],
    );
    assert.equal(monitor.capture?.ledger().checkpoints, 3);
  });

  it('records databases that are not guessed from a predicate that is not ours', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, running, {
      nowUtc: time(7_200),
      predicate: '([database_id]>(4) AND [database_id]=(5))',
    });
    await monitor.startTracking(null);
    await monitor.refresh();
    assert.equal(monitor.snapshot.verdicts.get(6)?.group, 'Automatic, not measured');
  });
});

describe('What tracking cannot tell', () => {
  it('is said if the answer to the events cannot be read: the server is not shown as one without checkpoints', async () => {
    const { server, monitor, poll } = await track();
    const { eventColumns } = server;
    await poll({ eventColumns: ['event_data', 'file_name', 'file_offset'] });
    assert.match(
      monitor.snapshot.tracking.message ?? '',
      /New events could not be read: The query returned no column "event_name"/,
    );
    assert.equal(monitor.snapshot.tracking.trouble, 'not read');
    await poll({ eventColumns });
    assert.equal(monitor.snapshot.tracking.trouble, null);
  });

  it('is all of databases that a recovered capture did not track, or that have the id since, but not of a renamed one', async () => {
    const kept: KeptRecord[] = [];
    const { server, monitor } = await track([5], kept);
    Object.assign(server, { events: checkpoints(1), nowUtc: time(3_600) });
    await monitor.stopTracking();
    const { server: again, monitor: next } = await watch(kept);
    const groupOf = (databaseId: number) => next.snapshot.verdicts.get(databaseId)?.group;
    assert.deepEqual(
      [groupOf(5), groupOf(6)],
      ['Automatic, not measured', 'Automatic, not measured'],
      'nobody waits is not said of a part',
    );
    const renamed = { id: 5, name: 'Another', target: '0' };
    again.databases = [renamed];
    await next.refresh();
    assert.equal(groupOf(5), 'Quiet');
    again.databases = [{ ...renamed, created: '2026-03-02T09:30:00' }];
    await next.refresh();
    assert.equal(groupOf(5), 'Automatic, not measured');
  });
});
