import assert from 'node:assert/strict';
import type { GapKind } from '../../../src/core/session/gap';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { ConnectionError } from '../../../src/hosts/host';
import type { FakeServer } from '../fake-server';
import { checkpoints, readAll, time, watch } from '../watched-fake';

const at = (second: number): number => Date.UTC(2026, 2, 2, 8, 0, second);

/** Tracks until 08:00:20, lets something happen, and looks again. */
async function disturb(second: number, change: Partial<FakeServer>) {
  const watched = await watch();
  const { server, monitor, poll } = watched;
  await monitor.startTracking(null);
  server.nowUtc = time(20);
  await poll();
  Object.assign(server, { nowUtc: time(second), ...change });
  await poll();
  const listGaps = (): readonly (readonly [GapKind, number, number])[] =>
    (monitor.snapshot.tracking.observation?.gaps ?? []).map(({ kind, beginUtcMs, endUtcMs }) => [kind, beginUtcMs, endUtcMs]);
  /** What waits for a session that does not run. */
  const lookAgain = async (): Promise<void> => {
    watched.timers.fire(30_000);
    await readAll(monitor);
    await monitor.refresh();
  };
  return { ...watched, listGaps, lookAgain };
}

describe('What tracking says was not observed', () => {
  it('is the time in which the session was stopped, and it goes on by itself when it runs again', async () => {
    const { server, monitor, listGaps, lookAgain, poll } = await disturb(40, { isRunning: false, events: checkpoints(3) });
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.deepEqual(listGaps(), [['session stopped', at(20), at(40)]]);
    const later = checkpoints(3, 60).map((event) => ({ ...event, offset: event.offset + 50_000 }));
    Object.assign(server, { isRunning: true, startedLocal: '2026-03-02T09:01:40', nowUtc: time(110) });
    await lookAgain();
    assert.equal(monitor.snapshot.tracking.state, 'tracking');
    assert.deepEqual(listGaps(), [['session stopped', at(20), at(100)]]);
    Object.assign(server, { nowUtc: time(200), events: [...server.events, ...later] });
    await poll();
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([ledger?.checkpoints, ledger && findUnaccountedRows(ledger)], [6, 0]);
    assert.equal(monitor.snapshot.tracking.observation?.endUtcMs, at(200));
  });

  it('is the time without the session where it was dropped and made again, with files of another name', async () => {
    const { server, monitor, listGaps, lookAgain } = await disturb(40, { isDefined: false, isRunning: false });
    assert.deepEqual(listGaps(), [['session dropped', at(20), at(40)]]);
    Object.assign(server, { isDefined: true, isRunning: true, definitionId: 65_600, file: 'Other.xel', fileName: 'Other_0_1.xel' });
    Object.assign(server, { startedLocal: '2026-03-02T09:01:00', nowUtc: time(200), events: checkpoints(2, 40) });
    await lookAgain();
    assert.deepEqual(listGaps(), [
      ['session dropped', at(20), at(40)],
      ['session replaced', at(20), at(60)],
    ]);
    assert.ok(server.texts.some((text) => text.includes("N'Other_0_*.xel'")));
    assert.equal(monitor.capture?.ledger().checkpoints, 2);
  });

  it('lasts as long as a session that was changed records only one of the two events', async () => {
    const { monitor, listGaps } = await disturb(40, { hasEnd: '0' });
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.match(monitor.snapshot.tracking.message ?? '', /does not record both the begin and the end/);
    assert.deepEqual(listGaps(), [['session replaced', at(20), at(40)]]);
  });

  it('begins before the last look where the server restarted: what lay in its buffers may have gone with it', async () => {
    const again = { serverStartedLocal: '2026-03-02T09:00:30', startedLocal: '2026-03-02T09:00:32' };
    const { listGaps } = await disturb(60, again);
    assert.deepEqual(listGaps(), [['server restarted', at(5), at(32)]]);
    const { listGaps: listLasting } = await disturb(60, { serverStartedLocal: '2026-03-02T09:00:30', isRunning: false });
    assert.deepEqual(listLasting(), [['server restarted', at(5), at(60)]]);
  });

  it('is the time between two looks where the server counted lost events, or lost buffers, each as what it is', async () => {
    const { monitor, listGaps } = await disturb(40, { droppedEvents: 10 });
    assert.deepEqual(listGaps(), [['events lost', at(20), at(40)]]);
    assert.deepEqual([monitor.snapshot.tracking.lostEvents, monitor.snapshot.tracking.lostBuffers], [10, 0]);
    const { monitor: other, listGaps: listOther } = await disturb(40, { droppedBuffers: 2 });
    assert.deepEqual(listOther(), [['events lost', at(5), at(40)]]);
    assert.deepEqual([other.snapshot.tracking.lostEvents, other.snapshot.tracking.lostBuffers], [0, 2]);
    assert.match(other.snapshot.tracking.observation?.gaps[0]?.reason ?? '', /lost 2 whole buffers of events/);
  });

  it('makes no pair of a begin and an end between which others were lost, however near', async () => {
    const events = [
      { kind: 'begin', databaseId: 5, at: time(22), sequence: 1, offset: 512 },
      { kind: 'end', databaseId: 5, at: time(30), sequence: 4, offset: 512 },
    ] as const;
    const { monitor } = await disturb(60, { droppedEvents: 5, events: [...events] });
    assert.deepEqual([monitor.capture?.ledger().checkpoints, monitor.capture?.ledger().unpaired], [0, 2]);
  });

  it('is what the clock went through twice', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, {});
    assert.deepEqual(listGaps(), []);
    server.nowUtc = time(10);
    await poll();
    assert.deepEqual(listGaps(), [['clock moved back', at(10 - 15), at(40 + 15)]]);
    server.nowUtc = time(90);
    await poll();
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.snapshot.tracking.observation?.endUtcMs], ['tracking', at(90)]);
  });

  it('grows while the permission is missing, and is none once the events were read that waited in their files', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, {});
    const refusal = new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300);
    server.failures.set('event-session', refusal);
    for (const second of [60, 80]) {
      server.nowUtc = time(second);
      await poll();
      assert.deepEqual(listGaps(), [['permission lost', at(40), at(second)]]);
    }
    assert.match(monitor.snapshot.tracking.message ?? '', /could not be read: VIEW SERVER STATE permission was denied/);
    server.failures.clear();
    Object.assign(server, { nowUtc: time(100), events: checkpoints(20) });
    await poll();
    assert.deepEqual([listGaps(), monitor.capture?.ledger().checkpoints, monitor.snapshot.tracking.message], [[], 20, null]);
  });

  it('stays where the session did not go on while the permission was missing', async () => {
    const { server, listGaps, poll } = await disturb(40, {});
    server.failures.set('event-session', new ConnectionError('permissionDenied', 'Denied.', 300));
    server.nowUtc = time(60);
    await poll();
    server.failures.clear();
    Object.assign(server, { nowUtc: time(100), startedLocal: '2026-03-02T09:01:10' });
    await poll();
    assert.deepEqual(listGaps(), [['session stopped', at(40), at(70)]]);
  });

  it('is nothing where the connection was lost or timed out while the events waited', async () => {
    for (const reason of ['disconnected', 'timedOut'] as const) {
      const { server, monitor, listGaps, poll } = await disturb(40, {});
      server.failures.set('*', new ConnectionError(reason, 'No answer.'));
      server.nowUtc = time(60);
      await poll();
      assert.equal(monitor.snapshot.tracking.observation?.endUtcMs, at(40), 'what was not read is not observed');
      assert.match(monitor.snapshot.tracking.message ?? '', /could not be read: No answer/);
      server.failures.clear();
      Object.assign(server, { nowUtc: time(100), events: checkpoints(20) });
      await poll();
      assert.deepEqual([listGaps(), monitor.capture?.ledger().checkpoints], [[], 20]);
    }
  });

  it('is everything where the files of a running session are not there', async () => {
    const { server, monitor, poll } = await watch();
    server.failures.set('checkpoint-events', new ConnectionError('queryFailed', 'No such file.', 25718));
    await monitor.startTracking(null);
    server.nowUtc = time(60);
    await poll();
    assert.match(monitor.snapshot.tracking.message ?? '', /files of the event session were not found/);
    assert.equal(monitor.snapshot.tracking.observation?.endUtcMs, at(0));
  });

  it('is the time around a part of a file that the server skipped because it is damaged', async () => {
    const { server, monitor, listGaps, poll } = await disturb(60, { events: checkpoints(10, 5), notices: [50_000] });
    assert.deepEqual(listGaps(), []);
    const more = checkpoints(10, 40).map((event) => ({ ...event, offset: event.offset + 50_000 }));
    Object.assign(server, { events: [...server.events, ...more], nowUtc: time(130), notices: [25_720] });
    await poll();
    assert.deepEqual(listGaps(), [['damaged file', at(30 - 15), at(100 + 15)]]);
    Object.assign(server, { nowUtc: time(400), notices: [] });
    await poll();
    assert.equal(monitor.capture?.ledger().checkpoints, 10, 'those from before, and none that touches it');
  });

  it('is what the tracked databases were before they were changed on the running session', async () => {
    const { monitor, listGaps } = await disturb(40, { predicate: '([database_id]=(5))' });
    assert.deepEqual([listGaps(), monitor.snapshot.trackedDatabaseIds], [[['databases changed', at(20), at(40)]], [5]]);
  });

  it('is the time before the first file that is left, where a running session is taken up', async () => {
    const { server, monitor, poll } = await watch();
    const running = { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel', startedLocal: '2026-03-02T08:30:00' };
    Object.assign(server, { ...running, maxRolloverFiles: '2', nowUtc: time(900), events: checkpoints(10, 100) });
    await monitor.startTracking(null);
    await poll();
    assert.equal(monitor.snapshot.tracking.observation?.beginUtcMs, at(201 + 15));
    assert.equal(monitor.snapshot.trackingSinceUtcMs, at(201 + 15));
    const { server: whole, monitor: other, poll: pollOther } = await watch();
    Object.assign(whole, { ...running, maxRolloverFiles: '4', nowUtc: time(900), events: checkpoints(10, 100) });
    await other.startTracking(null);
    await pollOther();
    assert.equal(other.snapshot.tracking.observation?.beginUtcMs, Date.UTC(2026, 2, 2, 7, 30));
  });

  it('is all the time before a running session was taken up, where it had lost events by then: nobody knows when', async () => {
    const { server, monitor, poll } = await watch();
    const running = { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel', startedLocal: '2026-03-02T08:30:00' };
    Object.assign(server, { ...running, droppedEvents: 2, nowUtc: time(900), events: checkpoints(10, 100) });
    await monitor.startTracking(null);
    await poll();
    const gaps = monitor.snapshot.tracking.observation?.gaps.map(({ kind, beginUtcMs, endUtcMs }) => [kind, beginUtcMs, endUtcMs]);
    assert.deepEqual(gaps, [['events lost', Date.UTC(2026, 2, 2, 7, 30), at(900)]]);
    assert.deepEqual([monitor.capture?.columns.rows, monitor.capture?.ledger().unpaired], [0, 20]);
  });

  it('holds no checkpoint from before the session was started, which its files may hold', async () => {
    const { server, monitor, poll } = await watch();
    Object.assign(server, { isDefined: true, isRunning: true, file: 'CheckpointHealth.xel', startedLocal: '2026-03-02T09:01:00' });
    Object.assign(server, { nowUtc: time(900), events: [...checkpoints(10), ...checkpoints(10, 100)] });
    await monitor.startTracking(null);
    await poll();
    assert.deepEqual([monitor.capture?.columns.rows, monitor.snapshot.tracking.observation?.beginUtcMs], [10, at(60)]);
  });
});

