import assert from 'node:assert/strict';
import { BEGIN_UTC_MS, fakeDatabases, fakeMessages } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { describePages } from '../page';
import { readLanes } from '../timeline-on-page';
import { THEME_NAMES } from '../themes';

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

describePages('The dashboard in a browser, its looks', (open) => {
  it('shows hostile names as they are, everywhere', async () => {
    const databases = fakeDatabases(HOSTILE_NAMES.length, 8).map((database, i) => ({
      ...database,
      name: HOSTILE_NAMES[i]!,
    }));
    const checkpoints = HOSTILE_NAMES.map((_, database) => ({
      database,
      beginUtcMs: BEGIN_UTC_MS + 1000 * database,
      durationMs: 9000 - database,
    }));
    const opened = await open({
      messages: fakeMessages(databases, checkpoints),
      state: { selectedDatabaseId: 7 },
    });
    const cells = opened.page.locator('td[data-column="database"]');
    assert.deepEqual(await readLanes(opened), HOSTILE_NAMES);
    assert.deepEqual(await cells.allTextContents(), HOSTILE_NAMES);
    assert.equal(await opened.page.locator('aside h2').textContent(), HOSTILE_NAMES[2]);
    assert.equal(await opened.page.locator('#app img, #app script, td b').count(), 0);
    const whiteSpace = await cells
      .nth(5)
      .evaluate((cell) => getComputedStyle(cell).whiteSpaceCollapse ?? getComputedStyle(cell).whiteSpace);
    assert.equal(whiteSpace, 'preserve');
    assert.equal(await cells.nth(3).getAttribute('title'), HOSTILE_NAMES[3]);
    assert.equal(await opened.widthPx(), 1280);
  });

  it('keeps the end of a long name in sight, in lanes and tables, since names often begin alike', async () => {
    const name = 'Customer_Reporting_Archive_'.repeat(4);
    const databases = fakeDatabases(3, 3).map((one, at) => ({ ...one, name: `${name}${at}` }));
    const checkpoints = [0, 1, 2].map((database) => ({ database, beginUtcMs: BEGIN_UTC_MS, durationMs: 10 }));
    for (const page of ['timeline', 'databases'] as const) {
      const opened = await open({
        messages: fakeMessages(databases, checkpoints),
        state: { page },
        width: 1024,
      });
      const ends = await opened.page.locator('.name:visible > :last-child').evaluateAll((spans) =>
        spans.map((span) => {
          const [own, around] = [span, span.closest('td, .lane-name')!].map((one) =>
            one.getBoundingClientRect(),
          );
          return [span.textContent?.at(-1), own!.right <= around!.right && own!.width > 30];
        }),
      );
      assert.ok(ends.length >= 3);
      for (const [end, isSeen] of ends) assert.ok('012'.includes(String(end)) && isSeen === true, page);
    }
  });

  it('takes the colours of another theme at once', async () => {
    const opened = await open();
    const pictures = new Set<string>();
    for (const theme of THEME_NAMES) {
      await opened.setTheme(theme);
      pictures.add(await opened.page.evaluate(() => document.querySelector('canvas')!.toDataURL()));
    }
    assert.equal(pictures.size, 4);
  });

  it('never scrolls sideways as a page at 400 pixels, begins at its head, and draws no sentence in a sliver', async () => {
    const opened = await open({ width: 400, height: 700, state: { selectedDatabaseId: 5 } });
    assert.equal(await opened.widthPx(), 400);
    assert.equal(await opened.page.evaluate(() => document.documentElement.scrollTop), 0);
    assert.ok((await readLanes(opened)).length > 5);
    await opened.send({ type: 'evidence', evidence: fakeEvidence() });
    for (const name of ['Before / after', 'I/O', 'Error log']) {
      await opened.click(opened.tab(name));
      assert.equal(await opened.widthPx(), 400, name);
      const sentences = opened.page.locator('td.long:visible');
      const narrowest = await sentences.evaluateAll((cells) =>
        Math.min(...cells.map((cell) => cell.clientWidth)),
      );
      assert.ok(narrowest > 140, `a sentence of ${name} is drawn ${narrowest} pixels wide`);
    }
  });
});
