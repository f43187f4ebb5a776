/** Saves files where the user wants them, through VS Code's own dialogs. Works in a remote window too. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { makePlain } from '../../core/visible';
import { t } from '../../core/language';
import { showLongWork } from './editor-conversation';

export interface SavedFile {
  /** The proposed name; the user may choose another. */
  readonly name: string;
  readonly kind: 'csv' | 'json' | 'parquet' | 'png' | 'svg' | 'checkpoints';
  /** Title of the dialog, and of the progress while the file is written. */
  readonly title: string;
}

/** What the writer of a file is given. */
export interface Writing {
  readonly isCancelled: () => boolean;
  /** @param share of the work that is done, from 0 to 1 */
  readonly tell: (share: number) => void;
}

export interface FileSaver {
  /**
   * Asks for a place, makes the content with progress that can be cancelled, and offers to open the file if the editor
   * can show it.
   * @param write gives null if the user cancelled
   * @returns whether the file was written
   */
  save(file: SavedFile, write: (writing: Writing) => Promise<Uint8Array | null>): Promise<boolean>;
}

const FILTERS: Readonly<Record<SavedFile['kind'], string>> = {
  csv: 'CSV',
  json: 'JSON',
  parquet: 'Apache Parquet',
  png: t('PNG picture'),
  svg: t('SVG picture'),
  checkpoints: t('Checkpoint Health Capture'),
};

export function createFileSaver(): FileSaver {
  /** The folder of the last file, which is offered for the next one. */
  let lastFolder: vscode.Uri | undefined;
  return {
    async save(file, write) {
      const title = makePlain(file.title);
      const folder = lastFolder ?? vscode.Uri.file(homedir());
      const target = await vscode.window.showSaveDialog({
        title,
        filters: { [FILTERS[file.kind]]: [file.kind] },
        defaultUri: vscode.Uri.joinPath(folder, file.name),
      });
      if (target === undefined) return false;
      lastFolder = vscode.Uri.joinPath(target, '..');
      const isSaved = await showLongWork(title, async (signal, tell) => {
        const bytes = await write({ isCancelled: () => signal.aborted, tell });
        if (bytes !== null) await vscode.workspace.fs.writeFile(target, bytes);
        return bytes !== null;
      });
      if (isSaved) void tellSaved(target, file.kind !== 'parquet');
      return isSaved;
    },
  };
}

/** @param opens whether the editor can show such a file */
async function tellSaved(target: vscode.Uri, opens: boolean): Promise<void> {
  const name = target.path.split('/').pop() ?? target.path;
  const open = t('Open');
  const answer = await vscode.window.showInformationMessage(
    makePlain(t('{0} was saved.', name)),
    ...(opens ? [open] : []),
  );
  if (answer === open) await vscode.commands.executeCommand('vscode.open', target);
}
