import assert from 'node:assert/strict';
import { runAsAdministrator, type WatchedServer, watchSimulator } from './watched-server';
import { runScript } from '../../e2e/query-window';
import { changeOf, choiceOf, rollbackOf } from '../../core/script/scripts-of';

describe('The reviewed script of one database on the simulated server', function () {
  this.timeout(120_000);
  let watched: WatchedServer;
  before(async () => {
    watched = await watchSimulator();
    await watched.monitor.refresh();
  });
  after(() => watched?.dispose());

  const runHere = (script: string, database?: string): Promise<readonly string[]> =>
    runAsAdministrator(watched.simulator, script, database);

  it('changes that database and no other, and back, whatever database the query window is in', async () => {
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
