import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServer, type ServerRun } from '../../../cli/src/collect/server-run';
import { readDataFiles } from '../../../src/lake/data-files';
import { Lake } from '../../../src/lake/lake';
import type { Value } from '../../../src/lake/parquet-file';
import type { TableName } from '../../../src/lake/tables';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { runWorld } from '../../cli/collecting';
import { reach, runAsAdministrator, watch, watchThrough } from '../product/watched-server';

const MINUTE_MS = 60_000;

describe('Collecting a server into a lake', function () {
  this.timeout(120_000);
  let simulator: Simulator;
  let folder: string;

  beforeEach(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    folder = mkdtempSync(join(tmpdir(), 'lake-'));
    const monitor = watch(simulator);
    await monitor.refresh();
    await monitor.startTracking(null);
    await monitor.dispose();
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await simulator.close();
  });

  const world = runWorld();

  async function collect(signal = new AbortController().signal): Promise<ServerRun> {
    const lake = await Lake.open(folder);
    const standing = await lake.stand();
    const run = await runServer('ONE', 'run', reach(simulator), standing.states.get('ONE')?.state ?? null, world, signal);
    assert.deepEqual(await lake.append([run.harvest], standing), []);
    return run;
  }

  async function rowsOf(name: TableName): Promise<readonly Record<string, Value>[]> {
    const lake = await Lake.open(folder);
    const { files } = await lake.table(name);
    const rows = await readDataFiles(folder, name, [...files.values()]);
    const names = Object.keys(rows);
    return (rows[names[0] as string] ?? []).map((_, at) => Object.fromEntries(names.map((each) => [each, rows[each]?.[at] ?? null])));
  }

  const nameOf = ({ begin_utc, duration_ms, database_id }: Record<string, Value>): string => `${begin_utc} ${duration_ms} ${database_id}`;

  it('reads in several runs the checkpoints that one window reads at once, and each once', async () => {
    for (let run = 0; run < 3; run++) {
      simulator.server.advance(20 * MINUTE_MS);
      assert.equal((await collect()).outcome, 'collected');
    }
    const checkpoints = await rowsOf('checkpoints');
    const window = watchThrough(reach(simulator), true);
    await window.refresh();
    while (window.snapshot.tracking.reading !== null || window.capture?.observation == null) await new Promise((go) => setTimeout(go, 50));
    const { columns, databases } = window.capture!;
    const seen = Array.from({ length: columns.rows }, (_, at) =>
      nameOf({
        begin_utc: columns.beginUtcMs[at]!,
        duration_ms: columns.durationMs[at]!,
        database_id: databases[columns.database[at]!]!.databaseId,
      }),
    );
    await window.dispose();
    assert.ok(seen.length > 1_000);
    assert.deepEqual(checkpoints.map(nameOf).sort(), seen.sort());
  });

  it('holds the account in each run', async () => {
    for (let run = 0; run < 3; run++) {
      simulator.server.advance(10 * MINUTE_MS);
      await collect();
    }
    const runs = await rowsOf('runs');
    assert.equal(runs.length, 3);
    for (const run of runs) {
      const { rows_read, checkpoints, unpaired, duplicates, malformed, other_events, undecided } = run as Record<string, number>;
      assert.ok(rows_read! > 0);
      assert.equal(rows_read, 2 * checkpoints! + unpaired! + duplicates! + malformed! + other_events! + undecided!);
    }
    assert.equal(
      (await rowsOf('checkpoints')).length,
      runs.reduce((sum, { checkpoints }) => sum + Number(checkpoints), 0),
    );
    assert.deepEqual(
      runs.slice(1).map(({ observed_from_utc }) => observed_from_utc),
      runs.slice(0, -1).map(({ observed_to_utc }) => observed_to_utc),
      'each run goes on where the one before it ended',
    );
  });

  it('writes one row if there is nothing new', async () => {
    simulator.server.advance(10 * MINUTE_MS);
    await collect();
    const before = [(await rowsOf('checkpoints')).length, (await rowsOf('facts')).length];
    assert.equal((await collect()).outcome, 'nothing new');
    assert.deepEqual([(await rowsOf('checkpoints')).length, (await rowsOf('facts')).length], before);
    const runs = await rowsOf('runs');
    assert.deepEqual([runs[1]!.outcome, runs[1]!.observed_to_utc, runs[1]!.rows_read], ['nothing new', null, 0]);
  });

  it('writes a fact again only if it changed', async () => {
    await collect();
    const before = await rowsOf('facts');
    const [name] = before
      .filter(({ fact, value }) => fact === 'target_recovery_time_seconds' && value === '0')
      .map((row) => row.database_name);
    await runAsAdministrator(simulator, `ALTER DATABASE [${String(name)}] SET TARGET_RECOVERY_TIME = 60 SECONDS;`);
    simulator.server.advance(MINUTE_MS);
    await collect();
    const added = (await rowsOf('facts')).slice(before.length);
    assert.deepEqual(
      added.map(({ database_name, fact, value }) => [database_name, fact, value]),
      [[name, 'target_recovery_time_seconds', '60']],
    );
  });

  it('says why a server was not read, and loses nothing of it', async () => {
    simulator.server.advance(10 * MINUTE_MS);
    const late = await collect(AbortSignal.abort());
    assert.equal(late.outcome, 'timed out');
    const done = await collect();
    assert.equal(done.outcome, 'collected');
    const runs = await rowsOf('runs');
    assert.deepEqual(
      runs.map(({ outcome }) => outcome),
      ['timed out', 'collected'],
    );
    assert.equal((await rowsOf('checkpoints')).length, done.counts!.checkpoints);
  });

  it('leaves out what another collector wrote meanwhile', async () => {
    simulator.server.advance(10 * MINUTE_MS);
    const [one, other] = [await Lake.open(folder), await Lake.open(folder)];
    const [before, same] = [await one.stand(), await other.stand()];
    const first = await runServer('ONE', 'first', reach(simulator), null, world, new AbortController().signal);
    const second = await runServer('ONE', 'second', reach(simulator), null, world, new AbortController().signal);
    assert.deepEqual(await one.append([first.harvest], before), []);
    assert.deepEqual(await other.append([second.harvest], same), ['ONE']);
    assert.equal((await rowsOf('checkpoints')).length, first.counts!.checkpoints);
    assert.equal((await rowsOf('runs')).length, 1);
  });
});
