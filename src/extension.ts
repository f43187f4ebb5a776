/** Where everything is joined. Activation registers and reads nothing from any server; what is heavy is loaded when it is first needed. */
import * as vscode from 'vscode';
import { readServerAddress } from './hosts/direct-address';
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
    const opened: Shell = new Shell(context, { host: chooseHost(findHosts(), adapters), checkAddress, createMonitor: (server) => createMonitor(server, opened) });
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
  if (hasAzdata()) hosts.add('azdata');
  const mssql = vscode.extensions.getExtension('ms-mssql.mssql')?.packageJSON as { contributes?: { viewsContainers?: { activitybar?: { id?: string }[] } } } | undefined;
  if (mssql?.contributes?.viewsContainers?.activitybar?.some(({ id }) => id === 'objectExplorer')) hosts.add('mssql');
  return hosts;
}

function hasAzdata(): boolean {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a module that only Azure Data Studio has
    return (require('azdata') as { version?: string }).version !== undefined;
  } catch {
    return false;
  }
}

function checkAddress(server: string): string | null {
  try {
    readServerAddress(server);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function createMonitor(server: SavedServer, opened: Shell): Promise<ServerMonitor> {
  const [{ createServerMonitor }, { createDirectAccess }] = await Promise.all([import('./monitor/monitored-server'), import('./hosts/direct')]);
  return createServerMonitor({
    access: createDirectAccess({ server, password: () => opened.password(server) }),
    schedule,
    newCaptureId: () => `${server.id} ${Date.now().toString(36)}`,
    log: { sql: (title, text) => opened.log.statement(server.name, title, text), warn: (message) => opened.log.warn(message) },
    pollIntervalMs: opened.pollIntervalMs(),
    refreshIntervalMs,
  });
}

function schedule(delayMs: number, task: () => void): { dispose(): void } {
  const timer = setTimeout(task, delayMs);
  return { dispose: () => clearTimeout(timer) };
}
