/** Turns each failure of the driver into a ConnectionError: a reason, and a sentence that tells the user what to do. */
import { type Authentication, CertificateChanged, ConnectionError, explainTooMuch } from '../host';
import type { ServerAddress } from './address';
import type { NegotiationError, NegotiationFailure } from './negotiation';
import { t } from '../../core/language';

/**
 * What a message may contain. The secret (password or token) is here only so that it can be removed from texts that
 * repeat it.
 */
export interface FailureContext {
  readonly address: ServerAddress;
  readonly authentication: Authentication;
  /** "login dba", or the name of another kind of login. */
  readonly login: string;
  readonly secret: string;
  readonly database: string | undefined;
  readonly connectTimeoutMs: number;
  /** Where a connection is changed: "Edit Server". */
  readonly place: string;
  /** With strict encryption the user cannot choose to trust a certificate. */
  readonly strict: boolean;
}

/** What matters of a driver's or socket's error; AggregateError keeps the rest in `errors`, wrappers in `cause`. */
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

/**
 * Permission refused (229, 230, 262, 297, 300, 916, 15247; 27219 error log), a role is missing (15003), an object is
 * hidden or absent (15151).
 */
const PERMISSION_NUMBERS: ReadonlySet<number> = new Set([
  229, 230, 262, 297, 300, 916, 15003, 15151, 15247, 27219,
]);

/** Reasons of OpenSSL and Node for refusing a certificate. With other TLS failures the handshake never got that far. */
const CERTIFICATE_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|(CERT|CRL)_\w+|ERROR_IN_CERT_\w+)$/;

/** Code of our own error if a server offers no encryption although it was asked for. */
export const NO_ENCRYPTION = 'NO_ENCRYPTION';
/** The server sent far more than what was asked for. */
export const TOO_LONG = 'TOO_LONG';

const SOCKET_REASONS = new Map(
  Object.entries({
    ECONNREFUSED: t('nothing listens there'),
    ENOTFOUND: t('the name is not known'),
    EAI_AGAIN: t('the name could not be looked up'),
    EHOSTUNREACH: t('that host cannot be reached over the network'),
    ENETUNREACH: t('that network cannot be reached'),
    ETIMEDOUT: t('no answer'),
    EPROTO: t('it does not offer the chosen kind of encryption'),
    ECONNRESET: t('the connection was closed before the login was answered'),
    EINSTLOOKUP: t('SQL Server Browser gave no port for that instance'),
  }),
);

/** Why no connection came about. `messages` are the errors that the server sent during the login, in order. */
export function explainOpenFailure(
  error: unknown,
  messages: readonly ServerMessage[],
  context: FailureContext,
): ConnectionError {
  const first = messages[0];
  if (first) return new ConnectionError('loginFailed', nameLoginRefusal(first, context), first.number);
  const codes = listErrors(error).map((each) => each.code ?? '');
  const certificate = codes.find((code) => CERTIFICATE_CODES.test(code));
  if (certificate) return explainCertificate(certificate, context);
  if (codes.includes(NO_ENCRYPTION)) return explainNoEncryption(context);
  if (context.strict && codes.some((code) => code === 'EPROTO' || code === 'ECONNRESET'))
    return explainNoStrict(context);
  const sentence = t(
    'Could not reach {0}: {1}. Check the name, the port and the firewall.',
    context.address.shown,
    nameSocketReason(error, codes, context),
  );
  return new ConnectionError('unreachable', sentence);
}

/** Why a query gave no answer. */
export function explainQueryFailure(error: unknown, context: FailureContext): ConnectionError {
  const messages = listErrors(error).filter(
    (each): each is DriverError & ServerMessage => each.number !== undefined,
  );
  const first = messages[0];
  if (!first) return explainWithoutNumber(error, context);
  const shown = t('{0} (Msg {1})', quoteMessage(first.message, context.secret), first.number);
  if (messages.some((each) => PERMISSION_NUMBERS.has(each.number))) {
    const sentence = t(
      '{0} did not allow {1} to do this: {2}. Ask an administrator for that permission.',
      context.address.shown,
      context.login,
      shown,
    );
    return new ConnectionError('permissionDenied', sentence, first.number);
  }
  const sentence = t('{0} answered with an error: {1}.', context.address.shown, shown);
  return new ConnectionError('queryFailed', sentence, first.number);
}

