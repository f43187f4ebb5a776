import assert from 'node:assert/strict';
import type { FakeServer } from './fake-server';
import { checkpoints, time, watch } from './watched-fake';

const theirs = { isDefined: true, file: 'D:\\traces\\dba_watch.xel', fileName: 'D:\\traces\\dba_watch_0_1.xel' };
const changesOf = (server: FakeServer): readonly string[] => server.asked.filter((name) => name.startsWith('session-'));

describe('A session of our name that somebody else made', () => {
  it('is read while it runs, and neither changed, stopped nor dropped', async () => {
    const { server, monitor } = await watch();
    Object.assign(server, { ...theirs, isRunning: true, events: checkpoints(5) });
    await monitor.startTracking(null);
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.snapshot.adoptedSession], ['tracking', 'CheckpointHealth']);
    assert.match(monitor.snapshot.tracking.message ?? '', /not made by Checkpoint Health, so it is only read/);
    await assert.rejects(monitor.changeTrackedDatabases([5]), /only read, so its databases cannot be changed/);
    await assert.rejects(monitor.removeTracking(), /was not made by Checkpoint Health: it is left alone/);
    await monitor.stopTracking();
    assert.deepEqual([changesOf(server), server.isDefined, server.isRunning], [[], true, true]);
  });

  it('is not dropped while it is stopped, nor while it runs and nobody follows it', async () => {
    for (const isRunning of [false, true]) {
      const { server, monitor } = await watch();
      Object.assign(server, { ...theirs, isRunning });
      await assert.rejects(monitor.removeTracking(), /was not made by Checkpoint Health: it is left alone/);
      assert.deepEqual([changesOf(server), server.isDefined], [[], true]);
    }
  });

  it('in the place of ours, since it was looked at last, is left alone by every step', async () => {
    for (const step of ['change', 'stop', 'remove'] as const) {
      const { server, monitor, poll } = await watch();
      await monitor.startTracking([5, 6]);
      Object.assign(server, { events: checkpoints(4), nowUtc: time(20) });
      await poll();
      const before = changesOf(server).length;
      Object.assign(server, { ...theirs, definitionId: 70_000, startedLocal: '2026-03-02T09:00:30', events: [], nowUtc: time(40) });
      if (step === 'stop') await monitor.stopTracking();
      else await assert.rejects(step === 'change' ? monitor.changeTrackedDatabases([5]) : monitor.removeTracking(), /left alone/);
      assert.deepEqual([changesOf(server).slice(before), server.isDefined, server.isRunning], [[], true, true], step);
    }
  });

  it('is only read by the next window too', async () => {
    const kept: Parameters<typeof watch>[0] = [];
    const { server, monitor } = await watch(kept);
    Object.assign(server, { ...theirs, isRunning: true, events: checkpoints(5) });
    await monitor.startTracking(null);
    await monitor.dispose();
    // As a version that went by the name alone kept it.
    const last = kept[kept.length - 1];
    if (last?.following) kept.push({ ...last, following: { ...last.following, isOwn: true } });
    const next = await watch(kept, server);
    assert.deepEqual([next.monitor.snapshot.tracking.state, next.monitor.snapshot.adoptedSession], ['tracking', 'CheckpointHealth']);
  });
});
