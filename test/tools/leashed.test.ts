import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLeashed, startLeashed, waitForOutput } from '../../tools/processes/leashed';
import { eventually } from '../e2e/eventually';

/** What a shell does that starts another process, says its id, and goes on for minutes. */
const LONG = 'sleep 300 & echo $!; wait';
const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'cph-leash-'));

/** A process that has ended and that nobody has waited for is still listed, without its command line. */
const waitUntilGone = (pid: number): Promise<void> =>
  eventually(async () => {
    const { output } = await runLeashed('ps', ['-o', 'args=', '-p', String(pid)]);
    assert.doesNotMatch(output, /sleep 300/);
  });

describe('A leashed command', () => {
  it('is ended together with what it started, and its folder is removed', async () => {
    const folder = makeFolder();
    const leashed = startLeashed('sh', ['-c', LONG], { folders: [folder] });
    const [pid] = await waitForOutput(leashed, /\d+/, 10_000);
    await leashed.end();
    assert.ok(!existsSync(folder));
    await waitUntilGone(Number(pid));
  });

  it('ends when its holder is killed, and its folder is removed', async () => {
    const folder = makeFolder();
    const program = `const { startLeashed } = require(${JSON.stringify(join(__dirname, '../../tools/processes/leashed.js'))});
      startLeashed('sh', ['-c', '${LONG}'], { foldersWhenCut: [${JSON.stringify(folder)}] }).onOutput(console.log);`;
    const holder = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) =>
      holder.stdout.once('data', (line: Buffer) => resolve(Number(String(line)))),
    );
    holder.kill('SIGKILL');
    await waitUntilGone(pid);
    // The leash removes it when the process is gone, and then only ends itself.
    await eventually(async () => assert.ok(!existsSync(folder)));
  });
});
