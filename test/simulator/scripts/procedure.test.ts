import assert from 'node:assert/strict';
import {
  checkHealth,
  type Health,
  installProcedure,
  openSqlDesk,
  readSqlFile,
  type SqlDesk,
  taskOf,
  temporaryProcedure,
  textsOf,
  unseenOf,
} from './analysed';

type Options = NonNullable<Parameters<typeof openSqlDesk>[0]>;

const MINUTES = 60_000;
/** The block that lets the switch go on by itself is not in it. */
const cutBlock = (text: string): string =>
  text.replace(/^ *\/\* goes on by itself[^]*?\/\* until here \*\/\n/gm, '');
const programOf = (text: string): string => text.slice(text.indexOf('DECLARE @at int')).trimEnd();
const countAutomatic = ({ databases }: Health): number =>
  databases.filter((row) => row['kind'] === '1 automatic checkpoints').length;

describe('sp_CheckpointHealth, on the simulated server', () => {
  let desk: SqlDesk;
  afterEach(() => desk?.close());

  const open = async (options: Options, database = '', user = 'dba'): Promise<void> => {
    desk = await openSqlDesk(options, database, user);
    await installProcedure(desk);
  };
  const runFile = async (file: string): Promise<void> =>
    assert.deepEqual((await desk.run(readSqlFile(`change/${file}.sql`))).errors, [], file);
  const track = async (minutes: number): Promise<void> => {
    for (const file of ['session-create', 'session-start']) await runFile(file);
    desk.server.advance(minutes * MINUTES);
  };

  /** The time in which the ledger has a checkpoint of an automatic database under way. */
  const measureBusy = (health: Health, windows: readonly (readonly [number, number])[]): number => {
    const ids = new Set(
      health.databases.filter((row) => row['kind'] === '1 automatic checkpoints').map((row) => row['name']),
    );
    const spans = desk.server.ledger.checkpoints
      .filter(({ databaseId }) => ids.has(desk.server.databaseName(databaseId) ?? null))
      .filter(({ beginUtcMs, endUtcMs }) =>
        windows.some(([from, to]) => beginUtcMs >= from && endUtcMs <= to),
      )
      .map(({ beginUtcMs, endUtcMs }) => [beginUtcMs, endUtcMs] as const)
      .sort(([a], [b]) => a - b);
    let [busyMs, until] = [0, 0];
    for (const [begin, end] of spans)
      [busyMs, until] = [busyMs + Math.max(0, end - Math.max(begin, until)), Math.max(until, end)];
    return busyMs;
  };

  it('says how many databases are automatic, how busy the one task was, and what is worth a look', async () => {
    await open({ databases: 120 });
    const fromUtcMs = desk.server.clock.nowUtcMs();
    await track(30);
    const health = await checkHealth(desk, '@top = 1000');
    const [verdict = '', byWaits = ''] = textsOf(health, 'Checkpoint task');
    const busyMs = measureBusy(health, [[fromUtcMs, Infinity]]);
    const told = Number(/: Busy (\d+) % of (?:29|30) min\. Goal: under 30 %\./.exec(verdict)?.[1]);
    assert.ok(Math.abs(told - (100 * busyMs) / (30 * MINUTES)) <= 2, `${told} % of ${busyMs} ms`);
    const state = told >= 80 ? 'Almost never free' : told >= 30 ? 'Queue at times' : 'Mostly free';
    assert.ok(verdict.startsWith(`${state}: `), verdict);
    const most = Number(
      /^Wait statistics: By CHECKPOINT_QUEUE, busy at most (\d+) % of the \d+\.\d hours since/.exec(
        byWaits,
      )?.[1],
    );
    assert.ok(most > 0 && most <= told + 2, byWaits);
    const [writes = '', automatic = ''] = textsOf(health, 'Good to know');
    assert.match(writes, /^Log writes \(WRITELOG\): They waited \d/);
    assert.match(
      automatic,
      new RegExp(`^Automatic databases: ${countAutomatic(health)} of 120: .* up to 256 GB \\(published: `),
    );
    assert.deepEqual(textsOf(health, 'Settings'), [
      'model is automatic: The next new database will be automatic too.',
    ]);
    assert.deepEqual(unseenOf(health), []);
  });

  it('counts only the time in which the session ran, where it was stopped for three hours', async () => {
    await open({ databases: 120 });
    const windows: [number, number][] = [];
    await runFile('session-create');
    for (const restMinutes of [180, 0]) {
      await runFile('session-start');
      const fromUtcMs = desk.server.clock.nowUtcMs();
      desk.server.advance(20 * MINUTES);
      await runFile('session-stop');
      windows.push([fromUtcMs, desk.server.clock.nowUtcMs()]);
      desk.server.advance(restMinutes * MINUTES);
    }
    const health = await checkHealth(desk, '@hours = 24, @top = 1000');
    const [, told, minutes] = (/: Busy at least (\d+) % of (\d+) min\./.exec(taskOf(health)) ?? []).map(
      Number,
    );
    assert.ok(minutes! >= 38 && minutes! <= 40, `${minutes} min`);
    const busyMs = measureBusy(health, windows);
    assert.ok(Math.abs(told! - (100 * busyMs) / (40 * MINUTES)) <= 3, `${told} % of ${busyMs} ms`);
    const [worst] = health.checkpoints;
    const perHour = (Number(String(worst?.['checkpoints'])) * 60) / minutes!;
    assert.ok(
      Math.abs(Number(String(worst?.['per_hour'])) / perHour - 1) < 0.05,
      String(worst?.['per_hour']),
    );
  });

  it('calls no task free by events of an earlier run of the session, of which nothing tells what it lost', async () => {
    await open({ databases: 120 });
    await track(20);
    for (const file of ['session-stop', 'session-start']) await runFile(file);
    desk.server.advance(20 * MINUTES);
    const verdictOf = async (parameters: string): Promise<string> =>
      taskOf(await checkHealth(desk, parameters));
    assert.match(
      await verdictOf(''),
      /: Busy \d+ % of (?:19|20) min\. /,
      'of the present run alone it is known',
    );
    assert.match(
      await verdictOf('@hours = 24'),
      /^Cannot be judged: Busy at least \d+ % of (?:38|39|40) min\. .* Events lost in an earlier run of the session: not known\.$/,
    );
  });

  it('calls no task free where the session records a part of the databases, or it is not known what it recorded', async () => {
    await open({ databases: 120 });
    for (const file of ['session-create', 'session-start']) await runFile(file);
    desk.server.advance(20 * MINUTES);
    const [one] = (await checkHealth(desk)).checkpoints.slice(-1);
    const values = { event_predicate: ` WHERE ([database_id] = ${String(one?.['database_id'])})` };
    for (const file of ['session-stop', 'session-start']) await runFile(file);
    assert.deepEqual((await desk.run(readSqlFile('change/session-change-databases.sql', values))).errors, []);
    desk.server.advance(120 * MINUTES);
    const part = await checkHealth(desk);
    assert.match(
      taskOf(part),
      /^Cannot be judged: Busy at least \d+ % of .* The session records only what result 5 says\.$/,
    );
    for (const file of ['session-stop', 'session-drop']) await runFile(file);
    assert.match(
      taskOf(await checkHealth(desk, '@hours = 24')),
      /^Cannot be judged: Busy at least \d+ % of .* What the session records: not known\.$/,
    );
  });

  it('ranks databases by the log they wrote since a checkpoint, and offenders by the time that theirs took', async () => {
    await open({ databases: 120 });
    await track(20);
    const { databases, checkpoints, session } = await checkHealth(desk, '@top = 1000');
    const falls = (rows: readonly Readonly<Record<string, unknown>>[], name: string): void => {
      const values = rows.map((row) => Number(String(row[name])));
      assert.deepEqual(
        values,
        [...values].sort((a, b) => b - a),
      );
    };
    falls(
      databases.filter((row) => row['kind'] === '1 automatic checkpoints'),
      'since_checkpoint_mb',
    );
    falls(checkpoints, 'total_seconds');
    assert.equal(session['session_state'], 'running');
    assert.match(
      String(session['files_read']),
      /CheckpointHealth_0_\d+\.xel$/,
      'by default the one file that is being written',
    );
    const one = await checkHealth(
      desk,
      `@database = N'${String(checkpoints[0]?.['database_name']).replace(/'/g, "''")}', @top = 1`,
    );
    assert.deepEqual(
      [one.databases[0]?.['name'], one.checkpoints],
      [checkpoints[0]?.['database_name'], checkpoints.slice(0, 1)],
      'one database: the same figures',
    );
  });

  for (const release of [2012, 2014, 2016, 2017, 2019, 2022, 2025] as const)
    it(`runs on ${release}`, async () => {
      await open({ release, databases: 20 });
      await track(12);
      const health = await checkHealth(desk);
      assert.ok(health.checkpoints.length > 0);
      assert.deepEqual(
        unseenOf(health).map((text) => text.split(':')[0]),
        release < 2016 ? ['Log since the last checkpoint'] : [],
      );
    });

  for (const scenario of [
    'availability-group',
    'linux',
    'rds',
    'managed-instance',
    'healthy',
    'large-memory',
  ] as const)
    it(`runs on ${scenario}`, async () => {
      await open({ scenario });
      const health = await checkHealth(desk);
      assert.deepEqual(unseenOf(health), []);
      assert.equal(health.session['session_state'], 'not there');
      assert.match(textsOf(health, 'Event session').join('\n'), /^Not there: No event session has that name/);
      if (scenario === 'healthy') assert.equal(countAutomatic(health), 0);
    });

  it('tells a primary from a secondary, and the system databases of a contained group from what is called like them', async () => {
    await open({ scenario: 'availability-group', release: 2022 });
    const { databases, roles } = await checkHealth(desk);
    const told = new Map(databases.map((row) => [row['name'], row['look_first']]));
    assert.equal(told.get('Sales_Stock'), 'in an availability group: its secondaries follow a change');
    assert.equal(told.get('Apps_Web'), 'secondary or forwarder: change it on the primary replica');
    assert.equal(
      Number(roles[roles.length - 1]?.['Databases']),
      databases.length,
      'without master and msdb of Apps',
    );
    // As if a group were called so that its master had the name of a database that is in no group.
    await desk.run(temporaryProcedure.replace("g.name + N'_master'", "N'Tools'"));
    assert.ok((await checkHealth(desk)).databases.some((row) => row['name'] === 'Tools'));
  });

  it('warns of a target far below 60 and of a long recovery interval', async () => {
    await open({ databases: 20 });
    const { databases } = await checkHealth(desk);
    const name = String(databases.find((row) => row['kind'] === '1 automatic checkpoints')?.['name']);
    await desk.run(`ALTER DATABASE [${name.replace(/]/g, ']]')}] SET TARGET_RECOVERY_TIME = 1 SECONDS;`);
    await desk.run("EXECUTE sys.sp_configure N'recovery interval (min)', 30; RECONFIGURE;");
    const health = await checkHealth(desk);
    assert.equal(
      health.databases.find((row) => row['name'] === name)?.['look_first'],
      'Watch: its target is far below 60',
    );
    const said = textsOf(health, 'Settings').join('\n');
    assert.match(
      said,
      /^Recovery interval 30 min: .*: look at it first, resetting it may be all you need\.$/m,
    );
    assert.match(
      said,
      /^Target far below 60: With 1 s, pages that change often are written again and again\. Raise it, unless that recovery time was agreed\.$/m,
    );
  });

  it('says what a login may not see, and shows the rest', async () => {
    await open({ databases: 40 }, '', 'reader');
    const health = await checkHealth(desk);
    assert.deepEqual(
      unseenOf(health).map((text) => text.split(':')[0]),
      ['Log since the last checkpoint of all databases', 'Write latency and memory', 'The event session'],
    );
    assert.equal(health.session['session_state'], 'not observable');
    assert.ok(countAutomatic(health) > 10);
    await desk.close();
    await open({ release: 2022, databases: 40 }, '', 'performance');
    assert.deepEqual(unseenOf(await checkHealth(desk)), []);
    await desk.close();
    await open({ databases: 40 }, '', 'blind');
    assert.match(
      unseenOf(await checkHealth(desk)).join('\n'),
      /^Databases: This login cannot see all databases\.$/m,
    );
  });

  it('shows all other logs where one cannot be read or its database goes away', async () => {
    desk = await openSqlDesk({ databases: 20 });
    const failing = temporaryProcedure.replace(
      'EXECUTE sys.sp_executesql N',
      "IF @id = 7 OR @id IS NULL RAISERROR(N'gone', 16, 1);\n EXECUTE sys.sp_executesql N",
    );
    assert.deepEqual((await desk.run(failing)).errors, []);
    const health = await checkHealth(desk);
    const unknown = health.databases.filter(
      (row) => row['since_checkpoint_mb'] === null && !/^(OFFLINE|RESTORING)/.test(String(row['look_first'])),
    );
    assert.equal(unknown.length, 1);
    assert.match(
      unseenOf(health).join('\n'),
      /^Log since the last checkpoint of some databases \(1\): gone$/m,
    );
  });

  it('reads the files of a stopped session for @hours alone, and the newest events where there are too many', async () => {
    await open({ databases: 40 });
    await track(40);
    await runFile('session-stop');
    const stopped = await checkHealth(desk);
    assert.deepEqual(textsOf(stopped, 'Event session'), ['Stopped: @hours = 24 reads its files.']);
    assert.deepEqual(
      [stopped.session['session_state'], stopped.session['files_read'], stopped.events],
      ['stopped', null, []],
    );
    const all = await checkHealth(desk, '@hours = 24, @top = 1000');
    const few = await checkHealth(desk, '@hours = 24, @top = 1000, @max_events = 200');
    const events = (health: Health): number =>
      health.events.reduce((sum, row) => sum + Number(String(row['events'])), 0);
    assert.ok(events(all) > 400 && events(few) === 200);
    assert.match(
      unseenOf(few).join('\n'),
      /More events than @max_events: Those before 2026-03-02T08:[23]\d:\S+Z were left out\./,
    );
    assert.equal((await checkHealth(desk, '@hours = 0')).session['files_read'], null);
    for (const session_name of ['CheckpointHealth_test', 'CheckpointHealth_0_7'])
      for (const file of ['session-create', 'session-start'])
        await desk.run(readSqlFile(`change/${file}.sql`, { session_name, file_name: `${session_name}.xel` }));
    desk.server.advance(20 * MINUTES);
    const beside = await checkHealth(desk, '@hours = 20000000, @top = 1000');
    assert.deepEqual(
      [beside.events, beside.checkpoints],
      [all.events, all.checkpoints],
      'other sessions have files of names that begin so',
    );
    await runFile('session-drop');
    const dropped = await checkHealth(desk, '@hours = 24, @top = 1000');
    assert.deepEqual(
      [dropped.session['session_state'], dropped.checkpoints],
      ['not there', all.checkpoints],
      'the files outlive their session',
    );
  });

  it('counts checkpoints of a database that is gone for the task, and not for one that was made under its name and id', async () => {
    await open({ databases: 120 });
    await track(60);
    const before = await checkHealth(desk, '@top = 1000');
    const [{ database_name: name, total_seconds: seconds } = {}] = before.checkpoints;
    const busyOf = (health: Health): number => Number(/Busy (\d+) %/.exec(taskOf(health))?.[1]);
    for (const lever of ['remake', 'drop'] as const) {
      desk.server.databases[lever](String(name));
      const after = await checkHealth(desk, '@top = 1000');
      assert.ok(Math.abs(busyOf(after) - busyOf(before)) <= 1, `${taskOf(after)} after ${lever}`);
      assert.ok(after.checkpoints.every((row) => row['database_name'] !== name));
      assert.equal(after.checkpoints[0]?.['total_seconds'], seconds);
    }
  });

  it('says that events were lost', async () => {
    await open({ databases: 120 });
    await track(1);
    desk.server.stallEventFiles(600_000_000);
    desk.server.advance(24 * 60 * MINUTES);
    const health = await checkHealth(desk);
    assert.ok(
      Number(String(health.session['lost_events'])) + Number(String(health.session['lost_buffers'])) > 0,
    );
    assert.match(
      textsOf(health, 'Event session').join('\n'),
      /^Events lost: The session has lost events since it started/,
    );
  });

  it('explains every parameter, and refuses a database that is not here', async () => {
    await open({ databases: 20 }, 'msdb');
    const help = await desk.run('EXECUTE #sp_CheckpointHealth @help = 1;');
    const items = help.sets[0]?.rows.map(([item]) => String(item)) ?? [];
    const parameters = [
      ...readSqlFile('ssms/sp_CheckpointHealth.sql').matchAll(/^ {4}(@(?!help)\w+) \w+ = /gm),
    ].map(([, name]) => name);
    assert.deepEqual(
      items.filter((item) => item.startsWith('@')).map((item) => item.split(' ')[0]),
      parameters,
    );
    const { errors } = await desk.run("EXECUTE #sp_CheckpointHealth @database = N'nowhere';");
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['No database has that name here, or this login cannot see it.'],
    );
  });

  it('writes, word for word, the program of the reviewed switch', async () => {
    await open({ databases: 20 });
    const { sets } = await desk.run('EXECUTE #sp_CheckpointHealth @script = 1;');
    const written = sets[0]?.rows.map(([line]) => String(line)).join('\n') ?? '';
    assert.equal(programOf(written), programOf(cutBlock(readSqlFile('change/set-target-recovery-time.sql'))));
  });

  it('changes nothing', async () => {
    await open({ databases: 40 });
    for (const parameters of ['', '@hours = 1', '@script = 1', '@help = 1'])
      await desk.run(`EXECUTE #sp_CheckpointHealth ${parameters};`);
    assert.deepEqual(
      [
        desk.server.ledger.settingChanges,
        desk.server.ledger.sessionRuns.filter(
          (run) => /Health/.test(run.sessionName) && run.sessionName !== 'system_health',
        ),
      ],
      [[], []],
    );
  });

  it('spells each of its own names in one way, as a case-sensitive server wants it', () => {
    const code = readSqlFile('ssms/sp_CheckpointHealth.sql')
      .replace(/\/\*[^]*?\*\//g, ' ')
      .replace(/'(?:[^']|'')*'/g, "''")
      // Headings of results.
      .replace(/\[\w+\] = /g, ' ');
    const spellings = new Map<string, Set<string>>();
    for (const [word] of code.matchAll(/[@#]*\b[A-Za-z_]\w*/g))
      if (word.toUpperCase() !== word)
        spellings.set(word.toLowerCase(), (spellings.get(word.toLowerCase()) ?? new Set()).add(word));
    assert.deepEqual(
      [...spellings.values()].filter((each) => each.size > 1).map((each) => [...each]),
      [],
    );
  });
});
