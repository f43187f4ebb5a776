/** Our own way to a server: tedious; SQL login, Windows login or Microsoft Entra; encrypted unless the user chose otherwise (docs/facts.md, Hosts 4). */
import type { ConnectionConfiguration } from 'tedious';
import { readServerAddress } from './address';
import { DirectConnection, rejectOnAbort } from './connection';
import { abandonDriverConnection, createDriverConnection, loadDriver, type Driver } from './driver';
import { explainCancel, explainOpenFailure, type FailureContext, type ServerMessage } from './errors';
import { createDriverLogin, describeLogin, type Authentication } from './login';
import { ConnectionError, type Connection, type ServerAccess } from '../host';

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
  /** Absent: a SQL login, as in what was saved before there were others. */
  readonly authentication?: Authentication;
  /** SQL login; `DOMAIN\user`; for Microsoft Entra the account that is meant, or empty for any. */
  readonly user: string;
  readonly encrypt: Encryption;
  /** The user's explicit choice to accept a certificate that no authority vouches for. */
  readonly trustServerCertificate: boolean;
  /** Where the login is to land; absent: in its default database. */
  readonly database?: string;
  /** The name that the certificate must have, where it is not that of the address. */
  readonly hostNameInCertificate?: string;
  /** Tries all addresses of the name at once: a listener of an availability group in several subnets. */
  readonly multiSubnetFailover?: boolean;
  /** ApplicationIntent=ReadOnly: a listener may lead to a readable secondary. */
  readonly readOnlyIntent?: boolean;
  /** Seconds for name, connection and login together. */
  readonly connectTimeoutSeconds?: number;
}

export interface DirectAccess {
  readonly server: SavedServer;
  /** Asked each time a connection is opened; undefined means that the user gave none, which cancels. */
  readonly password: () => Promise<string | undefined>;
  /** The same for Microsoft Entra: a token of now, which is kept nowhere. @throws Error with one sentence */
  readonly token?: () => Promise<string | undefined>;
  /** Milliseconds; for a server that was saved without a time of its own. */
  readonly connectTimeoutMs?: number;
}

/** A server reached by our own driver. `open` throws ConnectionError and nothing else. */
export function createDirectAccess(access: DirectAccess): ServerAccess {
  const { server, connectTimeoutMs = CONNECT_TIMEOUT_MS } = access;
  const { authentication = 'sql', user } = server;
  return {
    id: server.id,
    label: server.name,
    open: async (signal) => {
      const address = readServerAddress(server.server, server.port);
      // Nobody is asked for a password that is not needed any more.
      if (signal.aborted) throw explainCancel({ address });
      const context = {
        address,
        authentication,
        login: describeLogin(authentication, user),
        // A question that nobody answers must not hold up whoever cancels.
        secret: await rejectOnAbort(askSecret(access, address.shown), signal, { address }),
        database: server.database,
        connectTimeoutMs: server.connectTimeoutSeconds === undefined ? connectTimeoutMs : server.connectTimeoutSeconds * 1000,
        strict: server.encrypt === 'strict',
      };
      return openConnection(server, context, signal);
    },
  };
}

/** @throws ConnectionError `cancelled` where the user gave none, `loginFailed` where the editor has none to give */
async function askSecret({ server, password, token }: DirectAccess, shown: string): Promise<string> {
  if (server.authentication !== 'entra') {
    const given = await password();
    if (given !== undefined) return given;
    throw new ConnectionError(
      'cancelled',
      `No password was given for ${describeLogin(server.authentication ?? 'sql', server.user)} on ${shown}.`,
    );
  }
  if (token === undefined) throw new ConnectionError('loginFailed', 'Nobody here can sign in to Microsoft Entra.');
  const given = await token().catch((error: unknown) => {
    throw new ConnectionError('loginFailed', error instanceof Error ? error.message : String(error));
  });
  if (given === undefined) throw new ConnectionError('cancelled', `Nobody signed in to Microsoft Entra for ${shown}.`);
  return given;
}

async function openConnection(server: SavedServer, context: FailureContext, signal: AbortSignal): Promise<Connection> {
  const driver = await loadDriver();
  // A token is as good as a password to whoever reads it on the way.
  const encrypt = context.authentication === 'entra' && server.encrypt === 'optional' ? 'mandatory' : server.encrypt;
  try {
    return await connect(driver, configure(server, context, encrypt), context, signal);
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
    authentication: createDriverLogin(context.authentication, server.user, context.secret),
    options: {
      ...(port === null ? { instanceName: instance ?? undefined } : { port }),
      appName: 'Checkpoint Health',
      database: server.database,
      encrypt: encryption === 'strict' ? 'strict' : encryption === 'mandatory',
      trustServerCertificate: server.trustServerCertificate,
      serverName: server.hostNameInCertificate,
      multiSubnetFailover: server.multiSubnetFailover ?? false,
      readOnlyIntent: server.readOnlyIntent ?? false,
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
