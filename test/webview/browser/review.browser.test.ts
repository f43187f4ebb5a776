import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ReviewDraft } from '../../../src/core/picture/review-draft';
import { findAccessibilityFaults } from '../accessibility';
import { FAKE_NAMES, FAKE_STATUS, fakeDraft, fakePage, fakeReview } from '../fake-review';
import { useBrowser, type OpenedPage } from '../page';
import { THEMES, type ThemeName } from '../themes';

const HOSTILE_NAMES = ['a]b', '<img src=x onerror=alert(1)>', 'n'.repeat(128), '   leading blanks', '</script><b>', '$(trash) {{7*7}}'];

describe('The review of scripts in a browser', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;

  const open = async (options: Parameters<typeof openPage>[0] = {}): Promise<OpenedPage> =>
    (opened = await openPage({ entry: 'review', messages: fakeReview(), ...options }));
  const row = (databaseId: number): Locator => opened.page.locator(`tr[data-database="${databaseId}"]`);
  const box = (databaseId: number): Locator => row(databaseId).locator('input[type=checkbox]');
  const button = (name: string): Locator => opened.page.getByRole('button', { name, exact: true });
  const lastDraft = async (): Promise<ReviewDraft> => {
    const chosen = (await opened.posted()).filter((message) => message.type === 'choose');
    return (chosen.at(-1) as { draft: ReviewDraft }).draft;
  };
  /** Answers the draft that was posted last, as the extension would. */
  const answer = async (names: readonly string[] = FAKE_NAMES): Promise<void> => {
    await opened.send({ type: 'page', page: fakePage(await lastDraft(), names) });
    await opened.send({ type: 'status', status: FAKE_STATUS });
    await opened.settle();
  };
  const names = (): Promise<string[]> => opened.page.locator('tbody th').allTextContents();

  it('says that it is ready, and shows what would change and what would not, and why', async () => {
    await open();
    assert.deepEqual((await opened.posted())[0], { type: 'ready' });
    assert.equal(
      await opened.page.locator('.sentence.strong').textContent(),
      '8 databases would change to 60 seconds on PROD-SQL07 in 3 waves; 8 are left out.',
    );
    assert.deepEqual([await box(5).isChecked(), await row(5).locator('.wave').inputValue()], [true, '1']);
    assert.match((await row(1).textContent()) ?? '', /It is a system database\.$/);
    assert.match((await row(6).textContent()) ?? '', /Look first: Its log waits for OLDEST_PAGE/);
    assert.equal(
      await opened.page.getByRole('link', { name: 'KB4040276' }).getAttribute('href'),
      'https://support.microsoft.com/kb/4040276',
    );
    assert.ok(await opened.page.getByText('Not observable: Trace flags could not be asked').isVisible());
  });

  it('lets a screen reader reach a box that cannot be ticked, and hear why', async () => {
    await open();
    await box(1).click({ force: true });
    assert.equal(await box(1).isChecked(), false);
    assert.equal((await opened.posted()).filter(({ type }) => type === 'choose').length, 0);
    const described = await box(1).evaluate((element) => ({
      name: document.getElementById(element.getAttribute('aria-labelledby')!)?.textContent,
      why: document.getElementById(element.getAttribute('aria-describedby')!)?.textContent,
      disabled: element.getAttribute('aria-disabled'),
    }));
    assert.deepEqual(described, { name: 'master', why: 'It is a system database.', disabled: 'true' });
  });

  it('puts a value that somebody set in only where that database itself is ticked', async () => {
    await open();
    const warehouse = 5 + FAKE_NAMES.length;
    await button('Put all shown in').click();
    await answer();
    assert.equal(await box(warehouse).isChecked(), false);
    await box(warehouse).click();
    assert.deepEqual((await lastDraft()).namedIds, [warehouse]);
    await answer();
    assert.deepEqual([await box(warehouse).isChecked(), await row(warehouse).locator('td').nth(2).textContent()], [true, '60 s']);
  });

  it('takes the focus along the rows by the keyboard, ticks by the space bar, and keeps the focus when the answer comes', async () => {
    await open({ state: { sort: { column: 'wave', descending: false } } });
    const focused = (): Promise<string | null> =>
      opened.page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('th')?.textContent ?? null);
    await opened.page.locator('tbody input[tabindex="0"]').first().focus();
    assert.equal(await opened.page.locator('tbody input[type=checkbox][tabindex="0"]').count(), 1);
    await opened.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'dbB');
    await opened.page.keyboard.press('Space');
    assert.equal(await box(6).isChecked(), false);
    await answer();
    assert.equal(await focused(), 'dbB', 'the row has moved to those in no wave, and the focus with it');
    await opened.page.keyboard.press('Home');
    await opened.page.keyboard.press('Tab');
    assert.equal(await opened.page.evaluate(() => document.activeElement?.className), 'wave num');
    await opened.page.keyboard.press('Tab');
    assert.equal(await opened.page.evaluate(() => document.activeElement?.closest('tbody')), null, 'Tab leaves the table after one row');
  });

  it('moves a database to another wave, and says what is no wave', async () => {
    await open();
    const wave = row(5).locator('.wave');
    await wave.fill('0');
    await wave.press('Enter');
    assert.equal(await opened.page.getByRole('alert').first().textContent(), 'dbA: A wave is a whole number from 1 to 999.');
    assert.equal((await opened.posted()).filter(({ type }) => type === 'choose').length, 0);
    await wave.fill('3');
    await wave.press('Enter');
    assert.deepEqual((await lastDraft()).waveOf, [[5, 3]]);
    await answer();
    assert.equal(await wave.inputValue(), '3');
    assert.equal(await opened.page.getByRole('alert').count(), 0);
  });

  it('says at its field what is wrong, asks nothing more then, and has nothing to open', async () => {
    await open();
    const target = opened.page.getByLabel('Target recovery time');
    await target.fill('');
    await opened.settle();
    assert.equal(await target.getAttribute('aria-invalid'), 'true');
    assert.equal(
      await opened.page.locator('#field-targetSeconds-error').textContent(),
      'The target recovery time is a whole number of seconds.',
    );
    assert.equal(await button('Open scripts').getAttribute('aria-disabled'), 'true');
    await button('Open scripts').click({ force: true });
    assert.equal((await opened.posted()).filter(({ type }) => type === 'open').length, 0);
    await target.fill('10');
    await answer();
    assert.ok(await opened.page.getByText('Below 20 seconds the background writer').isVisible());
    assert.equal(await opened.page.evaluate(() => document.activeElement?.id), 'field-targetSeconds');
  });

  it('asks for a pause only where one script pauses', async () => {
    await open();
    assert.equal(await opened.page.getByLabel('Pause between two waves').isVisible(), false);
    await opened.page.getByLabel('One script pauses between waves').check();
    await opened.page.getByLabel('Pause between two waves').fill('0');
    await opened.settle();
    assert.equal((await lastDraft()).between, 'pause');
    assert.match((await opened.page.locator('#field-pauseMinutes-error').textContent()) ?? '', /from 1 to 1,439/);
  });

  it('opens exactly what it shows, and nothing while it is planned anew', async () => {
    await open();
    for (const name of ['Open scripts', 'Open change record', 'Read again', 'Cancel']) await button(name).click();
    await button('Show changes since the last script').click({ force: true });
    await opened.send({ type: 'status', status: { ...FAKE_STATUS, canCompare: true, notice: 'Opened 3 scripts.' } });
    await opened.settle();
    await button('Show changes since the last script').click();
    assert.ok(await opened.page.getByText('Opened 3 scripts.').isVisible());
    await box(5).click();
    await opened.settle();
    await button('Open scripts').click({ force: true });
    const revision = 1;
    assert.deepEqual(
      (await opened.posted()).filter(({ type }) => type !== 'choose'),
      [
        { type: 'ready' },
        { type: 'open', revision },
        { type: 'openRecord', revision },
        { type: 'readAgain' },
        { type: 'cancel' },
        { type: 'compare', revision },
      ],
    );
  });

  it('shows what failed, and what goes on', async () => {
    await open({ messages: [fakeReview()[0]!, { type: 'status', status: { ...FAKE_STATUS, isPlanning: true } }] });
    assert.equal(await opened.page.locator('.progress').textContent(), 'Planning…');
    await opened.send({ type: 'status', status: { ...FAKE_STATUS, failure: 'No route to the server.' } });
    await opened.settle();
    assert.equal(await opened.page.getByRole('alert').textContent(), 'No route to the server.');
    assert.equal(await button('Read again').getAttribute('aria-disabled'), 'false');
    assert.deepEqual(await findAccessibilityFaults(opened), []);
  });

  it('filters and sorts, and has that again after it was hidden', async () => {
    await open();
    await opened.page.getByLabel('Filter databases by name').fill('orders');
    await opened.page.getByRole('button', { name: 'Database' }).click();
    await opened.settle();
    assert.deepEqual(await names(), ['Orders_US', 'Orders_EU']);
    const state = await opened.kept();
    await open({ state });
    assert.deepEqual(await names(), ['Orders_US', 'Orders_EU']);
    await opened.page.getByLabel('Filter databases by name').fill('nothing');
    await opened.page.getByLabel('Which databases to show').selectOption('left out');
    await opened.settle();
    assert.ok(await opened.page.getByText('No database fits the filter.').isVisible());
  });

  it('does not lose the focus with the last row that a filter shows', async () => {
    await open({ state: { filter: 'dbA', show: 'in' } });
    await box(5).focus();
    await opened.page.keyboard.press('Space');
    await answer();
    assert.deepEqual(await names(), []);
    assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
  });

  it('is quick with 5,000 databases: 500 are drawn, all of them are counted, ticked and filtered', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `Db${String(at + 1).padStart(4, '0')}`);
    await open({ messages: fakeReview(fakeDraft(many), many) });
    assert.equal((await names()).length, 500);
    assert.match((await opened.page.locator('.sentence.strong').textContent()) ?? '', /^5,000 databases would change/);
    await button('Take all shown out').click();
    assert.equal((await lastDraft()).databaseIds.length, 7, 'what cannot be in is still said');
    await answer(many);
    await opened.page.getByLabel('Filter databases by name').fill('Db4999');
    await opened.settle();
    assert.deepEqual(await names(), ['Db4999']);
    await box(5 + 4_998).click();
    assert.ok((await lastDraft()).databaseIds.includes(5 + 4_998));
  });

  it('shows why without scrolling sideways, in a panel of 1,000 pixels and more, whatever databases are called', async () => {
    for (const width of [1000, 1180, 1440]) {
      const long = FAKE_NAMES.map((name, at) => (at % 2 === 0 ? `${name}_production_archive_of_the_year_2024` : name));
      await open({ width, messages: fakeReview(undefined, long) });
      const { overflow, right, inside } = await opened.page.evaluate(() => {
        const scroll = document.querySelector('.review-scroll')!;
        const reasons = [...document.querySelectorAll('td[data-column="reason"]')].map((cell) => cell.getBoundingClientRect());
        return {
          overflow: scroll.scrollWidth - scroll.clientWidth,
          right: Math.max(...reasons.map((cell) => cell.right)),
          inside: Math.min(...reasons.map((cell) => cell.width)),
        };
      });
      assert.deepEqual([overflow, right <= width], [0, true], `${width}: ${overflow} px lie outside`);
      assert.ok(inside >= (width - 240) * 0.3, `${width}: ${inside} px are left for the reason`);
    }
  });

  it('shows hostile names as they are', async () => {
    await open({ messages: fakeReview(fakeDraft(HOSTILE_NAMES), HOSTILE_NAMES) });
    for (const name of HOSTILE_NAMES) assert.ok((await names()).includes(name), name);
    assert.equal(await opened.page.locator('#app img, #app script, th b').count(), 0);
    assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), 1280);
  });

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`has no fault that axe sees in the theme ${theme}`, async () => {
      await open({ theme });
      await opened.page.getByLabel('One script pauses between waves').check();
      await opened.page.getByLabel('First wave').fill('x');
      await opened.settle();
      assert.deepEqual(await findAccessibilityFaults(opened), []);
    });
  }

  for (const [width, pixelRatio] of [
    [400, 1],
    [640, 2],
  ] as const) {
    it(`never scrolls sideways as a page at ${width} pixels, and has no fault that axe sees`, async () => {
      await open({ width, height: 700, pixelRatio });
      assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.deepEqual(await findAccessibilityFaults(opened), []);
    });
  }
});
