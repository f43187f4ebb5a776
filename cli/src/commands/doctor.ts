/** `doctor`: one line for each question about the lake and about each server. It changes nothing. */
import { performance } from 'node:perf_hooks';
import { makeVisible } from '../../../src/core/visible';
import type { DoctorAnswer } from '../doctor/answer';
import { diagnose } from '../doctor/diagnosis';
import { tryFolder } from '../doctor/folder-trial';
import { forEachAtOnce } from '../kit/at-once';
import { EXIT } from '../kit/exit';
import type { Output } from '../kit/output';
import { countQueries, type QueryCost } from '../servers/query-cost';
import { type ReachedServer, reachServers, type ServerOptions } from '../servers/reaching';
import { lookOnce, watchServer } from '../servers/watching';

interface DoctorOptions extends ServerOptions {
  readonly lake?: string;
}

const AT_ONCE = 8;
const SERVER_MS = 60_000;

/** @returns the exit code */
export async function runDoctor(options: DoctorOptions, output: Output): Promise<number> {
  const servers = await reachServers(options, output);
  const lake = options.lake === undefined ? [] : [['Lake', [await tryFolder(options.lake)]] as const];
  const found = new Map<string, readonly DoctorAnswer[]>();
  await forEachAtOnce(servers, AT_ONCE, new AbortController().signal, async (server) => {
    found.set(server.name, await examine(server));
    output.progress(found.size, servers.length, 'servers');
  });
  const blocks = [...lake, ...servers.map(({ name }) => [name, found.get(name) ?? []] as const)];
  for (const [title, answers] of blocks) {
    const lines = [title, ...answers.map(({ level, sentence }) => `  ${level.padEnd(7)}  ${sentence}`)];
    output.result(lines.map(makeVisible).join('\n'));
  }
  const problems = blocks.flatMap(([, answers]) => answers.filter(({ level }) => level === 'problem')).length;
  const end = problems === 0 ? 'No problems found.' : 'Lines that begin with problem say what to do.';
  output.event('info', end, { problems });
  return problems === 0 ? EXIT.done : EXIT.someServers;
}

async function examine(server: ReachedServer): Promise<readonly DoctorAnswer[]> {
  const cost: QueryCost = { queries: 0, serverMs: 0, refusal: null };
  const access = countQueries(server.access, cost, () => performance.now());
  const monitor = watchServer({ ...server, access });
  try {
    const fromMs = Date.now();
    await lookOnce(monitor, AbortSignal.timeout(SERVER_MS));
    return diagnose({ server: server.server, snapshot: monitor.snapshot, cost, fromMs, toMs: Date.now() });
  } finally {
    await monitor.dispose();
  }
}
