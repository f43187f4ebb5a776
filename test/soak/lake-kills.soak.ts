/** Processes that append to one lake, and such that collect from servers, are killed at random moments. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../../simulator/index';
import type { ServerAccess } from '../../src/hosts/host';
import { readDataFiles, type TableRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import type { TableName } from '../../src/lake/tables';
import { collectInto } from '../cli/collecting';
import { reach, watch } from '../simulator/product/watched-server';

const KILLS = 100;
/** Two processes of one server race each other for each turn. */
const SERVERS = ['ONE', 'ONE', 'TWO'];

describe('A lake whose collectors are killed', function () {
  this.timeout(600_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'lake-'))));
  after(() => rmSync(folder, { recursive: true }));

  async function rowsOf(name: TableName): Promise<TableRows> {
    const lake = await Lake.open(folder);
    return readDataFiles(folder, name, [...(await lake.table(name)).files.values()]);
  }

  it(`loses nothing that was committed and doubles nothing, in ${KILLS} kills at random moments`, async () => {
    const done = new Map<string, Set<number>>();
    const start = (server: string): ChildProcess => {
      const child = fork(join(__dirname, 'append-forever.ts'), [folder, server], { execArgv: ['--require', 'tsx/cjs'], stdio: 'inherit' });
      child.on('message', (turn) => done.set(server, (done.get(server) ?? new Set()).add(Number(turn))));
      return child;
    };
    const children = SERVERS.map(start);
    for (let kill = 0; kill < KILLS; kill++) {
      await new Promise((go) => setTimeout(go, 300 + Math.random() * 900));
      const at = kill % SERVERS.length;
      children[at]?.kill('SIGKILL');
      await once(children[at] as ChildProcess, 'exit');
      children[at] = start(SERVERS[at] as string);
    }
    for (const child of children) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const [checkpoints, runs] = [await rowsOf('checkpoints'), await rowsOf('runs')];
    const nameOf = (server: unknown, turn: unknown): string => `${String(server)} ${String(turn)}`;
    const turns = runs.server!.map((server, at) => nameOf(server, runs.run_id![at]));
    assert.equal(new Set(turns).size, turns.length, 'no turn is there twice');
    assert.ok(turns.length > KILLS);
    for (const [server, known] of done)
      for (const turn of known) assert.ok(turns.includes(nameOf(server, turn)), `${server} ${turn} was committed`);
    const counts = new Map<string, number>();
    checkpoints.server!.forEach((server, at) => {
      const name = nameOf(server, checkpoints.capture_id![at]);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    assert.deepEqual([...counts.keys()].sort(), [...turns].sort(), 'the tables have the same turns');
    assert.deepEqual([...new Set(counts.values())], [50], 'and each turn is whole');
  });
});

describe('Two collectors of four servers that are killed', function () {
  this.timeout(600_000);
  const simulators: Simulator[] = [];
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lake-'));
    for (let at = 0; at < 4; at++) {
      const simulator = await startSimulator({ rate: 60, tls: 'required', databases: 6, seed: at + 1 });
      simulators.push(simulator);
      const monitor = watch(simulator);
      await monitor.refresh();
      await monitor.startTracking(null);
      await monitor.dispose();
    }
    writeFileSync(join(folder, 'servers'), simulators.map(nameOf).join('\n'));
  });
  after(async () => {
    for (const simulator of simulators) await simulator.close();
    rmSync(folder, { recursive: true });
  });

  const nameOf = ({ port }: Simulator): string => `127.0.0.1,${port}`;
  const all = (): Record<string, ServerAccess> => Object.fromEntries(simulators.map((simulator) => [nameOf(simulator), reach(simulator)]));

  function startCollecting(): ChildProcess {
    const { user, password } = simulators[0]!.administrator;
    const args = [
      'collect',
      '--lake',
      join(folder, 'lake'),
      '--servers',
      join(folder, 'servers'),
      '--user',
      user,
      '--trust-server-certificate',
    ];
    return fork(join(__dirname, '../../cli/src/main.ts'), args, {
      execArgv: ['--require', 'tsx/cjs', '--require', join(__dirname, '../sql-as-text.cjs')],
      env: { ...process.env, CHECKPOINT_HEALTH_PASSWORD: password },
      stdio: 'ignore',
    });
  }

  /** Whether it was killed before its end. */
  async function killAfter(delayMs: number): Promise<boolean> {
    const child = startCollecting();
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    return signal !== null;
  }

  async function listCheckpoints(lake: string): Promise<readonly string[]> {
    const { files } = await (await Lake.open(lake)).table('checkpoints');
    const { server, database_id, begin_utc, end_utc } = await readDataFiles(lake, 'checkpoints', [...files.values()]);
    return server!.map((name, at) => [name, database_id![at], begin_utc![at], end_utc![at]].join(' ')).sort();
  }

  it(`have every checkpoint once after ${KILLS} kills, as one who reads all at the end`, async () => {
    const fromMs = performance.now();
    assert.equal(await killAfter(60_000), false);
    const wholeMs = performance.now() - fromMs;
    let kills = 0;
    const goOn = async (): Promise<void> => {
      while (kills < KILLS) if (await killAfter((0.4 + 0.8 * Math.random()) * wholeMs)) kills++;
    };
    await Promise.all([goOn(), goOn()]);
    for (const { server } of simulators) {
      server.pause();
      server.advance(60_000);
    }
    await collectInto(join(folder, 'lake'), all());
    await collectInto(join(folder, 'at once'), all());
    const seen = await listCheckpoints(join(folder, 'lake'));
    assert.ok(seen.length > KILLS, `${seen.length}`);
    assert.deepEqual(seen, await listCheckpoints(join(folder, 'at once')));
  });
});
