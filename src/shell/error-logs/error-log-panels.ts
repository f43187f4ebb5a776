/** Error logs that were read without a server: a panel for each, beside the dashboards, and restored with the window. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { writePageMarkdown } from '../../core/picture/page-markdown';
import type { ErrorLogPiece, FromErrorLog, ToErrorLog } from '../../protocol';
import type { Conversation } from '../conversation';
import { type ExportWorld, savePicture } from '../dashboard/exports';
import { dashboardStyles, writeWebviewPage } from '../dashboard/html';
import type { Log } from '../log';
import { type ErrorLogDocument, LogIntake } from './error-log-document';
import { isErrorLogId, type KeptErrorLogs } from './kept-error-logs';

export const errorLogViewType = 'checkpointHealth.errorLog';

export interface ErrorLogsWorld {
  readonly extensionUri: vscode.Uri;
  readonly kept: KeptErrorLogs;
  readonly conversation: Pick<Conversation, 'showText'>;
  readonly exports: Pick<ExportWorld, 'files' | 'nowUtcMs' | 'pause'>;
  readonly log: Log;
  /** Asks for another log, as the command does. */
  readonly readErrorLog: () => void;
  readonly onFailure: (error: unknown) => void;
}

export class ErrorLogPanels implements vscode.WebviewPanelSerializer {
  /** The window closes: what is open comes back with it. */
  private isEnding = false;

  constructor(private readonly world: ErrorLogsWorld) {}

  async show(document: ErrorLogDocument): Promise<void> {
    const id = `log-${randomBytes(8).toString('hex')}`;
    const panel = vscode.window.createWebviewPanel(errorLogViewType, namePanel(document.name), vscode.ViewColumn.Active, this.options());
    this.adopt(id, panel, document);
    await this.world.kept.keep(id, document);
  }

  /** A panel of the last session of this window. It cannot be shown where its page was not kept. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null ? (state as Record<string, unknown>)['serverId'] : undefined;
    const document = isErrorLogId(id) ? await this.world.kept.find(id) : null;
    if (document === null || !isErrorLogId(id)) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.options();
    this.adopt(id, panel, document);
  }

  /** Takes a dropped file in pieces; a panel is opened with the last one. @param post answers each of them */
  createIntake(post: (message: ToErrorLog & { readonly type: 'errorLogTaken' }) => void): (piece: ErrorLogPiece) => Promise<void> {
    const intake = new LogIntake(this.world.exports.pause);
    return async (piece) => {
      const taken = await intake.take(piece).catch((error: unknown) => {
        post({ type: 'errorLogTaken', bytes: null });
        throw error;
      });
      if (taken === null) return;
      post({ type: 'errorLogTaken', bytes: taken.bytes });
      if (taken.document !== null) await this.show(taken.document);
    };
  }

  dispose(): void {
    this.isEnding = true;
  }

  private options(): vscode.WebviewOptions {
    const { extensionUri } = this.world;
    return { enableScripts: true, localResourceRoots: ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder)) };
  }

  private adopt(id: string, panel: vscode.WebviewPanel, document: ErrorLogDocument): void {
    const { extensionUri, kept } = this.world;
    const post = (message: ToErrorLog): void => void panel.webview.postMessage(message);
    const intake = this.createIntake(post);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    panel.webview.onDidReceiveMessage((message: FromErrorLog) => void this.receive(message, document, post, intake));
    panel.onDidDispose(() => void (this.isEnding || kept.forget(id)));
    const locate = (...path: readonly string[]): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
    panel.webview.html = writeWebviewPage({
      nonce: randomBytes(18).toString('base64url'),
      cspSource: panel.webview.cspSource,
      scriptUri: locate('dist', 'error-log.js'),
      styleUris: dashboardStyles.map((name) => locate('media', 'styles', name)),
      title: namePanel(document.name),
      serverId: id,
    });
  }

  private async receive(
    message: FromErrorLog,
    document: ErrorLogDocument,
    post: (message: ToErrorLog) => void,
    intake: (piece: ErrorLogPiece) => Promise<void>,
  ): Promise<void> {
    try {
      if (message.type === 'failed') this.world.log.error(`Error log: ${message.message}`);
      else if (message.type === 'ready') post({ type: 'errorLog', ...document });
      else if (message.type === 'errorLogFile') await intake(message);
      else if (message.type === 'save') await savePicture(message, document.name, this.world.exports);
      else if (message.type === 'readErrorLog') this.world.readErrorLog();
      else await this.world.conversation.showText(writePageMarkdown(document.page, `Error log ${document.name}`), 'markdown');
    } catch (error) {
      this.world.onFailure(error);
    }
  }
}

function namePanel(name: string): string {
  return `${name}: error log`;
}
