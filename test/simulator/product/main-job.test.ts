import assert from 'node:assert/strict';
import { assertWholeCapture } from './captured';
import { readAll } from '../../monitor/watched-fake';
import { runAsAdministrator, type WatchedServer, watchSimulator } from './watched-server';
import { runScript } from '../../e2e/query-window';
import { changeOf, choiceOf, rollbackOf } from '../../core/script/scripts-of';

const minuteMs = 60_000;

describe('The main job against the simulated server', function () {
  this.timeout(120_000);
  let watched: WatchedServer;
  before(async () => (watched = await watchSimulator()));
  after(() => watched?.dispose());

  const runHere = (script: string, database?: string): Promise<readonly string[]> =>
    runAsAdministrator(watched.simulator, script, database);

  it('sees 312 of 400 databases on automatic checkpoints, whatever they are called', async () => {
    await watched.monitor.refresh();
    const databases = watched.monitor.snapshot.facts?.databases.filter((database) => database.databaseId > 4) ?? [];
    assert.equal(databases.length, 400);
    assert.equal(databases.filter((database) => database.targetSeconds === 0).length, 312);
    const names = databases.map((database) => database.name);
    for (const name of ['a]b', "x'; DROP DATABASE y;--"]) assert.ok(names.includes(name), name);
    for (const shape of [/^.{128}$/u, /\p{Extended_Pictographic}/u, /^ {3}\S/, /\*\//])
      assert.ok(
        names.some((name) => shape.test(name)),
        String(shape),
      );
  });

  it('captures exactly what the server did, over many reads', async () => {
    const { monitor, simulator } = watched;
    await monitor.startTracking(null);
    for (let minute = 0; minute < 30; minute++) {
      simulator.server.advance(minuteMs);
      if (minute % 7 === 0) await monitor.refresh();
    }
    await monitor.stopTracking();
    await readAll(monitor);
    assertWholeCapture(monitor, simulator);
    const ledger = monitor.capture?.ledger();
    assert.equal((ledger?.duplicates ?? 1) + (ledger?.malformed ?? 1), 0);
  });

  it('finds every database that can be switched, switches forty of them by the script alone, and takes it all back', async () => {
    const { monitor, simulator } = watched;
    const ids =
      monitor.snapshot.facts?.databases.filter((database) => database.targetSeconds === 0).map((database) => database.databaseId) ?? [];
    const { plan } = await monitor.reviewSwitch(choiceOf(ids));
    assert.equal(plan.steps.length, 308);
    // All of them are switched in test/simulator/scripts, which takes a minute and more.
    const forty = plan.steps.slice(0, 40).map(({ database }) => database.databaseId);
    const { scripts } = await monitor.reviewSwitch(choiceOf(forty));
    assert.deepEqual(simulator.server.ledger.settingChanges, []);
    const printed = await runHere(changeOf(scripts));
    assert.match(printed.join('\n'), /\b40 changed, 0 failed; /);
    await monitor.refresh();
    const left = monitor.snapshot.facts?.databases.filter((database) => database.databaseId > 4 && database.targetSeconds === 0);
    assert.equal(left?.length, 312 - 40);
    assert.deepEqual(monitor.snapshot.changes.length, 40);
    assert.match((await runHere(rollbackOf(scripts))).join('\n'), /\b40 changed, 0 failed; /);
    await monitor.refresh();
    assert.equal(
      monitor.snapshot.facts?.databases.filter((database) => database.databaseId > 4 && database.targetSeconds === 0).length,
      312,
    );
  });

  it('changes the databases that it names and no other, whatever database the query window is in', async () => {
    const { monitor, simulator } = watched;
    const databases = monitor.snapshot.facts?.databases ?? [];
    const named = databases.find(({ name }) => name === 'a]b');
    const other = databases.find(({ databaseId, state }) => databaseId > 4 && databaseId !== named?.databaseId && state === 'ONLINE');
    const { scripts } = await monitor.reviewSwitch(choiceOf([named?.databaseId ?? 0], true));
    for (const database of [other?.name, 'tempdb', 'msdb']) {
      const before = simulator.server.ledger.settingChanges.length;
      for (const script of [changeOf(scripts), rollbackOf(scripts)]) await runHere(script, database);
      const changed = simulator.server.ledger.settingChanges.slice(before).map(({ databaseId }) => databaseId);
      assert.deepEqual(changed, [named?.databaseId, named?.databaseId]);
    }
  });

  it('tells a login that cannot see the roles of replicas what is the matter, not that the database is gone', async () => {
    const { monitor, simulator } = watched;
    const database = monitor.snapshot.facts?.databases.find(({ name }) => name === 'a]b');
    const { scripts } = await monitor.reviewSwitch(choiceOf([database?.databaseId ?? 0], true));
    const reader = { host: simulator.host, port: simulator.port, user: 'reader', password: 'Str0ng!Passw0rd' };
    const printed = (await runScript(reader, changeOf(scripts))).join('\n');
    assert.match(printed, /Msg 5011: User does not have permission to alter database/);
    assert.doesNotMatch(printed, /LEFT ALONE|VIEW SERVER STATE permission was denied/);
  });
});
