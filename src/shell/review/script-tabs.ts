/**
 * Where scripts open: each in one tab, connected to its server if the product that knows the server can do that. A
 * script that is still open as it was written comes to the front again.
 */
import * as vscode from 'vscode';
import { isSameScript } from '../../core/script/review-program';
import type { ReviewText } from '../../core/script/text';
import type { ConnectionHost, ScriptEditor } from '../../hosts/host';

type Place = NonNullable<Parameters<ScriptEditor['open']>[3]>;

export class ScriptTabs implements ScriptEditor {
  /** What each document was opened for, by its address: two servers of one name have the same script. */
  private readonly places = new Map<string, string>();
  /** Addresses of documents that were connected. */
  private readonly connected = new Set<string>();

  /**
   * @param findEditor of the product that knows the server; undefined: none does
   * @param namePlace the server with its address of now: a tab that was connected to another one is not shown again
   */
  constructor(
    private readonly findEditor: (serverId: string) => ConnectionHost['editor'] | undefined,
    private readonly namePlace: (serverId: string) => string,
  ) {}

  async open(text: ReviewText, title: string, serverId: string, place: Place = 'in front'): Promise<void> {
    const at = this.namePlace(serverId);
    if (await this.showAgain(text, at, place, this.connected)) return;
    const connected = await this.findEditor(serverId)?.open(text, title, serverId, place);
    // Once it can be connected, a tab that is not is no longer what the user wants.
    if (connected != null) this.connected.add(connected);
    else if (await this.showAgain(text, at, place)) return;
    this.places.set(connected ?? (await openUnconnected(text, place)), at);
  }

  /** @returns false if none of the tabs shows it */
  private async showAgain(
    text: ReviewText,
    at: string,
    place: Place,
    among?: ReadonlySet<string>,
  ): Promise<boolean> {
    for (const { tabs, viewColumn } of vscode.window.tabGroups.all)
      for (const { input } of tabs) {
        if (!(input instanceof vscode.TabInputText)) continue;
        const address = input.uri.toString();
        const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
        if (this.places.get(address) !== at || document === undefined) continue;
        if (among?.has(address) === false) continue;
        if (!isSameScript(document.getText(), text)) continue;
        const preserveFocus = place === 'beside';
        await vscode.window.showTextDocument(document, { viewColumn, preserveFocus, preview: false });
        return true;
      }
    return false;
  }
}

/**
 * mssql may connect it to the server used last (since 1.37): the script's own guard names the server that it is for.
 * @returns the document's address
 */
async function openUnconnected(content: ReviewText, place: Place): Promise<string> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false };
  await vscode.window.showTextDocument(document, place === 'beside' ? beside : { preview: false });
  return document.uri.toString();
}
