import assert from 'node:assert/strict';
import { RELEASES } from '../../../simulator/scenarios/releases';
import { readBackups } from '../../../src/monitor/facts/backups-reading';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import { WriteWorkSampling } from '../../../src/monitor/facts/write-work-sampling';
import { type SimulatorOptions, startSimulator } from '../../../simulator/index';
import { openBreaker } from '../../monitor/fake-surroundings';
import { assertOnlyOwnCommands } from '../own-commands';
import { type Login, reach } from '../product/watched-server';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const usual = { instanceMs: 15_000, databasesMs: minuteMs };

type SampledServer = Awaited<ReturnType<typeof sampleSimulator>>;

/** A simulated server whose clock stands still until it is advanced, and our sampling of it over TDS. */
async function sampleSimulator(options: SimulatorOptions, login?: Login, intervals = usual) {
  const simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  const query = new ServerQuery(reach(simulator, login), openBreaker());
  const log = new WriteWorkLog();
  const engineEdition = simulator.server.platform === 'managed-instance' ? 8 : 3;
  const elapsedMs = (): number => simulator.server.clock.nowUtcMs();
  return {
    simulator,
    query,
    log,
    sampling: new WriteWorkSampling({ query, elapsedMs, engineEdition, intervals, pause: async () => undefined }, log),
  };
}

/** Samples whenever something is due, until this much of the server's time has gone by; then once more. */
async function sampleFor({ simulator: { server }, sampling }: SampledServer, durationMs: number): Promise<void> {
  const untilMs = server.clock.nowUtcMs() + durationMs;
  for (;;) {
    const delayMs = await sampling.sample();
    const leftMs = untilMs - server.clock.nowUtcMs();
    if (leftMs <= 0) return;
    server.advance(Math.min(Math.max(1, delayMs), leftMs));
  }
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

describe('Write work, sampled on the simulator', () => {
  let server: SampledServer;
  afterEach(async () => {
    await server.query.dispose();
    await server.simulator.close();
    assertOnlyOwnCommands(server.simulator.server.ledger);
  });

  for (const options of [
    ...RELEASES.map((release) => ({ release })),
    ...(['linux', 'rds', 'managed-instance', 'availability-group'] as const).map((scenario) => ({ scenario })),
  ])
    it(`is observed on ${Object.values(options).join()}`, async () => {
      server = await sampleSimulator({ databases: 14, ...options }, undefined, { instanceMs: minuteMs, databasesMs: minuteMs });
      await sampleFor(server, minuteMs);
      checkObserved(server, 14);
    });

  it('of databases is not observable on Azure SQL Database, with the reason', async () => {
    server = await sampleSimulator({ scenario: 'azure-sql-database', databases: 10 });
    await server.sampling.sample();
    assert.match(server.sampling.status.parts.files.reason ?? '', /sys\.master_files/);
  });

  it('is not observable for a login without VIEW SERVER STATE, with the reason', async () => {
    server = await sampleSimulator({ databases: 10 }, { user: 'reader' });
    await sampleFor(server, 2 * minuteMs);
    const { parts } = server.sampling.status;
    for (const part of [parts.instance, parts.files]) assert.match(part.reason ?? '', /VIEW SERVER STATE permission was denied/);
    assert.deepEqual([server.log.instanceSamples().rows, server.log.databases], [0, []]);
    const backups = await readBackups({ query: server.query, pause: () => Promise.resolve() }, { sinceUtcMs: 0, utcOffsetMinutes: 0 });
    assert.match(backups.kind === 'not observable' ? backups.reason : '', /SELECT permission was denied/);
  });

  it('is that of the instance alone where a login cannot tell log files from data files', async () => {
    server = await sampleSimulator({ databases: 10 }, { user: 'operator' });
    await sampleFor(server, minuteMs);
    assert.ok(server.log.instanceSamples().rows > 0);
    assert.deepEqual([server.log.databaseSamples().rows, server.sampling.status.untypedDatabases], [0, 13]);
  });

  it('has the backups that the server made, at the times at which it made them', async () => {
    server = await sampleSimulator({ databases: 10 });
    const fromUtcMs = server.simulator.server.clock.nowUtcMs();
    server.simulator.server.advance(16 * hourMs);
    const question = { sinceUtcMs: fromUtcMs, utcOffsetMinutes: 60 };
    const backups = await readBackups({ query: server.query, pause: () => Promise.resolve() }, question);
    assert.ok(backups.kind === 'observed');
    const { full, log } = backups.value;
    const made = server.simulator.server.ledger.checkpoints.filter(({ kind }) => kind === 'backup');
    assert.ok(made.length > 5);
    for (const { databaseName, beginUtcMs, endUtcMs } of made) {
      const runs = full.databases.find((each) => each.databaseName === databaseName)?.runs ?? [];
      const run = runs.find((each) => Math.abs(each.beginUtcMs - beginUtcMs) <= 1_000);
      // msdb keeps whole seconds.
      assert.ok(run !== undefined && run.endUtcMs >= endUtcMs - 1_000, databaseName);
    }
    assert.equal(sum(full.databases.map(({ runs }) => runs.length)), made.length);
    assert.ok(log.databases.length > 0 && log.databases.every(({ runs }) => runs.length >= 15 && runs.every(({ type }) => type === 'log')));
    assert.equal(log.problems.length, 0);
  });
});

/** Every figure is there, and something was written. */
function checkObserved({ log, sampling }: SampledServer, databases: number): void {
  const { parts } = sampling.status;
  assert.deepEqual([parts.instance.reason, parts.files.reason, parts.counters.reason], [null, null, null]);
  assert.deepEqual([parts.instance.unreadableRows, parts.files.unreadableRows, parts.counters.unreadableRows], [0, 0, 0]);
  const instance = log.instanceSamples();
  const each = log.databaseSamples();
  assert.ok(instance.rows === 1 && each.rows >= databases, `${each.rows} databases`);
  for (const [name, column] of Object.entries({ ...each, ...instance }))
    assert.ok(typeof column === 'number' || !column.some(Number.isNaN), `${name} was not observed`);
  for (const total of [sum(instance.pageWrites), sum(instance.writelogWaits), sum(each.logWrittenBytes), sum(each.writeTransactions)])
    assert.ok(total > 0);
  // The log that files tell of and the log that counters tell of are the same here.
  assert.deepEqual([...each.logWrittenBytes], [...each.logFlushedBytes]);
}
