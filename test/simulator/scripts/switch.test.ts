import assert from 'node:assert/strict';
import { changeOf, rollbackOf, writeSwitch } from '../../core/script/scripts-of';
import { openScriptedServer, replaceList, rowsOf, type ScriptedServer, writtenFor } from './scripted-server';

/** Small: what a script does to a database does not depend on how many there are. */
const options = { databases: 40 } as const;

/** What was said of one database: "CHANGED", "LEFT ALONE: ..." */
function lineOf(printed: string, name: string): string {
  const line =
    printed
      .split('\n')
      .find((one) => one.startsWith(`    ${name}: `) || one.startsWith(`${name} LEFT ALONE`)) ?? '';
  return line.replace(/^ *[^ ]* /, '').trim();
}

for (const [form, count] of [
  ['without a list', 3],
  ['with a list', 7],
] as const)
  describe(`The reviewed switch ${form}, run as a person runs it`, () => {
    let opened: ScriptedServer;
    let automatic: readonly string[] = [];
    let chosen: readonly string[] = [];
    let [first, second, third] = ['', '', ''];
    let allChanged: readonly string[] = [];
    let serverProperty: ScriptedServer['simulator']['server']['serverProperty'] | null = null;

    before(async () => {
      const server = await openScriptedServer(options);
      const { plan } = await server.reviewAll();
      await server.dispose();
      automatic = plan.steps.map(({ database }) => database.name).filter((name) => /^\w{1,30}$/.test(name));
      chosen = automatic.slice(0, count);
      [first = '', second = '', third = ''] = chosen;
      allChanged = chosen.map((name) => `${name}: 0 -> 60`).sort();
    });
    beforeEach(async () => {
      opened = await openScriptedServer(options);
      serverProperty = null;
    });
    afterEach(() => opened?.dispose());

    const write = async (names = chosen): Promise<{ change: string; rollback: string }> => {
      const { change, rollback } = await opened.review(names);
      assert.equal(change.includes('@list'), form === 'with a list');
      return { change, rollback };
    };
    const others = (...names: readonly string[]): readonly string[] =>
      allChanged.filter((line) => !names.some((name) => line.startsWith(`${name}:`)));
    const back = (lines: readonly string[]): readonly string[] =>
      lines.map((line) => line.replace('0 -> 60', '60 -> 0'));
    /** The server says this of its name from now on; undefined: its own again. */
    const pretend = (name: string | null | undefined): void => {
      const { server } = opened.simulator;
      serverProperty ??= server.serverProperty.bind(server);
      const own = serverProperty;
      const other = name === null ? null : { type: { name: 'nvarchar', length: 128 }, value: name };
      Object.assign(server, {
        serverProperty: (asked: string) =>
          name === undefined || asked !== 'ServerName' ? own(asked) : other,
      });
    };

    it('changes exactly what it lists, shows a row for each, does no harm twice, and is taken back whole', async () => {
      const { change, rollback } = await write();
      const { tables, changed: once } = await opened.show(change);
      const rows = (tables[0] ?? []).map((row) => [row['name'], row['now'], row['wanted']]);
      assert.deepEqual([...rows].sort(), chosen.map((name) => [name, 60, 60]).sort());
      assert.deepEqual(once, allChanged);
      assert.deepEqual((await opened.show(change)).changed, []);
      assert.deepEqual((await opened.show(rollback)).changed, back(allChanged));
      assert.deepEqual((await opened.show(rollback)).changed, []);
    });

    it('on hold changes nothing until its reader sets @anyway = 1, and its rollback is on no hold', async () => {
      const { plan, facts } = await opened.review(chosen);
      const origin = {
        serverName: facts.server.serverName,
        readAt: '',
        evidence: '',
        hold: 'pages',
      } as const;
      const scripts = writeSwitch(plan, origin);
      const held = changeOf(scripts);
      assert.match(
        held,
        /^\/\* ON HOLD, pages written per MB of log are over their limit: it does nothing until @anyway is 1\. SWITCH: /,
      );
      const shown = await opened.show(held);
      assert.match(
        shown.printed,
        /On hold: pages written per MB of log are over their limit\. Nothing was changed\./,
      );
      assert.deepEqual(shown.changed, []);
      assert.deepEqual(
        (await opened.show(held.replace('@anyway bit = 0', '@anyway bit = 1'))).changed,
        allChanged,
      );
      assert.deepEqual((await opened.show(rollbackOf(scripts))).changed, back(allChanged));
    });

    it('restores 0, 90 and 600 alike', async () => {
      await opened.setTargets({ [first]: 90, [second]: 600 });
      const { change, rollback } = await write();
      await opened.show(change);
      const { changed: restored } = await opened.show(rollback);
      assert.deepEqual(
        restored,
        [...back(others(first, second)), `${first}: 60 -> 90`, `${second}: 60 -> 600`].sort(),
      );
    });

    it('runs on no other server, not where its name is NULL, and in no open transaction', async () => {
      const { change } = await write();
      for (const name of ['OTHER-SQL01', null]) {
        pretend(name);
        const shown = await opened.show(`${change}\nGO\nPRINT N'usable again';`);
        assert.match(
          shown.printed,
          /^Msg 50000: Stopped: the guard does not name this server[^]*\nusable again$/,
        );
        assert.deepEqual(shown.changed, [], `${name}`);
      }
      pretend(undefined);
      const open = await opened.show(`BEGIN TRANSACTION;\nGO\n${change}`);
      assert.match(open.printed, /a transaction is open in this window\. Nothing was changed/);
      assert.deepEqual(open.changed, []);
      const { changed: implied } = await opened.show(
        `SET IMPLICIT_TRANSACTIONS ON;\nGO\nSELECT d.name FROM sys.databases AS d;\nGO\n${change}`,
      );
      assert.deepEqual(implied, [], 'one that a SELECT before it began counts too');
      const { printed, changed: alone } = await opened.show(
        `SET IMPLICIT_TRANSACTIONS ON;\nGO\n${change}\nGO\nPRINT @@TRANCOUNT;`,
      );
      assert.match(printed, /(^|\n)0$/);
      assert.deepEqual(alone, allChanged, 'and where nothing began one, it switches them off and runs');
    });

    it('is guarded wherever a selection of it begins and ends, also behind what a client sends of its own', async () => {
      const { change } = await write();
      const lines = change.split('\n');
      const cuts = lines.flatMap((line, at) =>
        /^(SET|DECLARE|INSERT|\/\* |IF @@|WHILE|IF EXISTS|SELECT|RAISERROR)/.test(line) ? [at] : [],
      );
      const client =
        'SET NOEXEC OFF; SET PARSEONLY OFF; SET ROWCOUNT 1; SET XACT_ABORT ON; SET ANSI_NULLS ON; SET QUOTED_IDENTIFIER ON;';
      for (const from of cuts)
        for (const to of [...cuts.filter((cut) => cut > from + 8), lines.length]) {
          const selection = lines.slice(from, to).join('\n');
          if (
            !selection.includes('ALTER DATABASE') ||
            (form === 'without a list' && !selection.includes('@@TRANCOUNT'))
          )
            continue;
          pretend('OTHER-SQL01');
          assert.deepEqual(
            (await opened.show(`${client}\nGO\n${selection}`)).changed,
            [],
            `${from} to ${to}`,
          );
          pretend(undefined);
        }
      assert.deepEqual((await opened.show(`${client}\nGO\n${change}\nGO\n${client}`)).changed, allChanged);
    });

    it('asks for the name that the server has, not for the one that was written down: NULL or stale, @@SERVERNAME counts nothing', async () => {
      const { change, rollback } = await write();
      for (const [text, registeredName] of [
        [change, null],
        [rollback, 'OLD-NAME'],
      ] as const) {
        Object.assign(opened.simulator.server, { registeredName });
        const { tables } = await opened.show('SELECT name = @@SERVERNAME;');
        assert.equal(tables[0]?.[0]?.['name'], registeredName);
        assert.equal((await opened.show(text)).changed.length, count);
      }
      Object.assign(opened.simulator.server, { registeredName: 'NEW-NAME' });
      assert.deepEqual(
        (await opened.show(writtenFor(change, 'NEW-NAME'))).changed,
        [],
        'the stale name does not let it through',
      );
    });

    it('leaves alone what was dropped, made again under its name or renamed meanwhile, and whoever took the old name', async () => {
      const { change, rollback } = await write();
      const { databases } = opened.simulator.server;
      databases.drop(first);
      databases.remake(second);
      databases.rename(third, `${third}_old`);
      databases.rename(automatic[count] ?? '', third);
      const { printed, changed } = await opened.show(change);
      for (const name of [first, second, third])
        assert.match(lineOf(printed, name), /^LEFT ALONE: not/, name);
      assert.deepEqual(changed, others(first, second, third));
      assert.deepEqual((await opened.show(rollback)).changed, back(others(first, second, third)));
    });

    it('takes back neither a database made again nor what somebody changed after it', async () => {
      const { change, rollback } = await write();
      await opened.show(change);
      opened.simulator.server.databases.remake(first);
      await opened.setTargets({ [first]: 60, [second]: 120 });
      assert.deepEqual((await opened.show(rollback)).changed, back(others(first, second)));
    });

    it('goes on with the others where one fails, and a second run does what is left', async () => {
      const { change } = await write();
      opened.simulator.server.databases.lock(second);
      const shown = await opened.show(change);
      assert.match(shown.printed, /Msg 50\d\d|FAILED: 50\d\d/);
      assert.deepEqual(shown.changed, others(second));
      opened.simulator.server.databases.lock(second, false);
      assert.deepEqual((await opened.show(change)).changed, [`${second}: 0 -> 60`]);
    });

    it('changes the database that was reviewed or none where one is dropped, renamed or replaced while it runs', async () => {
      const last = chosen[count - 1] ?? '';
      for (const [name, act] of [
        [third, () => opened.simulator.server.databases.drop(third)],
        [last, () => opened.simulator.server.databases.remake(last)],
        [last, () => opened.simulator.server.databases.rename(last, `${last}_old`)],
      ] as const) {
        const { change } = await write();
        opened.whileAltering((alter, at) => {
          alter();
          if (at === 1) act();
        });
        const changed = (await opened.show(change)).changed.filter((line) => line.endsWith('-> 60'));
        assert.deepEqual(changed, others(name), name);
        await opened.dispose();
        opened = await openScriptedServer(options);
      }
    });
  });

