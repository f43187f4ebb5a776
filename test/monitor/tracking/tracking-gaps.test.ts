import assert from 'node:assert/strict';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { GapKind } from '../../../src/core/session/gap';
import { ConnectionError } from '../../../src/hosts/host';
import type { FakeServer } from '../fake-server';
import {
  at,
  checkpoints,
  fileOf,
  gapsOf,
  listChanges,
  moved,
  running,
  time,
  track,
  watch,
} from '../watched-fake';

/** In seconds after 08:00. */
type GapSeconds = readonly [kind: GapKind, begin: number, end: number];
const gapsAt = (gaps: readonly GapSeconds[]): ReturnType<typeof gapsOf> =>
  gaps.map(([kind, begin, end]) => [kind, at(begin), at(end)]);

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
  Object.assign(
    watched.server,
    running,
    { startedLocal: '2026-03-02T08:30:00', nowUtc: time(900), events: checkpoints(10, 100) },
    change,
  );
  await watched.monitor.startTracking(null);
  await watched.poll();
  return watched;
}

/** A begin before and an end after what happens. */
const halves = [
  { kind: 'begin', databaseId: 5, at: time(19), sequence: 1, offset: 512 },
  { kind: 'end', databaseId: 5, at: time(50), sequence: 4, offset: 1024 },
] as const;

