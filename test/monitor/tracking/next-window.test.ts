import assert from 'node:assert/strict';
import { decodeCapture, encodeCapture } from '../../captures/kept-captures';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { ConnectionError } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { MonitorSurroundings } from '../../../src/monitor/queries/surroundings';
import type { ServerMonitor, SwitchReview } from '../../../src/monitor/server-monitor';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { at, checkpoints, gapsOf, moved, readAll, running, time, track } from '../watched-fake';

const gone = new ConnectionError('unreachable', 'The SQL Server extension shares its connections no longer.');
const TEST = { name: 'TEST-SQL01' };

/**
 * Tracks five checkpoints until 08:01:00 and closes the window. What is kept comes back through the bytes of its file.
 */
async function closeWindow(
  databaseIds: readonly number[] | null = null,
  beforeEnd?: (monitor: ServerMonitor) => Promise<unknown>,
) {
  const all: KeptRecord[] = [];
  const { server, monitor, poll } = await track(databaseIds, all);
  await poll({ events: checkpoints(5), nowUtc: time(60) });
  // A begin whose end will be read in the next window.
  const begin = { kind: 'begin', databaseId: 5, at: time(59), sequence: 20, offset: 90_000 } as const;
  await poll({ events: [...server.events, begin], nowUtc: time(62) });
  await beforeEnd?.(monitor);
  await monitor.dispose();
  const last = all.at(-1) ?? assert.fail('nothing was kept');
  const { capture, problem } = decodeCapture(encodeCapture({ ...last, serverLabel: 'fake' }));
  assert.equal(problem, null);
  return { server, kept: [capture as KeptRecord], id: last.id };
}

/**
 * Another window on what the server has become. It notes each time the disk is asked for the last capture, and of which
 * server.
 */
function openWindow(
  server: FakeServer,
  kept: KeptRecord[],
  setAside?: (id: string, why: string) => Promise<string>,
) {
  const recovered: (string | null)[] = [];
  const timers = new FakeTimers();
  const usual = surroundingsOf(server, timers, kept);
  const captures: MonitorSurroundings['captures'] = {
    ...usual.captures,
    ...(setAside && { setAside }),
    recover: (serverName) => {
      recovered.push(serverName);
      return usual.captures.recover(serverName);
    },
  };
  const monitor = createServerMonitor({ ...usual, captures, newCaptureId: () => 'a-new-one' });
  const poll = async (): Promise<void> => {
    await monitor.refresh();
    timers.fire(0);
    await readAll(monitor);
    await monitor.refresh();
  };
  return { monitor, recovered, poll };
}

/** The same, once it has read what is there. */
async function goOn(...given: Parameters<typeof openWindow>) {
  const window = openWindow(...given);
  await window.poll();
  return window;
}

const later = (server: FakeServer, more: Partial<FakeServer> = {}): void => {
  const end = { kind: 'end', databaseId: 5, at: time(61), sequence: 21, offset: 95_000 } as const;
  const events = [...server.events, end, ...moved(checkpoints(4, 60), 100_000)];
  Object.assign(server, { events, nowUtc: time(300) }, more);
};

