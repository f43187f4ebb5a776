import assert from 'node:assert/strict';
import { decodeCapture, encodeCapture } from '../../captures/kept-captures';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { type FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { at, checkpoints, gapsOf, moved, readAll, time, track } from '../watched-fake';

/** Tracks five checkpoints until 08:01:00 and closes the window. What is kept comes back through the bytes of its file. */
async function closeWindow(databaseIds: readonly number[] | null = null) {
  const kept: KeptRecord[] = [];
  const { server, monitor, poll } = await track(databaseIds, kept);
  await poll({ events: checkpoints(5), nowUtc: time(60) });
  // A begin whose end will be read in the next window.
  const begin = { kind: 'begin', databaseId: 5, at: time(59), sequence: 20, offset: 90_000 } as const;
  await poll({ events: [...server.events, begin], nowUtc: time(62) });
  await monitor.dispose();
  const last = kept[kept.length - 1];
  assert.ok(last !== undefined);
  const { capture, problem } = decodeCapture(encodeCapture({ ...last, serverLabel: 'fake' }));
  assert.equal(problem, null);
  return { server, kept: [capture as KeptRecord], id: last.id };
}

/** Another window on what the server has become. */
async function openWindow(server: FakeServer, kept: KeptRecord[], setAside?: (id: string, why: string) => Promise<string>) {
  const timers = new FakeTimers();
  const usual = surroundingsOf(server, timers, kept);
  const captures = { ...usual.captures, ...(setAside === undefined ? {} : { setAside }) };
  const surroundings = { ...usual, captures, newCaptureId: () => 'a-new-one' };
  const monitor = createServerMonitor(surroundings);
  await monitor.refresh();
  const poll = async (): Promise<void> => {
    timers.fire(0);
    await readAll(monitor);
    await monitor.refresh();
  };
  await poll();
  return { monitor, poll };
}

const later = (server: FakeServer): void => {
  const end = { kind: 'end', databaseId: 5, at: time(61), sequence: 21, offset: 95_000 } as const;
  const more = moved(checkpoints(4, 60), 100_000);
  Object.assign(server, { events: [...server.events, end, ...more], nowUtc: time(300) });
};

describe('A capture after the window was closed', () => {
  it('goes on: nothing twice, nothing missing, an old begin pairs with a new end, and the time between is observed', async () => {
    const { server, kept, id } = await closeWindow([5, 6]);
    later(server);
    const { monitor } = await openWindow(server, kept);
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([monitor.capture?.id, monitor.snapshot.tracking.state], [id, 'tracking']);
    assert.deepEqual([ledger?.checkpoints, ledger?.duplicates, ledger && findUnaccountedRows(ledger)], [10, 0, 0]);
    assert.deepEqual(monitor.snapshot.tracking.observation, { beginUtcMs: at(0), endUtcMs: at(300), gaps: [] });
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5, 6]);
    assert.ok(!server.asked.slice(server.asked.lastIndexOf('session-start') + 1).some((name) => name.startsWith('session-')), 'reads only');
  });

  it('gives new events to the database that has the id now, and leaves the old ones to the database before it', async () => {
    const { server, kept, id } = await closeWindow();
    later(server);
    // A minute and a half after 08:00; its clock is an hour ahead.
    server.databases = server.databases.map((one) => (one.id === 5 ? { ...one, name: 'heir', created: '2026-03-02T09:01:30' } : one));
    const { monitor } = await openWindow(server, kept);
    const { capture } = monitor;
    const names = Array.from(capture?.columns.database.subarray(0, capture.columns.rows) ?? [], (database, row) => {
      const isLater = (capture?.columns.beginUtcMs[row] ?? 0) >= at(90);
      return `${capture?.databases[database]?.databaseId} ${capture?.databases[database]?.name === 'heir' ? 'heir' : '-'} ${isLater ? 'later' : ''}`;
    });
    assert.deepEqual([capture?.id, capture?.generation, new Set(names)], [id, 1, new Set(['5 - ', '6 - ', '5 heir later', '6 - later'])]);
  });

  it('that cannot be restored is set aside and told of, and tracking begins again with what the files still hold', async () => {
    const { server, kept, id } = await closeWindow();
    later(server);
    const [good = assert.fail()] = kept;
    const { state } = good;
    assert.ok(state !== null);
    // Its account is short of a row, which no schema sees.
    const bad = { ...good, state: { ...state, plain: { ...state.plain, rowsRead: state.plain.rowsRead + 1 } } };
    const aside: unknown[] = [];
    const { monitor } = await openWindow(server, [bad], (...given) => {
      aside.push(given);
      return Promise.resolve('It was set aside.');
    });
    assert.deepEqual(aside, [[id, 'its account of rows does not add up']]);
    const { tracking } = monitor.snapshot;
    assert.deepEqual([monitor.capture?.id, tracking.state], ['a-new-one', 'tracking']);
    assert.match(tracking.message ?? '', /^It was set aside\./);
    assert.equal(monitor.capture?.ledger().checkpoints, 10, 'nothing that the files hold is lost');
  });

  it('has a gap if its session was stopped and started again meanwhile', async () => {
    const { server, kept, id } = await closeWindow();
    later(server);
    Object.assign(server, { startedLocal: '2026-03-02T09:01:40' });
    const { monitor } = await openWindow(server, kept);
    assert.deepEqual([monitor.capture?.id, gapsOf(monitor)], [id, [['session stopped', at(62), at(100)]]]);
    assert.equal(monitor.capture?.ledger().checkpoints, 10);
  });

  it('has a gap if the file in which it should go on is gone', async () => {
    const { server, kept, id } = await closeWindow();
    const more = moved(checkpoints(4, 60), 100_000);
    Object.assign(server, { fileName: 'CheckpointHealth_0_7.xel', events: more, nowUtc: time(300) });
    const { monitor } = await openWindow(server, kept);
    assert.deepEqual([monitor.capture?.id, gapsOf(monitor)], [id, [['files rolled over', at(62 - 15), at(121 + 15)]]]);
    assert.equal(monitor.capture?.ledger().checkpoints, 5, 'none that touches the gap');
  });

  it('stays as it was if another session runs by now, and a new capture begins', async () => {
    const { server, kept, id } = await closeWindow();
    later(server);
    Object.assign(server, { definitionId: 70_000, startedLocal: '2026-03-02T09:01:40' });
    const { monitor } = await openWindow(server, kept);
    assert.notEqual(monitor.capture?.id, id);
    assert.deepEqual([monitor.capture?.ledger().checkpoints, monitor.snapshot.tracking.observation?.beginUtcMs], [4, at(100)]);
  });

  it('is shown, and not followed, if the session does not run', async () => {
    const { server, kept, id } = await closeWindow([5]);
    Object.assign(server, { isRunning: false, nowUtc: time(300) });
    const { monitor } = await openWindow(server, kept);
    assert.deepEqual([monitor.capture?.id, monitor.snapshot.tracking.state, monitor.capture?.columns.rows], [id, 'stopped', 5]);
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5]);
    assert.equal(monitor.snapshot.verdicts.get(6)?.group, 'Automatic, not measured');
  });

  it('goes on too if the user starts tracking and the session runs already', async () => {
    const { server, kept, id } = await closeWindow();
    server.isRunning = false;
    const { monitor, poll } = await openWindow(server, kept);
    later(server);
    server.isRunning = true;
    await monitor.startTracking(null);
    await poll();
    assert.deepEqual([monitor.capture?.id, monitor.capture?.ledger().checkpoints], [id, 10]);
  });

  it('goes on through any number of windows', async () => {
    const { server, kept: first, id } = await closeWindow();
    let kept = first;
    for (let n = 1; n <= 4; n++) {
      const more = moved(checkpoints(3, 60 * n), 100_000 * n);
      Object.assign(server, { events: [...server.events, ...more], nowUtc: time(200 * n) });
      const { monitor } = await openWindow(server, kept);
      await monitor.dispose();
      kept = kept.slice(-1);
    }
    const { monitor } = await openWindow(server, kept);
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([monitor.capture?.id, ledger?.checkpoints, ledger?.duplicates, ledger && findUnaccountedRows(ledger)], [id, 17, 0, 0]);
  });
});

