/**
 * Our own way to a server: tedious; SQL login, Windows login, the login of the person at the computer or Microsoft
 * Entra; always encrypted (docs/facts.md, Hosts 4).
 */
import type { ConnectionConfiguration } from 'tedious';
import { readServerAddress } from './address';
import { DirectConnection, rejectOnAbort } from './connection';
import {
  abandonDriverConnection,
  createDriverConnection,
  loadDriver,
  type BeforeLogin,
  type LoginSteps,
} from './driver';
import {
  explainCancel,
  explainChangedCertificate,
  explainNegotiation,
  explainOpenFailure,
  type FailureContext,
  type ServerMessage,
} from './errors';
import { createDriverLogin, markSecret } from './login';
import { type Negotiate, openNegotiation } from './negotiated-login';
import { type Negotiation, NegotiationError } from './negotiation';
import {
  ConnectionError,
  type Connection,
  type Opening,
  type OwnServer,
  type ServerAccess,
  describeLogin,
  nameAccount,
  takesPassword,
} from '../host';
import { t } from '../../core/language';

/** The name of our connections in sys.dm_exec_sessions. */
const APPLICATION_NAME = 'Checkpoint Health';
/** Time from the first packet to the end of the login. */
const CONNECT_TIMEOUT_MS = 15_000;
/** If the server does not answer an attention in this time, the connection is given up. */
const CANCEL_TIMEOUT_MS = 5_000;

export interface DirectAccess {
  readonly server: OwnServer;
  /** The secrets of this server: a password, or a new token for Microsoft Entra. */
  readonly secrets: LoginSecrets;
  /** With trustServerCertificate: the certificate that the user trusted, as `AB:CD:...` (SHA-256). Absent: any. */
  readonly trusted?: { find(): string | undefined; keep(fingerprint: string): Promise<void> };
  /** Where the user changes the connection, for messages; absent: Edit Server. */
  readonly place?: string;
  /** Milliseconds; used if the server was saved without a time-out of its own. */
  readonly connectTimeoutMs?: number;
  /** Whether a login as yourself may fall back to NTLM; absent: it may not. */
  readonly mayUseNtlm?: () => boolean;
}

export interface LoginSecrets {
  /**
   * The password or the token. undefined if none is known, or the user gave none.
   * @param mayAsk false: the user is not asked @throws Error with one sentence
   */
  get(mayAsk: boolean, signal: AbortSignal): Promise<string | undefined>;
  /** The server accepted a login with this secret. */
  accepted?(secret: string): Promise<void>;
  /** The server refused this secret: forget it. */
  refused?(secret: string): Promise<void>;
}

/** A server reached by our own driver. `open` throws only ConnectionError. */
export function createDirectAccess(access: DirectAccess): ServerAccess {
  const { server } = access;
  const { authentication = 'sql', user } = server;
  return {
    id: server.id,
    label: server.name,
    account: {
      key: `own ${nameAccount(server)}`,
      shown: t('{0}, through our own driver', describeLogin({ authentication, user })),
    },
    open: (opening) => open(access, opening),
  };
}

async function open(access: DirectAccess, opening: Opening): Promise<Connection> {
  const { server, secrets, connectTimeoutMs = CONNECT_TIMEOUT_MS, place = t('Edit Server') } = access;
  const { authentication = 'sql', user } = server;
  const { signal } = opening;
  const address = readServerAddress(server.server, server.port);
  // A password that is no longer needed is not asked for.
  if (signal.aborted) throw explainCancel({ address });
  // Tokens differ each time, so without a password the refused thing is the account.
  const hasPassword = takesPassword(server);
  if (!hasPassword) opening.check();
  const isIntegrated = authentication === 'integrated';
  // A question without an answer must not delay a caller who cancels.
  const secret = isIntegrated
    ? ''
    : await rejectOnAbort(findSecret(access, opening, address.shown), signal, { address });
  const mark = hasPassword ? markSecret(secret) : undefined;
  opening.check(mark);
  const context = {
    address,
    authentication,
    login: describeLogin({ authentication, user }),
    secret,
    place,
    database: server.database,
    connectTimeoutMs:
      server.connectTimeoutSeconds === undefined ? connectTimeoutMs : server.connectTimeoutSeconds * 1000,
    strict: server.encrypt === 'strict',
  };
  try {
    const connection = await connect(access, context, { signal, beforeLogin: () => opening.turn(mark) });
    if (!isIntegrated) await secrets.accepted?.(secret);
    return connection;
  } catch (error) {
    if (!isIntegrated && error instanceof ConnectionError && PASSWORD_REFUSED.includes(error.number ?? 0))
      await secrets.refused?.(secret);
    throw error;
  }
}

/**
 * The password of a SQL login is wrong, or that of a Windows login (docs/facts.md, Hosts 4). Other refusals say nothing
 * against the password.
 */
const PASSWORD_REFUSED: readonly number[] = [18456, 18452];

