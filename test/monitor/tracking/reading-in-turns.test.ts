import assert from 'node:assert/strict';
import { decodeCapture, encodeCapture } from '../../captures/kept-captures';
import type { Capture } from '../../../src/core/capture/capture';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { ConnectionError } from '../../../src/hosts/host';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import {
  type FakeEvent,
  FakeServer,
  FakeTimers,
  installationOf,
  surroundingsOf,
  through,
} from '../fake-server';
import { createRandom } from '../../webview/fake-capture';
import { checkpoints, fileOf, moved, readAll, running, time } from '../watched-fake';

/** A server whose session was running before us and has stored this many checkpoints. */
function storing(count: number, more: Partial<FakeServer> = {}): FakeServer {
  const stored = {
    startedLocal: '2026-03-02T08:59:00',
    fileName: fileOf(-60),
    events: checkpoints(count),
    nowUtc: time(2 * count + 60),
  };
  return Object.assign(new FakeServer(), running, stored, more);
}

interface Window {
  readonly monitor: ServerMonitor;
  readonly timers: FakeTimers;
  /** Pages asked for so far. */
  pages(): number;
  /** Begins to read what is stored, and goes on to its end. */
  readStored(): Promise<void>;
}

/**
 * @param onPage is told the number of each page before it is answered, and the buffer after which it is read; what it
 * throws is the answer
 */
async function open(
  server: FakeServer,
  kept: KeptRecord[] = [],
  onPage = noPage,
  elapsedMs = () => 0,
): Promise<Window> {
  const timers = new FakeTimers();
  let pages = 0;
  const access = through(server, async (connection, text, options) => {
    if (/Checkpoint Health: .*checkpoint-events/.test(text))
      await onPage(
        ++pages,
        Number(/@initial_offset bigint = (-?\d+)/.exec(text)?.[1] ?? -1),
        options.onNotice ?? (() => undefined),
      );
    return connection.query(text, options);
  });
  const monitor = createServerMonitor({
    ...surroundingsOf(server, timers, kept, installationOf()),
    access,
    sampling: null,
    elapsedMs,
  });
  await monitor.refresh();
  const readStored = async (): Promise<void> => {
    timers.fire(0);
    await readAll(monitor);
  };
  return { monitor, timers, pages: () => pages, readStored };
}

type OnPage = (page: number, behind: number, notice: (number: number) => void) => void | Promise<void>;
const noPage: OnPage = () => undefined;

