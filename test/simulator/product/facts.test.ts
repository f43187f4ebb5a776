import assert from 'node:assert/strict';
import type { Facts } from '../../../src/core/advice/facts';
import { isAmazonRds } from '../../../src/core/advice/platform';
import type { Observed } from '../../../src/core/observed';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { type Login, overhear, reach, runAsAdministrator, watch, watchThrough } from './watched-server';

/** What the modelled servers tell of themselves, by every platform, release and login that the simulator has. */
describe('The facts of the simulated servers', () => {
  let simulator: Simulator;
  afterEach(() => simulator?.close());

  const read = async (login?: Login): Promise<Facts> => {
    const monitor = watch(simulator, login);
    try {
      await monitor.refresh();
      await monitor.refresh();
      // Behind what takes longer, which the second one left to be read.
      await monitor.look('now');
      return monitor.snapshot.facts ?? assert.fail(monitor.snapshot.failure ?? 'no facts');
    } finally {
      await monitor.dispose();
    }
  };
  const start = async (options: Parameters<typeof startSimulator>[0]): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases: 20, ...options });
  };
  const valueOf = <T>(fact: Observed<T>): T =>
    fact.kind === 'observed' ? fact.value : assert.fail(fact.reason);
  const reasonOf = (fact: Observed<unknown>): string => (fact.kind === 'observed' ? '' : fact.reason);

  it('are complete for an administrator', async () => {
    await start({ startup: { traceFlags: [3502], checkpointMbPerSecond: 60 } });
    simulator.server.advance(10 * 60_000);
    const facts = await read();
    assert.equal(valueOf(facts.startup).checkpointMbPerSecond, 60);
    assert.deepEqual([...valueOf(facts.traceFlags)].sort(), [3226, 3502]);
    assert.deepEqual([valueOf(facts.settings).pending, facts.server.recoveryIntervalMinutes], [[], 0]);
    assert.equal(valueOf(facts.acceleratedRecovery).size, 1);
    assert.equal(valueOf(facts.eventVolume).volume, 'C:\\');
    assert.deepEqual([...valueOf(facts.volumes).keys()].sort(), ['C:\\', 'D:\\', 'L:\\']);
    const online = facts.databases
      .filter(({ state }) => state === 'ONLINE')
      .map(({ databaseId }) => databaseId);
    assert.deepEqual([...valueOf(facts.logs).keys()].sort(), [...online].sort());
    for (const { databaseId } of facts.databases)
      assert.ok((valueOf(facts.files).get(databaseId)?.dataMb ?? 0) > 0);
    const world = simulator.server;
    const busiest = [...world.ledger.checkpoints].sort((a, b) => b.pages - a.pages)[0]?.databaseId ?? 0;
    assert.ok((valueOf(facts.files).get(busiest)?.dataWriteMs ?? 0) > 0);
    assert.deepEqual(facts.unread, []);
  });

  it('of a tracked server show within one poll which databases another client changed, and are not read for less', async () => {
    await start({});
    const asked: string[] = [];
    const polls: (() => void)[] = [];
    const access = overhear(reach(simulator), (text) => void asked.push(text));
    // The minute in which they are read anyway never passes.
    const schedule = (delayMs: number, task: () => void): { dispose(): void } => (
      delayMs < 60_000 && polls.push(task),
      { dispose: () => undefined }
    );
    const more = { schedule, pollIntervalMs: 1_000, refreshIntervalMs: 3_600_000 };
    const monitor = watchThrough(access, false, more);
    const listAutomatic = (): Facts['databases'] =>
      (monitor.snapshot.facts?.databases ?? []).filter(({ targetSeconds }) => targetSeconds === 0);
    const countReads = (): number => asked.filter((text) => text.includes('is_in_standby')).length;
    const poll = async (): Promise<void> => {
      polls.splice(0).forEach((task) => task());
      while (polls.length === 0) await new Promise((go) => setImmediate(go));
    };
    try {
      await monitor.refresh();
      await monitor.startTracking(null);
      await poll();
      const [before, reads] = [listAutomatic().length, countReads()];
      await poll();
      await poll();
      assert.equal(countReads(), reads, 'nothing has changed');
      const name = listAutomatic().at(-1)?.name;
      await runAsAdministrator(simulator, `ALTER DATABASE [${name}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
      await poll();
      // Whatever the one before left to be done comes before this one.
      await poll();
      assert.deepEqual([listAutomatic().length, countReads()], [before - 1, reads + 1]);
      assert.equal(monitor.snapshot.tracking.state, 'tracking');
    } finally {
      await monitor.dispose();
    }
  });

  it('of Linux, RDS, a managed instance and Azure SQL Database say where they come from', async () => {
    await start({ scenario: 'linux' });
    assert.equal((await read()).startup.kind, 'not observable');
    await simulator.close();
    await start({ scenario: 'rds' });
    assert.equal(isAmazonRds(await read({ user: 'admin' })), true);
    await simulator.close();
    await start({ scenario: 'managed-instance' });
    assert.equal((await read()).server.engineEdition, 8);
    await simulator.close();
    await start({ scenario: 'azure-sql-database' });
    const azure = await read();
    assert.equal(azure.server.engineEdition, 5);
    assert.ok(azure.databases.length > 0);
    for (const fact of [azure.settings, azure.startup, azure.files]) assert.match(reasonOf(fact), /\S/);
    assert.equal(azure.server.recoveryIntervalMinutes, null);
    assert.deepEqual(valueOf(azure.roles).size, 0);
  });

  it('keep from a login what it may not see, and give it the rest', async () => {
    await start({ release: 2022 });
    const reader = await read({ user: 'reader' });
    for (const fact of [reader.state, reader.startup, reader.files, reader.logs, reader.eventVolume])
      assert.match(reasonOf(fact), /\S/);
    assert.match(reasonOf(reader.state), /VIEW SERVER PERFORMANCE STATE/);
    assert.ok(
      reader.databases.length > 20 && reader.databases.some(({ targetSeconds }) => targetSeconds === 60),
    );
    for (const fact of [reader.settings, reader.traceFlags, reader.acceleratedRecovery])
      valueOf<unknown>(fact);
    const performance = await read({ user: 'performance' });
    valueOf(performance.logs);
    assert.match(reasonOf(performance.startup), /VIEW SERVER SECURITY STATE/);
    assert.match(reasonOf(performance.files), /VIEW ANY DEFINITION/);
  });
});
