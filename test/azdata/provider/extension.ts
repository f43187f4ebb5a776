/**
 * The provider MSSQL for a real Azure Data Studio, as its own extension gives it with SQL Tools Service. Not there:
 * what a person runs in a query editor, edit sessions, plans, IntelliSense, and anything below a server in the tree.
 *
 * Environment, set by the test that starts the host: AZDATA_PROVIDER_PASSWORD the password of every saved connection,
 * as the store of the operating system would give it AZDATA_PROVIDER_CHANNEL a file to write the channel's address to
 * AZDATA_PROVIDER_RUNS a file that gets a line of JSON for each text that goes to the server
 */
import { randomUUID } from 'node:crypto';
import * as azdata from 'azdata';
import { type Disposable, env, type ExtensionContext, version } from 'vscode';
import { openChannel } from '../../../tools/dev-extension/channel';
import { type Login, withLogin } from './login';
import { simpleExecute } from './simple-execute';

type Info = azdata.ConnectionInfo;

export async function activate(context: ExtensionContext): Promise<void> {
  const sessions = new Map<string, Info>();
  context.subscriptions.push(
    azdata.credentials.registerProvider(createPasswords(process.env['AZDATA_PROVIDER_PASSWORD'] ?? '')),
    azdata.dataprotocol.registerConnectionProvider(createConnectionProvider(sessions)),
    azdata.dataprotocol.registerObjectExplorerProvider(createObjectExplorerProvider()),
    azdata.dataprotocol.registerQueryProvider(createQueryProvider(sessions)),
  );
  const channelFile = process.env['AZDATA_PROVIDER_CHANNEL'];
  if (channelFile !== undefined) context.subscriptions.push(await openChannel(channelFile, answers));
}

/** A `registerOn...` of a provider: the host registers one handler, once, and keeps it as long as it lives. */
const keeping =
  <Handler>(keep: (handler: Handler) => void = () => undefined): ((handler: Handler) => Disposable) =>
  (handler) => {
    keep(handler);
    return { dispose: () => undefined } as Disposable;
  };

/** Passwords in memory: those that the host saves, and for every other saved connection the one given here. */
function createPasswords(seeded: string): azdata.CredentialProvider {
  const saved = new Map<string, string>();
  return {
    handle: 0,
    saveCredential: async (credentialId, password) => {
      saved.set(credentialId, password);
      return true;
    },
    readCredential: async (credentialId) => ({ credentialId, password: saved.get(credentialId) ?? seeded }),
    deleteCredential: async (credentialId) => saved.delete(credentialId),
  };
}

/**
 * Connections by their URIs: one is connected once a login with its settings was accepted; nothing is held open, for
 * SQL Tools Service logs in again for each query.
 */
function createConnectionProvider(sessions: Map<string, Info>): azdata.ConnectionProvider {
  let onComplete: (summary: azdata.ConnectionInfoSummary) => unknown = () => undefined;
  const connect = async (uri: string, info: Info): Promise<void> => {
    try {
      const summary = await withLogin(info, (run) => describe(uri, info, run));
      sessions.set(uri, info);
      onComplete(summary);
    } catch (error) {
      const { message, number } = error as Error & { number?: number };
      onComplete({ ownerUri: uri, errorMessage: message, messages: message, errorNumber: number ?? 0 });
    }
  };
  return {
    providerId: 'MSSQL',
    // Answers at once; the outcome follows as an event.
    connect: async (uri, info) => {
      void connect(uri, info);
      return true;
    },
    disconnect: async (uri) => sessions.delete(uri),
    cancelConnect: async () => false,
    changeDatabase: async (uri, database) => {
      const { options } = findSession(sessions, uri);
      sessions.set(uri, { options: { ...options, database } });
      return true;
    },
    listDatabases: async (uri) => ({
      databaseNames: await withLogin(findSession(sessions, uri), listDatabases),
    }),
    rebuildIntelliSenseCache: async () => undefined,
    getConnectionString: async (uri) => `Data Source=${findSession(sessions, uri).options['server']}`,
    registerOnConnectionComplete: keeping((handler) => (onComplete = handler)),
    registerOnIntelliSenseCacheComplete: keeping(),
    registerOnConnectionChanged: keeping(),
  };
}

/** @throws Error with the sentence of SQL Tools Service for a URI that it does not know */
function findSession(sessions: ReadonlyMap<string, Info>, uri: string): Info {
  const info = sessions.get(uri);
  if (info === undefined) throw new Error('Specified OwnerUri is not connected.');
  return info;
}

