import assert from 'node:assert/strict';
import {
  BEGIN_UTC_MS,
  columnsMessage,
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_SERVER,
  fakeDatabases,
  fakeMessages,
} from '../fake-capture';
import { describePages, type OpenedPage } from '../page';
import { readLanes, readSelectedLane } from '../timeline-on-page';

describePages('The dashboard in a browser, the databases table', (open) => {
  const rows = ({ page }: OpenedPage) => page.locator('#panel-timeline .databases tbody tr');
  const row = ({ page }: OpenedPage, id: number) =>
    page.locator(`#panel-timeline tr[data-database-id="${id}"]`);
  const sortOf = ({ page }: OpenedPage, column: string) =>
    page.locator(`#panel-timeline th[data-column="${column}"]`).getAttribute('aria-sort');
  const selectedRow = ({ page }: OpenedPage) => page.locator('#panel-timeline tr[aria-selected="true"]');

  it('names the part of each, and has what matters below the timeline in a few columns', async () => {
    const opened = await open();
    const headings = await opened.page.locator('#panel-timeline .databases th').allTextContents();
    assert.deepEqual(headings, [
      'Database',
      'Role',
      'Share of task',
      'Checkpoints/h',
      'Median',
      'p95',
      'Longest',
    ]);
    assert.deepEqual((await rows(opened).first().locator('td').allTextContents()).slice(0, 2), [
      'dbA',
      'feeds',
    ]);
    assert.equal(await sortOf(opened, 'share'), 'descending');
    await opened.click(opened.button('Role'));
    const parts = await opened.page.locator('#panel-timeline td[data-column="part"]').allTextContents();
    assert.deepEqual(
      [...new Set(parts)],
      ['feeds', 'waits', 'quiet'],
      'those that feed the queue come first',
    );
  });

  it('sorts by its headings, and the lanes follow', async () => {
    const opened = await open();
    await opened.click(opened.button('Database'));
    assert.equal(await sortOf(opened, 'database'), 'ascending');
    assert.deepEqual((await readLanes(opened)).slice(0, 3), ['Archive_2019', 'Audit', 'Billing']);
    await opened.click(opened.button('Database'));
    assert.equal(await sortOf(opened, 'database'), 'descending');
    assert.equal(await rows(opened).locator('td').first().textContent(), (await readLanes(opened))[0]);
  });

  it('filters rows and lanes by name, and offers to clear a filter that leaves none', async () => {
    const opened = await open();
    await opened.fill(opened.page.getByRole('searchbox'), 'orders');
    assert.deepEqual(await readLanes(opened), ['Orders_EU', 'Orders_US']);
    await opened.fill(opened.page.getByRole('searchbox'), 'nothing has this name');
    await opened.click(opened.button('Clear filter'));
    assert.equal(await rows(opened).count(), 45);
    await opened.fill(opened.page.getByRole('searchbox'), 'dbB');
    await opened.send({ type: 'reveal', databaseId: 8 });
    assert.equal(await opened.page.getByRole('searchbox').inputValue(), '', 'it hid what was asked for');
    assert.equal(await readSelectedLane(opened), 'Orders_EU');
  });

  it('keeps the selected row in sight while rows arrive, until the reader scrolls', async () => {
    const opened = await open({ messages: fakeMessages().slice(0, -1), state: { selectedDatabaseId: 45 } });
    const { page } = opened;
    const topOf = (): Promise<number> =>
      page.evaluate(() => document.querySelector('#panel-timeline .databases-scroll')!.scrollTop);
    await opened.send(columnsMessage(FAKE_CHECKPOINTS.slice(0, 2_000)));
    await row(opened, 45).waitFor();
    assert.ok((await topOf()) > 0);
    await page.locator('#panel-timeline .databases-scroll').hover();
    await page.mouse.wheel(0, -9_000);
    await page.waitForFunction(
      () => document.querySelector('#panel-timeline .databases-scroll')!.scrollTop === 0,
    );
    await opened.send(columnsMessage(FAKE_CHECKPOINTS.slice(2_000, 2_500), 2_000));
    assert.equal(await topOf(), 0);
  });

  it('keeps what a reader selects in the details while figures arrive, and its menus inside a low window', async () => {
    const opened = await open({ height: 300, state: { selectedDatabaseId: 8 } });
    const { page } = opened;
    const selected = (): Promise<string> => page.evaluate(() => document.getSelection()?.toString() ?? '');
    await page.evaluate(() =>
      document.getSelection()?.selectAllChildren(document.querySelector('aside dl')!),
    );
    const text = await selected();
    await opened.send(
      columnsMessage([...FAKE_CHECKPOINTS, { database: 3, beginUtcMs: END_UTC_MS - 1_000, durationMs: 500 }]),
    );
    assert.ok(text.length > 20 && (await selected()) === text);
    await opened.click(opened.button('View'));
    const { y, height } = (await page.getByRole('menu', { name: 'View' }).boundingBox())!;
    assert.ok(y + height <= 300);
  });

  it('selects the lane, and the lane selects the row', async () => {
    const opened = await open();
    await opened.click(row(opened, 8));
    assert.deepEqual(
      [await readSelectedLane(opened), await opened.page.locator('aside h2').textContent()],
      ['Orders_EU', 'Orders_EU'],
    );
    await opened.click(opened.page.locator('.lane-name', { hasText: 'dbB' }));
    assert.equal(await selectedRow(opened).getAttribute('data-database-id'), '6');
    assert.equal(await opened.page.locator('[aria-live]').textContent(), 'dbB selected.');
  });

  it('copies a row with its cells apart, and the rows of a selection', async () => {
    const opened = await open();
    const { page } = opened;
    const copy = (): Promise<string> =>
      page.evaluate(() => {
        const event = new ClipboardEvent('copy', {
          clipboardData: new DataTransfer(),
          bubbles: true,
          cancelable: true,
        });
        (document.activeElement ?? document.body).dispatchEvent(event);
        return event.clipboardData?.getData('text/plain') ?? '';
      });
    await row(opened, 8).focus();
    assert.match(await copy(), /^Orders_EU\t\w+\t[\d.]+ %\t[\d.]+\t/);
    await page.evaluate(() => {
      const rows = document.querySelectorAll<HTMLTableRowElement>('.databases tbody tr');
      document.getSelection()?.setBaseAndExtent(rows[0]!.cells[1]!, 0, rows[2]!.cells[2]!, 1);
    });
    assert.equal((await copy()).split('\n').length, 3);
  });

  it('has a page with every figure, by role, of all that was observed or of the time in view', async () => {
    const window = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 600_000 };
    const { page, panel } = await open({ state: { page: 'databases', window, follows: false } });
    const heads = panel.locator('tr[data-kind="role"] td:first-child');
    assert.deepEqual(await heads.allTextContents(), ['Feeds the queue3', 'Waits in the queue6', 'Quiet36']);
    assert.equal(await panel.locator('.summary').textContent(), '45 databases had checkpoints.');
    assert.match((await panel.locator('.coverage').textContent()) ?? '', /^Whole capture: /);
    const ofQuiet = panel.locator('tr[data-kind="database"]:has([data-part="quiet"])');
    await heads.nth(2).click();
    await ofQuiet.first().waitFor({ state: 'detached' });
    assert.equal(await heads.nth(2).locator('..').getAttribute('aria-expanded'), 'false');
    await heads.nth(2).locator('..').press('ArrowRight');
    await ofQuiet.first().waitFor();
    await panel.getByLabel('Time in view of the timeline').check();
    await page.waitForFunction(() =>
      /^In view: 2026-11-21 12:45 – 12:55\./.test(
        document.querySelector('#panel-databases .coverage')?.textContent ?? '',
      ),
    );
  });

  it('shows the time before the change below a database that was changed, where both are asked for', async () => {
    const hour = (at: number): number => BEGIN_UTC_MS + at * 1_800_000;
    const sides = { before: [hour(0), hour(1)], since: [hour(2), hour(4)] };
    const changes = [
      {
        databaseId: 5,
        atUtcMs: hour(2),
        notBeforeUtcMs: hour(2),
        source: 'error log',
        fromSeconds: 0,
        toSeconds: 60,
      } as const,
    ];
    const messages = [
      ...fakeMessages(),
      { type: 'server', server: { ...FAKE_SERVER, sides } } as const,
      { type: 'changes', changes } as const,
    ];
    const opened = await open({ messages, state: { page: 'databases' } });
    const { page, panel } = opened;
    await panel.getByLabel('Since the last change').check();
    const before = panel.locator('tr[data-kind="before"]');
    const row = page.locator('#panel-databases tr[data-database-id="5"]');
    await row.focus();
    await opened.press('ArrowRight');
    await before.waitFor();
    await row.locator('.twistie').click();
    await before.waitFor({ state: 'detached' });
    await panel.getByLabel('Both').check();
    await before.waitFor();
    assert.equal(await before.count(), 1);
    assert.equal(await row.locator('.since').textContent(), 'since 13:45');
    assert.equal(await row.locator('+ tr').getAttribute('data-kind'), 'before');
    const countOf = async (of: typeof row): Promise<number> =>
      Number(await of.locator('td[data-column="count"]').getAttribute('data-value'));
    assert.ok((await countOf(before)) > 0 && (await countOf(before)) !== (await countOf(row)));
    await page.getByRole('button', { name: 'Server time' }).click();
    await opened.click(page.getByRole('menuitemradio', { name: 'UTC' }));
    assert.equal(await row.locator('.since').textContent(), 'since 12:45', 'by the clock that is shown');
  });

  it('draws the row that is selected before its data came, however far down', async () => {
    const databases = fakeDatabases(1200, 1200);
    // All before the gap.
    const messages = fakeMessages(
      databases,
      databases.map((_, i) => ({ database: i, beginUtcMs: BEGIN_UTC_MS + i * 800, durationMs: 5000 - i })),
    );
    const opened = await open({ messages, state: { selectedDatabaseId: 5 + 700 } });
    assert.equal(await rows(opened).count(), 1000);
    assert.ok(
      await selectedRow(opened).evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight),
    );
  });
});
