/**
 * The simulator as a process with 5,000 databases and ten million stored events. tedious sends it our own queries and published ones. Measures the process's
 * memory too, and logins while 1,000 virtual seconds pass in each real one. Wall time of one client on an otherwise idle machine; the goals are those of the
 * simulator's README. Run: npx tsx bench/simulator.ts [databases] [events]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Connection, Request } from 'tedious';
import '../test/sql-as-text.cjs';
import { fillTemplate } from '../src/core/script/template';
import { readTemplates } from '../src/texts';

const DATABASES = Number(process.argv[2] ?? 5_000);
const EVENTS = Number(process.argv[3] ?? 10_000_000);
const ROUNDS = 7;
const LOGINS = 200;
const PATTERN = 'checkpoint_history*.xel';

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly startMs: number;
}

type Row = readonly unknown[];

async function start(...args: readonly string[]): Promise<Running> {
  const begun = performance.now();
  const main = join(__dirname, '../simulator/main.ts');
  const child = spawn(process.execPath, ['--require', 'tsx/cjs', main, '--follow-stdin', ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  return { child, ...JSON.parse(line), startMs: performance.now() - begun };
}

async function stop({ child }: Running): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}

function connect({ port, user, password }: Running): Promise<Connection> {
  const connection = new Connection({
    server: '127.0.0.1',
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, encrypt: false, trustServerCertificate: true, requestTimeout: 600_000 },
  });
  return new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve(connection))));
}

function query(connection: Connection, sql: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  return new Promise((resolve, reject) => {
    const request = new Request(sql, (error) => (error ? reject(error) : resolve(rows)));
    request.on('row', (columns: readonly { readonly value: unknown }[]) => rows.push(columns.map(({ value }) => value)));
    connection.execSqlBatch(request);
  });
}

/** The milliseconds of each round, in ascending order. */
async function time(rounds: number, act: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await act();
    times.push(performance.now() - begun);
  }
  return times;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function print(what: string, figure: string, goal = ''): void {
  console.log(`${what.padEnd(62)} ${figure.padStart(14)}  ${goal}`);
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

function memoryMb({ child }: Running, figure: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

const quoted = (text: string): string => `N'${text.replace(/'/g, "''")}'`;

function makeReadSql(cursor: { readonly file: string; readonly offset: string } | undefined): string {
  const from: Readonly<Record<string, string>> =
    cursor === undefined ? {} : { initial_file: quoted(cursor.file), initial_offset: cursor.offset };
  return fillTemplate(readTemplates.checkpointEvents, { rows: '1000', path: PATTERN, ...from });
}

async function measureReads(connection: Connection): Promise<void> {
  const files = await query(
    connection,
    `SELECT x.file_name, COUNT(*), MIN(x.file_offset) FROM sys.fn_xe_file_target_read_file(N'${PATTERN}', NULL, NULL, NULL) AS x
     GROUP BY x.file_name ORDER BY x.file_name;`,
  );
  const [middleFile, , middleOffset] = files[files.length >> 1] as Row;
  const [lastFile, , lastOffset] = files[files.length - 1] as Row;
  const offsets = await query(
    connection,
    `SELECT x.file_offset, COUNT(*) FROM sys.fn_xe_file_target_read_file(N'${PATTERN}', NULL, N'${String(lastFile)}', ${String(lastOffset)}) AS x
     GROUP BY x.file_offset ORDER BY x.file_offset DESC;`,
  );
  let behind = 0;
  const near = offsets.find(([, events]) => (behind += Number(events)) > 1000) as Row;
  print('files', `${files.length}`);
  print('events in them', files.reduce((sum, [, events]) => sum + Number(events), 0).toLocaleString('en'));
  const cursors = {
    beginning: undefined,
    middle: { file: String(middleFile), offset: String(middleOffset) },
    end: { file: String(lastFile), offset: String(near[0]) },
  };
  for (const [place, cursor] of Object.entries(cursors)) {
    const sql = makeReadSql(cursor);
    const [cold = 0, ...warm] = await time(ROUNDS, () => query(connection, sql));
    const rows = (await query(connection, sql)).length;
    print(`incremental read of ${rows} events at the ${place}: first, then`, `${ms(cold)} ${ms(median(warm))}`, 'goal 50 ms');
  }
}

/** Published queries over the whole history: counts by event, by hour, by database from the XML. */
const ANALYSES: Readonly<Record<string, string>> = {
  'events of each kind': `SELECT x.object_name, COUNT(*) FROM sys.fn_xe_file_target_read_file(N'${PATTERN}', NULL, NULL, NULL) AS x GROUP BY x.object_name;`,
  'events of each hour': `SELECT DATEDIFF(hour, '20260101', x.timestamp_utc), COUNT(*)
    FROM sys.fn_xe_file_target_read_file(N'${PATTERN}', NULL, NULL, NULL) AS x GROUP BY DATEDIFF(hour, '20260101', x.timestamp_utc);`,
  'databases in the XML of 100,000 events': `WITH events AS (SELECT TOP (100000) data = CAST(x.event_data AS xml)
    FROM sys.fn_xe_file_target_read_file(N'${PATTERN}', NULL, NULL, NULL) AS x)
    SELECT e.id, COUNT(*) FROM (SELECT id = data.value('(event/data[@name="database_id"]/value)[1]', 'int') FROM events) AS e GROUP BY e.id;`,
};

async function measureHistory(): Promise<void> {
  const running = await start('--databases', String(DATABASES), '--stored-events', String(EVENTS), '--rate', '0');
  print('ready after', `${(running.startMs / 1000).toFixed(1)} s`, 'goal 60 s');
  print('memory then', `${memoryMb(running, 'VmRSS').toFixed(0)} MB`);
  const connection = await connect(running);
  const facts = fillTemplate(readTemplates.databaseFacts, {});
  const [cold = 0, ...warm] = await time(ROUNDS, () => query(connection, facts));
  const rows = (await query(connection, facts)).length;
  print(`facts of ${rows} databases: first, then`, `${ms(cold)} ${ms(median(warm))}`, 'goal 300 ms');
  await measureReads(connection);
  for (const [what, sql] of Object.entries(ANALYSES)) print(what, ms(median(await time(1, () => query(connection, sql)))));
  print('most memory, with all of these', `${memoryMb(running, 'VmHWM').toFixed(0)} MB`, 'goal 2048 MB');
  connection.close();
  await stop(running);
}

async function measureLogins(): Promise<void> {
  const running = await start('--databases', String(DATABASES), '--rate', '1000');
  const clock = async (connection: Connection): Promise<number> =>
    Number((await query(connection, "SELECT DATEDIFF(second, '20260101', SYSUTCDATETIME());"))[0]?.[0]);
  const watch = await connect(running);
  const from = [performance.now(), await clock(watch)] as const;
  const times = await time(LOGINS, async () => (await connect(running)).close());
  const passed = ((await clock(watch)) - from[1]) / ((performance.now() - from[0]) / 1000);
  const sorted = [...times].sort((a, b) => a - b);
  print('logins at rate 1000: median, slowest', `${ms(median(times))} ${ms(sorted[sorted.length - 1] ?? 0)}`, 'goal 100 ms');
  print('rate that was kept', passed.toFixed(0));
  watch.close();
  await stop(running);
}

measureHistory()
  .then(measureLogins)
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
