/** Draws the dashboard and the review of scripts in every theme and two widths: `npx tsx test/webview/screenshots.ts <folder>`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { END_UTC_MS, FAKE_GAP, fakeMessages, fakeTracking } from './fake-capture';
import { fakeEvidence } from './fake-evidence';
import { fakeReview } from './fake-review';
import { WHOLE } from './timeline-on-page';
import { openPage, startBrowser, type PageOptions } from './page';

async function main(folder: string, only: string | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await startBrowser();
  try {
    for (const [name, options] of Object.entries(SHOTS)) {
      if (only && !name.includes(only)) continue;
      const opened = await openPage(browser, { messages: MESSAGES, state: { selectedDatabaseId: 5 }, ...options });
      await opened.settle();
      await opened.page.screenshot({ path: join(folder, `${name}.png`), fullPage: (options.width ?? 1280) < 860 });
      for (const problem of opened.problems) console.error(`${name}: ${problem}`);
      await opened.page.context().close();
    }
  } finally {
    await browser.close();
  }
}

const MESSAGES = [...fakeMessages(), { type: 'evidence', evidence: fakeEvidence() } as const];

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

const SHOTS: Readonly<Record<string, PageOptions>> = {
  'dark-1280': { theme: 'dark' },
  'light-1280': { theme: 'light' },
  'high-contrast-1280': { theme: 'high-contrast' },
  'high-contrast-light-1280': { theme: 'high-contrast-light' },
  'dark-400': { theme: 'dark', width: 400, height: 800 },
  'light-1024': { theme: 'light', width: 1024, height: 700, pixelRatio: 1.5 },
  // A window of 1280 pixels zoomed to 200 %.
  'dark-zoomed': { theme: 'dark', width: 640, height: 440, pixelRatio: 2 },
  'dark-before-after': { theme: 'dark', state: { page: 'beforeAfter' } },
  'light-io': { theme: 'light', state: { page: 'writeWork', selectedDatabaseId: 8 } },
  'high-contrast-error-log': { theme: 'high-contrast', state: { page: 'errorLog', selectedDatabaseId: 5 } },
  'high-contrast-light-io': { theme: 'high-contrast-light', state: { page: 'writeWork', selectedDatabaseId: 8 } },
  'dark-400-error-log': { theme: 'dark', width: 400, height: 800, state: { page: 'errorLog' } },
  'light-400-io': { theme: 'light', width: 400, height: 800, state: { page: 'writeWork', selectedDatabaseId: 8 } },
  'dark-1024-io': { theme: 'dark', width: 1024, height: 700, state: { page: 'writeWork' } },
  'dark-zoomed-before-after': { theme: 'dark', width: 640, height: 440, pixelRatio: 2, state: { page: 'beforeAfter' } },
  'light-gaps': { theme: 'light', messages: [...MESSAGES, { type: 'tracking', tracking: MANY_GAPS }], state: {} },
  'dark-gaps': { theme: 'dark', messages: [...MESSAGES, { type: 'tracking', tracking: MANY_GAPS }], state: {} },
  'dark-review': { entry: 'review', theme: 'dark', messages: fakeReview(), state: {} },
  'light-400-review': { entry: 'review', theme: 'light', width: 400, height: 800, messages: fakeReview(), state: {} },
  'high-contrast-640-review': { entry: 'review', theme: 'high-contrast', width: 640, height: 440, messages: fakeReview(), state: {} },
  'high-contrast-light-review': { entry: 'review', theme: 'high-contrast-light', messages: fakeReview(), state: {} },
  'light-no-evidence': { theme: 'light', messages: fakeMessages(), state: { page: 'beforeAfter' } },
};

void main(process.argv[2] ?? 'screenshots', process.argv[3]);