describe('Reading what a session has stored', () => {
  it('shows more with each page, observes no more than was read, and counts the events', async () => {
    const seen: (readonly [rows: number, endUtcMs: number, events: number])[] = [];
    const { monitor, readStored } = await open(storing(10_000));
    monitor.onDidChange((change) => {
      const { capture, snapshot } = monitor;
      if (change !== 'capture' || capture === null) return;
      const { columns, observation } = capture;
      const last = columns.rows === 0 ? 0 : (columns.beginUtcMs[columns.rows - 1] ?? 0) + 1_000;
      assert.ok(observation === null || last < observation.endUtcMs);
      seen.push([columns.rows, observation?.endUtcMs ?? 0, snapshot.tracking.reading?.events ?? Infinity]);
    });
    await readStored();
    for (const figure of [0, 1, 2]) {
      const figures = seen.map((each) => each[figure] as number);
      assert.ok(
        figures.length >= 3 &&
          figures.every((each, place) => place === 0 || each > (figures[place - 1] ?? 0)),
        figures.join(),
      );
    }
    assert.deepEqual(
      [seen.at(-1)?.[2], monitor.capture?.columns.rows, monitor.snapshot.tracking.reading],
      [Infinity, 10_000, null],
    );
  });

  it('lets clicks go first: at most one page is read between a click and its answer, and two clicks keep their order', async () => {
    const done: string[] = [];
    let clicked: Promise<unknown>[] = [];
    const asked: number[] = [];
    const { monitor, pages, readStored } = await open(storing(18_000), [], (page) => {
      if (page !== 2) return;
      clicked = [monitor.refresh(), monitor.listAdoptable().catch(() => undefined)].map((click, place) =>
        click.then(() => {
          done.push(`click ${place}`);
          asked.push(pages());
        }),
      );
    });
    await readStored();
    await Promise.all(clicked);
    assert.deepEqual({ done, asked }, { done: ['click 0', 'click 1'], asked: [2, 2] });
    assert.ok(pages() > 4);
  });

  it('pauses after the page under way if the user asks, and goes on if the user asks', async () => {
    const { monitor, timers, pages, readStored } = await open(storing(18_000), [], (page) => {
      if (page === 2) monitor.pauseReading();
    });
    await readStored();
    const { reading } = monitor.snapshot.tracking;
    assert.deepEqual([pages(), reading?.isPaused], [2, true]);
    assert.ok((monitor.capture?.columns.rows ?? 0) > 0);
    timers.fire(40_000);
    await monitor.look();
    assert.equal(pages(), 2, 'a poll does not read on');
    monitor.readOn();
    await readAll(monitor);
    assert.deepEqual([monitor.snapshot.tracking.reading, monitor.capture?.columns.rows], [null, 18_000]);
  });

  it('does not hold up Stop: the session is stopped first, and the capture is kept when everything was read', async () => {
    const kept: KeptRecord[] = [];
    let stopped: Promise<number> = Promise.resolve(0);
    const server = storing(18_000);
    const { monitor, timers, pages } = await open(server, kept, (page) => {
      if (page === 2) stopped = monitor.stopTracking(undefined, agreedOn(server)).then(() => pages());
    });
    timers.fire(0);
    await monitor.look();
    await monitor.look();
    assert.deepEqual(
      [await stopped, server.isRunning, monitor.snapshot.tracking.state],
      [3, false, 'stopped'],
    );
    assert.match(
      monitor.snapshot.tracking.message ?? '',
      /^Stopped\. Reading what it recorded: [\d,]+ events so far\.$/,
    );
    await readAll(monitor);
    const ledger = monitor.capture?.ledger();
    assert.deepEqual(
      [ledger?.checkpoints, ledger?.open, ledger?.held, monitor.snapshot.tracking.message],
      [18_000, 0, 0, null],
    );
    assert.deepEqual([kept.at(-1)?.columns.rows, kept.at(-1)?.following], [18_000, null]);
  });

  it('goes on if a stop is refused', async () => {
    const server = storing(18_000);
    server.failures.set('session-stop', new ConnectionError('permissionDenied', 'You may not.', 15151));
    let stopped: Promise<unknown> = Promise.resolve();
    const { monitor, readStored } = await open(server, [], (page) => {
      if (page === 2)
        stopped = assert.rejects(monitor.stopTracking(undefined, agreedOn(server)), /You may not/);
    });
    await readStored();
    await stopped;
    const { state, reading } = monitor.snapshot.tracking;
    assert.deepEqual([state, monitor.capture?.columns.rows, reading], ['tracking', 18_000, null]);
    await assert.rejects(monitor.stopTracking(undefined, agreedOn(server)), /You may not/);
    assert.match(monitor.snapshot.tracking.message ?? '', /could not be stopped: You may not\./);
  });

  it('mixes nothing if tracking starts again meanwhile: what was read is kept, and the next capture has its own events', async () => {
    const kept: KeptRecord[] = [];
    const server = storing(18_000);
    const { monitor, timers } = await open(server, kept, (page) => {
      if (page === 1) void monitor.stopTracking(undefined, agreedOn(server));
    });
    timers.fire(0);
    await monitor.look();
    const first = monitor.capture?.id;
    Object.assign(server, { events: [], nowUtc: time(40_000) });
    await monitor.startTracking(null, undefined, agreedOn(server));
    await readAll(monitor);
    assert.notEqual(monitor.capture?.id, first);
    const last = kept.filter(({ id }) => id === first).at(-1);
    assert.ok((last?.columns.rows ?? 0) > 0 && (last?.columns.rows ?? 0) < 18_000);
    assert.ok(
      (last?.observation?.endUtcMs ?? 0) < Date.parse(`${time(36_000)}Z`),
      'what was not read is not observed',
    );
    assert.deepEqual([monitor.snapshot.tracking.state, monitor.capture?.columns.rows], ['tracking', 0]);
  });

  it('goes to its end if the session is removed meanwhile, because its files stay', async () => {
    const server = storing(18_000);
    const { monitor, timers } = await open(server);
    timers.fire(0);
    await monitor.removeTracking(undefined, agreedOn(server));
    assert.deepEqual([server.isDefined, monitor.snapshot.tracking.state], [false, 'not tracking']);
    await readAll(monitor);
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.capture?.columns.rows],
      ['not tracking', 18_000],
    );
  });

  it('does not keep the window open', async () => {
    let closed: Promise<number> | null = null;
    const kept: KeptRecord[] = [];
    const { monitor, timers, pages } = await open(storing(18_000), kept, (page) => {
      if (page === 2) closed = monitor.dispose().then(() => pages());
    });
    timers.fire(0);
    while (closed === null) await monitor.look().catch(() => undefined);
    assert.equal(await closed, 2);
    assert.ok((kept.at(-1)?.columns.rows ?? 0) > 0);
  });

  it('claims nothing after what was read if another server answers meanwhile', async () => {
    const kept: KeptRecord[] = [];
    const server = storing(18_000);
    const { readStored } = await open(server, kept, (page) => {
      if (page === 5) Object.assign(server, { name: 'PROD-SQL08', events: [] });
    });
    await readStored();
    const left = kept.find(({ serverName }) => serverName === 'PROD-SQL07');
    const gap = left?.observation?.gaps.find(({ kind }) => kind === 'failover');
    const last = left?.columns.beginUtcMs[(left?.columns.rows ?? 0) - 1] ?? Infinity;
    assert.ok(gap !== undefined && (left?.columns.rows ?? 0) > 1_000);
    assert.ok(gap.beginUtcMs > last && gap.beginUtcMs < last + 60_000, 'from what was read last on');
    assert.equal(gap.endUtcMs, left?.observation?.endUtcMs);
  });

  it('begins with the newest file if there are older ones, and then shows all of them in order', async () => {
    const server = inFiles(storing(18_000), 3);
    const seen: (readonly [string, number, number, number, number])[] = [];
    const { monitor, readStored } = await open(server);
    monitor.onDidChange((change) => {
      const { capture } = monitor;
      if (change !== 'capture' || capture === null || capture.columns.rows === 0) return;
      const { id, generation, columns, observation } = capture;
      seen.push([id, generation, columns.rows, columns.beginUtcMs[0] ?? 0, observation?.beginUtcMs ?? 0]);
    });
    await readStored();
    const newest = Date.parse(`${time(24_000)}Z`);
    const [first, last] = [seen[0], seen.at(-1)];
    assert.ok(
      first !== undefined && last !== undefined && first[3] >= newest && first[4] > newest,
      JSON.stringify(first),
    );
    assert.deepEqual([last[2], monitor.snapshot.tracking.reading], [18_000, null]);
    assert.deepEqual(
      [last[0], last[1] > first[1], last[3] < newest, last[4] < newest],
      [first[0], true, true, true],
    );
    const counts = seen.map(([, , rows]) => rows);
    assert.ok(
      counts.every((rows, place) => place === 0 || rows >= (counts[place - 1] ?? 0)),
      'nothing that was shown goes',
    );
  });

  it('shows new events at the usual pace while older files are read, and while that pauses', async () => {
    const server = inFiles(storing(18_000), 3);
    let elapsedMs = 0;
    const write = (from: number): void => {
      const more = moved(checkpoints(10, from), 10_000_000);
      Object.assign(server, { events: [...server.events, ...more], nowUtc: time(2 * from + 200) });
      elapsedMs += 2_000;
    };
    const shown: number[] = [];
    const onPage = (page: number): void => {
      const { columns } = monitor.capture ?? {};
      shown.push(columns?.beginUtcMs[columns.rows - 1] ?? 0);
      if (page === 6) write(18_000);
      if (page === 8) monitor.pauseReading();
    };
    const { monitor, timers, readStored } = await open(server, [], onPage, () => elapsedMs);
    await readStored();
    assert.ok((shown.at(-1) ?? 0) >= Date.parse(`${time(36_000)}Z`) - 60_000, 'what was written meanwhile');
    assert.equal(monitor.snapshot.tracking.reading?.isPaused, true);
    const rows = monitor.capture?.columns.rows ?? 0;
    write(18_100);
    timers.fire(2_000);
    await monitor.look();
    await monitor.look();
    assert.equal(monitor.capture?.columns.rows, rows + 10);
    assert.ok(rows < 18_000);
    await monitor.refresh();
    await readAll(monitor);
    assert.equal(monitor.capture?.columns.rows, 18_020);
  });

  it('gives the same capture however it is cut and whatever interrupts it', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const random = createRandom(seed);
      const make = (): FakeServer => {
        const server = inFiles(
          inBuffers(storing(7_000, { droppedEvents: seed % 4 === 0 ? 3 : 0 }), createRandom(seed)),
          3,
        );
        return Object.assign(server, { currentFile: null });
      };
      const damagedBehind = seed % 3 === 0 ? 512 * 9 : null;
      const notice: OnPage = (_page, behind, tell) => void (behind === damagedBehind && tell(25_720));
      const whole = describeCapture(
        (await readInterrupted(make(), notice, () => 'answer')).capture as Capture,
      );
      const cut = await readInterrupted(
        make(),
        notice,
        () => HOW[Math.floor(random() * HOW.length)] ?? 'answer',
      );
      assert.deepEqual(describeCapture(cut.capture as Capture), whole, `seed ${seed}`);
      assert.ok(seed % 4 === 0 || whole.checkpoints.length > 1_000, `seed ${seed}`);
    }
  });
});

