import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { lookAfter, stopAtFailure } from './chain';
import { type Host, startHost } from './host';
import { readTruth } from './ledger-truth';
import { assertDatabases } from './database-rows';
import { readScripts, reviewButton, showReview } from './review-panel';
import { describeServer } from './ways/own';

const reviewItem = 'Review Script for Indirect Checkpoints…';
/** Busy, and with names that break quoting or columns. */
const chosen = ['a]b', '   three leading blanks'];

describe('What a user does every day', function () {
  stopAtFailure(this);
  let simulator: Simulator;
  let host: Host;
  lookAfter(this, 'everyday', () => host);

  before(async () => {
    simulator = await startSimulator({ rate: 10, tls: 'required' });
    host = await startHost({ vsixFiles: [vsixFile] });
    await host.openViewContainer('Checkpoint Health');
    await host.addServer(describeServer('PROD-SQL07', simulator));
    await host.treeRows(/^\s*Start tracking/).waitFor();
  });

  after(() => simulator?.close());

  const serverRow = (): Locator => host.treeRows('PROD-SQL07');

  it('reads the T-SQL of tracking before anything runs', async () => {
    await host.takeContextMenuItem(serverRow(), 'Show Tracking T-SQL');
    const document = await host.waitForDocument(({ text }) =>
      text.includes('CREATE EVENT SESSION [CheckpointHealth] ON SERVER'),
    );
    assert.deepEqual([document.languageId, document.isUntitled], ['sql', true]);
    assert.match(document.text, /DROP EVENT SESSION \[CheckpointHealth\] ON SERVER/);
    assert.deepEqual(listRuns(simulator), []);
  });

  it('chooses the databases to track, whatever their names', async () => {
    await host.takeContextMenuItem(serverRow(), 'Choose Databases to Track…');
    await pickOnly(host, chosen);
    await host
      .treeRows(/^\s*Tracking\s*\d/)
      .filter({ hasText: '2 databases' })
      .waitFor();
  });

  it('sees only those in the timeline', async () => {
    await host.takeContextMenuItem(serverRow(), 'Open Checkpoint Timeline');
    await waitForCheckpoints(host);
    const names = host.webview().locator('#panel-timeline tr[data-database-id] [data-column=database]');
    const shown = await names.evaluateAll((cells) =>
      cells.map((cell) => (cell as HTMLElement).dataset['value']),
    );
    assert.deepEqual(shown.sort(), [...chosen].sort());
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
      .filter({ hasText: 'This capture is from an earlier session' })
      .waitFor();
    await assertDatabases(host.webview(), truth);
  });

  it('writes a script for exactly the rows that are selected', async () => {
    await host.expandRow(host.treeRows(/^\s*Automatic, not measured/));
    const databaseRows = host.treeRows(/automatic$/).filter({ hasNotText: 'of 400' });
    const [first, second] = [databaseRows.nth(1), databaseRows.nth(3)];
    const names = [await nameOf(first), await nameOf(second)];
    await first.click();
    await second.click({ modifiers: ['ControlOrMeta'] });
    const [change = [], rollback = []] = await readScripts(host, () =>
      host.takeContextMenuItem(second, reviewItem),
    );
    assert.deepEqual([[...change].sort(), [...rollback].sort()], [[...names].sort(), [...names].sort()]);
    assert.deepEqual(simulator.server.ledger.settingChanges, []);
  });

  it('says in the review what was opened, and shows what another target changes in the script', async () => {
    await showReview(host);
    await host
      .webview()
      .getByText('Opened 1 script, with the rollback script beside it. Nothing was executed.')
      .waitFor();
    await reviewButton(host, 'Open change record').click();
    assert.match(
      (await host.waitForDocument(({ languageId }) => languageId === 'markdown')).text,
      /LEGACY-SQL07/,
    );
    await showReview(host);
    await host.webview().getByLabel('Target recovery time').fill('90');
    await host.webview().getByText('Set 90 seconds on 2 databases.').first().waitFor();
    await reviewButton(host, 'Show changes since the last script').click();
    await host.page.locator('.tab').filter({ hasText: 'scripts opened last, and now' }).waitFor();
    await host.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await host.screenshot('review-changes-dark');
    await showReview(host);
    assert.equal(
      await host.webview().getByLabel('Target recovery time').inputValue(),
      '90',
      'what was typed is there again',
    );
    await host.runCommandById('workbench.action.closeActiveEditor');
    await host.page.locator('.tab').filter({ hasText: 'Review scripts' }).waitFor({ state: 'detached' });
    assert.deepEqual(simulator.server.ledger.settingChanges, []);
  });

  it('removes the server and everything of it from the window', async () => {
    await host.takeContextMenuItem(serverRow(), 'Remove Server');
    await host.answerDialog('Remove');
    await host.page.locator('.sidebar').getByText('Add Server').first().waitFor();
    assert.equal(await host.treeRows().count(), 0);
    await host.page.locator('.tab').filter({ hasText: ': checkpoints' }).waitFor({ state: 'detached' });
  });

  /** Answers the question of Add Server that is this one of three. */
  async function answer(step: number, text: string): Promise<void> {
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText(`(${step}/3)`).waitFor();
    await box.locator('input:visible').first().fill(text);
    await host.page.keyboard.press('Enter');
  }

  it('adds a server by its name, a login and a password, and trusts its certificate, by one login', async () => {
    const { host: server, port, administrator } = simulator;
    const before = simulator.server.ledger.logins.length;
    await host.runCommand('Checkpoint Health: Add Server');
    await answer(1, `${server},${port}`);
    await answer(2, administrator.user);
    await answer(3, administrator.password);
    await host.page.getByText(`Trust the certificate of ${server},${port}?`).waitFor();
    assert.equal(simulator.server.ledger.logins.length, before);
    await host.answerDialog('Trust the Certificate');
    const row = host.treeRows(`${server},${port}`);
    await row.filter({ hasText: '312 of 400 automatic' }).waitFor();
    assert.equal(simulator.server.ledger.logins.length, before + 1);
    await host.takeContextMenuItem(row, 'Remove Server');
    await host.answerDialog('Remove');
    await row.waitFor({ state: 'detached' });
  });

  it('adds a server by a pasted connection string, with the keyboard alone', async () => {
    const { host: server, port, administrator } = simulator;
    const { user, password } = administrator;
    const connectionString = `Server=tcp:${server},${port};User ID=${user};Password="${password}";Encrypt=True;TrustServerCertificate=True;Pooling=True`;
    await host.runCommand('Checkpoint Health: Add Server');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('(1/3)').waitFor();
    await host.page.evaluate((text) => navigator.clipboard.writeText(text), connectionString);
    await host.page.keyboard.press('ControlOrMeta+v');
    await host.page.keyboard.press('Enter');
    await host.treeRows(`${server},${port}`).filter({ hasText: '312 of 400 automatic' }).waitFor();
    assert.ok((await host.notifications()).includes('Not used from the connection string: Pooling.'));
  });
});

function listRuns({ server }: Simulator): readonly unknown[] {
  return server.ledger.sessionRuns.filter((run) => run.sessionName === 'CheckpointHealth');
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
    .waitFor();
}

async function nameOf(row: Locator): Promise<string> {
  return (await row.locator('.label-name').textContent()) ?? '';
}
