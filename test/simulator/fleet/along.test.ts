import assert from 'node:assert/strict';
import { type AlongWanted, nameCell } from '../../../cli/src/collect/along';
import type { ServerRun } from '../../../cli/src/collect/server-run';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { RELEASES } from '../../../simulator/scenarios/releases';
import { type ErrorLogReading, readErrorLog } from '../../../src/core/errorlog/error-log';
import { COUNTER_FIGURES, FILE_FIGURES, INSTANCE_FIGURES } from '../../../src/core/write-work/work-samples';
import type { TableName } from '../../../src/lake/tables';
import { readErrorLogs } from '../../../src/monitor/facts/error-log-reading';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import { runInto } from '../../cli/collecting';
import { openBreaker } from '../../monitor/fake-surroundings';
import { reach, runAsAdministrator } from '../product/watched-server';
import { readLakeRows, type Row } from './lake-rows';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time';
import { makeFolder } from '../../temporary-folder';

const BOTH: AlongWanted = { samples: true, errorLogMs: 1 };
const SAMPLES: AlongWanted = { samples: true, errorLogMs: 0 };
const OF_INSTANCE = INSTANCE_FIGURES.map(nameCell);
const OF_DATABASES = [...FILE_FIGURES, ...COUNTER_FIGURES].map(nameCell);
const KINDS: readonly (readonly [string, keyof ErrorLogReading])[] = [
  ['FlushCache', 'groups'],
  ['buffer pool scan', 'scans'],
  ['slow I/O', 'slowIos'],
  ['failed checkpoint', 'failures'],
  ['recovery', 'recoveries'],
  ['option changed', 'changes'],
  ['dirty pages', 'dirtyPageFlushes'],
  ['checkpoint print', 'prints'],
];

