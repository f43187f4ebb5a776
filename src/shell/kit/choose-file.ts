import * as vscode from 'vscode';

/** A file of the user's choice with its content; null where none was chosen. @throws Error of the file system */
export async function chooseFile(): Promise<{ readonly name: string; readonly bytes: Uint8Array } | null> {
  const [uri] = (await vscode.window.showOpenDialog({ title: 'Error log to read', openLabel: 'Read', canSelectMany: false })) ?? [];
  if (uri === undefined) return null;
  return { name: uri.path.split('/').pop() ?? uri.path, bytes: await vscode.workspace.fs.readFile(uri) };
}
