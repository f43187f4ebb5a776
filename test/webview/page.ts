/**
 * A page of ours, the dashboard or a review of scripts, as VS Code makes it (content security policy, theme, messages),
 * in a headless Chromium, fed by the test.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { browserFlags, obtainBrowser } from '../../tools/browser/browser';
import { dashboardStyles, reviewStyles } from '../../src/shell/kit/webview-page';
import type {
  FromErrorLog,
  FromReview,
  ToErrorLog,
  ToExtension,
  ToReview,
  ToWebview,
} from '../../src/protocol';
import { fakeMessages } from './fake-capture';
import { THEMES, type ThemeName } from './themes';

const ROOT = join(__dirname, '..', '..');
const ORIGIN = 'http://dashboard.test';
const NONCE = 'nonceForThePage';

/** What may be sent to any of the pages. */
export type Message = ToWebview | ToReview | ToErrorLog;
type Answer = ToExtension | FromReview | FromErrorLog;

/** The entries of the webviews, and what is above their pages. */
const ENTRIES = {
  dashboard: { source: 'src/webview/dashboard/main.ts', title: 'Checkpoint Health', styles: dashboardStyles },
  errorLog: {
    source: 'src/webview/error-log/main.ts',
    title: 'ERRORLOG.1: error log',
    styles: dashboardStyles,
  },
  review: {
    source: 'src/webview/review/main.ts',
    title: 'Review scripts — PROD-SQL07',
    styles: reviewStyles,
  },
} as const;

export interface PageOptions {
  /** The dashboard where nothing is said. */
  readonly entry?: keyof typeof ENTRIES;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly pixelRatio?: number;
  readonly state?: unknown;
  /** A busy server where nothing is said. */
  readonly messages?: readonly Message[];
  /** Of the user's language; none: English. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A tab that shows one page after the other, as starting one takes longer than most tests. */
interface Tab {
  readonly page: Page;
  /** Console errors, failures of the page and violations of the content security policy. */
  readonly problems: string[];
  shown: PageOptions;
}

let browser: Promise<Browser> | null = null;
/** One for each ratio of pixels. */
const tabs = new Map<number, Promise<Tab>>();
after(async () => (await browser)?.close());

/**
 * Tests of pages, each opened in place of the one before. They must have had no console error and no violation of their
 * content security policy.
 */
export function describePages(
  title: string,
  define: (open: (options?: PageOptions) => Promise<OpenedPage>) => void,
): void {
  describe(title, function () {
    const used = new Set<Tab>();
    afterEach('no console error and no violation of the content security policy', () => {
      const problems = [...used].flatMap((tab) => tab.problems.splice(0));
      used.clear();
      assert.deepEqual(problems, []);
    });
    define(async (options = {}) => {
      const { pixelRatio = 1 } = options;
      const opening = tabs.get(pixelRatio) ?? openTab(pixelRatio);
      tabs.set(pixelRatio, opening);
      const tab = await opening;
      used.add(tab);
      return show(tab, options);
    });
  });
}

async function openTab(pixelRatio: number): Promise<Tab> {
  browser ??= obtainBrowser().then((executablePath) =>
    chromium.launch({ executablePath, args: [...browserFlags] }),
  );
  const context = await (
    await browser
  ).newContext({ deviceScaleFactor: pixelRatio, timezoneId: 'UTC', locale: 'en-US' });
  const page = await context.newPage();
  const tab: Tab = { page, problems: [], shown: {} };
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && tab.problems.push(message.text()),
  );
  page.on('pageerror', (error) => tab.problems.push(String(error)));
  await page.route(`${ORIGIN}/**`, async (route) =>
    route.fulfill(await answer(new URL(route.request().url()).pathname, tab.shown)),
  );
  return tab;
}

let opened = 0;

async function show(tab: Tab, options: PageOptions): Promise<OpenedPage> {
  const { page } = tab;
  tab.shown = options;
  // What a test before left behind: where its pointer is, and its media.
  await page.mouse.move(-1, -1);
  await page.emulateMedia({ reducedMotion: null, forcedColors: null });
  await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 880 });
  await page.goto(`${ORIGIN}/index.html?${++opened}`);
  const onPage = new OpenedPage(page);
  await onPage.send(...(options.messages ?? fakeMessages()));
  return onPage;
}

/** A page of ours that is shown. What is done to it is painted when the promise is kept. */
export class OpenedPage {
  constructor(readonly page: Page) {}

  async send(...messages: readonly Message[]): Promise<void> {
    for (const message of messages) await this.page.evaluate(deliver, encode(message));
    await this.settle();
  }

  async click(what: Locator): Promise<void> {
    await what.click();
    await this.settle();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.settle();
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    await this.settle();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }

  get panel(): Locator {
    return this.page.getByRole('tabpanel');
  }

  /** What the webview posted, buffers aside. */
  posted(): Promise<readonly Answer[]> {
    return this.page.evaluate(() => (window as unknown as FakeHostWindow).postedMessages);
  }

