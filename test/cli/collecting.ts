import assert from 'node:assert/strict';
import { collect } from '../../cli/src/collect/collect';
import { LakeHistory } from '../../cli/src/collect/history';
import { runServer, type RunWorld, type ServerRun } from '../../cli/src/collect/server-run';
import { createOutput, type Output } from '../../cli/src/kit/output';
import type { ServerAccess } from '../../src/hosts/host';
import { Lake } from '../../src/lake/lake';
import { thisComputer } from '../../src/monitor/queries/slices';
import { openBreaker } from '../monitor/fake-surroundings';

/** The world of a run by the clocks of this computer. @param warn by default, a warning fails the test */
export const runWorld = (warn = (message: string): void => assert.fail(message)): RunWorld => ({
  ...thisComputer,
  breaker: openBreaker(),
  log: { sql: () => undefined, warn },
  newCaptureId: () => 'capture',
});

/** What the program says, as text. */
export function hear(): { readonly output: Output; readonly said: string[] } {
  const said: string[] = [];
  const streams = { out: { write: () => true }, error: { write: (text: string) => said.push(text) } };
  return { output: createOutput('text', {}, streams, Date.now), said };
}

/** One run over these servers, by their names in the lake, in which none is left out. @returns what became of each */
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
    leftOut: (names) => assert.fail(names.join()),
    signal: new AbortController().signal,
  });
  return runs;
}

/** One run over a server that the lake calls ONE, whose rows the lake takes. */
export async function runInto(
  folder: string,
  access: ServerAccess,
  along?: RunWorld['along'],
  signal = new AbortController().signal,
): Promise<ServerRun> {
  const lake = await Lake.open(folder);
  const standing = await lake.stand();
  const known = { states: standing.states.get('ONE') ?? [], history: new LakeHistory(lake) };
  const world = { ...runWorld(), ...(along !== undefined && { along }) };
  const run = await runServer('ONE', 'run', access, known, world, signal);
  assert.deepEqual(await lake.append([run.harvest], standing), []);
  return run;
}
