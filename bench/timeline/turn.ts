/** One turn of one contender: a browser of its own, an empty page, the data, the first picture, frames of panning. */
import type { Page } from 'playwright-core';
import { readCpuAtRestMs, readRendererBytes, readScriptMs } from './browser-cost';
import { bundlePage, usePage, type OpenedPage } from './browser-page';
import type { ContenderName } from './contenders';
import { NOTHING, type Turn } from './outcome';
import type { Stage } from './stage';

/** Seconds that we wait for the first picture, and for the frames after it. */
const PICTURE_BOUND_S = 60;
const FRAMES_BOUND_S = 120;
const WARM = { most: 10, budgetMs: 1000 } as const;
const COUNTED = { most: 100, budgetMs: 4000 } as const;

declare global {
  var stage: Stage;
}

/** Runs one turn. If it takes too long or crashes, the result says so. */
export async function runTurn(name: ContenderName, rows: number): Promise<Turn> {
  const bundle = await bundlePage(
    `import { openStage } from './stage'; import { draw } from './contenders/${name}'; globalThis.stage = openStage(draw);`,
  );
  return usePage(async (opened) => {
    // Thread time, because on a busy machine a clock counts the work of others too.
    await opened.ofPage.send('Performance.enable', { timeDomain: 'threadTicks' });
    await opened.page.evaluate(SHOW_SOME_FRAMES);
    const emptyBytes = await readRendererBytes(opened.ofBrowser, opened.ofPage);
    await opened.load(bundle);
    const turn = await measureTurn(opened, rows);
    return { ...turn, bytes: turn.bytes !== null && emptyBytes !== null ? turn.bytes - emptyBytes : null };
  });
}

/** Waits until the empty page has been on screen, so that what every page costs is not counted. */
const SHOW_SOME_FRAMES = `new Promise((resolve) => {
  let frames = 0;
  const next = () => (++frames < 30 ? requestAnimationFrame(next) : resolve());
  next();
})`;

async function measureTurn(opened: OpenedPage, rows: number): Promise<Turn> {
  const { page, ofBrowser, ofPage } = opened;
  await page.evaluate((count) => stage.load(count), rows);
  const first = await waitFor(
    page.evaluate(() => stage.drawFirst()),
    page,
    PICTURE_BOUND_S,
  );
  if ('stopped' in first) return { ...NOTHING, stopped: first.stopped };
  const bytes = await readRendererBytes(ofBrowser, ofPage);
  const frames = await waitFor(measureFrames(opened), page, FRAMES_BOUND_S);
  if ('stopped' in frames) return { ...NOTHING, firstMs: first.value, bytes, stopped: frames.stopped };
  const panned = await readRendererBytes(ofBrowser, ofPage);
  return { ...NOTHING, firstMs: first.value, ...frames.value, bytes: bytes === null || panned === null ? null : Math.max(bytes, panned) };
}

async function measureFrames({ page, ofBrowser, ofPage }: OpenedPage): Promise<Pick<Turn, 'scriptMs' | 'cpuMs'>> {
  await page.evaluate(({ most, budgetMs }) => stage.pan(most, budgetMs), WARM);
  const [beginCpuMs, beginScriptMs] = [await readCpuAtRestMs(ofBrowser), await readScriptMs(ofPage)];
  const frames = await page.evaluate(({ most, budgetMs }) => stage.pan(most, budgetMs), COUNTED);
  const [endCpuMs, endScriptMs] = [await readCpuAtRestMs(ofBrowser), await readScriptMs(ofPage)];
  return { scriptMs: (endScriptMs - beginScriptMs) / frames, cpuMs: (endCpuMs - beginCpuMs) / frames };
}

type Waited<T> = { readonly value: T } | { readonly stopped: string };

async function waitFor<T>(work: Promise<T>, page: Page, boundS: number): Promise<Waited<T>> {
  let timer: NodeJS.Timeout | undefined;
  const stops = new Promise<Waited<T>>((resolve) => {
    timer = setTimeout(() => resolve({ stopped: `none in ${boundS} s` }), boundS * 1000);
    page.once('crash', () => resolve({ stopped: 'the page crashed' }));
  });
  try {
    // A crash also fails the script in the page; either may be reported first.
    return await Promise.race([
      work.then(
        (value) => ({ value }),
        (error: unknown) => ({ stopped: describeFailure(error) }),
      ),
      stops,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

const describeFailure = (error: unknown): string => `failed: ${String(error).split('\n')[0]!.replace(/\|/g, '/').slice(0, 120)}`;
