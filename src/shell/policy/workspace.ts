/** The policy files of the open workspace. We read nothing else of it, and only if the user trusts it. */
import * as vscode from 'vscode';
import { type PolicyFile, POLICY_FILE_NAME, type PolicyWorld } from './policy-files';
import { t } from '../../core/language';

export function createPolicyWorld(warn: PolicyWorld['warn']): PolicyWorld {
  return {
    listFiles,
    whyNone: () => (vscode.workspace.isTrusted ? null : t('not read: this workspace is not trusted')),
    onDidChange,
    warn,
  };
}

function listFiles(): readonly PolicyFile[] {
  if (!vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => {
    const file = vscode.Uri.joinPath(uri, POLICY_FILE_NAME);
    return { path: vscode.workspace.asRelativePath(file, true), read: () => read(file) };
  });
}

async function read(file: vscode.Uri): Promise<string | null> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    throw error;
  }
}

function onDidChange(listener: () => void): { dispose(): void } {
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${POLICY_FILE_NAME}`);
  const all = [
    watcher,
    watcher.onDidCreate(listener),
    watcher.onDidChange(listener),
    watcher.onDidDelete(listener),
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
  ];
  return { dispose: () => all.forEach((one) => one.dispose()) };
}
