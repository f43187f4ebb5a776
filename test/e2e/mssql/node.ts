/** A node of the tree with the fields that a command of another extension is handed (treeNodeInfo.ts and connectionNode.ts, v1.34.1 to v1.45). */
import * as vscode from 'vscode';
import { describeProfile, type Profile } from './connections';

interface Metadata {
  readonly metadataTypeName: string;
  readonly name: string;
}

export class TreeNode extends vscode.TreeItem {
  sessionId: string | undefined;
  private type: string;

  constructor(
    label: string,
    nodeType: string,
    private profile: Profile | undefined,
    readonly parentNode: TreeNode | undefined,
    readonly metadata?: Metadata,
  ) {
    super(label, nodeType === 'Server' ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed);
    this.type = nodeType;
    this.contextValue = `type=${nodeType},filterable=false,hasFilters=false,subType=${describeSubType(nodeType, profile, label)},`;
  }

  get nodeType(): string {
    return this.type;
  }

  /** A copy, with the password in clear text once the node is connected. */
  get connectionProfile(): Profile | undefined {
    return this.profile && { ...this.profile };
  }

  updateConnectionProfile(profile: Profile): void {
    this.profile = profile;
  }

  /* Taking the context apart and putting it together again leaves the keys in another order, and one without a name behind the last comma (treeNodeInfo.ts). */
  updateToConnected(profile: Profile, sessionId: string): void {
    this.profile = profile;
    this.sessionId = sessionId;
    this.type = 'Server';
    this.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    this.contextValue = `filterable=false,hasFilters=false,type=Server,subType=${describeSubType('Server', profile)},=undefined,`;
  }

  updateToDisconnected(): void {
    this.sessionId = undefined;
    this.type = 'disconnectedServer';
    this.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
    this.contextValue = `filterable=false,hasFilters=false,type=disconnectedServer,subType=${describeSubType(this.type, this.profile)},=undefined,`;
  }
}

export function createServerNode(profile: Profile): TreeNode {
  return new TreeNode(describeProfile(profile), 'disconnectedServer', profile, undefined);
}

/** The database whose node it is or is below; the profile's on a server, and `<default>` where there is neither (objectExplorerUtils.ts, getDatabaseName). */
export function findDatabaseName(node: TreeNode): string | undefined {
  if (node.nodeType === 'Server' || node.nodeType === 'disconnectedServer') return node.connectionProfile?.database;
  for (let each: TreeNode | undefined = node; each; each = each.parentNode) {
    if (each.metadata?.metadataTypeName === 'Database') return each.metadata.name;
  }
  return '<default>';
}

/* What SQL Tools Service sends as the subtype of a database's node was not seen: "undefined" is a choice. */
function describeSubType(nodeType: string, profile: Profile | undefined, label = ''): string {
  if (nodeType === 'Folder') return label.replace(' ', '');
  return /server/i.test(nodeType) && profile?.database ? 'Database' : 'undefined';
}
