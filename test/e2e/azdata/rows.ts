/**
 * The rows of Object Explorer. Each is the very object that its menu hands to a command, as it was recorded from a real
 * Azure Data Studio.
 */
import type * as azdata from 'azdata';
import * as vscode from 'vscode';
import type { AzdataFake } from '../../hosts/azdata-fake/azdata-fake';
import { readStored, toArgument } from '../../hosts/azdata-fake/connections';

type Row = azdata.ObjectExplorerContext;

/** The servers; what is below them is not asked for. */
export class ServerRows implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly fake: AzdataFake) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  getTreeItem({ connectionProfile }: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(
      connectionProfile?.connectionName ?? '',
      vscode.TreeItemCollapsibleState.None,
    );
    return Object.assign(item, { id: connectionProfile?.id, contextValue: 'Server' });
  }

  getChildren(): Row[] {
    const saved = [...(this.fake.settings.user ?? []), ...(this.fake.settings.workspace ?? [])];
    const known = saved.filter(({ id }, index) => saved.findIndex((one) => one.id === id) === index);
    return known.map((stored) => ({
      isConnectionNode: true,
      connectionProfile: toArgument(this.fake.find(readStored(stored).id)),
      nodeInfo: undefined as unknown as azdata.NodeInfo,
    }));
  }
}
