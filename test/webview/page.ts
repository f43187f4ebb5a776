/** A page of ours, the dashboard or a review of scripts, as VS Code makes it (content security policy, theme, messages), in a headless Chromium, fed by the test. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { browserFlags, obtainBrowser } from '../../tools/browser/browser';
import { dashboardStyles, reviewStyles } from '../../src/shell/kit/webview-page';
import type { FromErrorLog, FromReview, ToErrorLog, ToExtension, ToReview, ToWebview } from '../../src/protocol';
import { fakeMessages } from './fake-capture';
import { THEMES, type ThemeName } from './themes';

const ROOT = join(__dirname, '..', '..');
const ORIGIN = 'http://dashboard.test';
const NONCE = 'nonceForThePage';

/** What may be sent to any of the pages. */
export type Message = ToWebview | ToReview | ToErrorLog;
type Answer = ToExtension | FromReview | FromErrorLog;

type Entry = (typeof ENTRIES)[keyof typeof ENTRIES];

/** The entries of the webviews, and what is above their pages. */
const ENTRIES = {
  dashboard: { source: 'src/webview/dashboard/main.ts', title: 'Checkpoint Health', styles: dashboardStyles },
  errorLog: { source: 'src/webview/error-log/main.ts', title: 'ERRORLOG.1: error log', styles: dashboardStyles },
  review: { source: 'src/webview/review/main.ts', title: 'Review scripts — PROD-SQL07', styles: reviewStyles },
} as const;

export interface PageOptions {
  /** The dashboard where nothing is said. */
  readonly entry?: keyof typeof ENTRIES;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly pixelRatio?: number;
  readonly state?: unknown;
  readonly messages?: readonly Message[];
  /** Of the user's language; none: English. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface OpenedPage {
  readonly page: Page;
  /** Console errors, failures of the page and violations of the content security policy. */
  readonly problems: string[];
  send(message: Message): Promise<void>;
  /** What the webview posted, buffers aside. */
  posted(): Promise<readonly Answer[]>;
  /** What the webview keeps over a reload. */
  kept(): Promise<unknown>;
  setTheme(theme: ThemeName): Promise<void>;
  /** Waits until the requested frames are painted. */
  settle(): Promise<void>;
}

/** Starts a Chromium without a window. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await obtainBrowser(), args: [...browserFlags] });
}

/**
 * For a group of tests: a browser as long as the group runs, and a page for each test, fed with a busy server where the test says nothing else.
 * After each test the page must have had no console error and no violation of its content security policy.
 */
export function useBrowser(): (options?: PageOptions) => Promise<OpenedPage> {
  let browser: Browser;
  const pages: OpenedPage[] = [];
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());
  afterEach('no console error and no violation of the content security policy', async () => {
    for (const { page, problems } of pages.splice(0)) {
      await page.context().close();
      assert.deepEqual(problems, []);
    }
  });
  return async (options = {}) => {
    const opened = await openPage(browser, { messages: fakeMessages(), ...options });
    pages.push(opened);
    return opened;
  };
}

const bundles = new Map<string, string>();

function buildBundle(source: string): string {
  const known = bundles.get(source);
  if (known !== undefined) return known;
  const built = buildSync({ entryPoints: [join(ROOT, source)], bundle: true, write: false, format: 'iife', target: 'chrome108' });
  const text = built.outputFiles[0]!.text;
  bundles.set(source, text);
  return text;
}

const writeHtml = (
  { title, styles }: Entry,
  texts: PageOptions['texts'],
): string => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${ORIGIN}; img-src ${ORIGIN} data:; font-src ${ORIGIN}">
${styles.map((name) => `<link rel="stylesheet" href="${ORIGIN}/${name}">`).join('')}<title>${title}</title></head>
<body><div id="app" data-server-id="server-1"${texts === undefined ? '' : ` data-texts="${JSON.stringify(texts).replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`}></div><script nonce="${NONCE}" src="${ORIGIN}/webview.js"></script></body></html>`;

/** Opens a page and sends it the messages. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { theme = 'dark', width = 1280, height = 880, pixelRatio = 1 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: pixelRatio,
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.route(`${ORIGIN}/**`, (route) =>
    serve(route.request().url(), ENTRIES[options.entry ?? 'dashboard'], options.texts).then((answer) => route.fulfill(answer)),
  );
  // The compiler that runs these tests keeps the names of functions with a helper, which functions sent to the page then miss.
  await page.addInitScript('globalThis.__name = (value) => value;');
  await page.addInitScript(installHost, { state: options.state ?? null, theme: THEMES[theme] });
  await page.goto(`${ORIGIN}/index.html`);
  const opened: OpenedPage = {
    page,
    problems,
    send: (message) => page.evaluate(deliver, encode(message)),
    posted: () => page.evaluate(() => (window as unknown as FakeHostWindow).postedMessages),
    kept: () => page.evaluate(() => (window as unknown as FakeHostWindow).keptState),
    setTheme: (name) => page.evaluate(applyTheme, THEMES[name]),
    settle: () => page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))),
  };
  for (const message of options.messages ?? []) await opened.send(message);
  await opened.settle();
  return opened;
}

async function serve(url: string, entry: Entry, texts: PageOptions['texts']): Promise<{ contentType: string; body: string }> {
  if (url.endsWith('/webview.js')) return { contentType: 'text/javascript', body: buildBundle(entry.source) };
  const style = /\/(\w+\.css)$/.exec(url)?.[1];
  if (style !== undefined) return { contentType: 'text/css', body: await readFile(join(ROOT, 'media', 'styles', style), 'utf8') };
  return { contentType: 'text/html', body: url.endsWith('/index.html') ? writeHtml(entry, texts) : '' };
}

interface FakeHostWindow {
  postedMessages: Answer[];
  keptState: unknown;
}

/** Runs in the page before its scripts: what VS Code offers there. */
function installHost(given: { state: unknown; theme: { bodyClass: string; variables: Readonly<Record<string, string>> } }): void {
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
  document.addEventListener(
    'readystatechange',
    () => {
      for (const [name, value] of Object.entries(given.theme.variables))
        document.documentElement.style.setProperty(`--vscode-${name}`, value);
      document.body.className = given.theme.bodyClass;
    },
    { once: true },
  );
}

function applyTheme(theme: { bodyClass: string; variables: Readonly<Record<string, string>> }): void {
  document.documentElement.removeAttribute('style');
  for (const [name, value] of Object.entries(theme.variables)) document.documentElement.style.setProperty(`--vscode-${name}`, value);
  document.body.className = theme.bodyClass;
}

/** Playwright passes JSON; buffers travel as numbers and become buffers again in the page. */
function encode(message: Message): string {
  return JSON.stringify(message, (_, value: unknown) =>
    value instanceof ArrayBuffer ? { buffer: Buffer.from(value).toString('base64') } : value,
  );
}

function deliver(text: string): void {
  const isBuffer = (value: unknown): value is { buffer: string } => typeof value === 'object' && value !== null && 'buffer' in value;
  const data: unknown = JSON.parse(text, (_, value: unknown) =>
    isBuffer(value) ? Uint8Array.from(atob(value.buffer), (c) => c.charCodeAt(0)).buffer : value,
  );
  window.dispatchEvent(new MessageEvent('message', { data }));
}
