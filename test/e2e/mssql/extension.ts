/** Stands in for `ms-mssql.mssql`; see README.md. */
import * as vscode from 'vscode';
import { Connections } from './connections';
import { ConnectionSharing } from './sharing';
import { ObjectExplorer, type TreeNode } from './tree';

export function activate({ secrets, subscriptions }: vscode.ExtensionContext): Record<string, unknown> {
  const sharesConnections = vscode.workspace.getConfiguration('mssql').get('standIn.sharesConnections', true);
  const connections = new Connections();
  const tree = new ObjectExplorer(connections);
  const sharing = new ConnectionSharing(connections, secrets);
  const command = vscode.commands.registerCommand;
  subscriptions.push(
    vscode.window.createTreeView('objectExplorer', {
      treeDataProvider: tree,
      canSelectMany: false,
      showCollapseAll: true,
    }),
    vscode.workspace.onDidChangeConfiguration(
      (event) => void (event.affectsConfiguration('mssql.connections') && tree.refresh()),
    ),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => connections.disconnect(uri.toString())),
    command('mssql.objectExplorerNewQuery', (node: TreeNode) => openQuery(node, connections, tree)),
    command('mssql.standIn.observe', () => ({ connected: connections.listConnected(), ...sharing.seen })),
    command('mssql.connectionSharing.editConnectionSharingPermissions', (extensionId: string) =>
      sharing.editPermissions(extensionId),
    ),
  );
  return sharesConnections ? { connectionSharing: exportSharing(sharing) } : {};
}

/**
 * An empty document in the first column, connected to the node's server; then the node too, if it was not
 * (sqlDocumentService.ts).
 */
async function openQuery(node: TreeNode, connections: Connections, tree: ObjectExplorer): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql' });
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    preserveFocus: false,
    preview: false,
  });
  if (await connections.connect(document.uri.toString(), node.connectionProfile)) await tree.connect(node);
}

/**
 * The functions that it exports. `connect` takes no database: the third argument is dropped (extension.ts, v1.34.1 to
 * v1.45).
 */
function exportSharing(sharing: ConnectionSharing): Record<string, unknown> {
  return {
    getActiveEditorConnectionId: (extensionId: string) => sharing.getActiveEditorConnectionId(extensionId),
    connect: async (extensionId: string, connectionId: string) => sharing.connect(extensionId, connectionId),
    disconnect: (uri: string) => sharing.disconnect(uri),
    isConnected: (uri: string) => sharing.isConnected(uri),
    executeSimpleQuery: (uri: string, text: string) => sharing.executeSimpleQuery(uri, text),
  };
}
