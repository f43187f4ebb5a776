/**
 * The way through the SQL Server extension: what a test of the product needs of it, with the stand-in of this folder in
 * its place.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { vsixFile } from '../../../tools/build/vsix';
import type { Host } from '../host';
import { listUncaught } from '../left-behind';
import { packageStandIn } from '../stand-in-vsix';
import { rowsOf, type Way } from '../ways/way';

/** What the stand-in tells of itself. */
interface Observation {
  /** Addresses of the documents, and of the callers, that are connected. */
  readonly connected: readonly string[];
  /** For approval. */
  readonly prompts: number;
}

const packageMssql = (): Promise<string> =>
  packageStandIn('mssql', ['README.md', 'server.svg', 'package.json']);

/** Both extensions, packaged: what startHost is to install. */
export async function packageMssqlWay(): Promise<readonly string[]> {
  return [vsixFile, await packageMssql()];
}

/**
 * A connection as mssql's setting has it, in a group that it knows. The password is not in there: the stand-in knows
 * the simulator's.
 */
export function describeConnection(
  id: string,
  profileName: string,
  { host, port }: { host: string; port: number },
) {
  const login = {
    user: 'dba',
    authenticationType: 'SqlLogin',
    encrypt: 'Mandatory',
    trustServerCertificate: true,
    savePassword: true,
  };
  return { id, groupId: 'ROOT', profileName, server: `${host},${port}`, ...login };
}

/** Writes the user's connections; mssql's tree and our pane follow by themselves. */
export async function saveConnections(
  host: Host,
  connections: readonly ReturnType<typeof describeConnection>[],
): Promise<void> {
  await host.setSetting('mssql.connections', connections);
}

export function observe(host: Host): Promise<Observation> {
  return host.runCommandById('mssql.standIn.observe');
}

/** Opens the container that both trees are in. */
export async function openMssqlPane(host: Host): Promise<void> {
  await host.openViewContainer('SQL Server');
}

/** Longer than the product waits for it, so that the product's own sentence is on screen by then. */
const START_MS = 150_000;

/** Waits until the extension has started. @throws Error that says why it has not */
export async function startMssql(host: Host): Promise<void> {
  const late = new Error(`it has not ended its start after ${START_MS / 1000} s`);
  try {
    await Promise.race([
      host.channel.ask('activate', { id: 'ms-mssql.mssql' }),
      sleep(START_MS, undefined, { ref: false }).then(() => Promise.reject(late)),
    ]);
  } catch (error) {
    const reasons = [
      String(error),
      ...listUncaught(join(host.vscode.folder, 'data', 'data', 'logs'), /mssql/i),
    ];
    throw new Error(`the SQL Server extension did not activate: ${reasons.join('\n')}`);
  }
}

/** Rows of our pane, which stands below mssql's own tree in the same container. */
export function ourRows(host: Host, text: string | RegExp): Locator {
  return rowsOf(host, 'Checkpoint Health', text);
}

/** Rows of mssql's own tree. */
export function mssqlRows(host: Host, text: string | RegExp): Locator {
  return rowsOf(host, 'Connections', text);
}

/**
 * Presses a button of the notification that asks this, also where it has gone from the screen into the list of
 * notifications: after some seconds they do.
 */
export async function answerNotification(host: Host, text: string | RegExp, button: string): Promise<void> {
  const notification = host.page.locator('.notification-list-item:visible').filter({ hasText: text }).first();
  for (let attempt = 1; attempt < 60 && !(await notification.isVisible()); attempt++) {
    if (attempt % 5 === 0) await host.runCommandById('notifications.showList');
    await host.page.waitForTimeout(500);
  }
  await notification.getByRole('button', { name: button, exact: true }).click();
  await host.runCommandById('notifications.hideList');
}

/** Lets us use mssql's connections, as a user would when it asks. */
export async function approve(host: Host): Promise<void> {
  await answerNotification(host, 'is requesting access to your SQL Server connections', 'Approve');
}

/** Answers the question for a password that is not saved. */
export async function typePassword(host: Host, password: string): Promise<void> {
  const box = host.page.locator('.quick-input-widget:visible input[type=password]');
  await box.fill(password);
  await box.press('Enter');
}

const serverName = 'PROD-SQL07';

/** The connections of VS Code's SQL Server extension, by the node of a server in its tree. */
export const way: Way = {
  name: "by the SQL Server extension's connection",
  short: 'mssql',
  vsixFiles: async () => [await packageMssql()],
  serverName,
  openPane: async (host, simulator) => {
    host.paneTitle = 'Checkpoint Health';
    await saveConnections(host, [
      describeConnection('11111111-2222-3333-4444-555555555555', serverName, simulator),
    ]);
    await openMssqlPane(host);
    await startMssql(host);
    await host.takeContextMenuItem(mssqlRows(host, serverName), 'Show Checkpoint Health');
    await approve(host);
    await ourRows(host, serverName).waitFor();
  },
  connectsScripts: true,
  connectedTo: async (host, uri) => ((await observe(host)).connected.includes(uri) ? serverName : null),
};
