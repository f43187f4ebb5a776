/** One turn of one contender: a browser of its own, an empty page, the data, the first picture, frames of panning. */
import { readCpuAtRestMs, readRendererBytes, readScriptMs } from './browser-cost';
import { bundlePage, usePage, type OpenedPage } from './browser-page';
import type { ContenderName } from './contenders';
import type { Turn } from './outcome';
import type { Stage } from './stage';

const WARM = { most: 10, budgetMs: 1000 } as const;
const COUNTED = { most: 100, budgetMs: 4000 } as const;

declare global {
  var stage: Stage;
}

/** Runs one turn. @throws Error if the page crashes */
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
  const firstMs = await page.evaluate(() => stage.drawFirst());
  const bytes = await readRendererBytes(ofBrowser, ofPage);
  const frames = await measureFrames(opened);
  const panned = await readRendererBytes(ofBrowser, ofPage);
  return { firstMs, ...frames, bytes: bytes === null || panned === null ? null : Math.max(bytes, panned) };
}

async function measureFrames({
  page,
  ofBrowser,
  ofPage,
}: OpenedPage): Promise<Pick<Turn, 'scriptMs' | 'cpuMs'>> {
  await page.evaluate(({ most, budgetMs }) => stage.pan(most, budgetMs), WARM);
  const [beginCpuMs, beginScriptMs] = [await readCpuAtRestMs(ofBrowser), await readScriptMs(ofPage)];
  const frames = await page.evaluate(({ most, budgetMs }) => stage.pan(most, budgetMs), COUNTED);
  const [endCpuMs, endScriptMs] = [await readCpuAtRestMs(ofBrowser), await readScriptMs(ofPage)];
  return { scriptMs: (endScriptMs - beginScriptMs) / frames, cpuMs: (endCpuMs - beginCpuMs) / frames };
}
