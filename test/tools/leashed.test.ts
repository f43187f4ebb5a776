import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLeashed, startLeashed, waitForOutput } from '../../tools/processes/leashed';

const longSeconds = '300';

describe('A leashed command', () => {
  it('gives its exit code and all of its output', async () => {
    const lines = 100_000;
    const { exitCode, output } = await runLeashed(process.execPath, [
      '-e',
      `process.stdout.write('line\\n'.repeat(${lines}), () => process.exit(3))`,
    ]);
    assert.deepEqual([exitCode, output.length], [3, lines * 5]);
  });

  it('that does not exist is a failure that names it', async () => {
    const { exitCode, output } = await runLeashed('no-such-program', []);
    assert.equal(exitCode, 127);
    assert.match(output, /no-such-program/);
  });

  it('is ended together with what it started, and its folder is removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cph-leash-'));
    const leashed = startLeashed('sh', ['-c', `sleep ${longSeconds} & echo $!; wait`], { folders: [folder] });
    const [pid] = await waitForOutput(leashed, /\d+/, 10_000);
    await leashed.end();
    assert.ok(!existsSync(folder));
    await assertGone(Number(pid));
  });

  it('can be ended before it has begun, and twice', async () => {
    const leashed = startLeashed('sleep', [longSeconds]);
    await Promise.all([leashed.end(), leashed.end()]);
    await leashed.end();
  });

  it('ends when its holder is killed, and its folder is removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cph-leash-'));
    const program = `const { startLeashed } = require(${JSON.stringify(join(__dirname, '../../tools/processes/leashed.js'))});
      startLeashed('sh', ['-c', 'echo $$; exec sleep ${longSeconds}'], { foldersWhenCut: [${JSON.stringify(folder)}] }).onOutput(console.log);`;
    const holder = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => holder.stdout.once('data', (line: Buffer) => resolve(Number(String(line)))));
    holder.kill('SIGKILL');
    await assertGone(pid);
    // The leash removes it when the process is gone, and then only ends itself.
    await waitUntil(() => !existsSync(folder), `${folder} is still there`);
  });

  it('leaves a folder that is needed afterwards when it ends by itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cph-leash-'));
    await runLeashed('true', [], { foldersWhenCut: [folder] });
    assert.ok(existsSync(folder));
    await startLeashed('true', [], { folders: [folder] }).ended;
    assert.ok(!existsSync(folder));
  });
});

function assertGone(pid: number): Promise<void> {
  return waitUntil(async () => !(await readCommandLine(pid)).includes('sleep'), `process ${pid} still runs`);
}

async function waitUntil(isSo: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const deadlineMs = Date.now() + 10_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadlineMs, otherwise);
    await sleep(50);
  }
}

/* A process that has ended and that nobody has waited for is still listed; its command line is gone. */
async function readCommandLine(pid: number): Promise<string> {
  const file = `/proc/${pid}/cmdline`;
  if (process.platform === 'linux') return existsSync(file) ? readFileSync(file, 'utf8') : '';
  return (await runLeashed('ps', ['-o', 'args=', '-p', String(pid)])).output;
}
