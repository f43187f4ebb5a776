import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDatabaseFacts } from '../../src/core/advice/database-facts';
import { readAvailabilityRoles, readServerState } from '../../src/core/advice/fact-rows';
import { defaultWaves } from '../../src/core/advice/plan';
import { readServerFacts } from '../../src/core/advice/server-facts';
import { readErrorLog } from '../../src/core/errorlog/error-log';
import type { TextRows } from '../../src/core/rows';
import type { ScriptKind, ScriptRequest } from '../../src/core/script/script-request';
import { fillTemplate } from '../../src/core/script/template';
import { createDirectAccess } from '../../src/hosts/direct/access';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { ownSessionTemplates, readTemplates, reviewTemplates } from '../../src/texts';
import { root } from '../../tools/packages';
import { databaseOf } from '../core/advice/facts-of';
import { otherExamples, otherKinds } from '../core/script/other-scripts';
import { changeOf, choiceOf, rollbackOf, textOf } from '../core/script/scripts-of';
import type { LoginAddress, Shown } from '../e2e/query-window';
import { keptSecret } from '../hosts/opening';
import { watchThrough } from '../simulator/product/watched-server';
import { temporaryProcedure } from '../simulator/scripts/analysed';
import { listChanged } from '../simulator/scripts/scripted-server';
import { errorsOf, type LiveLogin, openLogin, quoteName, quoteText } from './login';
import { type Observation, observe, readCheckpoints, readUtcMs } from './observe';
import { readSettings } from './settings';
import { type LiveTarget, openTarget } from './target';

const settings = readSettings(process.env);
const isSimulator = settings.kind === 'simulator';

/** XE times have milliseconds: two of one moment may differ by one. */
const TICK_MS = 1;
const sizeOf = (values: readonly unknown[]): number => new Set(values).size;
const own = ({ checkpoints, spid, manualId }: Observation) =>
  checkpoints.find((each) => each.spid === spid && each.databaseId === manualId);
const inDatabase = (all: Observation['checkpoints'], id: number): number =>
  all.filter(({ databaseId }) => databaseId === id).length;

/**
 * What the product relies on and docs/facts.md calls inferred, unverified or told by one source; null where this server
 * cannot show it.
 */
