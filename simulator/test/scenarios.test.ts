import assert from 'node:assert/strict';
import type { ModelledServer } from '../engine/modelled-server';
import {
  DBA,
  listUserDatabases,
  MINUTE_MS,
  readFunction,
  readRows,
  runFor,
  start,
  type Row,
} from './engine/modelled';
import { backupsOf, listen } from './engine/reconciled';
import { shown } from './shown';
import { useSimulators } from './started';

const targetOf = (row: Row): number => Number(row['target_recovery_time_in_seconds']);
const durationMs = (each: { readonly beginUs: number; readonly endUs: number }): number =>
  (each.endUs - each.beginUs) / 1000;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of all log files: milliseconds and number of writes; of all data files: milliseconds and number of reads. */
function sumFiles(server: ModelledServer): readonly number[] {
  const { file } = listen(server);
  return [
    file(2, 'io_stall_write_ms'),
    file(2, 'num_of_writes'),
    file(1, 'io_stall_read_ms'),
    file(1, 'num_of_reads'),
  ];
}

describe('scenario healthy', () => {
  it('has every database at 60 seconds but master, as a clean installation, and nothing else to flag', () => {
    const server = start('healthy');
    const rows = readRows(server, 'sys.databases');
    assert.equal(shown(rows.filter((row) => targetOf(row) !== 60).map((row) => row['name'])), '["master"]');
    assert.ok(rows.every((row) => row['state_desc'] === 'ONLINE' && row['is_read_only'] === false));
    for (const row of rows)
      assert.ok(
        Number(
          readFunction(server, 'sys.dm_db_log_stats', [row['database_id'] ?? null])[0]?.['total_vlf_count'],
        ) < 200,
      );
    const volumes = readRows(server, 'sys.master_files').filter((row) => Number(row['database_id']) > 4);
    assert.ok(
      volumes.every((row) => String(row['physical_name']).startsWith(row['type'] === 1 ? 'L:' : 'D:')),
    );
  });

  it('has short checkpoints alone, no FlushCache, and a log that hardly waits', () => {
    const server = runFor(120, 'healthy');
    const { checkpoints } = server.ledger;
    assert.ok(
      checkpoints.length > 500 &&
        checkpoints.every((each) => each.kind === 'indirect' && durationMs(each) < 200),
    );
    assert.ok(!server.errorLog().some((row) => /FlushCache|Buffer Pool scan|I\/O requests/.test(row.text)));
    const said = listen(server);
    assert.ok(said.wait('WRITELOG') / said.file(2, 'num_of_writes') < 1);
  });
});

describe('scenario idle', () => {
  it('has no automatic checkpoint at all, few indirect ones, no backups and nothing that waits for the log', () => {
    const server = runFor(60, 'idle');
    const { checkpoints } = server.ledger;
    assert.ok(listUserDatabases(server).filter((row) => targetOf(row) === 0).length > 30);
    assert.ok(checkpoints.length > 0 && checkpoints.length < 40);
    assert.ok(checkpoints.every((each) => each.kind === 'indirect' && each.pages === 0));
    assert.equal(backupsOf(server).length, 0);
    const said = listen(server);
    assert.deepEqual(
      [said.wait('WRITELOG'), said.counter('Page writes/sec'), said.file(2, 'num_of_writes')],
      [0, 0, 0],
    );
  });
});

