/** Our own way to a server: tedious, SQL login, encrypted unless the user chose otherwise (docs/facts.md, Hosts 4). */
import type { ConnectionConfiguration } from 'tedious';
import { readServerAddress } from './direct-address';
import { DirectConnection } from './direct-connection';
import { abandonDriverConnection, createDriverConnection, loadDriver, type Driver } from './direct-driver';
import { explainCancel, explainOpenFailure, type FailureContext, type ServerMessage } from './direct-errors';
import { ConnectionError, type Connection, type ServerAccess } from './host';

/** Time from the first packet to the end of the login. */
const CONNECT_TIMEOUT_MS = 15_000;
/** After an attention that is not answered within this time the connection is given up. */
const CANCEL_TIMEOUT_MS = 5_000;

/**
 * `mandatory` encrypts everything; `strict` starts with TLS (TDS 8.0, SQL Server 2022) and always checks the certificate;
 * `optional` encrypts only where the server insists, so that the login may cross the network readable.
 */
export type Encryption = 'mandatory' | 'optional' | 'strict';

/** What is kept about a server: no secret. */
export interface SavedServer {
  /** Stable; never shown. */
  readonly id: string;
  /** As the user named it. */
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  readonly user: string;
  readonly encrypt: Encryption;
  /** The user's explicit choice to accept a certificate that no authority vouches for. */
  readonly trustServerCertificate: boolean;
  readonly database?: string;
}

export interface DirectAccess {
  readonly server: SavedServer;
  /** Asked each time a connection is opened; undefined means that the user gave none, which cancels. */
  readonly password: () => Promise<string | undefined>;
  readonly connectTimeoutMs?: number;
}

/** A server reached by our own driver. `open` throws ConnectionError and nothing else. */
export function createDirectAccess({ server, password, connectTimeoutMs = CONNECT_TIMEOUT_MS }: DirectAccess): ServerAccess {
  return {
    id: server.id,
    label: server.name,
    open: async (signal) => {
      const address = readServerAddress(server.server, server.port);
      const secret = await password();
      if (secret === undefined)
        throw new ConnectionError('cancelled', `No password was given for login ${server.user} on ${address.shown}.`);
      const context = {
        address,
        user: server.user,
        password: secret,
        database: server.database,
        connectTimeoutMs,
        strict: server.encrypt === 'strict',
      };
      return openConnection(server, context, signal);
    },
  };
}

async function openConnection(server: SavedServer, context: FailureContext, signal: AbortSignal): Promise<Connection> {
  const driver = await loadDriver();
  try {
    return await connect(driver, configure(server, context, server.encrypt), context, signal);
  } catch (error) {
    if (!(error instanceof EncryptionRequired)) throw error;
    return connect(driver, configure(server, context, 'mandatory'), context, signal);
  }
}

/** The server insists on encryption where it was optional. */
class EncryptionRequired extends Error {}

function configure(server: SavedServer, context: FailureContext, encryption: Encryption): ConnectionConfiguration {
  const { host, port, instance } = context.address;
  return {
    server: host,
    authentication: { type: 'default', options: { userName: server.user, password: context.password } },
    options: {
      ...(port === null ? { instanceName: instance ?? undefined } : { port }),
      appName: 'Checkpoint Health',
      database: server.database,
      encrypt: encryption === 'strict' ? 'strict' : encryption === 'mandatory',
      trustServerCertificate: server.trustServerCertificate,
      connectTimeout: context.connectTimeoutMs,
      cancelTimeout: CANCEL_TIMEOUT_MS,
      // Ours runs until the last row; the driver's stops at the first one.
      requestTimeout: 0,
      // 4060 is "transient" to the driver: a wrong database name would be tried four times.
      maxRetriesOnTransientErrors: 0,
    },
  };
}

function connect(
  driver: Driver,
  configuration: ConnectionConfiguration,
  context: FailureContext,
  signal: AbortSignal,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(explainCancel(context));
    const connection = createDriverConnection(driver, configuration);
    const messages: ServerMessage[] = [];
    const onAbort = (): void => {
      abandonDriverConnection(connection);
      reject(explainCancel(context));
    };
    const conclude = (error?: Error): void => {
      signal.removeEventListener('abort', onAbort);
      if (!error && !signal.aborted) resolve(new DirectConnection(driver, connection, context));
      else reject(isEncryptionRequired(error) ? new EncryptionRequired() : explainOpenFailure(error, messages, context));
    };
    connection.on('errorMessage', ({ number, message }) => messages.push({ number, message }));
    connection.on('connect', conclude);
    connection.on('error', conclude);
    signal.addEventListener('abort', onAbort, { once: true });
    connection.connect();
  });
}

function isEncryptionRequired(error: Error | undefined): boolean {
  return (error as { readonly code?: string } | undefined)?.code === 'EENCRYPT';
}
