/** New Query on a node, and the connection of SQL documents that are opened otherwise (sqlDocumentService.ts; the latter since 1.37). */
import * as vscode from 'vscode';
import type { Connections, Profile } from './connections';
import { findDatabaseName, type TreeNode } from './node';
import type { ObjectExplorer } from './tree';

/** It waits so long for a save or a rename to tell that the document is not new. */
const SETTLE_MS = 500;

export class SqlDocuments {
  private lastActive: Profile | undefined;
  private readonly owned = new WeakSet<vscode.TextDocument>();
  private readonly listening: readonly vscode.Disposable[];

  constructor(
    private readonly connections: Connections,
    private readonly tree: ObjectExplorer,
  ) {
    this.listening = [
      vscode.workspace.onDidOpenTextDocument((document) => void this.connectOpened(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => connections.disconnect(uri.toString())),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.rememberActive(editor?.document.uri.toString())),
      connections.onDidConnect(({ uri, profile }) => {
        const active = vscode.window.activeTextEditor?.document.uri.toString();
        if (uri === active || this.lastActive === undefined) this.lastActive = profile;
      }),
    ];
  }

  /**
   * `mssql.objectExplorerNewQuery`: an empty document in the first column, connected to the node's server and database; then the node too, if it was not. What
   * a node's database is, it writes into the node's profile.
   */
  async newQuery(node: TreeNode): Promise<void> {
    const profile = node.connectionProfile;
    if (!profile) throw new TypeError("Cannot read properties of undefined (reading 'database')");
    const database = findDatabaseName(node);
    const chosen = { ...profile, database: database === '<default>' ? '' : database };
    node.updateConnectionProfile(chosen);
    const document = await vscode.workspace.openTextDocument({ language: 'sql' });
    this.owned.add(document);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preserveFocus: false, preview: false });
    if (await this.connections.connect(document.uri.toString(), chosen)) await this.tree.connectServerOf(node);
  }

  dispose(): void {
    this.listening.forEach((each) => each.dispose());
  }

  private rememberActive(uri: string | undefined): void {
    const profile = uri === undefined ? undefined : this.connections.find(uri);
    if (profile) this.lastActive = profile;
  }

  private async connectOpened(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'sql') return;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const uri = document.uri.toString();
    if (vscode.workspace.getConfiguration('mssql').get('newEditorConnectionBehavior') === 'none') return;
    if (this.owned.has(document) || document.isClosed || this.connections.isConnected(uri) || !this.lastActive) return;
    await this.connections.connect(uri, this.lastActive);
  }
}