const FACTS: Readonly<Record<string, (seen: Observation) => boolean | null>> = {
  'The automatic checkpoints of all databases carry one task GUID (SQL Server 3)': ({ automatic }) =>
    sizeOf(automatic.map(({ databaseId }) => databaseId)) < 2
      ? null
      : sizeOf(automatic.map(({ taskGuid }) => taskGuid)) === 1,
  'Automatic checkpoints run one after another (SQL Server 1, 3)': ({ automatic }) =>
    automatic.every(({ beginUtcMs }, i) => i === 0 || beginUtcMs >= automatic[i - 1]!.endUtcMs - TICK_MS),
  "A manual checkpoint runs on its caller's task and is known by the database that it is of (SQL Server 3)": (
    seen,
  ) => own(seen) !== undefined && seen.automatic.every(({ taskGuid }) => taskGuid !== own(seen)?.taskGuid),
  'Timestamps of events are UTC (SQL Server 3)': (seen) => {
    const { beginUtcMs = NaN, endUtcMs = NaN } = own(seen) ?? {};
    return seen.about['utc_offset_minutes'] === 0
      ? null
      : beginUtcMs >= seen.fromUtcMs && endUtcMs < seen.untilUtcMs + 1_000;
  },
  'An idle database on automatic checkpoints has none (SQL Server 1)': ({ automatic, idleId }) =>
    inDatabase(automatic, idleId) === 0,
  'Indirect checkpoints fire events too (SQL Server 3)': ({ checkpoints, indirectId }) =>
    inDatabase(checkpoints, indirectId) > 0,
  'With a target "Background writer pages/sec" counts the pages that are written (SQL Server 1)': (seen) =>
    seen.backgroundWriterPages > 0,
  "sys.dm_xe_sessions.create_time is the server's local time (src/core/session/event-session.ts)": (seen) =>
    seen.about['utc_offset_minutes'] === 0 ? null : Math.abs(seen.ageSeconds) < 60,
  'buffer_pool_scan_complete exists from 2016 SP3, 2017 CU23, 2019 CU9 and 2022 on (SQL Server 3)': (
    seen,
  ) => {
    const [major = 0, , build = 0] = seen.build;
    const first = { 13: 6300, 14: 3381, 15: 4102 }[major] ?? (major >= 16 ? 0 : Infinity);
    return Number(seen.about['scan_events']) > 0 === build >= first;
  },
  'MAX_DURATION exists from SQL Server 2025 on, and not before (SQL Server 4)': (seen) =>
    (seen.maxDuration.length === 0) === (seen.build[0] ?? 0) >= 17,
  'HAS_PERMS_BY_NAME of a permission that the version does not know is NULL (SQL Server 6)': (seen) =>
    (seen.about['create_any'] === null) === (seen.build[0] ?? 0) < 16,
  'SET TARGET_RECOVERY_TIME takes effect at once (SQL Server 2)': ({ changedTo }) => changedTo === 60,
  'The error log records the change in lower case, in seconds (SQL Server 2)': ({ change }) =>
    readErrorLog(change).changes.some(
      ({ option, value }) => option === 'target_recovery_time' && value === '60',
    ),
  'The target of a read-only database cannot be changed: 5069 (SQL Server 2)': ({ readOnly }) =>
    readOnly && readOnly.includes(5069),
  'Under trace flag 3504 a checkpoint writes a FlushCache message in a known shape (SQL Server 5)': (
    seen,
  ) => {
    const { groups, dirtyPageFlushes } = readErrorLog(seen.traced);
    return (
      dirtyPageFlushes.length > 0 ||
      groups.some(({ databaseId, state }) => databaseId === seen.manualId && state !== 'mixture')
    );
  },
  'Our questions give one row for each database, also where it is in two groups (SQL Server 2)': (seen) =>
    [seen.roleRows, seen.databaseRows].every((rows) => sizeOf(rows) === rows.length),
};

