import assert from 'node:assert/strict';
import { openScriptedServer, replaceList, rowsOf, type ScriptedServer, writtenFor } from './scripted-server';

const sales = ['Sales_Archive', 'Sales_Orders', 'Sales_Stock'] as const;
const all = [...sales, 'Sales_Reports', 'Sales_Import', 'Tools'] as const;
/** Until a change has reached the copies. */
const settleMs = 20_000;

describe('The reviewed switch in availability groups, run as a person runs it', () => {
  let opened: ScriptedServer;
  const open = async (on: string): Promise<ScriptedServer> =>
    (opened = await openScriptedServer({ scenario: 'availability-group' }, on));
  afterEach(() => opened?.dispose());
  /** What became of databases, wherever: a change and its copies are one. */
  const during = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    const changed = await opened.during(async () => {
      await act();
      opened.simulator.server.advance(settleMs);
    });
    return [...new Set(changed.map((line) => line.replace(/^[^/]*\//, '')))].sort();
  };
  const to60 = (names: readonly string[]): readonly string[] =>
    [...names].sort().map((name) => `${name}: 0 -> 60`);
  const to0 = (names: readonly string[]): readonly string[] =>
    [...names].sort().map((name) => `${name}: 60 -> 0`);
  const failOver = (): void =>
    opened.simulator.server.advance(opened.simulator.failover('Sales', 'SALES-SQL02') + settleMs);

  for (const names of [sales, all])
    it(`is one text for every replica of the group, and so is its rollback: ${names.length} databases`, async () => {
      await open('SALES-SQL01');
      const review = await opened.review([...names]);
      const { change, rollback } = review;
      assert.equal(review.scripts?.scripts.length, 2);
      assert.equal(change.includes('@list'), names.length > 5);
      for (const text of [change, rollback])
        assert.match(text, /NOT IN \(N'SALES-SQL01', N'SALES-SQL02', N'SALES-SQL03'\)/);
      for (const server of ['SALES-SQL02', 'SALES-SQL03', 'SALES-DR01', 'SALES-DR02'])
        assert.deepEqual(await during(() => opened.show(change, { server })), [], server);
      assert.deepEqual(await during(() => opened.show(change)), to60(names));
      failOver();
      const grouped = names.filter((name) => name !== 'Tools');
      assert.deepEqual(
        await during(() => opened.show(rollback)),
        to0(names.filter((name) => name === 'Tools')),
        'the old primary',
      );
      assert.deepEqual(
        await during(() => opened.show(rollback, { server: 'SALES-SQL02' })),
        to0(grouped),
        'the new primary',
      );
      assert.deepEqual(
        await during(() => opened.show(change, { server: 'SALES-SQL02' })),
        to60(grouped),
        'and the switch again',
      );
    });

  it('tells databases by their identity in the group, which is another where one was removed and another one joined under its name', async () => {
    await open('SALES-SQL01');
    for (const names of [sales, all]) {
      const { change } = await opened.review([...names]);
      const id = /'([0-9A-F]{8}-[0-9A-F-]{27})'/i.exec(change)?.[1] ?? assert.fail('no id');
      const spared =
        new RegExp(`N'(\\w+)',? *(?:\\n    AND d\\.group_database_id = )?'${id}'`).exec(change)?.[1] ??
        assert.fail('no name');
      const other = change.replace(id, '00000000-0000-0000-0000-000000000001');
      const changed = await during(() => opened.show(other));
      assert.ok(
        changed.length > 0 && !changed.some((line) => line.startsWith(spared)),
        `${spared}: ${changed.join()}`,
      );
    }
  });

  it('changes nothing on a forwarder, whatever its role says, nor on a secondary, and says where to go', async () => {
    await open('SALES-SQL01');
    const { change } = await opened.review([...all]);
    for (const server of ['SALES-DR01', 'SALES-SQL02', 'SALES-DR02']) {
      const changed = await during(async () => {
        const { printed } = await opened.show(writtenFor(change, server), { server });
        assert.match(
          printed,
          /Sales_Orders: LEFT ALONE: not writable here now \(\w+; a secondary or a forwarder: run this text on the primary\)/,
        );
      });
      assert.deepEqual(changed, [], server);
    }
  });

  it('written on a secondary is the same text: it changes there what is primary there, and on the primary the rest', async () => {
    await open('SALES-SQL02');
    const review = await opened.review([...all], { byName: false });
    assert.deepEqual(
      review.scripts?.scripts.map(({ title }) => title),
      ['SWITCH: 6 databases on SALES-SQL02', 'ROLLBACK: 6 databases on SALES-SQL02'],
    );
    const { change, rollback } = review;
    assert.match(change, /Primary now on SALES-SQL01 \(5 databases, not\s+read itself\)\./);
    const grouped = all.filter((name) => name !== 'Tools');
    assert.deepEqual(await during(() => opened.show(change)), to60(['Tools']));
    const there = change.replace('@wave int = 1', '@wave int = NULL');
    assert.deepEqual(await during(() => opened.show(there, { server: 'SALES-SQL01' })), to60(grouped));
    assert.deepEqual(await during(() => opened.show(rollback, { server: 'SALES-SQL01' })), to0(grouped));
    assert.deepEqual(await during(() => opened.show(rollback)), to0(['Tools']));
  });

  it('leaves alone what fails over between two databases, and does the rest on the new primary', async () => {
    await open('SALES-SQL01');
    for (const names of [sales, all]) {
      const { change } = await opened.review([...names]);
      const end = opened.whileAltering((alter, at) => {
        alter();
        if (at === 1) opened.simulator.failover('Sales', 'SALES-SQL02');
      });
      const changed = await during(() => opened.show(change));
      end();
      opened.simulator.server.advance(settleMs);
      assert.ok(changed.length <= 2, changed.join());
      const rest = await during(() => opened.show(change, { server: 'SALES-SQL02' }));
      const grouped = names.filter((name) => name !== 'Tools');
      assert.deepEqual(
        [...new Set([...changed, ...rest])].filter((line) => !line.startsWith('Tools')).sort(),
        to60(grouped),
      );
      await opened.dispose();
      await open('SALES-SQL01');
    }
  });

  it('stops before the next wave where the group fails over while it looks', async () => {
    await open('SALES-SQL01');
    const waves = { canary: 1, batch: 1, pauseMinutes: 10, stopAboveWriteMs: null };
    const { change } = await opened.review([...sales], { waves });
    let pauses = 0;
    const heard = (message: string): void => {
      if (message.startsWith('PAUSE') && ++pauses === 2) opened.simulator.failover('Sales', 'SALES-SQL02');
    };
    const changed = await during(async () => {
      const { printed } = await opened.show(change, { heard });
      assert.match(
        printed,
        /Stopped before wave 2: a database of an earlier wave has changed since: failed over, replaced, or changed/,
      );
    });
    assert.deepEqual(changed, ['Sales_Archive: 0 -> 60']);
  });

  it('runs through a listener wherever that leads among the replicas', async () => {
    await open('SALES-SQL01');
    const review = await opened.review([...sales]);
    const listener =
      opened.simulator.listeners.find(({ name }) => name !== 'apps')?.name ?? assert.fail('no listener');
    assert.deepEqual(await during(() => opened.show(review.change, { server: listener })), to60(sales));
    failOver();
    assert.deepEqual(await during(() => opened.show(review.rollback, { server: listener })), to0(sales));
  });

  it("switches through a contained group's listener its databases alone, and never its own master and msdb, here or on the instance", async () => {
    await open('apps');
    const { databases } = await opened.facts();
    const review = await opened.review(
      databases.map(({ name }) => name),
      { byName: false },
    );
    assert.deepEqual(
      review.plan.steps.map(({ database }) => database.name),
      ['Apps_Web'],
    );
    const byHand = (await (await reopen('SALES-SQL01')).review([...all])).change;
    for (const server of ['apps', 'SALES-SQL02']) {
      const { tables } = await opened.show(
        "SELECT d.name, id = d.group_database_id, at = CONVERT(nvarchar(30), d.create_date, 126) FROM sys.databases AS d WHERE d.name LIKE N'%master' OR d.name LIKE N'%msdb';",
        { server },
      );
      const rows = (tables[0] ?? []).map(
        (row) =>
          `(1, N'${String(row['name'])}', ${row['id'] ? `'${String(row['id'])}', NULL` : `NULL, '${String(row['at'])}'`}, 0, 60)`,
      );
      assert.ok(rows.length >= 2 && rowsOf(byHand).length > 5);
      const changed = await during(async () => {
        const { printed } = await opened.show(writtenFor(replaceList(byHand, rows), 'SALES-SQL02'), {
          server,
        });
        assert.match(printed, /^0 changed, 0 failed/m, printed);
      });
      assert.deepEqual(changed, [], server);
    }
  });

  it('leaves out by name what is named as the master of its own group, where groups can be contained, and no namesake elsewhere', async () => {
    for (const [release, names, named, changed] of [
      [2022, all, 'Sales_Archive', all.filter((name) => name !== 'Sales_Archive')],
      [2022, sales, 'Sales_Archive', ['Sales_Orders', 'Sales_Stock']],
      [2022, all, 'Tools', all],
      [2019, all, 'Sales_Archive', all],
    ] as const) {
      await opened?.dispose();
      opened = await openScriptedServer({ scenario: 'availability-group', release }, 'SALES-SQL01');
      const { change } = await opened.review([...names]);
      const text = change.replaceAll("g.name + N'_master'", `N'${named}'`);
      assert.deepEqual(await during(() => opened.show(text)), to60(changed), `${release} ${named}`);
    }
  });

  async function reopen(on: string): Promise<ScriptedServer> {
    await opened.dispose();
    return open(on);
  }
});
