/** Everything of this extension that VS Code shows, put together: pane, commands, dashboards, log. */
import * as vscode from 'vscode';
import type { ServerMonitor } from '../monitor/server-monitor';
import { summarizeCapture } from '../monitor/judgement';
import { type AddedServer } from './added-server';
import type { CommandContext } from './command-context';
import { type CommandTable, fullCommandId, registerCommands } from './commands';
import { Dashboards, dashboardViewType } from './dashboard/dashboards';
import { createEditorConversation, showError } from './editor-conversation';
import { askPassword, formInput } from './form-input';
import { hostContextKey, type HostName, viewIds } from './host-choice';
import { createLog, describeError, type Log, redact } from './log';
import { createLookCommands } from './look-commands';
import { OpenServers } from './open-servers';
import { PasswordQuestions } from './password-questions';
import { createReviewCommand } from './review-command';
import { type SavedServer, SavedServers } from './saved-servers';
import { createScriptEditor } from './script-editor';
import { addGivenServer, createServerCommands, type ServerForm } from './server-commands';
import { createTrackingCommands } from './tracking-commands';
import { revealSteadily } from './tree/reveal';
import { describeServer } from './tree/server-row';
import type { Row } from './tree/row';
import { ServersTree } from './tree/servers-tree';

export interface ShellWorld {
  readonly host: HostName;
  /** Why this is no server address, as one sentence; null where it is one. */
  readonly checkAddress: (server: string) => string | null;
  readonly createMonitor: (server: SavedServer) => Promise<ServerMonitor>;
}

export class Shell {
  readonly log: Log;
  private readonly channel: vscode.LogOutputChannel;
  private readonly servers: OpenServers;
  private readonly tree: ServersTree;
  private readonly pane: vscode.TreeView<Row>;
  private readonly context: CommandContext;
  private readonly form: ServerForm;
  private readonly passwords: PasswordQuestions;

  constructor(context: vscode.ExtensionContext, world: ShellWorld) {
    this.channel = vscode.window.createOutputChannel('Checkpoint Health', { log: true });
    this.log = createLog(this.channel);
    const saved = new SavedServers(context.globalState, context.secrets);
    this.servers = new OpenServers(saved, { createMonitor: world.createMonitor, summarizeCapture });
    this.passwords = new PasswordQuestions(this.servers, askPassword);
    const onFailure = (error: unknown): void => this.report(error);
    const tree = new ServersTree(this.servers, onFailure);
    this.tree = tree;
    const viewId = viewIds[world.host];
    this.pane = vscode.window.createTreeView(viewId, { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true });
    this.form = { input: formInput, checkAddress: world.checkAddress, reveal: (serverId) => this.reveal(serverId) };
    this.context = {
      servers: this.servers,
      conversation: createEditorConversation(viewId),
      log: this.log,
      addServer: async () => void (await vscode.commands.executeCommand(fullCommandId('addServer'))),
    };
    const dashboards: Dashboards = new Dashboards({
      servers: this.servers,
      extensionUri: context.extensionUri,
      log: this.log,
      invoke: (command, target) => void vscode.commands.executeCommand(fullCommandId(command), target),
      onFailure,
    });
    const table: CommandTable = {
      ...createServerCommands(this.context, this.form),
      ...createTrackingCommands(this.context),
      ...createLookCommands(this.context, { tree, dashboards, showLog: () => this.channel.show() }),
      reviewScript: createReviewCommand(this.context, createScriptEditor()),
    };
    context.subscriptions.push(
      this.channel,
      this.pane,
      tree,
      dashboards,
      this.passwords,
      vscode.window.registerWebviewPanelSerializer(dashboardViewType, dashboards),
      ...registerCommands(table, {
        register: (id, handler) => vscode.commands.registerCommand(id, handler),
        showError: (sentence) => void this.show(sentence),
        log: this.log,
      }),
    );
    void vscode.commands.executeCommand('setContext', hostContextKey, world.host);
  }

  /** `addServer` for other extensions. */
  async addServer(server: AddedServer): Promise<string> {
    return addGivenServer(this.context, this.form, server);
  }

  /** The stored password; asked for where there is none any more. undefined: the user gave none. */
  async password(server: SavedServer): Promise<string | undefined> {
    const stored = await this.servers.saved.password(server.id);
    const password = stored ?? (await this.passwords.ask(server));
    if (password === undefined) return undefined;
    this.log.hide(password);
    if (stored === undefined) await this.servers.saved.keepPassword(server.id, password);
    return password;
  }

  /** Milliseconds between two reads while tracking, from the settings. */
  pollIntervalMs(): number {
    const seconds = vscode.workspace.getConfiguration('checkpointHealth').get<number>('pollIntervalSeconds', 5);
    return Math.min(300, Math.max(1, seconds)) * 1000;
  }

  async dispose(): Promise<void> {
    await this.servers.dispose();
  }

  /** Opens the server's row, and with it the pane. */
  private async reveal(serverId: string): Promise<void> {
    const show = async (): Promise<void> => {
      await this.tree.drawn();
      await this.pane.reveal(describeServer(this.servers.snapshot(serverId)), { select: true, focus: false, expand: true });
    };
    const left = await revealSteadily(show, (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)));
    if (left !== null) this.log.warn(`The row of a server could not be shown: ${describeError(left.failure)}`);
  }

  private report(error: unknown): void {
    this.log.error((error instanceof Error && error.stack) || describeError(error));
    void this.show(redact(describeError(error)));
  }

  private async show(sentence: string): Promise<void> {
    if (await showError(sentence)) this.channel.show();
  }
}
