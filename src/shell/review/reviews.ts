/**
 * The script reviews of this window: one webview panel for each server. A review describes one moment, so it does not
 * come back with the window.
 */
import * as vscode from 'vscode';
import type { Proposal } from '../../core/advice/proposal';
import { type ScriptSet, writeComparedText } from '../../core/script/script-set';
import { makePlain } from '../../core/visible';
import type { ScriptEditor } from '../../hosts/host';
import type { FromReview } from '../../protocol';
import { readFromReview } from '../../received';
import type { CommandContext } from '../commands/command-context';
import { Dismissed } from '../kit/command-table';
import { reviewStyles } from '../kit/webview-page';
import { fillPanel, hearPage, webviewOptions } from '../kit/webview-panel';
import { thisComputer } from '../../monitor/queries/slices';
import { ReviewSession } from './review-session';
import { t } from '../../core/language';

const REVIEW_VIEW_TYPE = 'checkpointHealth.review';

interface ReviewsWorld {
  readonly context: CommandContext;
  readonly editor: ScriptEditor;
  readonly extensionUri: vscode.Uri;
  readonly onFailure: (error: unknown) => void;
}

interface OpenReview {
  readonly panel: vscode.WebviewPanel;
  readonly session: ReviewSession;
}

export class Reviews {
  private readonly open = new Map<string, OpenReview>();
  /** The scripts that were last opened for each server in the list. */
  private readonly lastOpened = new Map<string, ScriptSet>();
  private readonly comparison = new ScriptComparison();
  private readonly ending: readonly { dispose(): void }[];

  constructor(private readonly world: ReviewsWorld) {
    this.ending = [
      this.comparison,
      vscode.workspace.registerTextDocumentContentProvider(COMPARISON_SCHEME, this.comparison),
      world.context.servers.onDidChange((serverId) => {
        if (serverId === null) this.takeInList();
      }),
    ];
  }

  /** Opens the review of these databases. If the server has a review already, that one goes on with them. */
  show(serverId: string, proposal: Proposal): void {
    const known = this.open.get(serverId);
    if (known === undefined) this.adopt(serverId, proposal);
    else {
      known.session.begin(proposal);
      known.panel.reveal();
    }
  }

  findOpened(serverId: string): ScriptSet | undefined {
    return this.lastOpened.get(serverId);
  }

  dispose(): void {
    for (const one of this.ending) one.dispose();
    for (const { panel } of [...this.open.values()]) panel.dispose();
  }

  private adopt(serverId: string, proposal: Proposal): void {
    const { extensionUri } = this.world;
    const title = this.nameReview(serverId);
    const panel = vscode.window.createWebviewPanel(
      REVIEW_VIEW_TYPE,
      title,
      vscode.ViewColumn.Active,
      webviewOptions(extensionUri),
    );
    const session = this.createSession(serverId, panel, proposal);
    const review = { panel, session };
    this.open.set(serverId, review);
    hearPage(panel, readFromReview, this.world.context.log, (message) => this.receive(session, message));
    panel.onDidDispose(() => {
      session.dispose();
      if (this.open.get(serverId) === review) this.open.delete(serverId);
    });
    fillPanel(panel, extensionUri, { script: 'review.js', styles: reviewStyles, title, serverId });
  }

  private createSession(serverId: string, panel: vscode.WebviewPanel, proposal: Proposal): ReviewSession {
    const { context, editor } = this.world;
    const { lastOpened } = this;
    return new ReviewSession(
      {
        serverId,
        monitor: () => context.servers.monitor(serverId),
        editor,
        conversation: context.conversation,
        log: context.log,
        post: (message) => void panel.webview.postMessage(message),
        schedule: thisComputer.schedule,
        compare: (before, after) =>
          this.comparison.show(serverId, context.servers.snapshot(serverId).label, before, after),
        lastOpened: {
          get: () => lastOpened.get(serverId),
          set: (scripts) => void lastOpened.set(serverId, scripts),
        },
      },
      proposal,
    );
  }

  private async receive(session: ReviewSession, message: FromReview): Promise<void> {
    try {
      await session.receive(message);
    } catch (error) {
      if (!(error instanceof Dismissed)) this.world.onFailure(error);
    }
  }

  /** The list of servers changed: drops what belongs to removed servers, and renames others. */
  private takeInList(): void {
    const { list } = this.world.context.servers;
    for (const serverId of [...this.lastOpened.keys()])
      if (list.find(serverId) === undefined) this.lastOpened.delete(serverId);
    for (const [serverId, { panel }] of [...this.open]) {
      if (list.find(serverId) === undefined) panel.dispose();
      else panel.title = this.nameReview(serverId);
    }
  }

  private nameReview(serverId: string): string {
    return makePlain(t('Review scripts — {0}', this.world.context.servers.snapshot(serverId).label));
  }
}

const COMPARISON_SCHEME = 'checkpoint-health-scripts';

/**
 * Compares the scripts that were last opened for a server with those of its review, in two documents that cannot be
 * edited or run.
 */
export class ScriptComparison implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  /** @param label the user's name for the server */
  async show(serverId: string, label: string, before: ScriptSet, after: ScriptSet): Promise<void> {
    const [left, right] = [this.keep(serverId, 'opened last', before), this.keep(serverId, 'now', after)];
    const title = makePlain(t('{0}: scripts opened last, and now', label));
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Always the same document for the same server, so that one that is still open shows the new text. */
  private keep(serverId: string, name: string, scripts: ScriptSet): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: COMPARISON_SCHEME, path: `/${name}.sql`, query: serverId });
    this.texts.set(uri.toString(), writeComparedText(scripts));
    this.changed.fire(uri);
    return uri;
  }
}
