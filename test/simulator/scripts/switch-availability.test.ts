import assert from 'node:assert/strict';
import { openSwitchedServer, type SwitchedServer, textsOf } from './switched-server';

const sales = ['Sales_Archive', 'Sales_Orders', 'Sales_Stock'] as const;
const replicas = ['SALES-DR01', 'SALES-DR02', 'SALES-SQL01', 'SALES-SQL02', 'SALES-SQL03'] as const;

describe('The reviewed switch in availability groups, run as a person runs it', function () {
  this.timeout(120_000);
  let opened: SwitchedServer;
  const open = async (on: string): Promise<SwitchedServer> => (opened = await openSwitchedServer({ scenario: 'availability-group' }, on));
  afterEach(() => opened?.dispose());

  it('tells databases by their identity in the group, which is another where one was removed and another one joined under its name', async () => {
    await open('SALES-SQL01');
    const review = await opened.review([...sales]);
    const change = textsOf(review)[0] ?? '';
    assert.equal(change.match(/^INSERT @chosen \(database_name, created_local, group_database_id, /gm)?.length, 3);
    const id = /'([0-9A-F]{8}-[0-9A-F-]{27})'/i.exec(change)?.[1] ?? assert.fail('no id');
    const other = change.replace(id, '00000000-0000-0000-0000-000000000001');
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(other);
      assert.match(printed, /LEFT ALONE {2}\[Sales_Archive\] .*its identity in the availability group is another\./);
      assert.match(printed, /2 changed, 1 left alone, 0 failed\./);
      opened.simulator.server.advance(20_000);
    });
    const moved = [...new Set(changed.map((line) => line.replace(/^[^/]*\//, '')))];
    assert.deepEqual(moved, ['Sales_Orders: 0 -> 60', 'Sales_Stock: 0 -> 60'], 'here and on the copies alone');
  });

  it('changes nothing on a forwarder, whatever its role says, nor on a secondary, and says where to go', async () => {
    await open('SALES-SQL01');
    const change = textsOf(await opened.review([...sales]))[0] ?? '';
    for (const server of ['SALES-DR01', 'SALES-SQL02', 'SALES-DR02']) {
      // Written for that server by hand: what keeps it from harm is asked when it runs.
      const there = change.replaceAll("= N'SALES-SQL01'", `= N'${server}'`).replace(/'\d{4}-\d\d-\d\dT[\d:.]+'/g, 'NULL');
      const changed = await opened.during(async () => {
        const { printed } = await opened.run(there, { server });
        assert.match(printed, /0 changed, 3 left alone, 0 failed\./, server);
        const why =
          server === 'SALES-DR01'
            ? /is not writable here \(a forwarder/
            : /is not the primary replica here: connect to the primary and have a script written there/;
        assert.match(printed, why);
      });
      assert.deepEqual(changed, [], server);
    }
  });

  it('prints what has to be changed on another replica, and on which', async () => {
    await open('SALES-SQL02');
    const review = await opened.review([...sales, 'Tools'], { byName: false });
    assert.deepEqual(
      review.plan.exclusions.map(({ elsewhere }) => elsewhere),
      ['SALES-SQL01', 'SALES-SQL01', 'SALES-SQL01'],
    );
    const change = textsOf(review)[0] ?? '';
    assert.match(
      change,
      /To be changed on SALES-SQL01 \(connect to it and review a script there, or run .*\): Sales_Archive, Sales_Orders, Sales_Stock/,
    );
    const changed = await opened.during(async () => {
      const { printed, tables } = await opened.run(change);
      assert.match(
        printed,
        /LEFT OUT {4}\[Sales_Orders\] is a secondary replica here: change it on SALES-SQL01; a script for SALES-SQL01 stands behind those of/,
      );
      assert.deepEqual(
        tables[0]?.map((row) => row['outcome']),
        ['CHANGED', 'LEFT OUT', 'LEFT OUT', 'LEFT OUT'],
      );
    });
    assert.deepEqual(changed, ['SALES-SQL02/Tools: 0 -> 60']);
  });

  it('writes on a secondary a script of its own for the primary, which runs there alone, asks all again, and is taken back by its twin', async () => {
    await open('SALES-SQL02');
    const review = await opened.review([...sales, 'Tools'], { byName: false });
    assert.deepEqual(
      review.scripts?.scripts.map(({ title }) => title),
      [
        'Switch to indirect checkpoints on SALES-SQL02',
        'Rollback of the switch on SALES-SQL02',
        'Switch to indirect checkpoints on SALES-SQL01, written from SALES-SQL02',
        'Rollback of the switch on SALES-SQL01, written from SALES-SQL02',
      ],
    );
    const [, change = ''] = textsOf(review);
    const [, rollback = ''] = textsOf(review, 'rollback');
    assert.match(change, /SALES-SQL01 itself was not looked at, and its preflight is unseen; all checks of this script are made again/);
    assert.match(change, /What the copies on SALES-SQL02 show:\n \* {3}Sales_Archive: 0 seconds/);
    assert.match(rollback, /After a failover this script changes nothing\. Connect to the new primary/);
    for (const server of ['SALES-SQL02', 'SALES-SQL03', 'SALES-DR01'])
      assert.deepEqual(await opened.during(() => opened.run(change, { server })), [], server);
    const names = (changed: readonly string[]): readonly string[] => [...new Set(changed.map((line) => line.replace(/^[^/]*\//, '')))];
    const done = await opened.during(async () => {
      const { printed, tables } = await opened.run(change, { server: 'SALES-SQL01' });
      assert.match(printed, /3 changed, 0 left alone, 0 failed\./);
      assert.match(String(tables[0]?.[0]?.['undo_row']), /group_database_id, .*'[0-9A-F-]{36}', 60, 0\);$/i);
      opened.simulator.server.advance(20_000);
    });
    assert.deepEqual(
      names(done),
      sales.map((name) => `${name}: 0 -> 60`),
    );
    const back = await opened.during(async () => {
      assert.match((await opened.run(rollback, { server: 'SALES-SQL01' })).printed, /3 changed, 0 left alone, 0 failed\./);
      opened.simulator.server.advance(20_000);
    });
    assert.deepEqual(
      names(back),
      sales.map((name) => `${name}: 60 -> 0`),
    );
  });

  it('tells no database of a group from a system database of a contained one where the group cannot be seen', async () => {
    await open('apps');
    const change = textsOf(await opened.review(['Apps_Web']))[0] ?? '';
    // As for a login without VIEW ANY DEFINITION, to which the catalog views of groups show no row.
    const unseen = change.replace(
      'FROM sys.availability_replicas AS r',
      '$&\n        INNER JOIN (SELECT none = 1 WHERE 1 = 0) AS n ON n.none = 1',
    );
    assert.notEqual(unseen, change);
    const changed = await opened.during(async () => {
      assert.match((await opened.run(unseen)).printed, /LEFT ALONE {2}\[Apps_Web\] is in an availability group that cannot be seen/);
    });
    assert.deepEqual(changed, []);
  });

  it('stops before the next wave where the group fails over in the pause', async () => {
    await open('SALES-SQL01');
    const waves = { canary: 1, batch: 1, pauseMinutes: 10, stopAboveWriteMs: null };
    const change = textsOf(await opened.review([...sales], { waves }))[0] ?? '';
    let isFailedOver = false;
    const heard = (message: string): void => {
      if (isFailedOver || !message.startsWith('PAUSE')) return;
      isFailedOver = true;
      opened.simulator.failover('Sales', 'SALES-SQL02');
    };
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(change, { heard });
      assert.match(printed, /Stopped before wave 2: \[Sales_Archive\] is not any more as this script left it: failed over/);
      assert.match(printed, /1 changed, 0 left alone, 0 failed, 2 not reached\./);
      opened.simulator.server.advance(20_000);
    });
    assert.deepEqual([...new Set(changed.map((line) => line.replace(/^[^/]*\//, '')))], ['Sales_Archive: 0 -> 60']);
  });

  it('rolls nothing back on the old primary after a failover', async () => {
    await open('SALES-SQL01');
    const review = await opened.review([...sales]);
    await opened.run(textsOf(review)[0] ?? '');
    opened.simulator.server.advance(20_000);
    opened.simulator.server.advance(opened.simulator.failover('Sales', 'SALES-SQL02') + 20_000);
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(textsOf(review, 'rollback')[0] ?? '');
      assert.match(printed, /0 changed, 3 left alone, 0 failed\./);
    });
    assert.deepEqual(changed, []);
  });

  it('runs through a listener while it leads to the server that it was written for, and is stopped where it leads elsewhere', async () => {
    await open('SALES-SQL01');
    const review = await opened.review([...sales]);
    const listener = opened.simulator.listeners.find(({ name }) => name !== 'apps')?.name ?? assert.fail('no listener');
    assert.match((await opened.run(textsOf(review)[0] ?? '', { server: listener })).printed, /3 changed, 0 left alone, 0 failed\./);
    opened.simulator.server.advance(20_000);
    opened.simulator.server.advance(opened.simulator.failover('Sales', 'SALES-SQL02') + 20_000);
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(textsOf(review, 'rollback')[0] ?? '', { server: listener });
      assert.match(printed, /Stopped: this is not the server that the script was written for/);
    });
    assert.deepEqual(changed, []);
  });

  it("switches through a contained group's listener its databases alone, never its own master and msdb", async () => {
    await open('apps');
    const names = (await opened.facts()).databases.map(({ name }) => name);
    const review = await opened.review(names, { byName: false });
    assert.deepEqual(
      review.plan.steps.map(({ database }) => database.name),
      ['Apps_Web'],
    );
    const byHand = (textsOf(review)[0] ?? '').replace(
      /^INSERT @chosen .*$/m,
      (row) => `${row}\nINSERT @chosen (database_name) VALUES (N'master'), (N'msdb'), (N'tempdb'), (N'model');`,
    );
    const changed = await opened.during(async () => {
      const { printed } = await opened.run(byHand);
      for (const name of ['master', 'msdb', 'tempdb'])
        assert.match(printed, new RegExp(`LEFT ALONE {2}\\[${name}\\] is a system database\\.`));
      opened.simulator.server.advance(20_000);
    });
    assert.deepEqual([...new Set(changed.map((line) => line.replace(/^[^/]*\//, '')))], ['Apps_Web: 0 -> 60']);
    assert.ok(changed.every((line) => replicas.some((name) => line.startsWith(`${name}/`))));
  });
});
