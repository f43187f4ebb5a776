/** The rows of Object Explorer. Each is the very object that its menu hands to a command, as it was recorded from a real Azure Data Studio. */
import type * as azdata from 'azdata';
import * as vscode from 'vscode';
import type { AzdataFake, Execute } from '../../hosts/azdata-fake/azdata-fake';
import { readStored, toArgument, writeUri } from '../../hosts/azdata-fake/connections';

export type Row = azdata.ObjectExplorerContext;

const DATABASES = 'SELECT name FROM sys.databases ORDER BY name;';

export class ServerRows implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  /** How often each server was disconnected: a row of another id begins closed. */
  private readonly disconnected = new Map<string, number>();

  constructor(
    private readonly fake: AzdataFake,
    private readonly execute: Execute,
  ) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  getTreeItem({ connectionProfile, nodeInfo, isConnectionNode }: Row): vscode.TreeItem {
    const label = nodeInfo?.label ?? connectionProfile?.connectionName ?? '';
    const isLeaf = nodeInfo?.isLeaf === true;
    const item = new vscode.TreeItem(label, isLeaf ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed);
    const id = connectionProfile?.id ?? '';
    item.id = `${id}/${this.disconnected.get(id) ?? 0}/${nodeInfo?.nodePath ?? ''}`;
    item.contextValue = isConnectionNode ? 'Server' : (nodeInfo?.nodeType ?? '');
    return item;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row === undefined) return this.listServers();
    if (row.isConnectionNode) return (await this.connect(row)) ? [describeFolder(row)] : [];
    return row.nodeInfo?.nodeType === 'Folder' ? this.listDatabases(row) : [];
  }

  /** The server's own connection, as expanding its row makes it. */
  async connect({ connectionProfile }: Row): Promise<boolean> {
    const profile = this.fake.find(connectionProfile?.id ?? '');
    const uri = writeUri(profile);
    if (this.fake.connections.find(uri) !== undefined) return true;
    const { connected, errorMessage } = await this.fake.connections.connect(profile, uri);
    if (!connected) void vscode.window.showErrorMessage(errorMessage ?? '');
    return connected;
  }

  disconnect({ connectionProfile }: Row): void {
    const profile = this.fake.find(connectionProfile?.id ?? '');
    const uri = this.fake.connections.findUri(profile.id);
    if (uri !== undefined) this.fake.connections.disconnect(uri, profile);
    this.disconnected.set(profile.id, (this.disconnected.get(profile.id) ?? 0) + 1);
    this.refresh();
  }

  private listServers(): Row[] {
    const saved = [...(this.fake.settings.user ?? []), ...(this.fake.settings.workspace ?? [])];
    const known = saved.filter(({ id }, index) => saved.findIndex((one) => one.id === id) === index);
    return known.map((stored) => ({
      isConnectionNode: true,
      connectionProfile: toArgument(this.fake.find(readStored(stored).id)),
      nodeInfo: undefined as unknown as azdata.NodeInfo,
    }));
  }

  private async listDatabases({ connectionProfile }: Row): Promise<Row[]> {
    const { sets } = await this.execute(this.fake.find(connectionProfile?.id ?? ''), DATABASES);
    return (sets[0]?.rows ?? []).map(([name]) => describeDatabase(connectionProfile, String(name)));
  }
}

function describeFolder({ connectionProfile }: Row): Row {
  const nodeInfo = { nodePath: `${connectionProfile?.serverName ?? ''}/Databases`, nodeType: 'Folder', label: 'Databases', isLeaf: false };
  return { isConnectionNode: false, connectionProfile, nodeInfo: nodeInfo as azdata.NodeInfo };
}

/** The profile keeps the server's id and names the database. */
function describeDatabase(profile: azdata.IConnectionProfile | undefined, name: string): Row {
  const metadata = { metadataType: 0, metadataTypeName: 'Database', urn: '', name, schema: null };
  const path = `${profile?.serverName ?? ''}/Databases/${name}`;
  const nodeInfo = { nodePath: path, nodeType: 'Database', label: name, isLeaf: true, metadata, objectType: 'Database' };
  return {
    isConnectionNode: false,
    connectionProfile: { ...profile, databaseName: name } as azdata.IConnectionProfile,
    nodeInfo: nodeInfo as unknown as azdata.NodeInfo,
  };
}
