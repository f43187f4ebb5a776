/** Pages of the benchmark: bundled as one script and one style sheet, shown by a browser of their own. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { browserFlags, obtainBrowser } from '../../tools/browser/browser';
import { WIDTH_PX } from './contender';

/** Whole frames are in view. */
const VIEWPORT_HEIGHT_PX = 1100;

/** WebGL by software where there is no graphics card; one renderer for one page. */
const FLAGS = ['--enable-unsafe-swiftshader', '--disable-features=SpareRendererForSitePerProcess'];

interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** What the entry, a text in TypeScript that stands in this folder, makes of itself and of what it imports. */
export async function bundlePage(entry: string): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: __dirname, loader: 'ts' },
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

export interface OpenedPage {
  readonly page: Page;
  /** What tells of the browser, and of the page. */
  readonly ofBrowser: CDPSession;
  readonly ofPage: CDPSession;
  /** Loads a bundle into the page, which is empty before. */
  load(bundle: Bundle): Promise<void>;
}

/** Starts a browser with an empty page for as long as the work takes. */
export async function usePage<T>(work: (opened: OpenedPage) => Promise<T>): Promise<T> {
  const server = await chromium.launchServer({ executablePath: await obtainBrowser(), args: [...browserFlags, ...FLAGS] });
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const viewport = { width: WIDTH_PX, height: VIEWPORT_HEIGHT_PX };
    const page = await browser.newPage({ viewport, deviceScaleFactor: 1, timezoneId: 'UTC', locale: 'en-US' });
    await page.setContent('<!DOCTYPE html><html><head><style>body { margin: 0 }</style></head><body></body></html>');
    return await work({
      page,
      ofBrowser: await browser.newBrowserCDPSession(),
      ofPage: await page.context().newCDPSession(page),
      async load({ script, style }) {
        if (style) await page.addStyleTag({ content: style });
        await page.addScriptTag({ content: script });
      },
    });
  } finally {
    await server.kill();
  }
}
