import assert from 'node:assert/strict';
import { FakeServer } from '../fake-server';
import { listChanges, watch } from '../watched-fake';

describe('The free space where event files are written', () => {
  it('is checked just before tracking starts, and again once there is room', async () => {
    const { server, monitor } = await watch();
    server.freeMb = '499';
    await assert.rejects(
      monitor.startTracking(null),
      /has 499 MB free on D:\\, .* tracking starts only with 500 MB free/,
    );
    assert.deepEqual(listChanges(server), []);
    server.freeMb = '500';
    await monitor.startTracking(null);
    assert.ok(server.asked.lastIndexOf('event-volume') < server.asked.indexOf('session-create'));
    assert.match(monitor.snapshot.tracking.message ?? '', /take 250 MB at most\. 500 MB are free on D:\\/);
  });

  it('is that of the folder of the files: if it is on another volume, nothing is known, and nothing is refused', async () => {
    const unseen = await watch();
    await unseen.monitor.startTracking(null);
    assert.match(unseen.monitor.snapshot.tracking.message ?? '', /Free space on their volume: not known/);
    for (const [volume, expected] of [
      ['D:\\', /has 150 MB free on D:\\/],
      ['E:\\', null],
    ] as const) {
      const server = new FakeServer();
      server.databases.push({ id: 8, name: 'rdsadmin', target: '0' });
      Object.assign(server, { errorLogVolume: volume, freeMb: '150' });
      const { monitor } = await watch([], server);
      if (expected !== null) await assert.rejects(monitor.startTracking(null), expected);
      else await monitor.startTracking(null);
      assert.equal(server.isRunning, expected === null);
    }
  });
});
