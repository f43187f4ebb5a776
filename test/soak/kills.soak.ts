/**
 * An editor that follows a busy server is killed at random moments, and the next one goes on with what is on disk. More often: KILLS=200 npx mocha
 * test/soak/kills.soak.ts. SEED draws other moments. It needs npm run package. Kills in the middle of what is written: test/captures/power-loss.test.ts.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../simulator/scenarios/random';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { eventually } from '../e2e/eventually';
import { type Host, startHost } from '../e2e/host';
import { KeptCaptures } from './kept-captures';

const KILLS = Number(process.env.KILLS ?? 10);
const SEED = Number(process.env.SEED ?? 1);
/** At this rate half a second of ours is the three minutes after which a capture is kept again. */
const RATE = 360;
/** A server's load, with captures that are quickly read after each kill. */
const SERVER = { rate: RATE, tls: 'required', databases: 60, seed: SEED } as const;

describe('A VS Code whose extension host is killed while it follows a server', function () {
  this.timeout(3_600_000);
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
    await eventually(() => assert.ok(!findExtensionHosts().some((pid) => pids.includes(pid))));
  }

  /** VS Code starts another one itself, and after three kills asks first. */
  async function waitForNext(): Promise<void> {
    const restart = host.page.getByRole('button', { name: 'Restart Remote Extension Host' });
    await eventually(async () => {
      if (await restart.isVisible()) await restart.click();
      assert.equal(findExtensionHosts().length, 1);
    });
    await host.expandRow(host.treeRows(name).first());
  }

  it(`loses nothing that was kept, reads nothing twice and has all in the end, after ${KILLS} kills`, async () => {
    const random = createRandom(SEED, 0);
    const all = join(host.vscode.folder, 'data/data/User/globalStorage/checkpoint-health.checkpoint-health/captures');
    const disk = new KeptCaptures(join(all, id));
    for (let kill = 0; kill < KILLS; kill++) {
      // Every other one has kept something, however slow the machine is.
      if (kill % 2 === 1) await eventually(() => disk.assertGrown());
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
    });
    disk.assertWhole(simulator);
  });
});
