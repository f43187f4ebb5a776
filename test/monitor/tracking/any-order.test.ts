/**
 * Whatever happens, in whatever order: windows of two installations on one server, held to a ledger of what its
 * checkpoints really did.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CaptureRecord, type KeptRecord, restoreRecord } from '../../../src/core/capture/capture-record';
import { ConnectionError, type ServerAccess } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type SessionElsewhere, StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { assertTrueCapture } from '../../core/capture/held-to-truth';
import type { TrueCheckpoint } from '../../core/capture/histories';
import { FakeServer, FakeTimers, installationOf, surroundingsOf } from '../fake-server';
import { at, readAll, time } from '../watched-fake';

/** A server on which a checkpoint begins every four seconds, no two alike. It knows them all. */
class Busy extends FakeServer {
  readonly truth: TrueCheckpoint[] = [];
  isLossy = false;
  second = 0;
  /** Which installation started the session; null: somebody else. Who made it is in its mark. */
  starter: string | null = null;
  private begun: Pick<TrueCheckpoint, 'databaseId' | 'beginUtcMs'> | null = null;
  private written = 0;
  private started = 0;

  /** The session goes on in another file, which takes longer than a session takes to start. */
  nextFile(): void {
    if (!this.isRunning || (this.second - this.started > 0 && this.second - this.started <= 10)) return;
    const ticks = BigInt(at(this.second) + ++this.written + 11_644_473_600_000) * 10_000n;
    this.fileName = this.currentFile = `D:\\Log\\CheckpointHealth_0_${ticks}.xel`;
  }

  run(starter: string | null): void {
    this.starter = starter;
    this.pass(1);
    // No two starts have one time, whatever the clock does, and on whichever server.
    const ms = 100 + 2 * (++this.written % 450) + (this.name === 'PROD-SQL08' ? 1 : 0);
    const startedLocal = `${time(3_600 + this.second).slice(0, 19)}.${ms}`;
    Object.assign(this, { isRunning: true, startedLocal, droppedEvents: 0 });
    this.started = this.second;
    this.nextFile();
  }

  pass(seconds: number): void {
    for (let i = 0; i < seconds; i++, this.second++) {
      const [databaseId, beginUtcMs] = [5 + ((this.second / 4) % 2), at(this.second) + (this.written % 400)];
      const { begun } = this;
      if (this.second % 4 === 0)
        this.begun = this.write('begin', databaseId, beginUtcMs) ? { databaseId, beginUtcMs } : null;
      if (this.second % 4 !== 1 || begun === null) continue;
      const endUtcMs = begun.beginUtcMs + 1_000 + (this.written % 500);
      // Unless its clock was set back meanwhile.
      const isOver = at(this.second) > begun.beginUtcMs && this.write('end', begun.databaseId, endUtcMs);
      if (isOver) this.truth.push({ ...begun, endUtcMs });
      this.begun = null;
    }
    this.nowUtc = time(this.second);
  }

  /** @returns whether the session should have it: what it was not asked to record is in none of its gaps */
  private write(kind: 'begin' | 'end', databaseId: number, utcMs: number): boolean {
    const sequence = ++this.written;
    if (this.isRunning && this.predicate?.includes(`(${databaseId})`) === false) return false;
    if (this.isRunning && this.isLossy) this.droppedEvents++;
    if (!this.isRunning || this.isLossy) return true;
    const event = {
      kind,
      databaseId,
      at: new Date(utcMs).toISOString().slice(0, -1),
      sequence,
      offset: 512 * sequence,
    };
    this.events = [...this.events, { ...event, file: this.fileName }];
    return true;
  }
}

const FAILURES = [
  ['*', new ConnectionError('disconnected', 'The connection was lost.')],
  ['event-session', new ConnectionError('queryFailed', 'A deadlock.', 1205)],
  ['checkpoint-events', new ConnectionError('timedOut', 'No answer in time.')],
  ['event-session', new ConnectionError('permissionDenied', 'Denied.', 300)],
  ['session-change-databases', new ConnectionError('disconnected', 'The connection was lost.')],
] as const;

interface Window {
  readonly id: string;
  monitor: ServerMonitor;
  readonly timers: FakeTimers;
  readonly kept: KeptRecord[];
  readonly open: () => ServerMonitor;
}

/** Two servers behind one name, of which one answers, and two windows. */
class World {
  readonly servers = [new Busy(), Object.assign(new Busy(), { name: 'PROD-SQL08' })] as const;
  current: Busy = this.servers[0];
  readonly windows = ['3f9a1c2e', '0badcafe'].map((id) => this.openWindow(id));
  /** For each click that is being done because its user was asked and agreed: the installation. */
  readonly agreed: string[] = [];
  /** Those that were followed when the clock was set back; null: it was not. A later one cannot know of it. */
  knowing: readonly (string | undefined)[] | null = null;