describe('What tracking says was not observed', () => {
  const restarted = { serverStartedLocal: '2026-03-02T09:00:30' };
  const again = (seconds: number) => ({ startedLocal: time(3_600 + seconds) });
  for (const [what, second, change, ...gap] of [
    ['is the time in which the session is stopped', 40, { isRunning: false }, 'session stopped', 20, 40],
    [
      'is the time until the session that was stopped was started again',
      120,
      again(40),
      'session stopped',
      20,
      40,
    ],
    [
      'is the time in which it is dropped',
      40,
      { isDefined: false, isRunning: false },
      'session dropped',
      20,
      40,
    ],
    [
      'lasts while a changed session records one of the two events',
      40,
      { hasEnd: '0' },
      'session replaced',
      20,
      40,
    ],
    [
      'begins before a restart: events in buffers may be lost',
      60,
      { ...restarted, ...again(32) },
      'server restarted',
      5,
      32,
    ],
    [
      'lasts after a restart while nothing runs',
      60,
      { ...restarted, isRunning: false },
      'server restarted',
      5,
      60,
    ],
    ['is the time between two looks if events were lost', 40, { droppedEvents: 10 }, 'events lost', 20, 40],
    [
      'begins before the last look if whole buffers were lost',
      40,
      { droppedBuffers: 2 },
      'events lost',
      5,
      40,
    ],
    [
      'is the time in which somebody changed the databases',
      40,
      { predicate: '([database_id]=(5))' },
      'databases changed',
      20,
      40,
    ],
  ] as const satisfies readonly (readonly [string, number, Partial<FakeServer>, ...GapSeconds])[])
    it(what, async () => {
      const { server, monitor, listGaps } = await disturb(second, { events: checkpoints(3), ...change });
      const { state, trouble, observation, lostEvents, lostBuffers } = monitor.snapshot.tracking;
      const isFollowed = server.isRunning && server.hasEnd === '1';
      assert.deepEqual(
        [listGaps(), state, trouble],
        [gapsAt([gap]), ...(isFollowed ? ['tracking', null] : ['stopped', 'session gone'])],
      );
      assert.equal(observation?.endUtcMs, at(second));
      assert.deepEqual(
        [lostEvents, lostBuffers],
        [server.droppedEvents, server.droppedBuffers],
        'each counted apart',
      );
      assert.deepEqual(monitor.snapshot.trackedDatabaseIds, server.predicate === null ? null : [5]);
    });

  it('has its reason in a sentence, and so has the end of tracking', async () => {
    const tell = async (change: Partial<FakeServer>) => {
      const { message, observation } = (await disturb(40, change)).monitor.snapshot.tracking;
      return `${observation?.gaps[0]?.reason} ${message}`;
    };
    assert.equal(await tell(again(30)), 'The event session was stopped and started again. null');
    assert.match(await tell({ droppedBuffers: 2 }), /lost 2 whole buffers of events/);
    assert.match(await tell({ hasEnd: '0' }), /does not record both the begin and the end/);
    assert.match(await tell({ isRunning: false }), /stopped outside Checkpoint Health/);
  });

  it('is the time without the session if it was dropped and made again, with files of another name', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, { isDefined: false, isRunning: false });
    const other = {
      isDefined: true,
      isRunning: true,
      definitionId: 65_600,
      file: 'Other.xel',
      fileName: 'Other_0_1.xel',
    };
    await poll(
      { ...other, startedLocal: '2026-03-02T09:01:00', nowUtc: time(200), events: checkpoints(2, 40) },
      30_000,
    );
    assert.deepEqual(
      listGaps(),
      gapsAt([
        ['session dropped', 20, 40],
        ['session replaced', 20, 60],
      ]),
    );
    assert.ok(server.texts.some((text) => text.includes("N'Other_0_*.xel'")));
    assert.equal(monitor.capture?.ledger().checkpoints, 2);
  });

  it('is all the time in which a running session recorded one of the two events, however long that was', async () => {
    const { listGaps, poll } = await disturb(40, { hasEnd: '0' });
    await poll({ nowUtc: time(4_000) }, 30_000);
    await poll({ nowUtc: time(4_010), hasEnd: '1' }, 30_000);
    await poll({ nowUtc: time(4_100) });
    assert.deepEqual(listGaps(), gapsAt([['session replaced', 20, 4_010]]));
  });

  it('prevents pairing of a begin and an end across it, however near they are', async () => {
    for (const change of [{ droppedEvents: 5 }, { startedLocal: '2026-03-02T09:00:40' }]) {
      const { monitor } = await disturb(120, { ...change, events: [...halves] });
      assert.deepEqual([monitor.capture?.ledger().checkpoints, monitor.capture?.ledger().unpaired], [0, 2]);
    }
  });

  it('is the time that the clock went through twice', async () => {
    const { monitor, listGaps, poll } = await disturb(40, {});
    assert.deepEqual(listGaps(), []);
    await poll({ nowUtc: time(10) });
    assert.deepEqual(listGaps(), gapsAt([['clock moved back', 10 - 15, 40 + 15]]));
    await poll({ nowUtc: time(90) });
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.tracking.observation?.endUtcMs],
      ['tracking', at(90)],
    );
  });

  it('grows while the permission is missing, and goes once the events that waited in their files were read', async () => {
    const { server, monitor, listGaps, poll } = await disturb(40, {});
    const refusal = new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300);
    server.failures.set('event-session', refusal);
    for (const second of [60, 80]) {
      await poll({ nowUtc: time(second) });
      assert.deepEqual(listGaps(), gapsAt([['permission lost', 40, second]]));
    }
    assert.match(
      monitor.snapshot.tracking.message ?? '',
      /could not be read: VIEW SERVER STATE permission was denied/,
    );
    server.failures.clear();
    await poll({ nowUtc: time(100), events: checkpoints(20) });
    assert.deepEqual(
      [listGaps(), monitor.capture?.ledger().checkpoints, monitor.snapshot.tracking.message],
      [[], 20, null],
    );
  });

  for (const [reason, refused] of Object.entries({ disconnected: '*', timedOut: 'checkpoint-events' }) as [
    'timedOut',
    string,
  ][])
    it(`is nothing if the connection was ${reason} while the events waited: tracking goes on from the same place`, async () => {
      const { server, monitor, listGaps, poll } = await disturb(40, {});
      server.failures.set(refused, new ConnectionError(reason, 'No answer.'));
      await poll({ nowUtc: time(60) });
      assert.equal(
        monitor.snapshot.tracking.observation?.endUtcMs,
        at(40),
        'what was not read is not observed',
      );
      assert.match(monitor.snapshot.tracking.message ?? '', /^New events could not be read: No answer\.$/);
      server.failures.clear();
      await poll({ nowUtc: time(100), events: checkpoints(20) });
      assert.deepEqual(
        [listGaps(), monitor.capture?.ledger().checkpoints, monitor.snapshot.tracking.message],
        [[], 20, null],
      );
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
    const { server, monitor, listGaps, poll } = await disturb(60, {
      events: checkpoints(10, 5),
      notices: [50_000],
    });
    assert.deepEqual(listGaps(), []);
    const more = moved(checkpoints(10, 40), 50_000);
    await poll({ events: [...server.events, ...more], nowUtc: time(130), notices: [25_720] });
    assert.deepEqual(listGaps(), gapsAt([['damaged file', 30 - 15, 100 + 15]]));
    await poll({ nowUtc: time(400), notices: [] });
    assert.equal(monitor.capture?.ledger().checkpoints, 10, 'those from before, and none that touches it');
  });

  it('is the time of files that rolled over before they were read, give or take the time that events lie in buffers', async () => {
    const { monitor, poll } = await track();
    await poll({ events: checkpoints(10), nowUtc: time(30) });
    await poll({ fileName: 'CheckpointHealth_0_2.xel', events: checkpoints(10, 30), nowUtc: time(120) });
    assert.deepEqual(gapsOf(monitor), gapsAt([['files rolled over', 15, 76]]));
    assert.equal(monitor.capture?.ledger().checkpoints, 9, 'seven before the gap, two behind it');
  });

  it('has a number that counts on when the session is started again, if the server lost events', async () => {
    const { monitor, poll } = await disturb(40, { droppedEvents: 3 });
    await poll({ ...again(60), droppedEvents: 1, nowUtc: time(90) });
    assert.equal(monitor.snapshot.tracking.lostEvents, 4);
  });

  it('is the time before the first file that is left, if a running session is taken up', async () => {
    for (const [maxRolloverFiles, beginUtcMs] of Object.entries({ 2: at(201 + 15), 4: at(-1_800) })) {
      const { snapshot } = (await takeUp({ maxRolloverFiles })).monitor;
      assert.deepEqual(
        [snapshot.tracking.observation?.beginUtcMs, snapshot.trackingSinceUtcMs],
        [beginUtcMs, beginUtcMs],
      );
    }
  });

  it('is all the time before a running session was taken up, if it had lost events by then: nobody knows when', async () => {
    const { monitor } = await takeUp({ droppedEvents: 2 });
    assert.deepEqual(gapsOf(monitor), gapsAt([['events lost', -1_800, 900]]));
    assert.deepEqual([monitor.capture?.columns.rows, monitor.capture?.ledger().unpaired], [0, 20]);
  });

  it('leaves out checkpoints from before the session was started, even if its files have them', async () => {
    const { monitor } = await takeUp({
      startedLocal: '2026-03-02T09:01:00',
      events: [...checkpoints(10), ...checkpoints(10, 100)],
    });
    assert.deepEqual(
      [monitor.capture?.columns.rows, monitor.snapshot.tracking.observation?.beginUtcMs],
      [10, at(60)],
    );
  });
});

