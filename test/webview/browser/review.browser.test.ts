import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ReviewDraft } from '../../../src/core/review/review-draft';
import { findAccessibilityFaults } from '../accessibility';
import { FAKE_NAMES, FAKE_STATUS, fakeDraft, fakePage, fakeReview } from '../fake-review';
import { describePages, type OpenedPage, type PageOptions } from '../page';
import { THEME_NAMES } from '../themes';

const HOSTILE_NAMES = [
  'a]b',
  '<img src=x onerror=alert(1)>',
  'n'.repeat(128),
  '   leading blanks',
  '</script><b>',
  '$(trash) {{7*7}}',
];

describePages('The review of scripts in a browser', (openPage) => {
  let opened: OpenedPage;

  const open = async (options: PageOptions = {}): Promise<OpenedPage> =>
    (opened = await openPage({ entry: 'review', messages: fakeReview(), ...options }));
  const row = (databaseId: number): Locator => opened.page.locator(`tr[data-database="${databaseId}"]`);
  const box = (databaseId: number): Locator => row(databaseId).locator('input[type=checkbox]');
  const button = (name: string): Locator => opened.button(name);
  const field = (label: string): Locator => opened.page.getByLabel(label);
  const filter = (text: string): Promise<void> => opened.fill(field('Filter databases by name'), text);
  const posts = async (type: string): Promise<number> =>
    (await opened.posted()).filter((message) => message.type === type).length;
  const lastDraft = async (): Promise<ReviewDraft> => {
    const chosen = (await opened.posted()).filter((message) => message.type === 'choose');
    return (chosen.at(-1) as { draft: ReviewDraft }).draft;
  };
  /** Answers the draft that was posted last, as the extension would. */
  const answer = async (names: readonly string[] = FAKE_NAMES): Promise<void> => {
    await opened.send(
      { type: 'page', page: fakePage(await lastDraft(), names) },
      { type: 'status', status: FAKE_STATUS },
    );
  };
  const names = (): Promise<string[]> =>
    opened.page.locator('tbody th[data-column=database] .data').allTextContents();

  it('says that it is ready, and shows what would change and what would not, and why', async () => {
    await open();
    assert.deepEqual((await opened.posted())[0], { type: 'ready' });
    assert.equal(
      await opened.page.locator('.review-title').textContent(),
      'Set 60 seconds on 8 databases, in 3 waves. Changed by you.',
    );
    assert.match(
      (await opened.page.locator('p.why').textContent()) ?? '',
      /^Why: The checkpoint task is almost never free\. 3 feed the queue; each alone would be harmless\./,
    );
    assert.ok(
      await opened.page
        .getByRole('img', { name: /^Checkpoint task busy: now 97 %; forecast after wave 1/ })
        .isVisible(),
    );
    assert.deepEqual([await box(5).isChecked(), await row(5).locator('.wave').inputValue()], [true, '2']);
    assert.match((await row(1).getAttribute('data-state')) ?? '', /left out/);
    assert.match((await row(6).textContent()) ?? '', /Look first: Its log waits for OLDEST_PAGE/);
    assert.equal(
      await opened.page.getByRole('link', { name: 'KB4040276' }).getAttribute('href'),
      'https://support.microsoft.com/kb/4040276',
    );
  });

  it('counts findings by kind, shows those to look at first, and the others on a click', async () => {
    await open();
    const counts = await opened.page.locator('.finding-counts .count').allTextContents();
    assert.deepEqual(counts, [
      '■0 blocking',
      '▲2 look first',
      '●1 good to know',
      '○1 check skipped (no permission)',
    ]);
    const shown = (): Promise<string[]> => opened.page.locator('.findings li').allTextContents();
    assert.match((await shown())[1] ?? '', /dbB: Its log waits for OLDEST_PAGE\. Look at it first\.$/);
    assert.equal((await shown()).length, 2);
    await opened.page.getByRole('button', { name: 'check skipped (no permission)' }).click();
    assert.match((await shown())[2] ?? '', /Not observable: Trace flags could not be asked/);
    await opened.page.getByRole('button', { name: 'good to know' }).press('Enter');
    assert.equal((await shown()).length, 4);
    await opened.page.getByRole('button', { name: 'good to know' }).press('Enter');
    assert.equal((await shown()).length, 3);
  });

  it('shows the script folded, the change in sight at 900 pixels, and opens a fold on a click', async () => {
    const many = Array.from({ length: 80 }, (_, at) => `Db${String(at + 1).padStart(4, '0')}`);
    const one = { ...fakeDraft(many), texts: { ...fakeDraft(many).texts, canary: '', batch: '' } };
    await open({ width: 1140, height: 840, messages: fakeReview(one, many) });
    const { panel } = opened;
    const change = panel.locator('.change');
    const box = (await change.boundingBox())!;
    assert.ok(box.y + box.height < 840, `${box.y}`);
    assert.match((await change.textContent()) ?? '', /ALTER DATABASE/);
    assert.match((await opened.page.locator('.preview-bar').textContent()) ?? '', /\d+ lines$/);
    const listed = (await panel.textContent()) ?? '';
    await panel.getByRole('button', { name: '75 more databases' }).click();
    assert.ok(!listed.includes("N'Db0040'") && ((await panel.textContent()) ?? '').includes("N'Db0040'"));
    await opened.tab('Rollback').click();
    assert.match((await panel.textContent()) ?? '', /ROLLBACK/);
    await opened.tab('Rollback').press('ArrowRight');
    assert.match((await panel.textContent()) ?? '', /# Change record/);
  });

  it('says of what it is, beside the button that reads the server again', async () => {
    await open();
    assert.equal(await opened.page.locator('.actions #as-of').textContent(), 'as of 2026-03-02 09:14');
    assert.equal(await button('Read again').getAttribute('aria-describedby'), 'as-of');
  });

  it('lets a screen reader reach a box that cannot be ticked, and hear why', async () => {
    await open();
    await box(1).click({ force: true });
    assert.equal(await box(1).isChecked(), false);
    assert.equal(await posts('choose'), 0);
    const described = await box(1).evaluate((element) => ({
      name: document.getElementById(element.getAttribute('aria-labelledby')!)?.textContent,
      why: document.getElementById(element.getAttribute('aria-describedby')!)?.textContent,
      disabled: element.getAttribute('aria-disabled'),
    }));
    assert.deepEqual(described, { name: 'master', why: 'It is a system database.', disabled: 'true' });
  });

  it('takes all of a group out and in again with one click, and says by its box where only some are in', async () => {
    await open();
    const [wave, feeding] = [field('All of Wave 2'), field('All of Feeds the queue')];
    const feeders = [5, 6, 7];
    await box(6).click();
    assert.equal(await wave.evaluate((element: HTMLInputElement) => element.indeterminate), true);
    await wave.click();
    for (const id of feeders) assert.ok((await lastDraft()).databaseIds.includes(id));
    await wave.click();
    for (const id of feeders) assert.ok(!(await lastDraft()).databaseIds.includes(id));
    await answer();
    await feeding.click();
    for (const id of feeders) assert.ok((await lastDraft()).databaseIds.includes(id));
    const locked = field('All of Cannot change here');
    assert.equal(await locked.getAttribute('aria-disabled'), 'true');
  });

  it('takes ticks back with Ctrl+Z, one after the other, and names a box by what the filter shows', async () => {
    await open();
    const ids = async (): Promise<readonly number[]> => {
      const { databaseIds } = await lastDraft();
      return [5, 6, 7].filter((id) => databaseIds.includes(id));
    };
    await box(6).click();
    await field('All of Wave 2').click();
    await field('All of Wave 2').click();
    assert.deepEqual(await ids(), []);
    for (const left of [
      [5, 6, 7],
      [5, 7],
      [5, 6, 7],
    ]) {
      await opened.press('Control+z');
      assert.deepEqual(await ids(), left);
    }
    await opened.fill(opened.page.getByRole('searchbox'), 'dbB');
    assert.equal(await field('The 1 shown of Wave 2').count(), 1);
    await opened.press('Control+z');
    assert.equal(await opened.page.getByRole('searchbox').inputValue(), '', 'a field undoes what was typed');
  });

  it('shows names before what stands behind them, also where there is little room', async () => {
    await open({ width: 560, height: 700 });
    const cut = await opened.page
      .locator('.review-grid .names > .data:visible')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent),
      );
    assert.deepEqual(cut, []);
  });

  it('opens and closes a group by its name or by arrows, and keeps that', async () => {
    await open();
    const group = opened.page.getByRole('button', { name: 'Wave 2' });
    assert.equal(await group.getAttribute('aria-expanded'), 'true');
    await opened.click(group);
    assert.equal(await row(5).count(), 0);
    await opened.press('ArrowRight');
    assert.equal(await row(5).count(), 1);
    await opened.press('ArrowLeft');
    await open({ state: await opened.kept() });
    assert.equal(await row(5).count(), 0);
  });

  it('takes the focus along the rows by the keyboard, ticks by the space bar, and keeps the focus when the answer comes', async () => {
    await open();
    const focused = (): Promise<string | null> =>
      opened.page.evaluate(
        () => document.activeElement?.closest('tr')?.querySelector('th')?.textContent ?? null,
      );
    await field('All of Wave 2').focus();
    assert.equal(await opened.page.locator('tbody input[type=checkbox][tabindex="0"]').count(), 1);
    for (const name of ['dbA', 'dbB', 'Orders_EU']) {
      await opened.page.keyboard.press('ArrowDown');
      assert.equal((await focused())?.replace('▲', ''), name);
    }
    await opened.page.keyboard.press('ArrowUp');
    await opened.page.keyboard.press('Space');
    assert.equal(await box(6).isChecked(), false);
    await answer();
    assert.equal(await focused(), 'dbB▲');
    await box(8).focus();
    await opened.page.keyboard.press('ArrowDown');
    assert.match((await focused()) ?? '', /^Wave 3/, 'the sentence under a row is passed over');
    await opened.page.keyboard.press('Home');
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.keyboard.press('Tab');
    assert.equal((await opened.active()).className, 'wave num');
    await opened.page.keyboard.press('Tab');
    assert.equal(
      await opened.page.evaluate(() => document.activeElement?.closest('tbody')),
      null,
      'Tab leaves the table after one row',
    );
  });

  it('moves a database to another wave, and says what is no wave', async () => {
    await open();
    const wave = row(5).locator('.wave');
    await wave.fill('0');
    await wave.press('Enter');
    assert.equal(
      await opened.page.getByRole('alert').first().textContent(),
      'dbA: A wave must be a whole number from 1 to 999.',
    );
    assert.equal(await posts('choose'), 0);
    await wave.fill('3');
    await wave.press('Enter');
    assert.deepEqual((await lastDraft()).waveOf, [[5, 3]]);
    await answer();
    assert.equal(await wave.inputValue(), '3');
    assert.equal(await opened.page.getByRole('alert').count(), 0);
  });

  it('says at its field what is wrong, asks nothing more then, and has nothing to open', async () => {
    await open();
    const target = field('Target recovery time');
    await opened.fill(target, '');
    assert.equal(await target.getAttribute('aria-invalid'), 'true');
    assert.equal(
      await opened.page.locator('#field-targetSeconds-error').textContent(),
      'The target recovery time must be a whole number of seconds.',
    );
    assert.equal(await button('Open script and rollback').getAttribute('aria-disabled'), 'true');
    await button('Open script and rollback').click({ force: true });
    assert.equal(await posts('open'), 0);
    await target.fill('10');
    await answer();
    assert.ok(await opened.page.getByText('Below 60 seconds the background writer').isVisible());
    assert.equal((await opened.active()).id, 'field-targetSeconds');
  });

  it('opens exactly what it shows, and nothing while it is planned again', async () => {
    await open();
    for (const name of ['Open script and rollback', 'Open change record', 'Read again'])
      await button(name).click();
    assert.equal(await button('Show changes since the last script').count(), 0);
    await opened.send({
      type: 'status',
      status: { ...FAKE_STATUS, canCompare: true, notice: 'Opened 3 scripts.' },
    });
    await button('Show changes since the last script').click();
    assert.ok(await opened.page.getByText('Opened 3 scripts.').isVisible());
    await opened.click(box(5));
    await button('Open script and rollback').click({ force: true });
    const revision = 1;
    assert.deepEqual(
      (await opened.posted()).filter(({ type }) => type !== 'choose'),
      [
        { type: 'ready' },
        { type: 'open', revision },
        { type: 'openRecord', revision },
        { type: 'readAgain' },
        { type: 'compare', revision },
      ],
    );
  });

  it('shows what failed, and what goes on', async () => {
    await open({
      messages: [fakeReview()[0]!, { type: 'status', status: { ...FAKE_STATUS, doing: 'reading' } }],
    });
    assert.equal(await opened.page.locator('.progress').textContent(), 'Reading the server…');
    await opened.send({ type: 'status', status: { ...FAKE_STATUS, doing: 'planning' } });
    assert.equal(await opened.page.locator('.progress').textContent(), 'Planning…');
    await opened.send({ type: 'status', status: { ...FAKE_STATUS, failure: 'No route to the server.' } });
    assert.equal(await opened.page.getByRole('alert').textContent(), 'No route to the server.');
    assert.equal(await button('Read again').getAttribute('aria-disabled'), 'false');
    assert.deepEqual(await findAccessibilityFaults(opened), []);
  });

  it('filters by name, sorts, and has that again after it was hidden', async () => {
    await open();
    await filter('orders');
    await opened.click(opened.page.getByRole('button', { name: 'Database', exact: true }));
    assert.deepEqual(await names(), ['Orders_EU', 'Orders_US'], 'each in its group');
    await open({ state: await opened.kept() });
    assert.deepEqual(await names(), ['Orders_EU', 'Orders_US']);
    await opened.page.locator('tr[data-database] input').first().focus();
    await opened.send({ type: 'page', page: { ...fakePage(fakeDraft()), rows: [] } });
    assert.ok(await opened.page.getByText('No database matches the filter.').isVisible());
    assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
  });

  it('is quick with 5,000 databases: ten of a group are drawn, all of them are counted, ticked and filtered', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `Db${String(at + 1).padStart(4, '0')}`);
    const few = fakeDraft();
    await open({ messages: fakeReview(few, many) });
    assert.ok((await names()).length <= 60);
    const waiting = opened.page.locator('[data-group="Waits in the queue"]');
    assert.match((await waiting.textContent()) ?? '', /624 · /);
    await opened.click(opened.page.getByRole('button', { name: 'Show 614 more' }).last());
    assert.ok((await names()).length <= 500, 'more than that is drawn on another click');
    await field('All of Waits in the queue').click();
    assert.equal((await lastDraft()).databaseIds.length, few.databaseIds.length + 624);
    await opened.send(...fakeReview(fakeDraft(many), many));
    assert.match(
      (await opened.page.locator('.review-title').textContent()) ?? '',
      /^Set 60 seconds on 5,000 databases, in 1,251 waves/,
    );
    assert.ok((await names()).length <= 60, 'later waves are closed');
    await filter('Db4999');
    assert.deepEqual(await names(), ['Db4999']);
    await box(5 + 4_998).click();
    assert.ok(!(await lastDraft()).databaseIds.includes(5 + 4_998));
  });

  it('shows all columns without scrolling sideways, in a panel of 515 pixels and more, whatever databases are called', async () => {
    const long = FAKE_NAMES.map((name, at) =>
      at % 2 === 0 ? `${name}_production_archive_of_the_year_2024` : name,
    );
    await open({ messages: fakeReview(undefined, long) });
    for (const width of [515, 560, 1050, 1440]) {
      await opened.page.setViewportSize({ width, height: 880 });
      await opened.settle();
      const { page, scroll, right, name } = await opened.page.evaluate(() => {
        const table = document.querySelector('.review-scroll')!;
        const waves = [...document.querySelectorAll('td[data-column="wave"]')].map(
          (cell) => cell.getBoundingClientRect().right,
        );
        const names = [...document.querySelectorAll('th[data-column="database"]')].map(
          (cell) => cell.getBoundingClientRect().width,
        );
        return {
          page: document.documentElement.scrollWidth,
          scroll: table.scrollWidth - table.clientWidth,
          right: Math.max(...waves),
          name: Math.min(...names),
        };
      });
      assert.deepEqual([page, scroll, right <= width], [width, 0, true], `${width}`);
      assert.ok(name >= 140, `${width}: ${name} px are left for the name`);
    }
  });

  it('shows hostile names as they are', async () => {
    await open({ messages: fakeReview(fakeDraft(HOSTILE_NAMES), HOSTILE_NAMES) });
    for (const name of HOSTILE_NAMES) assert.ok((await names()).includes(name), name);
    assert.equal(await opened.page.locator('#app img, #app script, th b').count(), 0);
    assert.equal(await opened.widthPx(), 1280);
  });

  it('has no fault that axe sees in any theme', async () => {
    await open();
    await field('Run all waves, pausing between them').check();
    await opened.fill(field('First wave'), 'x');
    for (const theme of THEME_NAMES) {
      await opened.setTheme(theme);
      assert.deepEqual(await findAccessibilityFaults(opened), [], theme);
    }
  });
});
