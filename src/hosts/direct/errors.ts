/** Turns every failure of the driver into a ConnectionError: a reason, and one sentence that tells the user what to do. */
import { type Authentication, CertificateChanged, ConnectionError } from '../host';
import type { ServerAddress } from './address';

/** What a message may contain. The secret (password or token) is here only so that it can be removed from texts that repeat it. */
export interface FailureContext {
  readonly address: ServerAddress;
  readonly authentication: Authentication;
  /** "login dba", or the name of another kind of login. */
  readonly login: string;
  readonly secret: string;
  readonly database: string | undefined;
  readonly connectTimeoutMs: number;
  /** With strict encryption the user cannot choose to trust a certificate. */
  readonly strict: boolean;
}

/** The part of a driver's or socket's error that matters; AggregateError keeps the rest in `errors`, wrappers in `cause`. */
interface DriverError {
  readonly message: string;
  readonly code?: string;
  readonly number?: number;
  readonly errors?: readonly unknown[];
  readonly cause?: unknown;
}

/** An error message that the server sent. */
export interface ServerMessage {
  readonly number: number;
  readonly message: string;
}

/** Permission refused (229, 230, 262, 297, 300, 916, 15247; 27219 error log), a role is missing (15003), an object is hidden or absent (15151). */
const PERMISSION_NUMBERS: ReadonlySet<number> = new Set([229, 230, 262, 297, 300, 916, 15003, 15151, 15247, 27219]);

/** Reasons of OpenSSL and Node for refusing a certificate. With other TLS failures the handshake never got that far. */
const CERTIFICATE_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|(CERT|CRL)_\w+|ERROR_IN_CERT_\w+)$/;

/** Code of our own error if a server offers no encryption although it was asked for. */
export const NO_ENCRYPTION = 'NO_ENCRYPTION';

const SOCKET_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'no answer',
  EPROTO: 'it does not speak the kind of encryption that was asked for',
  ECONNRESET: 'the connection was closed before the login was answered',
  EINSTLOOKUP: 'SQL Server Browser did not name a port for that instance',
};

/** Why no connection came about. `messages` are the errors that the server sent during the login, in order. */
export function explainOpenFailure(error: unknown, messages: readonly ServerMessage[], context: FailureContext): ConnectionError {
  const first = messages[0];
  if (first) return explainLoginRefusal(first, context);
  const codes = listErrors(error).map((each) => each.code ?? '');
  const certificate = codes.find((code) => CERTIFICATE_CODES.test(code));
  if (certificate) return explainCertificate(certificate, context);
  if (codes.includes(NO_ENCRYPTION)) return explainNoEncryption(context);
  return new ConnectionError(
    'unreachable',
    `Could not reach ${context.address.shown}: ${nameSocketReason(error, codes, context)}. Check the name, the port and the firewall.`,
  );
}

/** Why a query gave no answer. */
export function explainQueryFailure(error: unknown, context: FailureContext): ConnectionError {
  const messages = listErrors(error).filter((each): each is DriverError & ServerMessage => each.number !== undefined);
  const first = messages[0];
  if (!first) return explainWithoutNumber(error, context);
  const shown = `${quoteMessage(first.message, context.secret)} (Msg ${first.number})`;
  if (messages.some((each) => PERMISSION_NUMBERS.has(each.number))) {
    return new ConnectionError(
      'permissionDenied',
      `${context.address.shown} refused this to ${context.login}: ${shown}; ask an administrator for that permission.`,
      first.number,
    );
  }
  return new ConnectionError('queryFailed', `${context.address.shown} answered with an error: ${shown}.`, first.number);
}

/** Without a number the error is the driver's: the connection is gone, or an answer makes no sense. */
function explainWithoutNumber(error: unknown, context: FailureContext): ConnectionError {
  const [outer] = listErrors(error);
  if (outer?.code !== 'UNKNOWN') return explainDisconnect(context);
  return new ConnectionError('queryFailed', `${context.address.shown} answered with an error and did not say which.`);
}

export function explainDisconnect(context: FailureContext): ConnectionError {
  return new ConnectionError(
    'disconnected',
    `The connection to ${context.address.shown} was lost: check that the server is up, then refresh.`,
  );
}

