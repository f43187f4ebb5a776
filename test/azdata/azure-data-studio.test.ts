import assert from 'node:assert/strict';
import { eventually } from '../e2e/eventually';
import { openReviewedScripts } from '../e2e/review-panel';
import { seeded, startAzureDataStudio, type AzureDataStudio } from './azure-data-studio';

interface Answer {
  readonly uri: string;
  readonly result: { readonly rows: readonly (readonly { readonly displayValue: string }[])[] };
}

describe('Checkpoint Health in a real Azure Data Studio', function () {
  this.timeout(300_000);
  let studio: AzureDataStudio;

  before(async () => {
    studio = await startAzureDataStudio(['--scenario', 'legacy-upgrade', '--rate', '60']);
    await studio.host.openViewContainer('Connections');
    // The name of the icon under the pointer lies over the rows.
    await studio.host.page.mouse.move(900, 400);
  });
  afterEach(async function () {
    await studio?.host.screenshot(`azdata-${this.currentTest?.title.replace(/\W+/g, '-').slice(0, 60)}`);
  });
  after(() => studio?.dispose());

  it('runs in the version that the product must still support, on its Node', async () => {
    assert.deepEqual(await studio.azdata.ask('versions'), {
      vscode: '1.79.2',
      azdata: '1.47.0',
      node: 'v16.17.1',
      app: 'Azure Data Studio',
    });
  });

  it('shows its pane under the servers of the Connections viewlet', async () => {
    const { host, row } = studio;
    await row('Servers', seeded.name).waitFor();
    await host.page.locator('.sidebar .pane-header').getByText('Checkpoint Health', { exact: true }).waitFor();
  });

  it('offers its commands on a row that is not connected, and draws the dashboard of that server', async () => {
    const { host, row } = studio;
    await host.takeContextMenuItem(row('Servers', seeded.name), 'Open Checkpoint Timeline');
    await host
      .webview()
      .getByText(/^[\d,]+ of [\d,]+ automatic$/)
      .first()
      .waitFor();
    await host.webview().getByRole('button', { name: 'Start tracking' }).first().waitFor();
  });

  it('draws each row of its pane once', async () => {
    const { host, row } = studio;
    const ours = row('Checkpoint Health', seeded.name);
    await ours.waitFor();
    await host.runCommand('Checkpoint Health: Refresh');
    await host.page.waitForTimeout(5_000);
    const tops = await host.page
      .locator('.sidebar .pane')
      .last()
      .locator('.monaco-list-row')
      .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));
    assert.deepEqual(tops, [...new Set(tops)], 'rows lie over each other');
    assert.ok(await ours.isVisible());
  });

  it('lets the host open its own tree beside: databases of the same server', async () => {
    const { host, row } = studio;
    await host.expandRow(row('Servers', seeded.name));
    await host.expandRow(row('Servers', 'Databases'));
    await row('Servers', 'System Databases').waitFor();
  });

  it('starts tracking from a server row', async () => {
    const { host, row, readTextsRun } = studio;
    await host.takeContextMenuItem(row('Servers', seeded.name), 'Start Tracking Checkpoints');
    await row('Checkpoint Health', /Tracking\s*\d/).waitFor();
    assert.ok(readTextsRun().some((text) => /CREATE EVENT SESSION \[CheckpointHealth\]/.test(text)));
  });

  it('draws the checkpoints of the database whose row was clicked', async () => {
    const { host, row } = studio;
    await host.takeContextMenuItem(row('Servers', 'Adatum_CRM'), 'Open Checkpoint Timeline');
    await host.webview().getByRole('heading', { name: 'Adatum_CRM' }).waitFor();
    await host
      .webview()
      .getByText(/\d checkpoints in \d+ databases/)
      .waitFor();
  });

  it('opens the reviewed script of a database in an editor that is connected to its server, and runs none of it', async () => {
    const { host, row, azdata, readTextsRun } = studio;
    await host.takeContextMenuItem(row('Servers', 'Adatum_CRM'), 'Review Script for Indirect Checkpoints…');
    await openReviewedScripts(host);
    const script = await host.waitForDocument(({ text }) => text.startsWith('/* SWITCH:'));
    assert.match(script.text, /N'Adatum_CRM'/);
    // The host shows the text first and connects it then.
    const server = `${studio.simulator.host},${studio.simulator.port}`;
    await eventually(async () => assert.equal(await azdata.ask('serverOf', { uri: script.uri }), server));
    const told = await azdata.ask<Answer>('query', {
      connectionId: seeded.id,
      sql: "SELECT n = CONVERT(varchar(11), target_recovery_time_in_seconds) FROM sys.databases WHERE name = N'Adatum_CRM';",
    });
    assert.equal(told.result.rows[0]?.[0]?.displayValue, '0');
    assert.ok(!readTextsRun().some((text) => text.includes('@wanted_seconds') || text.includes('SET TARGET_RECOVERY_TIME')));
  });

  it('goes on following the session when the window was loaded again, in the same place and no other', async () => {
    const { host, row } = studio;
    await host.reload();
    await row('Checkpoint Health', seeded.name).waitFor();
    await host.takeContextMenuItem(row('Servers', seeded.name), 'Show Checkpoint Health');
    await row('Checkpoint Health', /Tracking\s*\d/).waitFor();
    const icons = await host.page
      .locator('.activitybar [role=tab]')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('aria-label') ?? ''));
    assert.deepEqual(
      icons.filter((icon) => icon.startsWith('Checkpoint Health')),
      [],
    );
  });
});