describe('A capture after the window was closed', () => {
  it('goes on: nothing twice, nothing missing, an old begin pairs with a new end, and the time between is observed', async () => {
    const { server, kept, id } = await closeWindow([5, 6]);
    later(server);
    const { monitor } = await goOn(server, kept);
    const ledger = monitor.capture?.ledger();
    assert.deepEqual([monitor.capture?.id, monitor.snapshot.tracking.state], [id, 'tracking']);
    assert.deepEqual(
      [ledger?.checkpoints, ledger?.duplicates, ledger && findUnaccountedRows(ledger)],
      [10, 0, 0],
    );
    assert.deepEqual(monitor.snapshot.tracking.observation, {
      beginUtcMs: at(0),
      endUtcMs: at(300),
      gaps: [],
    });
    assert.deepEqual(monitor.snapshot.trackedDatabaseIds, [5, 6]);
    assert.ok(
      !server.asked
        .slice(server.asked.lastIndexOf('session-start') + 1)
        .some((name) => name.startsWith('session-')),
      'reads only',
    );
  });

  it('gives new events to the database that has the id now, and leaves the old ones to the database before it', async () => {
    const { server, kept, id } = await closeWindow();
    // A minute and a half after 08:00; its clock is an hour ahead.
    const heir = { id: 5, name: 'heir', target: '0', created: '2026-03-02T09:01:30' };
    later(server, { databases: server.databases.map((one) => (one.id === 5 ? heir : one)) });
    const { capture } = (await goOn(server, kept)).monitor;
    const names = Array.from(
      capture?.columns.database.subarray(0, capture.columns.rows) ?? [],
      (database, row) => {
        const isLater = (capture?.columns.beginUtcMs[row] ?? 0) >= at(90);
        return `${capture?.databases[database]?.databaseId} ${capture?.databases[database]?.name === 'heir' ? 'heir' : '-'} ${isLater ? 'later' : ''}`;
      },
    );
    assert.deepEqual(
      [capture?.id, capture?.generation, new Set(names)],
      [id, 1, new Set(['5 - ', '6 - ', '5 heir later', '6 - later'])],
    );
  });

  it('that cannot be restored is set aside and told of, and tracking begins again with what the files still hold', async () => {
    const { server, kept, id } = await closeWindow();
    later(server);
    const [good = assert.fail()] = kept;
    const state = good.state ?? assert.fail('no state');
    // Its account is short of a row, which no schema sees.
    const bad = {
      ...good,
      state: { ...state, plain: { ...state.plain, rowsRead: state.plain.rowsRead + 1 } },
    };
    const aside: unknown[] = [];
    const { monitor } = await goOn(
      server,
      [bad],
      async (...given) => (aside.push(given), 'It was set aside.'),
    );
    const { tracking } = monitor.snapshot;
    assert.deepEqual(aside, [[id, 'its row counts do not add up']]);
    assert.deepEqual([monitor.capture?.id, tracking.state], ['a-new-one', 'tracking']);
    assert.match(tracking.message ?? '', /^It was set aside\./);
    assert.equal(monitor.capture?.ledger().checkpoints, 10, 'nothing that the files hold is lost');
  });

  const rolledOver = { fileName: 'CheckpointHealth_0_7.xel', events: moved(checkpoints(4, 60), 100_000) };
  for (const [what, change, isSame, gaps, read] of [
    [
      'has a gap if its session was started again',
      { startedLocal: '2026-03-02T09:01:40' },
      true,
      [['session stopped', at(62), at(100)]],
      10,
    ],
    [
      'has a gap if its file is gone',
      rolledOver,
      true,
      [['files rolled over', at(62 - 15), at(121 + 15)]],
      5,
    ],
    [
      'ends if another session runs by now',
      { definitionId: 70_000, startedLocal: '2026-03-02T09:01:40' },
      false,
      [],
      4,
    ],
  ] as const)
    it(what, async () => {
      const { server, kept, id } = await closeWindow();
      later(server, change as Partial<FakeServer>);
      const { monitor } = await goOn(server, kept);
      assert.deepEqual(
        [monitor.capture?.id === id, gapsOf(monitor), monitor.capture?.ledger().checkpoints],
        [isSame, gaps, read],
      );
      assert.equal(monitor.snapshot.tracking.observation?.beginUtcMs, at(isSame ? 0 : 100));
    });

  it('is shown as the last one, and not followed, if the session does not run; goes on if the user starts it', async () => {
    const { server, kept, id } = await closeWindow([5]);
    Object.assign(server, { isRunning: false, nowUtc: time(100) });
    const { monitor, poll, recovered } = await goOn(server, kept);
    const { state, unverified, isLastSeen, message } = monitor.snapshot.tracking;
    assert.deepEqual(
      [monitor.capture?.id, state, monitor.capture?.columns.rows, unverified],
      [id, 'stopped', 5, null],
    );
    assert.deepEqual([isLastSeen, recovered, monitor.snapshot.trackedDatabaseIds], [false, [null], [5]]);
    assert.match(message ?? '', /This capture is from an earlier session\. Tracking is off now/s);
    assert.equal(monitor.snapshot.verdicts.get(6)?.group, 'Automatic, not measured');
    later(server, { isRunning: true });
    await monitor.startTracking(null);
    await poll();
    assert.deepEqual([monitor.capture?.id, monitor.capture?.ledger().checkpoints], [id, 10]);
  });

  it('is shown while the server is silent, with its time', async () => {
    const { server, kept } = await closeWindow();
    server.isSilent = true;
    const { monitor, recovered } = openWindow(server, kept);
    const told: unknown[] = [];
    monitor.onDidChange((change) => change === 'capture' && told.push(monitor.capture?.columns.rows));
    void monitor.look();
    await new Promise(setImmediate);
    const { connection, tracking } = monitor.snapshot;
    assert.deepEqual([connection, told, recovered, tracking.message], ['connecting', [5], [null], null]);
    assert.deepEqual(tracking.unverified, { toUtcMs: at(62), utcOffsetMinutes: 60 });
    await monitor.dispose();
  });

  it('is told as the same capture once its server has answered, and the disk is read once', async () => {
    const { server, kept } = await closeWindow();
    const { monitor, poll, recovered } = openWindow(server, kept);
    const seen = new Set<string>();
    monitor.onDidChange(() => {
      const { capture, snapshot } = monitor;
      if (capture !== null)
        seen.add(JSON.stringify([capture.id, capture.generation, snapshot.tracking.unverified !== null]));
    });
    await poll();
    const same = [kept[0]?.id, kept[0]?.state?.plain.generation];
    assert.deepEqual([...seen], [JSON.stringify([...same, true]), JSON.stringify([...same, false])]);
    assert.deepEqual([monitor.snapshot.tracking.state, recovered], ['tracking', [null]]);
  });

  it('is shown while its server is out of reach, and its running session is followed with the first answer', async () => {
    const { server, kept } = await closeWindow();
    server.failures.set('open', gone);
    const { monitor, poll } = openWindow(server, kept);
    await monitor.refresh();
    assert.deepEqual(
      [monitor.snapshot.connection, monitor.snapshot.failure, monitor.capture?.columns.rows],
      ['failed', gone.message, 5],
    );
    assert.equal(monitor.snapshot.tracking.unverified?.toUtcMs, monitor.capture?.observation?.endUtcMs);
    server.failures.clear();
    await poll();
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.tracking.unverified],
      ['tracking', null],
    );
  });

  it('leaves the screen if another server answers, and makes room for the last capture of that server', async () => {
    const { kept } = await closeWindow();
    const { monitor, recovered } = openWindow(Object.assign(new FakeServer(), TEST), kept);
    await monitor.refresh();
    const { state, unverified } = monitor.snapshot.tracking;
    assert.deepEqual(
      [monitor.capture, state, unverified, recovered],
      [null, 'not tracking', null, [null, 'TEST-SQL01']],
    );

    const both = [{ ...(kept[0] as KeptRecord), id: 'of-the-other', serverName: 'TEST-SQL01' }, ...kept];
    const again = openWindow(Object.assign(new FakeServer(), TEST, running, { isRunning: false }), both);
    await again.monitor.refresh();
    assert.deepEqual(
      [again.monitor.capture?.id, again.monitor.snapshot.tracking.unverified],
      ['of-the-other', null],
    );
  });

  it('goes on by another way to the same server: its capture, the changes of its databases and the forecast of its waves', async () => {
    const { server, kept } = await closeWindow(null, async (monitor) => {
      await monitor.setChanges([5], at(30));
      const step = {
        database: monitor.snapshot.facts?.databases.find(({ databaseId }) => databaseId === 5),
        wave: 1,
      };
      const forecast = { now: 0.9, bound: 0.3, waves: [{ wave: 1, databases: 1, low: 0.2, high: 0.4 }] };
      await monitor.keepForecast({ forecast, plan: { steps: [step] } } as unknown as SwitchReview);
    });
    // Our own connection, with a login of its own.
    const { monitor } = await goOn(
      Object.assign(server, { account: { key: 'own', shown: 'Windows login CONTOSO\\ann' } }),
      kept,
    );
    const { changes, forecast, tracking } = monitor.snapshot;
    assert.deepEqual([monitor.capture?.columns.rows, tracking.state], [5, 'tracking']);
    assert.deepEqual([changes.length, changes[0]?.databaseId, changes[0]?.atUtcMs], [1, 5, at(30)]);
    assert.deepEqual([forecast?.now, forecast?.waves], [0.9, [{ low: 0.2, high: 0.4, databaseIds: [5] }]]);
  });
});

