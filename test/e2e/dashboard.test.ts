import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { readParquet } from '../core/export/parquet-reader';
import { LOG } from '../shell/sample';
import { lookAfter, stopAtFailure } from './chain';
import { eventually } from './eventually';
import { type Host, startHost } from './host';
import { readCheckpoints } from './ledger-truth';
import { saveAs } from './saved-files';
import { describeServer } from './ways/own';

/** Virtual time before tracking begins, after which the first long checkpoints come; and that is tracked. */
const [QUIET_MS, TRACKED_MS] = [8 * 60_000, 10 * 60_000];

/**
 * What a real webview and a real editor have to do with each other: bytes both ways, dialogs, files, and states that
 * are stored.
 */
describe('The dashboard, in the real editor', function () {
  stopAtFailure(this);
  let simulator: Simulator;
  let host: Host;
  lookAfter(this, 'dashboard', () => host);

  before(async () => {
    simulator = await startSimulator({ rate: 60, tls: 'required' });
    const { server } = simulator;
    server.pause();
    server.advance(QUIET_MS);
    host = await startHost({ vsixFiles: [vsixFile] });
    await host.openViewContainer('Checkpoint Health');
    await host.addServer(describeServer('PROD-SQL07', simulator));
    await host.takeContextMenuItem(host.treeRows('PROD-SQL07'), 'Open Checkpoint Timeline');
    server.resume();
    // The head offers it too, until the page knows that nothing was captured yet.
    await host.webview().locator('.notice').getByRole('button', { name: 'Start tracking' }).click();
    await host.webview().locator('.lane-name').first().waitFor();
    await server.clock.wait(TRACKED_MS);
    await host.webview().locator('header').getByRole('button', { name: 'Stop tracking' }).click();
    await host
      .webview()
      .locator('header')
      .getByText(/^Stopped after/)
      .waitFor();
    server.pause();
  });

  after(() => simulator?.close());

  const fileOf = (name: string): string => join(host.vscode.folder, 'exports', name);
  const show = (page: string): Promise<void> =>
    host.webview().getByRole('tab', { name: page, exact: true }).click();

  /** Takes something of a menu of the bar above the page, by the title of its button. */
  async function takeFromMenu(menu: string, id: string): Promise<void> {
    await host.webview().locator(`.toolbar button[title="${menu}"]`).click();
    await host.webview().locator(`.menu:visible [data-id="${id}"]`).click();
  }

  it('saves its checkpoints as Parquet: those of the ledger as another program reads them, names as they are', async () => {
    await takeFromMenu('Export', 'checkpointsParquet');
    const proposed = await saveAs(host, fileOf('checkpoints.parquet'));
    assert.match(proposed, /^checkpoints PROD-SQL07 \d{4}-\d\d-\d\d \d{4}Z\.parquet$/);
    const { rows } = await readParquet(readFileSync(fileOf('checkpoints.parquet')));
    const written = rows.map((row) =>
      [row['begin_utc'], row['duration_ms'], row['database_id'], row['database']].join(' | '),
    );
    const truth = readCheckpoints(simulator.server.ledger).map(
      ({ beginUtcMs, durationMs, databaseId, databaseName }) =>
        [new Date(beginUtcMs).toISOString(), durationMs, databaseId, databaseName].join(' | '),
    );
    assert.deepEqual(written.sort(), truth.sort());
  });

  it('saves the picture of the timeline whole', async () => {
    await takeFromMenu('Export', 'png');
    await saveAs(host, fileOf('timeline.png'));
    const bytes = readFileSync(fileOf('timeline.png'));
    assert.deepEqual(
      [bytes.toString('latin1', 1, 4), bytes.subarray(-8, -4).toString('latin1')],
      ['PNG', 'IEND'],
    );
    const box = await host.webview().locator('.timeline').boundingBox();
    assert.ok(bytes.readUInt32BE(16) >= Math.floor(box?.width ?? NaN));
  });

  it('offers to open what was saved, and opens it', async () => {
    await takeFromMenu('Export', 'statisticsCsv');
    await saveAs(host, fileOf('opened.csv'));
    const toast = host.page.locator('.notification-toast').filter({ hasText: 'opened.csv was saved.' });
    await toast.getByRole('button', { name: 'Open', exact: true }).click();
    const document = await host.waitForDocument(({ uri }) => uri.endsWith('/opened.csv'));
    assert.equal(document.text, readFileSync(fileOf('opened.csv'), 'utf8').replace('\uFEFF', ''));
    await host.runCommandById('workbench.action.closeActiveEditor');
    await host.webview().locator('h1').waitFor();
  });

  it('writes nothing where the dialog is left', async () => {
    await host.runCommandById('notifications.clearAll');
    await takeFromMenu('Export', 'checkpointsCsv');
    const dialog = host.page.locator('.quick-input-widget:visible');
    await dialog.locator('input[type=text]').press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual([await host.notifications(), existsSync(fileOf('checkpoints.csv'))], [[], false]);
  });

  it('takes an ERRORLOG file that is dropped on its page', async () => {
    await show('Error log');
    const panel = host.webview().getByRole('tabpanel').filter({ visible: true });
    await panel.evaluate((area, text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'ERRORLOG.2'));
      for (const type of ['dragenter', 'dragover', 'drop'])
        area.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, LOG);
    await host.webview().locator('h1').filter({ hasText: 'ERRORLOG.2' }).waitFor();
    await host
      .webview()
      .locator('body')
      .getByText('1 checkpoint took longer than the recovery interval.')
      .waitFor();
    await host.runCommandById('workbench.action.closeActiveEditor');
    await show('Timeline');
  });

  it('is after a reload of the window as it was left: selected lane, clock, height of lanes, and page', async () => {
    const lanes = host.webview().locator('.lanes');
    // The editor that was closed just now may take the focus once more, and the key with it.
    await eventually(async () => {
      await lanes.press('ArrowDown');
      assert.equal(await host.webview().locator('.lane-name.selected').count(), 1);
    });
    for (const key of ['ArrowDown', 'ArrowDown']) await lanes.press(key);
    await takeFromMenu('Clock', 'utc');
    await takeFromMenu('View', 'compact');
    const read = async (): Promise<readonly (string | null)[]> => [
      await host.webview().locator('.lane-name.selected').textContent(),
      await host.webview().locator('.toolbar button[title=Clock]').innerText(),
      await host.webview().locator('.toolbar .group .num').first().textContent(),
    ];
    const before = await read();
    await host.reload({ stored: ['"laneHeight":"compact"', '"clock":"utc"'] });
    await host.webview().locator('.lane-name.selected').waitFor();
    await eventually(async () => assert.deepEqual(await read(), before));
    await host.screenshot('dashboard-reloaded');
    await show('Databases');
    await host.reload({ stored: ['"page":"databases"'] });
    await host.webview().locator('#panel-databases tbody tr').first().waitFor();
    assert.equal(await host.webview().locator('[role=tab][aria-selected=true]').textContent(), 'Databases');
  });
});
