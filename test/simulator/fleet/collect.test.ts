import assert from 'node:assert/strict';
import { LakeHistory } from '../../../cli/src/collect/history';
import { runServer, type ServerRun } from '../../../cli/src/collect/server-run';
import { TIME_OVER } from '../../../cli/src/kit/at-once';
import { Lake } from '../../../src/lake/lake';
import { FINE, type TableName } from '../../../src/lake/tables';
import { ConnectionError } from '../../../src/hosts/host';
import { FakeServer } from '../../monitor/fake-server';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { runInto, runWorld } from '../../cli/collecting';
import { follow } from '../product/followed-server';
import { reach, runAsAdministrator, startTracking } from '../product/watched-server';
import { readLakeRows } from './lake-rows';
import { MINUTE_MS } from '../../../src/core/time';
import { valuesOf } from '../../core/values-of';
import { makeFolder } from '../../temporary-folder';

describe('Collecting a server into a lake', () => {
  let simulator: Simulator;
  let folder: string;

  beforeEach(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases: 60 });
    folder = makeFolder();
    await startTracking(simulator);
  });

  afterEach(() => simulator.close());

  const collect = (signal?: AbortSignal): Promise<ServerRun> =>
    runInto(folder, reach(simulator), undefined, signal);

  const rowsOf = (name: TableName): ReturnType<typeof readLakeRows> => readLakeRows(folder, name);

  it('has in several runs each checkpoint once, the gaps and the observed time of a window that was open all the time', async () => {
    const { monitor, pass } = await follow(simulator);
    const { server } = simulator;
    const turnSession = (state: string): Promise<unknown> =>
      runAsAdministrator(simulator, `ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = ${state};`);
    const meanwhile: Readonly<Record<number, () => unknown>> = {
      1: () => turnSession('STOP').then(() => server.advance(12 * MINUTE_MS)),
      2: () => server.restart(),
      3: () => server.setBack(30 * MINUTE_MS),
    };
    for (let run = 0; run < 5; run++) {
      await pass(20 * MINUTE_MS);
      assert.equal((await collect()).outcome, 'collected');
      await meanwhile[run]?.();
      if (run === 1 || run === 2) await turnSession('START');
    }
    const { columns, databases, observation } = monitor.capture ?? assert.fail('no capture');
    await monitor.dispose();
    const seen = Array.from({ length: columns.rows }, (_, at) =>
      [columns.beginUtcMs[at], columns.durationMs[at], databases[columns.database[at]!]!.databaseId].join(
        ' ',
      ),
    );
    const collected = (await rowsOf('checkpoints')).map((row) =>
      [row.begin_utc, row.duration_ms, row.database_id].join(' '),
    );
    assert.ok(seen.length > 100, `${seen.length}`);
    assert.deepEqual(collected.sort(), seen.sort());
    // One that lasts is written again with a later end.
    const ends = new Map<string, number>();
    for (const { kind, begin_utc, end_utc } of await rowsOf('gaps'))
      ends.set(`${kind} ${begin_utc}`, Math.max(Number(end_utc), ends.get(`${kind} ${begin_utc}`) ?? 0));
    assert.deepEqual(
      [...ends],
      observation!.gaps.map(({ kind, beginUtcMs, endUtcMs }) => [`${kind} ${beginUtcMs}`, endUtcMs]),
    );
    assert.deepEqual([...ends.keys()].map((gap) => gap.replace(/ \d+$/, '')).sort(), [
      'clock moved back',
      'server restarted',
      'session stopped',
    ]);
    const runs = await rowsOf('runs');
    assert.deepEqual(
      [runs[0]?.observed_from_utc, runs.at(-1)?.observed_to_utc],
      [observation!.beginUtcMs, observation!.endUtcMs],
    );
  });

  it('writes one row if there is nothing new', async () => {
    simulator.server.advance(10 * MINUTE_MS);
    await collect();
    const before = [(await rowsOf('checkpoints')).length, (await rowsOf('facts')).length];
    assert.equal((await collect()).outcome, 'nothing new');
    assert.deepEqual([(await rowsOf('checkpoints')).length, (await rowsOf('facts')).length], before);
    const runs = await rowsOf('runs');
    const { outcome, observed_to_utc, rows_read, busy_ms } = runs[1]!;
    assert.deepEqual([outcome, observed_to_utc, rows_read, busy_ms], ['nothing new', null, 0, null]);
    assert.ok(Number(runs[0]!.busy_ms) > 0);
  });

  it('writes a fact again only if it changed', async () => {
    await collect();
    const before = await rowsOf('facts');
    assert.equal(
      before.filter(({ fact, value }) => fact === 'is_recorded' && value === '1').length,
      64,
      'of all databases',
    );
    const { database_name: name } =
      before.find(({ fact, value }) => fact === 'target_recovery_time_seconds' && value === '0') ?? {};
    await runAsAdministrator(
      simulator,
      `ALTER DATABASE [${String(name)}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`,
    );
    simulator.server.advance(MINUTE_MS);
    await collect();
    const added = (await rowsOf('facts')).slice(before.length);
    assert.deepEqual(valuesOf(added, 'database_name', 'fact', 'value'), [
      [name, 'target_recovery_time_seconds', '60'],
    ]);
  });

  it('counts no server as read that does not say whether its session runs', async () => {
    const server = new FakeServer();
    server.failures.set(
      'event-session',
      new ConnectionError('queryFailed', 'It was the victim of a deadlock.', 1205),
    );
    const known = { states: [], history: new LakeHistory(await Lake.open(folder)) };
    const run = await runServer('ONE', 'run', server, known, runWorld(), new AbortController().signal);
    assert.equal(FINE.has(run.outcome), false);
    assert.match(
      run.reason ?? '',
      /Tracking on .*: not known yet\. Checkpoint Health will ask again\. .*It was the victim of a deadlock\.$/,
    );
  });

  it('says why a server was not read, and loses nothing of it', async () => {
    simulator.server.advance(10 * MINUTE_MS);
    assert.equal((await collect(AbortSignal.abort(TIME_OVER))).outcome, 'timed out');
    assert.match(
      (await collect(AbortSignal.abort())).reason ?? '',
      /^The run was stopped before all of this server was read\./,
    );
    const done = await collect();
    assert.deepEqual(valuesOf(await rowsOf('runs'), 'outcome'), ['timed out', 'in part', 'collected']);
    assert.equal((await rowsOf('checkpoints')).length, done.counts!.checkpoints);
  });
});
