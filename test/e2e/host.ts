import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type FrameLocator,
  type Locator,
  type Page,
} from 'playwright-core';
import { browserFlags, obtainBrowser } from '../../tools/browser/browser';
import { root } from '../../tools/packages';
import { devVsixFile } from '../../tools/build/vsix';
import { startVsCode, type VsCodeServer, type Editor } from '../../tools/vscode/server';
import { appears, eventually, REACTION_MS } from './eventually';
import { listLeftBehind, watchPage } from './left-behind';
import { waitUntilStored } from './stored-editors';
import { openChannel, type Channel, type OpenDocument } from './channel';

/**
 * Names of VS Code's own themes, as the setting `workbench.colorTheme` takes them, and the classes that workbench and
 * webviews get for each.
 */
export const themes = {
  dark: { name: 'Default Dark Modern', workbenchClass: 'vs-dark', webviewClass: 'vscode-dark' },
  light: { name: 'Default Light Modern', workbenchClass: 'vs', webviewClass: 'vscode-light' },
  highContrast: {
    name: 'Default High Contrast',
    workbenchClass: 'hc-black',
    webviewClass: 'vscode-high-contrast',
  },
} as const;
type Theme = keyof typeof themes;

/**
 * What the row of a server says once it was read: how busy its checkpoint task is, or how many databases are automatic.
 */
export const serverFigure = /\d of \d+ automatic|% busy|queue \d/;