describe('A capture that grows', () => {
  it('is kept after every few minutes of observed time', async () => {
    const kept: KeptRecord[] = [];
    const { monitor, poll } = await track(null, kept);
    for (let second = 0; second <= 900; second += 10) {
      await poll({ nowUtc: time(second), events: checkpoints(second / 5) });
    }
    assert.equal(kept.length, 5);
    assert.ok(kept.every(({ id, following }) => id === monitor.capture?.id && following !== null));
  });

  it('is kept without a way to go on after we stopped its session', async () => {
    const kept: KeptRecord[] = [];
    const { monitor } = await track(null, kept);
    await monitor.stopTracking();
    assert.deepEqual(
      kept.map(({ following }) => following),
      [null],
    );
  });

  it('is kept as it is when the editor ends, even during a read, and nothing is missing later', async () => {
    const kept: KeptRecord[] = [];
    const { server, monitor, timers, surroundings } = await track(null, kept);
    Object.assign(server, { events: checkpoints(5), nowUtc: time(100) });
    let rowsAtEnd = -1;
    const { keep } = surroundings.captures;
    Object.assign(surroundings.captures, {
      keep: async (record: KeptRecord) => {
        const rows = record.columns.rows;
        for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
        rowsAtEnd = monitor.capture?.columns.rows ?? -1;
        assert.equal(rows, rowsAtEnd, 'nothing got into it meanwhile');
        await keep(record);
      },
    });
    timers.fire(2_000);
    await monitor.dispose();
    assert.notEqual(rowsAtEnd, -1);
    const { monitor: next } = await openWindow(server, kept);
    assert.deepEqual([next.capture?.ledger().checkpoints, next.capture?.ledger().duplicates], [5, 0]);
  });

  it('can go on later even if the editor ends while it is being kept', async () => {
    const kept: KeptRecord[] = [];
    const { monitor } = await track(null, kept);
    const isKept = monitor.setChanges([5], at(30));
    await Promise.all([monitor.dispose(), isKept]);
    assert.ok(kept.length > 0);
    assert.ok(kept.every(({ following }) => following !== null));
  });

  it('holds up the end of the editor for a few seconds only, even if the disk does not answer', async () => {
    const { monitor, surroundings, timers } = await track();
    Object.assign(surroundings.captures, { keep: () => new Promise(() => undefined) });
    const ending = monitor.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(timers.delays, [3_000]);
    timers.fire(3_000);
    await ending;
  });
});
