import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { stopAtFailure } from '../chain';
import type { OpenDocument } from '../channel';
import { type Host, serverFigure, startHost } from '../host';
import type { Mood } from '../mssql/extension';
import { openReviewedScripts, tickAutomatic } from '../review-panel';
import { runScript, splitAtGo } from '../query-window';
import {
  answerNotification,
  describeConnection,
  mssqlRows,
  observe,
  openMssqlPane,
  ourRows,
  packageMssqlWay,
  saveConnections,
  setMood,
} from '../ways/mssql';

const login = { user: 'dba', password: 'Str0ng!Passw0rd' };
const reviewItem = 'Review Script for Indirect Checkpoints…';
const request = 'is requesting access to your SQL Server connections';
const [production, other] = ['PROD-SQL07', 'APP-SQL01'];

describe('By way of the SQL Server extension', function () {
  this.timeout(120_000);
  stopAtFailure(this);
  let simulator: Simulator;
  let elsewhere: Simulator;
  let host: Host;
  let script = '';

  before(async () => {
    [simulator, elsewhere] = await Promise.all([
      startSimulator({ rate: 60, tls: 'required' }),
      startSimulator({ scenario: 'healthy', rate: 60, tls: 'required' }),
    ]);
    host = await startHost({ vsixFiles: await packageMssqlWay(), widthPx: 1440, heightPx: 900 });
  });

  after(async () => {
    await host?.dispose();
    await Promise.all([simulator?.close(), elsewhere?.close()]);
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) await host?.screenshot(`failed-mssql-${this.currentTest.title.slice(0, 40).replace(/\W+/g, '-')}`);
  });

  const addressOf = ({ host: name, port }: Simulator): string => `${name},${port}`;

  async function reloadAs(mood: Mood): Promise<void> {
    await setMood(host, mood);
    await host.reload();
  }

  /** The document that comes to the front by this, whatever was open before. */
  async function waitForNew(act: () => Promise<void>, beginning = ''): Promise<OpenDocument> {
    const known = new Set((await host.documents()).map(({ uri }) => uri));
    await act();
    return host.waitForDocument(({ uri, text }) => !known.has(uri) && text.startsWith(beginning));
  }

  /** Address of the server that a document is connected to, once it is. */
  async function waitForConnection({ uri }: OpenDocument): Promise<string> {
    for (;;) {
      const found = (await observe(host)).connections.find((connection) => connection.uri === uri);
      if (found) return found.server;
      await host.page.waitForTimeout(100);
    }
  }

  it("has its pane in that extension's container, once, with the connections that are saved there", async () => {
    await saveConnections(host, [describeConnection('one', production, simulator), describeConnection('two', other, elsewhere)]);
    await openMssqlPane(host);
    await ourRows(host, production).waitFor();
    await ourRows(host, other).waitFor();
    assert.equal(await host.page.locator('.pane-header').filter({ hasText: 'Checkpoint Health' }).count(), 1);
    assert.equal(await host.page.locator('.activitybar').getByRole('tab', { name: 'Checkpoint Health' }).count(), 0);
  });

  it('asks for approval once for two servers, and says after Deny how to take that back', async () => {
    await host.expandRow(ourRows(host, production));
    await host.expandRow(ourRows(host, other));
    await answerNotification(host, request, 'Deny');
    for (const name of [production, other]) await ourRows(host, name).filter({ hasText: 'not connected' }).waitFor();
    await ourRows(host, 'MSSQL: Edit Connection Sharing Permissions').first().waitFor();
    assert.equal((await observe(host)).prompts, 1);
    await host.screenshot('mssql-denied-dark');
  });

  it('reaches the server once the refusal is taken back', async () => {
    await host.takeContextMenuItem(ourRows(host, production), 'Connect Another Way…');
    await host.choose('Allow or Deny Use of Its Connections…');
    await host.choose('✅ Grant Access');
    await ourRows(host, production).filter({ hasText: '312 of 400 automatic' }).waitFor();
  });

  it("needs no more approvals, and no user's setting is in its way", async () => {
    for (const [key, value] of Object.entries({ rowCount: 3, implicitTransactions: true, displayBitAsNumber: false }))
      await host.setSetting(`mssql.query.${key}`, value);
    await host.takeContextMenuItem(ourRows(host, other), 'Refresh');
    await ourRows(host, other).filter({ hasText: serverFigure }).waitFor();
    await host.takeContextMenuItem(ourRows(host, production), 'Refresh');
    await ourRows(host, production).filter({ hasText: serverFigure }).waitFor();
    assert.equal((await observe(host)).prompts, 1);
  });

  it('tracks and keeps what it captured', async () => {
    await host.takeContextMenuItem(ourRows(host, production), 'Start Tracking Checkpoints');
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor();
    await host.page.waitForTimeout(3_000);
    await host.takeContextMenuItem(ourRows(host, production), 'Stop Tracking Checkpoints');
    await ourRows(host, /^\s*Tracked\s*\d/).waitFor();
  });

  it('shows what it found in its diagnostics, without a secret', async () => {
    const { text } = await waitForNew(() => host.runCommand('Checkpoint Health: Show Connection Diagnostics'), '# Checkpoint Health');
    assert.match(text, /- exports\.connectionSharing: there\n/);
    assert.match(text, /- Connections: 2 usable, 0 of a workspace that is not trusted, 0 damaged or incomplete entries\n/);
    assert.match(text, /- Approval in this window: given\n/);
    assert.ok(!text.includes(login.password));
  });

  it("opens the script of a server's node connected to that server, its rollback beside it, and runs neither", async () => {
    const review = async (): Promise<void> => {
      await host.takeContextMenuItem(mssqlRows(host, production), reviewItem);
      await tickAutomatic(host);
      await openReviewedScripts(host);
    };
    const change = await waitForNew(review, '/* SWITCH: 308 databases on LEGACY-SQL07');
    await host.page.locator('.editor-group-container').nth(1).locator('.tab').filter({ hasText: 'ROLLBACK' }).waitFor();
    const rollback = (await host.documents()).find(({ text }) => text.startsWith('/* ROLLBACK:'));
    assert.ok(rollback);
    assert.deepEqual([await waitForConnection(change), await waitForConnection(rollback)], [addressOf(simulator), addressOf(simulator)]);
    await host.waitForDocument(({ uri }) => uri === change.uri);
    assert.deepEqual([simulator.server.ledger.settingChanges, elsewhere.server.ledger.settingChanges], [[], []]);
    await host.screenshot('mssql-script-dark');
  });

  it("writes a script for the database whose node it was, and connects it to the server's own context", async () => {
    await host.expandRow(mssqlRows(host, production));
    await host.expandRow(mssqlRows(host, 'Databases').first());
    const review = async (): Promise<void> => {
      await host.takeContextMenuItem(mssqlRows(host, 'Adatum_Audit'), reviewItem);
      await openReviewedScripts(host);
    };
    const document = await waitForNew(review, '/* SWITCH: Adatum_Audit on LEGACY-SQL07');
    assert.match(document.text, /ALTER DATABASE \[Adatum_Audit\] SET/);
    assert.equal(await waitForConnection(document), addressOf(simulator));
    const connected = (await observe(host)).connections.find(({ uri }) => uri === document.uri);
    assert.equal(connected?.database, '');
  });

  it('runs as shared commands alone, too', async () => {
    await reloadAs('commands only');
    await ourRows(host, production).waitFor();
    await host.expandRow(ourRows(host, production));
    await ourRows(host, production).filter({ hasText: serverFigure }).waitFor();
    assert.deepEqual([(await observe(host)).mood, (await observe(host)).prompts], ['commands only', 0]);
    await ourRows(host, /^\s*Tracked\s*\d/).waitFor();
  });

  it('opens the script of a row of ours in a document that may be connected to another server', async () => {
    const query = await waitForNew(() => host.takeContextMenuItem(mssqlRows(host, other), 'New Query'));
    assert.equal(await waitForConnection(query), addressOf(elsewhere));
    const review = async (): Promise<void> => {
      await host.takeContextMenuItem(ourRows(host, production), reviewItem);
      await tickAutomatic(host);
      await openReviewedScripts(host);
    };
    const document = await waitForNew(review, '/* SWITCH:');
    script = document.text;
    assert.equal(await waitForConnection(document), addressOf(elsewhere));
  });

  it('changes nothing on that other server, run as a whole or batch by batch, and says why', async () => {
    const address = { host: elsewhere.host, port: elsewhere.port, ...login };
    const printed = (await runScript(address, script)).join('\n');
    assert.match(printed, /Stopped: this server is not named in the guard/);
    for (const batch of splitAtGo(script)) {
      const alone = (await runScript(address, batch)).join('\n');
      assert.doesNotMatch(alone, /CHANGED|[1-9]\d* changed/);
    }
    assert.deepEqual(elsewhere.server.ledger.settingChanges, []);
  });

  it('says so where the API goes while it is used, offers another way, and loses nothing', async () => {
    await host.runCommandById('mssql.standIn.withdraw');
    await host.takeContextMenuItem(ourRows(host, production), 'Refresh');
    await host.page.locator('.notification-toast').filter({ hasText: 'does not share its connections' }).first().waitFor();
    await ourRows(host, production).filter({ hasText: 'not reached since' }).waitFor();
    await ourRows(host, /^\s*Tracked\s*\d/).waitFor();
    await host.screenshot('mssql-withdrawn-dark');
  });

  it('moves into a container of its own where the next version shares nothing, with the servers and captures that it had', async () => {
    await reloadAs('neither');
    await host.openViewContainer('Checkpoint Health');
    const obstacle = host.treeRows('does not share its connections with other extensions');
    await obstacle.first().waitFor();
    // What happened, and what to do: told once.
    const toast = host.page.locator('.notification-list-item').filter({ hasText: 'What was captured stays with each connection' });
    await toast.getByRole('button', { name: 'Import Connections…' }).waitFor();
    await host.screenshot('mssql-loss-dark');
    await host.treeRows(other).waitFor();
    await host.expandRow(host.treeRows(production));
    await obstacle.nth(1).waitFor();
    await host.treeRows(/^\s*As of .*\d\d:\d\d, not verified yet\s*\d/).waitFor();
    await host.screenshot('mssql-neither-dark');
  });

  it('offers the permission itself where the question can never be approved', async () => {
    await host.runCommandById('mssql.standIn.forgetPermissions');
    await reloadAs('non-English approval');
    await openMssqlPane(host);
    await host.expandRow(ourRows(host, production));
    await answerNotification(host, request, 'Genehmigen');
    await host.choose('✅ Grant Access');
    await ourRows(host, production).filter({ hasText: serverFigure }).waitFor();
    await ourRows(host, /^\s*Tracked\s*\d/).waitFor();
    assert.deepEqual([(await observe(host)).prompts, (await observe(host)).permissionPicks], [1, 1]);
  });

  it('leaves another way to the same server, and what was captured of it, when that extension is removed', async () => {
    await host.runCommandById('workbench.extensions.uninstallExtension', 'ms-mssql.mssql');
    await host.reload();
    await host.openViewContainer('Checkpoint Health');
    await host.takeContextMenuItem(host.treeRows(production), 'Connect Another Way…');
    await host.choose('Connect Directly…');
    const trusting = 'Encrypt=True;TrustServerCertificate=True;Database=master';
    await host.fillInputBox(`Server=${addressOf(simulator)};User ID=${login.user};Password=${login.password};${trusting}`);
    // What a connection string does not say is asked: here whether to keep the password, and the name, which is filled in already.
    await host.choose("Keep it in the editor's secret storage");
    await host.page.locator('.quick-input-widget:visible').getByText('Name shown in the pane').first().waitFor();
    await host.page.keyboard.press('Enter');
    await host.treeRows(production).filter({ hasText: serverFigure }).waitFor();
    await host.treeRows(/^\s*Tracked\s*\d/).waitFor();
    await host.screenshot('mssql-removed-dark');
  });

  it('greets with Add Server and the import where nothing is left, and takes the connections from the settings without their passwords', async () => {
    for (const name of [production, other]) {
      await host.takeContextMenuItem(host.treeRows(name), 'Remove Server');
      await host.answerDialog('Remove');
      await host.treeRows(name).waitFor({ state: 'detached' });
    }
    const welcome = host.page.locator('.sidebar .welcome-view');
    await welcome.getByText('Add Server').first().waitFor();
    await host.screenshot('welcome-import-dark');
    await welcome.getByText('Import Connections').click();
    const list = host.page.locator('.quick-input-widget:visible');
    await list.locator('.quick-input-count').getByText('2 Selected').waitFor();
    await host.screenshot('import-dark');
    await list.getByRole('button', { name: 'OK' }).click();
    await host.treeRows(production).filter({ hasText: 'not connected' }).waitFor();
    await host.treeRows(other).locator('.monaco-tl-twistie').click();
    const secret = host.page.locator('.quick-input-widget:visible input[type=password]');
    await secret.fill(login.password);
    await secret.press('Enter');
    await host.choose("Keep it in the editor's secret storage");
    await host.treeRows(other).filter({ hasText: serverFigure }).waitFor();
  });
});
