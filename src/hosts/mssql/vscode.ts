/** Builds the `MssqlWorld` from VS Code, and finds the SQL Server extension (`ms-mssql.mssql`) by what it offers. */
import * as vscode from 'vscode';
import { answersAt, canReach } from '../sql-tools-service';
import { startTimer } from '../waiting';
import { t } from '../../core/language';
import type { MssqlExtension, MssqlWorld, TextEditors, WrittenSetting } from './world';

export { createMssqlHost } from './host';

/** The parts of its manifest that we read (docs/facts.md, Hosts 1). */
interface MssqlManifest {
  readonly version?: string;
  readonly contributes?: {
    readonly viewsContainers?: { readonly activitybar?: readonly { readonly id?: string }[] };
  };
}

/** @param extensionId our own; mssql shows it to the user when it asks whether we may use its connections */
export function createMssqlWorld(extensionId: string): Omit<MssqlWorld, 'wasReached'> {
  return {
    extensionId,
    findExtension,
    executeCommand: async (id, ...args) => vscode.commands.executeCommand<unknown>(id, ...args),
    listCommands: async () => vscode.commands.getCommands(true),
    readConnections: () => readWritten('connections'),
    readGroups: () => readWritten('connectionGroups'),
    remembersPasswords: () =>
      vscode.workspace.getConfiguration('mssql').get('connectionManagement.rememberPasswordsUntilRestart') ===
      true,
    readCellLimit: () => vscode.workspace.getConfiguration('mssql').get<unknown>('query.maxCharsToStore'),
    isTrusted: () => vscode.workspace.isTrusted,
    onDidChange: (listener) =>
      vscode.Disposable.from(
        vscode.extensions.onDidChange(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        vscode.workspace.onDidChangeConfiguration((event) => {
          if (
            ['mssql.connections', 'mssql.connectionGroups'].some((name) => event.affectsConfiguration(name))
          )
            listener();
        }),
      ),
    schedule: startTimer,
    canReach,
    answersAt,
    editors,
  };
}

function readWritten(name: string): WrittenSetting {
  const written = vscode.workspace.getConfiguration('mssql').inspect<unknown>(name);
  return { user: written?.globalValue, workspace: written?.workspaceValue };
}

function findExtension(): MssqlExtension | undefined {
  const found = vscode.extensions.getExtension<unknown>('ms-mssql.mssql');
  if (found === undefined) return undefined;
  const { version, contributes } = found.packageJSON as MssqlManifest;
  return {
    version: version ?? t('unknown version'),
    isActive: found.isActive,
    hasContainer:
      contributes?.viewsContainers?.activitybar?.some(({ id }) => id === 'objectExplorer') === true,
    activate: async () => found.activate(),
    exports: () => (found.isActive ? found.exports : undefined),
  };
}

const editors: TextEditors = {
  listDocuments: () => new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString())),
  active: () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) return null;
    const { uri, languageId, isUntitled } = document;
    return { uri: uri.toString(), languageId, isUntitled, isEmpty: document.getText() === '' };
  },
  onDidChangeActive: (listener) => vscode.window.onDidChangeActiveTextEditor(listener),
  fill: async (uri, text) => {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== uri || editor.document.getText() !== '') return false;
    const start = new vscode.Position(0, 0);
    const isFilled = await editor.edit((builder) => builder.insert(start, text));
    editor.selection = new vscode.Selection(start, start);
    return isFilled;
  },
  moveBeside: async (uri, frontUri) => {
    // The user may have moved to another editor, which we must not move.
    if (vscode.window.activeTextEditor?.document.uri.toString() !== uri) return;
    await vscode.commands.executeCommand('workbench.action.moveEditorToRightGroup');
    const isFront = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputText && input.uri.toString() === frontUri;
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isFront));
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === frontUri);
    if (group && document)
      await vscode.window.showTextDocument(document, { viewColumn: group.viewColumn, preview: false });
  },
};