const SERVER_QUERY = `
SELECT version = CONVERT(varchar(50), SERVERPROPERTY('ProductVersion')), edition = CONVERT(varchar(100), SERVERPROPERTY('Edition')),
       level = CONVERT(varchar(50), SERVERPROPERTY('ProductLevel')), engine = CONVERT(int, SERVERPROPERTY('EngineEdition')), db = DB_NAME();`;

async function describe(
  ownerUri: string,
  { options }: Info,
  run: Login['run'],
): Promise<azdata.ConnectionInfoSummary> {
  const [version, edition, level, engine, database] = ((await run(SERVER_QUERY)).sets[0]?.rows[0] ?? []).map(
    String,
  );
  const [serverMajorVersion, serverMinorVersion, build = 0] = (version ?? '').split('.').map(Number);
  const serverInfo: azdata.ServerInfo = {
    serverMajorVersion,
    serverMinorVersion,
    serverReleaseVersion: build,
    engineEditionId: Number(engine),
    serverVersion: version ?? '',
    serverLevel: level ?? '',
    serverEdition: edition ?? '',
    isCloud: ['5', '6', '8', '9', '11'].includes(engine ?? ''),
    azureVersion: 0,
    osVersion: '',
    options: {},
  };
  const connectionSummary = {
    serverName: String(options['server']),
    databaseName: database ?? '',
    userName: String(options['user']),
  };
  return { ownerUri, connectionId: randomUUID(), serverInfo, connectionSummary };
}

/** Names of the databases in the order of sys.databases. */
async function listDatabases(run: Login['run']): Promise<string[]> {
  const { sets } = await run('SELECT name FROM sys.databases ORDER BY name;');
  return sets[0]?.rows.map(([name]) => String(name)) ?? [];
}

/** The tree as far as a row of a server: what is below it is not asked for. */
function createObjectExplorerProvider(): azdata.ObjectExplorerProvider {
  const sessions = new Set<string>();
  let onCreated: (session: azdata.ObjectExplorerSession) => unknown = () => undefined;
  return {
    providerId: 'MSSQL',
    createNewSession: async ({ options }) => {
      const server = String(options['server']);
      const sessionId = `objectexplorer://${options['user']}@${server}:${sessions.size}`;
      sessions.add(sessionId);
      const rootNode = {
        nodePath: server,
        nodeType: 'Server',
        label: server,
        isLeaf: false,
        objectType: 'Server',
      } as azdata.NodeInfo;
      // The host takes the answer first and the event after it.
      setTimeout(() => onCreated({ success: true, sessionId, rootNode }), 0);
      return { sessionId };
    },
    closeSession: async ({ sessionId = '' }) => ({ success: sessions.delete(sessionId), sessionId }),
    expandNode: async () => false,
    refreshNode: async () => false,
    findNodes: async () => ({ nodes: [] }),
    registerOnSessionCreated: keeping((handler) => (onCreated = handler)),
    registerOnExpandCompleted: keeping(),
  };
}

/** Queries of extensions, as SQL Tools Service answers them. */
function createQueryProvider(sessions: ReadonlyMap<string, Info>): azdata.QueryProvider {
  const offered: Partial<azdata.QueryProvider> = {
    providerId: 'MSSQL',
    runQueryAndReturn: async (uri, sql) =>
      (await simpleExecute(findSession(sessions, uri), sql)) as azdata.SimpleExecuteResult,
    disposeQuery: async () => undefined,
    setQueryExecutionOptions: async () => undefined,
    registerOnQueryComplete: keeping(),
    registerOnBatchStart: keeping(),
    registerOnBatchComplete: keeping(),
    registerOnResultSetAvailable: keeping(),
    registerOnResultSetUpdated: keeping(),
    registerOnMessage: keeping(),
    registerOnEditSessionReady: keeping(),
  };
  return offered as azdata.QueryProvider;
}

/** What a test may ask. */
const answers: Readonly<Record<string, (details: Readonly<Record<string, unknown>>) => unknown>> = {
  versions: () => ({ vscode: version, azdata: azdata.version, node: process.version, app: env.appName }),
  /** The server that the editor with this document is connected to; null where it is not. */
  serverOf: async ({ uri }) => {
    const profile = (await azdata.connection.getConnection(String(uri))) as
      | azdata.connection.ConnectionProfile
      | undefined;
    return profile?.serverName ?? null;
  },
};
