import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeExports } from './dashboard-exports';
import { describeLooks } from './dashboard-looks';
import { spanOf } from './dashboard-page';
import { eventually } from './eventually';
import { describeStates } from './dashboard-states';
import { type DashboardWorld, openWorld, trackAMorning, waitForAll } from './dashboard-world';
import { openPath } from './saved-files';
import { assertNear } from './sheet-act';
import { nameLine, SHEET } from './sheet-entries';

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
    let followed = false;

    before(async function () {
      await trackAMorning(shared, async () => {
        const { dashboard } = shared;
        await dashboard.focusLanes();
        await dashboard.press('w', 'w', 'End');
        const before = await dashboard.standing();
        await eventually(async () => {
          const now = await dashboard.timeInView();
          assert.ok(now.endMs > before.endMs + 5_000);
          assertNear(spanOf(now), spanOf(before), 'span');
        }, 30_000);
        followed = true;
      });
    });

    it('has all checkpoints that the server had', () => waitForAll(shared));

    it('follows the end while tracking, once it was gone to', () => assert.ok(followed));

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

    it('has strips of what was sampled, with a card for each, and steps through the marks', async () => {
      const { dashboard, host } = shared;
      const strips = ['busy', 'dataWrite', 'logWrite', 'writelog', 'pages'];
      await dashboard.beginInTheMidst();
      await dashboard.press('f');
      // One at a time: a low panel has no room for all of them.
      for (const id of strips) {
        for (const other of await dashboard.chosenIn('View'))
          if (strips.includes(other) && other !== id) await dashboard.takeFromMenu('View', other);
        if (!(await dashboard.chosenIn('View')).includes(id)) await dashboard.takeFromMenu('View', id);
        await eventually(async () => assert.equal(await dashboard.get('.strip-name').count(), 1));
        const [plot, box] = [await dashboard.plot(), (await dashboard.get('.strip-name').boundingBox())!];
        const said: string[] = [];
        for (const share of [0.2, 0.4, 0.5, 0.6, 0.8]) {
          await host.page.mouse.move(plot.leftPx + share * plot.widthPx, box.y + box.height / 2);
          await host.page.waitForTimeout(80);
          said.push(...(await dashboard.get('.time-head .card').innerText()).split('\n'));
        }
        assert.ok(
          said.some((line) => /\d (%|ms|s|pages\/s)$/.test(line)),
          `${id}: ${said.join(' / ')}`,
        );
        assert.ok((await dashboard.get('.head-canvas').evaluate(countPainted)) > 200, id);
      }
      await dashboard.get('.marks').focus();
      await dashboard.press('ArrowRight');
      await eventually(async () => assert.match(await dashboard.said(), /^(FlushCache|backup|recovery|buffer pool scan|slow I\/O)/));
      await host.screenshot('dashboard-strips-and-marks');
      for (const id of ['pages', 'busy', 'logWrite']) await dashboard.takeFromMenu('View', id);
    });

    it('moves the window by the lens over the whole time, with the mouse and with keys', async () => {
      const { dashboard, host } = shared;
      const middle = await dashboard.beginInTheMidst();
      const lens = (await dashboard.get('.minimap-plot .selection').boundingBox())!;
      const plot = await dashboard.plot();
      await host.page.mouse.move(lens.x + lens.width / 2, lens.y + lens.height / 2);
      await host.page.mouse.down();
      await host.page.mouse.move(lens.x + lens.width / 2 + plot.widthPx * 0.1, lens.y + lens.height / 2, { steps: 6 });
      await host.page.mouse.up();
      const wholeMs = (spanOf(middle) * plot.widthPx) / lens.width;
      await eventually(async () => {
        const now = await dashboard.timeInView();
        assertNear(now.beginMs, middle.beginMs + wholeMs * 0.1, 'begin', 5_000);
        assertNear(spanOf(now), spanOf(middle), 'span');
      });
      const moved = await dashboard.standing();
      await dashboard.get('.minimap-plot').focus();
      await dashboard.press('ArrowLeft', 'ArrowLeft');
      await eventually(async () => assertNear((await dashboard.timeInView()).beginMs, moved.beginMs - 0.2 * spanOf(middle), 'begin'));
      await dashboard.press('Home');
      await eventually(async () => assert.equal(await dashboard.get('.minimap-plot').getAttribute('aria-valuenow'), '0'));
    });

    describe('does what the sheet of keys says', () => {
      it('and the sheet says all that is tried here', async () => {
        const { dashboard, host } = shared;
        await dashboard.button('Keys and pointer').click();
        await dashboard.get('#key-sheet').waitFor();
        const rows = await dashboard.get('#key-sheet tr').evaluateAll((lines) =>
          lines.map((line) => ({
            caps: [...line.querySelectorAll('kbd')].map((cap) => cap.textContent ?? ''),
            does: line.querySelector('td')?.textContent ?? '',
          })),
        );
        await host.screenshot('dashboard-sheet');
        await dashboard.press('Escape');
        assert.deepEqual(rows.map(({ caps, does }) => nameLine(caps, does)).sort(), Object.keys(SHEET).sort());
      });

      for (const [line, act] of Object.entries(SHEET))
        it(line, async () => {
          const { dashboard, truth } = shared;
          const caps = /^(.+?): /.exec(line)![1]!;
          // A line about the pointer has one long cap.
          for (const cap of caps.length > 3 && caps.includes(' ') ? [caps] : caps.split(' '))
            await act({ dashboard, truth, middle: await dashboard.beginInTheMidst() }, cap);
        });
    });

    it('selects in the timeline what is selected in a table or a chart, and the other way round', async () => {
      const { dashboard } = shared;
      await dashboard.beginInTheMidst();
      const rows = dashboard.get('.timeline-page .databases tbody tr');
      const name = (await rows.nth(2).locator('td').first().textContent())!;
      await rows.nth(2).click();
      await eventually(async () => assert.equal(await dashboard.selectedLane(), name));
      await dashboard.focusLanes();
      await dashboard.press('ArrowUp');
      const above = (await rows.nth(1).locator('td').first().textContent())!;
      await eventually(async () =>
        assert.equal(await rows.and(dashboard.get('[aria-selected=true]')).locator('td').first().textContent(), above),
      );
      await dashboard.show('Databases');
      const table = dashboard.panel().locator('tbody tr');
      assert.equal(
        await table.and(dashboard.get('[aria-selected=true]')).locator('td').first().textContent(),
        above,
        'the page knows it, too',
      );
      await table.nth(3).focus();
      const fourth = (await table.nth(3).locator('td').first().textContent())!;
      await dashboard.press('Enter');
      await eventually(async () => assert.equal(await dashboard.pageShown(), 'Timeline'));
      await eventually(async () => assert.equal(await dashboard.selectedLane(), fourth));
      assert.match(await dashboard.focused(), /\blanes\b/);
      await dashboard.show('Databases');
      const mark = dashboard.panel().locator('[data-chart] [role=option]').nth(1);
      await mark.click();
      await eventually(async () => assert.equal(await mark.getAttribute('aria-selected'), 'true'));
      const second = (await table.nth(1).locator('td').first().textContent())!;
      assert.equal(await table.and(dashboard.get('[aria-selected=true]')).locator('td').first().textContent(), second);
      await dashboard.show('Timeline');
      await eventually(async () => assert.equal(await dashboard.selectedLane(), second));
    });

    it('selects from a page of evidence, and Enter on its row opens the timeline there', async () => {
      const { dashboard } = shared;
      const lanes = new Set(shared.truth.all.map(({ databaseId }) => String(databaseId)));
      for (const page of ['I/O', 'Error log', 'Before / after'] as const) {
        await dashboard.show(page);
        const rows = dashboard.panel().locator('tbody tr[data-database-id]');
        await rows.first().waitFor();
        const ids = await rows.evaluateAll((elements) => elements.map((element) => (element as HTMLElement).dataset['databaseId'] ?? ''));
        const row = rows.nth(ids.findIndex((id) => lanes.has(id)));
        const id = (await row.getAttribute('data-database-id'))!;
        await row.click();
        await eventually(async () => assert.equal(await row.getAttribute('aria-selected'), 'true', page));
        await row.focus();
        await dashboard.press('Enter');
        await eventually(async () => assert.equal(await dashboard.get('.lane-name.selected').getAttribute('data-database-id'), id, page));
        assert.equal(await dashboard.pageShown(), 'Timeline');
      }
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

    describe('looks', () => describeLooks(world));
  });
});

function countPainted(canvas: Element): number {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
}
