import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import { listNotices, listPackages, nameOf } from './bundled-packages';

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
  });

  it('ends with 2 and a sentence if the command line is wrong', () => {
    for (const args of [['collect'], ['collect', '--lake', 'x'], ['fly'], ['collect', '--lake', 'x', '--server', 'a', '--password', 'b']]) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2, args.join(' '));
      assert.match(String(stderr), /\w{3,}/);
    }
  });
});
