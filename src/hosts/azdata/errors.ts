/** Turns every failure of Azure Data Studio into a ConnectionError: a reason, and one sentence that tells the user what to do. */
import type * as azdata from 'azdata';
import { ConnectionError, type ConnectionFailure, type HostServer } from '../host';
import { isLoginRefused, isNotConnected, isServiceGone } from '../sql-tools-service';

/** Login failed, or the login is disabled, locked, expired, must change its password, or has no such default database (sys.messages). */
const LOGIN_NUMBERS: ReadonlySet<number> = new Set([
  4060, 4064, 17892, 18401, 18450, 18451, 18452, 18456, 18461, 18470, 18486, 18487, 18488,
]);

/** .NET's numbers for a certificate of an untrusted authority (0x80090325) or for another name (0x80090322). */
const CERTIFICATE_NUMBERS: ReadonlySet<number> = new Set([-2146893019, -2146893022]);

/** A text gave no result set. Older services say this instead of SQL Server's own error (docs/facts.md, Hosts 3). */
const NO_RESULTS = /no results/i;

const LONGEST = 400;

export function explainNoConnection(server: HostServer): ConnectionError {
  return new ConnectionError('unreachable', `Azure Data Studio no longer has the connection ${server.name}: add it there again.`);
}

/** The user changed the connection after it was listed. */
export function explainMoved(server: HostServer): ConnectionError {
  return new ConnectionError('unreachable', `The connection ${server.name} leads to another server than ${server.server} now: refresh.`);
}

export function explainUntrusted(server: HostServer): ConnectionError {
  return new ConnectionError(
    'permissionDenied',
    `The connection ${server.name} is defined by a workspace that you do not trust, so it is not used: trust the workspace, or save the connection in your own settings.`,
  );
}

export function explainNoProvider(): ConnectionError {
  return new ConnectionError('unreachable', `${NO_PROVIDER}.`);
}

export const NO_PROVIDER =
  'Nothing here connects to SQL Server: install or enable the extension SQL Server (mssql) of Azure Data Studio, then reload the window';

/** @param secrets texts that must not be in the sentence, whoever wrote it */
export function explainConnectFailure(
  server: HostServer,
  result: Partial<azdata.ConnectionResult> | undefined,
  secrets: readonly string[] = [],
): ConnectionError {
  const { errorMessage, errorCode } = result ?? {};
  if (!errorMessage && !errorCode) return explainClosed(server);
  const code = Number.isInteger(errorCode) && errorCode !== 0 ? (errorCode as number) : null;
  const reason = classify(code, errorMessage ?? '');
  const said = quote(errorMessage ?? '', secrets);
  const number = code !== null && code > 0 ? code : null;
  return new ConnectionError(reason, `${OPENINGS[reason]} ${server.server}${said}. ${ADVICE[reason]}`, number);
}

export function explainConnectError(server: HostServer, error: unknown, secrets: readonly string[] = []): ConnectionError {
  if (error instanceof ConnectionError) return error;
  return explainConnectFailure(server, { errorMessage: readMessage(error), errorCode: 0 }, secrets);
}

export function explainSilence(server: HostServer, timeoutMs: number): ConnectionError {
  return new ConnectionError(
    'unreachable',
    `Azure Data Studio did not say within ${timeoutMs / 1000} s whether it could connect to ${server.server}: close any dialog of it, then refresh; if that does not help, reload the window.`,
  );
}

export function explainOtherServer(server: HostServer): ConnectionError {
  return new ConnectionError(
    'cancelled',
    `Another server than ${server.server} was chosen in the connection dialog: connect to that one in Azure Data Studio instead.`,
  );
}

export function explainCancel(server: HostServer): ConnectionError {
  return new ConnectionError('cancelled', `The work on ${server.name} was cancelled.`);
}

/** The user closed a dialog of the host without an answer. */
export function explainClosed(server: HostServer): ConnectionError {
  return new ConnectionError('promptClosed', `Azure Data Studio did not connect to ${server.name}, because its dialog was closed.`);
}

export function explainTimeout(server: HostServer, timeoutMs: number): ConnectionError {
  return new ConnectionError(
    'timedOut',
    `${server.name} did not answer within ${timeoutMs / 1000} s; Azure Data Studio cannot stop the query, so it may still run. Try again when the server is less busy.`,
  );
}

export function explainDisconnect(server: HostServer): ConnectionError {
  return new ConnectionError('disconnected', `The connection to ${server.name} was lost: check that the server is up, then refresh.`);
}

/** Nothing accepts a connection at its address. */
export function explainGone(server: HostServer): ConnectionError {
  return new ConnectionError('unreachable', `Nothing answers at ${server.server}: check that the server is up, and the network.`);
}

function explainServiceGone(): ConnectionError {
  const sentence = 'SQL Tools Service, by which Azure Data Studio connects, has ended: reload the window to start it again.';
  return new ConnectionError('unreachable', sentence);
}

/** Why a query gave no answer. */
export function explainQueryError(server: HostServer, error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const message = readMessage(error);
  if (isServiceGone(message)) return explainServiceGone();
  if (isNotConnected(message)) return explainDisconnect(server);
  if (isLoginRefused(message))
    return new ConnectionError('loginFailed', `${OPENINGS.loginFailed} ${server.server}${quote(message, [])}. ${ADVICE.loginFailed}`);
  if (NO_RESULTS.test(message)) return explainNoResult(server);
  return new ConnectionError('queryFailed', `${server.name} answered with an error${quote(message, [])}.`);
}

/** SQL Server's own error text does not reach us this way. */
export function explainNoResult(server: HostServer): ConnectionError {
  return new ConnectionError(
    'queryFailed',
    `${server.name} gave no result and Azure Data Studio does not say why: look into SQL Server's error log.`,
  );
}

export function explainPartialResult(server: HostServer): ConnectionError {
  return new ConnectionError('queryFailed', `${server.name} answered, but Azure Data Studio handed over only a part of it: refresh.`);
}

export function explainCutCell(server: HostServer, column: string): ConnectionError {
  return new ConnectionError(
    'queryFailed',
    `${server.name} answered with a text in column ${column} that is longer than Azure Data Studio hands over, so the answer is incomplete.`,
  );
}

function classify(
  code: number | null,
  message: string,
): Extract<ConnectionFailure, 'loginFailed' | 'untrustedCertificate' | 'unreachable'> {
  if (code !== null && LOGIN_NUMBERS.has(code)) return 'loginFailed';
  if ((code !== null && CERTIFICATE_NUMBERS.has(code)) || /certificate/i.test(message)) return 'untrustedCertificate';
  return isLoginRefused(message) || /login failed/i.test(message) ? 'loginFailed' : 'unreachable';
}

const OPENINGS = {
  loginFailed: 'Azure Data Studio could not log in to',
  untrustedCertificate: 'Azure Data Studio does not trust the certificate of',
  unreachable: 'Azure Data Studio could not connect to',
} as const;

const ADVICE = {
  loginFailed: 'Check the connection in Azure Data Studio (Edit Connection).',
  untrustedCertificate: 'Install a trusted one on the server, or choose Trust server certificate in Edit Connection.',
  unreachable: 'Check the connection in Azure Data Studio (Edit Connection).',
} as const;

function readMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}

/** Puts another's words into our sentence: on one line, without the full stop, and without any password. */
function quote(message: string, secrets: readonly string[]): string {
  const safe = secrets.filter((secret) => secret !== '').reduce((text, secret) => text.split(secret).join('***'), message);
  const line = safe
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.\s]+$/, '');
  return line === '' ? '' : `: ${line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line}`;
}
