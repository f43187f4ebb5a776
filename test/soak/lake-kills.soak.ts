/** Processes that append to one lake are killed at random moments. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataFiles, type TableRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import type { TableName } from '../../src/lake/tables';

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