  private openWindow(id: string): Window {
    const [timers, kept, installation] = [new FakeTimers(), [] as KeptRecord[], installationOf(id)];
    const open: ServerAccess['open'] = async (opening) => ({
      ...(await this.current.open(opening)),
      query: async (...asked) => {
        const { current, agreed } = this;
        const connection = await current.open({ ...opening, turn: () => Promise.resolve() });
        const { isRunning } = current;
        current.after.set('session-start', () => isRunning || !current.isRunning || current.run(id));
        const isOurs =
          current.mark?.startsWith(id) === true && (!current.isRunning || current.starter === id);
        const before = [current.isDefined, current.isRunning, current.predicate].join();
        const answer = connection.query(...asked);
        const isChanged = [current.isDefined, current.isRunning, current.predicate].join() !== before;
        // The guard is in the batch of each change, so it holds against what came behind our last look too.
        if (isChanged && / session-(stop|drop|change|add)/.test(asked[0]))
          assert.ok(
            isOurs || agreed.includes(id),
            `${current.mark}, started by ${current.starter}, is changed by ${id}`,
          );
        return answer;
      },
    });
    const access = { id: 'fake', label: 'PROD-SQL07', account: { key: id, shown: 'login dba' }, open };
    const surroundings = { ...surroundingsOf(access, timers, kept, installation), sampling: null };
    let captures = 0;
    const create = (): ServerMonitor =>
      createServerMonitor({ ...surroundings, newCaptureId: () => `${id}-${++captures}` });
    return { id, monitor: create(), timers, kept, open: create };
  }

  private async agreeing<T>(id: string, work: (agreed: SessionElsewhere | null) => Promise<T>): Promise<T> {
    return work(null).catch(async (error: unknown) => {
      if (!(error instanceof StartedElsewhere)) throw error;
      this.agreed.push(id);
      return work(error.session).finally(() => this.agreed.splice(this.agreed.indexOf(id), 1));
    });
  }

  /** By a number from 0 to 9 that decides how. */
  readonly happens: Readonly<Record<string, (n: number) => unknown>> = {
    'a moment passes': (n) => this.current.pass(1 + n),
    'a minute passes': (n) => this.current.pass(60 + 7 * n),
    'events are lost': (n) => {
      this.current.isLossy = true;
      this.current.pass(8 + n);
      this.current.isLossy = false;
    },
    'its clock is set back': (n) => {
      const followed = this.windows.filter(({ monitor }) => monitor.snapshot.tracking.state === 'tracking');
      this.knowing = followed.map(({ monitor }) => monitor.capture?.id);
      this.current.second -= 1 + 37 * n;
      this.current.pass(0);
    },
    'a file is full': () => this.current.nextFile(),
    'its files roll over': () => {
      for (let files = 0; files < 5; files++) {
        this.current.nextFile();
        this.current.pass(8);
      }
      const files = [...new Set(this.current.events.map(({ file }) => file))].slice(-4);
      this.current.events = this.current.events.filter(({ file }) => files.includes(file));
    },
    'another answers in its place': () => {
      const from = this.current;
      this.current = this.servers.find((one) => one !== from) ?? from;
      this.current.pass(Math.max(0, from.second - this.current.second));
    },
    'the other is made a clone of it': () => {
      const { isDefined, isRunning, file, mark, startedLocal, definitionId, predicate, starter } =
        this.current;
      const session = { isDefined, isRunning, file, mark, startedLocal, definitionId, predicate, starter };
      Object.assign(this.servers.find((one) => one !== this.current) ?? {}, session);
    },
    'it is restarted': () => {
      this.current.serverStartedLocal = time(3_600 + this.current.second);
      if (this.current.isDefined) this.current.run(null);
    },
    'somebody stops the session': () => (this.current.isRunning = false),
    'somebody starts it': () => this.current.isDefined && !this.current.isRunning && this.current.run(null),
    'somebody drops it': () => Object.assign(this.current, { isDefined: false, isRunning: false }),
    'somebody changes its databases': (n) =>
      (this.current.predicate = n % 3 === 0 ? null : `([database_id]=(${5 + (n % 2)}))`),
    'an answer fails': (n) => {
      const [name, error] = FAILURES[n % FAILURES.length] ?? FAILURES[0];
      this.current.failures.set(name, error);
    },
  };

