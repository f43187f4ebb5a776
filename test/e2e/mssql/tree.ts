/**
 * The tree of saved connections (objectExplorerService.ts), whose nodes have the fields that a command of another
 * extension is handed (treeNodeInfo.ts).
 */
import * as vscode from 'vscode';
import { type Connections, listProfiles, type Profile } from './connections';

export class TreeNode extends vscode.TreeItem {
  sessionId: string | undefined;
  nodeType: 'disconnectedServer' | 'Server' = 'disconnectedServer';
  override contextValue = 'type=disconnectedServer,filterable=false,hasFilters=false,subType=undefined,';

  constructor(private profile: Profile) {
    super(profile.profileName, vscode.TreeItemCollapsibleState.Collapsed);
  }

  /** A copy, with the password in clear text once the node is connected. */
  get connectionProfile(): Profile {
    return { ...this.profile };
  }

  /*
   * Taking the context apart and putting it together again leaves the keys in another order, and one without a name
   * behind the last comma (treeNodeInfo.ts).
   */
  updateToConnected(profile: Profile, sessionId: string): void {
    this.profile = profile;
    this.sessionId = sessionId;
    this.nodeType = 'Server';
    this.contextValue = 'filterable=false,hasFilters=false,type=Server,subType=undefined,=undefined,';
  }
}

/** Its servers; what is below them is not asked for. */
export class ObjectExplorer implements vscode.TreeDataProvider<TreeNode> {
  private readonly changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private servers: readonly TreeNode[] = [];

  constructor(private readonly connections: Connections) {}

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node;
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node !== undefined) return [];
    const known = new Map(this.servers.map((server) => [server.connectionProfile.id, server]));
    this.servers = listProfiles().map((profile) => known.get(profile.id) ?? new TreeNode(profile));
    return [...this.servers];
  }

  /** The settings have changed: saved connections come and go, those that stay keep their nodes. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  async connect(node: TreeNode): Promise<void> {
    const { id, server } = node.connectionProfile;
    const sessionId = `objectexplorer://${server}_${id}`;
    const profile =
      node.sessionId === undefined
        ? await this.connections.connect(sessionId, node.connectionProfile)
        : undefined;
    if (profile === undefined) return;
    node.updateToConnected(profile, sessionId);
    this.changed.fire(node);
  }
}
