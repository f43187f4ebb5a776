/** Draws the dashboard and the review of scripts in every theme, at every ratio and width: to be looked at in artifacts/screenshots/pictures, and held to what can be measured. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_IDS } from '../../src/webview/model/view-state';
import { findAccessibilityFaults } from '../webview/accessibility';
import { END_UTC_MS, FAKE_GAP, FAKE_SERVER, fakeCheckpoints, fakeMessages, fakeTracking } from '../webview/fake-capture';
import { FAKE_INSTANCES } from '../webview/fake-instance';
import { fakeServerEvidence, fakeUnchanged } from '../webview/fake-server-evidence';
import { fakeReview } from '../webview/fake-review';
import { fakeMarks, fakeSamples } from '../webview/fake-samples';
import { type PageOptions, useBrowser } from '../webview/page';
import { THEMES, type ThemeName } from '../webview/themes';
import { WHOLE } from '../webview/timeline-on-page';
import { findOverlaps } from './overlaps';

const folder = join(__dirname, '..', '..', 'artifacts', 'screenshots', 'pictures');
const CHECKPOINTS = fakeCheckpoints(45, FAKE_GAP);
const MESSAGES = [
  ...fakeMessages(),
  fakeSamples(CHECKPOINTS),
  fakeMarks(CHECKPOINTS),
  { type: 'evidence', evidence: fakeServerEvidence() } as const,
];

/** Each kind of hatching, two gaps over each other, and one as narrow as a pixel. */
const MANY_GAPS = fakeTracking(3717, {
  observation: {
    ...WHOLE,
    gaps: [
      FAKE_GAP,
      { kind: 'failover', beginUtcMs: FAKE_GAP.endUtcMs - 60_000, endUtcMs: FAKE_GAP.endUtcMs + 240_000, reason: 'PROD-SQL08 answered' },
      { kind: 'events lost', beginUtcMs: FAKE_GAP.endUtcMs + 1_800_000, endUtcMs: FAKE_GAP.endUtcMs + 3_000_000, reason: '214 events' },
      { kind: 'permission lost', beginUtcMs: END_UTC_MS - 1_200_000, endUtcMs: END_UTC_MS - 1_190_000, reason: 'VIEW SERVER STATE' },
    ],
  },
  lostEvents: 214,
  lostBuffers: 1,
});

interface Size {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio?: number;
}

/** `zoomed` is a window of 1,280 pixels zoomed to 200 %. */
const SIZES: Readonly<Record<string, Size>> = {
  wide: { width: 1280, height: 880 },
  middle: { width: 1024, height: 700, pixelRatio: 1.5 },
  narrow: { width: 400, height: 800 },
  zoomed: { width: 640, height: 440, pixelRatio: 2 },
};
/** Of panes as people have them. */
const WIDTHS = [515, 560, 1050, 1440] as const;
/** A login that may not create event sessions. */
const OBSTACLE = {
  sentence: 'Tracking needs ALTER ANY EVENT SESSION, which the login reader does not have.',
  brief: 'not permitted',
  missing: ['ALTER ANY EVENT SESSION'],
  grant: 'GRANT ALTER ANY EVENT SESSION TO [reader];',
};
const RATIOS = [1, 1.25, 1.5, 1.75, 2] as const;

