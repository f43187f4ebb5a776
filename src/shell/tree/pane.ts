/** The pane: one tree, shown only in the container of the chosen host. */
import * as vscode from 'vscode';
import type { HostName } from '../../hosts/host';
import { HOST_CONTEXT_KEY, viewIds } from '../hosts/host-choice';
import type { Row } from './row';

export class Pane {
  private readonly views = new Map<HostName, vscode.TreeView<Row>>();
  private badge: vscode.ViewBadge | undefined;

  constructor(
    private readonly tree: vscode.TreeDataProvider<Row> & { expand(row: Row): Promise<void> },
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
    this.drawBadge();
    void vscode.commands.executeCommand('setContext', HOST_CONTEXT_KEY, host);
  }

  /**
   * Shows a number on the icon of the pane's container; undefined: none. Told only if it is another one, because
   * servers are read every few seconds.
   */
  showBadge(badge: vscode.ViewBadge | undefined): void {
    if (badge?.value === this.badge?.value && badge?.tooltip === this.badge?.tooltip) return;
    this.badge = badge;
    this.drawBadge();
  }

  get selection(): readonly Row[] {
    return this.view(this.host).selection;
  }

  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${this.viewId}.focus`);
  }

  /** @param isOpened true connects, because a server connects when its row is opened */
  async reveal(row: Row, isOpened: boolean): Promise<void> {
    await this.view(this.host).reveal(row, { select: true, focus: false, expand: isOpened });
  }

  /**
   * Lets the manifest choose the place again. The window outlives us if extensions are restarted, but the pane's
   * container may not.
   */
  dispose(): void {
    for (const view of this.views.values()) view.dispose();
    void vscode.commands.executeCommand('setContext', HOST_CONTEXT_KEY, undefined);
  }

  /** Only on the view that is shown. Not every host has badges. */
  private drawBadge(): void {
    for (const [host, view] of this.views)
      if ('badge' in view) view.badge = host === this.host ? this.badge : undefined;
  }

  private view(host: HostName): vscode.TreeView<Row> {
    const known = this.views.get(host);
    if (known !== undefined) return known;
    const made = vscode.window.createTreeView(viewIds[host], {
      treeDataProvider: this.tree,
      canSelectMany: true,
      showCollapseAll: true,
    });
    // Its row says what goes on, and nothing waits for it: so the pane's own bar is enough.
    made.onDidExpandElement(
      ({ element }) =>
        void vscode.window.withProgress({ location: { viewId: viewIds[host] } }, () =>
          this.tree.expand(element),
        ),
    );
    this.views.set(host, made);
    return made;
  }
}

/** Together longer than it takes to draw the pane twice. */
const pausesMs = [100, 300, 900];

/**
 * Tries again until the row is shown. The editor gives up if the tree is drawn again meanwhile, which happens several
 * times after a server was added. The last failure only goes to the log, because the server is in the list anyway.
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
