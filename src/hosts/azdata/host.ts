/**
 * Azure Data Studio as a way to a server: its connections, asked through its SQL Tools Service (docs/facts.md, Hosts 2
 * and 3).
 */
import { Reach } from '../sql-tools-service';
import { AzdataConnection, type AzdataWay } from './connection';
import { createAzdataEditor } from './editor';
import { explainCancel, explainConnectError, explainNoProvider, NO_PROVIDER } from './errors';
import { AzdataEvents } from './events';
import { AzdataLogin } from './login';
import { connectionId, nameAccount, readAzdataTarget } from './profile';
import { AzdataServers } from './servers';
import { waitFor } from '../waiting';
import { findQueryProvider, listProviderExtensions, type Azdata, type AzdataWorld } from './world';
import type { Connection, ConnectionHost, HostServer, Opening, PointedAt } from '../host';
import { t } from '../../core/language';

export { canReach } from '../sql-tools-service';

/**
 * The module that only Azure Data Studio has, with the parts that we use; null in other editors (docs/facts.md, Hosts
 * 2).
 */
export function findAzdata(): Azdata | null {
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- a module that only Azure Data Studio has
    const azdata = require('azdata') as Partial<Azdata> | undefined;
    return azdata?.version !== undefined && azdata.connection && azdata.dataprotocol && azdata.queryeditor
      ? (azdata as Azdata)
      : null;
  } catch {
    return null;
  }
}

export function createAzdataHost(world: AzdataWorld): ConnectionHost {
  const servers = new AzdataServers(world);
  const login = new AzdataLogin(world, servers);
  const reach = new Reach(world.canReach);
  const events = new AzdataEvents(world, servers, login);
  const findServer = async (id: string): Promise<HostServer | null> =>
    (await servers.list()).servers.find((server) => server.id === id) ?? null;
  return {
    name: 'azdata',
    isPresent: () => true,
    findObstacle: () => Promise.resolve(findObstacle(world)),
    listServers: () => servers.list(),
    onDidChange: (listener) => events.listen(listener),
    readTarget: (node) => readTarget(servers, node),
    access: (server) => ({
      id: server.id,
      label: server.name,
      account: nameAccount(servers.find(connectionId(server.id)), server),
      open: (opening) => open({ world, login, reach }, server, opening),
    }),
    editor: createAzdataEditor(world, login, findServer),
    // If a provider registers while a panel is being restored, the host forgets it, and every login of that window
    // waits for ever.
    restoresPanels: false,
    caution: null,
    editPermission: null,
    describe: () => describeAzdata(world, servers),
    dispose: () => events.dispose(),
  };
}

function findObstacle(world: AzdataWorld): string | null {
  const hasProvider = findQueryProvider(world) !== undefined || listProviderExtensions(world).length > 0;
  return hasProvider ? null : NO_PROVIDER;
}

function readTarget(servers: AzdataServers, node: unknown): PointedAt | null {
  const target = readAzdataTarget(node);
  return target && { server: servers.point(target.profile), databaseName: target.databaseName };
}

/** Waits as long as the host's dialog is open: only the signal ends the waiting. */
async function open(given: Omit<AzdataWay, 'id'>, server: HostServer, opening: Opening): Promise<Connection> {
  const { world, login, reach } = given;
  const { signal } = opening;
  const onAbort = (): Error => {
    login.abandon(server);
    return explainCancel(server);
  };
  if (signal.aborted) throw explainCancel(server);
  try {
    const id = await waitFor(login.open(server, opening), {
      timeoutMs: Infinity,
      signal,
      onTimeout: onAbort,
      onAbort,
    });
    if (findQueryProvider(world) === undefined) throw explainNoProvider();
    reach.learn(server.server);
    return new AzdataConnection({ ...given, id }, server);
  } catch (error) {
    throw explainConnectError(server, error);
  }
}

const USED = ['connection', 'dataprotocol', 'queryeditor'] as const;

/** For Show Connection Diagnostics, one fact a line. No secrets, no server names. */
async function describeAzdata(world: AzdataWorld, servers: AzdataServers): Promise<readonly string[]> {
  const { azdata, vscode } = world;
  const extensions = listProviderExtensions(world).map(({ id, packageJSON }) =>
    `${id} ${(packageJSON as { version?: string }).version ?? ''}`.trim(),
  );
  const [{ saved, inUse }, { untrusted }] = await Promise.all([servers.count(), servers.list()]);
  return [
    t('Module azdata {0}.', azdata.version),
    ...USED.map((name) =>
      azdata[name] === undefined ? t('Namespace {0}: missing.', name) : t('Namespace {0}: there.', name),
    ),
    extensions.length === 0
      ? t('Extensions that connect to SQL Server: none.')
      : t('Extensions that connect to SQL Server: {0}.', extensions.join(', ')),
    findQueryProvider(world) === undefined
      ? t('Query provider of SQL Server: not registered yet.')
      : t('Query provider of SQL Server: registered.'),
    t(
      'SQL Server connections: {0} saved, {1} in use, {2} of those made by us.',
      saved,
      inUse,
      servers.ours.size,
    ),
    vscode.workspace.isTrusted
      ? t('Workspace: trusted.')
      : t('Workspace: not trusted. Connections that it defines are ignored: {0}.', untrusted),
    t('Queries: one result set, no streaming. A query that we stop waiting for continues on the server.'),
  ];
}
