import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { azdataProviderVsix } from '../../tools/build/azdata-provider';
import { vsixFile } from '../../tools/build/vsix';
import { startSimulator, type RunningSimulator } from '../../tools/simulator';
import { findAzureDataStudio } from '../../tools/vscode/azure-data-studio';
import { type Channel, openChannel } from '../e2e/channel';
import { eventually } from '../e2e/eventually';
import { type Host, startHost } from '../e2e/host';
import { openReviewedScripts } from '../e2e/review-panel';
import { rowsOf } from '../e2e/ways/way';
import { storeConnection } from '../hosts/azdata-fake/connections';
import { makeFolder } from '../temporary-folder';

/** The saved connection in the Connections viewlet: its id and the name of its row. */
const seeded = { id: '11111111-2222-3333-4444-555555555555', name: 'reporting' } as const;

/** What only the real host can show; the main job in full is that of its stand-in (test/e2e/azdata/way.ts). */
describe('Checkpoint Health in a real Azure Data Studio', function () {
  this.timeout(300_000);
  const folder = makeFolder();
  const [channelFile, runsFile] = [join(folder, 'channel'), join(folder, 'runs')];
  let simulator: RunningSimulator;
  let host: Host;
  /** Questions about `azdata`, as another extension would ask them. */
  let azdata: Channel;

  before(async () => {
    const editor = findAzureDataStudio(process.env);
    simulator = await startSimulator(['--scenario', 'legacy-upgrade', '--rate', '60']);
    host = await startHost({
      editor,
      hasBrowserProfile: true,
      vsixFiles: [vsixFile, azdataProviderVsix],
      machineSettings: seedConnection(simulator),
      env: {
        AZDATA_PROVIDER_PASSWORD: simulator.password,
        AZDATA_PROVIDER_CHANNEL: channelFile,
        AZDATA_PROVIDER_RUNS: runsFile,
      },
    });
    azdata = await openChannel(channelFile);
    await host.openViewContainer('Connections');
    // The name of the icon under the pointer lies over the rows.
    await host.page.mouse.move(900, 400);
  });
  afterEach(async function () {
    await host?.screenshot(`azdata-${this.currentTest?.title.replace(/\W+/g, '-').slice(0, 60)}`);
  });
  after(async () => {
    await host?.dispose();
    await simulator?.end();
  });

  const server = (): Locator => rowsOf(host, 'Servers', seeded.name).first();
  const ours = (text: string | RegExp = seeded.name): Locator =>
    rowsOf(host, 'Checkpoint Health', text).first();
  /** Every text that the provider has sent to the server, in order. */
  const readTextsRun = (): readonly string[] =>
    (existsSync(runsFile) ? readFileSync(runsFile, 'utf8') : '').split('\n');

  it('runs in the version that the product must still support, on its Node', async () => {
    const versions = { vscode: '1.79.2', azdata: '1.47.0', node: 'v16.17.1', app: 'Azure Data Studio' };
    assert.deepEqual(await azdata.ask('versions'), versions);
  });

  it('offers its commands on a server of the Connections viewlet that is not connected, and draws the dashboard of that server', async () => {
    await host.takeContextMenuItem(server(), 'Open Checkpoint Timeline');
    await host
      .webview()
      .getByText(/^[\d,]+ of [\d,]+ automatic$/)
      .first()
      .waitFor();
  });

  it('shows its pane under the servers, starts tracking there, and draws each row once', async () => {
    await host.takeContextMenuItem(server(), 'Start Tracking Checkpoints');
    await ours(/Tracking\s*\d/).waitFor();
    assert.ok(readTextsRun().some((text) => text.includes('CREATE EVENT SESSION [CheckpointHealth]')));
    await host.runCommand('Checkpoint Health: Refresh');
    await host.page.waitForTimeout(5_000);
    const tops = await rowsOf(host, 'Checkpoint Health', '').evaluateAll((rows) =>
      rows.map((one) => one.getBoundingClientRect().top),
    );
    assert.deepEqual(tops, [...new Set(tops)], 'rows lie over each other');
  });

  it('opens the reviewed script in an editor that is connected to its server, and runs none of it', async () => {
    await host.takeContextMenuItem(server(), 'Review Script for Indirect Checkpoints…');
    await openReviewedScripts(host);
    const script = await host.waitForDocument(({ text }) => text.startsWith('/* SWITCH:'));
    // The host shows the text first and connects it then.
    const address = `${simulator.host},${simulator.port}`;
    await eventually(async () => assert.equal(await azdata.ask('serverOf', { uri: script.uri }), address));
    assert.ok(
      !readTextsRun().some(
        (text) => text.includes('@wanted_seconds') || text.includes('SET TARGET_RECOVERY_TIME'),
      ),
    );
  });

  it('goes on following the session when the window was loaded again, in the same place', async () => {
    await host.reload();
    await ours().waitFor();
    await host.takeContextMenuItem(server(), 'Show Checkpoint Health');
    await ours(/Tracking\s*\d/).waitFor();
  });
});

/** The host reads saved connections from its settings, and their passwords from the provider of credentials. */
function seedConnection({ host, port, user }: RunningSimulator): Readonly<Record<string, unknown>> {
  const options = { encrypt: 'Mandatory', trustServerCertificate: true };
  const connection = storeConnection({ ...seeded, server: `${host},${port}`, user, options });
  return {
    // Otherwise a question about them stands in the way.
    'workbench.enablePreviewFeatures': true,
    'telemetry.telemetryLevel': 'off',
    'datasource.connectionGroups': [{ name: 'ROOT', id: connection.groupId }],
    'datasource.connections': [connection],
  };
}
