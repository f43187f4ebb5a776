/**
 * Draws the dashboard and the review of scripts, in every theme and in every width: to be looked at in
 * artifacts/screenshots/pictures, and held to what can be measured.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_IDS } from '../../src/webview/model/view-state';
import { findAccessibilityFaults } from '../webview/accessibility';
import {
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_GAP,
  FAKE_OBSTACLE,
  FAKE_SERVER,
  fakeMessages,
  fakeTracking,
} from '../webview/fake-capture';
import { fakeEvidence, fakeUnchanged } from '../webview/fake-evidence';
import { FAKE_INSTANCES } from '../webview/fake-instance';
import { fakeReview } from '../webview/fake-review';
import { FAKE_MARKS, FAKE_SAMPLES } from '../webview/fake-samples';
import { describePages, type OpenedPage, type PageOptions } from '../webview/page';
import { THEME_NAMES } from '../webview/themes';
import { pressKeys, WHOLE } from '../webview/timeline-on-page';
import { findOverlaps } from './overlaps';
import { gapOf } from '../core/gap-of';

const folder = join(__dirname, '..', '..', 'artifacts', 'screenshots', 'pictures');
const MESSAGES = [
  ...fakeMessages(),
  FAKE_SAMPLES,
  FAKE_MARKS,
  { type: 'evidence', evidence: fakeEvidence() } as const,
];

/** Each kind of hatching, two gaps over each other, and one as narrow as a pixel. */
const MANY_GAPS = fakeTracking(3717, {
  observation: {
    ...WHOLE,
    gaps: [
      FAKE_GAP,
      gapOf('failover', FAKE_GAP.endUtcMs - 60_000, FAKE_GAP.endUtcMs + 240_000, 'PROD-SQL08 answered'),
      gapOf('events lost', FAKE_GAP.endUtcMs + 1_800_000, FAKE_GAP.endUtcMs + 3_000_000, '214 events'),
      gapOf('permission lost', END_UTC_MS - 1_200_000, END_UTC_MS - 1_190_000, 'VIEW SERVER STATE'),
    ],
  },
  lostEvents: 214,
  lostBuffers: 1,
});

type Size = Pick<PageOptions, 'width' | 'height' | 'pixelRatio'>;

/** A small window, a pane beside an editor, and a window of 1,280 pixels zoomed to 200 %. */
const SIZES: Readonly<Record<string, Size>> = {
  middle: { width: 1024, height: 700, pixelRatio: 1.5 },
  narrow: { width: 400, height: 800 },
  zoomed: { width: 640, height: 440, pixelRatio: 2 },
};
/** Of panes as people have them. */
const WIDTHS = [515, 560, 1050, 1440];

