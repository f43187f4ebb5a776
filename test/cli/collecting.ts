import { collect } from '../../cli/src/collect/collect';
import type { RunWorld, ServerRun } from '../../cli/src/collect/server-run';
import type { ServerAccess } from '../../src/hosts/host';
import { Lake } from '../../src/lake/lake';
import { openBreaker } from '../monitor/fake-surroundings';

/** The world of a run by the clocks of this computer. */
export const runWorld = (): RunWorld => ({
  breaker: openBreaker(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
  elapsedMs: () => performance.now(),
  nowMs: () => Date.now(),
  log: { sql: () => undefined, warn: () => undefined },
  newCaptureId: () => 'capture',
});

/** One run over these servers, by their names in the lake. @returns what became of each */
export async function collectInto(
  folder: string,
  servers: Readonly<Record<string, ServerAccess>>,
): Promise<ReadonlyMap<string, ServerRun>> {
  const runs = new Map<string, ServerRun>();
  await collect({
    lake: await Lake.open(folder),
    servers: Object.entries(servers).map(([name, access]) => ({ name, access, world: runWorld() })),
    concurrency: 4,
    serverMs: 60_000,
    ended: (server, run) => void runs.set(server, run),
    leftOut: () => undefined,
    signal: new AbortController().signal,
  });
  return runs;
}
