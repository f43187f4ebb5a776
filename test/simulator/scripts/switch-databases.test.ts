import assert from 'node:assert/strict';
import { openSwitchedServer, type SwitchedServer, textsOf } from './switched-server';

describe('The reviewed switch over every kind of database', function () {
  this.timeout(240_000);
  let opened: SwitchedServer;
  afterEach(() => opened?.dispose());

  it('changes each that can be changed, whatever it is called, and back; no other, also where a person lists them all', async () => {
    opened = await openSwitchedServer({ databases: 80 });
    const { databases } = await opened.facts();
    const names = databases.map(({ name }) => name);
    const review = await opened.review(names, { byName: false });
    const steps = review.plan.steps.map(({ database }) => database.name);
    for (const shape of [/\]/, /'/, /^.{128}$/u, /\p{Extended_Pictographic}/u, /^ {3}\S/, /\*\//])
      assert.ok(
        steps.some((name) => shape.test(name)),
        `one like ${String(shape)} is in it`,
      );
    const expected = steps.map((name) => `${name}: 0 -> 60`).sort();
    assert.deepEqual(await opened.during(() => opened.run(textsOf(review)[0] ?? '')), expected);
    const back = expected.map((line) => line.replace('0 -> 60', '60 -> 0')).sort();
    assert.deepEqual(await opened.during(() => opened.run(textsOf(review, 'rollback')[0] ?? '')), back);

    // Everything that is not in it, put into the list by hand: what is asked at run time is enough.
    const others = databases.filter(({ name }) => !steps.includes(name));
    const rows = others.map(({ name }) => `INSERT @chosen (database_name) VALUES (N'${name.replace(/'/g, "''")}');`);
    const byHand = (textsOf(review)[0] ?? '').replace(/(^INSERT @chosen .*\n)+/m, () => `${rows.join('\n')}\n`);
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(byHand);
      const reasons = [/is a system database/, /is OFFLINE/, /is RESTORING/, /is in standby/, /is read-only/, /already has/];
      for (const reason of [...reasons, /has another target recovery time than the one that was reviewed: (30|600) seconds/])
        assert.match(printed, reason);
      assert.match(printed, new RegExp(`\\b0 changed, ${others.length} left alone, 0 failed\\.`));
    });
    assert.deepEqual(changed, []);
  });

  it('changes all 308 of an instance of 400 databases that can be changed, and back', async () => {
    opened = await openSwitchedServer();
    const review = await opened.review([...opened.simulator.server.databases.targets().keys()], { byName: false });
    const expected = review.plan.steps.map(({ database }) => `${database.name}: 0 -> 60`).sort();
    assert.equal(expected.length, 308);
    assert.deepEqual(await opened.during(() => opened.run(textsOf(review)[0] ?? '')), expected);
    const back = await opened.during(() => opened.run(textsOf(review, 'rollback')[0] ?? ''));
    assert.deepEqual(back, expected.map((line) => line.replace('0 -> 60', '60 -> 0')).sort());
  });

  it('prints what its list has to be shown of a name, and changes the database of the name itself', async () => {
    opened = await openSwitchedServer({ databases: 40 });
    const change = textsOf(await opened.review(['a]b']))[0] ?? '';
    const shown = change.replace(
      /^INSERT @chosen \((.*)\) VALUES \((.*)\);/m,
      "INSERT @chosen ($1, shown_name) VALUES ($2, N'[a<U+202E>b]');",
    );
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(shown);
      assert.match(printed, /^SETTING {5}\[a<U\+202E>b\]$/m);
      assert.match(printed, /^CHANGED {5}\[a<U\+202E>b\] from 0 to 60 seconds\.$/m);
      assert.ok(!printed.includes('a]]b'));
    });
    assert.deepEqual(changed, ['a]b: 0 -> 60']);
  });

  it('takes names as they are written: where case counts and where it does not, another spelling is not on the server', async () => {
    opened = await openSwitchedServer({ databases: 40 });
    const { plan } = await opened.review([...opened.simulator.server.databases.targets().keys()], { byName: false });
    const name = plan.steps.map(({ database }) => database.name).find((each) => /^[A-Za-z]\w{1,60}$/.test(each)) ?? '';
    const change = textsOf(await opened.review([name]))[0] ?? '';
    const other = change.replace(`(N'${name}'`, `(N'${name.toUpperCase()}'`);
    assert.notEqual(other, change);
    const changed = await opened.during(async () => {
      assert.match((await opened.run(other)).printed, /is not on this server under exactly this name/);
    });
    assert.deepEqual(changed, []);
  });

  it('runs on every release that has the setting, from 2012 on', async () => {
    for (const release of [2012, 2014, 2016, 2025] as const) {
      opened = await openSwitchedServer({ databases: 40, release });
      const { plan } = await opened.review([...opened.simulator.server.databases.targets().keys()], { byName: false });
      const name = plan.steps[0]?.database.name ?? '';
      const change = textsOf(await opened.review([name]))[0] ?? '';
      assert.deepEqual(await opened.during(() => opened.run(change)), [`${name}: 0 -> 60`], String(release));
      await opened.dispose();
    }
  });
});
