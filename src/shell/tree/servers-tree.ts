/** The pane: rows as tree items. What they say is decided in rows.ts. */
import * as vscode from 'vscode';
import type { ServerChange } from '../../monitor/server-monitor';
import { fullCommandId } from '../commands';
import type { OpenServers } from '../servers/open-servers';
import type { Notice } from '../hosts/host-notices';
import type { Row } from './row';
import { describeServer } from './server-row';
import { databasesAtOnce, listChildRows, listNoticeRows, type PaneState } from './rows';

/** While tracking, a server's counts change with every read; the pane is drawn again for them at most this often. */
const redrawIntervalMs = 1000;
/** Changes that come together are drawn together. */
const gatherMs = 50;

export class ServersTree implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly filters = new Map<string, string>();
  private readonly shown = new Map<string, number>();
  private readonly pane: PaneState = { filters: this.filters, shown: this.shown };
  private redrawnAtMs = 0;
  private pending: { readonly dueAtMs: number; readonly timer: NodeJS.Timeout } | null = null;
  private readonly listening: { dispose(): void };

  constructor(
    private readonly servers: OpenServers,
    /** What the whole pane has to say. */
    private readonly notices: () => readonly Notice[],
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.listening = servers.onDidChange((_, change) => this.redrawSoon(change));
  }

  getChildren(parent?: Row): vscode.ProviderResult<Row[]> {
    if (parent === undefined) {
      const servers = this.servers.snapshots().map((snapshot) => describeServer(snapshot, this.servers.list.ownership(snapshot.id)));
      return [...listNoticeRows(this.notices()), ...servers];
    }
    return this.listChildren(parent);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return createTreeItem(row);
  }

  /** Only servers are ever revealed, and they are at the top. */
  getParent(): undefined {
    return undefined;
  }

  filterOf(serverId: string): string {
    return this.filters.get(serverId) ?? '';
  }

  filter(serverId: string, text: string): void {
    if (text === '') this.filters.delete(serverId);
    else this.filters.set(serverId, text);
    this.shown.clear();
    this.changed.fire();
  }

  showMore(row: Row): void {
    const groupId = `${row.serverId}/group/${row.group}`;
    this.shown.set(groupId, (this.shown.get(groupId) ?? databasesAtOnce) + databasesAtOnce);
    this.changed.fire();
  }

  /** Resolves when no change waits to be drawn: a row that is revealed before can be drawn over, and stays closed. */
  async drawn(): Promise<void> {
    while (this.pending !== null) await new Promise((resolve) => setTimeout(resolve, gatherMs));
  }

  dispose(): void {
    if (this.pending !== null) clearTimeout(this.pending.timer);
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Opening a server's row is what connects to it. Nothing waits for that: as long as one row's children are awaited, the editor draws no other server either. */
  private listChildren(parent: Row): Row[] {
    const { serverId } = parent;
    if (this.servers.list.find(serverId) === undefined) return [];
    if (this.servers.snapshot(serverId).connection === 'not connected') void this.servers.connect(serverId).catch(this.onFailure);
    const known = { snapshot: this.servers.snapshot(serverId), statistics: this.servers.statistics(serverId) };
    return [...listChildRows(parent, known, this.pane)];
  }

  /** At once where a server was reached, lost, added or removed, or after a rest, so that a click is seen to work; else when the interval is over. */
  private redrawSoon(change: ServerChange | null): void {
    const nowMs = Date.now();
    const restMs = change === null || change === 'facts' ? 0 : this.redrawnAtMs + redrawIntervalMs - nowMs;
    const dueAtMs = nowMs + Math.max(gatherMs, restMs);
    if (this.pending !== null && this.pending.dueAtMs <= dueAtMs) return;
    if (this.pending !== null) clearTimeout(this.pending.timer);
    this.pending = { dueAtMs, timer: setTimeout(() => this.redraw(), dueAtMs - nowMs) };
  }

  private redraw(): void {
    this.pending = null;
    this.redrawnAtMs = Date.now();
    this.changed.fire();
  }
}

const states = {
  never: vscode.TreeItemCollapsibleState.None,
  closed: vscode.TreeItemCollapsibleState.Collapsed,
  open: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/** Every icon has a colour: Azure Data Studio 1.47 fails to draw a row whose icon has none, and leaves the old one in its place (docs/facts.md, Corrections). */
const plainIconColour = 'icon.foreground';

function createTreeItem(row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, states[row.expand]);
  item.id = row.id;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.spoken };
  if (row.icon !== null) item.iconPath = new vscode.ThemeIcon(row.icon.name, new vscode.ThemeColor(row.icon.colour ?? plainIconColour));
  if (row.command !== null) item.command = { command: fullCommandId(row.command), title: row.label, arguments: [row] };
  return item;
}
