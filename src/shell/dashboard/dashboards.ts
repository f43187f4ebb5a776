/** The dashboards of this window: one webview panel for each server. They come back with the window. */
import * as vscode from 'vscode';
import { makePlain } from '../../core/visible';
import type { DashboardCommand, ErrorLogPiece, ErrorLogTaken, ToExtension, ToWebview } from '../../protocol';
import { readToExtension } from '../../received';
import { thisComputer } from '../../monitor/queries/slices';
import type { Log } from '../kit/log';
import type { OpenServers } from '../servers/open-servers';
import { type CommandTarget, Dismissed } from '../kit/command-table';
import { type ExportSource, exportFile, type ExportWorld, savePicture } from './exports';
import { dashboardStyles } from '../kit/webview-page';
import { fillPanel, hearPage, readPanelId, webviewOptions } from '../kit/webview-panel';
import { DashboardSender } from './sender';
import { createDatabaseViews, createServerView, createTrackingView } from './view';
import { t } from '../../core/language';

export const DASHBOARD_VIEW_TYPE = 'checkpointHealth.dashboard';

interface DashboardWorld {
  readonly servers: OpenServers;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** The same commands as those of the tree. */
  readonly invoke: (command: Exclude<DashboardCommand, 'rollBack'>, target: CommandTarget) => void;
  readonly onFailure: (error: unknown) => void;
  readonly exports: ExportWorld;
  /** Reads an error log that the user drops on a page, piece by piece. */
  readonly createLogIntake: (
    post: (message: ErrorLogTaken) => void,
  ) => (piece: ErrorLogPiece) => Promise<void>;
}

interface OpenDashboard {
  readonly panel: vscode.WebviewPanel;
  readonly sender: DashboardSender;
  readonly takeLog: (piece: ErrorLogPiece) => Promise<void>;
}

