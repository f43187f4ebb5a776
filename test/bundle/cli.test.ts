import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { listNotices, listPackages, nameOf } from './bundled-packages';
import { makeFolder } from '../temporary-folder';

const program = join(root, 'cli/dist/checkpoint-health.js');
const run = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

describe('The program checkpoint-health', () => {
  before(() => {
    const built = spawnSync('npm', ['run', 'build', '--workspace', 'cli'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    assert.equal(built.status, 0, `${built.stdout}${built.stderr}`);
  });

  it('brings the licence text of each package that is in it, and of no other', () => {
    const notices = listNotices(readFileSync(join(root, 'cli/dist/THIRD-PARTY-NOTICES.txt'), 'utf8'));
    assert.deepEqual(notices.map(nameOf).sort(), listPackages('node', 'cli/src/main.ts'));
    assert.ok(notices.some((notice) => /^commander .*\nLicense: MIT\n[^]*permission notice/i.test(notice)));
  });

  it('says what it can do, and with what it ends', () => {
    const { status, stdout } = run('--help');
    assert.equal(status, 0);
    for (const command of ['collect', 'compact', 'start', 'stop', 'remove', 'doctor', 'completion'])
      assert.match(String(stdout), new RegExp(`^ {2}${command}\\b`, 'm'));
    assert.match(String(stdout), /Exit codes:/);
    assert.match(String(run('--version').stdout), /^\d+\.\d+\.\d+\n$/);
  });

  it('ends with 2 and a sentence if the command line is wrong', () => {
    for (const args of [
      ['collect'],
      ['collect', '--lake', 'x'],
      ['fly'],
      ['collect', '--lake', 'x', '--server', 'a', '--password', 'b'],
    ]) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2, args.join(' '));
      assert.match(String(stderr), /\w{3,}/);
    }
  });

  it('repeats of a wrong command line only plain words, because the rest may be a secret', () => {
    for (const [args, said] of [
      [['check', '--password=canary'], /unknown option '--password'/],
      [['start', '-Pcanary'], /unknown option '-P'/],
      [['Server=S;Password=canary'], /unknown command '…'/],
      [['--log', 'Pwd=canary', 'check'], /argument '…' is invalid\. Allowed choices are auto, text, json/],
      [['check', '--days', '5;canary'], /argument '…' is invalid\. Give a whole number/],
      [['completion', 'mssql://sa:canary@S'], /value '…' is invalid for argument 'shell'/],
    ] as const) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2);
      assert.match(String(stderr), said);
      assert.doesNotMatch(String(stderr), /canary/);
    }
  });

  it('says all that it says on standard error as JSON, one object a line, where that is asked for', () => {
    for (const args of [
      ['fly'],
      ['check', '--days', 'x'],
      ['check', '--server', 'a b'],
      ['report', '--lake', 'gone', '--output', 'x'],
      [],
    ]) {
      const { stderr } = run(...args, '--log', 'json');
      const lines = String(stderr).trim().split('\n');
      for (const line of lines) assert.equal((JSON.parse(line) as { level: string }).level, 'error', line);
    }
  });

  it('says a warning of Node.js and a fault of its own in that form too, and does not end as if check had found something', () => {
    const folder = makeFolder();
    const file = join(folder, 'fault.cjs');
    writeFileSync(
      file,
      "setTimeout(() => { process.emitWarning('old'); setTimeout(() => { throw new Error('broken'); }); });",
    );
    const env = { ...process.env, NODE_OPTIONS: `--require "${file.replace(/\\/g, '/')}"` };
    const args = [program, 'completion', 'bash', '--log', 'json'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    const said = stderr
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message);
    assert.deepEqual([status, said], [4, ['old', 'A fault of this program: broken']]);
  });

  it('is silent when the reader of its results leaves', async () => {
    const child = spawn(process.execPath, [program, 'completion', 'bash'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (text) => (said += String(text)));
    assert.deepEqual([await once(child, 'close'), said], [[0, null], '']);
  });

  it('says in one sentence that its results are lost, and does not end as if check had found something', function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [program, 'completion', 'bash'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.equal(status, 4);
    assert.match(stderr.trim(), /^.*results cannot be written to standard output: ENOSPC.*$/);
  });

  it('writes the lake also if the reader of its log has left', async () => {
    const lake = makeFolder();
    const env = { ...process.env, CHECKPOINT_HEALTH_PASSWORD: 'p' };
    const args = [program, 'collect', '--lake', lake, '--server', '127.0.0.1,1', '--user', 'u'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    child.stderr.destroy();
    assert.deepEqual(await once(child, 'close'), [4, null]);
    assert.ok(readdirSync(join(lake, 'runs', '_delta_log')).some((file) => file.endsWith('1.json')));
  });
});
