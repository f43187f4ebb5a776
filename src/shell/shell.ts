/** Builds everything that this extension shows in VS Code: pane, commands, dashboards, log. */
import { describeError } from '../monitor/queries/failure';
import * as vscode from 'vscode';
import type { ListedCapture } from '../captures/capture-folder';
import type { KeptCapture } from '../captures/capture-header';
import type { KeptRecord } from '../core/capture/capture-record';
import { t } from '../core/language';
import { type ConnectionHost, findHostOf, type HostChange, type HostServer, otherHosts } from '../hosts/host';
import { type BreakerWorld, LoginBreaker } from '../monitor/queries/login-breaker';
import { readStored, registerAgentTools } from './commands/agent-tools';
import { type AddedServer, addGivenServer } from './commands/given-server';
import { createAnotherWayCommand } from './commands/another-way';
import {
  tellCautions,
  tellLoss,
  ConnectionHosts,
  type HostState,
  listNotices,
} from './hosts/connection-hosts';
import { createCaptureCommands } from './captures/capture-commands';
import { CAPTURE_EDITOR, CaptureEditors } from './captures/capture-editors';
import { createEventIntake, type EventFilesWorld } from './captures/event-files';
import { type CommandContext, readTarget, takeUpNode } from './commands/command-context';
import {
  type CommandTable,
  fullCommandId,
  registerCommands,
  SELECTION,
  targetServer,
} from './kit/command-table';
import { Dashboards, DASHBOARD_VIEW_TYPE } from './dashboard/dashboards';
import { createDiagnosticsCommand } from './commands/diagnostics-command';
import { createEditorConversation, showError } from './kit/editor-conversation';
import { fetchEntraToken } from './servers/entra-token';
import { askPassword, formInput } from './servers/form-input';
import { findImported } from './servers/imported-servers';
import { createLog, type Log, redact } from './kit/log';
import { createFileSaver } from './kit/file-saver';
import { createTextSources, registerErrorLogEditors } from './error-logs/error-log-editors';
import { ErrorLogPanels, ERROR_LOG_VIEW_TYPE } from './error-logs/error-log-panels';
import { type ErrorLogDisk, KeptErrorLogs } from './error-logs/kept-error-logs';
import { createEvidenceCommands } from './commands/evidence-commands';
import { createImportCommand } from './commands/import-command';
import { createLookCommands } from './commands/look-commands';
import { OpenServers } from './servers/open-servers';
import { Pane, revealSteadily } from './tree/pane';
import { Reviews } from './review/reviews';
import { ScriptTabs } from './review/script-tabs';
import { createReviewCommand, createScriptCommand } from './commands/script-command';
import type { SavedServer } from './servers/saved-server';
import { SavedServers } from './servers/saved-servers';
import { ServerPasswords } from './servers/server-passwords';
import { connectionRules, mssqlConnections } from './settings';
import { connectDirectly, createServerCommands, type ServerForm } from './commands/server-commands';
import { type ListedServer, type NamedServer, ServerList } from './servers/server-list';
import { TrustedCertificates } from './servers/trusted-certificates';
import { describeBadge, StatusBar } from './status-bar';
import { createTrackingCommands } from './commands/tracking-commands';
import { createServerRow } from './tree/server-row';
import { ServersTree } from './tree/servers-tree';

interface ShellWorld {
  /** The other products whose connections we can use, in order of preference. */
  readonly hosts: readonly ConnectionHost[];
  /** The disk for what is kept beside the captures. */
  readonly files: ErrorLogDisk;
  /** Why this is no server address, as one sentence; null if it is one. */
  readonly checkAddress: (server: string) => string | null;
  readonly createMonitor: ConstructorParameters<typeof OpenServers>[1];
  /** The newest capture of a server, with everything that it answers now if it may be asked; null if there is none. */
  readonly recordCapture: (
    named: NamedServer,
    isReached: boolean,
    signal: AbortSignal,
  ) => Promise<KeptRecord | null>;
  /** The newest capture on disk of this server; null: none. */
  readonly findKept: (server: ListedServer) => Promise<ListedCapture | null>;
  readonly schedule: BreakerWorld['schedule'];
  readonly elapsedMs: () => number;
  readonly nowMs: () => number;
}

