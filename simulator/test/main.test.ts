import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, disconnect, run } from './tds/tedious-client';
import { LOGINS } from '../engine/permissions/permissions-logins';

describe('the simulator as a process', () => {
  let directory: string;
  let child: ChildProcess;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'simulator-'));
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  });

  /** Resolves with the address that it prints. */
  const start = async (...args: readonly string[]): Promise<{ readonly host: string; readonly port: number }> => {
    child = spawn(process.execPath, ['--require', 'tsx/cjs', join(__dirname, '../main.ts'), ...args], {
      cwd: join(__dirname, '../..'),
      env: { ...process.env, TMPDIR: directory },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [line] = (await once(lines, 'line')) as [string];
    return JSON.parse(line);
  };

  const exit = async (): Promise<unknown> => {
    const [code, signal] = await once(child, 'exit');
    return code ?? signal;
  };

  const dba = LOGINS[0] as (typeof LOGINS)[number];

  it('lets a client log in, and at SIGTERM ends, writes its ledger and leaves nothing else', async () => {
    const ledgerFile = join(directory, 'ledger.json');
    const { host, port } = await start('--seed', '3', '--rate', '60', '--tls', 'off', '--ledger', ledgerFile);
    assert.equal(host, '127.0.0.1');
    const connection = await connect(port, { userName: dba.name, password: dba.password });
    const { sets } = await run(connection, 'SELECT name FROM sys.databases WHERE database_id = 1;');
    assert.deepEqual(sets, [[['master']]]);
    const ended = exit();
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    connection.close();
    const ledger = JSON.parse(await readFile(ledgerFile, 'utf8'));
    assert.deepEqual(Object.keys(ledger), ['checkpoints', 'settingChanges', 'commands', 'logins', 'sessionRuns', 'captured']);
    const left = (await readdir(directory)).filter((name) => !name.startsWith('tsx-'));
    assert.deepEqual(left, ['ledger.json']);
  });

  it('ends when its parent’s pipe closes, where it is to follow it', async () => {
    await start('--follow-stdin', '--tls', 'off');
    const ended = exit();
    child.stdin?.end();
    assert.equal(await ended, 0);
  });

  it('refuses a wrong password', async () => {
    const { port } = await start('--tls', 'off');
    await assert.rejects(connect(port, { userName: dba.name, password: 'wrong' }), /Login failed for user/);
    const connection = await connect(port, { userName: dba.name, password: dba.password });
    await disconnect(connection);
  });
});
