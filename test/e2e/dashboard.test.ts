import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeExports } from './dashboard-exports';
import { describeKept } from './dashboard-kept';
import { eventually } from './eventually';
import { describeStates } from './dashboard-states';
import { type DashboardWorld, openWorld, trackAMorning, waitForAll } from './dashboard-world';
import { openPath } from './saved-files';

const ERROR_LOG = `2026-03-02 09:00:00.12 Server      Microsoft SQL Server 2019 (RTM-CU18) - 15.0.4261.1 (X64)
2026-03-02 09:00:00.15 Server      UTC adjustment: 1:00
2026-03-02 09:14:31.40 spid34s     FlushCache: cleaned up 1220 bufs with 1025 writes in 65500 ms (avoided 195 new dirty bufs) for db 7:0
2026-03-02 09:14:31.40 spid34s                 average writes per second:  15.65 writes/sec
            average throughput:  0.15 MB/sec, I/O saturation: 2, context switches 2204
2026-03-02 09:14:31.40 spid34s                 last target outstanding: 2, avgWriteLatency 0
`;

describe('The dashboard, in the real editor', function () {
  this.timeout(300_000);
  let shared: DashboardWorld;
  const world = (): DashboardWorld => shared;

  before(async () => {
    shared = await openWorld();
  });

  after(async () => {
    await shared?.host.dispose();
    await shared?.simulator.close();
  });

  afterEach(async function () {
    if (!this.currentTest?.isFailed()) return;
    await shared.host.screenshot(`failed-dashboard-${this.currentTest.title.replace(/\W+/g, '-').slice(0, 60)}`);
    // What it left open would be in the way of those behind it.
    await shared.host.runCommandById('workbench.action.closeQuickOpen');
    await shared.dashboard
      .get('[role=tab]')
      .first()
      .press('Escape', { timeout: 3_000 })
      .catch(() => undefined);
  });

  describe('with nothing to draw', () => describeStates(world));

  describe('with a morning of checkpoints', () => {
    before(() => trackAMorning(shared));

    it('has all checkpoints that the server had', () => waitForAll(shared));

    const assertMarks = async (): Promise<void> => {
      const name = (await shared.dashboard.get('.marks').getAttribute('aria-label')) ?? '';
      assert.match(name, /FlushCache [1-9].*backup [1-9]/);
    };

    it('has marks of long checkpoints and of backups, once Refresh reads the log again', async () => {
      await shared.dashboard.show('Timeline');
      await shared.dashboard.get('header').getByRole('button', { name: 'Refresh' }).click();
      await eventually(assertMarks, 15_000);
    });

    it('has all of it again in the next window, with marks', async () => {
      await shared.host.reload();
      await shared.dashboard.get('.lane-name').first().waitFor({ timeout: 60_000 });
      await waitForAll(shared);
      await eventually(assertMarks, 60_000);
    });

    describe('exports', () => describeExports(world));

    it('opens an ERRORLOG file, chosen or dropped', async () => {
      const { dashboard, host } = shared;
      const file = join(host.vscode.folder, 'exports', 'ERRORLOG.1');
      mkdirSync(join(host.vscode.folder, 'exports'), { recursive: true });
      writeFileSync(file, ERROR_LOG);
      await dashboard.show('Error log');
      await dashboard.panel().getByRole('button', { name: 'Open an ERRORLOG file' }).first().click();
      const fromFile = host.page.locator('.quick-input-widget:visible').getByRole('option', { name: /file/i }).first();
      await fromFile.click();
      await openPath(host, file);
      await dashboard.get('h1').filter({ hasText: 'ERRORLOG.1' }).waitFor();
      await dashboard.get('body').getByText('1 FlushCache message of 1 database').waitFor();
      await host.screenshot('dashboard-errorlog-file');
      await host.runCommandById('workbench.action.closeActiveEditor');
      await dashboard.panel().getByRole('button', { name: 'Open an ERRORLOG file' }).first().waitFor();
      await dashboard.panel().evaluate((area, text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'ERRORLOG.2'));
        for (const type of ['dragenter', 'dragover', 'drop'])
          area.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }, ERROR_LOG);
      await dashboard.get('h1').filter({ hasText: 'ERRORLOG.2' }).waitFor();
      await dashboard.get('body').getByText('1 FlushCache message of 1 database').waitFor();
      await host.runCommandById('workbench.action.closeActiveEditor');
      await dashboard.show('Timeline');
    });

    describe('is kept', () => describeKept(world));
  });
});