/** Without a number the error is the driver's: the connection is gone, or an answer makes no sense. */
function explainWithoutNumber(error: unknown, context: FailureContext): ConnectionError {
  const [outer] = listErrors(error);
  if (outer?.code !== 'UNKNOWN') return explainDisconnect(context, error);
  const sentence = t('{0} answered with an error, but did not say which.', context.address.shown);
  return new ConnectionError('queryFailed', sentence);
}

/** @param error why, if that is known */
export function explainDisconnect(
  { address: { shown } }: FailureContext,
  error: unknown = null,
): ConnectionError {
  if (listErrors(error).some(({ code }) => code === TOO_LONG)) return explainTooMuch(shown, 'disconnected');
  const sentence = t('The connection to {0} was lost: check that the server is up, then refresh.', shown);
  return new ConnectionError('disconnected', sentence);
}

export function explainTimeout(timeoutMs: number, context: FailureContext): ConnectionError {
  const sentence = t(
    '{0} did not finish a query within {1} s and was asked to stop it. Try again when the server is less busy.',
    context.address.shown,
    timeoutMs / 1000,
  );
  return new ConnectionError('timedOut', sentence);
}

export function explainCancel(context: Pick<FailureContext, 'address'>): ConnectionError {
  return new ConnectionError('cancelled', t('The work on {0} was cancelled.', context.address.shown));
}

/** What to check after 18456. For a Windows login, its domain has vouched for it by then. */
const LOGIN_ADVICE: Readonly<Record<Authentication, (place: string) => string>> = {
  sql: (place) => t('check the user name and the password in {0}', place),
  windows: () => t('ask an administrator for a login on that server'),
  integrated: () => t('ask an administrator for a login on that server'),
  entra: (place) =>
    t('check the account and the tenant in {0}, or ask an administrator for a login or user there', place),
};

/**
 * 18456 login failed; 18452 no domain vouches for the Windows login; 4060 this login cannot open the database; else the
 * server's own words.
 */
function nameLoginRefusal({ number, message }: ServerMessage, context: FailureContext): string {
  const { address, authentication, login, secret, database, place } = context;
  if (number === 18456)
    return t('{0} refused {1}: {2} (Msg 18456).', address.shown, login, LOGIN_ADVICE[authentication](place));
  if (number === 18452 && authentication === 'windows')
    return t(
      '{0} refused {1}: the name or the password is wrong, or its domain is not trusted there. Check them in {2} (Msg 18452).',
      address.shown,
      login,
      place,
    );
  if (number === 18452 && authentication === 'integrated')
    return t(
      '{0} refused {1}: its domain does not trust yours, or its SPN belongs to another account. Ask an administrator (Msg 18452).',
      address.shown,
      login,
    );
  if (number === 4060)
    return database === undefined
      ? t(
          '{0} refused {1}: it cannot open its default database. Name another one in {2} (Msg 4060).',
          address.shown,
          login,
          place,
        )
      : t(
          '{0} refused {1}: it cannot open the database {2}. Check the database in {3} (Msg 4060).',
          address.shown,
          login,
          database,
          place,
        );
  return t('{0} refused {1}: {2} (Msg {3}).', address.shown, login, quoteMessage(message, secret), number);
}

/** Each with the address, the service and what the operating system says. */
const NEGOTIATION_SENTENCES: Readonly<
  Record<NegotiationFailure, (shown: string, service: string, said: string) => string>
