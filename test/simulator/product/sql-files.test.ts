import assert from 'node:assert/strict';
import { fillTemplate } from '../../../src/core/script/template';
import { ownSessionTemplates, readTemplates, reviewTemplates } from '../../../src/texts';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { runAsAdministrator } from './watched-server';

/** The files of sql/ as somebody runs them by hand in SSMS: template parameters at their defaults, batch by batch. */
describe('The files of sql/, run by hand with their defaults', function () {
  this.timeout(60_000);
  let simulator: Simulator;
  before(async () => (simulator = await startSimulator({ rate: 0, tls: 'required' })));
  after(() => simulator?.close());

  const run = (sql: string): Promise<readonly string[]> => runAsAdministrator(simulator, sql);

  it('create and start the event session, read everything, stop it and drop it, without a word', async () => {
    for (const template of [ownSessionTemplates.create, ownSessionTemplates.start])
      assert.deepEqual(await run(fillTemplate(template, {})), []);
    simulator.server.advance(60_000);
    for (const template of Object.values(readTemplates)) assert.deepEqual(await run(fillTemplate(template, {})), []);
    assert.deepEqual(await run(fillTemplate(ownSessionTemplates.changeDatabases, {})), []);
    for (const template of [ownSessionTemplates.stop, ownSessionTemplates.drop])
      assert.deepEqual(await run(fillTemplate(template, {})), []);
    const runs = simulator.server.ledger.sessionRuns.filter((session) => session.sessionName === 'CheckpointHealth');
    assert.equal(runs.length, 1);
    assert.notEqual(runs[0]?.stoppedUtcMs, null);
  });

  it('change no database before one is named, on a server that is', async () => {
    const named = await run(fillTemplate(reviewTemplates.setTargetRecoveryTime, { server_name: 'LEGACY-SQL07' }));
    assert.match(named.join('\n'), /TYPE A DATABASE NAME HERE: LEFT ALONE: not here, or not the one that was reviewed/);
    assert.deepEqual(simulator.server.ledger.settingChanges, []);
  });
});
