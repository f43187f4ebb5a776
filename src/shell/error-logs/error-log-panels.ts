/** Error logs read without a server: one panel for each, beside the dashboards. They come back with the window. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { writePageMarkdown } from '../../core/pages/page-markdown';
import { makePlain } from '../../core/visible';
import type { ErrorLogPiece, FromErrorLog, ToErrorLog } from '../../protocol';
import { readFromErrorLog } from '../../received';
import type { Conversation } from '../kit/conversation';
import { type ExportWorld, savePicture } from '../dashboard/exports';
import { dashboardStyles } from '../kit/webview-page';
import { fillPanel, hearPage, readPanelId, webviewOptions } from '../kit/webview-panel';
import type { Log } from '../kit/log';
import type { FileIntake } from '../kit/file-pieces';
import { type ErrorLogDocument, LogIntake } from './error-log-document';
import { createLostDocument, isErrorLogId, type KeptErrorLogs } from './kept-error-logs';
import { t } from '../../core/language';

export const ERROR_LOG_VIEW_TYPE = 'checkpointHealth.errorLog';

interface ErrorLogsWorld {
  readonly extensionUri: vscode.Uri;
  readonly kept: KeptErrorLogs;
  readonly conversation: Pick<Conversation, 'showText'>;
  readonly exports: Pick<ExportWorld, 'files' | 'nowUtcMs' | 'pause'>;
  readonly log: Log;
  /** Asks for another log, like the command. */
  readonly readErrorLog: () => void;
  /** null: the file that begins so holds no events. */
  readonly createEventIntake: (piece: ErrorLogPiece) => Promise<FileIntake<null> | null>;
  readonly onFailure: (error: unknown) => void;
}

export class ErrorLogPanels implements vscode.WebviewPanelSerializer {
  /** True once the window closes. Pages are kept then, because open panels come back with the window. */
  private isEnding = false;

  constructor(private readonly world: ErrorLogsWorld) {}

  async show(document: ErrorLogDocument): Promise<void> {
    const id = createId();
    const panel = vscode.window.createWebviewPanel(
      ERROR_LOG_VIEW_TYPE,
      nameDocument(document),
      vscode.ViewColumn.Active,
      webviewOptions(this.world.extensionUri),
    );
    this.adopt(id, panel, document);
    await this.world.kept.keep(id, document);
  }

  /** Fills the panel of an editor whose file is still to be read. @returns shows another page in it */
  take(panel: vscode.WebviewPanel, document: ErrorLogDocument): (next: ErrorLogDocument) => void {
    panel.webview.options = webviewOptions(this.world.extensionUri);
    return this.adopt(createId(), panel, document);
  }

  /** Restores a panel of the last session of this window. If its page was not kept, the panel says so. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const found = readPanelId(state);
    const id = isErrorLogId(found) ? found : createId();
    panel.webview.options = webviewOptions(this.world.extensionUri);
    this.adopt(id, panel, (await this.world.kept.find(id)) ?? createLostDocument(readName(panel.title)));
  }

  /**
   * Deletes the pages of panels that are gone. A panel behind another is not restored before it is seen, so while there
   * is one, all pages stay.
   */
  async sweep(): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOurs = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputWebview && input.viewType.endsWith(ERROR_LOG_VIEW_TYPE);
    if (!tabs.some(isOurs)) await this.world.kept.sweep();
  }

  /**
   * Reads a dropped file in pieces, and opens a panel with the last one; a file of saved events as they are opened.
   * @param post answers each piece
   */
  createIntake(
    post: (message: ToErrorLog & { readonly type: 'errorLogTaken' }) => void,
  ): (piece: ErrorLogPiece) => Promise<void> {
    const logs = new LogIntake(this.world.exports.pause);
    let intake: Pick<FileIntake<ErrorLogDocument | null>, 'take'> = logs;
    return async (piece) => {
      if (piece.fromByte === 0) intake = (await this.world.createEventIntake(piece)) ?? logs;
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

  private adopt(
    id: string,
    panel: vscode.WebviewPanel,
    document: ErrorLogDocument,
  ): (next: ErrorLogDocument) => void {
    const { extensionUri, kept } = this.world;
    let shown = document;
    const post = (message: ToErrorLog): void => void panel.webview.postMessage(message);
    const intake = this.createIntake(post);
    hearPage(panel, readFromErrorLog, this.world.log, (message) =>
      this.receive(message, shown, post, intake),
    );
    panel.onDidDispose(() => void (this.isEnding || kept.forget(id)));
    fillPanel(panel, extensionUri, {
      script: 'error-log.js',
      styles: dashboardStyles,
      title: nameDocument(document),
      serverId: id,
    });
    return (next) => {
      shown = next;
      post({ type: 'errorLog', ...next });
    };
  }

  private async receive(
    message: FromErrorLog,
    document: ErrorLogDocument,
    post: (message: ToErrorLog) => void,
    intake: (piece: ErrorLogPiece) => Promise<void>,
  ): Promise<void> {
    try {
      if (message.type === 'failed') this.world.log.error(t('Error log: {0}', message.message));
      else if (message.type === 'ready') post({ type: 'errorLog', ...document });
      else if (message.type === 'errorLogFile') await intake(message);
      else if (message.type === 'save') await savePicture(message, document.name, this.world.exports);
      else if (message.type === 'readErrorLog') this.world.readErrorLog();
      else
        await this.world.conversation.showText(
          writePageMarkdown(
            document.page,
            document.isMessage === true ? document.name : t('Error log {0}', document.name),
          ),
          'markdown',
        );
    } catch (error) {
      this.world.onFailure(error);
    }
  }
}

function nameDocument({ name, isMessage }: ErrorLogDocument): string {
  return isMessage === true ? makePlain(name) : namePanel(name);
}

function namePanel(name: string): string {
  return makePlain(t('{0}: error log', name));
}

/** The name of the log in the title of its panel, which another window made. */
function readName(title: string): string {
  const ending = namePanel('');
  return title.endsWith(ending) ? title.slice(0, -ending.length) : title;
}

function createId(): string {
  return `log-${randomBytes(8).toString('hex')}`;
}
