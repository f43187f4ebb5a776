import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { SwitchReview } from '../../../src/monitor/server-monitor';
import type { MonitorSurroundings } from '../../../src/monitor/queries/surroundings';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { at, checkpoints, readAll, time, track } from '../watched-fake';

/** A server, and what a window kept that was closed after it had read five checkpoints. */
async function keepCapture() {
  const kept: KeptRecord[] = [];
  const { server, monitor, poll } = await track(null, kept);
  await poll({ events: checkpoints(5), nowUtc: time(60) });
  await monitor.dispose();
  return { server, kept };
}

/** Another window. It notes each time the disk is asked for the last capture, and of which server. */
function openWindow(server: FakeServer, kept: KeptRecord[]) {
  const recovered: (string | null)[] = [];
  const timers = new FakeTimers();
  const given = surroundingsOf(server, timers, kept);
  const captures: MonitorSurroundings['captures'] = {
    ...given.captures,
    recover: (serverName) => {
      recovered.push(serverName);
      return given.captures.recover(serverName);
    },
  };
  const monitor = createServerMonitor({ ...given, captures, newCaptureId: () => 'a-new-one' });
  return { monitor, timers, recovered };
}

const pause = (): Promise<void> => new Promise(setImmediate);

describe('What an earlier window kept', () => {
  it('is shown while the server is silent, with its time', async () => {
    const { server, kept } = await keepCapture();
    server.isSilent = true;
    const { monitor, recovered } = openWindow(server, kept);
    const told: unknown[] = [];
    monitor.onDidChange((change) => change === 'capture' && told.push(monitor.capture?.columns.rows));
    void monitor.look();
    await pause();
    const { connection, tracking } = monitor.snapshot;
    assert.deepEqual([connection, told, recovered], ['connecting', [5], [null]]);
    assert.deepEqual(tracking.unverified, { toUtcMs: at(60), utcOffsetMinutes: 60 });
    assert.equal(tracking.message, null);
    await monitor.dispose();
  });

  it('goes on as the same capture once its server has answered, and the disk is read once', async () => {
    const { server, kept } = await keepCapture();
    const { monitor, timers, recovered } = openWindow(server, kept);
    const seen: (readonly unknown[])[] = [];
    monitor.onDidChange(() => {
      const { capture, snapshot } = monitor;
      if (capture !== null) seen.push([capture.id, capture.generation, snapshot.tracking.unverified !== null]);
    });
    await monitor.refresh();
    timers.fire(0);
    await monitor.refresh();
    const [id, generation] = [kept[0]?.id, kept[0]?.state?.plain.generation];
    const ways = [...new Set(seen.map((each) => JSON.stringify(each)))].map((text) => JSON.parse(text) as unknown);
    assert.deepEqual(ways, [
      [id, generation, true],
      [id, generation, false],
    ]);
    assert.deepEqual([monitor.snapshot.tracking.state, recovered], ['tracking', [null]]);
  });

  it('is the last capture if its session does not run any more', async () => {
    const { server, kept } = await keepCapture();
    server.isRunning = false;
    const { monitor, recovered } = openWindow(server, kept);
    await monitor.refresh();
    const { state, unverified, isLastSeen, message } = monitor.snapshot.tracking;
    assert.deepEqual([state, unverified, isLastSeen, recovered], ['stopped', null, false, [null]]);
    assert.match(message ?? '', /Nothing is being tracked now/);
  });

  it('leaves the screen if another server answers, and makes room for the last capture of that server', async () => {
    const { server, kept } = await keepCapture();
    const other = Object.assign(new FakeServer(), { name: 'TEST-SQL01' });
    const { monitor, recovered } = openWindow(other, kept);
    await monitor.refresh();
    assert.deepEqual(
      [monitor.capture, monitor.snapshot.tracking.state, monitor.snapshot.tracking.unverified],
      [null, 'not tracking', null],
    );
    assert.deepEqual(recovered, [null, 'TEST-SQL01']);

    Object.assign(server, { name: 'TEST-SQL01', isRunning: false });
    const both = [{ ...(kept[0] as KeptRecord), id: 'of-the-other', serverName: 'TEST-SQL01' }, ...kept];
    const later = openWindow(server, both);
    await later.monitor.refresh();
    assert.deepEqual([later.monitor.capture?.id, later.monitor.snapshot.tracking.unverified], ['of-the-other', null]);
  });

  it('goes on by another way to the same server: its capture, the changes of its databases and the forecast of its waves', async () => {
    const kept: KeptRecord[] = [];
    const { server, monitor, poll } = await track(null, kept);
    await poll({ events: checkpoints(5), nowUtc: time(60) });
    await monitor.setChanges([5], at(30));
    const step = { database: monitor.snapshot.facts?.databases.find(({ databaseId }) => databaseId === 5), wave: 1 };
    const forecast = { now: 0.9, bound: 0.3, waves: [{ wave: 1, databases: 1, low: 0.2, high: 0.4 }] };
    await monitor.keepForecast({ forecast, plan: { steps: [step] } } as unknown as SwitchReview);
    await monitor.dispose();

    // Our own connection, with a login of its own.
    const direct = Object.assign(server, { account: { key: 'own', shown: 'Windows login CONTOSO\\ann' } });
    const window = openWindow(direct, kept);
    await window.monitor.refresh();
    await readAll(window.monitor);
    const { changes, forecast: found, tracking } = window.monitor.snapshot;
    assert.deepEqual([window.monitor.capture?.columns.rows, tracking.state], [5, 'tracking']);
    assert.deepEqual(
      changes.map(({ databaseId, atUtcMs }) => [databaseId, atUtcMs]),
      [[5, at(30)]],
    );
    assert.deepEqual([found?.now, found?.waves], [0.9, [{ low: 0.2, high: 0.4, databaseIds: [5] }]]);
    await window.monitor.dispose();
  });

  it('is not looked for again if there is nothing', async () => {
    const { monitor, recovered } = openWindow(new FakeServer(), []);
    await monitor.refresh();
    await monitor.refresh();
    assert.deepEqual([monitor.capture, recovered], [null, [null]]);
  });
});

describe('A server that answers', () => {
  it('is connected as soon as its facts are read, and has its verdicts a little later', async () => {
    const { monitor } = openWindow(new FakeServer(), []);
    const seen: (readonly unknown[])[] = [];
    monitor.onDidChange((change) => {
      const { connection, facts, instance, verdicts } = monitor.snapshot;
      if (change === 'facts') seen.push([connection, facts?.databases.length ?? null, instance !== null, verdicts.size]);
    });
    await monitor.refresh();
    const databases = monitor.snapshot.facts?.databases.length ?? 0;
    const first = seen.findIndex(([connection]) => connection === 'connected');
    assert.deepEqual(seen.slice(first), [
      ['connected', databases, false, 0],
      ['connected', databases, true, databases],
    ]);
  });

  it('shows no verdict on the server that answered before', async () => {
    const server = new FakeServer();
    const { monitor } = openWindow(server, []);
    await monitor.refresh();
    assert.ok(monitor.snapshot.verdicts.size > 0);
    server.name = 'TEST-SQL01';
    const seen: unknown[] = [];
    monitor.onDidChange(() => {
      if (monitor.snapshot.facts?.server.serverName === 'TEST-SQL01') seen.push(monitor.snapshot.verdicts.size);
    });
    await monitor.refresh();
    assert.deepEqual([seen[0], seen[seen.length - 1]], [0, monitor.snapshot.facts?.databases.length]);
  });
});
