import assert from 'node:assert/strict';
import { BEGIN_UTC_MS, fakeDatabases, fakeMessages } from '../fake-capture';
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

  for (const pixelRatio of [1, 1.25, 1.5, 2]) {
    it(`has a canvas pixel for each device pixel at a ratio of ${pixelRatio}`, async () => {
      await open({ pixelRatio });
      const sizes = await opened.page.evaluate(() => {
        const canvas = document.querySelector('canvas')!;
        const box = canvas.getBoundingClientRect();
        return [canvas.width, box.width * devicePixelRatio, canvas.height, box.height * devicePixelRatio];
      });
      assert.ok(Math.abs(sizes[0]! - sizes[1]!) < 0.05 && Math.abs(sizes[2]! - sizes[3]!) < 0.05, sizes.join());
    });
  }

  for (const width of [400, 640, 1024]) {
    it(`never scrolls sideways as a page at ${width} pixels`, async () => {
      await open({ width, height: 700, state: { selectedDatabaseId: 5 } });
      assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.equal(await opened.page.evaluate(() => document.documentElement.scrollTop), 0, 'the page begins at its head');
      assert.ok((await readLanes(opened)).length > 5);
    });
  }

  it('gives every control a name', async () => {
    await open({ state: { selectedDatabaseId: 5 } });
    const nameless = await opened.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, [tabindex="0"]')]
        .filter(
          (element) =>
            !(element.textContent?.trim() || element.getAttribute('aria-label') || element.closest('label')?.textContent?.trim()),
        )
        .map((element) => element.outerHTML),
    );
    assert.deepEqual(nameless, []);
    assert.ok((await opened.page.locator('#timeline-summary').textContent())!.includes('checkpoints in 45 lanes'));
  });
});
