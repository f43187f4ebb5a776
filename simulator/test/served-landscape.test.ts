import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shown } from './shown';
import { startProcess } from './simulator-process';
import { askAt, LOGIN, useSimulators } from './started';
import { connect } from './tds/tedious-client';

const WHO = "SELECT CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')), @@SERVERNAME;";

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isListening = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.close();
  return isListening;
}

/**
 * The first of eight free ports, below those that a system gives to connections by itself: between a look and its use
 * nobody takes one.
 */
async function findFreePorts(): Promise<number> {
  for (let port = 20_000 + (process.pid % 1_000) * 10; ; port += 10) {
    const free = await Promise.all(Array.from({ length: 8 }, (_, at) => isFree(port + at)));
    if (!free.includes(false)) return port;
  }
}

describe('a landscape of simulated servers', () => {
  const start = useSimulators();
  const startAll = (port?: number) =>
    start({ scenario: 'availability-group', ...(port !== undefined && { port }) });

  it('gives each server a port of its own, the first one that of the simulator, and all of them one clock', async () => {
    const simulator = await startAll();
    assert.equal(simulator.replicas[0].port, simulator.port);
    for (const { name, port } of simulator.replicas) assert.deepEqual(await askAt(port, WHO), [[name, name]]);
    simulator.server.advance(60_000);
    const clocks = simulator.replicas.map(({ server }) => server.clock.nowUtcMs());
    assert.equal(new Set(clocks).size, 1);
    const ports = [...simulator.replicas, ...simulator.listeners].map(({ port }) => port);
    assert.equal(new Set(ports).size, ports.length);
  });

  it('takes a fixed port for the first server and those behind it for the others and the listeners', async () => {
    const port = await findFreePorts();
    const simulator = await startAll(port);
    const ports = [...simulator.replicas, ...simulator.listeners].map((each) => each.port);
    assert.ok(
      ports.every((each, i) => each === port + i),
      ports.join(),
    );
  });

  it('holds no port when one of them is taken', async () => {
    const port = await findFreePorts();
    const other = await start({ port: port + 2 });
    await assert.rejects(startAll(port), { code: 'EADDRINUSE' });
    await other.close();
    await startAll(port);
  });

  it('says which port there is not', () => assert.rejects(startAll(65_534), /there is no port 65536/));

  it('refuses connections to a listener while its group has no primary', async () => {
    const simulator = await startAll();
    const port = simulator.listeners.find(({ name }) => name === 'sales')?.port ?? 0;
    const inMs = simulator.failover('Sales', 'SALES-SQL02');
    await assert.rejects(connect(port, LOGIN), /has no primary replica now/);
    simulator.server.advance(inMs);
    assert.deepEqual(await askAt(port, WHO), [['SALES-SQL02', 'SALES-SQL02']]);
  });

  it('names every server in the line of the process, and leaves nothing at its end', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'landscape-'));
    const options = ['--scenario', 'availability-group', '--rate', '1000', '--tls', 'off'];
    const { child, line, exit } = startProcess(directory, ...options);
    try {
      const { port, user, replicas, listeners } = JSON.parse(await line);
      assert.equal(user, 'dba');
      assert.deepEqual(
        replicas.map((each: { name: string; roles: unknown }) => [each.name, each.roles]),
        [
          ['SALES-SQL01', { Sales: 'PRIMARY', Apps: 'SECONDARY' }],
          ['SALES-SQL02', { Sales: 'SECONDARY', Apps: 'PRIMARY' }],
          ['SALES-SQL03', { Sales: 'SECONDARY' }],
          ['SALES-DR01', { SalesDRSite: 'PRIMARY' }],
          ['SALES-DR02', { SalesDRSite: 'SECONDARY' }],
        ],
      );
      assert.equal(replicas[0].port, port);
      assert.equal(
        shown(listeners.map((each: { name: string; isContained: boolean }) => [each.name, each.isContained])),
        '[["sales",false],["apps",true]]',
      );
      assert.deepEqual(await askAt(replicas[3].port, 'SELECT @@SERVERNAME;'), [['SALES-DR01']]);
      child.kill('SIGTERM');
      await exit;
      assert.deepEqual(
        (await readdir(directory)).filter((name) => !name.startsWith('tsx-')),
        [],
      );
    } finally {
      child.kill('SIGKILL');
      await rm(directory, { recursive: true });
    }
  });
});
