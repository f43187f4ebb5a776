/**
 * How long a user waits and what a server pays, through the monitor and our own driver, with the simulator in a process
 * of its own: seconds, queries, bytes on the socket and the longest slice of our thread. Run: npm run bench -- felt
 * [events ...]
 */
import { promises as files, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises';
import { CaptureFolder } from '../src/captures/capture-folder';
import { openServerCaptures, type ServerCaptures } from '../src/captures/server-captures';
import { keepRecord } from '../src/core/capture/capture-record';
import type { Choice } from '../src/core/advice/plan';
import type { ServerAccess } from '../src/hosts/host';
import { createServerMonitor } from '../src/monitor/monitored-server';
import { thisComputer } from '../src/monitor/queries/slices';
import type { ServerMonitor } from '../src/monitor/server-monitor';
import { FakeServer } from '../test/monitor/fake-server';
import { FakeTimers, openBreaker, surroundingsOf } from '../test/monitor/fake-surroundings';
import { listenInSilence } from '../test/e2e/silent-server';
import { streamCapture } from './event-pages';
import { openMeter, reachServed, serve } from './served';

const STORED = process.argv.slice(2).map(Number).filter(Boolean);
const EVENTS = STORED.length > 0 ? STORED : [50_000, 400_000];
/** Milliseconds that a real server takes to read one event (docs/facts.md, SQL Server 4). */
const SERVER_MS_AN_EVENT = 0.4;
const HISTORY = 'checkpoint_history';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

type Meter = Awaited<ReturnType<typeof openMeter>>;

interface Asked {
  queries: number;
  logins: number;
  /** Of all queries together, from sending until the last row: the wire is in it. */
  tookMs: number;
}

/** The capabilities of a host that logs in for each query. */
const LOGIN_FOR_EACH = { session: false, parameters: false, errors: false } as const;

/** Counts logins and queries. If `isLoginForEach`, like a host that logs in for each query. */
function count(access: ServerAccess, asked: Asked, msAnEvent: number, isLoginForEach: boolean): ServerAccess {
  return {
    ...access,
    open: async (opening) => {
      const connection = await access.open(opening);
      asked.logins++;
      const query: typeof connection.query = async (text, options) => {
        asked.queries++;
        if (isLoginForEach) asked.logins++;
        const sentMs = performance.now();
        const sets = await connection.query(text, options);
        asked.tookMs += performance.now() - sentMs;
        if (msAnEvent > 0 && text.includes('checkpoint-events'))
          await wait(msAnEvent * (sets.at(-1)?.rows.length ?? 0));
        return sets;
      };
      const capabilities = { ...connection.capabilities, ...(isLoginForEach ? LOGIN_FOR_EACH : {}) };
      return { capabilities, query, close: () => connection.close() };
    },
  };
}

/** Uses the intervals that we ship. */
function watch(access: ServerAccess, captures?: ServerCaptures): ServerMonitor {
  const given = {
    access,
    breaker: openBreaker(),
    ...thisComputer,
    pollIntervalMs: 5_000,
    refreshIntervalMs: MINUTE_MS,
  };
  const surroundings = surroundingsOf(new FakeServer(), new FakeTimers());
  return createServerMonitor({ ...surroundings, ...given, captures: captures ?? surroundings.captures });
}

function print(
  what: string,
  seconds: readonly number[],
  meter: Meter,
  asked: Asked,
  slices: { readonly max: number } | null,
): void {
  const times = seconds.map((one) => one.toFixed(2)).join(' / ');
  const slice = slices === null ? '' : `, longest slice ${(slices.max / 1e6).toFixed(0)} ms`;
  const kilobytes = `${(meter.up / 1000).toFixed(0)} KB up, ${(meter.down / 1000).toFixed(0)} KB down`;
  console.log(`  ${what.padEnd(62)} ${times.padStart(20)} s; ${asked.queries} queries, ${kilobytes}${slice}`);
}

interface Bench {
  readonly monitor: ServerMonitor;
  readonly meter: Meter;
  readonly asked: Asked;
  readonly slices: ReturnType<typeof monitorEventLoopDelay>;
  /** Gives the seconds that the work takes. */
  time(work: () => Promise<unknown>): Promise<number>;
}

interface Way {
  readonly msAnEvent?: number;
  readonly isLoginForEach?: boolean;
  readonly captures?: ServerCaptures;
}

async function bench(
  options: readonly string[],
  run: (bench: Bench) => Promise<void>,
  { msAnEvent = 0, isLoginForEach = false, captures }: Way = {},
) {
  const served = await serve(options);
  const meter = await openMeter(served.port);
  const asked: Asked = { queries: 0, logins: 0, tookMs: 0 };
  const monitor = watch(count(reachServed(served, meter.port), asked, msAnEvent, isLoginForEach), captures);
  const slices = monitorEventLoopDelay({ resolution: 1 });
  slices.enable();
  const time = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await work();
    return (performance.now() - begun) / 1000;
  };
  try {
    await run({ monitor, meter, asked, slices, time });
  } finally {
    await monitor.dispose();
    meter.close();
    await served.close();
  }
}