describe('The pictures of the dashboard', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  before(() => mkdirSync(folder, { recursive: true }));

  it('are held to a measure that finds a text over another', async () => {
    const opened = await openPage({ messages: MESSAGES });
    await opened.page.evaluate(() => {
      const title = document.querySelector<HTMLElement>('.instance h2')!;
      const name = document.querySelector('h1')!.getBoundingClientRect();
      Object.assign(title.style, { position: 'fixed', left: `${name.left}px`, top: `${name.top}px`, margin: '0' });
    });
    assert.ok((await findOverlaps(opened)).some((pair) => pair.includes('almost never free')));
  });

  async function look(name: string, options: PageOptions): Promise<void> {
    const opened = await openPage({ messages: MESSAGES, ...options });
    await opened.settle();
    const width = options.width ?? 1280;
    await opened.page.screenshot({ path: join(folder, `${name}.png`), fullPage: width < 860 });
    assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing scrolls the page sideways');
    assert.deepEqual(await findOverlaps(opened), [], 'nothing lies over anything');
    assert.deepEqual(await findAccessibilityFaults(opened), []);
  }

  for (const page of PAGE_IDS)
    for (const theme of Object.keys(THEMES) as ThemeName[])
      for (const [size, options] of Object.entries(SIZES))
        it(`show the page ${page} in the theme ${theme}, ${size}`, () =>
          look(`${page}-${theme}-${size}`, { theme, ...options, state: { page, selectedDatabaseId: 8 } }));

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`show what opens over the page in the theme ${theme}`, async () => {
      const opened = await openPage({ messages: MESSAGES, theme, state: { selectedDatabaseId: 8 } });
      const { keyboard } = opened.page;
      const check = async (name: string): Promise<void> => {
        await opened.settle();
        await opened.page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
        assert.deepEqual(await findAccessibilityFaults(opened), [], name);
      };
      await opened.page.getByRole('application', { name: 'Timeline of checkpoints' }).focus();
      for (const key of ['m', ...Array<string>(12).fill('ArrowRight'), 'ArrowDown', 'Enter']) await keyboard.press(key);
      await check('measure');
      await opened.page.getByRole('application', { name: 'Timeline of checkpoints' }).focus();
      await keyboard.press('?');
      await check('keys');
      await keyboard.press('Escape');
      await opened.page.getByRole('button', { name: 'What this rests on' }).first().click();
      await check('rests');
      await keyboard.press('Escape');
      await opened.page.getByRole('button', { name: 'How to read this' }).click();
      await check('legend');
      await keyboard.press('Escape');
      await keyboard.press('l');
      await check('checkpoints');
      await keyboard.press('Escape');
      await opened.page.getByRole('button', { name: 'View', exact: true }).click();
      await check('view');
    });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`show every kind of gap in the theme ${theme}`, () =>
      look(`gaps-${theme}`, { theme, messages: [...MESSAGES, { type: 'tracking', tracking: MANY_GAPS }] }));

  for (const width of WIDTHS)
    it(`show each verdict on the instance in ${width} pixels`, async () => {
      const theme = width === WIDTHS[0] ? 'high-contrast-light' : 'dark';
      const opened = await openPage({ messages: MESSAGES, theme, width, height: 900 });
      for (const [name, instance] of Object.entries(FAKE_INSTANCES)) {
        const obstacle = instance.state === 'cannot tell' ? OBSTACLE : null;
        await opened.send({ type: 'server', server: { ...FAKE_SERVER, instance } });
        await opened.send({
          type: 'tracking',
          tracking: fakeTracking(CHECKPOINTS.length, { state: obstacle ? 'not tracking' : 'tracking', obstacle }),
        });
        await opened.settle();
        await opened.page.screenshot({ path: join(folder, `instance-${name.replace(/ /g, '-')}-${width}.png`) });
        assert.equal(
          await opened.page.evaluate(() => document.documentElement.scrollWidth),
          width,
          `${name}: nothing scrolls the page sideways`,
        );
        assert.deepEqual(await findOverlaps(opened), [], `${name}: nothing lies over anything`);
        assert.match((await opened.page.locator('header').textContent()) ?? '', /312 of 400 automatic/, name);
      }
      assert.deepEqual(await findAccessibilityFaults(opened), []);
    });

  for (const [size, options] of Object.entries(SIZES))
    it(`show the review of scripts, ${size}`, () =>
      look(`review-${size}`, { entry: 'review', theme: size === 'middle' ? 'light' : 'dark', ...options, messages: fakeReview() }));

  for (const theme of Object.keys(THEMES) as ThemeName[])
    for (const width of [515, 560, 1050, 1440])
      it(`show before / after while nothing was changed, and once waves were run, in the theme ${theme}, ${width}`, async () => {
        const size = { theme, width, height: 900, state: { page: 'beforeAfter' } } as const;
        await look(`unchanged-${theme}-${width}`, { ...size, messages: [...MESSAGES, { type: 'evidence', evidence: fakeUnchanged() }] });
        await look(`waves-${theme}-${width}`, size);
      });

  it('show what is not there yet', () =>
    look('no-evidence-light', { theme: 'light', messages: fakeMessages(), state: { page: 'beforeAfter' } }));

  for (const pixelRatio of RATIOS)
    it(`have a canvas pixel for each device pixel at a ratio of ${pixelRatio}`, async () => {
      const opened = await openPage({ messages: MESSAGES, pixelRatio });
      const sizes = await opened.page.evaluate(() =>
        [...document.querySelectorAll('canvas')]
          .filter((canvas) => canvas.getBoundingClientRect().width > 0)
          .map((canvas) => {
            const box = canvas.getBoundingClientRect();
            return [canvas.width, box.width * devicePixelRatio, canvas.height, box.height * devicePixelRatio] as const;
          }),
      );
      assert.ok(sizes.length > 0);
      for (const [width, shownWidth, height, shownHeight] of sizes)
        assert.ok(Math.abs(width - shownWidth) < 0.05 && Math.abs(height - shownHeight) < 0.05, sizes.join(' / '));
      await opened.page.screenshot({ path: join(folder, `timeline-dark-ratio-${pixelRatio}.png`) });
    });
});