/**
 * Starts a VS Code with the extensions installed and opens it in a Chromium. Dispose it in `after`, also when the tests
 * failed.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const vsixFiles = [...options.vsixFiles, devVsixFile];
  for (const file of vsixFiles)
    if (!existsSync(file)) throw new Error(`${file} is missing: run npm run package first`);
  await obtainBrowser();
  const vscode = await startVsCode({
    vsixFiles,
    completeExtensions: options.completeExtensions,
    editor: options.editor,
    machineSettings: options.machineSettings,
    settings: { 'workbench.colorTheme': themes.dark.name, 'workbench.reduceMotion': 'on' },
    env: (folder) => ({
      ...options.env,
      CHECKPOINT_HEALTH_DEV_CHANNEL: channelFile(folder),
      ...(options.server && { CHECKPOINT_HEALTH_DEV_SERVER: JSON.stringify(options.server) }),
    }),
  });
  let host: Host | undefined;
  try {
    host = new Host(vscode, await launchBrowser(vscode, options));
    await host.openPage(options);
    // A web editor keeps its user settings in the browser: the file of the server is not asked for the theme.
    await host.setTheme('dark');
    return host;
  } catch (error) {
    await (host === undefined ? vscode.end() : host.dispose());
    throw error;
  }
}

/** A running browser: windows with nothing of one another in them, or with one profile. */
interface Browsing {
  open(options: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

async function launchBrowser(
  { folder }: VsCodeServer,
  { hasBrowserProfile }: HostOptions,
): Promise<Browsing> {
  const launch = { executablePath: await obtainBrowser(), args: [...browserFlags] };
  if (!hasBrowserProfile) {
    const browser = await chromium.launch(launch);
    return { open: (options) => browser.newContext(options), close: () => browser.close() };
  }
  let context: BrowserContext | undefined;
  return {
    open: async (options) =>
      (context = await chromium.launchPersistentContext(join(folder, 'browser'), { ...launch, ...options })),
    close: async () => context?.close(),
  };
}

function channelFile(folder: string): string {
  return join(folder, 'channel');
}

/**
 * One VS Code in one browser page. What a user does goes through the page; what only the editor knows goes through the
 * channel.
 */
export class Host {
  #page: Page | undefined;
  #channel: Channel | undefined;
  /** All that the page wrote on its console, and what it should not have. */
  readonly #said: string[] = [];
  readonly #noted: string[] = [];

  constructor(
    readonly vscode: VsCodeServer,
    private readonly browser: Browsing,
  ) {}

  /** The workbench's page, for whatever the functions below do not cover. */
  get page(): Page {
    if (!this.#page) throw new Error('no page is open');
    return this.#page;
  }

  /** Questions to the extension host. */
  get channel(): Channel {
    if (!this.#channel) throw new Error('the extension host is not ready');
    return this.#channel;
  }

  /** Opens the workbench, and waits until it and the extension host are ready. */
  async openPage({ language }: Pick<HostOptions, 'language'>): Promise<void> {
    const context = await this.browser.open({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    // Without a server that hands out half of the key, the web VS Code forgets its secrets with each reload.
    await context.route('**/mint-key', (route) => route.fulfill({ body: Buffer.alloc(32, 7) }));
    // A language pack would say so; none is in a package registry. The workbench stays English, extensions get what
    // they have of the language.
    if (language)
      await context.addInitScript((of) => Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: of }), language);
    this.#page = await context.newPage();
    this.page.setDefaultTimeout(REACTION_MS);
    watchPage(this.page, this.#said, this.#noted);
    await this.page.goto(this.vscode.address);
    await this.#waitUntilReady();
  }

  /**
   * Reloads the window: the page is loaded again, and what the editor keeps in the browser stays.
   * @param stored parts of the state of panels that must have been stored by then: a busy editor writes later
   */
  async reload({ stored = [] as readonly string[] } = {}): Promise<void> {
    await this.page.waitForTimeout(6_000); // The web workbench writes what it is to restore every five seconds.
    await waitUntilStored(this.page, stored);
    rmSync(channelFile(this.vscode.folder), { force: true });
    await this.page.reload();
    await this.#waitUntilReady();
  }

  async #waitUntilReady(): Promise<void> {
    await this.page.locator('.monaco-workbench .activitybar').waitFor();
    this.#channel = await openChannel(channelFile(this.vscode.folder));
  }

  /** Adds a server as another extension would, says yes to it, and opens its row. Gives its id. */
  async addServer(server: ServerToAdd): Promise<string> {
    const added: Promise<string> = this.channel.ask('addServer', { server });
    await this.answerDialog('Add and Keep the Password');
    const id = await added;
    await this.expandRow(this.treeRows(new RegExp(`^\\s*${server.name}`)).first());
    return id;
  }

  /**
   * Runs a command as a user does: command palette, title, Enter. The title is the one in the palette, category
   * included: `Checkpoint Health: Refresh`.
   */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const box = this.page.locator('.quick-input-widget:visible');
    await box.locator('input[type=text]').fill(`>${title}`);
    await box.getByRole('option', { name: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Chooses the entry of the quick pick on screen whose label begins with this text. */
  async choose(label: string): Promise<void> {
    const option = this.page.locator('.quick-input-widget:visible').getByRole('option', { name: label });
    await option.first().click();
  }

  /** Presses a button of the modal dialog on screen. */
  async answerDialog(button: string): Promise<void> {
    await this.page.locator('.monaco-dialog-box').getByRole('button', { name: button, exact: true }).click();
  }

  /** Texts of the notifications on screen. */
  notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  /** Opens a view container by the title of its icon in the activity bar; leaves it open where it is. */
  async openViewContainer(title: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: title });
    const heading = this.page.locator('.sidebar .composite.title').getByText(title, { exact: false }).first();
    await tab.waitFor();
    // A second click closes the container, and an extension may open it by itself in between: look, click, look again.
    for (let attempt = 1; attempt < 5; attempt++) {
      if (!(await heading.isVisible())) await tab.click();
      if (await appears(heading, 3_000)) break;
    }
    await heading.waitFor();
    // What the editor says of the icon under the pointer would lie over the rows.
    await this.page.mouse.move(5, 5);
  }

  /** Title of our pane where the container has others too: then only its rows are meant. */
  paneTitle: string | null = null;

  /**
   * Rows of the tree on screen; `text` keeps those that contain it. Rows that are scrolled out of sight do not exist.
   */
  treeRows(text?: string | RegExp): Locator {
    const pane =
      this.paneTitle === null
        ? '.sidebar'
        : `.sidebar .pane:has(> .pane-header[aria-label^="${this.paneTitle}"])`;
    const rows = this.page.locator(`${pane} .pane-body .monaco-list-row`);
    return text === undefined ? rows : rows.filter({ hasText: text });
  }

  /** Opens a tree row that has children, and waits until it is open. */
  async expandRow(row: Locator): Promise<void> {
    const opened = row.and(this.page.locator('[aria-expanded=true]'));
    // A tree that is drawn again just then leaves the row closed: look, click, look again.
    for (let attempt = 1; attempt < 5 && !(await opened.isVisible()); attempt++) {
      await row.locator('.monaco-tl-twistie').click();
      await opened.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await opened.waitFor();
  }

  /** Right-clicks a row and takes an item of its context menu. */
  async takeContextMenuItem(row: Locator, item: string): Promise<void> {
    const entry = this.page.getByRole('menuitem', { name: item });
    // A tree that is drawn again just then opens the menu of the row that has come under the pointer, or closes it. A
    // menu takes no button's release in its first 100 ms, lest the right click that opened it chooses something.
    for (let attempt = 1; ; attempt++) {
      const isTaken =
        (await this.opensMenu(row, entry)) &&
        (await entry.click({ delay: 200, timeout: 3_000 }).then(
          () => true,
          () => false,
        ));
      if (isTaken) break;
      assert.ok(attempt < 5, `the menu of the row has no ${item}`);
      await this.page.keyboard.press('Escape');
    }
    // A row that was read again under its menu is not known any more, as the product says: a user points at it again.
    if (
      !(await appears(
        this.page.locator('.notification-list-item-message', { hasText: 'Select the row again' }),
        700,
      ))
    )
      return;
    await this.runCommandById('notifications.clearAll');
    await this.takeContextMenuItem(row, item);
  }

  private async opensMenu(row: Locator, entry: Locator): Promise<boolean> {
    await row.click({ button: 'right' });
    const isShown = await appears(entry, 2_000);
    return isShown && ((await row.getAttribute('class')) ?? '').includes('focused');
  }

  /** Presses one of the icons that a tree row shows under the pointer. */
  async pressRowIcon(row: Locator, title: string): Promise<void> {
    const icon = row.locator(`.actions-container [aria-label^="${title}"]`);
    const asked = this.page.locator('.monaco-dialog-box', { hasText: 'did not come from' });
    // A tree that is drawn again just then hides them until the pointer moves: point, press, point again. Where it is
    // drawn again under the click, VS Code gives the command without its row, and we ask: that is not what is pressed.
    await eventually(async () => {
      await this.page.mouse.move(5, 5);
      await row.hover();
      await icon.click({ timeout: 3_000 });
      if (!(await appears(asked, 700))) return;
      await this.page.keyboard.press('Escape');
      await asked.waitFor({ state: 'hidden' });
      throw new Error('the row was drawn again under the click');
    });
  }

  /** The inner page of our webview on screen, once it is ready; another extension may show one beside it. */
  webview(): FrameLocator {
    return this.page
      .frameLocator('iframe.webview.ready[src*="extensionId=checkpoint-health."]')
      .frameLocator('#active-frame');
  }

  /** Changes the colour theme and waits until the workbench shows it. */
  async setTheme(theme: Theme): Promise<void> {
    await this.setSetting('workbench.colorTheme', themes[theme].name);
    await this.page.locator(`.monaco-workbench.${themes[theme].workbenchClass}`).waitFor();
  }

  /** Changes a user setting. */
  async setSetting(key: string, value: unknown): Promise<void> {
    await this.channel.ask('setSetting', { key, value });
  }

  /**
   * Waits until the active text editor's document, whole and as the extension host holds it, is as wanted and gives it:
   * what was typed or opened reaches that a moment later.
   */
  async waitForDocument(isWanted: (document: OpenDocument) => boolean): Promise<OpenDocument> {
    let document: OpenDocument | null = null;
    await eventually(async () => {
      document = await this.channel.ask<OpenDocument | null>('activeDocument');
      assert.ok(
        document && isWanted(document),
        `the active document is ${document ? `${document.lineCount} lines of ${document.languageId}` : 'none'}`,
      );
    });
    return document ?? assert.fail();
  }

  /** All open text documents, also those of hidden editors. */
  documents(): Promise<readonly OpenDocument[]> {
    return this.channel.ask('documents');
  }

  /** Runs a command by its id, past the palette: for preparing a test, not for what a user would do. */
  runCommandById<T>(id: string, ...args: readonly unknown[]): Promise<T> {
    return this.channel.ask('runCommand', { id, args });
  }

  /** Writes the page to `artifacts/screenshots/<name>.png` and gives the file. */
  async screenshot(name: string): Promise<string> {
    const path = join(root, 'artifacts', 'screenshots', `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled' });
    return path;
  }

  /** Has what the page said so far count no more: a test made it say so. */
  forgetSaid(): void {
    this.#said.length = this.#noted.length = 0;
  }

  /**
   * Ends browser and VS Code and removes everything that they wrote. Fails if a password is in it, or if an error of
   * ours was caught by nobody.
   */
  async dispose(): Promise<void> {
    const left =
      this.#page && (await listLeftBehind(this.vscode.folder, this.page, this.vscode.readLog(), this.#said));
    await this.browser.close();
    await this.vscode.end();
    assert.deepEqual([...(left ?? []), ...this.#noted], []);
  }
}

/** A server for `addServer`, which Checkpoint Health exports to other extensions. */
export interface ServerToAdd {
  readonly name: string;
  readonly server: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly encrypt: boolean;
  readonly trustServerCertificate: boolean;
}

/** What a test may ask of the VS Code that it starts. */
export interface HostOptions {
  /** VSIX files to install beside the development extension. */
  readonly vsixFiles: readonly string[];
  /** See VsCodeOptions. */
  readonly completeExtensions?: (folder: string) => Promise<void>;
  /**
   * The browser keeps a profile on disk, as a user's does, instead of a private window: in that one a page of another
   * origin, as an editor's webviews may be, may store nothing and has no service worker. It is thrown away with the
   * editor.
   */
  readonly hasBrowserProfile?: boolean;
  /** Another editor than the VS Code that is installed here, and settings of its machine. */
  readonly editor?: Editor;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Added to Checkpoint Health once VS Code is up, as npm start does. */
  readonly server?: ServerToAdd;
  /** More of what the extension host finds in its environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Display language of the editor, as `de`; English by default. */
  readonly language?: string;
}