const HOW = ['answer', 'fail', 'deny', 'close', 'kill', 'answer'] as const;

/**
 * Reads all that is stored. Each page is answered, fails, is refused, or finds its window closed or its editor killed.
 * What is kept goes through the bytes of its file.
 */
async function readInterrupted(
  server: FakeServer,
  notice: OnPage,
  choose: () => (typeof HOW)[number],
): Promise<ServerMonitor> {
  const kept: KeptRecord[] = [];
  for (let left = 40; ;) {
    let closing: Promise<void> | null = null;
    const window: Window = await open(server, kept, (page, behind, tell) => {
      const how = left-- > 0 ? choose() : 'answer';
      if (how === 'fail') throw new ConnectionError('disconnected', 'The connection was lost.');
      if (how === 'deny') throw new ConnectionError('permissionDenied', 'Denied.', 300);
      if (how === 'close') closing ??= window.monitor.dispose();
      // Nothing of it is closed, asked or kept any more.
      if (how === 'kill') closing ??= Promise.resolve();
      if (how === 'kill') throw new ConnectionError('disconnected', 'The process has ended.');
      return notice(page, behind, tell);
    });
    const { monitor, timers } = window;
    for (let quiet = 0; quiet < 4 && closing === null;) {
      timers.fire(10_000);
      await monitor.look().catch(() => undefined);
      const { reading, message } = monitor.snapshot.tracking;
      quiet = reading === null && message === null ? quiet + 1 : 0;
    }
    if (closing === null) return monitor;
    await closing;
    const last = kept.at(-1);
    if (last === undefined) continue;
    const { capture, problem } = decodeCapture(encodeCapture({ ...last, serverLabel: 'fake' }));
    assert.equal(problem, null);
    kept.splice(0, kept.length, capture as KeptRecord);
  }
}

