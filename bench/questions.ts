/**
 * What a lake of many servers costs to read: one server in the editor and for `check`, a `report` of all, and the texts
 * of `analysis/` in DuckDB beside a plain GROUP BY with p95. The lake is forged in the schema of the product, from the
 * state and the answers of one simulated server. Each question runs in a process of its own. Run: npm run bench --
 * questions [servers] [days] [checkpoints a server and hour]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { decodeState, encodeState } from '../cli/src/collect/server-state';
import { readStates, readStoredCaptures } from '../cli/src/look/stored-captures';
import { describeLakes } from '../cli/src/report/from-lake';
import { startSimulator } from '../simulator/index';
import { compactTables } from '../src/lake/compaction';
import { sumDays } from '../src/lake/day-sums';
import { addRow, createRows, type LakeRows, readDataFiles } from '../src/lake/data-files';
import { Lake } from '../src/lake/lake';
import { readServer } from '../src/lake/lake-reading';
import { collectInto } from '../test/cli/collecting';
import { noPolicy } from '../src/core/advice/policy';
import { withDuckDb } from '../test/duckdb';
import { reach, watch } from '../test/simulator/product/watched-server';

const [SERVERS = 40, DAYS = 7, AN_HOUR = 116] = process.argv.slice(2).map(Number);
const DAY_MS = 86_400_000;
const ANALYSES = ['fleet', 'saturation', 'cohort', 'storms', 'offenders', 'before_after', 'silent'];
/** One task runs them one after the other: at most 70 % of its time. A quarter of the longest is the mean. */
const LONGEST_MS = 4 * Math.min(5_000, (0.7 * 3_600_000) / AN_HOUR);
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const BEGIN = TODAY - DAYS * DAY_MS;
const PLAIN = `SELECT server, database_id, count(*), sum(duration_ms), quantile_cont(duration_ms, 0.95)
FROM checkpoints GROUP BY server, database_id`;

let seed = 42;
const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;

interface Template {
  readonly state: Uint8Array;
  readonly answers: Uint8Array;
}

/** What one simulated server leaves in a lake. */
async function collectOne(folder: string): Promise<Template> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', seed: 1 });
  const monitor = watch(simulator);
  await monitor.refresh();
  await monitor.startTracking(null);
  await monitor.dispose();
  simulator.server.advance(DAY_MS / 24);
  await collectInto(folder, { ONE: reach(simulator) });
  await simulator.close();
  const lake = await Lake.open(folder);
  const rows = await readDataFiles(folder, 'answers', [...(await lake.table('answers')).files.values()]);
  const { state } = (await lake.stand()).states.get('ONE')![0]!;
  return { state, answers: rows['answers']![0] as Uint8Array };
}

const nameServer = (at: number): string => `SQL${String(at).padStart(4, '0')}`;

/** One day of one server as four runs wrote it. */
function forgeDay(at: number, day: number, databases: readonly number[], template: Template) {
  const rows: Partial<Record<'checkpoints' | 'runs' | 'gaps' | 'facts' | 'answers', LakeRows>> = {};
  const add = (table: keyof typeof rows, row: Parameters<typeof addRow>[1]): void =>
    addRow((rows[table] ??= createRows(table)), { server: nameServer(at), ...row });
  const fromMs = BEGIN + day * DAY_MS;
  const of = (database: number): object => ({ database_id: database, database_name: `db_${database}` });
  let free_utc = fromMs;
  for (let one = 0; one < AN_HOUR * 24; one++) {
    const due = Math.round(fromMs + ((one + random()) * DAY_MS) / AN_HOUR / 24);
    const [begin_utc, duration_ms] = [Math.max(free_utc, due), Math.round(random() ** 3 * LONGEST_MS)];
    free_utc = begin_utc + duration_ms + 1;
    if (free_utc > fromMs + DAY_MS) break;
    const database = databases[Math.floor(random() ** 2 * databases.length)]!;
    const times = { begin_utc, end_utc: begin_utc + duration_ms, duration_ms };
    add('checkpoints', { capture_id: 'capture', ...of(database), ...times, task: 1 });
  }
  const observed = { observed_from_utc: fromMs, observed_to_utc: fromMs + DAY_MS };
  const run = {
    run_id: `${day}`,
    started_utc: fromMs + DAY_MS - 1,
    server_name: nameServer(at),
    outcome: 'collected',
  };
  add('runs', {
    ...run,
    capture_id: 'capture',
    ...observed,
    databases: 60,
    automatic_databases: 45,
    busy_ms: 1e7,
  });
  if (random() < 0.3)
    add('gaps', {
      capture_id: 'capture',
      kind: 'server restarted',
      begin_utc: fromMs + 3_600_000,
      end_utc: fromMs + 3_700_000,
    });
  add('answers', { read_utc: fromMs + DAY_MS - 1, answers: template.answers });
  const fact = 'target_recovery_time_seconds';
  for (const database of databases) {
    const known = { seen_utc: fromMs, ...of(database) };
    if (day === 0)
      for (const [name, value] of [
        [fact, '0'],
        ['state', 'ONLINE'],
      ])
        add('facts', { ...known, fact: name!, value: value! });
    else if (random() < 0.002) add('facts', { ...known, fact, value: '60' });
  }
  return rows;
}

