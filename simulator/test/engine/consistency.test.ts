import assert from 'node:assert/strict';
import type { CheckpointEntry } from '../../engine/ledger/checkpoint-columns';
import type { Principal } from '../../engine/interface/instance';
import { createLandscape, createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { SCENARIOS as ALL, type ScenarioName } from '../../scenarios/scenarios';
import { DBA, listWritable, MINUTE_MS, readFunction, readRows } from './modelled';
import { defineTracking, readParsed, startTrackingAnywhere, stopTracking } from './tracking';
import { backupsOf, listen, runToQuiet, sumOf } from './reconciled';

const SCENARIOS = Object.keys(ALL) as readonly ScenarioName[];
const SEEDS = [1, 8];
const HOURS = 2;

/** Halfway through, someone changes the first three writable databases and checkpoints one. */
function interfere(server: ModelledServer): Principal {
  const rows = listWritable(server);
  for (const row of rows.slice(0, 3))
    server.setTargetRecoveryTime(String(row['name']), row['database_id'] === 6 ? 0 : 90, DBA);
  const tracker = startTrackingAnywhere(server);
  void server.checkpoint(String(rows[4]?.['name']), undefined, DBA, new AbortController().signal);
  return tracker;
}

/**
 * Pages that a server wrote for the primaries which it follows: their checkpoints, redone here without one of its own.
 */
function redonePages(server: ModelledServer, scenario: ScenarioName, seed: number): number {
  if (scenario !== 'availability-group') return 0;
  const again = createLandscape({ scenario, seed, rate: 0 }).servers;
  again[0].advance(HOURS * 30 * MINUTE_MS);
  interfere(again[0]);
  again[0].advance(server.clock.nowUtcMs() - again[0].clock.nowUtcMs());
  const followed = again[1]?.ledger.checkpoints.filter(({ databaseName }) =>
    databaseName.startsWith('Apps_'),
  );
  return sumOf(followed ?? [], ({ pages }) => pages);
}

const durationMs = (each: CheckpointEntry): number => Math.floor((each.endUs - each.beginUs) / 1000);

for (const scenario of SCENARIOS) {
  for (const seed of SEEDS) {
    describe(`scenario ${scenario}, seed ${seed}`, () => {
      let server: ModelledServer;
      let checkpoints: readonly CheckpointEntry[];
      let tracker: Principal;
      before(() => {
        server = runToQuiet(
          { scenario, seed },
          HOURS * 60 * MINUTE_MS,
          (each) => void (tracker = interfere(each)),
        );
        ({ checkpoints } = server.ledger);
      });

      it('counts the pages of the ledger, in counters and in files', () => {
        const said = listen(server);
        const pages = sumOf(checkpoints, (each) => each.pages);
        const background = said.counter('Background writer pages/sec');
        const redone = redonePages(server, scenario, seed);
        assert.equal(said.counter('Checkpoint pages/sec'), pages + redone);
        // The recovery writer is ahead of the next checkpoints, whose part of it the ledger has yet to see.
        assert.ok(background >= sumOf(checkpoints, (each) => each.backgroundPages));
        assert.equal(
          said.counter('Page writes/sec'),
          Math.floor(pages + redone + background + said.counter('Page reads/sec') / 800),
        );
        assert.equal(said.file(1, 'num_of_bytes_written'), (pages + redone + background) * 8192);
        assert.equal(said.file(1, 'num_of_reads') * 8, said.counter('Page reads/sec'));
        assert.ok(said.file(1, 'num_of_writes') >= sumOf(checkpoints, (each) => each.writes));
        for (const id of new Set(checkpoints.map((each) => each.databaseId))) {
          const own = checkpoints.filter((each) => each.databaseId === id);
          const least = sumOf(own, (each) => each.pages + each.backgroundPages) * 8192;
          assert.ok(said.file(1, 'num_of_bytes_written', id) >= least, `database ${id}`);
          if (own.every((each) => each.kind === 'automatic'))
            assert.equal(said.file(1, 'num_of_bytes_written', id), least);
        }
      });

      it('waits for the log as long as the log files do, and for reads as long as the data files do', () => {
        const said = listen(server);
        assert.equal(said.wait('WRITELOG'), said.file(2, 'io_stall_write_ms'));
        assert.equal(said.wait('WRITELOG'), said.counter('Log Flush Wait Time', '_Total'));
        assert.equal(said.wait('PAGEIOLATCH_SH'), said.file(1, 'io_stall_read_ms'));
        assert.equal(said.file(2, 'num_of_bytes_written'), said.counter('Log Bytes Flushed/sec', '_Total'));
        const busyMs = sumOf(
          checkpoints.filter((each) => each.kind === 'automatic'),
          (each) => (each.endUs - each.beginUs) / 1000,
        );
        // The machine had been up for 95 seconds when the instance started.
        const upMs = Number(readRows(server, 'sys.dm_os_sys_info')[0]?.['ms_ticks']) - 95_000;
        const waiting = readRows(server, 'sys.dm_os_waiting_tasks').reduce(
          (sum, row) => sum + Number(row['wait_duration_ms']),
          0,
        );
        assert.ok(Math.abs(said.wait('CHECKPOINT_QUEUE') + waiting - (upMs - busyMs)) < 3);
      });

      it('writes one FlushCache group for each checkpoint that outlasts the recovery interval, and its sums hold', () => {
        const rows = server.errorLog();
        const told = rows.flatMap(({ text }) => {
          const head =
            /^FlushCache: cleaned up (\d+) bufs with (\d+) writes in (\d+) ms \(avoided \d+ new dirty bufs\) for db (\d+):0$/.exec(
              text,
            );
          return head === null ? [] : [head.slice(1).map(Number)];
        });
        const long = checkpoints
          .filter((each) => durationMs(each) > 60_000)
          .sort((a, b) => a.endUs - b.endUs);
        assert.deepEqual(
          told,
          long.map((each) => [each.pages, each.writes, durationMs(each), each.databaseId]),
        );
        // Checkpoints of the sample take half a minute, and now and then a whole one.
        if (scenario !== 'sample')
          assert.equal(
            told.length > 0,
            ['legacy-upgrade', 'io-storm', 'large-memory', 'one-hog'].includes(scenario),
          );
        const texts = rows.map((row) => row.text);
        const count = (pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length;
        for (const [pages = 0, writes = 0, ms = 0] of told) {
          assert.ok(
            texts.includes(
              `      average writes per second: ${((writes * 1000) / ms).toFixed(2)} writes/sec`,
            ),
          );
          const throughput = `${((pages * 8) / 1.024 / ms).toFixed(2)} MB/sec`;
          assert.ok(
            texts.some((text) =>
              text.replace(/throughput: {8,9}/, 'throughput: ').includes(`throughput: ${throughput}`),
            ),
          );
        }
        assert.equal(count(/^ {6}last target outstanding: {3}\d+, avgWriteLatency \d+$/), told.length);
      });

      it('lets an event session capture every begin and every end, once', () => {
        const [run] = server.ledger.sessionRuns.filter(({ sessionName }) => sessionName === 'track');
        const sinceUs = (run?.startedUtcMs ?? NaN) * 1000;
        const since = <T>(moments: readonly (readonly [T, number])[]): readonly T[] =>
          moments.flatMap(([what, atUs]) => (atUs >= sinceUs ? [what] : []));
        const begins = since<string>(
          checkpoints.map((each) => [`begin ${each.databaseId} ${each.beginUtcMs}`, each.beginUs] as const),
        );
        const ends = since<string>(
          checkpoints.map((each) => [`end ${each.databaseId} ${each.endUtcMs}`, each.endUs] as const),
        );
        // What is still in a buffer goes out when the session stops.
        const scope = scenario === 'azure-sql-database' ? 'database' : 'server';
        stopTracking(server, defineTracking({ scope }), tracker);
        const [stopped] = server.ledger.sessionRuns.filter(({ sessionName }) => sessionName === 'track');
        const captured = server.ledger.capturedBy('track').flatMap(({ databaseId, beginUtcMs, endUtcMs }) => {
          const moments = { begin: beginUtcMs, end: endUtcMs };
          return Object.entries(moments).flatMap(([what, atUtcMs]) =>
            atUtcMs === null ? [] : [`${what} ${databaseId} ${atUtcMs}`],
          );
        });
        assert.deepEqual([stopped?.capturedEvents, stopped?.lostEvents], [captured.length, 0]);
        if (scenario === 'azure-sql-database')
          return assert.ok(captured.every((each) => [...begins, ...ends].includes(each)));
        assert.deepEqual([...captured].sort(), [...begins, ...ends].sort());
        assert.ok(captured.length > 0);
        if (scenario === 'managed-instance') return;
        const told = readParsed(
          server,
          scenario === 'rds' ? 'D:\\rdsdbdata\\log\\track*.xel' : 'track*.xel',
        ).map(
          ({ name, data, utcMs }) => `${name.replace('checkpoint_', '')} ${data['database_id']} ${utcMs}`,
        );
        assert.deepEqual([...told].sort(), [...captured].sort());
      });

      it('has message 898 for scans of ten seconds, and 5084 for each change of a target', () => {
        const rows = server.errorLog();
        const scans = checkpoints.filter((each) => each.scanMs >= 10_000).map((each) => each.databaseId);
        const told = rows
          .flatMap(
            ({ text }) => /^Buffer Pool scan took \d+ seconds: database ID (\d+),/.exec(text)?.[1] ?? [],
          )
          .map(Number);
        assert.deepEqual([...told].sort(), [...scans].sort());
        assert.equal(told.length > 0, scenario === 'large-memory');
        assert.deepEqual(
          rows.flatMap(({ text }) => (text.startsWith('Setting database option') ? [text] : [])),
          server.ledger.settingChanges.map(
            (each) =>
              `Setting database option target_recovery_time to ${each.toSeconds} for database '${each.databaseName}'.`,
          ),
        );
        assert.equal(server.ledger.settingChanges.length, 3);
      });

      it('ran a checkpoint of its own for each full or differential backup, and none for the others', () => {
        const startUtcMs = Date.UTC(2026, 2, 2, 8);
        const offsetMs = server.clock.utcOffsetMinutes() * MINUTE_MS;
        const utcMs = (local: unknown): number => Date.parse(`${String(local)}Z`) - offsetMs;
        const mine = backupsOf(server).filter(
          (row) => utcMs(row['backup_start_date']) >= startUtcMs && row['type'] !== 'L',
        );
        const finished = mine.map((row) => {
          const own = checkpoints.filter(
            (each) =>
              each.kind === 'backup' &&
              each.databaseName === row['database_name'] &&
              Math.floor(each.beginUs / 1e6) * 1000 === utcMs(row['backup_start_date']),
          );
          assert.equal(own.length, 1, String(row['database_name']));
          assert.ok((own[0]?.endUtcMs ?? Infinity) <= utcMs(row['backup_finish_date']) + 999);
          return own[0]?.number;
        });
        const all = checkpoints.filter((each) => each.kind === 'backup').length;
        // The last one may still be copying.
        assert.ok(all - finished.length <= 1 && new Set(finished).size === finished.length);
        assert.equal(all > 0, scenario === 'io-storm' || scenario === 'large-memory');
      });

      it('holds log back for the reason that its recovery model gives', () => {
        for (const row of readRows(server, 'sys.databases').filter(
          (each) => each['state_desc'] === 'ONLINE',
        )) {
          const id = Number(row['database_id']);
          const isSimple = row['recovery_model_desc'] === 'SIMPLE';
          const wait = row['log_reuse_wait_desc'];
          if (isSimple) assert.equal(wait, 'NOTHING');
          const [file] = readFunction(server, 'sys.dm_io_virtual_file_stats', [id, 2], {
            ...DBA,
            database: String(row['name']),
          });
          const bytes = Number(file?.['num_of_bytes_written']);
          if (!isSimple && bytes > 0) assert.equal(wait, 'LOG_BACKUP');
          const [log] = readFunction(server, 'sys.dm_db_log_stats', [id]);
          const held = Number(log?.['log_since_last_checkpoint_mb']);
          assert.ok(held >= 0 && held <= bytes / 1_048_576 + 0.001, `database ${id}`);
        }
      });

      it('knows by whose checkpoint every page was that the recovery writer wrote', () => {
        // The last test of this server: whatever is being written ahead belongs to these.
        for (const row of readRows(server, 'sys.databases').filter(
          (each) => each['state_desc'] === 'ONLINE' && !each['is_read_only'],
        ))
          void server.checkpoint(String(row['name']), undefined, DBA, new AbortController().signal);
        const atUs = server.clock.nowUtcMs() * 1000;
        const background = listen(server).counter('Background writer pages/sec');
        server.advance(30 * MINUTE_MS);
        const begun = server.ledger.checkpoints.filter((each) => each.beginUs <= atUs + 999);
        const written = sumOf(begun, (each) => each.backgroundPages);
        assert.equal(written, background);
        assert.equal(background > 0, scenario !== 'idle');
      });
    });
  }
}

describe('the history of any scenario', () => {
  for (const scenario of SCENARIOS) {
    it(`is the same for ${scenario} whether anyone reads, and however time passes`, () => {
      const endMs = 20 * MINUTE_MS;
      const make = (rate: number): ModelledServer => createModelledServer({ scenario, seed: 3, rate });
      const historyOf = (server: ModelledServer): string =>
        JSON.stringify([
          server.ledger.checkpoints,
          server.errorLog(),
          backupsOf(server).map((row) => String(row['backup_finish_date'])),
        ]);
      const once = make(0);
      once.advance(endMs);
      const read = make(0);
      startTrackingAnywhere(read);
      for (let i = 0; i < 10; i++) {
        read.advance(endMs / 10);
        listen(read);
        readFunction(read, 'sys.dm_db_log_stats', [5]);
      }
      assert.equal(historyOf(read), historyOf(once));
      // By itself, with a pause, and the rest in one step.
      const free = make(100_000);
      const startUtcMs = Date.UTC(2026, 2, 2, 8);
      while (free.clock.nowUtcMs() < startUtcMs + 2 * MINUTE_MS) void free.ledger;
      free.pause();
      void free.ledger;
      free.resume();
      while (free.clock.nowUtcMs() < startUtcMs + 4 * MINUTE_MS) void free.ledger;
      free.pause();
      free.advance(startUtcMs + endMs - free.clock.nowUtcMs());
      // Below a millisecond the real clock decides where the step lands.
      const cut = (server: ModelledServer): string =>
        JSON.stringify(server.ledger.checkpoints.filter((each) => each.endUtcMs < startUtcMs + endMs - 1));
      assert.equal(cut(free), cut(once));
    });
  }
});
