/** Stands in for `ms-mssql.mssql`; see README.md. */
import * as vscode from 'vscode';
import type { Service } from '../../azdata/provider/simple-execute';
import { completeSettings, Connections } from './connections';
import type { TreeNode } from './node';
import { ConnectionSharing } from './sharing';
import { SqlDocuments } from './sql-documents';
import { ObjectExplorer } from './tree';

export type Mood = 'exports and commands' | 'commands only' | 'neither' | 'non-English approval';

export async function activate(context: vscode.ExtensionContext): Promise<Record<string, unknown>> {
  await completeSettings();
  const mood = vscode.workspace.getConfiguration('mssql').get<Mood>('standIn.mood', 'exports and commands');
  const isEnglish = mood !== 'non-English approval';
  const connections = new Connections();
  const tree = new ObjectExplorer(connections);
  const documents = new SqlDocuments(connections, tree);
  const sharing = new ConnectionSharing({
    connections,
    secrets: context.secrets,
    readService: () => readService(!isEnglish),
    approve: isEnglish ? 'Approve' : 'Genehmigen',
    deny: isEnglish ? 'Deny' : 'Verweigern',
    isRetiring: mood === 'exports and commands',
  });
  const shared = mood === 'neither' ? [] : registerSharing(sharing);
  const exported: Record<string, unknown> = { uriOwnershipApi: {} };
  if (mood === 'exports and commands' || mood === 'non-English approval') exported['connectionSharing'] = exportSharing(sharing);
  const command = vscode.commands.registerCommand;
  context.subscriptions.push(
    documents,
    vscode.window.createTreeView('objectExplorer', { treeDataProvider: tree, canSelectMany: false, showCollapseAll: true }),
    vscode.workspace.onDidChangeConfiguration((event) => void (event.affectsConfiguration('mssql.connections') && tree.refresh())),
    command('mssql.objectExplorerNewQuery', (node: TreeNode) => documents.newQuery(node)),
    command('mssql.disconnectObjectExplorerNode', (node: TreeNode) => tree.disconnect(node)),
    command('mssql.connectObjectExplorerNode', (node: TreeNode) => tree.connectServerOf(node)),
    command('mssql.standIn.observe', () => {
      const { passwordPrompts } = connections;
      return { mood, connections: connections.describe(), passwordPrompts, ...sharing.seen };
    }),
    command('mssql.standIn.forgetPermissions', () => sharing.clearPermissions()),
    command('mssql.standIn.withdraw', () => {
      sharing.withdraw();
      shared.forEach((each) => each.dispose());
      delete exported['connectionSharing'];
    }),
    ...shared,
  );
  await welcome(context);
  return exported;
}

/** The functions that it exports. `connect` takes no database: the third argument is dropped (extension.ts, v1.34.1 to v1.45). */
function exportSharing(sharing: ConnectionSharing): Record<string, unknown> {
  return {
    getActiveEditorConnectionId: (extensionId: string) => sharing.getActiveEditorConnectionId(extensionId),
    connect: async (extensionId: string, connectionId: string) => sharing.connect(extensionId, connectionId),
    disconnect: (uri: string) => sharing.disconnect(uri),
    isConnected: (uri: string) => sharing.isConnected(uri),
    executeSimpleQuery: (uri: string, text: string) => sharing.executeSimpleQuery(uri, text),
  };
}

function registerSharing(sharing: ConnectionSharing): readonly vscode.Disposable[] {
  const calls: Readonly<Record<string, (...args: never[]) => unknown>> = {
    getActiveEditorConnectionId: (extensionId: string) => sharing.getActiveEditorConnectionId(extensionId),
    connect: (extensionId: string, connectionId: string, database?: string) => sharing.connect(extensionId, connectionId, database),
    disconnect: (uri: string) => sharing.disconnect(uri),
    isConnected: (uri: string) => sharing.isConnected(uri),
    executeSimpleQuery: (uri: string, text: string) => sharing.executeSimpleQuery(uri, text),
    editConnectionSharingPermissions: (extensionId?: string) =>
      sharing.editPermissions(extensionId ?? 'checkpoint-health.checkpoint-health'),
    clearAllConnectionSharingPermissions: () => sharing.clearPermissions(),
  };
  return Object.entries(calls).map(([name, call]) => vscode.commands.registerCommand(`mssql.connectionSharing.${name}`, call));
}

function readService(isComma: boolean): Service {
  const settings = vscode.workspace.getConfiguration('mssql');
  return {
    display: {
      decimalMark: isComma ? ',' : '.',
      bits: settings.get('query.displayBitAsNumber', true) ? '1' : 'True',
      maxChars: settings.get('query.maxCharsToStore', 65_535),
    },
    userSettings: writeUserSettings(
      settings.get('query.rowCount', 0),
      settings.get('query.transactionIsolationLevel', 'READ COMMITTED'),
      settings.get('query.implicitTransactions', false),
    ),
  };
}

function writeUserSettings(rowCount: number, isolationLevel: string, isImplicit: boolean): string {
  const implicit = isImplicit ? 'ON' : 'OFF';
  return `SET LOCK_TIMEOUT -1; SET ROWCOUNT ${rowCount}; SET TRANSACTION ISOLATION LEVEL ${isolationLevel}; SET IMPLICIT_TRANSACTIONS ${implicit};`;
}

/** What it shows once, after it was installed: a tab with a webview, and a notification. */
async function welcome({ globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get('welcomed') === true) return;
  void vscode.window.showInformationMessage('View mssql for Visual Studio Code release notes?', 'View More');
  const panel = vscode.window.createWebviewPanel('changelog', "MSSQL: Welcome & What's New", vscode.ViewColumn.Active);
  panel.webview.html = '<!DOCTYPE html><html><body><h1>Highlights</h1></body></html>';
  await globalState.update('welcomed', true);
}
