/** Processes that collect from servers into one lake are killed at random moments. Shorter: KILLS=5 npx mocha test/soak/lake-kills.soak.ts; SEED draws others. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../simulator/scenarios/random';
import { startSimulator, type Simulator } from '../../simulator/index';
import type { ServerAccess } from '../../src/hosts/host';
import { readDataFiles } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import { collectInto } from '../cli/collecting';
import { reach, startTracking } from '../simulator/product/watched-server';

const KILLS = Number(process.env.KILLS ?? 100);
const SEED = Number(process.env.SEED ?? 1);

describe('Two collectors of four servers that are killed', function () {
  this.timeout(600_000);
  const simulators: Simulator[] = [];
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lake-'));
    for (let at = 0; at < 4; at++) {
      const simulator = await startSimulator({ rate: 60, tls: 'required', databases: 6, seed: at + 1 });
      simulators.push(simulator);
      await startTracking(simulator);
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
    const [lake, servers] = [join(folder, 'lake'), join(folder, 'servers')];
    const args = ['collect', '--lake', lake, '--servers', servers, '--user', user, '--trust-server-certificate'];
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
    const random = createRandom(SEED, 0);
    const goOn = async (): Promise<void> => {
      while (kills < KILLS) if (await killAfter(random.between(0.4, 1.2) * wholeMs)) kills++;
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
