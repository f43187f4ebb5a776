import assert from 'node:assert/strict';
import { type Connection, ConnectionError, type ServerAccess } from '../../../src/hosts/host';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import type { ReadText } from '../../../src/core/script/text';
import { openBreaker } from '../fake-surroundings';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { FakeServer, FakeTimers, surroundingsOf } from '../fake-server';
import { VirtualTime } from '../virtual-time';
import { checkpoints, time } from '../watched-fake';
import { MINUTE_MS } from '../../../src/core/time';

interface Followed {
  readonly monitor: ServerMonitor;
  readonly server: FakeServer;
  readonly clock: VirtualTime;
  /** Texts sent in the minutes that pass. */
  pass(minutes: number): Promise<readonly string[]>;
}

interface Slowness {
  /** Milliseconds that the server takes for each event, and for each answer about events. */
  readonly msAnEvent?: number;
  readonly msALook?: number;
  /** For each answer about the databases. */
  readonly msForFacts?: number;
  /** How far the clock of this computer was set forward. */
  readonly msAhead?: number;
}

/**
 * A server that is tracked with the default settings.
 * @param isLoginForEach whether each query is a login
 * @param slowness from the first minute on
 */
async function follow(isLoginForEach = false, slowness: Slowness = {}): Promise<Followed> {
  const server = new FakeServer();
  const clock = new VirtualTime();
  let isFollowed = false;
  const slowly = (connection: Connection): Connection => ({
    ...connection,
    capabilities: { ...connection.capabilities, session: !isLoginForEach },
    query: async (text, options) => {
      const sets = await connection.query(text, options);
      const events = sets.find(({ columns }) => columns[0] === 'event_name')?.rows.length ?? 0;
      const { msAnEvent = 0, msALook = 0, msForFacts = 0 } = isFollowed ? slowness : {};
      const lookMs = text.includes('event-session') ? msALook : 0;
      const tookMs = events * msAnEvent + lookMs + (text.includes('database-facts') ? msForFacts : 0);
      if (tookMs > 0) await new Promise<void>((resolve) => clock.schedule(tookMs, resolve));
      return sets;
    },
  });
  const watched = clock.watch(server);
  const access: ServerAccess = { ...watched, open: async (opening) => slowly(await watched.open(opening)) };
  const monitor = createServerMonitor({
    ...surroundingsOf(server, new FakeTimers()),
    access,
    breaker: new LoginBreaker({ ...clock.world, nowMs: () => clock.world.nowMs() + (slowness.msAhead ?? 0) }),
    schedule: clock.schedule,
    elapsedMs: clock.world.elapsedMs,
    pollIntervalMs: 5_000,
    refreshIntervalMs: MINUTE_MS,
    sampling: null,
  });
  await clock.during(monitor.refresh());
  await clock.during(monitor.startTracking(null));
  await clock.pass(10_000);
  isFollowed = true;
  const pass = async (minutes: number): Promise<readonly string[]> => {
    const before = server.texts.length;
    await clock.pass(minutes * MINUTE_MS);
    return server.texts.slice(before).map((text) => /Checkpoint Health: (.+) \*\//.exec(text)?.[1] ?? '?');
  };
  return { monitor, server, clock, pass };
}

/** Now and every five seconds events come, or somebody looks, or both. */
function keepBusy({ monitor, server, clock }: Followed, { writes = false, looks = false }): void {
  let seconds = 0;
  const act = (): void => {
    seconds += 5;
    if (writes) Object.assign(server, { events: checkpoints(seconds), nowUtc: time(seconds * 2) });
    if (looks) monitor.askForEvidence();
    clock.schedule(5_000, act);
  };
  act();
}

const countPolls = (texts: readonly string[]): number =>
  texts.filter((name) => name.startsWith('event-session')).length;

describe('What a server is asked while it is followed', () => {
  it('is a look and the next page of events in one text, every five seconds, while somebody looks', async () => {
    const followed = await follow();
    keepBusy(followed, { looks: true });
    await followed.pass(5);
    const polls = (await followed.pass(1)).filter((name) => name.includes('event'));
    assert.deepEqual([...new Set(polls)], ['event-session, checkpoint-events']);
    assert.equal(polls.length, 12);
  });

  it('is the same while events come, whether anybody looks or not', async () => {
    const followed = await follow();
    keepBusy(followed, { writes: true });
    await followed.pass(3);
    assert.equal(countPolls(await followed.pass(1)), 12);
  });

  it('is rarer on a server whose answers take long: reading new events takes at most a twentieth of the time, and the snapshot says so', async () => {
    const followed = await follow(false, { msALook: 1_000 });
    keepBusy(followed, { writes: true, looks: true });
    await followed.pass(5);
    const { cost } = followed.monitor.snapshot;
    assert.deepEqual([cost.readEveryMs, cost.isSpacedOut, cost.sessionBytes], [20_000, true, 4_194_304]);
    const polls = countPolls(await followed.pass(21));
    assert.ok(polls <= 60 && polls >= 55, `${polls} reads of 1 s in 21 minutes`);
    assert.ok((followed.monitor.capture?.columns.rows ?? 0) > 200, 'all the same, all events are read');
  });

  it('is often again as soon as answers are fast again', async () => {
    const slowness = { msALook: 1_000 };
    const followed = await follow(false, slowness);
    keepBusy(followed, { writes: true, looks: true });
    await followed.pass(2);
    slowness.msALook = 0;
    await followed.pass(1);
    assert.equal(countPolls(await followed.pass(1)), 12);
    assert.equal(followed.monitor.snapshot.cost.isSpacedOut, false);
  });

  it('is as often as before if the clock of this computer is set forward while the server answers', async () => {
    const slowness = { msAhead: 0 };
    const followed = await follow(false, slowness);
    keepBusy(followed, { writes: true, looks: true });
    followed.server.after.set('event-session', () => (slowness.msAhead = 60 * MINUTE_MS));
    await followed.pass(1);
    assert.equal(countPolls(await followed.pass(1)), 12);
  });

  it('is the facts of the databases less often too, if they take long', async () => {
    const { pass } = await follow(false, { msForFacts: 6_000 });
    const facts = (await pass(20)).filter((name) => name.includes('database-facts'));
    assert.ok(
      facts.length >= 9 && facts.length <= 10,
      `asked ${facts.length} times in 20 minutes for what takes 6 s`,
    );
  });

  it('goes on within a minute after an answer that never came', async () => {
    const { server, monitor, clock, pass } = await follow(false, { msALook: 20_000 });
    await pass(10);
    server.failures.set('event-session', new ConnectionError('timedOut', 'No answer in 30 s.'));
    await pass(10);
    server.failures.clear();
    Object.assign(server, { events: checkpoints(4), nowUtc: time(60) });
    await clock.pass(MINUTE_MS + 21_000);
    assert.equal(monitor.capture?.columns.rows, 4);
  });

  it('grows rarer, down to once a minute, if nothing comes and nobody looks; it comes at once when somebody does', async () => {
    const { monitor, clock, server, pass } = await follow();
    await pass(10);
    assert.deepEqual([countPolls(await pass(1)), countPolls(await pass(1))], [1, 1]);
    server.events = checkpoints(4);
    server.nowUtc = time(60);
    monitor.askForEvidence();
    await clock.pass(1_000);
    assert.equal(monitor.capture?.columns.rows, 4);
    assert.equal(countPolls(await pass(0.5)), 6);
  });

  it('is half as often if each query is a login', async () => {
    const followed = await follow(true);
    const { server } = followed;
    keepBusy(followed, { looks: true });
    await followed.pass(2);
    const opened = server.queries;
    assert.equal(countPolls(await followed.pass(1)), 6);
    assert.ok(server.queries - opened <= 10, `${server.queries - opened} logins`);
  });

  it('goes on if one of several reads is refused: that one is asked alone, and with the others again once it is granted', async () => {
    const { monitor, clock, server } = await follow();
    server.failures.set(
      'server-state',
      new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300),
    );
    const refresh = async (): Promise<readonly string[]> => {
      const before = server.texts.length;
      await clock.during(monitor.refresh());
      return server.texts.slice(before).map((text) => /Checkpoint Health: (.+) \*\//.exec(text)?.[1] ?? '?');
    };
    await refresh();
    assert.equal(monitor.snapshot.facts?.state.kind, 'not observable');
    const texts = await refresh();
    assert.ok(
      texts.includes('server-facts, database-facts, server-settings, startup-options') &&
        texts.includes('server-state'),
    );
    server.failures.clear();
    await refresh();
    assert.equal(monitor.snapshot.facts?.state.kind, 'observed');
    assert.ok(
      (await refresh()).includes(
        'server-facts, database-facts, server-state, server-settings, startup-options',
      ),
    );
  });

  it('gives no more rows than it asks for, and no longer cell than any text asks for, by whichever host', async () => {
    const [text, short, long] = ['SELECT TOP (2) id = N.id;' as ReadText, ['1'], ['x'.repeat(100_000)]];
    for (const [session, reason] of [
      [true, 'disconnected'],
      [false, 'queryFailed'],
    ] as const)
      for (const rows of [[short, short, short], [long], [short, short]]) {
        const capabilities = { session, parameters: true, errors: true };
        const ask: Connection['query'] = async (_text, { onRow }) => {
          if (session) for (const row of rows) onRow?.(row);
          return [{ columns: ['id'], rows }];
        };
        const query = new ServerQuery(
          {
            ...new FakeServer(),
            open: async () => ({ capabilities, query: ask, close: async () => undefined }),
          },
          openBreaker(),
        );
        const said = await query.run(text).then(
          ({ rows: given }) => given.length,
          (error: ConnectionError) => error.reason,
        );
        assert.equal(said, rows.length === 2 ? 2 : reason);
        await query.dispose();
      }
  });

  it('is a small page of events first; pages grow to 4,000 while they take a quarter of a second at most, and shrink again', async () => {
    const slowness = { msAnEvent: 0.4 };
    const { monitor, clock, server } = await follow(false, slowness);
    const readPages = async (events: number): Promise<readonly number[]> => {
      Object.assign(server, { events: checkpoints(events / 2), nowUtc: time(2 * events) });
      const before = server.texts.length;
      await clock.during(monitor.refresh());
      await clock.pass(MINUTE_MS);
      assert.equal(monitor.capture?.columns.rows, events / 2);
      const pages = server.texts
        .slice(before)
        .flatMap((text) => /TOP \((\d+)\)\s+event_name/.exec(text)?.[1] ?? []);
      return [...new Set(pages)].map(Number);
    };
    assert.deepEqual(await readPages(12_000), [500]);
    slowness.msAnEvent = 0.01;
    assert.deepEqual(await readPages(42_000), [500, 1_000, 2_000, 4_000]);
    slowness.msAnEvent = 0.2;
    assert.deepEqual(await readPages(60_000), [4_000, 1_000]);
  });
});
