import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { stopAtFailure } from './chain';
import { type Host, serverFigure, startHost } from './host';
import { readTruth } from './ledger-truth';
import { assertDatabases } from './database-rows';
import { openButton, readScripts, reviewButton, showReview } from './review-panel';
import { runScript } from './query-window';

const user = 'dba';
const password = 'Str0ng!Passw0rd';
const reviewItem = 'Review Script for Indirect Checkpoints…';
/** Busy, and with names that break quoting or columns. */
const chosen = ['a]b', '   three leading blanks'];

describe('What a user does every day', function () {
  this.timeout(120_000);
  stopAtFailure(this);
  let simulator: Simulator;
  let host: Host;

  before(async () => {
    // Samples of write work are compared only where they are near enough by the server's clock, and are asked less often where the machine is slow.
    simulator = await startSimulator({ rate: 10, tls: 'required' });
    host = await startHost({ vsixFiles: [vsixFile], widthPx: 1440, heightPx: 900 });
    await host.setSetting('checkpointHealth.sampleIntervalSeconds', 1);
    await host.openViewContainer('Checkpoint Health');
    const { host: server, port } = simulator;
    await host.addServer({ name: 'PROD-SQL07', server, port, user, password, encrypt: true, trustServerCertificate: true });
    await host.treeRows(/^\s*Start tracking/).waitFor();
  });

  after(async () => {
    await host?.dispose();
    await simulator?.close();
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) await host.screenshot('failed-everyday');
  });

  const serverRow = (): Locator => host.treeRows('PROD-SQL07');
  const databaseRows = (): Locator => host.treeRows(/_CRM.*automatic$/);
  const lanes = (): Locator => host.webview().locator('#panel-timeline tr[data-database-id]');

  it('reads the T-SQL of tracking before anything runs', async () => {
    await host.takeContextMenuItem(serverRow(), 'Show Tracking T-SQL');
    const document = await host.waitForDocument(({ text }) => text.includes('CREATE EVENT SESSION [CheckpointHealth] ON SERVER'));
    assert.deepEqual([document.languageId, document.isUntitled], ['sql', true]);
    assert.match(document.text, /DROP EVENT SESSION \[CheckpointHealth\] ON SERVER/);
    assert.deepEqual([listRuns(simulator), await readPredicates(simulator)], [[], '']);
  });

  it('chooses the databases to track, whatever their names', async () => {
    await host.takeContextMenuItem(serverRow(), 'Choose Databases to Track…');
    await pickOnly(host, chosen);
    await host
      .treeRows(/^\s*Tracking\s*\d/)
      .filter({ hasText: '2 databases' })
      .waitFor();
    const ids = chosen.map((name) => simulator.server.findDatabase(name)?.id ?? 0).sort((a, b) => a - b);
    const inPredicate = (await readPredicates(simulator)).split(' ; ').map((predicate) => predicate.match(/\d+/g)?.map(Number));
    assert.deepEqual(inPredicate, [ids, ids]);
  });

  it('sees only those in the timeline', async () => {
    await host.takeContextMenuItem(serverRow(), 'Open Checkpoint Timeline');
    await waitForCheckpoints(host);
    assert.deepEqual(
      (
        await lanes()
          .locator('[data-column=database]')
          .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset['value']))
      ).sort(),
      [...chosen].sort(),
    );
  });

  it('has what is tracked in sight: in the status bar, which opens the dashboard, and as a number on the icon of the pane', async () => {
    const icon = host.page.locator('.activitybar').getByRole('tab', { name: 'Checkpoint Health - 1 server is tracked.' });
    await icon.locator('.badge-content').getByText('1').waitFor();
    const item = host.page.locator('.statusbar-item').filter({ hasText: 'PROD-SQL07' });
    await item.waitFor();
    await host.runCommandById('workbench.action.closeActiveEditor');
    await host.screenshot('ambient-dark');
    await item.locator('a').click();
    await waitForCheckpoints(host);
  });

  it('has keys in the pane that are about the selected row, and nowhere else', async () => {
    await serverRow().click();
    await host.page.keyboard.press('F5');
    await host.page.keyboard.press('Control+k');
    await host.page.keyboard.press('Control+f');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('Filter the databases of PROD-SQL07').waitFor();
    await host.page.keyboard.press('Escape');
    await host.runCommandById('workbench.action.closeActiveEditor');
    await serverRow().click();
    await host.page.keyboard.press('Control+k');
    await host.page.keyboard.press('Control+d');
    await waitForCheckpoints(host);
  });

  it('finds write work, the error log and its changes on the other pages', () => lookAtEvidence(host, 'a]b'));

  it('shows all of it as one text', async () => {
    await host.takeContextMenuItem(serverRow(), 'Show Evidence as Text');
    const document = await host.waitForDocument(({ text }) => text.includes('# PROD-SQL07: I/O'));
    assert.deepEqual([document.languageId, document.isUntitled], ['markdown', true]);
    assert.match(document.text, /# PROD-SQL07: before \/ after[^]*# PROD-SQL07: I\/O[^]*# PROD-SQL07: error log/);
    await host.page.locator('.tab').filter({ hasText: 'PROD-SQL07: checkpoints' }).click();
  });

  it('reloads the window while tracking, and finds everything as it was', async () => {
    await host.reload();
    await host
      .treeRows(/^\s*Tracking\s*\d/)
      .filter({ hasText: '2 databases' })
      .waitFor();
    await host.page.locator('.tab').filter({ hasText: 'PROD-SQL07: checkpoints' }).waitFor();
    await host.page.locator('.tab').filter({ hasText: 'PROD-SQL07: checkpoints' }).click();
    await waitForCheckpoints(host);
    assert.equal(listRuns(simulator).length, 1);
    assert.deepEqual(await host.notifications(), []);
  });

  it('stops, reloads, and still has the last capture', async () => {
    await host.pressRowIcon(host.treeRows(/^\s*Tracking\s*\d/), 'Stop Tracking Checkpoints');
    await host.treeRows(/^\s*Tracked\s*\d/).waitFor();
    const truth = readTruth(simulator.server.ledger);
    assert.equal(truth.length, chosen.length);
    await assertDatabases(host.webview(), truth);
    await host.reload();
    await host
      .treeRows(/^\s*Tracked\s*\d/)
      .filter({ hasText: 'This capture is from the last time' })
      .waitFor();
    await assertDatabases(host.webview(), truth);
  });

  it('removes the tracking session, and is told which files stay', async () => {
    await host.takeContextMenuItem(serverRow(), 'Remove Tracking Session…');
    const dialog = host.page.locator('.monaco-dialog-box');
    await dialog.getByText('The .xel files stay on the server, because T-SQL cannot delete them').waitFor();
    await host.screenshot('remove-tracking-dark');
    await host.answerDialog('Remove');
    await host.page
      .locator('.notification-list-item-message', {
        hasText:
          /Its event files stay on the server: CheckpointHealth_0_\*\.xel beside the error log \(up to 250 MB by .* 5 files of 50 MB\)/,
      })
      .waitFor();
    assert.equal(await readPredicates(simulator), '');
  });

  it('asks for a password that the editor has lost, and whether to keep it', async () => {
    await host.reload({ losesSecrets: true });
    // It asks nobody by itself.
    await host.treeRows(/^\s*PROD-SQL07.*not connected/).waitFor();
    assert.equal(await host.page.locator('.quick-input-widget:visible').count(), 0);
    await host.screenshot('pane-waits-for-click-dark');
    await host.takeContextMenuItem(host.treeRows(/^\s*PROD-SQL07.*not connected/), 'Refresh');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('Password of login dba on PROD-SQL07').waitFor();
    const secret = box.locator('input[type=password]');
    await secret.fill(password);
    await secret.press('Enter');
    await host.choose("Keep it in the editor's secret storage");
    await serverRow().filter({ hasText: serverFigure }).waitFor();
  });

  it('filters the databases, and writes a script for the one that was pointed at', async () => {
    await host.takeContextMenuItem(serverRow(), 'Filter Databases…');
    await host.fillInputBox('_CRM');
    await host.treeRows('Only names with "_CRM"').waitFor();
    // None of these was tracked, which the recovered capture must not hide.
    await host.expandRow(host.treeRows(/^\s*Automatic, not measured/));
    await host.screenshot('pane-filtered-dark');
    const row = databaseRows().first();
    const name = await nameOf(row);
    assert.deepEqual(await readScripts(host, () => host.takeContextMenuItem(row, reviewItem)), [[name], [name]]);
  });

  it('writes a script for exactly the rows that are selected', async () => {
    const [first, second] = [databaseRows().nth(1), databaseRows().nth(3)];
    const names = [await nameOf(first), await nameOf(second)];
    await first.click();
    await second.click({ modifiers: ['ControlOrMeta'] });
    const [change = [], rollback = []] = await readScripts(host, () => host.takeContextMenuItem(second, reviewItem));
    assert.deepEqual([[...change].sort(), [...rollback].sort()], [[...names].sort(), [...names].sort()]);
    assert.deepEqual(simulator.server.ledger.settingChanges, []);
  });

  it('says in the review what was opened, and shows what another target changes in the script', async () => {
    await showReview(host);
    await host.webview().getByText('Opened 1 script, with the rollback script beside it. Nothing was executed.').waitFor();
    await reviewButton(host, 'Open change record').click();
    assert.match((await host.waitForDocument(({ languageId }) => languageId === 'markdown')).text, /LEGACY-SQL07/);
    await showReview(host);
    await host.webview().getByLabel('Target recovery time').fill('90');
    await host.webview().getByText('2 databases get 90 seconds.').first().waitFor();
    await reviewButton(host, 'Show changes since the last script').click();
    await host.page.locator('.tab').filter({ hasText: 'scripts opened last, and now' }).waitFor();
    await host.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await host.screenshot('review-changes-dark');
    await showReview(host);
    assert.equal(await host.webview().getByLabel('Target recovery time').inputValue(), '90', 'what was typed is there again');
    await host.webview().getByLabel('Target recovery time').fill('0');
    // The page is painted once a frame.
    await host
      .webview()
      .locator('#field-targetSeconds-error')
      .filter({ hasText: /between 1 and 3600 seconds/ })
      .waitFor();
    assert.equal(await openButton(host).count(), 0);
    await host.runCommandById('workbench.action.closeActiveEditor');
    await host.page.locator('.tab').filter({ hasText: 'Review scripts' }).waitFor({ state: 'detached' });
    assert.deepEqual(simulator.server.ledger.settingChanges, []);
  });

  it('edits the name of a server, and keeps its password', async () => {
    await host.takeContextMenuItem(serverRow(), 'Edit Server…');
    // Address, kind of login, login and password stay, and that it is kept; so do database, encryption and trust.
    for (let step = 1; step <= 8; step++) await confirmStep(host, step);
    await host.page.locator('.quick-input-widget:visible').getByText('(9/9)').waitFor();
    await host.fillInputBox('RENAMED-SQL07');
    await host.treeRows('RENAMED-SQL07').filter({ hasText: serverFigure }).waitFor();
    await host.page.locator('.tab').filter({ hasText: 'RENAMED-SQL07: checkpoints' }).waitFor();
    assert.equal(await serverRow().count(), 0);
  });

  it('removes the server and everything of it from the window', async () => {
    await host.takeContextMenuItem(host.treeRows('RENAMED-SQL07'), 'Remove Server');
    await host.answerDialog('Remove');
    await host.page.locator('.sidebar').getByText('Add Server').first().waitFor();
    assert.equal(await host.treeRows().count(), 0);
    await host.page.locator('.tab').filter({ hasText: ': checkpoints' }).waitFor({ state: 'detached' });
  });

  it('adds a server by a pasted connection string, with the keyboard alone', async () => {
    const { host: server, port } = simulator;
    const connectionString = `Server=tcp:${server},${port};User ID=${user};Password="${password}";Encrypt=True;TrustServerCertificate=True;Pooling=True`;
    await host.runCommand('Checkpoint Health: Add Server');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('(1/9)').waitFor();
    await host.page.evaluate((text) => navigator.clipboard.writeText(text), connectionString);
    await host.page.keyboard.press('ControlOrMeta+v');
    await host.page.keyboard.press('Enter');
    await box.getByText('(2/3)').waitFor();
    await host.page.keyboard.press('Enter');
    await box.getByText('(3/3)').waitFor();
    await host.page.keyboard.press('ControlOrMeta+a');
    await host.page.keyboard.type('PASTED-SQL07');
    await host.page.keyboard.press('Enter');
    await host.treeRows('PASTED-SQL07').filter({ hasText: '312 of 400 automatic' }).waitFor();
    assert.ok((await host.notifications()).includes('Not used from the connection string: Pooling.'));
  });

  it('gives the server a Windows login instead, and connects with it', async () => {
    await host.takeContextMenuItem(host.treeRows('PASTED-SQL07'), 'Edit Server');
    await confirmStep(host, 1);
    await host.page.locator('.quick-input-widget:visible').getByText('(2/9)').waitFor();
    await host.choose('Windows Login');
    await host.page.locator('.quick-input-widget:visible').getByText('(3/9)').waitFor();
    await host.fillInputBox('CONTOSO\\svc-monitor');
    await host.page.locator('.quick-input-widget:visible').getByText('(4/9)').waitFor();
    const secret = host.page.locator('.quick-input-widget:visible input[type=password]');
    await secret.fill(password);
    await secret.press('Enter');
    for (let step = 5; step <= 8; step++) await confirmStep(host, step);
    await host.page.locator('.quick-input-widget:visible').getByText('(9/9)').waitFor();
    await host.fillInputBox('WINDOWS-SQL07');
    // That login is no sysadmin: the database that is offline is hidden from it.
    await host.treeRows('WINDOWS-SQL07').filter({ hasText: '311 of 399 automatic' }).waitFor();
  });
});

