import assert from 'node:assert/strict';
import { BEGIN_UTC_MS, fakeDatabases, fakeMessages } from '../fake-capture';
import { describePages, type OpenedPage } from '../page';
import { readLanes, readSelectedLane } from '../timeline-on-page';

describePages('The dashboard in a browser, the databases table', (open) => {
  const rows = ({ page }: OpenedPage) => page.locator('#panel-timeline .databases tbody tr');
  const row = ({ page }: OpenedPage, id: number) => page.locator(`#panel-timeline tr[data-database-id="${id}"]`);
  const sortOf = ({ page }: OpenedPage, column: string) =>
    page.locator(`#panel-timeline th[data-column="${column}"]`).getAttribute('aria-sort');
  const selectedRow = ({ page }: OpenedPage) => page.locator('#panel-timeline tr[aria-selected="true"]');

  it('names the part of each, and has what matters below the timeline in a few columns', async () => {
    const opened = await open();
    const headings = await opened.page.locator('#panel-timeline .databases th').allTextContents();
    assert.deepEqual(headings, ['Database', 'Role', 'Share of task', 'Checkpoints/h', 'Median', 'p95', 'Longest']);
    assert.deepEqual((await rows(opened).first().locator('td').allTextContents()).slice(0, 2), ['dbA', 'feeds']);
    assert.equal(await sortOf(opened, 'share'), 'descending');
    await opened.click(opened.button('Role'));
    const parts = await opened.page.locator('#panel-timeline td[data-column="part"]').allTextContents();
    assert.deepEqual([...new Set(parts)], ['feeds', 'waits', 'quiet'], 'those that feed the queue come first');
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
  });

  it('selects the lane, and the lane selects the row', async () => {
    const opened = await open();
    await opened.click(row(opened, 8));
    assert.deepEqual([await readSelectedLane(opened), await opened.page.locator('aside h2').textContent()], ['Orders_EU', 'Orders_EU']);
    await opened.click(opened.page.locator('.lane-name', { hasText: 'dbB' }));
    assert.equal(await selectedRow(opened).getAttribute('data-database-id'), '6');
    assert.equal(await opened.page.locator('[aria-live]').textContent(), 'dbB selected.');
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
    assert.ok(await selectedRow(opened).evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight));
  });
});