describe('A capture that grows', () => {
  it('is kept after every few minutes of observed time', async () => {
    const kept: KeptRecord[] = [];
    const { monitor, poll } = await track(null, kept);
    for (let second = 0; second <= 900; second += 10)
      await poll({ nowUtc: time(second), events: checkpoints(second / 5) });
    assert.equal(kept.length, 5);
    assert.ok(kept.every(({ id, following }) => id === monitor.capture?.id && following !== null));
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
    const { monitor: next } = await goOn(server, kept);
    assert.deepEqual([next.capture?.ledger().checkpoints, next.capture?.ledger().duplicates], [5, 0]);
  });

  it('observes nothing from before the start of its session, though a changed file says so', async () => {
    const { server, kept } = await closeWindow();
    const following = kept[0]?.following ?? assert.fail();
    const takingUp = { snapshot: following.snapshot, firstEventUtcMs: null, hasEarlier: true, files: [] };
    const unread = { readToUtcMs: null, earliestUtcMs: 0, isFromBeginning: true, takingUp };
    const { monitor } = await goOn(server, [{ ...kept[0]!, following: { ...following, unread } }]);
    assert.equal(monitor.capture?.observation?.beginUtcMs, at(0));
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

  it('ends without a word of what waited for a server that does not answer', async () => {
    const refused: unknown[] = [];
    const hear = (reason: unknown): void => void refused.push(reason);
    const hearers = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear);
    try {
      for (const dueMs of [2_000, 30_000, 120_000]) {
        const { server, monitor, timers } = await track();
        server.isSilent = true;
        const asked = assert.rejects(monitor.stopTracking());
        timers.fire(dueMs);
        await Promise.all([monitor.dispose(), asked]);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const hearer of hearers) process.on('unhandledRejection', hearer);
    }
    assert.deepEqual(refused, []);
  });
});
