/** Where everything is joined. Activation registers and reads nothing from any server; what is heavy is loaded when it is first needed. */
import * as files from 'node:fs/promises';
import * as vscode from 'vscode';
import { openCaptureFolder } from './captures/capture-folder';
import { openServerCaptures } from './captures/server-captures';
import { isAzureDataStudio } from './hosts/azdata';
import { readServerAddress } from './hosts/direct-address';
import { hasMssqlContainer } from './hosts/mssql';
import { type AddedServer } from './shell/added-server';
import type { SavedServer } from './shell/saved-servers';
import { Shell } from './shell/shell';
import { chooseHost, type HostName } from './shell/host-choice';
import type { ServerMonitor } from './monitor/server-monitor';

/** What other extensions get from us. */
export interface CheckpointHealth {
  /** Adds a server without asking, or changes the one added before under the same name, address and login. The password goes to the editor's secret storage. Gives the server's id. */
  addServer(server: AddedServer): Promise<string>;
}

/** Hosts whose connections we can use; beside our own driver there is none yet. */
const adapters: ReadonlySet<HostName> = new Set(['own']);

/** Between two reads of the facts while connected. */
const refreshIntervalMs = 60_000;

let shell: Shell | null = null;

export function activate(context: vscode.ExtensionContext): CheckpointHealth {
  try {
    const opened: Shell = new Shell(context, {
      host: chooseHost(findHosts(), adapters),
      checkAddress,
      createMonitor: (server) => createMonitor(server, opened, context.globalStorageUri),
    });
    shell = opened;
    return { addServer: (server) => opened.addServer(server) };
  } catch (error) {
    void vscode.window.showErrorMessage(`Checkpoint Health could not start: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

export async function deactivate(): Promise<void> {
  await shell?.dispose();
  shell = null;
}

/** By capability: what is there, not which version it is. */
function findHosts(): ReadonlySet<HostName> {
  const hosts = new Set<HostName>();
  if (isAzureDataStudio()) hosts.add('azdata');
  if (hasMssqlContainer()) hosts.add('mssql');
  return hosts;
}

function checkAddress(server: string): string | null {
  try {
    readServerAddress(server);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function createMonitor(server: SavedServer, opened: Shell, storage: vscode.Uri): Promise<ServerMonitor> {
  const [{ createServerMonitor }, { createDirectAccess }] = await Promise.all([
    import('./monitor/monitored-server'),
    import('./hosts/direct'),
  ]);
  const folder = openCaptureFolder(vscode.Uri.joinPath(storage, 'captures', server.id).fsPath, files);
  const warn = (message: string): void => opened.log.warn(message);
  return createServerMonitor({
    access: createDirectAccess({ server, password: () => opened.password(server) }),
    schedule,
    newCaptureId: () => `capture-${Date.now().toString(36)}`,
    log: { sql: (title, text) => opened.log.statement(server.name, title, text), warn },
    captures: openServerCaptures(folder, server.name, warn),
    pollIntervalMs: opened.pollIntervalMs(),
    refreshIntervalMs,
  });
}

function schedule(delayMs: number, task: () => void): { dispose(): void } {
  const timer = setTimeout(task, delayMs);
  return { dispose: () => clearTimeout(timer) };
}
