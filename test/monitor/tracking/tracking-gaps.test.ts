import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { ConnectionError } from '../../../src/hosts/host';
import type { FakeServer } from '../fake-server';
import { at, checkpoints, gapsOf, moved, running, time, track, watch } from '../watched-fake';

/** Tracks until 08:00:20, lets something happen, and looks again. */
async function disturb(second: number, change: Partial<FakeServer>) {
  const watched = await track();
  await watched.poll({ nowUtc: time(20) });
  await watched.poll({ nowUtc: time(second), ...change });
  return { ...watched, listGaps: () => gapsOf(watched.monitor) };
}

/** Takes a session up at 08:15:00 that was started half an hour before 08:00. */
async function takeUp(change: Partial<FakeServer>) {
  const watched = await watch();
  Object.assign(watched.server, running, { startedLocal: '2026-03-02T08:30:00', nowUtc: time(900), events: checkpoints(10, 100) }, change);
  await watched.monitor.startTracking(null);
  await watched.poll();
  return watched;
}

describe('What tracking says was not observed', () => {
  it('is the time in which the session was stopped; tracking goes on by itself when it runs again', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, { isRunning: false, events: checkpoints(3) });
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.deepEqual(listGaps(), [['session stopped', at(20), at(40)]]);
    const later = moved(checkpoints(3, 60), 50_000);
    await poll({ isRunning: true, startedLocal: '2026-03-02T09:01:40', nowUtc: time(110) }, 30_000);
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    assert.deepEqual(listGaps(), [['session stopped', at(20), at(100)]]);
    await poll({ nowUtc: time(200), events: [...server.events, ...later] });
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([ledger?.checkpoints, ledger && findUnaccountedRows(ledger)], [6, 0]);
    assert.equal(monitor.snapshot.tracking.observation?.endUtcMs, at(200));
  });

  it('is the time without the session if it was dropped and made again, with files of another name', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, { isDefined: false, isRunning: false });
    assert.deepEqual(listGaps(), [['session dropped', at(20), at(40)]]);
    const other = { isDefined: true, isRunning: true, definitionId: 65_600, file: 'Other.xel', fileName: 'Other_0_1.xel' };
    await poll({ ...other, startedLocal: '2026-03-02T09:01:00', nowUtc: time(200), events: checkpoints(2, 40) }, 30_000);
    assert.deepEqual(listGaps(), [
      ['session dropped', at(20), at(40)],
      ['session replaced', at(20), at(60)],
    ]);
    assert.ok(server.texts.some((text) => text.includes("N'Other_0_*.xel'")));
    assert.equal(monitor.capture?.ledger().checkpoints, 2);
  });

  it('lasts as long as a changed session records only one of the two events', async () => {
    const { monitor, listGaps } = await disturb(40, { hasEnd: '0' });
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.match(monitor.snapshot.tracking.message ?? '', /does not record both the begin and the end/);
    assert.deepEqual(listGaps(), [['session replaced', at(20), at(40)]]);
  });

  it('begins before the last look if the server restarted: events in its buffers may be lost', async () => {
    const again = { serverStartedLocal: '2026-03-02T09:00:30', startedLocal: '2026-03-02T09:00:32' };
    const { listGaps } = await disturb(60, again);
    assert.deepEqual(listGaps(), [['server restarted', at(5), at(32)]]);
    const { listGaps: listLasting } = await disturb(60, { serverStartedLocal: '2026-03-02T09:00:30', isRunning: false });
    assert.deepEqual(listLasting(), [['server restarted', at(5), at(60)]]);
  });

  it('is the time between two looks if the server counted lost events or lost buffers, each counted apart', async () => {
    const { monitor, listGaps } = await disturb(40, { droppedEvents: 10 });
    assert.deepEqual(listGaps(), [['events lost', at(20), at(40)]]);
    assert.deepEqual([monitor.snapshot.tracking.lostEvents, monitor.snapshot.tracking.lostBuffers], [10, 0]);
    const { monitor: other, listGaps: listOther } = await disturb(40, { droppedBuffers: 2 });
    assert.deepEqual(listOther(), [['events lost', at(5), at(40)]]);
    assert.deepEqual([other.snapshot.tracking.lostEvents, other.snapshot.tracking.lostBuffers], [0, 2]);
    assert.match(other.snapshot.tracking.observation?.gaps[0]?.reason ?? '', /lost 2 whole buffers of events/);
  });

  it('prevents pairing of a begin and an end if events between them were lost, however near they are', async () => {
    const { monitor } = await disturb(60, {
      droppedEvents: 5,
      events: [
        { kind: 'begin', databaseId: 5, at: time(22), sequence: 1, offset: 512 },
        { kind: 'end', databaseId: 5, at: time(30), sequence: 4, offset: 512 },
      ],
    });
    assert.deepEqual([monitor.capture?.ledger().checkpoints, monitor.capture?.ledger().unpaired], [0, 2]);
  });

  it('is the time that the clock went through twice', async () => {
    const { monitor, listGaps, poll } = await disturb(40, {});
    assert.deepEqual(listGaps(), []);
    await poll({ nowUtc: time(10) });
    assert.deepEqual(listGaps(), [['clock moved back', at(10 - 15), at(40 + 15)]]);
    await poll({ nowUtc: time(90) });
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.snapshot.tracking.observation?.endUtcMs], ['tracking', at(90)]);
  });

  it('grows while the permission is missing, and goes once the events that waited in their files were read', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, {});
    const refusal = new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300);
    server.failures.set('event-session', refusal);
    for (const second of [60, 80]) {
      await poll({ nowUtc: time(second) });
      assert.deepEqual(listGaps(), [['permission lost', at(40), at(second)]]);
    }
    assert.match(monitor.snapshot.tracking.message ?? '', /could not be read: VIEW SERVER STATE permission was denied/);
    server.failures.clear();
    await poll({ nowUtc: time(100), events: checkpoints(20) });
    assert.deepEqual([listGaps(), monitor.capture?.ledger().checkpoints, monitor.snapshot.tracking.message], [[], 20, null]);
  });

  it('stays if the session did not go on while the permission was missing', async () => {
    const { server, listGaps, poll } = await disturb(40, {});
    server.failures.set('event-session', new ConnectionError('permissionDenied', 'Denied.', 300));
    await poll({ nowUtc: time(60) });
    server.failures.clear();
    await poll({ nowUtc: time(100), startedLocal: '2026-03-02T09:01:10' });
    assert.deepEqual(listGaps(), [['session stopped', at(40), at(70)]]);
  });

  it('is nothing if the connection was lost or timed out while the events waited', async () => {
    for (const reason of ['disconnected', 'timedOut'] as const) {
      const { server, monitor, listGaps, poll } = await disturb(40, {});
      server.failures.set('*', new ConnectionError(reason, 'No answer.'));
      await poll({ nowUtc: time(60) });
      assert.equal(monitor.snapshot.tracking.observation?.endUtcMs, at(40), 'what was not read is not observed');
      assert.match(monitor.snapshot.tracking.message ?? '', /could not be read: No answer/);
      server.failures.clear();
      await poll({ nowUtc: time(100), events: checkpoints(20) });
      assert.deepEqual([listGaps(), monitor.capture?.ledger().checkpoints], [[], 20]);
    }
  });

  it('is everything if the files of a running session are not there', async () => {
    const { server, monitor, poll } = await watch();
    server.failures.set('checkpoint-events', new ConnectionError('queryFailed', 'No such file.', 25718));
    await monitor.startTracking(null);
    await poll({ nowUtc: time(60) });
    assert.match(monitor.snapshot.tracking.message ?? '', /files of the event session were not found/);
    assert.equal(monitor.snapshot.tracking.observation?.endUtcMs, at(0));
  });

  it('is the time around a damaged part of a file that the server skipped', async () => {
    const { server, monitor, listGaps, poll } = await disturb(60, { events: checkpoints(10, 5), notices: [50_000] });
    assert.deepEqual(listGaps(), []);
    const more = moved(checkpoints(10, 40), 50_000);
    await poll({ events: [...server.events, ...more], nowUtc: time(130), notices: [25_720] });
    assert.deepEqual(listGaps(), [['damaged file', at(30 - 15), at(100 + 15)]]);
    await poll({ nowUtc: time(400), notices: [] });
    assert.equal(monitor.capture?.ledger().checkpoints, 10, 'those from before, and none that touches it');
  });

  it('is the moment in which somebody changed the tracked databases of the running session', async () => {
    const { monitor, listGaps } = await disturb(40, { predicate: '([database_id]=(5))' });
    assert.deepEqual([listGaps(), monitor.snapshot.trackedDatabaseIds], [[['databases changed', at(20), at(40)]], [5]]);
  });

  it('is the time before the first file that is left, if a running session is taken up', async () => {
    for (const [maxRolloverFiles, beginUtcMs] of [
      ['2', at(201 + 15)],
      ['4', at(-1_800)],
    ] as const) {
      const { snapshot } = (await takeUp({ maxRolloverFiles })).monitor;
      assert.deepEqual([snapshot.tracking.observation?.beginUtcMs, snapshot.trackingSinceUtcMs], [beginUtcMs, beginUtcMs]);
    }
  });

  it('is all the time before a running session was taken up, if it had lost events by then: nobody knows when', async () => {
    const { monitor } = await takeUp({ droppedEvents: 2 });
    assert.deepEqual(gapsOf(monitor), [['events lost', at(-1_800), at(900)]]);
    assert.deepEqual([monitor.capture?.columns.rows, monitor.capture?.ledger().unpaired], [0, 20]);
  });

  it('leaves out checkpoints from before the session was started, even if its files have them', async () => {
    const { monitor } = await takeUp({ startedLocal: '2026-03-02T09:01:00', events: [...checkpoints(10), ...checkpoints(10, 100)] });
    assert.deepEqual([monitor.capture?.columns.rows, monitor.snapshot.tracking.observation?.beginUtcMs], [10, at(60)]);
  });
});

