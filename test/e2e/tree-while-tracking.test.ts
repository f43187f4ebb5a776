import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { lookAfter } from './chain';
import { eventually } from './eventually';
import { type Host, startHost } from './host';
import { openFromExplorer, saveAs } from './saved-files';
import { describeServer } from './ways/own';

const reviewItem = 'Review Script for Indirect Checkpoints…';
const rounds = 6;

describe('The pane while a server is tracked', function () {
  let simulator: Simulator;
  let host: Host;
  lookAfter(this, 'tree-while-tracking', () => host);

  before(async () => {
    // Every read finds something, and it is long before anything is judged: until then databases stay in their groups.
    simulator = await startSimulator({ rate: 4, tls: 'required' });
    host = await startHost({ vsixFiles: [vsixFile] });
    await host.setSetting('checkpointHealth.pollIntervalSeconds', 1);
    await host.openViewContainer('Checkpoint Health');
    await host.addServer(describeServer('PROD-SQL07', simulator));
    await host.treeRows(/^\s*Start tracking/).waitFor();
    await host.pressRowIcon(host.treeRows('Start tracking'), 'Start Tracking');
    await host.expandRow(host.treeRows(/^\s*Automatic/));
  });

  after(() => simulator?.close());

  it('says at every read how long it has tracked, and soon how busy the server is and when there will be a verdict', async () => {
    const tracking = host.treeRows(/^\s*Tracking\s*\d/);
    const before = await tracking.textContent();
    await eventually(async () => assert.notEqual(await tracking.textContent(), before));
    await host.treeRows(/^\s*PROD-SQL07.*% busy so far$/).waitFor();
    await host.treeRows(/^\s*312 of 400 automatic$/).waitFor();
    await host.treeRows(/^\s*First verdict in \d+ min/).waitFor();
  });

  it('hands the database that was pointed at to the review, however long its menu was open', async () => {
    for (let round = 0; round < rounds; round++) {
      const row = host
        .treeRows(/automatic$/)
        .filter({ hasNotText: 'of 400' })
        .nth(round % 5);
      const name = (await row.locator('.label-name').textContent()) ?? '';
      await row.click({ button: 'right' });
      const item = host.page.getByRole('menuitem', { name: reviewItem });
      await item.waitFor();
      // At another moment between two reads each time.
      await host.page.waitForTimeout(270 * round);
      await item.click({ delay: 200 });
      await eventually(async () =>
        assert.deepEqual([...(await host.notifications()), ...(await listTicked(host))], [name]),
      );
    }
  });

  it('saves its capture as a file, which opens as a dashboard with no server behind it', async () => {
    await host.runCommand('Checkpoint Health: Save Capture As…');
    const proposed = await saveAs(host, join(host.vscode.workspaceFolder, 'prod.checkpoints'));
    assert.match(proposed, /^capture PROD-SQL07 .*\.checkpoints$/);
    await openFromExplorer(host, 'prod.checkpoints');
    await host.webview().getByText('no server behind it').first().waitFor();
    await host.webview().locator('tr[data-database-id]').first().waitFor();
    await host.webview().getByRole('heading', { name: 'PROD-SQL07 (prod.checkpoints)' }).waitFor();
    assert.match((await host.webview().locator('header').innerText()) ?? '', /312 of 400 automatic/);
    await host.screenshot('saved-capture-dark');
  });

  it('saves it for a vendor with other names, says what stays, and shows once what stands for what', async () => {
    const path = join(host.vscode.workspaceFolder, 'vendor.checkpoints');
    await host.openViewContainer('Checkpoint Health');
    await host.takeContextMenuItem(host.treeRows(/^\s*PROD-SQL07/).first(), 'Save Capture for a Vendor…');
    assert.match(await saveAs(host, path), /^capture SERVER-1 .*\.checkpoints$/);
    await host.page
      .locator('.notification-list-item-message', { hasText: 'Stand-ins such as DATABASE-1 replace' })
      .waitFor();
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await host.setTheme(theme);
      await host.screenshot(`saved-for-vendor-${theme}`);
    }
    await host.setTheme('dark');
    await host.page.getByRole('button', { name: 'Show Stand-ins' }).click();
    const { text } = await host.waitForDocument(
      ({ languageId, isUntitled }) => languageId === 'markdown' && isUntitled,
    );
    assert.match(text, /SERVER-1.*LEGACY-SQL07/);
    await openFromExplorer(host, 'vendor.checkpoints');
    await host
      .webview()
      .getByRole('heading', { name: /SERVER-1/ })
      .waitFor();
    const shown = await host
      .webview()
      .locator('body', { hasText: /DATABASE-\d+/ })
      .innerText();
    assert.doesNotMatch(shown, /LEGACY-SQL07|PROD-SQL07|Adatum|Alpine/);
  });
});

/** The databases that the review on screen would change. */
function listTicked(host: Host): Promise<string[]> {
  const rows = host.webview().locator('tr', { has: host.page.locator('input[type=checkbox]:checked') });
  return rows.locator('th[data-column=database] .data').allTextContents();
}
