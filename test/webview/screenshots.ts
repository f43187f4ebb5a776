/** Draws the dashboard in every theme and two widths: `npx tsx test/webview/screenshots.ts <folder>`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fakeMessages } from './fake-capture';
import { openPage, startBrowser, type PageOptions } from './page';

async function main(folder: string, only: string | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await startBrowser();
  try {
    for (const [name, options] of Object.entries(SHOTS)) {
      if (only && !name.includes(only)) continue;
      const opened = await openPage(browser, { messages: fakeMessages(), state: { selectedDatabaseId: 5 }, ...options });
      await opened.settle();
      await opened.page.screenshot({ path: join(folder, `${name}.png`), fullPage: (options.width ?? 1280) < 860 });
      for (const problem of opened.problems) console.error(`${name}: ${problem}`);
      await opened.page.context().close();
    }
  } finally {
    await browser.close();
  }
}

const SHOTS: Readonly<Record<string, PageOptions>> = {
  'dark-1280': { theme: 'dark' },
  'light-1280': { theme: 'light' },
  'high-contrast-1280': { theme: 'high-contrast' },
  'high-contrast-light-1280': { theme: 'high-contrast-light' },
  'dark-400': { theme: 'dark', width: 400, height: 800 },
  'light-1024': { theme: 'light', width: 1024, height: 700, pixelRatio: 1.5 },
};

void main(process.argv[2] ?? 'screenshots', process.argv[3]);
