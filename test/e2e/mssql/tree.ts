/** The tree of saved connections: expanding a server connects it, as in objectExplorerService.ts. */
import * as vscode from 'vscode';
import { simpleExecute } from '../../azdata/provider/simple-execute';
import { type Connections, listProfiles, toLogin } from './connections';
import { createServerNode, TreeNode } from './node';

const FOLDERS = ['Databases', 'Security', 'Server Objects'];
const LIST_DATABASES = 'SELECT name FROM sys.databases ORDER BY name;';

export class ObjectExplorer implements vscode.TreeDataProvider<vscode.TreeItem> {
  private readonly changed = new vscode.EventEmitter<vscode.TreeItem | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private servers: readonly TreeNode[] = [];
  /** One and the same as long as nothing changes: the editor finds children by the very objects that it was given. */
  private readonly children = new WeakMap<TreeNode, readonly vscode.TreeItem[]>();

  constructor(private readonly connections: Connections) {}

  getTreeItem(node: vscode.TreeItem): vscode.TreeItem {
    return node;
  }

  getParent(node: vscode.TreeItem): TreeNode | undefined {
    return node instanceof TreeNode ? node.parentNode : undefined;
  }

  /** A row that says so stands for children until they are there. */
  getChildren(node?: vscode.TreeItem): vscode.TreeItem[] {
    if (node === undefined) return this.listServers();
    if (!(node instanceof TreeNode)) return [];
    if (!this.children.has(node)) {
      this.children.set(node, [new vscode.TreeItem('Loading...')]);
      void this.load(node)
        .catch(() => [createErrorNode(node)])
        .then((children) => this.show(node, children));
    }
    return [...(this.children.get(node) ?? [])];
  }

  /** The settings have changed: saved connections come and go, those that stay keep their nodes. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  disconnect(node: TreeNode): void {
    this.connections.disconnect(node.sessionId ?? '');
    node.updateToDisconnected();
    const command = { title: 'Connect', command: 'mssql.connectObjectExplorerNode', arguments: [node] };
    this.show(node, [Object.assign(new vscode.TreeItem('Connect'), { command })]);
  }

  /** Connects the server that this node is or is below, where it is not. */
  async connectServerOf(node: TreeNode): Promise<void> {
    let server = node;
    while (server.parentNode) server = server.parentNode;
    if (server.sessionId === undefined) this.show(server, await this.load(server));
  }

  private show(node: TreeNode, children: readonly vscode.TreeItem[]): void {
    this.children.set(node, children);
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

  private async load(node: TreeNode): Promise<readonly vscode.TreeItem[]> {
    if (node.nodeType === 'Folder') return node.label === 'Databases' ? this.listDatabases(node) : [];
    if (node.nodeType === 'Database') return [];
    if (node.sessionId === undefined && !(await this.connect(node))) return [createErrorNode(node)];
    return FOLDERS.map((name) => new TreeNode(name, 'Folder', node.connectionProfile, node));
  }

  private async connect(node: TreeNode): Promise<boolean> {
    const profile = node.connectionProfile;
    const sessionId = `objectexplorer://${profile?.server}_${profile?.id}`;
    if (!profile || !(await this.connections.connect(sessionId, profile))) return false;
    node.updateToConnected(this.connections.find(sessionId) ?? profile, sessionId);
    return true;
  }

  private async listDatabases(folder: TreeNode): Promise<TreeNode[]> {
    const profile = folder.connectionProfile;
    if (!profile) return [];
    const { rows } = await simpleExecute(toLogin(profile), LIST_DATABASES);
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
