import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EvidencePages, EvidenceRow } from '../../../src/core/pages/evidence-page';
import type { ToWebview } from '../../../src/protocol';
import { fakeIdle, fakeMessages } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { describePages, type OpenedPage } from '../page';
import { readSelectedLane } from '../timeline-on-page';

const EVIDENCE = fakeEvidence();
const send = (evidence: EvidencePages): ToWebview => ({ type: 'evidence', evidence });
const withEvidence = (pages = EVIDENCE): readonly ToWebview[] => [...fakeMessages(), send(pages)];
/** The same pages with other rows in the table of what each database wrote. */
const withRows = (change: (rows: readonly EvidenceRow[]) => readonly EvidenceRow[]): EvidencePages => {
  const tables = EVIDENCE.writeWork.tables.map((table) =>
    table.id === 'databases' ? { ...table, rows: change(table.rows) } : table,
  );
  return { ...EVIDENCE, writeWork: { ...EVIDENCE.writeWork, tables } };
};

describePages('The dashboard in a browser, the pages of evidence', (open) => {
  const table = ({ panel }: OpenedPage): Locator => panel.locator('[data-table="databases"]');
  const names = (opened: OpenedPage): Promise<readonly string[]> =>
    table(opened).locator('tbody td:first-child').allTextContents();
  const focusedName = ({ page }: OpenedPage): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.querySelector('td')?.textContent ?? null);

  it('are reached by tabs: one stop, arrows, Home and End', async () => {
    const opened = await open({ messages: withEvidence() });
    await opened.tab('Timeline').focus();
    const seen: string[] = [];
    for (const key of [
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowLeft',
      'Home',
      'End',
    ]) {
      await opened.page.keyboard.press(key);
      const { id, text } = await opened.active();
      seen.push(text);
      assert.equal(await opened.panel.count(), 1, 'one panel is shown');
      assert.equal(await opened.panel.getAttribute('aria-labelledby'), id);
      assert.equal(await opened.page.locator('[role=tab][tabindex="0"]').count(), 1);
    }
    assert.deepEqual(seen, [
      'Databases',
      'Before / after',
      'I/O',
      'Error log',
      'Timeline',
      'Error log',
      'Timeline',
      'Error log',
    ]);
    assert.equal(await opened.button('Zoom in').isVisible(), false, 'zoom is not about the error log');
  });

  it('are scrolled by the keyboard, also where they hold nothing but sentences', async () => {
    const notes = Array.from({ length: 100 }, (_, i) => `Note ${i}.`);
    const errorLog = { summary: 'None.', tables: [], notes };
    const opened = await open({
      messages: withEvidence({ ...EVIDENCE, errorLog }),
      state: { page: 'errorLog' },
    });
    await opened.tab('Error log').focus();
    // Behind the controls that stand beside the tabs.
    for (let stops = 0; stops < 12 && (await opened.active()).id !== 'panel-errorLog'; stops++)
      await opened.page.keyboard.press('Tab');
    await opened.page.keyboard.press('PageDown');
    await opened.page.waitForFunction(() => document.activeElement!.scrollTop > 100);
    assert.equal((await opened.active()).id, 'panel-errorLog');
  });

  it('come back after a reload where they were, sorted as they were', async () => {
    const opened = await open({ messages: withEvidence() });
    await opened.click(opened.tab('I/O'));
    await opened.click(table(opened).getByRole('button', { name: 'Pages per write' }));
    const again = await open({ messages: withEvidence(), state: await opened.kept() });
    assert.equal(await again.page.getByRole('tab', { selected: true }).textContent(), 'I/O');
    assert.equal(await table(again).locator('th[aria-sort="descending"]').textContent(), 'Pages per write');
  });

  it('say in words that nothing is there yet, and what failed', async () => {
    const reason = 'The login may not read anything.';
    const opened = await open({ messages: fakeIdle().slice(0, 1), state: { page: 'errorLog' } });
    const notice = opened.panel.locator('.notice');
    assert.equal(await notice.locator('h2').textContent(), 'Reading…');
    await opened.send(...fakeIdle({ state: 'failed', message: reason }));
    assert.deepEqual(await notice.locator('h2, p').allTextContents(), ['Nothing could be read', reason]);
    await opened.send(send(EVIDENCE));
    assert.equal(await notice.isVisible(), false);
    assert.equal(await opened.panel.locator('.summary').textContent(), EVIDENCE.errorLog.summary);
  });

  it('show every sentence, table, cell and note, and no empty table', async () => {
    const opened = await open({ messages: withEvidence() });
    const { panel } = opened;
    for (const [name, page] of [
      ['Before / after', EVIDENCE.beforeAfter],
      ['I/O', EVIDENCE.writeWork],
      ['Error log', EVIDENCE.errorLog],
    ] as const) {
      await opened.click(opened.tab(name));
      assert.equal(await panel.locator('.summary').textContent(), page.summary);
      assert.deepEqual(await panel.locator('.notes li').allTextContents(), page.notes);
      for (const { id, heading, columns, rows, fold, below = [] } of page.tables) {
        const shown = panel.locator(`[data-table="${id}"]`);
        if (fold !== undefined) {
          assert.equal(await shown.locator('table').isVisible(), false, 'folded until it is clicked');
          assert.equal(await shown.locator('.answer').textContent(), fold);
          await opened.click(shown.locator('summary'));
        }
        assert.deepEqual(await shown.locator('.below p').allTextContents(), below);
        assert.equal(await shown.locator(`#evidence-${id}`).textContent(), heading);
        const cells = rows.flatMap((row) => row.cells.map(({ text, link }) => `${text}${link?.text ?? ''}`));
        assert.deepEqual(await shown.locator('td').allTextContents(), cells, id);
        assert.deepEqual(
          await shown.locator('th').allTextContents(),
          columns.map((column) => column.heading),
        );
      }
    }
  });

  it('select a database for the timeline, and mark the one that the timeline selected', async () => {
    const opened = await open({ messages: withEvidence(), state: { page: 'writeWork' } });
    await opened.click(table(opened).getByRole('row', { name: 'Billing' }));
    assert.equal(await opened.page.locator('[aria-live]').textContent(), 'Billing selected.');
    await opened.click(opened.tab('Timeline'));
    assert.equal(await readSelectedLane(opened), 'Billing');
    await opened.page.locator('.lane-name', { hasText: 'dbA' }).click();
    await opened.click(opened.tab('I/O'));
    const selected = opened.panel.locator('tr[aria-selected="true"]');
    assert.equal(await table(opened).locator('tr[aria-selected="true"] td').first().textContent(), 'dbA');
    const ofNone = opened.panel.locator('[data-table="latency"] tbody tr').first();
    assert.equal(await ofNone.getAttribute('aria-selected'), null, 'a row of no database cannot be selected');
    const before = await selected.count();
    await opened.click(ofNone);
    assert.equal(await selected.count(), before);
  });

  it('work by keyboard, and keep the focus with its row while figures change and rows move', async () => {
    const evidenceSorts = { databases: { column: 'data_latency', descending: true } };
    const opened = await open({ messages: withEvidence(), state: { page: 'writeWork', evidenceSorts } });
    await table(opened).locator('tbody tr[tabindex="0"]').focus();
    await opened.press('ArrowDown', 'ArrowDown', ' ');
    const name = await focusedName(opened);
    assert.equal(await table(opened).locator('tr[aria-selected="true"] td').first().textContent(), name);
    await table(opened).evaluate(
      (element) => ((element.querySelector('tbody tr') as HTMLElement).dataset['mark'] = 'kept'),
    );
    const turned = (rows: readonly EvidenceRow[]): readonly EvidenceRow[] =>
      rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell, at) =>
          at === 3 && cell.value !== null ? { text: 'x', value: -cell.value } : cell,
        ),
      }));
    await opened.send(send(withRows(turned)));
    assert.equal(await focusedName(opened), name);
    assert.ok((await names(opened)).indexOf(name!) > 30, 'the row has moved');
    assert.equal(
      await table(opened).locator('tr[data-mark="kept"]').count(),
      1,
      'rows are kept, not built anew',
    );
    await opened.send(send(withRows((rows) => turned(rows).filter(({ cells }) => cells[0]!.text !== name))));
    assert.equal((await opened.active()).tag, 'TR', 'the focus is at the place of the row that went');
  });

  it('draw 500 rows, and more where the reader asks or selects', async () => {
    const databases = 1_730;
    const opened = await open({
      messages: withEvidence(fakeEvidence(databases)),
      state: { page: 'writeWork' },
    });
    const rows = table(opened).locator('tbody tr');
    assert.equal(await rows.count(), 500);
    assert.equal(
      await table(opened).locator('.more:visible span').textContent(),
      'The first 500 of 1,730 rows.',
    );
    await table(opened).getByRole('button', { name: 'Show next 500' }).click();
    assert.equal(await rows.count(), 1000);
    assert.equal(
      await opened.page.evaluate(() => (document.activeElement as HTMLTableRowElement).sectionRowIndex),
      500,
    );
    await opened.send({ type: 'reveal', databaseId: 5 + databases - 1 });
    await opened.click(opened.tab('I/O'));
    assert.equal(await rows.count(), databases);
    assert.equal(await table(opened).locator('.more:visible').count(), 0);
  });

  it('give way to the timeline where the extension names a database', async () => {
    const opened = await open({ messages: withEvidence(), state: { page: 'errorLog' } });
    await opened.send({ type: 'reveal', databaseId: 45 });
    assert.equal(await opened.page.getByRole('tab', { selected: true }).textContent(), 'Timeline');
    assert.equal(await opened.page.locator('.lane-name.selected').getAttribute('data-database-id'), '45');
    assert.equal(
      await opened.page.locator('#panel-timeline tr[aria-selected="true"]').getAttribute('data-database-id'),
      '45',
    );
  });
});