describe('The file in which a session began', () => {
  /** Its name bears the time: 08:00. */
  const first = fileOf(0);
  const next = 'D:\\Log\\CheckpointHealth_0_2.xel';
  const trackFirst = async () => {
    const watched = await watch();
    Object.assign(watched.server, { currentFile: first, fileName: first });
    await watched.monitor.startTracking(null);
    return watched;
  };

  it('leaves a gap if it was gone before anything was read of it', async () => {
    const { monitor, poll } = await trackFirst();
    await poll({ fileName: next, events: checkpoints(10, 30), nowUtc: time(120) });
    assert.deepEqual(
      gapsOf(monitor).map(([kind]) => kind),
      ['files rolled over'],
    );
    assert.equal(monitor.capture?.ledger().checkpoints, 2, 'those behind the gap');
  });

  it('is one of all files of the name that are read if the session runs again before anything was read; what is older is left out', async () => {
    const { monitor, poll } = await trackFirst();
    const earlier = checkpoints(3).map((event) => ({
      ...event,
      at: event.at.replace('T08', 'T07'),
      sequence: event.sequence + 500,
    }));
    const events = [...earlier, ...moved(checkpoints(4, 30), 9_000)];
    await poll({
      emptyFiles: [first],
      currentFile: next,
      fileName: next,
      startedLocal: '2026-03-02T09:00:40',
      events,
      nowUtc: time(120),
    });
    assert.equal(monitor.capture?.ledger().checkpoints, 4);
  });
});

describe('A capture whose server changes', () => {
  it('is kept with a gap and leaves the screen if another server answers, and nothing of that server gets into it', async () => {
    const { server, monitor, surroundings, poll } = await disturb(60, { events: checkpoints(3) });
    const reads = server.texts.filter((text) => /Checkpoint Health: .*checkpoint-events/.test(text));
    assert.ok(
      reads.length > 0 &&
        reads.every((text) => text.includes("SERVERPROPERTY(N'ServerName')) = N'PROD-SQL07'")),
    );
    const kept: KeptRecord[] = [];
    const keep = (record: KeptRecord): Promise<void> => Promise.resolve(void kept.push(record));
    Object.assign(surroundings.captures, { keep, recover: () => Promise.resolve(null) });
    await poll({
      name: 'PROD-SQL08',
      nowUtc: time(90),
      events: checkpoints(50),
      startedLocal: '2026-03-02T08:00:00',
      currentFile: fileOf(-3_600),
    });
    assert.deepEqual(
      kept.map(({ serverName, columns, observation }) => [
        serverName,
        columns.rows,
        observation?.gaps.map(({ kind }) => kind),
      ]),
      [['PROD-SQL07', 3, ['failover']]],
    );
    await monitor.refresh();
    assert.equal(monitor.snapshot.facts?.server.serverName, 'PROD-SQL08');
    await poll();
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.capture?.ledger().rowsRead],
      ['tracking', 100],
    );
    assert.equal(monitor.snapshot.tracking.observation?.beginUtcMs, at(-3_600));
  });

  it('lets no click change the other server by the facts of the one before; done again, it goes by the new facts', async () => {
    const { server, monitor } = await track();
    await monitor.stopTracking();
    const before = listChanges(server);
    for (const click of [() => monitor.startTracking([5]), () => monitor.removeTracking()]) {
      server.name = server.name === 'PROD-SQL07' ? 'PROD-SQL08' : 'PROD-SQL07';
      await assert.rejects(click(), /Another server answers now\. Try again\./);
      assert.deepEqual(listChanges(server), before);
      await monitor.look();
    }
    await monitor.removeTracking();
  });
});