describe('A capture whose server changes', () => {
  it('is kept with a gap and leaves the screen where another server answers, and nothing of that one gets into it', async () => {
    const { server, monitor, surroundings, poll } = await disturb(60, { events: checkpoints(3) });
    const kept: { serverName: string | null; rows: number; gaps: readonly string[] }[] = [];
    Object.assign(surroundings.captures, {
      keep: (record: { serverName: string | null; columns: { rows: number }; observation: { gaps: { kind: string }[] } | null }) => {
        kept.push({
          serverName: record.serverName,
          rows: record.columns.rows,
          gaps: (record.observation?.gaps ?? []).map(({ kind }) => kind),
        });
        return Promise.resolve();
      },
      recover: () => Promise.resolve(null),
    });
    Object.assign(server, { name: 'PROD-SQL08', nowUtc: time(90), events: checkpoints(50), startedLocal: '2026-03-02T08:00:00' });
    await poll();
    assert.deepEqual(kept, [{ serverName: 'PROD-SQL07', rows: 3, gaps: ['failover'] }]);
    await monitor.refresh();
    assert.equal(monitor.snapshot.facts?.server.serverName, 'PROD-SQL08');
    await poll();
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.capture?.ledger().rowsRead], ['tracking', 100]);
    assert.equal(monitor.snapshot.tracking.observation?.beginUtcMs, Date.UTC(2026, 2, 2, 7));
  });

  it('asks for events of its own server only', async () => {
    const { server } = await disturb(60, {});
    const reads = server.texts.filter((text) => /Checkpoint Health: .*checkpoint-events/.test(text));
    assert.ok(reads.length > 0 && reads.every((text) => text.includes("SERVERPROPERTY(N'ServerName')) = N'PROD-SQL07'")));
  });
});
