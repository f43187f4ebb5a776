/** Stands in for `ms-mssql.mssql`; see README.md. */
import * as vscode from 'vscode';
import { Connections } from './connections';
import type { TreeNode } from './node';
import { ConnectionSharing } from './sharing';
import type { QuerySettings } from './simple-execute';
import { SqlDocuments } from './sql-documents';
import { ObjectExplorer } from './tree';

export type Mood = 'exports and commands' | 'commands only' | 'neither' | 'non-English approval';

export function activate(context: vscode.ExtensionContext): Record<string, unknown> {
  const mood = vscode.workspace.getConfiguration('mssql').get<Mood>('standIn.mood', 'exports and commands');
  const isEnglish = mood !== 'non-English approval';
  const readSettings = (): QuerySettings => readQuerySettings(!isEnglish);
  const connections = new Connections();
  const tree = new ObjectExplorer(connections, readSettings);
  const documents = new SqlDocuments(connections);
  const sharing = new ConnectionSharing({
    connections,
    secrets: context.secrets,
    readSettings,
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
    command('mssql.standIn.observe', () => ({ mood, connections: connections.describe(), ...sharing.seen })),
    command('mssql.standIn.forgetPermissions', () => sharing.clearPermissions()),
    command('mssql.standIn.withdraw', () => {
      sharing.withdraw();
      shared.forEach((each) => each.dispose());
      delete exported['connectionSharing'];
    }),
    ...shared,
  );
  return exported;
}

/** The functions that it exports. `connect` takes no database: the third argument is dropped (extension.ts, v1.34.1 to v1.45). */
function exportSharing(sharing: ConnectionSharing): Record<string, unknown> {
  return {
    connect: async (extensionId: string, connectionId: string) => sharing.connect(extensionId, connectionId),
    disconnect: (uri: string) => sharing.disconnect(uri),
    isConnected: (uri: string) => sharing.isConnected(uri),
    executeSimpleQuery: (uri: string, text: string) => sharing.executeSimpleQuery(uri, text),
  };
}

function registerSharing(sharing: ConnectionSharing): readonly vscode.Disposable[] {
  const calls: Readonly<Record<string, (...args: never[]) => unknown>> = {
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

function readQuerySettings(isComma: boolean): QuerySettings {
  const settings = vscode.workspace.getConfiguration('mssql.query');
  return {
    rowCount: settings.get('rowCount', 0),
    implicitTransactions: settings.get('implicitTransactions', false),
    transactionIsolationLevel: settings.get('transactionIsolationLevel', 'READ COMMITTED'),
    displayBitAsNumber: settings.get('displayBitAsNumber', true),
    maxCharsToStore: settings.get('maxCharsToStore', 65_535),
    isComma,
  };
}
