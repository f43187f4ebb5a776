import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError } from '../../../src/hosts/host';
import { FakeServer } from '../fake-server';
import { at, checkpoints, gapsOf, listChanges, moved, running, time, track, watch } from '../watched-fake';

/** The file in which a session of 08:00 began: its name bears the time. */
const first = `D:\\Log\\CheckpointHealth_0_${(BigInt(at(0)) + 11_644_473_600_000n) * 10_000n}.xel`;

describe('Tracking that is interrupted, or found running', () => {
  it('marks a gap if the session was stopped and started again between two reads, and pairs nothing across it', async () => {
    const { monitor, poll } = await track();
    await poll({ nowUtc: time(20) });
    await poll({
      startedLocal: '2026-03-02T09:00:40',
      events: [
        { kind: 'begin', databaseId: 5, at: time(19), sequence: 1, offset: 512 },
        { kind: 'end', databaseId: 5, at: time(50), sequence: 2, offset: 1024 },
      ],
      nowUtc: time(120),
    });
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    const reason = 'The event session was stopped and started again.';
    assert.deepEqual(monitor.snapshot.tracking.observation?.gaps, [
      { kind: 'session stopped', beginUtcMs: at(20), endUtcMs: at(40), reason },
    ]);
    assert.deepEqual([monitor.capture?.ledger().checkpoints, monitor.capture?.ledger().unpaired], [0, 2]);
  });

  it('does not take a running session of our name without event files for its own: its silence would look like health', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, { isDefined: true, isRunning: true, file: null });
    await assert.rejects(monitor.startTracking(null), /Checkpoint Health did not make it: it does not record both /);
    assert.deepEqual(listChanges(server), []);
    const { monitor: next } = await watch([], server);
    assert.equal(next.snapshot.tracking.state, 'not tracking');
  });

  it('says so if the answer to the events cannot be read, and does not show a server without checkpoints', async () => {
    const { server, monitor, poll } = await track();
    const { eventColumns } = server;
    await poll({ eventColumns: ['event_data', 'file_name', 'file_offset'] });
    assert.match(monitor.snapshot.tracking.message ?? '', /New events could not be read: The query returned no column "event_name"/);
    assert.equal(monitor.snapshot.tracking.trouble, 'not read');
    await poll({ eventColumns });
    assert.equal(monitor.snapshot.tracking.trouble, null);
  });

  it('does not guess the recorded databases from a predicate that is not ours', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, running, { nowUtc: time(7_200), predicate: '([database_id]>(4) AND [database_id]=(5))' });
    await monitor.startTracking(null);
    await monitor.refresh();
    assert.equal(monitor.snapshot.verdicts.get(6)?.group, 'Automatic, not measured');
  });

  it('still takes up the running session when the connection was lost at first sight', async () => {
    const server = Object.assign(new FakeServer(), running);
    server.failures.set('event-session', new ConnectionError('disconnected', 'The connection was lost.'));
    const { monitor } = await watch([], server);
    assert.equal(monitor.snapshot.connection, 'failed');
    server.failures.clear();
    await monitor.refresh();
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
  });

  it('says nothing about databases that a recovered capture did not track, or that have the id since, but does about a renamed one', async () => {
    const kept: KeptRecord[] = [];
    const { server, monitor } = await track([5], kept);
    Object.assign(server, { events: checkpoints(1), nowUtc: time(3_600) });
    await monitor.stopTracking();
    const { server: again, monitor: next } = await watch(kept);
    const groupOf = (databaseId: number) => next.snapshot.verdicts.get(databaseId)?.group;
    assert.deepEqual([groupOf(5), groupOf(6)], ['Quiet', 'Automatic, not measured']);
    const renamed = { id: 5, name: 'Another', target: '0' };
    again.databases = [renamed];
    await next.refresh();
    assert.equal(groupOf(5), 'Quiet');
    again.databases = [{ ...renamed, created: '2026-03-02T09:30:00' }];
    await next.refresh();
    assert.equal(groupOf(5), 'Automatic, not measured');
  });

  it('says so when the session was stopped elsewhere, keeps what it read, and does not call the rest observed', async () => {
    const { monitor, poll } = await track();
    await poll({ nowUtc: time(20) });
    await poll({ isRunning: false, events: checkpoints(5), nowUtc: time(600) });
    const { state, trouble, message, observation } = monitor.snapshot.tracking;
    assert.deepEqual([state, trouble], ['stopped', 'session gone']);
    assert.match(message ?? '', /stopped outside Checkpoint Health/);
    assert.equal(monitor.capture?.ledger().checkpoints, 5);
    assert.deepEqual([gapsOf(monitor), observation?.endUtcMs], [[['session stopped', at(20), at(600)]], at(600)]);
  });

  it('goes on following our session in the next window, if it was left running', async () => {
    const server = Object.assign(new FakeServer(), running, { nowUtc: time(60), events: checkpoints(3) });
    const { monitor, poll } = await watch([], server);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    await poll({}, 0);
    assert.equal(monitor.capture?.ledger().checkpoints, 3);
    assert.deepEqual(listChanges(server), []);
  });

  it('takes up a session of ours that is running already', async () => {
    const { server, monitor, poll } = await watch();
    Object.assign(server, running, { predicate: '([database_id]=(5))', nowUtc: time(60), events: checkpoints(3) });
    await monitor.startTracking(null);
    await poll();
    assert.ok(!server.asked.includes('session-create'));
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5]);
    assert.equal(monitor.snapshot.trackingSinceUtcMs, at(0));
    assert.equal(monitor.capture?.ledger().checkpoints, 3);
  });

  it('marks a gap if the files rolled over before they were read', async () => {
    const { monitor, poll } = await track();
    await poll({ events: checkpoints(10), nowUtc: time(30) });
    await poll({
      fileName: 'CheckpointHealth_0_2.xel',
      events: checkpoints(10, 30),
      nowUtc: time(120),
    });
    // From what was surely read at the last look to behind the first event that is left, each give or take the time that events lie in buffers.
    const [beginUtcMs, endUtcMs] = [at(15), at(76)];
    assert.deepEqual(monitor.snapshot.tracking.observation?.gaps, [
      { kind: 'files rolled over', beginUtcMs, endUtcMs, reason: 'The event files rolled over before they were read.' },
    ]);
    assert.equal(monitor.capture?.ledger().checkpoints, 9, 'seven before the gap, two behind it');
  });

  it('marks a gap too if the file in which the session began was gone before anything was read of it', async () => {
    const { server, monitor, poll } = await watch();
    Object.assign(server, { currentFile: first, fileName: first });
    await monitor.startTracking(null);
    await poll({ fileName: 'D:\\Log\\CheckpointHealth_0_2.xel', events: checkpoints(10, 30), nowUtc: time(120) });
    assert.deepEqual(
      monitor.snapshot.tracking.observation?.gaps.map(({ kind }) => kind),
      ['files rolled over'],
    );
    assert.equal(monitor.capture?.ledger().checkpoints, 2, 'those behind the gap');
  });

  it('reads all files of the name if the session runs again before anything was read, and leaves out what is older than its first run', async () => {
    const { server, monitor, poll } = await watch();
    Object.assign(server, { currentFile: first, fileName: first });
    await monitor.startTracking(null);
    const earlier = checkpoints(3).map((event) => ({ ...event, at: event.at.replace('T08', 'T07'), sequence: event.sequence + 500 }));
    const later = moved(checkpoints(4, 30), 9_000);
    await poll({
      currentFile: 'D:\\Log\\CheckpointHealth_0_2.xel',
      fileName: 'D:\\Log\\CheckpointHealth_0_2.xel',
      startedLocal: '2026-03-02T09:00:40',
      events: [...earlier, ...later],
      nowUtc: time(120),
    });
    assert.equal(monitor.capture?.ledger().checkpoints, 4);
  });
});
