/** What was found of Azure Data Studio, for Show Connection Diagnostics. No secret, no server's name. */
import type { AzdataServers } from './servers';
import { findQueryProvider, listProviderExtensions, type AzdataWorld } from './world';

const USED = ['connection', 'dataprotocol', 'queryeditor'] as const;

/** One fact a line. */
export async function describeAzdata(world: AzdataWorld, servers: AzdataServers): Promise<readonly string[]> {
  const { azdata, vscode } = world;
  const extensions = listProviderExtensions(world).map(({ id, packageJSON }) =>
    `${id} ${(packageJSON as { version?: string }).version ?? ''}`.trim(),
  );
  const [{ saved, inUse }, { untrusted }] = await Promise.all([servers.count(), servers.list()]);
  return [
    `Module azdata ${azdata.version}.`,
    ...USED.map((name) => `Namespace ${name}: ${azdata[name] === undefined ? 'missing' : 'there'}.`),
    `Extensions that connect to SQL Server: ${extensions.length === 0 ? 'none' : extensions.join(', ')}.`,
    `Query provider of SQL Server: ${findQueryProvider(world) === undefined ? 'not registered yet' : 'registered'}.`,
    `SQL Server connections: ${saved} saved, ${inUse} in use, ${servers.ours.size} of those made by us.`,
    `Workspace: ${vscode.workspace.isTrusted ? 'trusted' : `not trusted; connections that it defines, all ignored: ${untrusted}`}.`,
    'Queries: one result set, no streaming; a query that is given up cannot be stopped on the server.',
  ];
}