> = {
  noNative: () =>
    t(
      'This package of Checkpoint Health cannot log in as yourself: install the one for {0}.',
      `${process.platform}-${process.arch}`,
    ),
  noLibrary: (_shown, _service, said) =>
    t('Kerberos is missing on this computer: install libgssapi-krb5-2 or krb5-libs ({0}).', said),
  noTicket: () =>
    process.platform === 'win32'
      ? t('Windows has no login of yours to show: log in to this computer with an account of the domain.')
      : t('You have no Kerberos ticket: get one with kinit.'),
  expired: () =>
    process.platform === 'win32'
      ? t('Your Kerberos ticket has expired: lock this computer, and unlock it with your password.')
      : t('Your Kerberos ticket has expired: get a new one with kinit.'),
  unknownService: (shown, service) =>
    t(
      'The domain knows no {1}, which {0} should be: check the name of the server, and ask an administrator to look with setspn -Q {1}.',
      shown,
      service,
    ),
  noController: (shown) => t('No domain controller answered for {0}: check the network and the VPN.', shown),
  clock: () =>
    t('The clock of this computer differs too much from that of the domain controller: set it right.'),
  denied: (shown, _service, said) =>
    t('The domain refused your own login for {0}: log in to this computer again ({1}).', shown, said),
  unproven: (shown, service, said) =>
    t(
      '{0} could not prove that it is {1}: ask an administrator to check its SPN ({2}).',
      shown,
      service,
      said,
    ),
  other: (shown, service, said) =>
    t('No ticket for {1} could be had, so {0} was not asked: {2}.', shown, service, said),
};

/** What no waiting changes waits for a click. All others but `denied` are tried again by themselves: nothing was sent. */
const WAITS_FOR_CLICK: readonly NegotiationFailure[] = ['noNative', 'noLibrary', 'unproven'];

export function explainNegotiation(
  { kind, service, message }: NegotiationError,
  { address: { shown } }: FailureContext,
): ConnectionError {
  const otherwise = kind === 'denied' ? 'loginFailed' : 'unreachable';
  const reason = WAITS_FOR_CLICK.includes(kind) ? 'needsClick' : otherwise;
  return new ConnectionError(reason, NEGOTIATION_SENTENCES[kind](shown, service, quoteMessage(message, '')));
}

function explainCertificate(code: string, context: FailureContext): ConnectionError {
  return new ConnectionError('untrustedCertificate', explainDistrust(code, context));
}

/** A token goes to no server whose certificate is accepted unchecked. */
function explainDistrust(code: string, { address, strict, authentication, place }: FailureContext): string {
  if (authentication === 'entra')
    return t(
      'The certificate of {0} is not trusted ({1}). Install a trusted one on the server.',
      address.shown,
      code,
    );
  return strict
    ? t(
        'The certificate of {0} is not trusted ({1}). Install a trusted one on the server, or choose mandatory instead of strict encryption in {2}.',
        address.shown,
        code,
        place,
      )
    : t(
        "The certificate of {0} is not trusted ({1}). Install a trusted one on the server, or choose to trust this server's certificate in {2}.",
        address.shown,
        code,
        place,
      );
}

/** @param was the fingerprint that the user trusted @param is the one that is shown now, each SHA-256 as `AB:CD:...` */
export function explainChangedCertificate(
  was: string,
  is: string,
  { address }: FailureContext,
): ConnectionError {
  return new CertificateChanged(
    t(
      '{0} shows a different certificate from the one you trusted, so the login was not sent. Trusted: {1}. Now: {2}. A server without an installed certificate makes a new one at each start, but an attacker in between would look the same. Ask the administrator of the server before you trust the new one.',
      address.shown,
      was,
      is,
    ),
    was,
    is,
  );
}

function explainNoEncryption({ address }: FailureContext): ConnectionError {
  const sentence = t(
    '{0} offers no encryption, so the login was not sent. SQL Server always offers it: find out what is in between.',
    address.shown,
  );
  return new ConnectionError('unreachable', sentence);
}

/** It was reached, and ended the connection at the first byte of TLS. */
function explainNoStrict({ address: { shown }, place }: FailureContext): ConnectionError {
  const sentence = t(
    '{0} does not take strict encryption: it has no TDS 8.0, which came with SQL Server 2022. Choose mandatory encryption in {1}.',
    shown,
    place,
  );
  return new ConnectionError('unreachable', sentence);
}

function nameSocketReason(error: unknown, codes: readonly string[], context: FailureContext): string {
  if (codes.includes('ETIMEOUT')) return t('no answer within {0} s', context.connectTimeoutMs / 1000);
  const known = [...codes].reverse().find((code) => SOCKET_REASONS.has(code));
  if (known) return SOCKET_REASONS.get(known) ?? known;
  return quoteMessage(listErrors(error).at(-1)?.message ?? t('the reason is not known'), context.secret);
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
  return safe.trim().replace(/(?<![.\s])[.\s]+$/, '');
}