describe('What a run reads besides events and facts', () => {
  let simulator: Simulator;
  let folder: string;

  beforeEach(() => void (folder = makeFolder()));
  afterEach(() => simulator.close());

  const start = async (options: Parameters<typeof startSimulator>[0]): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', ...options });
  };

  const collect = (along: AlongWanted, access = reach(simulator), signal?: AbortSignal): Promise<ServerRun> =>
    runInto(folder, access, along, signal);

  /** Rows of a table in the order of their time, and of the runs. */
  const rowsOf = async (name: TableName, time: string): Promise<readonly Row[]> =>
    [...(await readLakeRows(folder, name))].sort((a, b) => Number(a[time]) - Number(b[time]));

  /** The whole log at once, by another way: kind and local time of each message, in the order of the log. */
  async function readAtOnce(sinceLocalMs: number): Promise<{ messages: readonly string[]; rows: number }> {
    const query = new ServerQuery(reach(simulator), openBreaker());
    const { rows } = await readErrorLogs(query, sinceLocalMs, () => 0);
    await query.dispose();
    const reading = readErrorLog(rows);
    const messages = KINDS.flatMap(([kind, list]) =>
      (reading[list] as readonly { logDateLocal: string; lines: readonly number[] }[]).map((each) => ({
        ...each,
        kind,
      })),
    );
    messages.sort((a, b) => a.lines[0]! - b.lines[0]!);
    const texts = ({ lines }: { lines: readonly number[] }): string =>
      lines.map((line) => rows[line - 1]!.text).join('\n');
    return {
      messages: messages.map((each) => `${each.kind} ${each.logDateLocal} ${texts(each)}`.slice(0, 2_000)),
      rows: rows.length,
    };
  }

  const localNowMs = (): number =>
    simulator.server.clock.nowUtcMs() + simulator.server.clock.utcOffsetMinutes() * MINUTE_MS;

  /** What the lake has is the beginning of what the log has; the rest is of the last minutes. */
  async function checkMessages(least: number, sinceLocalMs: number): Promise<void> {
    const { messages, rows } = await readAtOnce(sinceLocalMs);
    const seen = await rowsOf('log_messages', 'read_utc');
    const found = seen.map(({ kind, logged_local, text }) =>
      `${String(kind)} ${String(logged_local)} ${String(text)}`.slice(0, 2_000),
    );
    assert.ok(found.length >= least, `${found.length} messages`);
    assert.deepEqual(found, messages.slice(0, found.length));
    const runs = await rowsOf('runs', 'started_utc');
    const read = runs.reduce((sum, { log_rows_read }) => sum + Number(log_rows_read), 0);
    assert.ok(read <= rows && rows - read < 100, `${read} of ${rows} rows`);
    assert.deepEqual(
      runs.map(({ log_rows_unrecognised }) => log_rows_unrecognised),
      runs.map(() => 0),
    );
  }

  for (const options of [
    { scenario: 'io-storm', release: 2012 },
    { databases: 12, hasFailedLogins: true },
  ] as const)
    it(`writes each message of the error log once, over many runs and a new log (${JSON.stringify(options)})`, async () => {
      await start(options as Parameters<typeof startSimulator>[0]);
      // Pieces of very different lengths, so that runs fall between the lines of messages.
      const seconds = [1_800, 7.3, 41, 540, 1.9, 63, 1_500, 5.1, 720, 90, 3, 1_200];
      let sinceLocalMs = 0;
      for (const [at, piece] of seconds.entries()) {
        simulator.server.advance(piece * 1_000);
        if (at === 5) await runAsAdministrator(simulator, 'EXEC sp_cycle_errorlog');
        sinceLocalMs ||= localNowMs() - 24 * HOUR_MS;
        await collect(BOTH);
      }
      await checkMessages('scenario' in options ? 10 : 1, sinceLocalMs);
    });

  it('reads the error log when it is due, and leaves it alone in between', async () => {
    await start({ databases: 12 });
    const wasRead: boolean[] = [];
    for (const minutes of [0, 20, 20, 16, 30, 29]) {
      simulator.server.advance(minutes * MINUTE_MS);
      await collect({ samples: false, errorLogMs: HOUR_MS });
      wasRead.push((await rowsOf('runs', 'started_utc')).at(-1)!.log_rows_read !== null);
    }
    assert.deepEqual(wasRead, [true, false, false, true, false, true]);
    assert.deepEqual(await rowsOf('samples', 'sampled_utc'), []);
    assert.match(
      String((await rowsOf('runs', 'started_utc'))[0]!.not_observed),
      /^Error log: Rows older than 24 hours were not read/,
    );
  });

  it('says what a login may not see, writes no zero, and goes on once it may', async () => {
    await start({ databases: 12 });
    simulator.server.advance(30 * MINUTE_MS);
    const { outcome } = await collect(BOTH, reach(simulator, { user: 'reader' }));
    assert.equal(outcome, 'not tracked');
    const [run] = await rowsOf('runs', 'started_utc');
    assert.match(
      String(run!.not_observed),
      /^Samples: .+; Error log: xp_readerrorlog: .+; Error log: sp_readerrorlog: /s,
    );
    assert.deepEqual([run!.log_rows_read, run!.log_rows_unrecognised], [null, null]);
    assert.deepEqual(
      [await rowsOf('samples', 'sampled_utc'), await rowsOf('log_messages', 'read_utc')],
      [[], []],
    );
    simulator.server.advance(10 * MINUTE_MS);
    await collect(BOTH);
    assert.ok((await rowsOf('samples', 'sampled_utc')).length > 10);
    assert.ok(Number((await rowsOf('runs', 'started_utc'))[1]!.log_rows_read) > 0);
  });

  for (const options of [
    ...RELEASES.map((release) => ({ release })),
    ...(['linux', 'rds', 'managed-instance', 'availability-group'] as const).map((scenario) => ({
      scenario,
    })),
  ])
    it(`samples every figure of every database on ${Object.values(options).join()}`, async () => {
      await start({ databases: 14, ...options });
      simulator.server.advance(20 * MINUTE_MS);
      await collect(SAMPLES);
      const samples = await rowsOf('samples', 'sampled_utc');
      const isWhole = (row: Row): boolean =>
        (row.database_id === null ? OF_INSTANCE : OF_DATABASES).every((name) => row[name] !== null);
      // An offline database has no counters.
      assert.ok(
        samples.some(({ database_id }) => database_id === null) && samples.filter(isWhole).length > 14,
      );
    });

  for (const [options, login, reason] of [
    [{ scenario: 'azure-sql-database' }, {}, /sys\.master_files/],
    [{ databases: 10 }, { user: 'operator' }, /cannot tell data from log files \(databases: 13\)/],
  ] as const)
    it(`says why it has no figures of files: ${String(reason)}`, async () => {
      await start(options as Parameters<typeof startSimulator>[0]);
      await collect(SAMPLES, reach(simulator, login));
      assert.match(String((await rowsOf('runs', 'started_utc'))[0]!.not_observed), reason);
      const samples = await rowsOf('samples', 'sampled_utc');
      assert.ok(samples.length > 0);
      for (const row of samples)
        for (const name of FILE_FIGURES.map(nameCell)) assert.equal(row[name], null, name);
    });

  it('takes a restart for another start, and keeps the figures of the instance and those of databases in rows of their own', async () => {
    await start({ databases: 20 });
    const runs = 2;
    for (let run = 0; run < runs; run++) {
      simulator.server.advance(20 * MINUTE_MS);
      await collect(SAMPLES);
      simulator.server.restart();
    }
    const samples = await rowsOf('samples', 'sampled_utc');
    assert.equal(
      new Set(samples.map(({ instance_started_ticks_ms }) => instance_started_ticks_ms)).size,
      runs,
    );
    const instance = samples.filter(({ database_id }) => database_id === null);
    assert.equal(instance.length, runs);
    for (const name of OF_INSTANCE)
      assert.ok(
        samples.every((row) => (row.database_id === null) === (row[name] !== null)),
        name,
      );
    for (const name of OF_DATABASES)
      assert.ok(
        samples.some((row) => row[name] !== null) && instance.every((row) => row[name] === null),
        name,
      );
  });
});
