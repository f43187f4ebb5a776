import { randomUUID } from 'node:crypto';
import type { ConnectionInfo, ConnectionInfoSummary, ConnectionProvider, ServerInfo } from 'azdata';
import { keeping, never } from './handlers';
import { type BatchResult, withLogin } from './login';
import type { Sessions } from './sessions';

/** Connections: a URI is connected once a login with its settings was accepted; nothing is held open. */
export function createConnectionProvider(sessions: Sessions): ConnectionProvider {
  let onComplete: (summary: ConnectionInfoSummary) => unknown = () => undefined;
  const connect = async (uri: string, info: ConnectionInfo): Promise<void> => {
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
      const info = sessions.get(uri);
      sessions.set(uri, { options: { ...info.options, database } });
      return true;
    },
    listDatabases: async (uri) => ({ databaseNames: await withLogin(sessions.get(uri), listDatabases) }),
    rebuildIntelliSenseCache: async () => undefined,
    getConnectionString: async (uri) => `Data Source=${sessions.get(uri).options['server']}`,
    registerOnConnectionComplete: keeping((handler) => (onComplete = handler)),
    registerOnIntelliSenseCacheComplete: never,
    registerOnConnectionChanged: never,
  };
}

const serverQuery = `
SELECT version = CONVERT(varchar(50), SERVERPROPERTY('ProductVersion')), edition = CONVERT(varchar(100), SERVERPROPERTY('Edition')),
       level = CONVERT(varchar(50), SERVERPROPERTY('ProductLevel')), engine = CONVERT(int, SERVERPROPERTY('EngineEdition')), db = DB_NAME();`;

async function describe(uri: string, info: ConnectionInfo, run: (sql: string) => Promise<BatchResult>): Promise<ConnectionInfoSummary> {
  const [version, edition, level, engine, database] = (await run(serverQuery)).sets[0]?.rows[0] ?? [];
  const [major, minor, build] = String(version).split('.').map(Number);
  const isCloud = [5, 6, 8, 9, 11].includes(Number(engine));
  const serverInfo: ServerInfo = {
    serverMajorVersion: major,
    serverMinorVersion: minor,
    serverReleaseVersion: build ?? 0,
    engineEditionId: Number(engine),
    serverVersion: String(version),
    serverLevel: String(level),
    serverEdition: String(edition),
    isCloud,
    azureVersion: 0,
    osVersion: '',
    options: {},
  };
  return {
    ownerUri: uri,
    connectionId: randomUUID(),
    serverInfo,
    connectionSummary: {
      serverName: String(info.options['server']),
      databaseName: String(database),
      userName: String(info.options['user']),
    },
  };
}

/** Names of the databases in the order of sys.databases. */
export async function listDatabases(run: (sql: string) => Promise<BatchResult>): Promise<string[]> {
  const { sets } = await run('SELECT name FROM sys.databases ORDER BY name;');
  return sets[0]?.rows.map(([name]) => String(name)) ?? [];
}
