import * as vscode from 'vscode';
import type { KeptFiles } from './kept-error-logs';

/** Files of a folder that is ours, made when it is first needed. */
export function createKeptFiles(folder: vscode.Uri): KeptFiles {
  const place = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
  return {
    read: async (name) => vscode.workspace.fs.readFile(place(name)),
    write: async (name, bytes) => vscode.workspace.fs.writeFile(place(name), bytes),
    list: async () => (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name),
    remove: async (name) => vscode.workspace.fs.delete(place(name)),
  };
}
