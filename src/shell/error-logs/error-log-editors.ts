/** Error logs as documents of the editor: a file is read in pieces, shown as a page, and never changed. */
import * as vscode from 'vscode';
import { joinSentences, t } from '../../core/language';
import type { Pause } from '../../core/steps';
import { describeError } from '../../monitor/queries/failure';
import { Dismissed } from '../kit/command-table';
import { showLongWork } from '../kit/editor-conversation';
import { readPieces } from '../kit/file-pieces';
import { type ErrorLogDocument, readLogFile } from './error-log-document';
import type { ErrorLogPanels } from './error-log-panels';
import type { ErrorLogDisk } from './kept-error-logs';

/** For files that are error logs by their name, and for any other that the user opens with it. */
const ERROR_LOG_EDITOR = 'checkpointHealth.errorLogFile';
/** The same for other texts: offered, and never the first choice. */
const TEXT_EDITOR = 'checkpointHealth.textAsErrorLog';

/** What we can read from the user's machine. */
export interface TextSources {
  /** Lets the user choose a file, and opens it. */
  readonly openErrorLog: () => Promise<void>;
  readonly readClipboard: () => Promise<string>;
  /** What is selected in the text that the user is in; '' if nothing is. */
  readonly readSelection: () => string;
  /** Opens the error log that was read. */
  readonly showErrorLog: (document: ErrorLogDocument) => Promise<void>;
}

interface ErrorLogEditorsWorld {
  readonly panels: Pick<ErrorLogPanels, 'take'>;
  readonly files: Pick<ErrorLogDisk, 'open'>;
  readonly pause: Pause;
}

class ErrorLogEditors implements vscode.CustomReadonlyEditorProvider {
  constructor(private readonly world: ErrorLogEditorsWorld) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** The file is read once the editor stands. Closing the editor cancels that. */
  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const name = uri.path.split('/').pop() ?? uri.path;
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    const show = this.world.panels.take(panel, {
      name,
      page: { summary: t('Reading {0}', name), tables: [], notes: [] },
    });
    void this.read(uri, name, () => isClosed).then((document) => isClosed || show(document));
  }

  private async read(uri: vscode.Uri, name: string, isClosed: () => boolean): Promise<ErrorLogDocument> {
    const { files, pause } = this.world;
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      return await showLongWork(t('Reading {0}', name), async (signal, tell) =>
        readLogFile(name, readPieces(files, vscode.workspace.fs, uri), {
          pause,
          isCancelled: () => signal.aborted || isClosed(),
          tell: (bytes) => tell(Math.min(bytes / size, 1)),
        }),
      );
    } catch (error) {
      const why = error instanceof Dismissed ? t('Reading {0} was cancelled.', name) : describeError(error);
      return describeUnread(name, why);
    }
  }
}

export function registerErrorLogEditors(world: ErrorLogEditorsWorld): readonly vscode.Disposable[] {
  const editors = new ErrorLogEditors(world);
  return [ERROR_LOG_EDITOR, TEXT_EDITOR].map((viewType) =>
    vscode.window.registerCustomEditorProvider(viewType, editors),
  );
}

export function createTextSources(panels: ErrorLogPanels): TextSources {
  return {
    openErrorLog,
    readClipboard: async () => vscode.env.clipboard.readText(),
    readSelection: () => {
      const { document, selections = [] } = vscode.window.activeTextEditor ?? {};
      return selections.map((selection) => document?.getText(selection) ?? '').join('\n');
    },
    showErrorLog: (document) => panels.show(document),
  };
}

/** Whatever the name of the file. */
async function openErrorLog(): Promise<void> {
  const options = { title: t('Error log to read'), openLabel: t('Read'), canSelectMany: false };
  const [uri] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (uri !== undefined) await vscode.commands.executeCommand('vscode.openWith', uri, ERROR_LOG_EDITOR);
}

function describeUnread(name: string, why: string): ErrorLogDocument {
  const text = joinSentences(
    why,
    t('To see the file as text, choose Reopen Editor With… in the menu of its tab.'),
  );
  return { name, page: { summary: why, missing: { title: t('Not read'), text }, tables: [], notes: [] } };
}
