import assert from 'node:assert/strict';
import { type SessionElsewhere, StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { installationOf } from '../fake-server';
import { checkpoints, listChanges, time, track, watch } from '../watched-fake';

/** The session that the user would be asked about first; null: the work was done. */
async function askedOf(work: Promise<unknown>): Promise<SessionElsewhere | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof StartedElsewhere) return error.session;
    throw error;
  }
}

const theirs = {
  isDefined: true,
  file: 'D:\\traces\\dba_watch.xel',
  fileName: 'D:\\traces\\dba_watch_0_1.xel',
};

describe('A session of our name that somebody else made', () => {
  it('is read while it runs, and never changed, stopped or dropped', async () => {
    const { server, monitor } = await watch();
    const refused = /Checkpoint Health did not create, so we leave it alone/;
    for (const isRunning of [false, true]) {
      Object.assign(server, { ...theirs, isRunning, events: checkpoints(5) });
      await assert.rejects(monitor.removeTracking(), refused, 'nobody follows it');
    }
    await monitor.startTracking(null);
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.adoptedSession],
      ['tracking', 'CheckpointHealth'],
    );
    assert.match(
      monitor.snapshot.tracking.message ?? '',
      /Checkpoint Health did not create it, so it only reads it/,
    );
    await assert.rejects(
      monitor.changeTrackedDatabases([5]),
      /only reads it\. You cannot change its databases/,
    );
    await assert.rejects(monitor.removeTracking(), refused);
    await monitor.stopTracking();
    assert.deepEqual([listChanges(server), server.isDefined, server.isRunning], [[], true, true]);
  });

  it('is left alone by every step if it has replaced ours since the last look', async () => {
    for (const step of ['change', 'stop', 'remove'] as const) {
      const { server, monitor, poll } = await track([5, 6]);
      await poll({ events: checkpoints(4), nowUtc: time(20) });
      const before = listChanges(server).length;
      Object.assign(server, {
        ...theirs,
        definitionId: 70_000,
        startedLocal: '2026-03-02T09:00:30',
        events: [],
        nowUtc: time(40),
      });
      if (step === 'stop') await monitor.stopTracking();
      else
        await assert.rejects(
          step === 'change' ? monitor.changeTrackedDatabases([5]) : monitor.removeTracking(),
          /leave it alone/,
        );
      assert.deepEqual(
        [listChanges(server).slice(before), server.isDefined, server.isRunning],
        [[], true, true],
        step,
      );
    }
  });

  it('is only read in the next window too', async () => {
    const kept: Parameters<typeof watch>[0] = [];
    const { server, monitor } = await watch(kept);
    Object.assign(server, { ...theirs, isRunning: true, events: checkpoints(5) });
    await monitor.startTracking(null);
    await monitor.dispose();
    // As a version that went by the name alone kept it.
    const last = kept[kept.length - 1];
    if (last?.following) kept.push({ ...last, following: { ...last.following, isOwn: true } });
    const next = await watch(kept, server);
    assert.deepEqual(
      [next.monitor.snapshot.tracking.state, next.monitor.snapshot.adoptedSession],
      ['tracking', 'CheckpointHealth'],
    );
  });
});

/** A server on which this installation runs its session. */
async function watchOurs() {
  const first = await track();
  await first.monitor.dispose();
  const { server } = first;
  server.asked.length = 0;
  server.events = checkpoints(5);
  return watch([], server, first.surroundings.installation);
}

const elsewhere = [
  ['another installation', 'CheckpointHealth_20260302T080000Z_0badcafe.xel'],
  ['an earlier version of this installation', 'CheckpointHealth_20260302T080000Z_3f9a1c2e.xel'],
  ['an earlier version', 'CheckpointHealth_20260302T080000Z.xel'],
  ['somebody by hand', 'D:\\traces\\CheckpointHealth.xel'],
] as const;
const changes = ['session-change-databases', 'session-stop', 'session-drop'];

describe('A session of our name that this installation made', () => {
  it('is changed, stopped, made again and removed without a question, in the next window too', async () => {
    const { server, monitor } = await watchOurs();
    await monitor.changeTrackedDatabases([5]);
    await monitor.stopTracking();
    await monitor.startTracking(null);
    await monitor.removeTracking();
    assert.deepEqual(listChanges(server), [
      ...changes,
      'session-create',
      'session-start',
      'session-stop',
      'session-drop',
    ]);
  });
});