async function forge(folder: string): Promise<void> {
  const template = await collectOne(join(folder, 'one'));
  const { state: known } = decodeState(template.state);
  const capture = known.capture!;
  const databases = [...new Set(capture.state!.plain.databases.map(({ databaseId }) => databaseId))];
  const observed = { beginUtcMs: BEGIN, endUtcMs: TODAY };
  // What a state holds itself is the last that was read.
  const held = capture.state!.columns;
  const last = held.beginUtcMs.map((_, at) => TODAY - held.rows + at);
  const columns = { ...held, beginUtcMs: last, durationMs: held.durationMs.map(() => 0) };
  const plain = { ...capture.state!.plain, observed: { ...capture.state!.plain.observed!, ...observed } };
  const kept = {
    ...capture,
    observation: { ...capture.observation!, ...observed },
    state: { ...capture.state!, plain, columns },
    columns,
  };
  for (let day = 0; day < DAYS; day++) {
    const lake = await Lake.open(folder);
    for (let from = 0; from < SERVERS; from += 50) {
      const harvests = Array.from({ length: Math.min(50, SERVERS - from) }, (_, i) => {
        const server = nameServer(from + i);
        const state = encodeState({ ...known, capture: { ...kept, serverName: server } });
        return { server, serverName: server, rows: forgeDay(from + i, day, databases, template), state };
      });
      await lake.append(harvests, await lake.stand());
    }
  }
  const today = new Date(TODAY).toISOString().slice(0, 10);
  await compactTables(await Lake.open(folder), today);
  const beganMs = performance.now();
  const days = await sumDays(await Lake.open(folder), today);
  console.log(`${days} days summed up in ${((performance.now() - beganMs) / 1_000).toFixed(1)} s`);
}

const readIo = (): number => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? NaN);

const QUESTIONS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  'one server in the editor': (folder) =>
    readServer(folder, nameServer(1), 'answers', new AbortController().signal),
  'one server for check': async (folder) => {
    const lake = await Lake.openToRead(folder);
    const states = await readStates(lake, new Set([nameServer(1)]), () => undefined);
    const captures = await readStoredCaptures(lake, states, 7, (_, problem) => {
      throw new Error(problem);
    });
    if (captures.size !== 1) throw new Error('No capture.');
  },
  'report of all': async (folder) => {
    const servers = await describeLakes(
      [folder],
      7,
      noPolicy,
      (_, problem) => {
        throw new Error(problem);
      },
      () => undefined,
    );
    if (servers.some(({ known }) => known === null)) throw new Error('Not all are judged.');
  },
  ...Object.fromEntries(
    ['a plain GROUP BY', ...ANALYSES].map((name) => [
      `${name} in DuckDB`,
      (folder: string) =>
        withDuckDb(async (ask) => {
          await ask("SET memory_limit = '4GB'");
          await ask('CREATE MACRO unix_micros(t) AS epoch_us(t)');
          const lake = await Lake.openToRead(folder);
          for (const table of [
            'checkpoints',
            'gaps',
            'facts',
            'runs',
            'server_days',
            'database_days',
          ] as const) {
            const paths = [...(await lake.table(table)).files.keys()].map(
              (path) => `'${join(folder, table, path)}'`,
            );
            await ask(`CREATE VIEW ${table} AS SELECT * FROM read_parquet([${paths.join()}])`);
          }
          const read = (file: string): string => readFileSync(join('analysis', `${file}.sql`), 'utf8');
          await ask(read('views'));
          await ask(ANALYSES.includes(name) ? read(name) : PLAIN);
        }),
    ]),
  ),
};

async function answer(name: string, folder: string): Promise<void> {
  let [longestMs, last] = [0, performance.now()];
  const beats = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 1);
  const [beganMs, bytes] = [performance.now(), readIo()];
  await QUESTIONS[name]!(folder);
  const seconds = (performance.now() - beganMs) / 1_000;
  clearInterval(beats);
  const slice = name.includes('DuckDB') ? '' : `, longest slice ${longestMs.toFixed(0)} ms`;
  console.log(
    `${name}: ${seconds.toFixed(2)} s, ${((readIo() - bytes) / 1e6).toFixed(1)} MB read, ` +
      `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB of memory${slice}`,
  );
}

async function main(): Promise<void> {
  const given = process.env['LAKE'];
  const folder = given ?? mkdtempSync(join(tmpdir(), 'questions-'));
  try {
    const beganMs = performance.now();
    if (given === undefined || process.env['FORGE'] === 'yes') await forge(folder);
    const rows = SERVERS * DAYS * 24 * AN_HOUR;
    console.log(
      `${SERVERS} servers, ${DAYS} days, ${rows} checkpoints, forged in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`,
    );
    for (const name of Object.keys(QUESTIONS)) {
      const child = fork(__filename, process.argv.slice(2), {
        env: { ...process.env, QUESTION: name, FOLDER: folder },
      });
      await once(child, 'exit');
    }
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true });
  }
}

const { QUESTION, FOLDER } = process.env;
// Another thread of this file is one of a report.
if (isMainThread) void (QUESTION === undefined || FOLDER === undefined ? main() : answer(QUESTION, FOLDER));