describePages('The pictures of the dashboard', (open) => {
  before(() => mkdirSync(folder, { recursive: true }));

  async function lookAtLayout(opened: OpenedPage, name: string, width = 1280): Promise<void> {
    await opened.page.screenshot({ path: join(folder, `${name}.png`), fullPage: width < 860 });
    assert.equal(await opened.widthPx(), width, `${name}: nothing scrolls the page sideways`);
    assert.deepEqual(await findOverlaps(opened), [], `${name}: nothing lies over anything`);
  }

  async function look(opened: OpenedPage, name: string, width?: number): Promise<void> {
    await lookAtLayout(opened, name, width);
    assert.deepEqual(await findAccessibilityFaults(opened), [], name);
  }

  it('are held to a measure that finds a text over another', async () => {
    const opened = await open({ messages: MESSAGES });
    await opened.page.evaluate(() => {
      const title = document.querySelector<HTMLElement>('.instance h2')!;
      const name = document.querySelector('h1')!.getBoundingClientRect();
      Object.assign(title.style, {
        position: 'fixed',
        left: `${name.left}px`,
        top: `${name.top}px`,
        margin: '0',
      });
    });
    assert.ok((await findOverlaps(opened)).some((pair) => pair.includes('almost never free')));
  });

  for (const page of PAGE_IDS) {
    const state = { page, selectedDatabaseId: 8 };

    it(`show the page ${page} in every theme`, async () => {
      const opened = await open({ messages: MESSAGES, state });
      for (const theme of THEME_NAMES) {
        await opened.setTheme(theme);
        await look(opened, `${page}-${theme}-wide`);
      }
    });

    for (const [name, size] of Object.entries(SIZES))
      it(`show the page ${page}, ${name}`, async () =>
        look(await open({ messages: MESSAGES, state, ...size }), `${page}-dark-${name}`, size.width));
  }

  for (const theme of THEME_NAMES)
    it(`show what opens over the page in the theme ${theme}`, async () => {
      const opened = await open({ messages: MESSAGES, theme, state: { selectedDatabaseId: 8 } });
      const check = async (name: string): Promise<void> => {
        await opened.page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
        assert.deepEqual(await findAccessibilityFaults(opened), [], name);
      };
      await pressKeys(opened, 'm', ...Array<string>(12).fill('ArrowRight'), 'ArrowDown', 'Enter');
      await check('measure');
      await pressKeys(opened, '?');
      await check('keys');
      await opened.press('Escape');
      await opened.click(opened.button('What this rests on').first());
      await check('rests');
      await opened.press('Escape');
      await opened.click(opened.button('How to read this'));
      await check('legend');
      await opened.press('Escape', 'l');
      await check('checkpoints');
      await opened.press('Escape');
      await opened.click(opened.button('View'));
      await check('view');
    });

  it('show every kind of gap in every theme', async () => {
    const opened = await open({ messages: [...MESSAGES, { type: 'tracking', tracking: MANY_GAPS }] });
    for (const theme of THEME_NAMES) {
      await opened.setTheme(theme);
      await look(opened, `gaps-${theme}`);
    }
  });

  for (const width of WIDTHS) {
    const size = { theme: width === WIDTHS[0] ? 'high-contrast-light' : 'dark', width, height: 900 } as const;

    it(`show each verdict on the instance in ${width} pixels`, async () => {
      const opened = await open({ messages: MESSAGES, ...size });
      for (const [name, instance] of Object.entries(FAKE_INSTANCES)) {
        const blind =
          instance.state === 'cannot tell'
            ? ({ state: 'not tracking', obstacle: FAKE_OBSTACLE } as const)
            : {};
        await opened.send(
          { type: 'server', server: { ...FAKE_SERVER, instance } },
          { type: 'tracking', tracking: fakeTracking(FAKE_CHECKPOINTS.length, blind) },
        );
        await lookAtLayout(opened, `instance-${name.replace(/ /g, '-')}-${width}`, width);
        assert.match((await opened.page.locator('header').textContent()) ?? '', /312 of 400 automatic/, name);
      }
      assert.deepEqual(await findAccessibilityFaults(opened), []);
    });

    it(`show before / after once waves were run, and while nothing was changed, ${width}`, async () => {
      const opened = await open({ messages: MESSAGES, ...size, state: { page: 'beforeAfter' } });
      await look(opened, `waves-${width}`, width);
      await opened.send({ type: 'evidence', evidence: fakeUnchanged() });
      await look(opened, `unchanged-${width}`, width);
    });
  }

  for (const [name, size] of Object.entries({ wide: {}, ...SIZES }))
    it(`show the review of scripts, ${name}`, async () => {
      const theme = name === 'middle' ? 'light' : 'dark';
      await look(
        await open({ entry: 'review', theme, ...size, messages: fakeReview() }),
        `review-${name}`,
        (size as Size).width,
      );
    });

  it('show what is not there yet', async () =>
    look(
      await open({ theme: 'light', messages: fakeMessages(), state: { page: 'beforeAfter' } }),
      'no-evidence-light',
    ));

  for (const pixelRatio of [1, 1.25, 1.5, 1.75, 2])
    it(`have a canvas pixel for each device pixel at a ratio of ${pixelRatio}`, async () => {
      const { page } = await open({ messages: MESSAGES, pixelRatio });
      const sizes = await page.evaluate(() =>
        [...document.querySelectorAll('canvas')]
          .filter((canvas) => canvas.getBoundingClientRect().width > 0)
          .map((canvas) => {
            const box = canvas.getBoundingClientRect();
            return [
              canvas.width,
              box.width * devicePixelRatio,
              canvas.height,
              box.height * devicePixelRatio,
            ] as const;
          }),
      );
      assert.ok(sizes.length > 0);
      for (const [width, shownWidth, height, shownHeight] of sizes)
        assert.ok(
          Math.abs(width - shownWidth) < 0.05 && Math.abs(height - shownHeight) < 0.05,
          sizes.join(' / '),
        );
      await page.screenshot({ path: join(folder, `timeline-dark-ratio-${pixelRatio}.png`) });
    });
});
