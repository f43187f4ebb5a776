/** What is different between the scripts that were opened last for a server and those of its review: two documents that nobody can write in or run. */
import * as vscode from 'vscode';
import { type ScriptSet, writeComparedText } from '../../core/script/script-set';
import { makeVisible } from '../../core/visible';

export const COMPARISON_SCHEME = 'checkpoint-health-scripts';

export class ScriptComparison implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  /** @param label the server, as the user named it */
  async show(serverId: string, label: string, before: ScriptSet, after: ScriptSet): Promise<void> {
    const [left, right] = [this.keep(serverId, 'opened last', before), this.keep(serverId, 'now', after)];
    const title = makeVisible(`${label}: scripts opened last, and now`);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** The same document for the same server each time: one that is still open shows the new text. */
  private keep(serverId: string, name: string, scripts: ScriptSet): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: COMPARISON_SCHEME, path: `/${name}.sql`, query: serverId });
    this.texts.set(uri.toString(), writeComparedText(scripts));
    this.changed.fire(uri);
    return uri;
  }
}
