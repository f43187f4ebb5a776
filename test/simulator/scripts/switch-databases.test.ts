import assert from 'node:assert/strict';
import { quoteStringInScript } from '../../../src/core/script/quote';
import { openScriptedServer, replaceList, rowsOf, type ScriptedServer } from './scripted-server';

describe('The reviewed switch over every kind of database', () => {
  let opened: ScriptedServer;
  afterEach(() => opened?.dispose());

  it('changes each that can be changed, whatever it is called, and back; no other, also where a person lists them all', async () => {
    opened = await openScriptedServer({ databases: 80 });
    const { databases } = await opened.facts();
    const review = await opened.reviewAll();
    const { change } = review;
    const steps = review.plan.steps.map(({ database }) => database.name);
    for (const shape of [/\]/, /'/, /^.{128}$/u, /\p{Extended_Pictographic}/u, /^ {3}\S/, /\*\//])
      assert.ok(
        steps.some((name) => shape.test(name)),
        `one like ${String(shape)} is in it`,
      );
    const expected = steps.map((name) => `${name}: 0 -> 60`).sort();
    const once = await opened.show(change);
    assert.deepEqual(once.changed, expected);
    const undo = (once.tables[0] ?? []).map((row) => String(row['undo_row']));
    const back = expected.map((line) => line.replace('0 -> 60', '60 -> 0')).sort();
    assert.deepEqual((await opened.show(review.rollback)).changed, back);
    await opened.show(change);
    for (const row of undo) assert.match(row, /^[ -~]*$/);
    assert.equal(
      (await opened.show(replaceList(change, undo.slice(0, 4)))).changed.length,
      4,
      'by some of its undo rows too',
    );
    const { tables: again = [] } = await opened.show(change);
    assert.equal(
      again[0]?.filter((row) => row['undo_row'] !== '').length,
      4,
      'which only those have that it changed',
    );
    assert.deepEqual((await opened.show(replaceList(change, undo))).changed, back);

    // Everything that is not in it, put into the list by hand: what is asked at run time is enough.
    const others = databases.filter(({ name }) => !steps.includes(name));
    const rows = others.map(
      ({ name, createdLocal }) => `(1, ${quoteStringInScript(name)}, '${createdLocal}', 0, 60)`,
    );
    const { tables, changed } = await opened.show(replaceList(change, rows));
    const outcomes = (tables[0] ?? []).map((row) => String(row['outcome']));
    assert.equal(outcomes.length, others.length);
    for (const outcome of outcomes) assert.match(outcome, /^LEFT ALONE: /);
    for (const reason of [
      /not here/,
      /OFFLINE/,
      /not writable here now \(ONLINE\)/,
      /already has the wanted value/,
      /differs from the reviewed one/,
    ])
      assert.ok(
        outcomes.some((outcome) => reason.test(outcome)),
        String(reason),
      );
    assert.deepEqual(changed, []);
  });

  it('takes names as they are written: where case counts and where it does not, another spelling is not on the server', async () => {
    opened = await openScriptedServer({ databases: 40 });
    const { plan } = await opened.reviewAll();
    const names = plan.steps
      .map(({ database }) => database.name)
      .filter((each) => /^[A-Za-z]\w{1,30}$/.test(each));
    for (const count of [1, 7]) {
      const { change } = await opened.review(names.slice(0, count));
      const other = names
        .slice(0, count)
        .reduce((text, name) => text.replaceAll(`N'${name}'`, `N'${name.toUpperCase()}'`), change);
      assert.notEqual(other, change);
      assert.deepEqual((await opened.show(other)).changed, []);
    }
  });

  it('changes the database that it names and no other, and back, whatever database the query window is in', async () => {
    opened = await openScriptedServer({ databases: 40 });
    const review = await opened.review(['a]b']);
    const other = [...opened.simulator.server.databases.targets().keys()].find((name) =>
      /^[A-Z]\w+$/.test(name),
    );
    for (const database of [other, 'tempdb', 'msdb'])
      for (const [kind, line] of [
        ['change', 'a]b: 0 -> 60'],
        ['rollback', 'a]b: 60 -> 0'],
      ] as const)
        assert.deepEqual(
          (await opened.show(review[kind], database === undefined ? {} : { database })).changed,
          [line],
          database,
        );
  });

  it('tells a login that cannot see the roles of replicas what is the matter, not that the database is gone', async () => {
    opened = await openScriptedServer({ databases: 40 });
    const { printed } = await opened.show((await opened.review(['a]b'])).change, { user: 'reader' });
    assert.match(printed, /Msg 5011: User does not have permission to alter database/);
    assert.doesNotMatch(printed, /LEFT ALONE|VIEW SERVER STATE permission was denied/);
  });

  it('runs on every release that has the setting, from 2012 on', async () => {
    for (const release of [2012, 2014, 2016, 2025] as const) {
      opened = await openScriptedServer({ databases: 40, release });
      const { plan } = await opened.reviewAll();
      const names = plan.steps.map(({ database }) => database.name);
      for (const chosen of [names.slice(0, 1), names.slice(1, 9)]) {
        const { change } = await opened.review(chosen);
        assert.equal(rowsOf(change).length > 1, chosen.length > 1);
        assert.deepEqual(
          (await opened.show(change)).changed,
          chosen.map((name) => `${name}: 0 -> 60`).sort(),
          String(release),
        );
      }
      await opened.dispose();
    }
  });
});
