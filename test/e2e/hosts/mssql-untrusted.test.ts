import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { lookAfter } from '../chain';
import { type Host, startHost } from '../host';
import { describeConnection, mssqlRows, observe, openMssqlPane, ourRows, packageMssqlWay, saveConnections } from '../ways/mssql';

describe('A workspace that defines connections of the SQL Server extension', function () {
  let simulator: Simulator;
  let host: Host;
  lookAfter(this, 'mssql-untrusted', () => host);

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    const planted = [describeConnection('planted', 'PLANTED', simulator), describeConnection('mine', 'HIJACKED', simulator)];
    host = await startHost({ vsixFiles: await packageMssqlWay(), workspaceSettings: { 'mssql.connections': planted } });
  });

  after(() => simulator?.close());

  it('has them ignored while it is not trusted, and the pane says so', async () => {
    await host.answerDialog("No, I don't trust the authors");
    await saveConnections(host, [describeConnection('mine', 'MINE', simulator)]);
    await openMssqlPane(host);
    await ourRows(host, 'The workspace that defines it is not trusted.').waitFor();
    await ourRows(host, 'MINE').waitFor();
    assert.equal(await ourRows(host, /PLANTED|HIJACKED/).count(), 0);
    await host.screenshot('mssql-untrusted-dark');
  });

  it('does not have its way by the node that it put into the tree', async () => {
    await host.takeContextMenuItem(mssqlRows(host, 'PLANTED'), 'Start Tracking Checkpoints');
    await host.answerDialog('Start Tracking');
    await host.page.locator('.notification-toast').filter({ hasText: 'a workspace that you do not trust' }).waitFor();
    const { prompts, connects } = await observe(host);
    assert.deepEqual([prompts, connects], [0, 0]);
  });
});
