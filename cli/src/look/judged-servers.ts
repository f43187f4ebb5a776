/** Looks at many servers and judges each, as a window would that has just been opened. It only reads. */
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { PolicyInForce } from '../../../src/core/advice/policy';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { findHold, nameAttempt, NO_ATTEMPTS } from '../collect/attempts';
import { findLack, collectServer } from '../collect/server-run';
import type { Outcome } from '../../../src/lake/tables';
import type { CollectState } from '../collect/server-state';
import { doWithin, forEachAtOnce, untilInterrupted } from '../kit/at-once';
import { type Output, tellOf } from '../kit/output';
import { countQueries, type QueryCost } from '../servers/query-cost';
import type { ReachedServer } from '../servers/reaching';
import { holdPolicy, waitForAbort, watchServer } from '../servers/watching';
import { readStates, readStoredCaptures, shareServers } from './stored-captures';

/** How far back the lake is read, and how many servers are looked at. */
export interface LookOptions {
  readonly lake?: readonly string[];
  readonly days: number;
  readonly concurrency: number;
  readonly serverSeconds: number;
  /** Between two looks at the waits of a server where nothing is tracked; 0 or absent: one look. */
  readonly waitsSeconds?: number;
}

export interface Look {
  readonly server: ReachedServer;
  readonly outcome: Outcome;
  readonly reason: string | null;
  /** null: nothing was sent to the server. It is disposed of when `take` has ended. */
  readonly monitor: ServerMonitor | null;
  /** Aborted when the time of the server is over. */
  readonly signal: AbortSignal;
}

/**
 * @param take is told of each server once everything was read and judged.
 * @throws Error with one sentence if the lake cannot be read
 */
export async function judgeServers(
  servers: readonly ReachedServer[],
  options: LookOptions,
  grounds: { readonly inForce: PolicyInForce; readonly hash?: (text: string) => string },
  output: Output,
  take: (look: Look) => Promise<void>,
): Promise<void> {
  const known = await readKnown(servers, options, output);
  let ended = 0;
  output.progress(ended, servers.length, 'servers');
  await untilInterrupted((stop) =>
    forEachAtOnce(servers, options.concurrency, stop, async (server) => {
      await doWithin(options.serverSeconds * 1_000, stop, (signal) =>
        judgeOne(server, known, { ...grounds, waitsSeconds: options.waitsSeconds ?? 0 }, signal, take),
      );
      output.progress(++ended, servers.length, 'servers');
    }),
  );
}

async function readKnown(
  servers: readonly ReachedServer[],
  { lake: folders = [], days }: LookOptions,
  output: Output,
) {
  const report = tellOf(output);
  const known = { states: new Map<string, CollectState>(), captures: new Map<string, KeptRecord>() };
  const names = new Set(servers.map(({ name }) => name));
  const ofThese: typeof report = (server, problem) =>
    names.has(server) ? report(server, problem) : undefined;
  for (const [lake, share] of await shareServers(folders, ofThese)) {
    const states = await readStates(lake, new Set([...share].filter((name) => names.has(name))), report);
    for (const [name, state] of states) known.states.set(name, state);
    for (const [name, capture] of await readStoredCaptures(lake, states, days, report))
      known.captures.set(name, capture);
  }
  return known;
}

async function judgeOne(
  server: ReachedServer,
  known: Awaited<ReturnType<typeof readKnown>>,
  { inForce, hash, waitsSeconds }: Parameters<typeof judgeServers>[2] & { readonly waitsSeconds: number },
  signal: AbortSignal,
  take: (look: Look) => Promise<void>,
): Promise<void> {
  const { attempts = NO_ATTEMPTS } = known.states.get(server.name) ?? {};
  const insistence = { logInAgain: false, tryAll: true };
  const account = await nameAttempt(server.access, server.world);
  const held = findHold(attempts, account, Date.now(), insistence);
  if (held !== null) return take({ ...held, server, monitor: null, signal });
  const capture = known.captures.get(server.name) ?? null;
  const cost: QueryCost = { queries: 0, serverMs: 0, refusal: null };
  const access = countQueries(server.access, cost, server.world.elapsedMs);
  const captures = {
    keep: () => Promise.resolve(),
    recover: async (name: string | null) => (name === null || capture?.serverName === name ? capture : null),
  };
  const more = { captures, policy: holdPolicy(inForce), ...(hash && { hash }) };
  const monitor = watchServer({ access, world: server.world }, more);
  try {
    const end = await collectServer(monitor, signal, cost);
    // Verdicts come a little after what they rest on; another look waits for them.
    const isUntracked = end.outcome === 'not tracked' && waitsSeconds > 0;
    if (isUntracked && !signal.aborted) await doWithin(waitsSeconds * 1_000, signal, waitForAbort);
    if (end.outcome === 'collected' || (isUntracked && !signal.aborted)) await monitor.look('now');
    await take({ ...findLack(end, monitor.snapshot.facts), server, monitor, signal });
  } finally {
    await monitor.dispose();
  }
}