describe('The list of a reviewed switch, run as a person runs it', () => {
  let opened: ScriptedServer;
  let chosen: readonly string[] = [];
  const open = async (count: number): Promise<string> => {
    opened = await openScriptedServer(options);
    const { plan } = await opened.reviewAll();
    chosen = plan.steps
      .map(({ database }) => database.name)
      .filter((name) => /^\w{1,60}$/.test(name))
      .slice(0, count);
    return (await opened.review(chosen)).change;
  };
  afterEach(() => opened?.dispose());
  const outcomes = (tables: readonly (readonly Readonly<Record<string, unknown>>[])[]): readonly string[] =>
    (tables[0] ?? []).map((row) => String(row['outcome']).replace(/:.*$/, ''));

  it('prints each ALTER before it is run, stops after three failures, says the error of each, and ends in one of severity 16', async () => {
    const change = await open(9);
    for (const name of chosen.slice(1, 4)) opened.simulator.server.databases.lock(name);
    const { printed, tables, changed } = await opened.show(change);
    assert.deepEqual(outcomes(tables), [
      'CHANGED',
      'FAILED',
      'FAILED',
      'FAILED',
      ...Array<string>(5).fill('NOT REACHED'),
    ]);
    assert.equal(printed.match(/: FAILED: 5069 /g)?.length, 3);
    assert.match(
      printed,
      /1 changed, 3 failed; the table shows the rest\.\nMsg 50000: 3 FAILED; it stops at 3\. Run one ALTER alone/,
    );
    assert.ok(
      printed.startsWith(
        `ALTER DATABASE [${chosen[0]}] SET TARGET_RECOVERY_TIME = 60 SECONDS WITH NO_WAIT;\n    ${chosen[0]}: CHANGED\n`,
      ),
    );
    assert.deepEqual(changed, [`${chosen[0]}: 0 -> 60`]);
  });

  it('leaves alone a system database and another spelling that somebody writes into it', async () => {
    const change = await open(7);
    const { tables } = await opened.show(
      'SELECT d.name, at = CONVERT(nvarchar(30), d.create_date, 126) FROM sys.databases AS d WHERE d.database_id <= 4;',
    );
    const system = (tables[0] ?? []).map(
      (row) => `(1, N'${String(row['name'])}', '${String(row['at'])}', 0, 60)`,
    );
    const spelled = (rowsOf(change)[0] ?? '').replace(chosen[0] ?? '', (chosen[0] ?? '').toUpperCase());
    const done = await opened.show(replaceList(change, [...system, spelled]));
    assert.equal(outcomes(done.tables).filter((one) => one === 'LEFT ALONE').length, 5);
    assert.deepEqual(done.changed, []);
  });
});