describe(`On ${isSimulator ? 'the simulator' : 'SQL Server'}`, function () {
  this.timeout(900_000);
  let target: LiveTarget;
  let login: LiveLogin;
  before(async () => {
    target = await openTarget(settings);
    login = target.login;
  });
  after(() => target?.dispose());

  /** All that the scripts could change: target recovery times, and options of the server. */
  const readChangeable = async (): Promise<ReadonlyMap<string, string>> => {
    const rows = await login.rows(`
      SELECT name, value = CONVERT(varchar(30), target_recovery_time_in_seconds) FROM sys.databases;
      SELECT name = N'option ' + name, value = CONCAT(CONVERT(int, value), '/', CONVERT(int, value_in_use)) FROM sys.configurations;`);
    return new Map(rows.map((row) => [String(row['name']), String(row['value'])]));
  };
  /**
   * What a script shows in a new window, and what became of settings meanwhile: "Sales: 0 -> 60", in the order of
   * names.
   */
  const run = async (script: string, address = target.address) => {
    const before = await readChangeable();
    const window = await openLogin(address);
    const shown: Shown = await window.run(script).finally(() => window.close());
    const outcomes = (shown.tables[0] ?? []).map((row) => String(row['outcome']).replace(/:[^]*/, ''));
    return { ...shown, outcomes, changed: listChanged(before, await readChangeable()) };
  };
  /** Our monitor of this server, which reads when it is told to. @throws Error where it has no facts */
  const withMonitor = async <T>(
    { host, port, user, password }: LoginAddress,
    use: (monitor: ServerMonitor) => Promise<T>,
  ): Promise<T> => {
    const server = {
      id: 'live',
      name: 'LIVE',
      server: host,
      port,
      user,
      encrypt: 'mandatory',
      trustServerCertificate: true,
    } as const;
    const monitor = watchThrough(createDirectAccess({ server, secrets: keptSecret(password) }));
    try {
      await monitor.refresh();
      return await use(monitor);
    } finally {
      await monitor.dispose();
    }
  };
  /** The switch of those databases to 60 seconds and its rollback, as the review would open them. */
  const writeSwitch = (names: readonly string[], waves = defaultWaves) =>
    withMonitor(target.address, async (monitor) => {
      const chosen = monitor.snapshot.facts?.databases.filter(({ name }) => names.includes(name)) ?? [];
      const ids = chosen.map(({ databaseId }) => databaseId);
      const { scripts } = await monitor.reviewSwitch(choiceOf(ids, true, { waves }));
      return { change: changeOf(scripts), rollback: rollbackOf(scripts) };
    });

  describe('each file of sql/ by hand, with its template parameters at their defaults', () => {
    const ownSession = async (
      kind: keyof typeof ownSessionTemplates,
      expected: string | null = null,
    ): Promise<void> => {
      const [row] = await login.rows(fillTemplate(ownSessionTemplates[kind], {}));
      assert.equal(row?.['error_number'], expected, String(row?.['error_message']));
    };
    const understands: Readonly<
      Record<string, (rows: TextRows) => { readonly problems: readonly unknown[] }>
    > = {
      serverFacts: readServerFacts,
      serverState: readServerState,
      databaseFacts: readDatabaseFacts,
      availabilityRoles: readAvailabilityRoles,
    };

    it('creates and starts the event session, once', async () => {
      await ownSession('create');
      await ownSession('start');
      await ownSession('create', '25631');
    });
    for (const [name, template] of Object.entries(readTemplates))
      it(`reads ${name}${name in understands ? ', and understands every cell' : ''}`, async () => {
        const rows = await login.rows(fillTemplate(template, {}));
        if (name === 'serverFacts' || name === 'serverState' || name === 'eventSession')
          assert.equal(rows.length, 1);
        const columns = Object.keys(rows[0] ?? {});
        const cells = rows.map((row) =>
          columns.map((column) => (row[column] == null ? null : String(row[column]))),
        );
        if (rows.length > 0)
          assert.deepEqual(understands[name]?.({ columns, rows: cells }).problems ?? [], []);
      });
    it('changes, stops and drops the event session, and does so with the one in memory', async () => {
      for (const kind of ['changeDatabases', 'addMissingEvents', 'stop', 'drop'] as const)
        await ownSession(kind);
      for (const kind of ['createRing', 'start', 'stop', 'drop'] as const) await ownSession(kind);
    });
    for (const [name, template] of Object.entries(reviewTemplates))
      it(`changes nothing by ${name}, because no server is named`, async () => {
        const { changed, printed } = await run(fillTemplate(template, {}));
        assert.match(printed, /^Msg 50000: Stopped: (this|the guard) /m);
        assert.deepEqual(changed, []);
      });
    for (const right of ['VIEW SERVER STATE', 'db_owner of one database'] as const)
      it(`says to a login with ${right} alone which permission it lacks`, async () => {
        const address = await target.loginOf(right);
        const window = await openLogin(address);
        for (const [name, template] of Object.entries(readTemplates)) {
          const others = errorsOf(await window.run(fillTemplate(template, {})));
          assert.deepEqual(
            [name, ...others.filter((number) => ![229, 297, 300, 371, 262, 15562, 916].includes(number))],
            [name],
          );
        }
        window.close();
        await withMonitor(address, async ({ snapshot }) =>
          assert.ok(snapshot.facts !== null || snapshot.failure !== null),
        );
      });
  });

  it('our monitor knows targets and figures of fifty databases at work as catalog and event files do, judges the server, and leaves no session', () =>
    withMonitor(target.address, async (monitor) => {
      const catalog = await login.rows(
        'SELECT name, seconds = target_recovery_time_in_seconds FROM sys.databases ORDER BY database_id;',
      );
      const facts = [...(monitor.snapshot.facts?.databases ?? [])].sort(
        (a, b) => a.databaseId - b.databaseId,
      );
      assert.deepEqual(
        facts.map(({ name, targetSeconds: seconds }) => ({ name, seconds })),
        catalog,
      );
      // Files of one name hold events of earlier runs too.
      const sinceUtcMs = await readUtcMs(login);
      await monitor.startTracking(null);
      await target.work();
      await monitor.stopTracking();
      const figures = new Map<number, { count: number; totalMs: number; maximumMs: number }>();
      for (const { databaseId, beginUtcMs, endUtcMs } of await readCheckpoints(login, 'CheckpointHealth')) {
        if (beginUtcMs < sinceUtcMs) continue;
        const { count, totalMs, maximumMs } = figures.get(databaseId) ?? {
          count: 0,
          totalMs: 0,
          maximumMs: 0,
        };
        const ms = endUtcMs - beginUtcMs;
        figures.set(databaseId, {
          count: count + 1,
          totalMs: totalMs + ms,
          maximumMs: Math.max(maximumMs, ms),
        });
      }
      const { statistics, instance } = monitor.snapshot;
      const shown = [...statistics].map(
        ([id, { count, totalMs, maximumMs }]) => [id, { count, totalMs, maximumMs }] as const,
      );
      assert.deepEqual(new Map(shown), figures);
      assert.ok(figures.size > (isSimulator ? 1 : target.many.length));
      assert.notEqual(instance, null);
      await monitor.removeTracking();
      assert.equal(
        await login.number(
          "SELECT n = COUNT(*) FROM sys.server_event_sessions WHERE name = N'CheckpointHealth';",
        ),
        0,
      );
    }));

  describe('a fact that the product takes into account holds', () => {
    let seen: Observation;
    before(async () => {
      seen = await observe(target);
      const folder = join(root, 'artifacts', 'live');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${settings.kind}-${seen.build.join('.')}.json`),
        JSON.stringify(seen, null, 2),
      );
    });
    for (const [fact, isSo] of Object.entries(FACTS))
      it(fact, function () {
        const verdict = isSo(seen);
        if (verdict === null) this.skip();
        assert.ok(verdict);
      });
  });

  describe('the scripts that the product writes', () => {
    const ofWave = (script: string, wave: number | 'NULL'): string =>
      script.replace(/@wave int = \w+/, `@wave int = ${wave}`);
    const repeat = (outcome: string, count: number): readonly string[] => Array<string>(count).fill(outcome);

    it('go through fifty databases in waves of 3, 25 and 22, change nothing when run again, and the rollback takes all back', async () => {
      const { change, rollback } = await writeSwitch(target.many);
      for (const [wave, size] of [3, 25, 22].entries()) {
        const { changed, outcomes } = await run(ofWave(change, wave + 1));
        assert.deepEqual([changed.length, outcomes], [size, repeat('CHANGED', size)]);
        assert.deepEqual(
          (await run(ofWave(change, wave + 1))).outcomes,
          repeat('LEFT ALONE', size),
          'the wave again',
        );
      }
      assert.deepEqual((await run(rollback)).changed, target.many.map((name) => `${name}: 60 -> 0`).sort());
      assert.deepEqual((await run(rollback)).changed, []);
    });

    it('stop after three failures for a login that may change nothing', async () => {
      const { change } = await writeSwitch(target.many);
      const { outcomes, changed } = await run(change, await target.loginOf('VIEW SERVER STATE'));
      assert.deepEqual([outcomes.filter((outcome) => outcome === 'FAILED').length, changed], [3, []]);
    });

    const write = (request: ScriptRequest) =>
      withMonitor(target.address, (monitor) => monitor.writeScript(request));
    const changesSetting = (kind: ScriptKind): boolean => otherExamples[kind].kinds.includes('rollback');
    for (const kind of otherKinds.filter((each) => !changesSetting(each)))
      it(`run "${kind}", which changes no setting`, async () => {
        const databaseId = await login.number(
          `SELECT n = DB_ID(${quoteText(target.databases.busyAutomatic[0])});`,
        );
        const [script] = await write(otherExamples[kind].request([databaseOf({ databaseId })]));
        const { changed, printed, tables } = await run(script?.text ?? '');
        assert.deepEqual(changed, []);
        assert.match(printed + JSON.stringify(tables), /CHECKPOINT|DONE|LEFT ALONE/);
        assert.doesNotMatch(printed, /Msg |FAILED|Stopped/);
      });
    // A value that a server in use hardly has, and takes without harm.
    const harmless: { readonly [Kind in ScriptKind]?: ScriptRequest<Kind> } = {
      'recovery interval': { kind: 'recovery interval', minutes: 7 },
      model: { kind: 'model', targetSeconds: 30 },
    };
    for (const kind of otherKinds.filter(changesSetting))
      it(`change one setting by "${kind}", and take it back by its rollback`, async () => {
        const scripts = await write(harmless[kind] ?? otherExamples[kind].request([]));
        const before = await readChangeable();
        assert.equal((await run(textOf(scripts))).changed.length, 1);
        assert.equal((await run(textOf(scripts, 'rollback'))).changed.length, 1);
        assert.deepEqual(await readChangeable(), before);
      });
  });

  it('sp_CheckpointHealth is installed twice over, answers, writes a switch that changes what was named, and is dropped', async () => {
    // A procedure lives as long as its window where there are no permanent ones; the header of the file says how.
    const name = isSimulator ? '#sp_CheckpointHealth' : 'dbo.sp_CheckpointHealth';
    const [database] = target.databases.busyAutomatic;
    const window = await openLogin({ ...target.address, database: target.databases.idleAutomatic });
    const file = readFileSync(join(root, 'sql', 'ssms', 'sp_CheckpointHealth.sql'), 'utf8');
    for (const text of isSimulator ? [temporaryProcedure] : [file, file])
      assert.deepEqual(errorsOf(await window.run(text)), []);
    const { tables } = await window.run(`EXECUTE ${name} @top = 1000;`);
    const automatic = (tables[3] ?? []).filter((row) => row['seconds'] === 0).map((row) => row['name']);
    assert.deepEqual(
      [tables.length, automatic.includes(database), automatic.includes(target.databases.busyIndirect)],
      [7, true, false],
    );
    const lines = await window.rows(`EXECUTE ${name} @script = 1, @database = ${quoteText(database)};`);
    const script = lines.map((row) => String(row['line'])).join('\n');
    assert.deepEqual((await run(script)).changed, [`${database}: 0 -> 60`]);
    assert.deepEqual((await run(script)).changed, []);
    await window.rows(`ALTER DATABASE ${quoteName(database)} SET TARGET_RECOVERY_TIME = 0 SECONDS;`);
    // The simulator makes no tables in databases.
    if (!isSimulator) {
      const kept = `@OutputDatabaseName = ${quoteText(target.databases.idleAutomatic)}, @OutputTableName = N'CheckpointHealthLive]''s'`;
      for (const wanted of [1, 2]) {
        const { tables: shown } = await window.run(`EXECUTE ${name} ${kept};`);
        const [count] = await window.rows(
          `SELECT n = COUNT(DISTINCT k.CheckDate) FROM dbo.${quoteName("CheckpointHealthLive]'s")} AS k;`,
        );
        assert.deepEqual([shown.length, count?.['n']], [7, wanted]);
      }
    }
    await window.rows(`DROP PROCEDURE ${name};`);
    assert.deepEqual(errorsOf(await window.run(`EXECUTE ${name};`)), [2812]);
    window.close();
  });
});