/** When the first checkpoint, the newest hour and all of a session that ran before us are on screen. */
async function benchStored(events: number, msAnEvent: number): Promise<void> {
  const name = `${events.toLocaleString('en')} stored events${msAnEvent > 0 ? `, ${msAnEvent} ms each at the server` : ''}`;
  const options = ['--rate', '0', '--stored-events', String(events)];
  const readAll = async ({ monitor, meter, asked, slices }: Bench): Promise<void> => {
    await monitor.refresh();
    slices.reset();
    const begun = performance.now();
    const seen: { readonly atMs: number; readonly rows: number; readonly endUtcMs: number }[] = [];
    monitor.onDidChange(() => {
      const rows = monitor.capture?.columns.rows ?? 0;
      if (rows !== (seen.at(-1)?.rows ?? 0))
        seen.push({
          atMs: performance.now() - begun,
          rows,
          endUtcMs: monitor.capture?.columns.beginUtcMs[rows - 1] ?? 0,
        });
    });
    await monitor.adopt(HISTORY);
    while (monitor.snapshot.tracking.reading !== null || seen.length === 0) await wait(50);
    const allMs = performance.now() - begun;
    const newestUtcMs = Math.max(...seen.map(({ endUtcMs }) => endUtcMs));
    const newest = seen.find(({ endUtcMs }) => endUtcMs >= newestUtcMs - HOUR_MS / 2);
    const times = [seen[0]?.atMs, newest?.atMs, allMs].map((ms) => (ms ?? NaN) / 1000);
    print(`${name}: first lanes / newest hour / all`, times, meter, asked, slices);
  };
  await bench(options, readAll, { msAnEvent });
  const click = async ({ monitor, meter, asked, slices, time }: Bench): Promise<void> => {
    await monitor.refresh();
    await monitor.adopt(HISTORY);
    await wait(300);
    const times = [
      await time(() => monitor.refresh()),
      await time(() => monitor.reviewSwitch(CHOICE)),
      await time(() => monitor.stopTracking()),
      await time(() => monitor.dispose()),
    ];
    print(`${name}: Refresh / Review / Stop / closing meanwhile`, times, meter, asked, slices);
  };
  await bench(options, click, { msAnEvent });
}

const CHOICE: Choice = {
  databaseIds: [5, 6, 7],
  byName: true,
  targetSeconds: 60,
  waves: { canary: 3, batch: 25, pauseMinutes: null, stopAboveWriteMs: null },
  waveOf: new Map(),
};

/** Captures of one server on a disk, with one capture in them. */
async function keepCapture(
  checkpoints: number,
): Promise<{ readonly captures: ServerCaptures; readonly remove: () => void }> {
  const path = mkdtempSync(join(tmpdir(), 'felt-'));
  const captures = openServerCaptures(
    new CaptureFolder(path, { files, pause: () => pause() }),
    'bench',
    console.warn,
  );
  const capture = streamCapture(checkpoints);
  await captures.keep(
    keepRecord(capture, { serverName: null, following: null, trackedDatabaseIds: null, sections: [] }),
  );
  return { captures, remove: () => rmSync(path, { recursive: true }) };
}

/** How soon a kept capture is shown again while its server is silent. */
async function benchKept(checkpoints: number): Promise<void> {
  const { captures, remove } = await keepCapture(checkpoints);
  const silent = await listenInSilence();
  const meter = await openMeter(silent.port);
  const monitor = watch(
    reachServed({ port: silent.port, user: 'dba', password: 'secret', close: silent.close }, meter.port),
    captures,
  );
  const slices = monitorEventLoopDelay({ resolution: 1 });
  await wait(500);
  slices.enable();
  const begun = performance.now();
  const refreshed = monitor.refresh().catch(() => undefined);
  while ((monitor.capture?.columns.rows ?? 0) === 0) await wait(5);
  const name = `${checkpoints.toLocaleString('en')} kept checkpoints, the server is silent: shown`;
  print(name, [(performance.now() - begun) / 1000], meter, { queries: 0, logins: 0, tookMs: 0 }, slices);
  await monitor.dispose();
  await silent.close();
  await refreshed;
  meter.close();
  remove();
}

