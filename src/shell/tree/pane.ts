/** The pane: one tree, shown only in the container of the chosen host. */
import * as vscode from 'vscode';
import type { HostName } from '../../hosts/host';
import { HOST_CONTEXT_KEY, viewIds } from '../hosts/host-choice';
import type { Row } from './row';

export class Pane {
  private readonly views = new Map<HostName, vscode.TreeView<Row>>();

  constructor(
    private readonly tree: vscode.TreeDataProvider<Row> & { expand(row: Row): void },
    private host: HostName,
  ) {
    this.moveTo(host);
  }

  get viewId(): string {
    return viewIds[this.host];
  }

  /** Moves the pane there. The old view keeps its tree, but the manifest hides it. */
  moveTo(host: HostName): void {
    this.host = host;
    this.view(host);
    void vscode.commands.executeCommand('setContext', HOST_CONTEXT_KEY, host);
  }

  /** Brings the pane to the front. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${this.viewId}.focus`);
  }

  /** @param isOpened true connects, because a server connects when its row is opened */
  async reveal(row: Row, isOpened: boolean): Promise<void> {
    await this.view(this.host).reveal(row, { select: true, focus: false, expand: isOpened });
  }

  /** Lets the manifest choose the place again. The window outlives us if extensions are restarted, but the pane's container may not. */
  dispose(): void {
    for (const view of this.views.values()) view.dispose();
    void vscode.commands.executeCommand('setContext', HOST_CONTEXT_KEY, undefined);
  }

  private view(host: HostName): vscode.TreeView<Row> {
    const known = this.views.get(host);
    if (known !== undefined) return known;
    const made = vscode.window.createTreeView(viewIds[host], { treeDataProvider: this.tree, canSelectMany: true, showCollapseAll: true });
    made.onDidExpandElement(({ element }) => this.tree.expand(element));
    this.views.set(host, made);
    return made;
  }
}

/** Together longer than it takes to draw the pane twice. */
const pausesMs = [100, 300, 900];

/**
 * Tries again until the row is shown. The editor gives up if the tree is drawn again meanwhile, which happens several times after a server was added. The last
 * failure only goes to the log, because the server is in the list anyway.
 */
export async function revealSteadily(
  reveal: () => PromiseLike<void>,
  pause: (durationMs: number) => Promise<void>,
): Promise<{ readonly failure: unknown } | null> {
  let failure: unknown;
  for (const pauseMs of [0, ...pausesMs]) {
    if (pauseMs > 0) await pause(pauseMs);
    try {
      await reveal();
      return null;
    } catch (error) {
      failure = error;
    }
  }
  return { failure };
}