  readonly clicks: Readonly<Record<string, (window: Window, n: number) => Promise<unknown>>> = {
    poll: ({ timers, monitor }) => {
      timers.fire(40_000);
      return monitor.look();
    },
    refresh: ({ monitor }) => monitor.refresh(),
    start: ({ monitor, id }, n) =>
      this.agreeing(id, (agreed) => monitor.startTracking(n < 5 ? null : [5], undefined, agreed)),
    stop: ({ monitor, id }) => this.agreeing(id, (agreed) => monitor.stopTracking(undefined, agreed)),
    remove: ({ monitor, id }) => this.agreeing(id, (agreed) => monitor.removeTracking(undefined, agreed)),
    'change databases': ({ monitor, id }, n) =>
      this.agreeing(id, (agreed) =>
        monitor.changeTrackedDatabases([[5], [6], [5, 6]][n % 4] ?? null, undefined, agreed),
      ),
    'pause reading': async ({ monitor }, n) => (n < 5 ? monitor.pauseReading() : monitor.readOn()),
    disconnect: ({ monitor }) => monitor.leave('The user disconnected it.'),
    'look at the pages': async ({ monitor, timers }, n) => {
      monitor.askForEvidence();
      timers.fire(10_000);
      if (n < 5) monitor.timeline.cancelReading();
    },
    close: async (window) => {
      await window.monitor.dispose();
      window.monitor = window.open();
      await window.monitor.refresh();
    },
  };
}

/** A click that cannot be done says so in a sentence; anything else is a fault of ours. */
function assertSaid(error: unknown): void {
  assert.ok(
    error instanceof Error && !(error instanceof TypeError) && /[.!]$/.test(error.message),
    String((error as Error).stack),
  );
}

/** @param isOver whether all that it observed was read */
function assertTrue(capture: CaptureRecord, { truth }: Busy, isOver: boolean): void {
  const { beginUtcMs, durationMs, rows } = capture.columns;
  const captured = new Set(
    Array.from(beginUtcMs.subarray(0, rows), (begin, row) => `${begin} ${begin + (durationMs[row] ?? 0)}`),
  );
  assert.equal(capture.ledger().duplicates, 0);
  assertTrueCapture(
    capture,
    isOver ? truth : truth.filter((one) => captured.has(`${one.beginUtcMs} ${one.endUtcMs}`)),
  );
}

describe('Any sequence of clicks in two windows, of faults, and of what others do to server and session', () => {
  it('gives captures in which each checkpoint is true and there once or in a gap, and changes no session of another unasked', async () => {
    const { happens, clicks } = new World();
    const step = fc.record({
      what: fc.constantFrom(
        ...Object.keys(happens),
        ...Object.keys(clicks),
        'poll',
        'poll',
        'a minute passes',
      ),
      on: fc.constantFrom(0, 1),
      n: fc.nat(9),
      isAwaited: fc.constantFrom(true, true, false),
    });
    let captured = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const world = new World();
        const { servers, windows } = world;
        const begun: Promise<unknown>[] = [];
        const click = (what: string, on: number, n = 0): void =>
          void begun.push(world.clicks[what]?.(windows[on] as Window, n).catch(assertSaid) ?? assert.fail());
        const settle = async (...clicked: readonly string[]): Promise<void> => {
          for (const what of clicked) [0, 1].forEach((on) => click(what, on));
          await Promise.all(begun.splice(0));
          if (clicked.length > 0) for (const { monitor } of windows) await readAll(monitor);
        };
        const mend = (): void => servers.forEach(({ failures }) => failures.clear());
        click('refresh', 0);
        click('start', 0);
        for (const { what, on, n, isAwaited } of steps) {
          // A clock that has caught up before the next look cannot be seen, so windows look before and after.
          const isClock = what === 'its clock is set back';
          if (isClock)
            await settle()
              .then(mend)
              .then(() => settle('poll'));
          const event = world.happens[what];
          if (event === undefined) click(what, on, n);
          // At the worst moment: behind a look, before what is done upon it. What a session loses before our own stop,
          // it takes with it.
          else if (!isAwaited && /^(somebody|another|it is)/.test(what))
            world.current.after.set('event-session', () => void event(n));
          else event(n);
          if (isAwaited || isClock) await settle(...(isClock ? ['poll'] : []));
          if (isAwaited && what !== 'an answer fails') mend();
        }
        await settle().then(mend);
        servers.forEach(({ after }) => after.clear());
        for (const last of ['poll', 'poll', 'stop', 'poll']) {
          if (last === 'poll') world.current.pass(60);
          await settle('refresh', last);
        }
        for (const { monitor, kept } of windows) {
          const { tracking, facts } = monitor.snapshot;
          assert.ok(tracking.state !== 'tracking' && tracking.reading === null, tracking.state);
          const check = (
            capture: CaptureRecord,
            serverName: string | null | undefined,
            isOver: boolean,
          ): void => {
            const server = servers.find(({ name }) => name === serverName) ?? assert.fail();
            assertTrue(capture, server, isOver && (world.knowing?.includes(capture.id) ?? true));
            captured += capture.columns.rows;
          };
          const last = new Map(kept.map((one) => [one.id, one]));
          for (const one of last.values()) check(restoreRecord(one), one.serverName, one.following === null);
          const { capture } = monitor;
          if (capture !== null)
            check(capture, facts?.server.serverName, (last.get(capture.id)?.following ?? null) === null);
          await monitor.dispose();
        }
      }),
      { numRuns: 54, seed: 20160712 },
    );
    assert.ok(captured > 1_000, `${captured} were captured: else all might be gaps`);
  });
});