/** Sums up the figures of a long capture while the pane asks for its rows as often as a screen is drawn. */
async function benchRedraws(checkpoints: number): Promise<void> {
  const { captures, remove } = await keepCapture(checkpoints);
  const redraw = async ({ monitor, meter, asked, slices, time }: Bench): Promise<void> => {
    await monitor.refresh();
    slices.reset();
    const redrawsMs: number[] = [];
    let shown = 0;
    const drawing = setInterval(() => {
      const begun = performance.now();
      shown = monitor.snapshot.statistics.size;
      redrawsMs.push(performance.now() - begun);
    }, 16);
    const name = `${checkpoints.toLocaleString('en')} kept checkpoints: figures`;
    const seconds = await time(() => monitor.refresh());
    clearInterval(drawing);
    const redraws = `${redrawsMs.length} redraws of ${shown} databases, longest ${Math.max(...redrawsMs).toFixed(2)} ms`;
    print(`${name}, ${redraws}`, [seconds], meter, asked, slices);
  };
  await bench(['--rate', '0'], redraw, { captures });
  remove();
}

async function benchDatabases(databases: number): Promise<void> {
  await bench(
    ['--rate', '0', '--databases', String(databases)],
    async ({ monitor, meter, asked, slices, time }) => {
      const name = `${databases.toLocaleString('en')} databases`;
      const begun = performance.now();
      let firstMs = NaN;
      monitor.onDidChange(() => {
        if (Number.isNaN(firstMs) && monitor.snapshot.facts !== null) firstMs = performance.now() - begun;
      });
      const connected = await time(() => monitor.refresh());
      print(`${name}: first rows / verdicts`, [firstMs / 1000, connected], meter, asked, slices);
      slices.reset();
      print(`${name}: Refresh`, [await time(() => monitor.refresh())], meter, asked, slices);
      const choice = {
        ...CHOICE,
        databaseIds: (monitor.snapshot.facts?.databases ?? []).map(({ databaseId }) => databaseId),
      };
      for (const [what, work] of [
        ['shows what the pane knows', () => monitor.replanSwitch(choice)],
        ['has read the server', () => monitor.reviewSwitch(choice)],
        ['takes a tick', () => monitor.replanSwitch(choice)],
        ['opens its scripts', () => monitor.reviewSwitch(choice)],
      ] as const) {
        asked.queries = meter.up = meter.down = 0;
        slices.reset();
        print(`${name}: the review ${what}`, [await time(work)], meter, asked, slices);
      }
    },
  );
}

async function benchMinute(isLoginForEach: boolean): Promise<void> {
  const follow = async ({ monitor, meter, asked, slices, time }: Bench): Promise<void> => {
    await monitor.refresh();
    await monitor.startTracking(null);
    await wait(10_000);
    Object.assign(asked, { queries: 0, logins: 0, tookMs: 0 });
    meter.up = meter.down = 0;
    // Measuring slices every millisecond takes more processor time than following a server.
    slices.disable();
    const before = process.cpuUsage();
    const seconds = await time(() => wait(MINUTE_MS));
    const { user, system } = process.cpuUsage(before);
    const { lastMinute, sessionBytes } = monitor.snapshot.cost;
    const rows = lastMinute.reduce((sum, one) => sum + one.rows, 0);
    const name = isLoginForEach ? 'a followed minute, a login for each query' : 'a followed minute';
    print(
      `${name}: ${asked.logins} logins, the server took ${asked.tookMs.toFixed(0)} ms, ${rows} rows, session ${(sessionBytes ?? NaN) / 1024} KB, CPU ${((user + system) / 1e6).toFixed(2)} s`,
      [seconds],
      meter,
      asked,
      null,
    );
  };
  await bench(['--databases', '400'], follow, { isLoginForEach });
}

async function main(): Promise<void> {
  // Happens once in a window, in one piece.
  await import('tedious');
  for (const events of EVENTS) await benchStored(events, 0);
  await benchStored(EVENTS[0] ?? 50_000, SERVER_MS_AN_EVENT);
  await benchKept(1_000_000);
  await benchRedraws(4_000_000);
  await benchDatabases(5_000);
  await benchMinute(false);
  await benchMinute(true);
}

void main();
