import assert from 'node:assert/strict';
import { writeCell, type EvidencePage } from '../../../src/core/pages/evidence-page';
import { BEGIN_UTC_MS, fakeDatabases, fakeMessages } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { useBrowser, type OpenedPage } from '../page';
import { readLanes } from '../timeline-on-page';

const HOSTILE_NAMES = [
  'a]b',
  `x'; DROP DATABASE y;--`,
  '<img src=x onerror=alert(1)>',
  'n'.repeat(128),
  '🗄️ naïve ✓',
  '   leading blanks',
  '{{7*7}}',
  '</script><b>',
];

describe('The dashboard in a browser, its looks', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;
  const open = async (...options: Parameters<typeof openPage>): Promise<OpenedPage> => (opened = await openPage(...options));

  it('shows hostile names as they are, everywhere', async () => {
    const databases = fakeDatabases(HOSTILE_NAMES.length, 8).map((database, i) => ({ ...database, name: HOSTILE_NAMES[i]! }));
    const checkpoints = HOSTILE_NAMES.map((_, database) => ({
      database,
      beginUtcMs: BEGIN_UTC_MS + 1000 * database,
      durationMs: 9000 - database,
    }));
    await open({ messages: fakeMessages(databases, checkpoints), state: { selectedDatabaseId: 7 } });
    assert.deepEqual(await readLanes(opened), HOSTILE_NAMES);
    assert.deepEqual(await opened.page.locator('td[data-column="database"]').allTextContents(), HOSTILE_NAMES);
    assert.equal(await opened.page.locator('aside h2').textContent(), HOSTILE_NAMES[2]);
    assert.equal(await opened.page.locator('#app img, #app script, td b').count(), 0);
    const cell = opened.page.locator('td[data-column="database"]').nth(5);
    assert.equal(
      await cell.evaluate((element) => getComputedStyle(element).whiteSpaceCollapse ?? getComputedStyle(element).whiteSpace),
      'preserve',
    );
    assert.equal(await opened.page.locator('td[data-column="database"]').nth(3).getAttribute('title'), HOSTILE_NAMES[3]);
    assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  });

  it('shows hostile names as they are on pages of evidence, in every place', async () => {
    const rows = HOSTILE_NAMES.map((name, i) => ({ databaseId: 5 + i, cells: [writeCell(name), writeCell(name)] }));
    const column = (heading: string) => ({ name: heading, heading, title: heading, isNumeric: false });
    const tables = HOSTILE_NAMES.map((name, i) => ({
      id: `t${i}`,
      heading: name,
      columns: [column(name), column('x')],
      rows,
      empty: name,
    }));
    const page: EvidencePage = { summary: HOSTILE_NAMES.join(' '), tables, notes: HOSTILE_NAMES };
    const evidence = { beforeAfter: page, writeWork: page, errorLog: page };
    await open({ messages: [...fakeMessages(), { type: 'evidence', evidence }], state: { page: 'errorLog' }, width: 640 });
    const panel = opened.page.getByRole('tabpanel');
    assert.equal(await panel.locator('.summary').textContent(), HOSTILE_NAMES.join(' '));
    assert.deepEqual(await panel.locator('section > div > h2').allTextContents(), HOSTILE_NAMES);
    assert.deepEqual(await panel.locator('[data-table=t0] td:nth-child(2)').allTextContents(), HOSTILE_NAMES);
    assert.deepEqual(await panel.locator('li').allTextContents(), HOSTILE_NAMES);
    assert.equal(await opened.page.locator('#app img, #app script, main section b').count(), 0);
    assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), 640);
  });

  it('takes the colours of another theme at once', async () => {
    await open({ theme: 'dark' });
    const picture = (): Promise<string> => opened.page.evaluate(() => document.querySelector('canvas')!.toDataURL());
    const pictures = new Set([await picture()]);
    for (const theme of ['light', 'high-contrast', 'high-contrast-light'] as const) {
      await opened.setTheme(theme);
      await opened.settle();
      pictures.add(await picture());
    }
    assert.equal(pictures.size, 4);
  });

  for (const width of [400, 1024]) {
    it(`never scrolls sideways as a page at ${width} pixels`, async () => {
      await open({ width, height: 700, state: { selectedDatabaseId: 5 } });
      assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.equal(await opened.page.evaluate(() => document.documentElement.scrollTop), 0, 'the page begins at its head');
      assert.ok((await readLanes(opened)).length > 5);
      await opened.send({ type: 'evidence', evidence: fakeEvidence() });
      for (const name of ['Before / after', 'I/O', 'Error log']) {
        await opened.page.getByRole('tab', { name }).click();
        await opened.settle();
        assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), width, name);
        const narrowest = await opened.page
          .locator('td.long:visible')
          .evaluateAll((cells) => Math.min(...cells.map((cell) => cell.clientWidth)));
        assert.ok(narrowest > 140, `a sentence of ${name} is drawn ${narrowest} pixels wide`);
      }
    });
  }

  it('gives every control a name', async () => {
    await open({ state: { selectedDatabaseId: 5 } });
    const nameless = await opened.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, [tabindex="0"]')]
        .filter(
          (element) =>
            element.checkVisibility() &&
            !(element.textContent?.trim() || element.getAttribute('aria-label') || element.closest('label')?.textContent?.trim()),
        )
        .map((element) => element.outerHTML),
    );
    assert.deepEqual(nameless, []);
    assert.ok((await opened.page.locator('#timeline-summary').textContent())!.includes('checkpoints in 45 lanes'));
  });
});
