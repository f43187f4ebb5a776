import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Request } from 'tedious';
import { MAIN, startProcess, type SimulatorProcess } from './simulator-process';
import { LOGIN } from './started';
import { connect, run } from './tds/tedious-client';

/** More than are stored before the test ends it. */
const HISTORY = ['--stored-events', '1000000000'];

/**
 * Processes that were started with that directory for their temporary files. Linux only: elsewhere the exit of the
 * process itself is what is checked.
 */
function listProcesses(directory: string): readonly string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(directory) &&
        !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
      );
    } catch {
      return false;
    }
  });
}

/** All but the cache of the TypeScript loader, which is not the simulator's. */
function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' } as never).filter(
    (name: unknown) => !String(name).startsWith('tsx-'),
  ) as never;
}

/**
 * A child learns of its parent's end by its own closed input, a moment later: so do the simulator, and the compiler
 * that loads its TypeScript.
 */
async function assertNothingLeft(directory: string): Promise<void> {
  for (let tries = 0; tries < 100 && listProcesses(directory).length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(listProcesses(directory), []);
  assert.deepEqual(listFiles(directory), []);
}

async function isRefused(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1');
  const refused = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(() => true),
  ]).catch(() => true);
  socket.destroy();
  return refused;
}

/** A client that has asked for TLS and been answered, and says no more. */
async function stallInHandshake(port: number): Promise<Socket> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  // PRELOGIN: one option, ENCRYPTION = on.
  socket.write(Buffer.from([0x12, 1, 0, 15, 0, 0, 1, 0, 1, 0, 6, 0, 1, 0xff, 1]));
  await once(socket, 'data');
  return socket;
}

/** A client in the middle of a result that goes on for long. */
async function stallInResult(port: number): Promise<void> {
  const connection = await connect(port, LOGIN);
  await new Promise<void>((resolve) => {
    const request = new Request(
      'SELECT a.name, b.name FROM sys.databases AS a CROSS JOIN sys.databases AS b CROSS JOIN sys.databases AS c;',
      () => undefined,
    );
    request.on('row', () => {
      request.pause();
      resolve();
    });
    connection.execSqlBatch(request);
  });
}

type End = 'SIGKILL' | 'SIGTERM' | 'SIGINT';

describe('a simulator as a process', () => {
  let directory: string;
  let live: SimulatorProcess | undefined;
  // One directory for all of them: the loader's cache in it saves seconds.
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'simulator-'))));
  after(() => rm(directory, { recursive: true }));
  afterEach(() => live?.child.kill('SIGKILL'));

  async function end(how: End): Promise<void> {
    live?.child.kill(how);
    await live?.exit;
    await assertNothingLeft(directory);
  }

  it('lets a client log in, and at SIGTERM ends and leaves nothing', async () => {
    live = startProcess(directory, '--seed', '3', '--rate', '60', '--tls', 'off');
    const connection = await connect(await live.port, LOGIN);
    assert.deepEqual((await run(connection, 'SELECT name FROM sys.databases WHERE database_id = 1;')).sets, [
      [['master']],
    ]);
    live.child.kill('SIGTERM');
    assert.equal(await live.exit, 0);
    connection.close();
    await assertNothingLeft(directory);
  });

  it('ends with code 0 when its parent’s pipe closes, where it is to follow it', async () => {
    live = startProcess(directory, '--follow-stdin', '--tls', 'off');
    await live.port;
    live.child.stdin?.end();
    assert.equal(await live.exit, 0);
  });

  it('killed as it starts leaves no process and no file', async () => {
    live = startProcess(directory, '--follow-stdin');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await end('SIGTERM');
  });

  it('killed while it stores a history leaves no process and no file', async () => {
    live = startProcess(directory, '--follow-stdin', ...HISTORY);
    await live.isStoring;
    await end('SIGINT');
  });

  for (const how of ['SIGKILL', 'SIGTERM'] as const)
    it(`killed amid a TLS handshake and a result leaves no process, file or socket: ${how}`, async () => {
      live = startProcess(directory);
      const port = await live.port;
      const stalled = await stallInHandshake(port);
      await stallInResult(port);
      await end(how);
      stalled.destroy();
      assert.ok(await isRefused(port));
    });

  it('killed together with its parent leaves nothing', async () => {
    const script = `require('child_process').spawn(process.execPath, ${JSON.stringify(['--require', require.resolve('tsx/cjs'), MAIN, '--follow-stdin', ...HISTORY])}, { stdio: ['pipe', 'inherit', 'inherit'] });`;
    const parent = spawn(process.execPath, ['-e', script], {
      cwd: directory,
      env: { ...process.env, TMPDIR: directory },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(parent.stderr as NodeJS.ReadableStream, 'data');
    parent.kill('SIGKILL');
    await assertNothingLeft(directory);
  });
});