export class Dashboards implements vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, OpenDashboard>();
  private readonly targets = new WeakSet<object>();
  private readonly listening: { dispose(): void };

  constructor(private readonly world: DashboardWorld) {
    this.listening = world.servers.onDidChange((serverId) => this.takeIn(serverId));
  }

  /** Opens the dashboard or brings it to the front. @param databaseId selected in it; null: none */
  show(serverId: string, databaseId: number | null): void {
    const known = this.open.get(serverId);
    if (known !== undefined) known.panel.reveal();
    const { sender } = known ?? this.adopt(serverId, this.createPanel(serverId));
    if (databaseId !== null) sender.reveal(databaseId);
  }

  /** Restores a panel of the last session of this window, unless its server was removed meanwhile. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const serverId = readPanelId(state);
    if (
      typeof serverId !== 'string' ||
      this.world.servers.list.find(serverId) === undefined ||
      this.open.has(serverId)
    ) {
      panel.dispose();
      return;
    }
    this.take(serverId, panel);
    await this.world.servers.look(serverId);
  }

  /** Fills a panel that the editor made. */
  take(serverId: string, panel: vscode.WebviewPanel): void {
    panel.webview.options = webviewOptions(this.world.extensionUri);
    this.adopt(serverId, panel);
  }

  /** Whether a dashboard handed this very object to a command; one that only looks like it does not count. */
  owns(invoked: unknown): boolean {
    return typeof invoked === 'object' && invoked !== null && this.targets.has(invoked);
  }

  dispose(): void {
    this.listening.dispose();
    for (const { panel } of [...this.open.values()]) panel.dispose();
  }

  private createPanel(serverId: string): vscode.WebviewPanel {
    const title = nameDashboard(this.world.servers.snapshot(serverId).label);
    return vscode.window.createWebviewPanel(
      DASHBOARD_VIEW_TYPE,
      title,
      vscode.ViewColumn.Active,
      webviewOptions(this.world.extensionUri),
    );
  }

  private adopt(serverId: string, panel: vscode.WebviewPanel): OpenDashboard {
    const post = (message: ToWebview): void => void panel.webview.postMessage(message);
    const { servers } = this.world;
    const sender = new DashboardSender(
      {
        server: () =>
          createServerView(servers.snapshot(serverId), servers.timeline(serverId)?.known.offsets ?? []),
        tracking: () => createTrackingView(servers.snapshot(serverId)),
        databases: () =>
          createDatabaseViews(servers.snapshot(serverId), servers.capture(serverId)?.databases ?? null),
        changes: () => servers.snapshot(serverId).changes,
        evidence: () => servers.evidence(serverId),
        evidenceState: () => servers.timeline(serverId)?.known.state ?? null,
        marks: () => servers.timeline(serverId)?.known.marks ?? null,
        samples: (held) => servers.timeline(serverId)?.readSamples(held) ?? null,
        capture: () => servers.capture(serverId),
      },
      {
        post,
        // If the server was removed meanwhile there is nothing to send, and its panel is about to close.
        schedule: (delayMs, task) =>
          thisComputer.schedule(delayMs, () => servers.list.find(serverId) !== undefined && task()),
      },
    );
    const dashboard = { panel, sender, takeLog: this.world.createLogIntake(post) };
    this.open.set(serverId, dashboard);
    hearPage(panel, readToExtension, this.world.log, (message) => this.receive(serverId, dashboard, message));
    panel.onDidChangeViewState(() => {
      // A hidden page is thrown away. When it is shown again, it says `ready`.
      if (!panel.visible) sender.pause();
    });
    panel.onDidDispose(() => {
      sender.pause();
      if (this.open.get(serverId) === dashboard) this.open.delete(serverId);
    });
    const { label } = servers.snapshot(serverId);
    fillPanel(panel, this.world.extensionUri, {
      script: 'webview.js',
      styles: dashboardStyles,
      title: nameDashboard(label),
      serverId,
      serverLabel: label,
    });
    return dashboard;
  }

  private async receive(
    serverId: string,
    { sender, takeLog }: OpenDashboard,
    message: ToExtension,
  ): Promise<void> {
    try {
      if (message.type === 'failed') this.world.log.error(t('Dashboard: {0}', message.message));
      else if (message.type === 'invoke')
        this.invoke(message.command, { serverId, databaseIds: message.databaseIds, group: null });
      else if (message.type === 'export')
        await exportFile(message, this.describeSource(serverId), this.world.exports);
      else if (message.type === 'save')
        await savePicture(message, this.world.servers.snapshot(serverId).label, this.world.exports);
      else if (message.type === 'errorLogFile') await takeLog(message);
      else if (message.type === 'cancelReading') this.world.servers.timeline(serverId)?.cancelReading();
      else if (message.type === 'pauseReading') (await this.world.servers.monitor(serverId)).pauseReading();
      else if (message.type === 'readOn') (await this.world.servers.monitor(serverId)).readOn();
      else sender.receive(message);
    } catch (error) {
      if (!(error instanceof Dismissed)) this.world.onFailure(error);
    }
  }

  private describeSource(serverId: string): ExportSource {
    const { servers } = this.world;
    const snapshot = servers.snapshot(serverId);
    const capture = servers.capture(serverId);
    const pages = servers.evidence(serverId);
    return { snapshot, capture, pages, offsets: servers.timeline(serverId)?.known.offsets ?? [] };
  }

  private invoke(command: DashboardCommand, target: CommandTarget): void {
    if (command === 'rollBack') return this.invoke('reviewScript', { ...target, rollsBack: true });
    this.targets.add(target);
    this.world.invoke(command, target);
  }

  private takeIn(serverId: string | null): void {
    if (serverId === null) this.takeInList();
    else this.open.get(serverId)?.sender.update();
  }

  /** The list of servers changed: closes the panels of removed servers, and renames others. */
  private takeInList(): void {
    for (const [id, { panel, sender }] of [...this.open]) {
      if (this.world.servers.list.find(id) === undefined) panel.dispose();
      else {
        panel.title = nameDashboard(this.world.servers.snapshot(id).label);
        sender.update();
      }
    }
  }
}

function nameDashboard(label: string): string {
  return makePlain(t('{0}: checkpoints', label));
}