describe('A capture whose server changes', () => {
  it('is kept with a gap and leaves the screen if another server answers, and nothing of that server gets into it', async () => {
    const { monitor, surroundings, poll } = await disturb(60, { events: checkpoints(3) });
    const kept: KeptRecord[] = [];
    const keep = (record: KeptRecord): Promise<void> => Promise.resolve(void kept.push(record));
    Object.assign(surroundings.captures, { keep, recover: () => Promise.resolve(null) });
    await poll({ name: 'PROD-SQL08', nowUtc: time(90), events: checkpoints(50), startedLocal: '2026-03-02T08:00:00' });
    assert.deepEqual(
      kept.map(({ serverName, columns, observation }) => [serverName, columns.rows, observation?.gaps.map(({ kind }) => kind)]),
      [['PROD-SQL07', 3, ['failover']]],
    );
    await monitor.refresh();
    assert.equal(monitor.snapshot.facts?.server.serverName, 'PROD-SQL08');
    await poll();
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.capture?.ledger().rowsRead], ['tracking', 100]);
    assert.equal(monitor.snapshot.tracking.observation?.beginUtcMs, at(-3_600));
  });

  it('asks for events of its own server only', async () => {
    const { server } = await disturb(60, {});
    const reads = server.texts.filter((text) => /Checkpoint Health: .*checkpoint-events/.test(text));
    assert.ok(reads.length > 0 && reads.every((text) => text.includes("SERVERPROPERTY(N'ServerName')) = N'PROD-SQL07'")));
  });
});
