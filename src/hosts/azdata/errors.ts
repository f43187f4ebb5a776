/**
 * Turns every failure of Azure Data Studio into a ConnectionError: a reason, and one sentence that tells the user what
 * to do.
 */
import type * as azdata from 'azdata';
import { ConnectionError, type ConnectionFailure, type HostServer } from '../host';
import { isLoginRefused, isNotConnected, isServiceGone } from '../sql-tools-service';
import { t } from '../../core/language';

/**
 * Login failed, or the login is disabled, locked, expired, must change its password, or has no such default database
 * (sys.messages).
 */
const LOGIN_NUMBERS: ReadonlySet<number> = new Set([
  4060, 4064, 17892, 18401, 18450, 18451, 18452, 18456, 18461, 18470, 18486, 18487, 18488,
]);

/** .NET's numbers for a certificate of an untrusted authority (0x80090325) or for another name (0x80090322). */
const CERTIFICATE_NUMBERS: ReadonlySet<number> = new Set([-2146893019, -2146893022]);

/** A text gave no result set. Older services say this instead of SQL Server's own error (docs/facts.md, Hosts 3). */
const NO_RESULTS = /no results/i;

/** Words of the host, its library for Microsoft Entra (MSAL) and SQL Tools Service, where no token could be had. */
const NO_TOKEN =
  /\bAADSTS\d+|(access|refresh|security) ?token|acquire_?token|interaction_required|invalid_grant|no_tokens_found|no account (was )?found|reauthenticat/i;

const LONGEST = 400;

export function explainNoConnection(server: HostServer): ConnectionError {
  const sentence = t('Azure Data Studio no longer has the connection {0}: add it there again.', server.name);
  return new ConnectionError('unreachable', sentence);
}

/** The user changed the connection after it was listed. */
export function explainMoved(server: HostServer): ConnectionError {
  const sentence = t('The connection {0} no longer leads to {1}: refresh.', server.name, server.server);
  return new ConnectionError('unreachable', sentence);
}

export function explainUntrusted(server: HostServer): ConnectionError {
  const sentence = t(
    'The connection {0} comes from a workspace that you do not trust, so it is not used. Trust the workspace, or save the connection in your own settings.',
    server.name,
  );
  return new ConnectionError('permissionDenied', sentence);
}

export function explainNoProvider(): ConnectionError {
  return new ConnectionError('unreachable', NO_PROVIDER);
}

export const NO_PROVIDER = t(
  'Nothing here connects to SQL Server. Install or enable the extension SQL Server (mssql) of Azure Data Studio, then reload the window.',
);

function explainNoToken(server: HostServer): ConnectionError {
  const sentence = t(
    'Azure Data Studio has no valid token of Microsoft Entra for {0}: sign in to its account again there, then refresh.',
    server.name,
  );
  return new ConnectionError('needsClick', sentence);
}

/** @param secrets texts that must not be in the sentence, wherever it comes from */
export function explainConnectFailure(
  server: HostServer,
  result: Partial<azdata.ConnectionResult> | undefined,
  secrets: readonly string[] = [],
): ConnectionError {
  const { errorMessage, errorCode } = result ?? {};
  if (!errorMessage && (errorCode ?? 0) === 0) return explainClosed(server);
  const code = Number.isInteger(errorCode) && errorCode !== 0 ? (errorCode as number) : null;
  if (NO_TOKEN.test(errorMessage ?? '')) return explainNoToken(server);
  const reason = classify(code, errorMessage ?? '');
  const number = code !== null && code > 0 ? code : null;
  const sentence = FAILURES[reason](server.server, quote(errorMessage ?? '', secrets));
  return new ConnectionError(reason, sentence, number);
}

export function explainConnectError(
  server: HostServer,
  error: unknown,
  secrets: readonly string[] = [],
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  return explainConnectFailure(server, { errorMessage: readMessage(error), errorCode: 0 }, secrets);
}

export function explainSilence(server: HostServer, timeoutMs: number): ConnectionError {
  const sentence = t(
    'Azure Data Studio did not say within {0} s whether it could connect to {1}: close any dialog that it shows, then refresh. If that does not help, reload the window.',
    timeoutMs / 1000,
    server.server,
  );
  return new ConnectionError('unreachable', sentence);
}

export function explainOtherServer(server: HostServer): ConnectionError {
  const sentence = t(
    'The server chosen in the connection dialog is not {0}. Connect to that other server in Azure Data Studio instead.',
    server.server,
  );
  return new ConnectionError('cancelled', sentence);
}

export function explainCancel(server: HostServer): ConnectionError {
  return new ConnectionError('cancelled', t('The work on {0} was cancelled.', server.name));
}

