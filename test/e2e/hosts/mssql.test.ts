import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { lookAfter, stopAtFailure } from '../chain';
import { eventually } from '../eventually';
import { type Host, serverFigure, startHost } from '../host';
import {
  answerNotification,
  describeConnection,
  mssqlRows,
  observe,
  openMssqlPane,
  ourRows,
  packageMssqlWay,
  saveConnections,
} from '../mssql/way';

const [production, other, left, typed] = ['PROD-SQL07', 'APP-SQL01', 'NEW-SQL1', 'NEW-SQL2'];

/** What else there is to it than the main job; how it answers is in test/hosts/mssql. */
describe('By way of the SQL Server extension', function () {
  stopAtFailure(this);
  let simulator: Simulator;
  let elsewhere: Simulator;
  let host: Host;
  /** What the setting has. */
  const connections: ReturnType<typeof describeConnection>[] = [];
  lookAfter(this, 'mssql', () => host);

  before(async () => {
    [simulator, elsewhere] = await Promise.all([
      startSimulator({ rate: 60, tls: 'required' }),
      startSimulator({ scenario: 'healthy', rate: 60, tls: 'required' }),
    ]);
    host = await startHost({ vsixFiles: await packageMssqlWay() });
  });

  after(() => Promise.all([simulator?.close(), elsewhere?.close()]));

  it("has its pane in that extension's container, once, with the connections that are saved there", async () => {
    connections.push(
      describeConnection('one', production, simulator),
      describeConnection('two', other, elsewhere),
    );
    await saveConnections(host, connections);
    await openMssqlPane(host);
    await ourRows(host, production).waitFor();
    await ourRows(host, other).waitFor();
    assert.equal(await host.page.locator('.pane-header').filter({ hasText: 'Checkpoint Health' }).count(), 1);
    assert.equal(
      await host.page.locator('.activitybar').getByRole('tab', { name: 'Checkpoint Health' }).count(),
      0,
    );
  });

  it('asks for approval once for two servers, and says after Deny how to take that back', async () => {
    await host.expandRow(ourRows(host, production));
    await host.expandRow(ourRows(host, other));
    await answerNotification(host, 'is requesting access to your SQL Server connections', 'Deny');
    for (const name of [production, other])
      await ourRows(host, name).filter({ hasText: 'not connected' }).waitFor();
    await ourRows(host, 'MSSQL: Edit Connection Sharing Permissions').first().waitFor();
    assert.equal((await observe(host)).prompts, 1);
    await host.screenshot('mssql-denied-dark');
  });

  it('reaches both servers once the refusal is taken back, without another question', async () => {
    await host.takeContextMenuItem(ourRows(host, production), 'Connect Another Way…');
    await host.choose('Allow or Deny Use of Its Connections…');
    await host.choose('✅ Grant Access');
    await ourRows(host, production).filter({ hasText: '312 of 400 automatic' }).waitFor();
    await host.takeContextMenuItem(ourRows(host, other), 'Refresh');
    await ourRows(host, other).filter({ hasText: serverFigure }).waitFor();
    assert.equal((await observe(host)).prompts, 1);
  });

  it('tracks and keeps what it captured', async () => {
    await host.takeContextMenuItem(ourRows(host, production), 'Start Tracking Checkpoints');
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor();
    await host.page.waitForTimeout(3_000);
    await host.takeContextMenuItem(ourRows(host, production), 'Stop Tracking Checkpoints');
    await ourRows(host, /^\s*Tracked\s*\d/).waitFor();
  });

  it('on a new machine asks for the passwords that are missing, each named in its row, and Escape costs one login', async () => {
    await host.setSetting('mssql.standIn.isNewMachine', true);
    connections.push(
      { ...describeConnection('three', left, simulator), user: 'operator' },
      { ...describeConnection('four', typed, elsewhere), user: 'viewer' },
    );
    await saveConnections(host, connections);
    const loginsOf = (name: string): number =>
      [simulator, elsewhere]
        .flatMap(({ server }) => server.ledger.logins)
        .filter(({ login }) => login === name).length;
    const box = host.page.locator('.quick-input-widget:visible');
    await host.expandRow(ourRows(host, left));
    await ourRows(host, `the password of operator on ${left}`).waitFor();
    assert.equal(await box.count(), 1);
    await box.locator('input[type=password]').press('Escape');
    await ourRows(host, left).filter({ hasText: 'login refused' }).waitFor();
    // That extension itself logs in with an empty password then: once, and that stops no other login.
    assert.deepEqual([loginsOf('operator'), await box.count()], [1, 0]);
    await host.expandRow(ourRows(host, typed));
    await ourRows(host, `the password of viewer on ${typed}`).waitFor();
    await box.locator('input[type=password]').fill(elsewhere.administrator.password);
    await host.page.keyboard.press('Enter');
    await ourRows(host, typed)
      .filter({ hasText: `the same server as ${other}` })
      .waitFor();
  });

  it('moves into a container of its own where the next version shares nothing, with the servers and captures that it had', async () => {
    await host.setSetting('mssql.standIn.sharesConnections', false);
    await host.reload();
    await host.openViewContainer('Checkpoint Health');
    const obstacle = host.treeRows('does not share its connections with other extensions');
    await obstacle.first().waitFor();
    // What happened, and what to do: told once.
    const toast = host.page
      .locator('.notification-list-item')
      .filter({ hasText: 'What was captured stays with each connection' });
    await toast.getByRole('button', { name: 'Import Connections…' }).waitFor();
    await host.screenshot('mssql-loss-dark');
    await host.treeRows(other).waitFor();
    await host.expandRow(host.treeRows(production));
    await obstacle.nth(1).waitFor();
    await host.treeRows(/^\s*As of .*\d\d:\d\d, not verified yet\s*\d/).waitFor();
    await host.screenshot('mssql-neither-dark');
  });

  /** Types the password into the box with this title. */
  async function answerPassword(title: string): Promise<void> {
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText(title).waitFor();
    await box.locator('input[type=password]').fill(simulator.administrator.password);
    await host.page.keyboard.press('Enter');
  }
  const countLogins = (): number =>
    [simulator, elsewhere].reduce((sum, { server }) => sum + server.ledger.logins.length, 0);

  it('takes a connection over by its password, and imports others by one password an account, each by one login', async () => {
    const [operator, viewer] = ['NEW-SQL3', 'NEW-SQL4'];
    await saveConnections(host, [
      ...connections,
      { ...describeConnection('five', operator, elsewhere), user: 'operator' },
      { ...describeConnection('six', viewer, simulator), user: 'viewer' },
    ]);
    const before = countLogins();
    await host.page.getByRole('button', { name: 'Collapse All' }).click();
    await host.takeContextMenuItem(host.treeRows(other), 'Connect Another Way…');
    await host.choose('Connect Directly…');
    await answerPassword(`Connect to ${other} (1/1)`);
    await host.treeRows(other).filter({ hasText: serverFigure }).waitFor();
    await answerNotification(host, 'What was captured stays with each connection', 'Import Connections…');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('5 Selected').waitFor();
    await box.locator('.monaco-list-row').filter({ hasText: production }).click();
    await box.getByText('4 Selected').waitFor();
    await box.getByRole('button', { name: 'OK' }).click();
    await answerPassword('Password of login operator (1/2)');
    await answerPassword('Password of login viewer (2/2)');
    await host.treeRows(left).and(host.page.locator('.selected')).waitFor();
    assert.equal(countLogins() - before, 1);
    for (const [name, shown] of [
      [left, serverFigure],
      [typed, `the same server as ${other}`],
      [operator, `the same server as ${other}`],
      [viewer, `the same server as ${left}`],
    ] as const) {
      await host.page.getByRole('button', { name: 'Collapse All' }).click();
      await host.expandRow(host.treeRows(name).first());
      await host.treeRows(name).filter({ hasText: shown }).waitFor();
    }
    assert.deepEqual([countLogins() - before, await box.count()], [5, 0]);
  });

  it('connects a script to the clicked node of a connection that was taken over, though nothing is shared, and shows it in one tab', async () => {
    await host.setSetting('mssql.standIn.isNewMachine', false);
    const box = host.page.locator('.quick-input-widget:visible');
    await openMssqlPane(host);
    await host.takeContextMenuItem(mssqlRows(host, other), 'Show Checkpoint Health');
    const row = host.treeRows(other).filter({ hasText: serverFigure });
    for (const _ of ['once', 'again']) {
      await host.openViewContainer('Checkpoint Health');
      await host.takeContextMenuItem(row, 'Write Another Script…');
      await host.choose('Change the target recovery time of model');
      await box.getByText('Target recovery time of model in seconds').waitFor();
      await box.locator('input').fill('120');
      await box.locator('input').press('Enter');
      const { uri } = await host.waitForDocument(({ text }) => text.includes('ALTER DATABASE [model]'));
      await eventually(async () => assert.ok((await observe(host)).connected.includes(uri)));
    }
    const scripts = (await host.documents()).filter(({ languageId }) => languageId === 'sql');
    assert.equal(scripts.length, 2, 'the change and its rollback');
  });
});