function listRuns({ server }: Simulator): readonly unknown[] {
  return server.ledger.sessionRuns.filter((run) => run.sessionName === 'CheckpointHealth');
}

/** The predicates of our event session as the catalog has them; empty where there is no session. */
async function readPredicates({ host, port }: Simulator): Promise<string> {
  const script = `SET NOCOUNT ON;
DECLARE @all nvarchar(max) = N'';
SELECT @all = STRING_AGG(e.predicate, N' ; ')
FROM sys.server_event_sessions AS s
JOIN sys.server_event_session_events AS e ON e.event_session_id = s.event_session_id
WHERE s.name = N'CheckpointHealth' AND e.name LIKE N'checkpoint%';
PRINT ISNULL(@all, N'');`;
  return (await runScript({ host, port, user, password }, script)).join('\n').trim();
}

/** Chooses these and nothing else in the list on screen, whatever was picked in it. */
async function pickOnly(host: Host, names: readonly string[]): Promise<void> {
  const widget = host.page.locator('.quick-input-widget:visible');
  const count = widget.locator('.quick-input-count');
  const all = widget.getByRole('checkbox', { name: 'Toggle all checkboxes' });
  await all.click();
  await all.click();
  await count.getByText('0 Selected').waitFor();
  for (const name of names) {
    await widget.locator('input[type=text]').fill(name.trim());
    await widget.locator('.monaco-list-row').first().click();
  }
  await count.getByText(`${names.length} Selected`).waitFor();
  await widget.getByRole('button', { name: 'OK' }).click();
}

