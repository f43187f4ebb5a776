/** The tree of saved connections: expanding a server connects it, as in objectExplorerService.ts. */
import * as vscode from 'vscode';
import { type Connections, listProfiles, toLogin } from './connections';
import { createServerNode, TreeNode } from './node';
import { simpleExecute, type QuerySettings } from './simple-execute';

const REDRAW_MS = 300;
const DATABASES = 'SELECT name FROM sys.databases ORDER BY name;';

export class ObjectExplorer implements vscode.TreeDataProvider<vscode.TreeItem> {
  private readonly changed = new vscode.EventEmitter<vscode.TreeItem | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private servers: readonly TreeNode[] = [];
  private readonly folders = new WeakMap<TreeNode, TreeNode>();

  constructor(
    private readonly connections: Connections,
    private readonly readSettings: () => QuerySettings,
  ) {}

  getTreeItem(node: vscode.TreeItem): vscode.TreeItem {
    return node;
  }

  getParent(node: vscode.TreeItem): TreeNode | undefined {
    return node instanceof TreeNode ? node.parentNode : undefined;
  }

  async getChildren(node?: vscode.TreeItem): Promise<vscode.TreeItem[]> {
    if (node === undefined) return this.listServers();
    if (!(node instanceof TreeNode)) return [];
    if (node.nodeType === 'Folder') return this.listDatabases(node);
    if (node.nodeType === 'Database') return [];
    if (node.sessionId === undefined && !(await this.connect(node))) return [createErrorNode(node)];
    return [this.findFolder(node)];
  }

  /** The settings have changed: saved connections come and go, those that stay keep their nodes. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  disconnect(node: TreeNode): void {
    this.connections.disconnect(node.sessionId ?? '');
    node.updateToDisconnected();
    this.folders.delete(node);
    this.changed.fire(node);
  }

  private listServers(): vscode.TreeItem[] {
    const known = new Map(this.servers.map((node) => [node.connectionProfile?.id, node]));
    this.servers = listProfiles().map((profile) => known.get(profile.id) ?? createServerNode(profile));
    if (this.servers.length > 0) return [...this.servers];
    const add = new vscode.TreeItem('Add Connection');
    add.command = { title: 'Add Connection', command: 'mssql.addObjectExplorer' };
    return [add];
  }

  /** One and the same as long as the server is connected: the editor finds children by the very object that it was given. */
  private findFolder(server: TreeNode): TreeNode {
    const known = this.folders.get(server);
    const folder = known ?? new TreeNode('Databases', 'Folder', server.connectionProfile, server);
    this.folders.set(server, folder);
    return folder;
  }

  private async connect(node: TreeNode): Promise<boolean> {
    const profile = node.connectionProfile;
    const sessionId = `objectexplorer://${profile?.server}_${profile?.id}`;
    if (!profile || !(await this.connections.connect(sessionId, profile))) return false;
    node.updateToConnected(this.connections.find(sessionId) ?? profile, sessionId);
    // The item itself is drawn anew, once its children, the answer that this is part of, have arrived.
    setTimeout(() => this.changed.fire(node), REDRAW_MS);
    return true;
  }

  private async listDatabases(folder: TreeNode): Promise<TreeNode[]> {
    const profile = folder.connectionProfile;
    if (!profile) return [];
    const { rows } = await simpleExecute(toLogin(profile), DATABASES, { ...this.readSettings(), rowCount: 0 });
    return rows.map(([cell]) => createDatabaseNode(cell?.displayValue ?? '', folder));
  }
}

/** Its profile is the server's: the database is in its metadata alone. */
function createDatabaseNode(name: string, folder: TreeNode): TreeNode {
  return new TreeNode(name, 'Database', folder.connectionProfile, folder, { metadataTypeName: 'Database', name });
}

function createErrorNode(parentNode: TreeNode): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem('Error loading; refresh to try again'), { parentNode });
}
