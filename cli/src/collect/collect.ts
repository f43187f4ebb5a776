/** One run over many servers: some at once, each with its own time, and everything into the lake. */
import { randomUUID } from 'node:crypto';
import { doWithin, forEachAtOnce } from '../kit/at-once';
import { addRow, countRows, createRows } from '../../../src/lake/data-files';
import type { Harvest, Lake } from '../../../src/lake/lake';
import type { ReachedServer } from '../servers/reaching';
import type { AlongWanted } from './along';
import type { Insistence } from './attempts';
import { LakeHistory } from './history';
import { runServer, type ServerRun } from './server-run';

interface Collecting {
  readonly lake: Lake;
  readonly servers: readonly Pick<ReachedServer, 'name' | 'access' | 'world'>[];
  readonly concurrency: number;
  /** Milliseconds that one server may take. */
  readonly serverMs: number;
  /** Absent: on nothing. */
  readonly insistence?: Insistence;
  /** Absent: neither. */
  readonly along?: AlongWanted;
  /** Told of each server as it ends. */
  readonly ended: (server: string, run: ServerRun) => void;
  /**
   * Servers that another collector wrote meanwhile: nothing of them was written now, and the next run goes on from
   * there.
   */
  readonly leftOut: (servers: readonly string[]) => void;
  /** Aborted if the whole is to end: what was read is written. */
  readonly signal: AbortSignal;
}

/** Rows in memory at which they are written before all servers have ended. */
const ROWS_A_COMMIT = 500_000;

export async function collect(options: Collecting): Promise<void> {
  const { lake, servers, concurrency, leftOut } = options;
  const standing = await lake.stand();
  const history = new LakeHistory(lake);
  const runId = randomUUID();
  let [waiting, rows]: [Harvest[], number] = [[], 0];
  let writing = Promise.resolve();
  const write = (): void => {
    const harvests = waiting;
    [waiting, rows] = [[], 0];
    if (harvests.length > 0)
      writing = writing.then(async () => {
        const left = await lake.append(harvests, standing);
        if (left.length === 0) return;
        leftOut(left);
        await noteLeftOut(lake, new Map(left.map((name) => [name, 'Another collector wrote it meanwhile.'])));
      });
  };
  await forEachAtOnce(servers, concurrency, options.signal, async ({ name, access, world: own }) => {
    const world = { ...own, nowMs: Date.now, insistence: options.insistence, along: options.along };
    const known = { states: standing.states.get(name) ?? [], history };
    const run = await doWithin(options.serverMs, options.signal, (signal) =>
      runServer(name, runId, access, known, world, signal),
    );
    waiting.push(run.harvest);
    for (const each of Object.values(run.harvest.rows)) rows += countRows(each);
    options.ended(name, run);
    if (rows >= ROWS_A_COMMIT) write();
    await writing;
  });
  write();
  await writing;
}

/** Tells in `runs` of servers that this run left to another one. @param servers with the reason, a sentence */
export async function noteLeftOut(lake: Lake, servers: ReadonlyMap<string, string>): Promise<void> {
  const runs = createRows('runs');
  const [run_id, now] = [randomUUID(), Date.now()];
  for (const [server, reason] of servers)
    addRow(runs, { server, run_id, started_utc: now, ended_utc: now, outcome: 'left out', reason });
  await lake.note({ runs });
}