/** The same events as a server writes them: some late, in buffers, and some never. */
function inBuffers(server: FakeServer, random: () => number): FakeServer {
  const delayed = server.events
    .filter(() => random() > 0.01)
    .map((event) => ({ event, writtenMs: Date.parse(`${event.at}Z`) + random() * 4_000 }))
    .sort((a, b) => a.writtenMs - b.writtenMs);
  let offset = 512;
  const events: FakeEvent[] = delayed.map(({ event }) => ({
    ...event,
    offset: random() < 0.2 ? (offset += 512) : offset,
  }));
  return Object.assign(server, { events });
}

/** The same events in this many files of about one size. The session writes the last one now. */
function inFiles(server: FakeServer, files: number): FakeServer {
  const each = Math.ceil(server.events.length / files);
  const events = server.events.map((event, place) => ({
    ...event,
    file: fileOf(Math.floor(place / each) * each - 60),
  }));
  const newestFile = events.at(-1)?.file;
  return Object.assign(server, { events, fileName: newestFile, currentFile: newestFile });
}

/** What must not depend on how it was read. */
function describeCapture(capture: Capture) {
  const { columns, observation } = capture;
  const checkpointRows = Array.from(
    { length: columns.rows },
    (_, row) => `${columns.beginUtcMs[row]} ${columns.durationMs[row]} ${columns.database[row]}`,
  );
  const unpaired = capture.unpaired().map((one) => JSON.stringify(one));
  const ledger = capture.ledger();
  assert.equal(findUnaccountedRows(ledger), 0);
  return { checkpoints: checkpointRows.sort(), unpaired: unpaired.sort(), observation, ledger };
}

function agreedOn({ name, file, mark, definitionId, startedLocal, isRunning }: FakeServer) {
  return {
    isRunning,
    serverName: name,
    configuredFile: file,
    mark,
    definitionId,
    startedLocalMs: Date.parse(`${startedLocal}Z`),
  };
}
