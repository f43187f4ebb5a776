/** The pane: shows rows as tree items. rows.ts decides what they say. */
import * as vscode from 'vscode';
import type { ServerChange } from '../../monitor/server-monitor';
import { fullCommandId } from '../kit/command-table';
import { WAIT_STEP_MS } from '../kit/server-words';
import type { OpenServers } from '../servers/open-servers';
import type { Notice } from '../hosts/connection-hosts';
import { compareTree, TOP_ID } from './drawn-tree';
import { DATABASES_AT_FIRST, MORE_DATABASES } from './group-rows';
import { isRow, type Row } from './row';
import { createServerRow } from './server-row';
import { listChildRows, listNoticeRows, type PaneState } from './rows';

/** While tracking, a server's counts change with every read. For them, the pane is drawn at most this often. */
const REDRAW_INTERVAL_MS = 1000;
/**
 * A new figure in an open row makes the editor read all rows under it again, and a menu that is open there loses its
 * row. So at most this often.
 */
const FIGURES_INTERVAL_MS = 15_000;
/** Changes that come within this time are drawn together. */
const GATHER_MS = 50;
/**
 * The editor compares the rows that it is told of with each other, and draws each one alone. So we tell it of at most
 * this many at once.
 */
const REWORDED_AT_ONCE = 100;

