import assert from 'node:assert/strict';
import { computeStatistics } from '../../core/finished';
import { columnsOf, type Row } from '../../core/timeline/columns-of';
import { BEGIN_UTC_MS, columnsMessage, END_UTC_MS, FAKE_GAP, fakeCheckpoints, fakeDatabases, fakeMessages } from '../fake-capture';
import { useBrowser, type OpenedPage } from '../page';
import { readLanes, WHOLE } from '../timeline-on-page';

describe('The dashboard in a browser, the databases table', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;
  const open = async (...options: Parameters<typeof openPage>): Promise<OpenedPage> => (opened = await openPage(...options));

  it('carries the exact figures of the core', async () => {
    await open({ state: { page: 'databases' } });
    const checkpoints = fakeCheckpoints(45, FAKE_GAP);
    const rows = checkpoints.map(({ beginUtcMs, durationMs, database }): Row => [beginUtcMs, durationMs, database]);
    const expected = computeStatistics(columnsOf(rows), 400, WHOLE, { ...WHOLE, gaps: [FAKE_GAP] });
    const shown = await opened.page.locator('#panel-databases .databases tbody tr').evaluateAll((elements) =>
      elements.map((element) => ({
        id: Number(element.getAttribute('data-database-id')),
        values: Object.fromEntries([...element.querySelectorAll('td')].map((cell) => [cell.dataset['column']!, cell.dataset['value']!])),
      })),
    );
    assert.equal(shown.length, expected.filter((figures) => figures.count > 0).length);
    for (const { id, values } of shown) {
      const figures = expected[id - 5]!;
      for (const column of ['count', 'perHour', 'averageMs', 'p50Ms', 'p95Ms', 'p99Ms', 'maximumMs', 'totalMs', 'share'] as const) {
        assert.equal(Number(values[column]), figures[column], `${column} of ${values['database']}`);
      }
    }
    assert.equal(await opened.page.locator('#panel-databases .rest').textContent(), '355 databases had no checkpoint in this window.');
  });

  it('names the part of each, and has what matters below the timeline in a few columns', async () => {
    await open();
    const headings = await opened.page.locator('#panel-timeline .databases th').allTextContents();
    assert.deepEqual(headings, ['Database', 'Part', 'Share of task', 'Turns/h', 'Median', 'p95', 'Longest']);
    const first = await opened.page.locator('#panel-timeline .databases tbody tr').first().locator('td').allTextContents();
    assert.deepEqual(first.slice(0, 2), ['dbA', 'feeds']);
    assert.equal(await opened.page.locator('#panel-timeline th[data-column="share"]').getAttribute('aria-sort'), 'descending');
    await opened.page.getByRole('button', { name: 'Part', exact: true }).click();
    await opened.settle();
    const parts = await opened.page.locator('#panel-timeline td[data-column="part"]').allTextContents();
    assert.deepEqual([...new Set(parts)], ['feeds', 'waits', 'quiet'], 'those that feed the queue come first');
  });

  it('sorts by its headings, and the lanes follow', async () => {
    await open();
    await opened.page.getByRole('button', { name: 'Database', exact: true }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('#panel-timeline th[data-column="database"]').getAttribute('aria-sort'), 'ascending');
    assert.deepEqual((await readLanes(opened)).slice(0, 3), ['Archive_2019', 'Audit', 'Billing']);
    await opened.page.getByRole('button', { name: 'Database', exact: true }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('#panel-timeline th[data-column="database"]').getAttribute('aria-sort'), 'descending');
    assert.equal(await opened.page.locator('#panel-timeline .databases tbody tr td').first().textContent(), (await readLanes(opened))[0]);
  });

  it('filters rows and lanes by name, and offers to clear a filter that leaves none', async () => {
    await open();
    await opened.page.getByRole('searchbox').fill('orders');
    await opened.settle();
    assert.deepEqual(await readLanes(opened), ['Orders_EU', 'Orders_US']);
    await opened.page.getByRole('searchbox').fill('nothing has this name');
    await opened.settle();
    await opened.page.getByRole('button', { name: 'Clear filter' }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('#panel-timeline .databases tbody tr').count(), 45);
  });

  it('selects the lane, and the lane selects the row', async () => {
    await open();
    await opened.page.locator('#panel-timeline tr[data-database-id="8"]').click();
    await opened.settle();
    assert.equal(await opened.page.locator('.lane-name.selected').textContent(), 'Orders_EU');
    assert.equal(await opened.page.locator('aside h2').textContent(), 'Orders_EU');
    await opened.page.locator('.lane-name', { hasText: 'dbB' }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('#panel-timeline tr[aria-selected="true"]').getAttribute('data-database-id'), '6');
    assert.equal(await opened.page.locator('[aria-live]').textContent(), 'dbB selected.');
  });

  it('works by keyboard: arrows move, Enter selects', async () => {
    await open();
    await opened.page.locator('#panel-timeline .databases tbody tr[tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await opened.page.keyboard.press(key);
    await opened.settle();
    assert.equal(await opened.page.locator('#panel-timeline tr[aria-selected="true"]').getAttribute('data-database-id'), '7');
  });

  it('draws 500 rows of many, and the one that is selected before its data came, however far down', async () => {
    const databases = fakeDatabases(1200, 1200);
    // All before the gap.
    const checkpoints = databases.map((_, i) => ({ database: i, beginUtcMs: BEGIN_UTC_MS + i * 800, durationMs: 5000 - i }));
    await open({ messages: fakeMessages(databases, checkpoints) });
    assert.equal(await opened.page.locator('#panel-timeline .databases tbody tr').count(), 500);
    assert.equal(await opened.page.locator('#panel-timeline .databases-scroll .more span').textContent(), 'The first 500 of 1,200 rows.');
    await open({ messages: fakeMessages(databases, checkpoints), state: { selectedDatabaseId: 5 + 700 } });
    assert.equal(await opened.page.locator('#panel-timeline .databases tbody tr').count(), 1000);
    assert.equal(
      await opened.page
        .locator('#panel-timeline tr[aria-selected="true"]')
        .evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight),
      true,
    );
  });

  it('keeps the focus and the row elements while data arrives', async () => {
    await open();
    await opened.page.locator('#panel-timeline tr[data-database-id="9"]').focus();
    await opened.send(
      columnsMessage([{ database: 4, beginUtcMs: END_UTC_MS - 900, durationMs: 800 }], fakeCheckpoints(45, FAKE_GAP).length),
    );
    await opened.settle();
    assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute('data-database-id')), '9');
  });

  it('takes the figures of the time in view where the reader wants them', async () => {
    await open({ state: { window: { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 600_000 }, follows: false } });
    const total = async (): Promise<number> => {
      await opened.page.getByRole('tab', { name: 'Databases' }).click();
      await opened.settle();
      const cells = opened.page.locator('#panel-databases td[data-column="count"]');
      const sum = await cells.evaluateAll((all) => all.reduce((so, cell) => so + Number((cell as HTMLElement).dataset['value']), 0));
      await opened.page.getByRole('tab', { name: 'Timeline' }).click();
      return sum;
    };
    const checkpoints = fakeCheckpoints(45, FAKE_GAP);
    assert.equal(await total(), checkpoints.length);
    await opened.page.getByRole('button', { name: 'View', exact: true }).click();
    await opened.page.getByRole('menuitemcheckbox', { name: 'Figures of the time in view' }).click();
    await opened.settle();
    assert.equal(await total(), checkpoints.filter(({ beginUtcMs }) => beginUtcMs < BEGIN_UTC_MS + 600_000).length);
  });
});
