import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { stopAtFailure } from '../chain';
import { eventually } from '../eventually';
import { type Host, serverFigure, startHost } from '../host';
import { approve, describeConnection, mssqlRows, observe, openMssqlPane, ourRows, packageMssqlWay, saveConnections } from '../ways/mssql';

const [production, other] = ['PROD-SQL07', 'APP-SQL01'];
const automatic = '312 of 400 automatic';
/** Polls come every 5 seconds, samples every 15. */
const BACKGROUND_MS = 20_000;

/** Logins that the server refused. */
const countRefused = ({ server }: Simulator): number => server.ledger.logins.filter(({ error }) => error !== null).length;

describe('A bad day by way of the SQL Server extension', function () {
  this.timeout(180_000);
  stopAtFailure(this);
  let simulator: Simulator;
  let elsewhere: Simulator;
  let host: Host;

  before(async () => {
    [simulator, elsewhere] = await Promise.all([
      startSimulator({ rate: 0, tls: 'required' }),
      startSimulator({ scenario: 'healthy', rate: 0, tls: 'required' }),
    ]);
    host = await startHost({ vsixFiles: await packageMssqlWay(), widthPx: 1440, heightPx: 900 });
    await saveConnections(host, [describeConnection('one', production, simulator), describeConnection('two', other, elsewhere)]);
    await openMssqlPane(host);
    await host.expandRow(ourRows(host, production));
    await approve(host);
    await ourRows(host, production).filter({ hasText: automatic }).waitFor();
  });

  after(async () => {
    await host?.dispose();
    await Promise.all([simulator?.close(), elsewhere?.close()]);
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) await host?.screenshot(`failed-mssql-${this.currentTest.title.slice(0, 40).replace(/\W+/g, '-')}`);
  });

  it("shows its own page beside that extension's news", async () => {
    await host.page.locator('.tab').filter({ hasText: "What's New" }).click();
    await host.runCommandById('workbench.action.newGroupRight');
    await host.takeContextMenuItem(ourRows(host, production), 'Open Checkpoint Timeline');
    await host.webview().getByRole('heading', { name: production }).first().waitFor();
    assert.equal(await host.page.locator('iframe.webview.ready').count(), 2);
  });

  it('leaves a new document of the user to the server that the user works with, whatever it connects to itself', async () => {
    await host.takeContextMenuItem(mssqlRows(host, other), 'New Query');
    await host.waitForDocument(({ languageId, text }) => languageId === 'sql' && text === '');
    const mine = describeConnection('three', 'LATE', simulator);
    await saveConnections(host, [describeConnection('one', production, simulator), describeConnection('two', other, elsewhere), mine]);
    await host.expandRow(ourRows(host, 'LATE'));
    await ourRows(host, 'LATE').filter({ hasText: serverFigure }).waitFor();
    const known = new Set((await host.documents()).map(({ uri }) => uri));
    await host.runCommandById('workbench.action.files.newUntitledFile', { languageId: 'sql' });
    const { uri } = await host.waitForDocument((document) => !known.has(document.uri));
    await eventually(async () => {
      const found = (await observe(host)).connections.find((connection) => connection.uri === uri);
      assert.equal(found?.server, `${elsewhere.host},${elsewhere.port}`);
    });
  });

  it('gets on with a newer SQL Tools Service too', async () => {
    await host.setSetting('mssql.standIn.newerService', true);
    await host.takeContextMenuItem(ourRows(host, production), 'Start Tracking Checkpoints');
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor();
    await host.takeContextMenuItem(ourRows(host, production), 'Refresh');
    await ourRows(host, production).filter({ hasText: serverFigure }).waitFor();
    await host.setSetting('mssql.standIn.newerService', false);
  });

  it('lists no connection that its own extension ignores, because nobody knows its group', async () => {
    const stray = { ...describeConnection('stray', 'STRAY', simulator), groupId: 'gone' };
    const found = describeConnection('found', 'FOUND', simulator);
    await saveConnections(host, [describeConnection('one', production, simulator), stray, found]);
    for (const rowsOf of [mssqlRows, ourRows]) await rowsOf(host, 'FOUND').waitFor();
    assert.deepEqual([await mssqlRows(host, 'STRAY').count(), await ourRows(host, 'STRAY').count()], [0, 0]);
  });

  it('a server that goes down is not reached since then, its tracking was last seen running, and all is well soon after it is back', async () => {
    const { door } = simulator.replicas[0];
    await door.stop();
    await ourRows(host, production)
      .filter({ hasText: /not reached since \d\d:\d\d/ })
      .waitFor();
    await ourRows(host, 'Last seen running').waitFor();
    assert.equal(await ourRows(host, /^\s*Tracking\s*\d/).count(), 0);
    await host.screenshot('mssql-down-dark');
    await door.start();
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor();
    await ourRows(host, production).filter({ hasText: serverFigure }).waitFor();
  });

  it('a password that is changed while it is tracking is refused twice, by a query and by the look why, and by nothing after that', async () => {
    const before = countRefused(simulator);
    simulator.server.changePassword('dba', 'N3w!Passw0rd');
    await ourRows(host, production).filter({ hasText: 'login refused' }).waitFor();
    await host.page.waitForTimeout(BACKGROUND_MS);
    assert.equal(countRefused(simulator) - before, 2);
    assert.equal(await ourRows(host, /^\s*Tracking\s*\d/).count(), 0);
    await host.screenshot('mssql-login-refused-dark');
    simulator.server.changePassword('dba', simulator.administrator.password);
    await host.takeContextMenuItem(ourRows(host, production), 'Refresh');
    await ourRows(host, production).filter({ hasText: serverFigure }).waitFor();
    await ourRows(host, /^\s*Tracking\s*\d/).waitFor();
  });

  it('two servers whose passwords are not saved ask for none after a reload until a click, and an Escape costs one refused login', async () => {
    const unsaved = (id: string, name: string, where: Simulator) => ({ ...describeConnection(id, name, where), savePassword: false });
    await saveConnections(host, [unsaved('four', 'SECRET-1', simulator), unsaved('five', 'SECRET-2', elsewhere)]);
    const box = host.page.locator('.quick-input-widget:visible input[type=password]');
    const open = async (name: string): Promise<void> => {
      await ourRows(host, name).locator('.monaco-tl-twistie').click();
      await box.fill('Str0ng!Passw0rd');
      await box.press('Enter');
      await ourRows(host, name).filter({ hasText: serverFigure }).waitFor();
    };
    await open('SECRET-1');
    await open('SECRET-2');
    assert.equal((await observe(host)).passwordPrompts, 2);

    await host.reload();
    await ourRows(host, 'SECRET-1').waitFor();
    await host.runCommand('Checkpoint Health: Refresh');
    await host.page.waitForTimeout(BACKGROUND_MS);
    assert.deepEqual([(await observe(host)).passwordPrompts, await box.count()], [0, 0]);

    const [first, second] = [countRefused(simulator), countRefused(elsewhere)];
    await ourRows(host, 'SECRET-1').locator('.monaco-tl-twistie').click();
    await ourRows(host, 'Waiting for the password of dba on SECRET-1 (mssql asks at the top of the window)').waitFor();
    const refused = ourRows(host, 'SECRET-1').filter({ hasText: 'login refused' });
    await box.or(refused).first().waitFor();
    // mssql's box goes when the focus does. That is an Escape too.
    if (await box.isVisible()) {
      await host.screenshot('mssql-waits-for-password-dark');
      await box.press('Escape');
    }
    await refused.waitFor();
    await host.page.waitForTimeout(BACKGROUND_MS);
    assert.deepEqual([countRefused(simulator) - first, countRefused(elsewhere) - second], [1, 0]);
    assert.deepEqual([(await observe(host)).passwordPrompts, await box.count()], [1, 0]);
  });
});
