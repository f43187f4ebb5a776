/** One run over 200 servers, of which some refuse, some are slow or gone, one restarts and one has set its clock back. Shorter: SERVERS=20. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerRun } from '../../cli/src/collect/server-run';
import { startSimulator, type Simulator } from '../../simulator/index';
import type { ServerAccess } from '../../src/hosts/host';
import { readDataFiles } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import { collectInto } from '../cli/collecting';
import { listenInSilence, type SilentServer } from '../e2e/silent-server';
import { reach, runAsAdministrator, startTracking } from '../simulator/product/watched-server';

const SERVERS = Number(process.env.SERVERS ?? 200);
const MINUTE_MS = 60_000;
/** What one server may take, and how many are asked at once. */
const SERVER_MS = 15_000;
const AT_ONCE = 16;

type Kind = 'healthy' | 'refuses' | 'is silent' | 'is gone' | 'is slow' | 'restarts' | 'sets its clock back';

/** One in twenty of each. */
const KINDS: readonly Kind[] = ['refuses', 'is silent', 'is gone', 'is slow'];
function kindOf(at: number): Kind {
  if (at === 7) return 'restarts';
  if (at === 8) return 'sets its clock back';
  return at % 20 < KINDS.length ? (KINDS[at % 20] as Kind) : 'healthy';
}

describe(`A fleet of ${SERVERS} servers`, function () {
  this.timeout(1_200_000);
  const simulators: Simulator[] = [];
  let silent: SilentServer;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lake-'));
    silent = await listenInSilence();
    for (let at = 0; at < SERVERS; at++) {
      const simulator = await startSimulator({ rate: 0, tls: 'required', databases: 6, seed: at + 1 });
      simulators.push(simulator);
      await startTracking(simulator);
      if (kindOf(at) === 'is slow') simulator.replicas[0].door.faults.strike({ kind: 'slow', rowMs: 5 });
    }
  });
  after(async () => {
    await silent?.close();
    for (const simulator of simulators) await simulator.close();
    rmSync(folder, { recursive: true });
  });

  /** A silent one leads to a port where nobody says a word. */
  function reachAs(kind: Kind, simulator: Simulator): ServerAccess {
    if (kind === 'refuses') return reach(simulator, { password: 'wrong' });
    return reach({ ...simulator, port: kind === 'is gone' ? 1 : kind === 'is silent' ? silent.port : simulator.port });
  }

  async function run(): Promise<{ readonly runs: ReadonlyMap<string, ServerRun>; readonly tookMs: number }> {
    const servers = Object.fromEntries(simulators.map((simulator, at) => [`SQL${at}`, reachAs(kindOf(at), simulator)]));
    const fromMs = performance.now();
    const runs = await collectInto(folder, servers, { concurrency: AT_ONCE, serverMs: SERVER_MS });
    return { runs, tookMs: performance.now() - fromMs };
  }

  async function countCheckpoints(): Promise<ReadonlyMap<string, number>> {
    const lake = await Lake.open(folder);
    const rows = await readDataFiles(folder, 'checkpoints', [...(await lake.table('checkpoints')).files.values()]);
    const counts = new Map<string, number>();
    for (const server of rows.server ?? []) counts.set(String(server), (counts.get(String(server)) ?? 0) + 1);
    const names = rows.server!.map(
      (server, at) => `${String(server)} ${rows.database_id![at]} ${rows.begin_utc![at]} ${rows.duration_ms![at]}`,
    );
    assert.equal(new Set(names).size, names.length, 'each checkpoint once');
    return counts;
  }

  it('is read within its bounds: the healthy ones to the event, the others with a reason, and again only what is new', async () => {
    for (const { server } of simulators) server.advance(30 * MINUTE_MS);
    const first = await run();
    const counts = await countCheckpoints();
    const stuck = SERVERS / 20;
    assert.ok(first.tookMs < (Math.ceil((2 * stuck) / AT_ONCE) + 2) * SERVER_MS + 60_000, `${first.tookMs} ms`);
    for (const [name, { outcome, reason, counts: own }] of first.runs) {
      const kind = kindOf(Number(name.slice(3)));
      if (kind === 'refuses') assert.deepEqual([outcome, reason !== null], ['login refused', true]);
      else if (kind === 'is gone') assert.deepEqual([outcome, reason !== null], ['not reached', true]);
      else if (kind === 'is silent') assert.ok(outcome === 'timed out' || outcome === 'not reached', outcome);
      else {
        assert.equal(outcome, 'collected', `${name}, which ${kind}: ${reason}`);
        assert.equal(counts.get(name) ?? 0, own!.checkpoints);
        const { rows_read, checkpoints, unpaired, duplicates, malformed, other_events, undecided } = own!;
        assert.equal(rows_read, 2 * checkpoints + unpaired + duplicates + malformed + other_events + undecided);
      }
    }
    for (const [at, simulator] of simulators.entries()) {
      if (kindOf(at) === 'restarts') {
        simulator.server.restart();
        await runAsAdministrator(simulator, 'ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;');
      }
      if (kindOf(at) === 'sets its clock back') simulator.server.setBack(15 * MINUTE_MS);
      simulator.server.advance(10 * MINUTE_MS);
    }
    const second = await run();
    const after = await countCheckpoints();
    for (const [name, { outcome, counts: own }] of second.runs)
      if (outcome === 'collected') assert.equal((after.get(name) ?? 0) - (counts.get(name) ?? 0), own!.checkpoints, name);
    assert.equal(second.runs.get('SQL7')?.outcome, 'collected', 'after its restart');
    const lake = await Lake.open(folder);
    const gaps = await readDataFiles(folder, 'gaps', [...(await lake.table('gaps')).files.values()]);
    const kinds = gaps.server!.map((server, at) => `${String(server)}: ${String(gaps.kind![at])}`);
    assert.deepEqual(kinds.sort(), ['SQL7: server restarted', 'SQL8: clock moved back']);
    const third = await run();
    assert.deepEqual([...(await countCheckpoints())].sort(), [...after].sort(), 'nothing new, nothing twice');
    assert.ok([...third.runs].every(([name, { outcome }]) => kindOf(Number(name.slice(3))) !== 'healthy' || outcome === 'nothing new'));
    console.log(`    ${SERVERS} servers: ${[first, second, third].map(({ tookMs }) => `${(tookMs / 1_000).toFixed(1)} s`).join(', ')}`);
  });
});
