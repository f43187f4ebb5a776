/** Scripts in the editor of our own host: unsaved SQL documents, connected to nothing. The script's own guard names the server it is for. */
import * as vscode from 'vscode';
import type { ScriptEditor } from '../hosts/host';

export function createScriptEditor(): ScriptEditor {
  return {
    open: async (content, _title, _serverId, place = 'in front') => {
      const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false };
      await vscode.window.showTextDocument(document, place === 'beside' ? beside : { preview: false });
    },
  };
}
