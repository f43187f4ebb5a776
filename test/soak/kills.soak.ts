/**
 * Whoever follows a busy server is killed at random moments and in the middle of what it writes, and the next one goes on with what is on disk. 200 kills of each
 * kind: KILLS=200 npx mocha test/soak/kills.soak.ts; without KILLS as many as CI has time for. SEED draws others. The editor needs npm run package.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { createRandom } from '../../simulator/scenarios/random';
import { startSimulator, type Simulator } from '../../simulator/index';
import { openCaptureFolder } from '../../src/captures/capture-folder';
import { openServerCaptures } from '../../src/captures/server-captures';
import { vsixFile } from '../../tools/build/vsix';
import { eventually } from '../e2e/eventually';
import { type Host, startHost } from '../e2e/host';
import { installationOf } from '../monitor/fake-server';
import { readAll } from '../monitor/watched-fake';
import { reach, startTracking, watchThrough } from '../simulator/product/watched-server';
import type { End, Kept } from './follow-forever';
import { DISK, KeptCaptures } from './kept-captures';

const KILLS = Number(process.env.KILLS ?? 0);
const SEED = Number(process.env.SEED ?? 1);
/** At this rate half a second of ours is the three minutes after which a capture is kept again. */
const RATE = 360;
/** A server's load, with captures that are quickly read after each kill. */
const SERVER = { rate: RATE, tls: 'required', databases: 60, seed: SEED } as const;

describe('A process that follows a server and is killed', function () {
  this.timeout(3_600_000);
  const kills = KILLS || 40;
  const mostLifeMs = 700;
  /** Changes to the disk in one life: three keeps or so. */
  const mostChanges = 40;
  const installation = installationOf();
  let folder: string;
  let program: string;
  let simulator: Simulator;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'follower-'));
    program = join(folder, 'follow-forever.js');
    const entryPoints = [join(__dirname, 'follow-forever.ts')];
    buildSync({ entryPoints, bundle: true, platform: 'node', loader: { '.sql': 'text' }, outfile: program });
    simulator = await startSimulator(SERVER);
    await startTracking(simulator, { installation });
  });
  after(async () => {
    await simulator.close();
    rmSync(folder, { recursive: true });
  });

  /** @returns what it said last that it had kept */
  async function live(end: End, lifeMs: number): Promise<Kept | null> {
    let kept: Kept | null = null;
    const { port, administrator } = simulator;
    const child = fork(program, [join(folder, 'captures'), String(port), administrator.user, administrator.password]);
    child.on('message', (message) => (kept = message as Kept));
    child.send(end);
    const timer = setTimeout(() => child.kill('SIGKILL'), lifeMs);
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    assert.equal(signal, 'SIGKILL', 'it ends by nothing else');
    return kept;
  }

  it(`loses nothing that was kept, reads nothing twice and has all in the end, after ${kills} kills`, async () => {
    const random = createRandom(SEED, 0);
    const disk = new KeptCaptures(join(folder, 'captures'));
    for (let kill = 0; kill < kills; kill++) {
      const isWriting = kill % 2 === 0;
      const end = { change: isWriting ? random.whole(0, mostChanges) : -1, share: random.unit() };
      await disk.check(await live(end, isWriting ? 10 * mostLifeMs : random.between(100, mostLifeMs)));
    }
    assert.ok(disk.unfinished > 0 && disk.rowsRead > kills, `${disk.unfinished} files were not written to their end`);
    simulator.server.pause();
    const captures = openServerCaptures(openCaptureFolder(join(folder, 'captures'), DISK), 'it', () => undefined);
    const monitor = watchThrough(reach(simulator), true, { captures, installation });
    await monitor.refresh();
    await monitor.stopTracking();
    await readAll(monitor);
    await monitor.dispose();
    await disk.check();
    disk.assertWhole(simulator);
  });
});

describe('A VS Code whose extension host is killed while it follows a server', function () {
  this.timeout(3_600_000);
  const kills = KILLS || 10;
  const name = 'BUSY-SQL01';
  /** From the moment at which its row is opened: it connects, restores the capture, reads on, and keeps it every second. */
  const mostLifeMs = 3_000;
  let simulator: Simulator;
  let host: Host;
  let id: string;

  before(async () => {
    simulator = await startSimulator(SERVER);
    host = await startHost({ vsixFiles: [vsixFile] });
    await host.setSetting('checkpointHealth.pollIntervalSeconds', 1);
    await host.openViewContainer('Checkpoint Health');
    const { port, administrator } = simulator;
    id = await host.addServer({ name, server: '127.0.0.1', port, ...administrator, encrypt: true, trustServerCertificate: true });
    await host.pressRowIcon(host.treeRows('Start tracking'), 'Start Tracking Checkpoints');
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
  });
  after(async () => {
    // The editor tells of each kill, and names the extensions that ran.
    host?.forgetSaid();
    await host?.dispose();
    await simulator?.close();
  });

  /** On Linux. One that was killed and not yet waited for has no command line any more. */
  function findExtensionHosts(): readonly number[] {
    const isOurs = (pid: string): boolean => {
      try {
        const [command, environment] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
        return command!.includes('--type=extensionHost') && environment!.includes(host.vscode.folder);
      } catch {
        return false;
      }
    };
    return readdirSync('/proc')
      .filter((each) => /^\d+$/.test(each) && isOurs(each))
      .map(Number);
  }

  async function killExtensionHost(): Promise<void> {
    const pids = findExtensionHosts();
    assert.ok(pids.length > 0);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await eventually(() => Promise.resolve(assert.ok(!findExtensionHosts().some((pid) => pids.includes(pid)))));
  }

  /** VS Code starts another one itself, and after three kills asks first. */
  async function waitForNext(): Promise<void> {
    const restart = host.page.getByRole('button', { name: 'Restart Remote Extension Host' });
    await eventually(async () => {
      if (await restart.isVisible()) await restart.click();
      assert.equal(findExtensionHosts().length, 1);
    }, 60_000);
    await host.expandRow(host.treeRows(name).first());
  }

  it(`loses nothing that was kept, reads nothing twice and has all in the end, after ${kills} kills`, async () => {
    const random = createRandom(SEED, 1);
    const all = join(host.vscode.folder, 'data/data/User/globalStorage/checkpoint-health.checkpoint-health/captures');
    const disk = new KeptCaptures(join(all, id));
    for (let kill = 0; kill < kills; kill++) {
      // Every other one has kept something, however slow the machine is.
      if (kill % 2 === 1) await eventually(() => disk.assertGrown(), 60_000);
      await sleep(random.between(0, mostLifeMs));
      await killExtensionHost();
      await disk.check();
      await waitForNext();
    }
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
    simulator.server.pause();
    await host.pressRowIcon(host.treeRows(/^\s*Tracking\s*\d/), 'Stop Tracking Checkpoints');
    await host.treeRows(/^\s*Tracked\s*\d/).waitFor();
    await eventually(async () => {
      await disk.check();
      assert.ok(!disk.isFollowed, 'not all was read yet');
    }, 120_000);
    disk.assertWhole(simulator);
  });
});
