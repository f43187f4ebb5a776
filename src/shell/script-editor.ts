/** Scripts in an editor: of the product through whose connection a server is reached; else unsaved SQL documents, connected to nothing. The script's own guard names the server it is for. */
import * as vscode from 'vscode';
import type { ScriptEditor } from '../hosts/host';

/** @param findEditor the other product's editor for that server; undefined: there is none */
export function createScriptEditor(findEditor: (serverId: string) => ScriptEditor | undefined): ScriptEditor {
  return {
    open: async (content, title, serverId, place = 'in front') => {
      const connected = findEditor(serverId);
      if (connected !== undefined) return connected.open(content, title, serverId, place);
      const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false };
      await vscode.window.showTextDocument(document, place === 'beside' ? beside : { preview: false });
    },
  };
}
