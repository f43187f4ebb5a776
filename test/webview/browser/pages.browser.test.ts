import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/protocol';
import { FAKE_SERVER, fakeMessages, fakeTracking } from '../fake-capture';
import { fakeEvidence, fakeWriteWork } from '../fake-evidence';
import { useBrowser, type OpenedPage } from '../page';

const evidence = (pages = fakeEvidence()): ToWebview => ({ type: 'evidence', evidence: pages });
const withEvidence = (pages = fakeEvidence()): readonly ToWebview[] => [...fakeMessages(), evidence(pages)];

describe('The dashboard in a browser, the pages of evidence', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;
  const open = async (...options: Parameters<typeof openPage>): Promise<OpenedPage> => (opened = await openPage(...options));
  const panel = () => opened.page.getByRole('tabpanel');
  const firstColumn = (): Promise<readonly string[]> => panel().locator('tbody tr td:first-child').allTextContents();

  it('are reached by tabs: one stop, arrows, Home and End', async () => {
    await open({ messages: withEvidence() });
    await opened.page.getByRole('tab', { name: 'Timeline' }).focus();
    const seen: (string | null)[] = [];
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End']) {
      await opened.page.keyboard.press(key);
      seen.push(await opened.page.evaluate(() => document.activeElement?.textContent ?? null));
      assert.equal(await panel().count(), 1, 'one panel is shown');
      assert.equal(await panel().getAttribute('aria-labelledby'), await opened.page.evaluate(() => document.activeElement?.id));
      assert.equal(await opened.page.locator('[role=tab][tabindex="0"]').count(), 1);
    }
    assert.deepEqual(seen, ['Databases', 'Before / after', 'I/O', 'Error log', 'Timeline', 'Error log', 'Timeline', 'Error log']);
    assert.equal(await opened.page.getByRole('button', { name: 'Zoom in' }).isVisible(), false, 'zoom is not about the error log');
  });

  it('are scrolled by the keyboard, also where they hold nothing but sentences', async () => {
    const pages = fakeEvidence();
    const notes = Array.from({ length: 100 }, (_, i) => `Note ${i}.`);
    await open({ messages: withEvidence({ ...pages, errorLog: { summary: 'None.', tables: [], notes } }), state: { page: 'errorLog' } });
    await opened.page.getByRole('tab', { name: 'Error log' }).focus();
    const isReached = (): Promise<boolean> => opened.page.evaluate(() => document.activeElement?.id === 'panel-errorLog');
    // Behind the controls that stand beside the tabs.
    for (let stops = 0; stops < 12 && !(await isReached()); stops++) await opened.page.keyboard.press('Tab');
    await opened.page.keyboard.press('PageDown');
    await opened.page.waitForFunction(() => document.activeElement!.scrollTop > 100);
    assert.equal(await opened.page.evaluate(() => document.activeElement?.id), 'panel-errorLog');
  });

  it('come back after a reload where they were, sorted as they were', async () => {
    await open({ messages: withEvidence() });
    await opened.page.getByRole('tab', { name: 'I/O' }).click();
    await opened.page.getByRole('button', { name: 'Pages per write' }).click();
    await opened.settle();
    const state = await opened.kept();
    await open({ messages: withEvidence(), state });
    assert.equal(await opened.page.getByRole('tab', { selected: true }).textContent(), 'I/O');
    assert.equal(await panel().locator('th[aria-sort="descending"]').textContent(), 'Pages per write');
  });

  it('say in words that nothing is there yet, and what failed', async () => {
    const server: ToWebview = { type: 'server', server: FAKE_SERVER };
    await open({ messages: [server], state: { page: 'errorLog' } });
    assert.equal(await panel().locator('.notice h2').textContent(), 'Reading…');
    const reason = 'The login may not read anything.';
    await opened.send({ type: 'tracking', tracking: fakeTracking(0, { state: 'failed', observation: null, message: reason }) });
    await opened.settle();
    assert.deepEqual(await panel().locator('.notice h2, .notice p').allTextContents(), ['Nothing could be read', reason]);
    await opened.send(evidence());
    await opened.settle();
    assert.equal(await panel().locator('.notice').isVisible(), false);
    assert.equal(await panel().locator('.summary').textContent(), fakeEvidence().errorLog.summary);
  });

  it('show every sentence, table, cell and note, and the words of an empty table', async () => {
    await open({ messages: withEvidence() });
    for (const [name, page] of [
      ['Before / after', fakeEvidence().beforeAfter],
      ['I/O', fakeEvidence().writeWork],
      ['Error log', fakeEvidence().errorLog],
    ] as const) {
      await opened.page.getByRole('tab', { name }).click();
      await opened.settle();
      assert.equal(await panel().locator('.summary').textContent(), page.summary);
      assert.deepEqual(await panel().locator('li').allTextContents(), page.notes);
      for (const { id, heading, columns, rows, empty } of page.tables) {
        const table = panel().locator(`[data-table="${id}"]`);
        assert.equal(await table.locator('h2').textContent(), heading);
        assert.deepEqual(
          await table.locator('td').allTextContents(),
          rows.flatMap(({ cells }) => cells.map(({ text }) => text)),
        );
        if (rows.length === 0) assert.equal(await table.locator('p').first().textContent(), empty);
        else
          assert.deepEqual(
            await table.locator('th:visible').allTextContents(),
            columns.map((column) => column.heading),
          );
      }
    }
  });

  it('sort by exact values, not observable last, and come back to their own order', async () => {
    await open({ messages: withEvidence(), state: { page: 'writeWork' } });
    const own = await firstColumn();
    const latencies = (): Promise<readonly string[]> =>
      panel()
        .locator('td:nth-child(2)')
        .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset['value']!));
    const heading = panel().getByRole('button', { name: 'Write latency' });
    for (const direction of [-1, 1]) {
      await heading.click();
      await opened.settle();
      const values = await latencies();
      const observed = values.filter((value) => value !== '').map(Number);
      assert.deepEqual(
        observed,
        [...observed].sort((a, b) => direction * (a - b)),
      );
      assert.equal(values.indexOf(''), observed.length, 'what could not be observed is last');
    }
    await heading.click();
    await opened.settle();
    assert.deepEqual(await firstColumn(), own);
    assert.equal(await panel().locator('th[aria-sort="none"]').count(), await panel().locator('th').count());
  });

  it('select a database for the timeline, and mark the one that the timeline selected', async () => {
    await open({ messages: withEvidence(), state: { page: 'writeWork' } });
    await panel().getByRole('row', { name: 'Billing' }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('[aria-live]').textContent(), 'Billing selected.');
    await opened.page.getByRole('tab', { name: 'Timeline' }).click();
    await opened.settle();
    assert.equal(await opened.page.locator('.lane-name.selected').textContent(), 'Billing');
    await opened.page.locator('.lane-name', { hasText: 'dbA' }).click();
    await opened.page.getByRole('tab', { name: 'Error log' }).click();
    await opened.settle();
    assert.equal(await panel().locator('tr[aria-selected="true"] td').nth(1).textContent(), 'dbA');
    assert.equal(await panel().locator('tbody tr').nth(2).getAttribute('aria-selected'), null, 'a row of no database cannot be selected');
    await panel().locator('tbody tr').nth(2).click();
    assert.equal(await panel().locator('tr[aria-selected="true"]').count(), 1);
  });

  it('work by keyboard, and keep the focus with its row while figures change and rows move', async () => {
    await open({
      messages: withEvidence(),
      state: { page: 'writeWork', evidenceSorts: { 'write-work': { column: 'write_latency', descending: true } } },
    });
    await panel().locator('tbody tr[tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', ' ']) await opened.page.keyboard.press(key);
    await opened.settle();
    const focused = (): Promise<string | null> =>
      opened.page.evaluate(() => document.activeElement?.querySelector('td')?.textContent ?? null);
    const name = await focused();
    assert.equal(await panel().locator('tr[aria-selected="true"] td').first().textContent(), name);
    const table = fakeWriteWork(45);
    const rows = table.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, at) => (at === 1 && cell.value !== null ? { text: 'x', value: -cell.value } : cell)),
    }));
    await panel().evaluate((element) => ((element.querySelector('tbody tr') as HTMLElement).dataset['mark'] = 'kept'));
    await opened.send(evidence(fakeEvidence({ ...table, rows })));
    await opened.settle();
    assert.equal(await focused(), name);
    assert.ok((await firstColumn()).indexOf(name!) > 30, 'the row has moved');
    assert.equal(await panel().locator('tr[data-mark="kept"]').count(), 1, 'rows are kept, not built anew');
    await opened.send(evidence(fakeEvidence({ ...table, rows: rows.filter((row) => row.cells[0]!.text !== name) })));
    await opened.settle();
    assert.equal(await opened.page.evaluate(() => document.activeElement?.tagName), 'TR', 'the focus is at the place of the row that went');
  });

  it('draw 500 rows, and more where the reader asks or selects', async () => {
    const databases = 1_730;
    await open({ messages: withEvidence(fakeEvidence(fakeWriteWork(databases))), state: { page: 'writeWork' } });
    const drawn = (): Promise<number> => panel().locator('tbody tr').count();
    assert.equal(await drawn(), 500);
    assert.equal(await panel().locator('.more:visible span').textContent(), 'The first 500 of 1,730 rows.');
    await panel().getByRole('button', { name: 'Show next 500' }).click();
    assert.equal(await drawn(), 1000);
    assert.equal(await opened.page.evaluate(() => (document.activeElement as HTMLTableRowElement).sectionRowIndex), 500);
    await opened.send({ type: 'reveal', databaseId: 5 + databases - 1 });
    await opened.page.getByRole('tab', { name: 'I/O' }).click();
    await opened.settle();
    assert.equal(await drawn(), databases);
    assert.equal(await panel().locator('.more:visible').count(), 0);
  });

  it('show the timeline where the extension names a database', async () => {
    await open({ messages: withEvidence(), state: { page: 'errorLog' } });
    await opened.send({ type: 'reveal', databaseId: 45 });
    await opened.settle();
    assert.equal(await opened.page.getByRole('tab', { selected: true }).textContent(), 'Timeline');
    assert.equal(await opened.page.locator('.lane-name.selected').getAttribute('data-database-id'), '45');
  });
});