/**
 * @throws ConnectionError: `needsClick` if the user may not be asked, `promptClosed` if the user gave none,
 * `loginFailed` if the editor has none to give
 */
async function findSecret(
  { server, secrets }: DirectAccess,
  opening: Opening,
  shown: string,
): Promise<string> {
  const { authentication = 'sql', user } = server;
  const login = describeLogin({ authentication, user });
  const isEntra = authentication === 'entra';
  const get = (mayAsk: boolean): Promise<string | undefined> =>
    secrets.get(mayAsk, opening.signal).catch((error: unknown) => {
      throw error instanceof ConnectionError
        ? error
        : new ConnectionError('loginFailed', error instanceof Error ? error.message : String(error));
    });
  const known = await get(false);
  if (known !== undefined) return known;
  const what = isEntra
    ? t('a sign-in to Microsoft Entra for {0}', shown)
    : t('the password of {0} on {1}', login, shown);
  return opening.askUser(what, async () => {
    const given = await get(true);
    if (given !== undefined) return given;
    const refusal = isEntra
      ? t('No Microsoft Entra sign-in for {0}.', shown)
      : t('No password was given for {0} on {1}.', login, shown);
    throw new ConnectionError('promptClosed', refusal);
  });
}

function configure(server: OwnServer, context: FailureContext): ConnectionConfiguration {
  const { host, port, instance } = context.address;
  return {
    server: host,
    authentication: createDriverLogin(context.authentication, server.user, context.secret, context.place),
    options: {
      ...(port === null ? { instanceName: instance ?? undefined } : { port }),
      appName: APPLICATION_NAME,
      database: server.database,
      encrypt: server.encrypt === 'strict' ? 'strict' : true,
      trustServerCertificate: server.trustServerCertificate,
      serverName: server.hostNameInCertificate,
      multiSubnetFailover: server.multiSubnetFailover ?? false,
      readOnlyIntent: server.readOnlyIntent ?? false,
      connectTimeout: context.connectTimeoutMs,
      cancelTimeout: CANCEL_TIMEOUT_MS,
      // Our time-out runs until the last row; the driver's stops at the first one.
      requestTimeout: 0,
      // The driver treats 4060 as "transient" and would try a wrong database name four times.
      maxRetriesOnTransientErrors: 0,
    },
  };
}

interface Connecting {
  readonly signal: AbortSignal;
  readonly beforeLogin: () => Promise<void>;
}

async function connect(
  { server, trusted, mayUseNtlm }: DirectAccess,
  context: FailureContext,
  connecting: Connecting,
): Promise<Connection> {
  const configuration = configure(server, context);
  const isTrusted = configuration.options?.trustServerCertificate === true;
  let shown: string | null = null;
  let refusal: unknown = null;
  /** The driver would wrap the failure of a step of ours in one of its own. */
  const remember = <T>(step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      refusal = error instanceof NegotiationError ? explainNegotiation(error, context) : error;
      throw refusal;
    });
  const beforeLogin: BeforeLogin = (certificate) => {
    shown = isTrusted ? certificate : null;
    const was = isTrusted ? trusted?.find() : undefined;
    if (was !== undefined && was !== certificate)
      return remember(Promise.reject(explainChangedCertificate(was, certificate ?? '', context)));
    return remember(connecting.beforeLogin());
  };
  const negotiate: Negotiate = async (peer) => {
    const opened = openNegotiation({
      ...peer,
      service: server.serverSpn,
      mayUseNtlm: mayUseNtlm?.() === true,
    });
    const negotiation: Negotiation = await remember(opened);
    return { next: (token) => remember(negotiation.next(token)), close: () => negotiation.close() };
  };
  const steps = { beforeLogin, ...(context.authentication === 'integrated' && { negotiate }) };
  try {
    const connection = await connectDriver(configuration, steps, context, connecting.signal);
    if (shown !== null && trusted?.find() === undefined) await trusted?.keep(shown);
    return connection;
  } catch (error) {
    throw refusal ?? error;
  }
}

/** Exported for tests that send damaged answers after encryption has begun. */
export async function connectDriver(
  configuration: ConnectionConfiguration,
  steps: LoginSteps,
  context: FailureContext,
  signal: AbortSignal,
): Promise<Connection> {
  const driver = await loadDriver();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(explainCancel(context));
    const connection = createDriverConnection(driver, configuration, steps);
    const messages: ServerMessage[] = [];
    const onAbort = (): void => {
      abandonDriverConnection(connection);
      reject(explainCancel(context));
    };
    const conclude = (error?: Error): void => {
      signal.removeEventListener('abort', onAbort);
      if (!error && !signal.aborted) resolve(new DirectConnection(driver, connection, context));
      else reject(explainOpenFailure(error, messages, context));
    };
    connection.on('errorMessage', ({ number, message }) => messages.push({ number, message }));
    connection.on('connect', conclude);
    connection.on('error', conclude);
    signal.addEventListener('abort', onAbort, { once: true });
    connection.connect();
  });
}