export function explainTimeout(timeoutMs: number, context: FailureContext): ConnectionError {
  return new ConnectionError(
    'timedOut',
    `${context.address.shown} did not finish a query within ${timeoutMs / 1000} s and was asked to stop it; try again when the server is less busy.`,
  );
}

export function explainCancel(context: Pick<FailureContext, 'address'>): ConnectionError {
  return new ConnectionError('cancelled', `The work on ${context.address.shown} was cancelled.`);
}

function explainLoginRefusal(first: ServerMessage, context: FailureContext): ConnectionError {
  return new ConnectionError('loginFailed', nameLoginRefusal(first, context), first.number);
}

/** What to check after 18456. For a Windows login, its domain has vouched for it by then. */
const LOGIN_ADVICE: Readonly<Record<Authentication, string>> = {
  sql: 'check the user name and the password in Edit Server',
  windows: 'ask an administrator for a login on that server',
  entra: 'check the account and the tenant in Edit Server, or ask an administrator for a login or user there',
};

/** 18456 login failed; 18452 nobody vouches for the Windows login; 4060 this login cannot open the database; else the server's own words. */
function nameLoginRefusal({ number, message }: ServerMessage, context: FailureContext): string {
  const { address, authentication, login, secret, database } = context;
  if (number === 18456) return `${address.shown} refused ${login}: ${LOGIN_ADVICE[authentication]} (Msg 18456).`;
  if (number === 18452 && authentication === 'windows')
    return `${address.shown} refused ${login}: the name or the password is wrong, or its domain is not trusted there; check them in Edit Server (Msg 18452).`;
  if (number === 4060)
    return `${upperFirst(login)} cannot open database ${database ?? '(its default)'} on ${address.shown}: check the database in Edit Server (Msg 4060).`;
  return `${address.shown} refused ${login}: ${quoteMessage(message, secret)} (Msg ${number}).`;
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function explainCertificate(code: string, { address, strict }: FailureContext): ConnectionError {
  const choice = strict
    ? 'choose mandatory instead of strict encryption in Edit Server'
    : "choose to trust this server's certificate in Edit Server";
  const message = `The certificate of ${address.shown} is not trusted (${code}); install a trusted one on the server, or ${choice}.`;
  return new ConnectionError('untrustedCertificate', message);
}

/** @param was the fingerprint that the user trusted @param is the one that is shown now, each SHA-256 as `AB:CD:...` */
export function explainChangedCertificate(was: string, is: string, { address }: FailureContext): ConnectionError {
  return new CertificateChanged(
    `The certificate of ${address.shown} is another one than the one you trusted, so the login was not sent. Trusted: ${was}. Now: ${is}. A server without an installed certificate makes a new one at each start; somebody in between would look the same. Ask who runs it, then trust the new one.`,
    was,
    is,
  );
}

function explainNoEncryption({ address }: FailureContext): ConnectionError {
  const advice = 'SQL Server always offers it, so look at what stands between';
  return new ConnectionError('unreachable', `${address.shown} offers no encryption, so the login was not sent: ${advice}.`);
}

function nameSocketReason(error: unknown, codes: readonly string[], context: FailureContext): string {
  if (codes.includes('ETIMEOUT')) return `no answer within ${context.connectTimeoutMs / 1000} s`;
  const known = [...codes].reverse().find((code) => SOCKET_REASONS[code] !== undefined);
  if (known) return SOCKET_REASONS[known] ?? known;
  return quoteMessage(listErrors(error).at(-1)?.message ?? 'the reason is not known', context.secret);
}

/** The error, then its causes, outermost first. */
function listErrors(error: unknown): readonly DriverError[] {
  if (!(error instanceof Error)) return [];
  const { errors = [], cause } = error as DriverError;
  return [error as DriverError, ...errors.flatMap(listErrors), ...listErrors(cause)];
}

/** Puts another's words into our sentence: without the full stop, and without the secret. */
function quoteMessage(message: string, secret: string): string {
  const safe = secret === '' ? message : message.split(secret).join('***');
  return safe.trim().replace(/[.\s]+$/, '');
}