/** Names and figures of the rows of the table, once each has a checkpoint. */
async function waitForCheckpoints(host: Host): Promise<void> {
  const table = host.webview().locator('#panel-timeline tbody');
  await table
    .locator('tr[data-database-id]')
    .nth(chosen.length - 1)
    .locator('[data-column=perHour]:not([data-value="0"])')
    .waitFor({ timeout: 60_000 });
}

async function nameOf(row: Locator): Promise<string> {
  return (await row.locator('.label-name').textContent()) ?? '';
}

/** Leaves the answer of one question of the form as it is. */
async function confirmStep(host: Host, step: number): Promise<void> {
  await host.page.locator('.quick-input-widget:visible').getByText(`(${step}/9)`).waitFor();
  await host.page.keyboard.press('Enter');
}

/** Goes through the dashboard's pages of evidence and back to the timeline. @param database one that is tracked and has had checkpoints */
async function lookAtEvidence(host: Host, database: string): Promise<void> {
  const tab = (name: string): Locator => host.webview().getByRole('tab', { name });
  const panel = (): Locator => host.webview().getByRole('tabpanel').filter({ visible: true });
  await tab('I/O').click();
  const instance = panel().locator('section').filter({ hasText: 'Pages written by the instance' });
  // A first sample gives no figure, and by the simulator's fast clock one on a slow machine comes late after the one before.
  await instance.locator('tbody tr').filter({ hasText: 'Checkpoint pages' }).waitFor({ timeout: 60_000 });
  await panel().locator('tr[data-database-id]').filter({ hasText: database }).first().waitFor();
  assert.match((await panel().textContent()) ?? '', /The one checkpoint task was busy/);
  await host.screenshot('evidence-io');
  await tab('Error log').click();
  await panel().getByText('FlushCache messages').first().waitFor();
  assert.match((await panel().textContent()) ?? '', /Read by xp_readerrorlog/);
  await host.screenshot('evidence-error-log');
  await tab('Before / after').click();
  await panel()
    .getByText(/Changes of target recovery time|Each database before and after/)
    .first()
    .waitFor();
  await host.screenshot('evidence-before-after');
  await tab('Timeline').click();
}
