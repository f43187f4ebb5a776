/**
 * Answers of a server that are broken, one at a time: none becomes good news, each is said where it matters, and all is
 * well once it passes.
 */
import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCheck } from '../../../cli/src/commands/check';
import { reachServers } from '../../../cli/src/servers/reaching';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { createRandom } from '../../../simulator/scenarios/random';
import { DirectConnection } from '../../../src/hosts/direct/connection';
import { type Cell, ConnectionError, type ResultSet } from '../../../src/hosts/host';
import { FINE } from '../../../src/lake/tables';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { readLakeRows, type Row } from '../fleet/lake-rows';
import { openFleet, type SimulatedFleet } from '../fleet/simulated-fleet';
import { reach, startTracking, watchThrough } from './watched-server';

/**
 * How many broken answers are tried; BROKEN=all: every way in every column, on more servers; READS=error-log,file-io:
 * of these reads.
 */
const MOST = process.env['BROKEN'] === 'all' ? Infinity : 1;
const SCENARIOS =
  MOST === Infinity
    ? (['one-hog', 'availability-group', 'managed-instance'] as const)
    : (['one-hog'] as const);
const READS = process.env['READS']?.split(',');
const random = createRandom(Number(process.env['SEED'] ?? 1), 0);
const MINUTE_MS = 60_000;

const HUGE = 'x'.repeat(100_000_000);
type Break = (set: ResultSet) => ResultSet;
const inFirst = (column: number, cell: Cell): Break => {
  return (set) => ({
    ...set,
    rows: set.rows.map((row, at) => (at > 0 ? row : row.map((old, i) => (i === column ? cell : old)))),
  });
};
const without = <T>(list: readonly T[], at: number): readonly T[] => [
  ...list.slice(0, at),
  ...list.slice(at + 1),
];

const lose: Break = () => assert.fail(new ConnectionError('disconnected', 'The connection was lost.'));

/** Every way to break an answer with these columns. */
function listBreaks({ columns, rows }: ResultSet): readonly (readonly [string, Break])[] {
  const ofColumn = columns.flatMap((column, at): (readonly [string, Break])[] => [
    [`NULL in ${column}`, inFirst(at, null)],
    // A release of the operating system is any text.
    ...(/^[-\d.]+$|^\d{4}-\d\d-\d\dT/.test(rows[0]?.[at] ?? '') && column !== 'host_release'
      ? ([
          [`a word in ${column}`, inFirst(at, 'many')],
          [`a huge number in ${column}`, inFirst(at, '99999999999999999999')],
        ] as const)
      : []),
    [
      `without ${column}`,
      (set) => ({ ...set, columns: without(set.columns, at), rows: set.rows.map((row) => without(row, at)) }),
    ],
  ]);
  return [
    ...ofColumn,
    ['each row twice', (set) => ({ ...set, rows: [...set.rows, ...set.rows] })],
    ['other order', (set) => ({ ...set, rows: [...set.rows].reverse() })],
    [
      'a column more',
      (set) => ({ ...set, columns: [...set.columns, 'more'], rows: set.rows.map((row) => [...row, 'x']) }),
    ],
    ['no columns', (set) => ({ ...set, columns: [], rows: [] })],
    ['NULL for all rows', (set) => ({ ...set, rows: [] })],
    [
      'rows without end',
      (set) => ({
        ...set,
        rows: Array.from({ length: 100_000 }, (_, at) => set.rows[at % set.rows.length] ?? []),
      }),
    ],
    ['a cell of 100 MB', inFirst(0, HUGE)],
    ['the connection lost', lose],
  ];
}

/** Reads of each test that were broken on an earlier server. */
const done = new Set<string>();
const STATES: readonly string[] = ['mostly free', 'queue at times', 'saturated'];

