/** What all our panels have in common: what they may load, their icon and their page. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { isObject } from '../../core/schema';
import { describeDropped, type MessageReader } from '../../received';
import type { Log } from './log';
import { screenTexts } from './screen-texts';
import { writeWebviewPage } from './webview-page';

export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder)),
  };
}

interface PanelPage {
  /** In `dist`. */
  readonly script: string;
  /** In `media/styles`, in order. */
  readonly styles: readonly string[];
  readonly title: string;
  readonly serverId: string;
  readonly serverLabel?: string;
}

/** `serverId` of the state that a page kept, which anything may have written; undefined if there is none. */
export function readPanelId(state: unknown): unknown {
  return isObject(state) ? state['serverId'] : undefined;
}

/** Gives the panel its icon and its page, and starts loading the page. */
export function fillPanel(
  panel: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
  { script, styles, ...page }: PanelPage,
): void {
  const { webview } = panel;
  const locate = (...path: readonly string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  webview.html = writeWebviewPage({
    ...page,
    language: vscode.env.language,
    texts: screenTexts,
    nonce: randomBytes(18).toString('base64url'),
    cspSource: webview.cspSource,
    scriptUri: locate('dist', script),
    styleUris: styles.map((name) => locate('media', 'styles', name)),
  });
}

/**
 * Hands on what the page of a panel says, as far as the protocol knows it. The rest is dropped, and the log says so of
 * the first: a page gone wrong could fill it.
 */
export function hearPage<Message>(
  panel: vscode.WebviewPanel,
  read: MessageReader<Message>,
  log: Pick<Log, 'error'>,
  receive: (message: Message) => Promise<void>,
): void {
  let isTold = false;
  panel.webview.onDidReceiveMessage((received: unknown) => {
    const message = read(received);
    if (message !== null) return void receive(message);
    if (!isTold) log.error(`${panel.title}: ${describeDropped(received)}`);
    isTold = true;
  });
}