/** The user closed a dialog of the host without an answer. */
export function explainClosed(server: HostServer): ConnectionError {
  const sentence = t('Azure Data Studio did not connect to {0} because its dialog was closed.', server.name);
  return new ConnectionError('promptClosed', sentence);
}

export function explainTimeout(server: HostServer, timeoutMs: number): ConnectionError {
  const sentence = t(
    '{0} did not answer within {1} s. Azure Data Studio cannot stop the query, so it may still run. Try again when the server is less busy.',
    server.name,
    timeoutMs / 1000,
  );
  return new ConnectionError('timedOut', sentence);
}

export function explainDisconnect(server: HostServer): ConnectionError {
  const sentence = t(
    'The connection to {0} was lost: check that the server is up, then refresh.',
    server.name,
  );
  return new ConnectionError('disconnected', sentence);
}

/** Nothing accepts a connection at its address. */
export function explainGone(server: HostServer): ConnectionError {
  const sentence = t('Nothing answers at {0}: check the network, and that the server is up.', server.server);
  return new ConnectionError('unreachable', sentence);
}

function explainServiceGone(): ConnectionError {
  const sentence = t(
    'SQL Tools Service has ended, and Azure Data Studio connects through it. Reload the window to start it again.',
  );
  return new ConnectionError('hostGone', sentence);
}

/** Why a query gave no answer. */
export function explainQueryError(server: HostServer, error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const message = readMessage(error);
  if (isServiceGone(message)) return explainServiceGone();
  if (isNotConnected(message)) return explainDisconnect(server);
  if (isLoginRefused(message))
    return new ConnectionError('loginFailed', FAILURES.loginFailed(server.server, quote(message, [])));
  if (NO_RESULTS.test(message)) return explainNoResult(server);
  const said = quote(message, []);
  const sentence =
    said === ''
      ? t('{0} answered with an error.', server.name)
      : t('{0} answered with an error: {1}.', server.name, said);
  return new ConnectionError('queryFailed', sentence);
}

/** SQL Server's own error text does not reach us this way. */
export function explainNoResult(server: HostServer): ConnectionError {
  const sentence = t(
    "{0} gave no result and Azure Data Studio does not say why: look at SQL Server's error log.",
    server.name,
  );
  return new ConnectionError('queryFailed', sentence);
}

export function explainPartialResult(server: HostServer): ConnectionError {
  const sentence = t(
    '{0} answered, but Azure Data Studio passed on only part of the answer: refresh.',
    server.name,
  );
  return new ConnectionError('queryFailed', sentence);
}

export function explainCutCell(server: HostServer, column: string): ConnectionError {
  const sentence = t(
    'The answer from {0} is incomplete: a text in column {1} is longer than Azure Data Studio passes on.',
    server.name,
    column,
  );
  return new ConnectionError('queryFailed', sentence);
}

function classify(
  code: number | null,
  message: string,
): Extract<ConnectionFailure, 'loginFailed' | 'untrustedCertificate' | 'unreachable'> {
  if (code !== null && LOGIN_NUMBERS.has(code)) return 'loginFailed';
  if ((code !== null && CERTIFICATE_NUMBERS.has(code)) || /certificate/i.test(message))
    return 'untrustedCertificate';
  return isLoginRefused(message) || /login failed/i.test(message) ? 'loginFailed' : 'unreachable';
}

const CHECK_CONNECTION = t('Check the connection in Azure Data Studio (Edit Connection).');
const CHECK_CERTIFICATE = t(
  'Install a trusted one on the server, or choose Trust server certificate in Edit Connection.',
);

/** @param said by the host, without a full stop; empty if it said nothing */
const FAILURES = {
  loginFailed: (server: string, said: string): string =>
    said === ''
      ? t('Azure Data Studio could not log in to {0}. {1}', server, CHECK_CONNECTION)
      : t('Azure Data Studio could not log in to {0}: {1}. {2}', server, said, CHECK_CONNECTION),
  untrustedCertificate: (server: string, said: string): string =>
    said === ''
      ? t('Azure Data Studio does not trust the certificate of {0}. {1}', server, CHECK_CERTIFICATE)
      : t(
          'Azure Data Studio does not trust the certificate of {0}: {1}. {2}',
          server,
          said,
          CHECK_CERTIFICATE,
        ),
  unreachable: (server: string, said: string): string =>
    said === ''
      ? t('Azure Data Studio could not connect to {0}. {1}', server, CHECK_CONNECTION)
      : t('Azure Data Studio could not connect to {0}: {1}. {2}', server, said, CHECK_CONNECTION),
} as const;

function readMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}

/** Puts another's words into our sentence: on one line, without the full stop, and without any password. */
function quote(message: string, secrets: readonly string[]): string {
  const safe = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.split(secret).join('***'), message);
  const line = safe
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.\s])[.\s]+$/, '');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line;
}