describe('scenario io-storm', () => {
  it('shows in samples of five seconds that log writes take 20 ms while checkpoints flush, and under one between', () => {
    const server = start('io-storm');
    const samples: {
      readonly fromUs: number;
      readonly untilUs: number;
      readonly latencyMs: number;
      readonly readMs: number;
    }[] = [];
    let before = sumFiles(server);
    for (let i = 0; i < 360; i++) {
      const fromUs = server.clock.nowUtcMs() * 1000;
      server.advance(5000);
      const now = sumFiles(server);
      const [latencyMs = 0, readMs = 0] = [0, 2].map(
        (at) => ((now[at] ?? 0) - (before[at] ?? 0)) / ((now[at + 1] ?? 0) - (before[at + 1] ?? 0)),
      );
      samples.push({ fromUs, untilUs: fromUs + 5e6, latencyMs, readMs });
      before = now;
    }
    const big = server.ledger.checkpoints.filter(
      (each) => each.writes > 100_000 && durationMs(each) < 1.2 * (each.writes / 5),
    );
    const inside = samples.filter((sample) =>
      big.some((each) => each.beginUs + 1e6 <= sample.fromUs && sample.untilUs <= each.endUs),
    );
    const storms = server.ledger.checkpoints.filter((each) => each.writes >= 500);
    const outside = samples.filter((sample) =>
      storms.every((each) => each.endUs < sample.fromUs || each.beginUs > sample.untilUs),
    );
    assert.ok(
      inside.length > 30 && outside.length > 30,
      `${inside.length} inside, ${outside.length} outside`,
    );
    // Storage that stands still makes single samples worse.
    const calm = inside.filter((sample) => sample.latencyMs < 40);
    assert.ok(calm.length > inside.length / 2);
    assert.ok(
      mean(calm.map((sample) => sample.latencyMs)) > 15,
      `inside ${mean(calm.map((sample) => sample.latencyMs))} ms`,
    );
    assert.ok(Math.max(...outside.map((sample) => sample.latencyMs)) < 1.1);
    assert.ok(mean(calm.map((sample) => sample.readMs)) > 5 * mean(outside.map((sample) => sample.readMs)));
  });

  it('tells of storage that stood still in message 833, for files that waited that long', () => {
    const server = runFor(180, 'io-storm');
    const pattern =
      /^SQL Server has encountered (\d+) occurrence\(s\) of I\/O requests taking longer than 15 seconds to complete on file \[(.+)\] in database id (\d+)\. {2}The OS file handle is 0x[0-9A-F]{16}\. {2}The offset of the latest long I\/O is: 0x[0-9a-f]{14}\. {2}The duration of the long I\/O is: (\d+) ms\.$/;
    const told = server.errorLog().flatMap(({ text }) => pattern.exec(text)?.slice(1) ?? []);
    assert.ok(told.length > 0);
    const files = readRows(server, 'sys.master_files');
    const waited = new Map<Row, number>();
    for (let i = 0; i < told.length; i += 4) {
      const [count, file, id, ms] = told.slice(i, i + 4);
      assert.ok(Number(ms) >= 15_000);
      const row =
        files.find((each) => each['physical_name'] === file && String(each['database_id']) === id) ??
        assert.fail(file);
      waited.set(row, (waited.get(row) ?? 0) + Number(count) * Number(ms));
    }
    for (const [row, ms] of waited) {
      const [stats] = readFunction(server, 'sys.dm_io_virtual_file_stats', [
        row['database_id'] ?? null,
        row['file_id'] ?? null,
      ]);
      assert.ok(Number(stats?.['io_stall_write_ms']) >= ms, String(row['physical_name']));
    }
    const longest = readRows(server, 'sys.dm_os_wait_stats').find((row) => row['wait_type'] === 'WRITELOG');
    assert.ok(Number(longest?.['max_wait_time_ms']) > 15_000);
  });

  it('has backup checkpoints beside automatic ones, which still never overlap each other', () => {
    const { checkpoints } = runFor(300, 'io-storm').ledger;
    const automatic = checkpoints.filter((each) => each.kind === 'automatic');
    const backups = checkpoints.filter((each) => each.kind === 'backup');
    assert.ok(automatic.slice(1).every((each, i) => each.beginUs > (automatic[i]?.endUs ?? 0)));
    assert.ok(
      backups.some((each) =>
        automatic.some((other) => other.beginUs < each.endUs && each.beginUs < other.endUs),
      ),
    );
    assert.ok(backups.every((each) => automatic.every((other) => other.activityId !== each.activityId)));
  });
});

describe('scenario large-memory', () => {
  it('spends seconds on each automatic checkpoint, however little it writes, and milliseconds on each indirect one', () => {
    const { checkpoints } = runFor(120, 'large-memory').ledger;
    const automatic = checkpoints.filter((each) => each.kind === 'automatic');
    assert.ok(
      automatic.length > 50 && automatic.every((each) => each.scanMs > 7_000 && each.scanMs < 20_000),
    );
    assert.ok(automatic.some((each) => each.pages < 1_000));
    const indirect = checkpoints.filter((each) => each.kind === 'indirect').map(durationMs);
    assert.ok(mean(indirect) < 50);
  });

  it('scans with one task for each 8 million buffers since 2022', () => {
    const scans = (release: 2019 | 2022): readonly number[] =>
      runFor(60, 'large-memory', { release }).ledger.checkpoints.flatMap((each) =>
        each.kind === 'automatic' ? [each.scanMs] : [],
      );
    assert.ok(mean(scans(2022)) < mean(scans(2019)) / 15);
  });
});

describe('any scenario', () => {
  it('takes another number of databases, in its proportions', () => {
    const server = start('legacy-upgrade', { databases: 1_000 });
    const rows = listUserDatabases(server);
    assert.equal(rows.length, 1_000);
    assert.equal(new Set(rows.map((row) => String(row['name']).toLowerCase())).size, 1_000);
    assert.ok(Math.abs(rows.filter((row) => targetOf(row) === 0).length - 780) < 5);
    server.advance(10 * MINUTE_MS);
    assert.ok(new Set(server.ledger.checkpoints.map((each) => each.databaseId)).size > 250);
    for (const scenario of ['healthy', 'idle', 'io-storm', 'large-memory'] as const)
      assert.equal(listUserDatabases(start(scenario, { databases: 7 })).length, 7);
  });

  it('takes start-up options, and tells of them in the error log and by DBCC TRACESTATUS', () => {
    const server = start('healthy', { startup: { traceFlags: [3502, 3505], checkpointMbPerSecond: 100 } });
    const flags = server.settings.traceFlags(DBA).map((each) => each.flag);
    assert.ok(flags.includes(3502) && flags.includes(3505));
    const parameters =
      server.errorLog().find((row) => row.text.startsWith('Registry startup parameters'))?.text ?? '';
    assert.match(parameters, / -T 3502 \r\n\t -T 3505 \r\n\t -k 100$/);
  });
});

describe('a server that was switched in part', () => {
  const startSwitched = useSimulators();

  it('has the change of its busiest databases in its error log, two weeks before clients connect', async () => {
    const { server } = await startSwitched({ databases: 60, switched: 5 });
    const { settingChanges } = server.ledger;
    assert.equal(
      shown(settingChanges.map(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds])),
      shown(Array(5).fill([0, 60])),
    );
    const agoMs = server.clock.nowUtcMs() - (settingChanges[0]?.atUtcMs ?? 0);
    assert.equal(Math.round(agoMs / (24 * 60 * MINUTE_MS)), 14);
  });
});
