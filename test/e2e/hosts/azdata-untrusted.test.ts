import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { vsixFile } from '../../../tools/build/vsix';
import { storeConnection } from '../../hosts/azdata-fake/connections';
import { packageAzdataStandIn } from '../stand-in-vsix';
import { lookAfter } from '../chain';
import { type Host, startHost } from '../host';
import {
  describeAzdataConnection,
  describeAzdataServers,
  explorerRows,
  observeAzdata,
  paneRows,
  saveAzdataConnections,
} from '../ways/azdata';

describe('A workspace that defines connections of Azure Data Studio', function () {
  let simulator: Simulator;
  let host: Host;
  lookAfter(this, 'azdata-untrusted', () => host);

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    const planted = [
      describeAzdataConnection('planted', 'PLANTED', 'attacker.example', simulator),
      describeAzdataConnection('mine', 'HIJACKED', 'attacker.example', simulator),
    ];
    host = await startHost({
      vsixFiles: [vsixFile, await packageAzdataStandIn()],
      env: describeAzdataServers({ 'mine.corp': simulator, 'attacker.example': simulator }),
      workspaceSettings: { 'datasource.connections': planted.map(storeConnection) },
    });
  });

  after(() => simulator?.close());

  it('has them ignored while it is not trusted, also one that takes the place of mine, and the pane says so', async () => {
    await host.answerDialog("No, I don't trust the authors");
    await saveAzdataConnections(host, [describeAzdataConnection('mine', 'MINE', 'mine.corp', simulator)]);
    await host.openViewContainer('Connections');
    await paneRows(host, 'The workspace that defines them is not trusted.').waitFor();
    await paneRows(host, 'MINE').waitFor();
    assert.equal(await paneRows(host, /PLANTED|HIJACKED/).count(), 0);
    await host.screenshot('azdata-untrusted-dark');
  });

  it('does not have its way by the row that it put into the tree', async () => {
    await host.takeContextMenuItem(explorerRows(host, 'PLANTED'), 'Start Tracking Checkpoints');
    await host.answerDialog('Start Tracking');
    await host.page.locator('.notification-toast').filter({ hasText: 'a workspace that you do not trust' }).waitFor();
    const { connects, queries } = await observeAzdata(host);
    assert.deepEqual([connects, queries], [0, 0]);
  });

  it('leaves my own connection to me', async () => {
    await host.takeContextMenuItem(paneRows(host, 'MINE'), 'Refresh');
    await paneRows(host, /MINE.*automatic/).waitFor();
    assert.equal((await observeAzdata(host)).connects, 1);
  });
});