function breakAnswers(scenario: (typeof SCENARIOS)[number]): void {
  let simulator: Simulator;
  let fleet: SimulatedFleet;
  let now: readonly [name: string, how: Break] | null = null;
  /** One answer to each read, by its name. */
  const heard = new Map<string, ResultSet>();
  let warnings: string[] = [];
  let monitor: ServerMonitor;
  const ask = DirectConnection.prototype.query;

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', scenario, databases: 30 });
    const { port, administrator } = simulator;
    const server = {
      name: 'S0',
      server: 'localhost',
      port,
      user: administrator.user,
      trustServerCertificate: true,
    };
    fleet = await openFleet(0, administrator);
    fleet.list(() => [server]);
    await startTracking(simulator);
    simulator.server.advance(20 * MINUTE_MS);
    await collect(fleet.lake);
    simulator.server.advance(20 * MINUTE_MS);
    DirectConnection.prototype.query = async function (text, { onRow, ...options }) {
      const sets = await ask.call(this, text, options);
      const names = /\/\* Checkpoint Health: ([\w, -]+) \*\//.exec(text)?.[1]?.split(', ') ?? [];
      const first = names.length === 1 ? sets.length - 1 : 0;
      for (const [at, name] of names.entries()) {
        const set = sets[first + at];
        if (set !== undefined && (heard.get(name)?.rows.length ?? 0) === 0) heard.set(name, set);
      }
      const given = sets.map((set, at) => (now !== null && names[at - first] === now[0] ? now[1](set) : set));
      for (const { rows } of given) for (const row of rows) onRow?.(row);
      return given;
    };
  });
  after(async () => {
    DirectConnection.prototype.query = ask;
    await fleet.dispose();
    await simulator.close();
  });
  beforeEach(() => heard.clear());

  /** @param find what is wrong while the answer is broken, and behind that; a NULL, or no row, may be an answer */
  async function breakEach(
    of: string,
    find: (isAnswer: boolean) => Promise<readonly string[]>,
  ): Promise<void> {
    const breaks = [...heard]
      .filter(([name]) => (READS?.includes(name) ?? true) && !done.has(`${of} ${name}`))
      .flatMap(([name, set]) => listBreaks(set).map((one) => [random.unit(), name, one] as const));
    const wrong: string[] = [];
    for (const [, name, [what, how]] of breaks.sort(([a], [b]) => a - b).slice(0, MOST)) {
      [now, warnings] = [[name, how], []];
      const faults = await find(what.startsWith('NULL'));
      if (faults.length > 0) wrong.push(`${name}, ${what}: ${faults.join('; ')}`);
      if (faults.length > 0) console.log(wrong.at(-1));
    }
    console.log(
      `      ${Math.min(MOST, breaks.length)} of ${breaks.length} broken answers to ${[...heard.keys()].join(', ')}`,
    );
    for (const name of heard.keys()) done.add(`${of} ${name}`);
    assert.deepEqual(wrong, []);
  }

  /** What is to come within a minute comes at once. */
  const schedule = (delayMs: number, task: () => void) => {
    const timer = delayMs <= MINUTE_MS ? setTimeout(task, Math.min(delayMs, 40)) : undefined;
    return { dispose: () => clearTimeout(timer) };
  };
  const open = (): ServerMonitor =>
    watchThrough(reach(simulator), true, {
      schedule,
      refreshIntervalMs: 3_600_000,
      log: { sql: () => undefined, warn: (message) => warnings.push(message) },
    });

  /** Reads everything once more. @param isRead whether what was not read is waited for */
  async function look(isRead = false): Promise<void> {
    await monitor.refresh();
    await monitor.refresh();
    const isReading = (): boolean => {
      const { reading, trouble } = monitor.snapshot.tracking;
      return reading !== null || (isRead && trouble !== null);
    };
    for (let i = 0; i < 3_000 && isReading(); i++) await new Promise((go) => setTimeout(go, 20));
    await monitor.gatherEvidence();
  }

  function tell() {
    const { facts, failure, instance, tracking, preflight } = monitor.snapshot;
    const { state = null, automatic = null, partly = null, blind = null } = instance ?? {};
    const plain = JSON.stringify(facts, (key, value: unknown) => {
      if (/UtcMs$/.test(key)) return 0;
      const list = value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;
      return Array.isArray(list)
        ? list
            .map((one: unknown) => [JSON.stringify(one), one] as const)
            .sort()
            .map(([, one]) => one)
        : list;
    });
    const { checkpoints, observation } = tracking;
    const gaps = observation?.gaps.length ?? 0;
    const reasons = [
      failure,
      tracking.trouble,
      tracking.state === 'failed' ? tracking.message : null,
      blind,
    ].filter((one) => one !== null);
    return {
      plain,
      state,
      automatic,
      isPartly: partly !== null,
      unseen: preflight.unseen.length,
      gaps,
      checkpoints,
      reasons,
    };
  }
  type Told = ReturnType<typeof tell>;

  /** What is wrong with what a monitor says while one answer is broken, and behind that. */
  function complain(whole: Told, broken: Told, after: Told, isNull: boolean): readonly string[] {
    const isSaid =
      broken.reasons.length + warnings.length > 0 || broken.unseen > whole.unseen || broken.gaps > whole.gaps;
    const isChanged = broken.plain !== whole.plain || broken.checkpoints !== whole.checkpoints;
    const isAsBefore =
      after.plain === whole.plain && after.state === whole.state && after.reasons.length === 0;
    return [
      ...(STATES.includes(broken.state ?? '') && broken.state !== whole.state ? ['good news'] : []),
      ...(broken.automatic !== whole.automatic && broken.reasons.length === 0 && !broken.isPartly
        ? ['another number of databases']
        : []),
      // NULL may be an answer: then it is not known.
      ...(isChanged && !isSaid && !isNull ? ['nothing is said'] : []),
      ...(isNull || (isAsBefore && (after.checkpoints === whole.checkpoints || after.gaps > whole.gaps))
        ? []
        : ['does not pass']),
    ];
  }

  it('is never good news, is said, and passes', async () => {
    monitor = open();
    await look();
    const whole = tell();
    await monitor.dispose();
    if (scenario === 'one-hog') assert.deepEqual([whole.state, whole.reasons], ['saturated', []]);
    await breakEach('window', async (isAnswer) => {
      monitor = open();
      await look().catch((error: unknown) => warnings.push(String(error)));
      const broken = tell();
      now = null;
      await look(true);
      const faults = complain(whole, broken, tell(), isAnswer);
      await monitor.dispose();
      return faults.length === 0 ? [] : [...faults, JSON.stringify({ ...broken, plain: '' })];
    });
  });

  interface Checked {
    readonly code: number;
    readonly notReadBecause: string | null;
    readonly notSeen: readonly string[];
    readonly findings: readonly {
      readonly rule: string;
      readonly database: string | null;
      readonly sentence: string;
    }[];
  }

  async function check(policy: string): Promise<Checked> {
    fleet.said.out = '';
    const look = { days: 7, concurrency: 1, serverSeconds: 60 };
    const code = await runCheck(
      { ...fleet.options, ...look, policy, format: 'json', failOn: 'error' },
      fleet.output,
    );
    const [server] = (JSON.parse(fleet.said.out) as { readonly servers: readonly Checked[] }).servers;
    return { ...server!, code };
  }

  it('takes no finding away from check while it says that all was read', async () => {
    const policy = join(fleet.folder, 'policy.json');
    writeFileSync(policy, '{ "targets": [{ "database": "*", "targetSeconds": 60 }] }');
    const whole = await check(policy);
    assert.deepEqual([whole.code, whole.notReadBecause], [1, null]);
    await breakEach('check', async (isAnswer) => {
      const broken = await check(policy);
      now = null;
      const lost = whole.findings.filter(
        ({ rule, database }) =>
          !broken.findings.some((one) =>
            database === null ? one.rule.slice(0, 12) === rule.slice(0, 12) : one.database === database,
          ),
      );
      const isSaid = broken.notReadBecause !== null;
      const [wrote, wanted] = [broken, whole].map(({ findings }) =>
        JSON.stringify(findings.map((one) => JSON.stringify(one)).sort()),
      );
      return [
        ...(lost.length > 0 && !isSaid ? [`good news: ${JSON.stringify(lost)}`] : []),
        ...(isSaid && broken.code === 0 ? [`exit code 0: ${broken.notReadBecause}`] : []),
        ...(wrote === wanted || isSaid || isAnswer ? [] : ['nothing is said']),
        ...(isSaid || isAnswer || broken.notSeen.length === whole.notSeen.length
          ? []
          : ['exit code of all servers read']),
      ];
    });
  });

  it('puts nothing wrong or twice into a lake, and nothing is missing there after the next run', async () => {
    const lake = join(fleet.folder, 'whole');
    await collectAfter(lake);
    const whole = await readLake(lake);
    await breakEach('collect', async (isAnswer) => {
      const own = join(fleet.folder, 'broken');
      await collectAfter(own);
      const broken = await readLake(own);
      now = null;
      await collect(own);
      const after = await readLake(own);
      rmSync(own, { recursive: true });
      const { run } = broken;
      const isSaid =
        !FINE.has(run.outcome as never) ||
        run.not_observed !== whole.run.not_observed ||
        broken.gaps > whole.gaps;
      const differing = (['checkpoints', 'messages', 'samples', 'facts', 'counts'] as const).filter(
        (part) => JSON.stringify(broken[part]) !== JSON.stringify(whole[part]),
      );
      const unhealed = (['checkpoints', 'messages', 'facts'] as const).filter(
        (part) =>
          JSON.stringify(after[part]) !== JSON.stringify(whole[part]) &&
          !(part === 'checkpoints' && after.gaps > whole.gaps),
      );
      return [
        ...(differing.length > 0 && !isSaid && !isAnswer ? [`nothing is said of ${differing.join()}`] : []),
        ...(broken.facts.some((fact) => fact.includes('GONE')) ? ['a database is gone'] : []),
        ...(unhealed.length > 0 && !isAnswer ? [`not healed: ${unhealed.join()}`] : []),
        ...(new Set(after.checkpoints).size < after.checkpoints.length ? ['a checkpoint twice'] : []),
      ].map((fault) => `${fault} ${JSON.stringify(run)}`);
    });
  });

  it('lists all servers of a central management server, or none', async () => {
    simulator.server.registered.push(
      { group: 'Production', name: 'a', server: 'SQL01' },
      { group: 'Production/East', name: 'b', server: 'SQL02' },
      { group: 'Test', name: 'c', server: 'SQL03' },
    );
    const { user } = simulator.administrator;
    const options = {
      user,
      authentication: 'sql',
      trustServerCertificate: true,
      group: 'Production',
    } as const;
    const list = async (): Promise<string> =>
      (await reachServers({ cms: `localhost,${simulator.port}`, ...options }, fleet.output))
        .map(({ name, server }) => name + server.server)
        .sort()
        .join();
    const whole = await list();
    assert.equal(whole, 'aSQL01,bSQL02');
    await breakEach('central', async () => {
      const broken = await list().catch(() => whole);
      now = null;
      return [...(broken === whole ? [] : [broken]), ...((await list()) === whole ? [] : ['does not pass'])];
    });
  });

  const collect = (lake: string): Promise<unknown> => fleet.collect({ lake, errorLogHours: 0.01 });

  /** The run behind the first one, into a copy of its lake. */
  async function collectAfter(lake: string): Promise<void> {
    cpSync(fleet.lake, lake, { recursive: true });
    await collect(lake);
  }

  async function readLake(lake: string) {
    const write = (row: Row, columns: readonly string[]): string =>
      JSON.stringify(columns.map((name) => String(row[name])));
    const rowsOf = async (
      table: 'checkpoints' | 'log_messages' | 'samples',
      columns: readonly string[],
    ): Promise<readonly string[]> =>
      (await readLakeRows(lake, table)).map((row) => write(row, columns)).sort();
    const latest = new Map<string, Row>();
    const facts = [...(await readLakeRows(lake, 'facts'))].sort(
      (a, b) => Number(a.seen_utc) - Number(b.seen_utc),
    );
    for (const row of facts) latest.set(write(row, ['database_id', 'database_name', 'fact']), row);
    const runs = [...(await readLakeRows(lake, 'runs'))].sort(
      (a, b) => Number(a.started_utc) - Number(b.started_utc),
    );
    const run = runs.at(-1)!;
    return {
      run: { outcome: run.outcome, reason: run.reason, not_observed: run.not_observed },
      counts: write(run, ['databases', 'automatic_databases', 'busy_ms', 'longest_ms']),
      gaps: (await readLakeRows(lake, 'gaps')).length,
      checkpoints: await rowsOf('checkpoints', ['begin_utc', 'duration_ms', 'database_id']),
      messages: await rowsOf('log_messages', ['logged_local', 'kind', 'text']),
      samples: await rowsOf('samples', [
        'database_id',
        'created_local',
        'data_writes',
        'log_flushes',
        'checkpoint_pages',
      ]),
      facts: [...latest].map(([key, { value }]) => `${key} ${String(value)}`).sort(),
    };
  }
}

for (const scenario of SCENARIOS)
  describe(`An answer of ${scenario} that is broken`, () => breakAnswers(scenario)).timeout(
    MOST === Infinity ? 0 : 300_000,
  );