for (const [who, file] of elsewhere)
  describe(`A session of our name that ${who} made`, () => {
    const running = { isDefined: true, isRunning: true, file, events: checkpoints(5) };

    it('is followed without a question, and changed only after the user agreed to each step', async () => {
      const { server, monitor } = await watch();
      Object.assign(server, running);
      await monitor.startTracking(null);
      const { state, message } = monitor.snapshot.tracking;
      assert.deepEqual([state, monitor.snapshot.adoptedSession], ['tracking', null]);
      assert.match(
        message ?? '',
        /^The event session was running already\. Another installation of Checkpoint Health started it, or it was started by hand\./,
      );
      const change = await askedOf(monitor.changeTrackedDatabases([5]));
      const stop = await askedOf(monitor.stopTracking());
      const remove = await askedOf(monitor.removeTracking());
      for (const asked of [change, stop, remove])
        assert.deepEqual([asked?.configuredFile, asked?.isRunning], [file, true]);
      assert.deepEqual([listChanges(server), monitor.snapshot.tracking.state], [[], 'tracking']);
      await monitor.changeTrackedDatabases([5], undefined, change);
      await monitor.stopTracking(undefined, stop);
      assert.deepEqual(
        [listChanges(server), monitor.snapshot.tracking.state],
        [changes.slice(0, 2), 'stopped'],
      );
      await monitor.removeTracking(undefined, remove);
      assert.equal(server.isDefined, false);
    });

    it('is stopped and dropped after one yes', async () => {
      const { server, monitor } = await watch();
      Object.assign(server, running);
      await monitor.startTracking(null);
      await monitor.removeTracking(undefined, await askedOf(monitor.removeTracking()));
      assert.deepEqual(listChanges(server), ['session-stop', 'session-drop']);
    });

    it('is made again, if it is stopped, only after the user agreed; else everything stays as before', async () => {
      const { server, monitor } = await watch();
      Object.assign(server, { isDefined: true, file });
      const asked = await askedOf(monitor.startTracking(null));
      assert.deepEqual([asked?.configuredFile, asked?.isRunning], [file, false]);
      assert.deepEqual([listChanges(server), monitor.snapshot.tracking.state], [[], 'not tracking']);
      await monitor.startTracking(null, undefined, asked);
      assert.deepEqual(listChanges(server), ['session-drop', 'session-create', 'session-start']);
      assert.equal(server.file, 'CheckpointHealth.xel');
    });
  });

describe('A session that changes hands between the question and the answer', () => {
  const one = { isDefined: true, isRunning: true, file: elsewhere[0][1] };

  it('is not touched: the user is asked again about the session that is there now', async () => {
    for (const now of [
      { file: elsewhere[1][1] },
      { definitionId: 70_000 },
      { startedLocal: '2026-03-02T09:20:00' },
      { isRunning: false, definitionId: 70_000 },
    ]) {
      const { server, monitor } = await watch();
      Object.assign(server, one);
      const asked = await askedOf(monitor.removeTracking());
      Object.assign(server, now);
      const again = await askedOf(monitor.removeTracking(undefined, asked));
      assert.deepEqual([again?.configuredFile, again?.definitionId], [server.file, server.definitionId]);
      assert.deepEqual(listChanges(server), []);
      await monitor.removeTracking(undefined, again);
      assert.deepEqual(listChanges(server), ['session-drop']);
    }
  });

  it("is left alone if it is a stranger's by then, or if somebody else made it between the stop and the drop", async () => {
    const { server, monitor } = await watch();
    Object.assign(server, one);
    const asked = await askedOf(monitor.removeTracking());
    Object.assign(server, theirs);
    await assert.rejects(
      monitor.removeTracking(undefined, asked),
      /Checkpoint Health did not create, so we leave it alone/,
    );
    Object.assign(server, one);
    await monitor.startTracking(null);
    const agreed = await askedOf(monitor.removeTracking());
    server.after.set('session-stop', () =>
      Object.assign(server, { file: elsewhere[1][1], definitionId: 70_000 }),
    );
    assert.equal((await askedOf(monitor.removeTracking(undefined, agreed)))?.definitionId, 70_000);
    assert.deepEqual([listChanges(server), server.isDefined], [['session-stop'], true]);
  });
});

for (const [what, edition, create, file] of [
  ['whose files bear the name that all have', '3', 'session-create', 'CheckpointHealth.xel'],
  ['in memory, which has no file', '8', 'session-create-ring', null],
] as const)
  describe(`A session ${what} to tell whose it is`, () => {
    const begin = async (installation: ReturnType<typeof installationOf>) => {
      const watched = await watch([], undefined, installation);
      watched.server.engineEdition = edition;
      await watched.monitor.refresh();
      await watched.monitor.startTracking(null);
      assert.equal(watched.server.file, file);
      return watched;
    };

    it('is ours if this installation started it, in this window and the next, running and stopped', async () => {
      const installation = installationOf();
      const first = await begin(installation);
      await first.monitor.dispose();
      const next = await watch([], first.server, installation);
      await next.monitor.stopTracking();
      await next.monitor.removeTracking();
      assert.deepEqual(listChanges(first.server), [create, 'session-start', 'session-stop', 'session-drop']);
    });

    it("is another's if another installation started it, or if somebody started or made it again", async () => {
      const installation = installationOf();
      const { server } = await begin(installation);
      const colleague = await watch([], server, installationOf('0badcafe'));
      assert.deepEqual((await askedOf(colleague.monitor.stopTracking()))?.configuredFile, file);
      await colleague.monitor.dispose();
      for (const now of [{ startedLocal: '2026-03-02T09:20:00' }, { definitionId: 70_000, mark: null }]) {
        Object.assign(server, { startedLocal: '2026-03-02T09:00:00' }, now);
        const next = await watch([], server, installation);
        assert.notEqual(await askedOf(next.monitor.removeTracking()), null);
        await next.monitor.dispose();
      }
      assert.deepEqual(listChanges(server), [create, 'session-start']);
    });
  });

describe('A server that refuses the mark', () => {
  it('is tracked without it, and each later change asks first', async () => {
    const { server, monitor } = await watch();
    server.refusesMark = true;
    await monitor.startTracking(null);
    assert.deepEqual([server.isRunning, server.mark], [true, null]);
    assert.ok((await askedOf(monitor.stopTracking())) !== null);
    assert.equal(server.isRunning, true);
  });
});
