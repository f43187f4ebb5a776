/**
 * `collect` over many simulated servers, which run in a process of their own: servers a minute, events a second,
 * processor time an event; then with nothing new. Beside it a loop that asks each server for all its events and writes
 * them to a text file, as a script with sqlcmd would: nothing is paired, and each run reads all again. Run: npm run
 * bench -- fleet [servers] [hours of events]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect } from '../cli/src/collect/collect';
import { forEachAtOnce } from '../cli/src/kit/at-once';
import { startSimulator } from '../simulator/index';
import type { ReadText } from '../src/core/script/text';
import type { ServerAccess } from '../src/hosts/host';
import { Lake } from '../src/lake/lake';
import { runWorld } from '../test/cli/collecting';
import { openFreely } from '../test/hosts/opening';
import { reach, watch } from '../test/simulator/product/watched-server';

const SERVERS = Number(process.argv[2] ?? 40);
const HOURS = Number(process.argv[3] ?? 6);
const AT_ONCE = 16;
const HOUR_MS = 3_600_000;

interface Reached {
  readonly name: string;
  readonly access: ServerAccess;
}

/** What the process with the servers tells: how to reach each. */
type Served = readonly Parameters<typeof reach>[0][];

async function serve(): Promise<void> {
  const served: Served[number][] = [];
  for (let at = 0; at < SERVERS; at++) {
    const simulator = await startSimulator({ rate: 0, tls: 'required', seed: at + 1 });
    const monitor = watch(simulator);
    await monitor.refresh();
    await monitor.startTracking(null);
    await monitor.dispose();
    simulator.server.advance(HOURS * HOUR_MS);
    served.push({ port: simulator.port, administrator: simulator.administrator });
  }
  process.send?.(served);
}

async function measure(name: string, work: () => Promise<number>): Promise<void> {
  const [beganMs, before] = [performance.now(), process.cpuUsage()];
  const events = await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - beganMs) / 1_000;
  const cpu = (user + system) / 1_000;
  console.log(
    [
      `${name}: ${seconds.toFixed(1)} s, ${Math.round((60 * SERVERS) / seconds)} servers a minute, ${events} events`,
      `${Math.round(events / seconds)} a second, ${cpu.toFixed(0)} ms of our processor`,
      ...(events === 0 ? [] : [`${((1_000 * cpu) / events).toFixed(1)} µs an event`]),
    ].join(', '),
  );
}

async function runCollect(folder: string, servers: readonly Reached[]): Promise<number> {
  let events = 0;
  await collect({
    lake: await Lake.open(folder),
    servers: servers.map((server) => ({ ...server, world: runWorld() })),
    concurrency: AT_ONCE,
    serverMs: 120_000,
    along: { samples: true, errorLogMs: 0 },
    ended: (server, { counts, outcome, reason }) => {
      if (outcome !== 'collected' && outcome !== 'nothing new')
        throw new Error(`${server}: ${outcome}. ${reason ?? ''}`);
      events += counts?.rows_read ?? 0;
    },
    leftOut: () => undefined,
    signal: new AbortController().signal,
  });
  return events;
}

const ALL_EVENTS = `SELECT object_name, event_data, file_name, file_offset
FROM sys.fn_xe_file_target_read_file(N'CheckpointHealth*.xel', NULL, NULL, NULL)` as ReadText;

async function runLoop(file: string, servers: readonly Reached[]): Promise<number> {
  let events = 0;
  const out = createWriteStream(file);
  await forEachAtOnce(servers, AT_ONCE, new AbortController().signal, async ({ name, access }) => {
    const connection = await openFreely(access);
    const [set] = await connection.query(ALL_EVENTS, { timeoutMs: 120_000 });
    for (const row of set?.rows ?? []) out.write(`${name}\t${row.join('\t')}\n`);
    events += set?.rows.length ?? 0;
    await connection.close();
  });
  out.end();
  await once(out, 'finish');
  return events;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  const child = fork(__filename, [String(SERVERS), String(HOURS)], {
    env: { ...process.env, SERVES: 'yes' },
  });
  try {
    const [served] = (await once(child, 'message')) as [Served];
    const servers = served.map((one, at) => ({ name: `SQL${at}`, access: reach(one) }));
    for (const round of ['first', 'second']) {
      const lake = join(folder, round);
      await measure('a loop with no pairing', () => runLoop(join(folder, 'events.tsv'), servers));
      await measure('collect', () => runCollect(lake, servers));
      await measure('a loop with no pairing, with nothing new', () =>
        runLoop(join(folder, 'events.tsv'), servers),
      );
      await measure('collect, with nothing new', () => runCollect(lake, servers));
    }
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

void (process.env['SERVES'] === 'yes' ? serve() : main());
