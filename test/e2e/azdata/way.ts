/**
 * The way through Azure Data Studio: what a test of the product needs of it, with the stand-in of this folder in
 * its place.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { Simulator } from '../../../simulator/index';
import { root } from '../../../tools/packages';
import { type ConnectionToStore, storeConnection } from '../../hosts/azdata-fake/connections';
import type { Observation, StandInEnvironment } from './extension';
import type { Host } from '../host';
import { packageStandIn } from '../stand-in-vsix';
import { rowsOf, type Way } from '../ways/way';

/** A saved connection to a simulated server; the stand-in knows where a server of that name listens. */
function describeAzdataConnection(
  id: string,
  name: string,
  server: string,
  { administrator }: Simulator,
): ConnectionToStore {
  return { id, name, server, user: administrator.user, options: { trustServerCertificate: 'True' } };
}

/** What the extension host finds in its environment. @param servers by the name that connections have */
function describeAzdataServers(servers: Readonly<Record<string, Simulator>>): NodeJS.ProcessEnv {
  const [first] = Object.values(servers);
  const environment: StandInEnvironment = {
    servers: Object.fromEntries(
      Object.entries(servers).map(([name, { port }]) => [name, { host: 'localhost', port }]),
    ),
    password: first?.administrator.password ?? '',
  };
  return { AZDATA_STAND_IN: JSON.stringify(environment) };
}

/** Writes the user's connections; the tree of servers and our pane follow by themselves. */
async function saveAzdataConnections(host: Host, connections: readonly ConnectionToStore[]): Promise<void> {
  await host.setSetting('datasource.connections', connections.map(storeConnection));
}

/** Rows of Object Explorer. */
function explorerRows(host: Host, text: string | RegExp): Locator {
  return rowsOf(host, 'Servers', text);
}

/** Rows of our pane below it. */
function paneRows(host: Host, text: string | RegExp): Locator {
  return rowsOf(host, 'Checkpoint Health', text);
}

function observeAzdata(host: Host): Promise<Observation> {
  return host.runCommandById('azdata.standIn.observe');
}

interface Menus {
  readonly contributes: {
    readonly menus: Record<
      string,
      { readonly command: string; readonly when: string; readonly group: string }[]
    >;
  };
}

/**
 * The stand-in's manifest with the menu items that Checkpoint Health declares for Azure Data Studio's tree, which VS
 * Code does not know.
 */
function writeManifest(file: string): string {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Menus;
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Menus;
  const items = (ours.contributes.menus['objectExplorer/item/context'] ?? []).map((item) => ({
    ...item,
    when: item.when.replace(
      'connectionProvider == MSSQL && nodeType ==',
      'view == dataExplorer.servers && viewItem ==',
    ),
  }));
  manifest.contributes.menus['view/item/context']?.push(...items);
  return JSON.stringify(manifest, null, 2);
}

const serverName = 'PROD-SQL07';
/** As the connection has it; the stand-in knows where it listens. */
const address = 'prod-sql07.corp';

/** The connections of Azure Data Studio, by the row of a server in its tree. */
export const way: Way = {
  name: "by Azure Data Studio's connection",
  short: 'azdata',
  vsixFiles: async () => [await packageStandIn('azdata', ['README.md', 'servers.svg'], writeManifest)],
  env: (simulator) => describeAzdataServers({ [address]: simulator }),
  serverName,
  openPane: async (host, simulator) => {
    host.paneTitle = 'Checkpoint Health';
    await saveAzdataConnections(host, [
      describeAzdataConnection('11111111-2222-3333-4444-555555555555', serverName, address, simulator),
    ]);
    await host.openViewContainer('Connections');
    await host.takeContextMenuItem(explorerRows(host, serverName), 'Show Checkpoint Health');
    await paneRows(host, serverName).waitFor();
  },
  connectsScripts: true,
  connectedTo: async (host, uri) => {
    const found = (await observeAzdata(host)).scripts.find((script) => script.uri === uri);
    return found?.server === address ? serverName : (found?.server ?? null);
  },
};