export class ServersTree implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<Row[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly filters = new Map<string, string>();
  private readonly shown = new Map<string, number>();
  private readonly pane: PaneState = { filters: this.filters, shown: this.shown };
  /** What the editor was last told. Its questions are answered from this until it is told of changes. */
  private drawnTree = new Map<string, readonly Row[]>();
  /** The editor knows a row by its object, so the first object stays and takes the new content. */
  private readonly elements = new Map<string, Row>();
  /** Changed rows of which the editor was not told yet, the longest waiting first. */
  private readonly waiting = new Set<Row>();
  private redrawnAtMs = 0;
  private figuresAtMs = 0;
  private pending: { readonly dueAtMs: number; readonly timer: NodeJS.Timeout } | null = null;
  private telling: NodeJS.Timeout | null = null;
  /** Runs while a server waits for its next try, because its row counts down. */
  private counting: NodeJS.Timeout | null = null;
  /** Draws the figures that were left for later. */
  private leaving: NodeJS.Timeout | null = null;
  private readonly listening: { dispose(): void };

  constructor(
    private readonly servers: OpenServers,
    /** Notices about the whole pane. */
    private readonly notices: () => readonly Notice[],
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.listening = servers.onDidChange((_, change) => this.redrawSoon(change));
  }

  /**
   * If a server's row is open, connects to the server. After a reload the editor asks for open rows too, without a
   * click. Nothing waits for the connection: while the editor waits for one row's children, it draws no other server.
   */
  getChildren(parent?: Row): Row[] {
    if (parent !== undefined) this.look(parent.serverId);
    const id = parent?.id ?? TOP_ID;
    const rows = this.drawnTree.get(id) ?? this.listRows(parent ?? null);
    this.drawnTree.set(id, rows);
    return rows.map((row) => this.takeElement(row));
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return createTreeItem(row);
  }

  /** Only servers are ever revealed, and they are at the top. */
  getParent(): undefined {
    return undefined;
  }

  /** Whether this is the very object that we gave the editor; one that only looks like it does not count. */
  owns(invoked: unknown): boolean {
    return isRow(invoked) && this.elements.get(invoked.id) === invoked;
  }

  filterOf(serverId: string): string {
    return this.filters.get(serverId) ?? '';
  }

  filter(serverId: string, text: string): void {
    if (text === '') this.filters.delete(serverId);
    else this.filters.set(serverId, text);
    this.shown.clear();
    this.redraw();
  }

  showMore(row: Row): void {
    const groupId = `${row.serverId}/group/${row.group}`;
    this.shown.set(groupId, (this.shown.get(groupId) ?? DATABASES_AT_FIRST) + MORE_DATABASES);
    this.redraw();
  }

  /** Resolves when no change waits to be drawn. A row revealed earlier can be drawn again, and then stays closed. */
  async drawn(): Promise<void> {
    while (this.pending !== null) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  }

  dispose(): void {
    if (this.pending !== null) clearTimeout(this.pending.timer);
    if (this.telling !== null) clearTimeout(this.telling);
    if (this.counting !== null) clearTimeout(this.counting);
    if (this.leaving !== null) clearTimeout(this.leaving);
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Call if the user opened this row. May ask for a password. Never throws. */
  async expand(row: Row): Promise<void> {
    if (row.kind === 'server' && this.servers.list.find(row.serverId) !== undefined)
      await this.servers.expand(row.serverId).catch(this.onFailure);
  }

  private look(serverId: string): void {
    if (this.servers.list.find(serverId) === undefined) return;
    if (this.servers.snapshot(serverId).connection === 'not connected')
      void this.servers.look(serverId).catch(this.onFailure);
  }

  private listRows(parent: Row | null): readonly Row[] {
    const { list } = this.servers;
    if (parent === null) {
      const servers = this.servers
        .snapshots()
        .map((snapshot) => createServerRow(snapshot, list.ownership(snapshot.id)));
      return [...listNoticeRows(this.notices()), ...servers];
    }
    const { serverId } = parent;
    if (list.find(serverId) === undefined) return [];
    return listChildRows(parent, this.servers.snapshot(serverId), this.pane);
  }

  private takeElement(row: Row): Row {
    const element = Object.assign(this.elements.get(row.id) ?? {}, row);
    this.elements.set(row.id, element);
    return element;
  }

  /**
   * Redraws at once if a server was reached, lost, added or removed. So too after a rest, so that a click is seen to
   * work. Else waits for the interval.
   */
  private redrawSoon(change: ServerChange | null): void {
    const nowMs = Date.now();
    const restMs = change === null || change === 'facts' ? 0 : this.redrawnAtMs + REDRAW_INTERVAL_MS - nowMs;
    const dueAtMs = nowMs + Math.max(GATHER_MS, restMs);
    if (this.pending !== null && this.pending.dueAtMs <= dueAtMs) return;
    if (this.pending !== null) clearTimeout(this.pending.timer);
    this.pending = { dueAtMs, timer: setTimeout(() => this.redraw(), dueAtMs - nowMs) };
  }

  private redraw(): void {
    if (this.pending !== null) clearTimeout(this.pending.timer);
    this.pending = null;
    this.redrawnAtMs = Date.now();
    const leavesFigures = this.redrawnAtMs < this.figuresAtMs + FIGURES_INTERVAL_MS;
    const { drawn, reread, reworded } = compareTree(
      this.drawnTree,
      (parent) => this.listRows(parent),
      leavesFigures,
    );
    this.drawnTree = new Map(drawn);
    if (this.leaving !== null) clearTimeout(this.leaving);
    const dueInMs = this.figuresAtMs + FIGURES_INTERVAL_MS - this.redrawnAtMs;
    this.leaving = leavesFigures ? setTimeout(() => this.redraw(), dueInMs) : null;
    if (!leavesFigures && reread.length > 0) this.figuresAtMs = this.redrawnAtMs;
    // All in one call: a row that moves from one parent to another must be forgotten in both before the editor asks
    // again.
    const rows = reread.flatMap((row) => (row === null ? [] : this.takeElement(row)));
    if (reread.length > 0) this.changed.fire(rows.length === 0 ? undefined : rows);
    for (const row of reworded) this.waiting.add(this.takeElement(row));
    if (this.telling === null) this.tellReworded();
    this.countDown();
  }

  private countDown(): void {
    if (this.counting !== null) clearTimeout(this.counting);
    const isWaiting = this.servers.snapshots().some(({ standing }) => standing?.kind === 'unreachable');
    this.counting = isWaiting ? setTimeout(() => this.redraw(), WAIT_STEP_MS) : null;
  }

  /** Tells of some of the waiting rows now, and of the others later. */
  private tellReworded(): void {
    const told = [...this.waiting].slice(0, REWORDED_AT_ONCE);
    for (const row of told) this.waiting.delete(row);
    if (told.length > 0) this.changed.fire(told);
    this.telling = this.waiting.size === 0 ? null : setTimeout(() => this.tellReworded(), REDRAW_INTERVAL_MS);
  }
}

const states = {
  never: vscode.TreeItemCollapsibleState.None,
  closed: vscode.TreeItemCollapsibleState.Collapsed,
  open: vscode.TreeItemCollapsibleState.Expanded,
} as const;

/**
 * Every icon has a colour. Azure Data Studio 1.47 fails to draw a row whose icon has none, and leaves the old row
 * (docs/facts.md, Hosts 2).
 */
const PLAIN_ICON_COLOUR = 'icon.foreground';

function createTreeItem(row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, states[row.expand]);
  item.id = row.id;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.spoken };
  if (row.icon !== null)
    item.iconPath = new vscode.ThemeIcon(
      row.icon.name,
      new vscode.ThemeColor(row.icon.colour ?? PLAIN_ICON_COLOUR),
    );
  if (row.command !== null)
    item.command = { command: fullCommandId(row.command), title: row.label, arguments: [row] };
  return item;
}
