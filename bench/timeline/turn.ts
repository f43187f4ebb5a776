/** One turn of one contender: a browser of its own, an empty page, the data, the first picture, frames of panning. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { browserFlags, obtainBrowser } from '../../tools/browser/browser';
import { readCpuAtRestMs, readRendererBytes, readScriptMs } from './browser-cost';
import { WIDTH_PX } from './contender';
import type { ContenderName } from './contenders';
import { NOTHING, type Turn } from './outcome';
import type { Stage } from './stage';

/** Whole frames are in view. */
const VIEWPORT_HEIGHT_PX = 1100;

/** A first picture that takes longer is not waited for; nor are the frames after it. */
const PICTURE_BOUND_S = 60;
const FRAMES_BOUND_S = 120;
const WARM = { most: 10, budgetMs: 1000 } as const;
const COUNTED = { most: 100, budgetMs: 4000 } as const;

/** WebGL by software where there is no graphics card; one renderer for one page. */
const FLAGS = ['--enable-unsafe-swiftshader', '--disable-features=SpareRendererForSitePerProcess'];

declare global {
  var stage: Stage;
}

export interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** The page of a contender as one script and one style sheet. */
export async function bundleContender(name: ContenderName): Promise<Bundle> {
  const contents = `import { openStage } from './stage'; import { draw } from './contenders/${name}'; globalThis.stage = openStage(draw);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: __dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'chrome108',
    outdir: join(__dirname, 'dist'),
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** Runs one turn. What takes too long or crashes is said in it. `look` is called with the page when its frames are over. */
export async function runTurn({ script, style }: Bundle, rows: number, look?: (page: Page) => Promise<void>): Promise<Turn> {
  const server = await chromium.launchServer({ executablePath: await obtainBrowser(), args: [...browserFlags, ...FLAGS] });
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({
      viewport: { width: WIDTH_PX, height: VIEWPORT_HEIGHT_PX },
      deviceScaleFactor: 1,
      timezoneId: 'UTC',
      locale: 'en-US',
    });
    await page.setContent('<!DOCTYPE html><html><head><style>body { margin: 0 }</style></head><body></body></html>');
    const cost = { browser: await browser.newBrowserCDPSession(), page: await page.context().newCDPSession(page) };
    await cost.page.send('Performance.enable');
    await page.evaluate(SHOW_SOME_FRAMES);
    const emptyBytes = await readRendererBytes(cost.browser, cost.page);
    if (style) await page.addStyleTag({ content: style });
    await page.addScriptTag({ content: script });
    const turn = await measureTurn(page, cost, rows);
    await look?.(page);
    return { ...turn, bytes: turn.bytes !== null && emptyBytes !== null ? turn.bytes - emptyBytes : null };
  } finally {
    await server.kill();
  }
}

/** An empty page that has been on screen: what every page needs for that is not counted. */
const SHOW_SOME_FRAMES = `new Promise((resolve) => {
  let frames = 0;
  const next = () => (++frames < 30 ? requestAnimationFrame(next) : resolve());
  next();
})`;

interface Cost {
  readonly browser: CDPSession;
  readonly page: CDPSession;
}

async function measureTurn(page: Page, cost: Cost, rows: number): Promise<Turn> {
  const ofPage = (): Promise<number | null> => readRendererBytes(cost.browser, cost.page);
  await page.evaluate((count) => stage.load(count), rows);
  const first = await waitFor(
    page.evaluate(() => stage.drawFirst()),
    page,
    PICTURE_BOUND_S,
  );
  if ('stopped' in first) return { ...NOTHING, stopped: first.stopped };
  const bytes = await ofPage();
  const frames = await waitFor(measureFrames(page, cost), page, FRAMES_BOUND_S);
  if ('stopped' in frames) return { ...NOTHING, firstMs: first.value, bytes, stopped: frames.stopped };
  return { ...NOTHING, firstMs: first.value, ...frames.value, bytes: bytes === null ? null : Math.max(bytes, (await ofPage()) ?? 0) };
}

async function measureFrames(page: Page, { browser, page: session }: Cost): Promise<Pick<Turn, 'scriptMs' | 'cpuMs'>> {
  await page.evaluate(({ most, budgetMs }) => stage.pan(most, budgetMs), WARM);
  const [beginCpuMs, beginScriptMs] = [await readCpuAtRestMs(browser), await readScriptMs(session)];
  const frames = await page.evaluate(({ most, budgetMs }) => stage.pan(most, budgetMs), COUNTED);
  const [endCpuMs, endScriptMs] = [await readCpuAtRestMs(browser), await readScriptMs(session)];
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
    // A crash also fails what runs in the page; which of the two is told first is not certain.
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