interface Panels {
  readonly dashboards: Dashboards;
  readonly reviews: Reviews;
  readonly errorLogs: ErrorLogPanels;
}

/** Lets the work that is waiting run first. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Shell {
  readonly log: Log;
  /** Decides for all servers of this window whether to log in again. */
  readonly breaker: LoginBreaker;
  private readonly channel: vscode.LogOutputChannel;
  private readonly servers: OpenServers;
  private readonly hosts: ConnectionHosts;
  private readonly tree: ServersTree;
  private readonly pane: Pane;
  private readonly dashboards: Dashboards;
  private readonly captures: CaptureEditors;
  private readonly context: CommandContext;
  private readonly form: ServerForm;
  private readonly scripts = new ScriptTabs(
    (serverId) => this.findEditor(serverId),
    (serverId) => `${serverId} ${this.servers.list.find(serverId)?.server}`,
  );
  private readonly files: ErrorLogDisk;
  private readonly recordCapture: ShellWorld['recordCapture'];
  private readonly state: vscode.Memento;
  private adding: Promise<unknown> = Promise.resolve();
  /** Passwords of the servers that the user added. */
  readonly passwords: ServerPasswords;
  readonly certificates: TrustedCertificates;

  constructor(context: vscode.ExtensionContext, world: ShellWorld) {
    this.files = world.files;
    this.recordCapture = world.recordCapture;
    this.state = context.globalState;
    this.channel = vscode.window.createOutputChannel('Checkpoint Health', { log: true });
    this.log = createLog(this.channel);
    this.breaker = new LoginBreaker(world);
    const list = new ServerList(new SavedServers(context.globalState, context.secrets), context.globalState);
    this.servers = new OpenServers(list, world.createMonitor);
    const onFailure = (error: unknown): void => this.report(error);
    this.certificates = new TrustedCertificates(list.saved);
    this.passwords = this.createPasswords(onFailure);
    this.hosts = new ConnectionHosts(
      {
        hosts: world.hosts,
        onLooked: (state, before) => void this.takeInHosts(state, before).catch(onFailure),
        onFailure,
      },
      (change) => void this.takeInConnection(change).catch(onFailure),
    );
    const notices = (): ReturnType<typeof listNotices> => listNotices(this.hosts.state, list.ways());
    this.tree = new ServersTree(this.servers, notices, onFailure);
    this.pane = new Pane(this.tree, this.hosts.guess());
    this.form = {
      input: formInput,
      checkAddress: world.checkAddress,
      rules: connectionRules,
      isWindows: process.platform === 'win32',
      passwords: this.passwords,
      reveal: (serverId, isOpened) => this.reveal(serverId, isOpened),
      showDashboard: (serverId, databaseId) => this.dashboards.show(serverId, databaseId),
    };
    this.context = this.createContext();
    const panels = this.createPanels(context, onFailure);
    this.dashboards = panels.dashboards;
    this.captures = new CaptureEditors({ servers: this.servers, dashboards: panels.dashboards, pause });
    context.subscriptions.push(
      this.channel,
      this.pane,
      this.tree,
      new StatusBar(this.servers),
      this.servers.onDidChange(() => this.pane.showBadge(describeBadge(this.servers.snapshots()))),
      panels.dashboards,
      panels.reviews,
      panels.errorLogs,
      this.passwords,
      this.hosts,
      this.tellCautions(),
      registerAgentTools(readStored(this.servers, world.findKept), this.log),
      ...this.registerPanels(panels, world.hosts),
      ...registerCommands(this.createCommands(panels, context), {
        register: (id, handler) =>
          vscode.commands.registerCommand(id, (...given) => handler(...this.takeSelection(given))),
        showError: (sentence, unreached) => void this.show(sentence, unreached),
        log: this.log,
      }),
    );
    void this.hosts.look().catch(onFailure);
  }

  /** `addServer` for other extensions. One question at a time, so that each is about the list as it is. */
  addServer(server: AddedServer): Promise<string> {
    const added = this.adding.then(() => addGivenServer(this.context, this.form, server));
    this.adding = added.catch(() => undefined);
    return added;
  }

  /** Whether any window reached that server of another product. */
  wasReached(serverId: string): boolean {
    return this.servers.list.wasReached(serverId);
  }

  /** The product through whose connection this server is reached; undefined if there is none. */
  findHost(server: ListedServer): ConnectionHost | undefined {
    return server.way === 'own' ? undefined : this.hosts.find(server.way);
  }

  /** What the saved capture of this server holds. @throws Error with one sentence if its file is not open any more */
  findRecord(serverId: string): KeptCapture {
    const record = this.captures.find(serverId);
    if (record === undefined) throw new Error(t('The file of this capture is no longer open.'));
    return record;
  }

  /**
   * A new token of Microsoft Entra, kept nowhere. undefined if the user did not sign in, or may not be asked.
   * @throws Error with one sentence
   */
  token(server: SavedServer, mayAsk: boolean): Promise<string | undefined> {
    return fetchEntraToken(vscode.authentication, server, mayAsk);
  }

  async dispose(): Promise<void> {
    await this.servers.dispose();
  }

  private registerPanels(
    { dashboards, errorLogs }: Panels,
    hosts: readonly ConnectionHost[],
  ): readonly vscode.Disposable[] {
    const editors = [
      vscode.window.registerCustomEditorProvider(CAPTURE_EDITOR, this.captures),
      ...registerErrorLogEditors({ panels: errorLogs, files: this.files, pause }),
    ];
    if (!hosts.every(({ restoresPanels }) => restoresPanels)) return editors;
    return [
      ...editors,
      vscode.window.registerWebviewPanelSerializer(DASHBOARD_VIEW_TYPE, dashboards),
      vscode.window.registerWebviewPanelSerializer(ERROR_LOG_VIEW_TYPE, errorLogs),
    ];
  }

  /**
   * Puts what is selected in the pane in the place of a key's word for it, or nothing. It is a copy of it: any
   * extension can press a key, so it counts as little as the command palette.
   */
  private takeSelection(given: readonly unknown[]): readonly unknown[] {
    if (given[0] !== SELECTION) return given;
    const rows = this.pane.selection.filter(({ serverId }) => this.servers.list.find(serverId) !== undefined);
    const read = readTarget(rows[0], rows);
    return read.kind === 'target' ? [read.target] : [];
  }

  private tellCautions(): { dispose(): void } {
    return tellCautions({
      servers: this.servers,
      state: this.state,
      conversation: this.context.conversation,
      findHost: (server) => this.findHost(server),
      openSetting,
    });
  }

  private createPasswords(onFailure: (error: unknown) => void): ServerPasswords {
    return new ServerPasswords(this.servers, {
      askPassword,
      mayStore: () => connectionRules().allowStoredPasswords,
      hide: (password) => this.log.hide(password),
      offer: (sentence, button, act) => this.context.conversation.offer(sentence, button, act),
      onFailure,
    });
  }

  private createContext(): CommandContext {
    const context: CommandContext = {
      servers: this.servers,
      conversation: createEditorConversation(() => this.pane.viewId),
      log: this.log,
      takeUpNode: (node) =>
        takeUpNode(
          context,
          {
            hosts: this.hosts,
            connectAnotherWay: (server) => this.connectDirectly(server),
            reveal: (serverId) => void this.reveal(serverId, true),
          },
          node,
        ),
      isOwn: (invoked) => this.tree.owns(invoked) || this.dashboards.owns(invoked),
      showTimeline: (serverId, databaseId) => this.dashboards.show(serverId, databaseId),
      addServer: async () => void (await vscode.commands.executeCommand(fullCommandId('addServer'))),
    };
    return context;
  }

  private createPanels(context: vscode.ExtensionContext, onFailure: (error: unknown) => void): Panels {
    const exports = {
      files: createFileSaver(),
      conversation: this.context.conversation,
      nowUtcMs: () => Date.now(),
      pause,
      elapsedMs: () => performance.now(),
      loadParquet: () => import(/* webpackChunkName: "parquet" */ '../core/export/parquet'),
    };
    const keepIn = (storage: vscode.Uri): KeptErrorLogs =>
      new KeptErrorLogs(vscode.Uri.joinPath(storage, 'error-logs').fsPath, this.files);
    // Windows without a folder share a place, so pages of other windows are deleted only when they are old.
    const shared = keepIn(context.globalStorageUri);
    const kept = context.storageUri === undefined ? shared : keepIn(context.storageUri);
    const errorLogs = new ErrorLogPanels({
      extensionUri: context.extensionUri,
      kept,
      conversation: this.context.conversation,
      exports,
      log: this.log,
      readErrorLog: () => void vscode.commands.executeCommand(fullCommandId('readErrorLog')),
      createEventIntake: (piece) =>
        createEventIntake(this.context.conversation, this.createOpening(context.globalStorageUri), piece),
      onFailure,
    });
    if (kept !== shared) void errorLogs.sweep().catch(onFailure);
    void shared.sweep(Date.now()).catch(onFailure);
    const dashboards = new Dashboards({
      servers: this.servers,
      extensionUri: context.extensionUri,
      log: this.log,
      // A command of this extension gets the very object.
      invoke: (command, target) => void vscode.commands.executeCommand(fullCommandId(command), target),
      onFailure,
      exports,
      createLogIntake: (post) => errorLogs.createIntake(post),
    });
    const reviews = new Reviews({
      context: this.context,
      editor: this.scripts,
      extensionUri: context.extensionUri,
      onFailure,
    });
    return { dashboards, reviews, errorLogs };
  }

  private createOpening(storage: vscode.Uri): EventFilesWorld {
    return {
      load: () => import(/* webpackChunkName: "event-files" */ '../core/event-files/event-files'),
      storage,
      disk: this.files,
      pause,
      nowUtcMs: () => Date.now(),
    };
  }

  /**
   * Of the product that the server is of. Our own driver may have taken the server over: then it is asked if its
   * connections are imported, because the node that the user pointed at needs no login of ours.
   */
  private findEditor(serverId: string): ConnectionHost['editor'] | undefined {
    const name = findHostOf(serverId);
    if (name === undefined) return undefined;
    const isAsked = this.servers.list.find(serverId)?.way === name || otherHosts[name].isImported;
    return isAsked ? this.hosts.find(name)?.editor : undefined;
  }

  /** What the settings of the SQL Server extension have of that connection is not asked. */
  private connectDirectly(server: HostServer): Promise<void> {
    const rules = { ...this.form, rules: this.form.rules() };
    const written = mssqlConnections() ?? { connections: [], groups: [] };
    return connectDirectly(this.context, this.form, server, findImported(written, rules, server.id));
  }

  private createCommands(
    { reviews, errorLogs }: Panels,
    { extension, extensionUri, globalStorageUri }: vscode.ExtensionContext,
  ): CommandTable {
    const { context, tree } = this;
    const extensionVersion = String(extension.packageJSON.version);
    const diagnostics = createDiagnosticsCommand(context, this.hosts, {
      extensionVersion,
      describeLogins: () => this.breaker.describe(),
    });
    return {
      ...createServerCommands(context, this.form),
      importServers: createImportCommand(context, this.form, {
        read: mssqlConnections,
        open: () => openSetting('mssql.connections'),
      }),
      ...createTrackingCommands(context),
      ...createLookCommands(context, { tree, showLog: () => this.channel.show() }),
      ...createCaptureCommands(context, {
        sample: vscode.Uri.joinPath(extensionUri, 'media', 'sample.checkpoints'),
        files: createFileSaver(),
        record: this.recordCapture,
        ...this.createOpening(globalStorageUri),
      }),
      ...createEvidenceCommands(context, createTextSources(errorLogs)),
      reviewScript: createReviewCommand(context, reviews),
      writeScript: createScriptCommand(context, this.scripts, (serverId) => reviews.findOpened(serverId)),
      showConnectionDiagnostics: diagnostics,
      connectAnotherWay: createAnotherWayCommand(context, this.form.rules, {
        findHost: (server) => this.findHost(server),
        connectDirectly: (server) => this.connectDirectly(server),
        findChange: (serverId) => this.certificates.findChange(serverId),
        editServer: async (serverId) =>
          void (await vscode.commands.executeCommand(fullCommandId('editServer'), targetServer(serverId))),
        importServers: async () =>
          void (await vscode.commands.executeCommand(fullCommandId('importServers'))),
        showDiagnostics: async () => void (await diagnostics()),
      }),
    };
  }

  /** Another product appeared or went, or lists other servers now. */
  private async takeInHosts({ choice, listing }: HostState, before: HostState | null): Promise<void> {
    const wasUsable = before !== null && before.choice.name !== 'own';
    this.servers.list.takeIn(listing);
    this.tellLoss(before);
    this.pane.moveTo(choice.place);
    await this.servers.takeInList();
    if (before === null || before.choice.name === choice.name) return;
    this.log.info(`The pane is in another place now. ${choice.why}`);
    if (wasUsable && choice.name !== 'own')
      this.context.conversation.offer(choice.why, t('Show Pane'), () => this.pane.focus());
    // Each row says at once whether its server can still be reached.
    await Promise.all(this.servers.openedThroughHosts().map((monitor) => monitor.look('now')));
  }

  private tellLoss(before: HostState | null): void {
    if (this.hosts.state === null) return;
    const world = {
      state: this.state,
      conversation: this.context.conversation,
      importServers: async () => void (await vscode.commands.executeCommand(fullCommandId('importServers'))),
      showPane: () => this.pane.focus(),
    };
    tellLoss(world, this.hosts.state, before, this.servers.list.ways());
  }

  /** A server was connected or disconnected in the other product's own user interface. */
  private async takeInConnection({
    kind,
    serverId,
  }: Exclude<HostChange, { kind: 'servers' }>): Promise<void> {
    const monitor = this.servers.openedThroughHosts().find(({ id }) => id === serverId);
    if (monitor === undefined) return;
    if (kind === 'disconnected') await monitor.leave(t('It was disconnected. Refresh to connect again.'));
    else if (monitor.snapshot.connection === 'failed') await monitor.refresh();
  }

  /** Shows the server's row, and the pane. */
  private async reveal(serverId: string, isOpened: boolean): Promise<void> {
    const show = async (): Promise<void> => {
      await this.tree.drawn();
      await this.pane.reveal(
        createServerRow(this.servers.snapshot(serverId), this.servers.list.ownership(serverId)),
        isOpened,
      );
    };
    const left = await revealSteadily(
      show,
      (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
    );
    if (left !== null)
      this.log.warn(`The row of a server could not be shown: ${describeError(left.failure)}`);
  }

  private report(error: unknown): void {
    this.log.error((error instanceof Error && error.stack) || describeError(error));
    void this.show(redact(describeError(error)));
  }

  /** @param unreached the server that could not be reached, if that is what the sentence says */
  private async show(sentence: string, unreached: string | null = null): Promise<void> {
    const [another, log] = [t('Connect Another Way…'), t('Show Log')];
    const pressed = await showError(sentence, ...(unreached === null ? [log] : [another, log]));
    if (pressed === log) this.channel.show();
    if (pressed !== another || unreached === null) return;
    await vscode.commands.executeCommand(fullCommandId('connectAnotherWay'), targetServer(unreached));
  }
}

async function openSetting(setting: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', setting);
}
