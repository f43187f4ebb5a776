/** Pages of the benchmark, bundled as one script and one style sheet and shown in a browser of their own. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { browserFlags, obtainBrowser } from '../../tools/browser/browser';
import { WIDTH_PX } from './contender';

/** High enough to show whole frames. */
const VIEWPORT_HEIGHT_PX = 1100;

/** WebGL in software if there is no graphics card; one renderer for one page. */
const FLAGS = ['--enable-unsafe-swiftshader', '--disable-features=SpareRendererForSitePerProcess'];

interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** Bundles the entry, a TypeScript text as if it were in this folder, with all its imports. */
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
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

export interface OpenedPage {
  readonly page: Page;
  /** Developer-tools sessions of the browser and of the page. */
  readonly ofBrowser: CDPSession;
  readonly ofPage: CDPSession;
  load(bundle: Bundle): Promise<void>;
}

/** Opens a browser with an empty page while the work runs. */
export async function usePage<T>(work: (opened: OpenedPage) => Promise<T>): Promise<T> {
  const server = await chromium.launchServer({
    executablePath: await obtainBrowser(),
    args: [...browserFlags, ...FLAGS],
  });
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const viewport = { width: WIDTH_PX, height: VIEWPORT_HEIGHT_PX };
    const page = await browser.newPage({
      viewport,
      deviceScaleFactor: 1,
      timezoneId: 'UTC',
      locale: 'en-US',
    });
    await page.setContent(
      '<!DOCTYPE html><html><head><style>body { margin: 0 }</style></head><body></body></html>',
    );
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