  async lastPosted(): Promise<Answer | undefined> {
    return (await this.posted()).at(-1);
  }

  /** What the webview keeps over a reload. */
  kept(): Promise<unknown> {
    return this.page.evaluate(() => (window as unknown as FakeHostWindow).keptState);
  }

  /** What has the focus. */
  active(): Promise<{
    readonly id: string;
    readonly className: string;
    readonly tag: string;
    readonly text: string;
  }> {
    return this.page.evaluate(() => {
      const { id, className, tagName, textContent } = document.activeElement ?? document.body;
      return { id, className, tag: tagName, text: textContent ?? '' };
    });
  }

  /** How wide the page is; more than its window where it scrolls sideways. */
  widthPx(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth);
  }

  async setTheme(name: ThemeName): Promise<void> {
    await this.page.evaluate(applyTheme, THEMES[name]);
    await this.settle();
  }

  /** Waits until the requested frames are painted. */
  settle(): Promise<void> {
    return this.page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    );
  }
}

const bundles = new Map<string, string>();

function buildBundle(source: string): string {
  const known = bundles.get(source);
  if (known !== undefined) return known;
  const built = buildSync({
    entryPoints: [join(ROOT, source)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome108',
  });
  const text = built.outputFiles[0]!.text;
  bundles.set(source, text);
  return text;
}

/** What is at an address while a page is shown. */
async function answer(path: string, shown: PageOptions): Promise<{ contentType: string; body: string }> {
  if (path === '/index.html') return { contentType: 'text/html', body: writeHtml(shown) };
  if (path === '/webview.js')
    return { contentType: 'text/javascript', body: buildBundle(ENTRIES[shown.entry ?? 'dashboard'].source) };
  if (!path.endsWith('.css')) return { contentType: 'text/html', body: '' };
  return { contentType: 'text/css', body: await readFile(join(ROOT, 'media', 'styles', path), 'utf8') };
}

function writeHtml({ entry = 'dashboard', theme = 'dark', state = null, texts }: PageOptions): string {
  const { styles, title } = ENTRIES[entry];
  const inAttribute = texts && JSON.stringify(texts).replace(/&/g, '&amp;').replace(/"/g, '&quot;');
  const given = JSON.stringify({ state, theme: THEMES[theme] }).replace(/</g, '\\u003c');
  // The compiler that runs these tests keeps the names of functions with a helper, which functions sent to the page
  // then miss.
  const host = `globalThis.__name = (value) => value; ${applyTheme.toString()}; (${installHost.toString()})(${given});`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${ORIGIN}; img-src ${ORIGIN} data:; font-src ${ORIGIN}">
${styles.map((name) => `<link rel="stylesheet" href="${ORIGIN}/${name}">`).join('')}<title>${title}</title></head>
<body><script nonce="${NONCE}">${host}</script><div id="app" data-server-id="server-1" data-server-label="as the pane names it"${texts ? ` data-texts="${inAttribute}"` : ''}></div>
<script nonce="${NONCE}" src="${ORIGIN}/webview.js"></script></body></html>`;
}

interface FakeHostWindow {
  postedMessages: Answer[];
  keptState: unknown;
}

type Theme = (typeof THEMES)[ThemeName];

/** Runs in the page before its scripts: what VS Code offers there. */
function installHost(given: { readonly state: unknown; readonly theme: Theme }): void {
  const fake = window as unknown as FakeHostWindow & { acquireVsCodeApi: () => unknown };
  fake.postedMessages = [];
  fake.keptState = given.state;
  fake.acquireVsCodeApi = () => ({
    postMessage: (message: Answer) => fake.postedMessages.push(message),
    getState: () => fake.keptState,
    setState: (state: unknown) => (fake.keptState = JSON.parse(JSON.stringify(state))),
  });
  document.addEventListener('securitypolicyviolation', (event) =>
    console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`),
  );
  applyTheme(given.theme);
}

function applyTheme(theme: Theme): void {
  document.documentElement.removeAttribute('style');
  for (const [name, value] of Object.entries(theme.variables))
    document.documentElement.style.setProperty(`--vscode-${name}`, value);
  document.body.className = theme.bodyClass;
}

/** Playwright passes JSON; buffers travel as text and become buffers again in the page. */
function encode(message: Message): string {
  return JSON.stringify(message, (_, value: unknown) =>
    value instanceof ArrayBuffer ? { buffer: Buffer.from(value).toString('base64') } : value,
  );
}

function deliver(text: string): void {
  const isBuffer = (value: unknown): value is { buffer: string } =>
    typeof value === 'object' && value !== null && 'buffer' in value;
  const data: unknown = JSON.parse(text, (_, value: unknown) =>
    isBuffer(value) ? Uint8Array.from(atob(value.buffer), (c) => c.charCodeAt(0)).buffer : value,
  );
  window.dispatchEvent(new MessageEvent('message', { data }));
}
