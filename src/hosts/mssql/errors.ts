/** Turns failures of the SQL Server extension (mssql) into ConnectionErrors: a reason and one sentence for the user, without secrets. */
import { ConnectionError } from '../host';
import { isLoginRefused, isNotConnected, isServiceGone } from '../sql-tools-service';

/** The codes of its ConnectionSharingError that matter here (connectionSharingService.ts, v1.34.1 to v1.45). */
type SharingCode =
  | 'PERMISSION_DENIED'
  | 'PERMISSION_REQUIRED'
  | 'CONNECTION_NOT_FOUND'
  | 'CONNECTION_FAILED'
  | 'NO_ACTIVE_EDITOR'
  | 'NO_ACTIVE_CONNECTION'
  | 'INVALID_CONNECTION_URI';

const CODES: ReadonlySet<unknown> = new Set<SharingCode>([
  'PERMISSION_DENIED',
  'PERMISSION_REQUIRED',
  'CONNECTION_NOT_FOUND',
  'CONNECTION_FAILED',
  'NO_ACTIVE_EDITOR',
  'NO_ACTIVE_CONNECTION',
  'INVALID_CONNECTION_URI',
]);

/** Title of mssql's command with its category, as the command palette shows it (package.json and package.nls.json, v1.34.1 to v1.45). */
const EDIT_PERMISSIONS = 'MSSQL: Edit Connection Sharing Permissions';
const OTHER_WAY = 'Add Server reaches a server without it';

export type Obstacle = 'absent' | 'not started' | 'not shared';

/** The code of mssql's error; null for any other error, or if the code was lost on the way from another extension host. */
export function readSharingCode(error: unknown): SharingCode | null {
  try {
    const code: unknown = (error as { readonly code?: unknown } | null)?.code;
    return CODES.has(code) ? (code as SharingCode) : null;
  } catch {
    return null;
  }
}

/** Why its connections cannot be used at all, as one sentence. */
export function explainObstacle(obstacle: Obstacle): string {
  if (obstacle === 'absent')
    return `The SQL Server extension (mssql) is not installed or is disabled, so that its connections cannot be used; ${OTHER_WAY}.`;
  if (obstacle === 'not started')
    return `The SQL Server extension (mssql) could not be started, so that its connections cannot be used; ${OTHER_WAY}.`;
  return `The SQL Server extension (mssql) that is installed does not share its connections with other extensions; ${OTHER_WAY}.`;
}

/** Why no connection came about. */
export function explainOpenFailure(error: unknown, server: string): ConnectionError {
  switch (readSharingCode(error)) {
    case 'PERMISSION_DENIED':
    case 'PERMISSION_REQUIRED':
      return new ConnectionError(
        'permissionDenied',
        `Not allowed to use the connections of the SQL Server extension (mssql): allow it with the command ${EDIT_PERMISSIONS}, then refresh.`,
      );
    case 'CONNECTION_NOT_FOUND':
      return new ConnectionError(
        'unreachable',
        `The SQL Server extension (mssql) shares no connection to ${server}, because it is not saved there, or in no group of it, or only in a workspace: save it in its own dialog, or use Add Server.`,
      );
    default:
      if (isServiceGone(readMessage(error))) return explainServiceGone();
      return new ConnectionError(
        'unreachable',
        `The SQL Server extension (mssql) could not connect to ${server}: ${quoteForeign(readMessage(error))}.`,
      );
  }
}

function explainServiceGone(): ConnectionError {
  const sentence = 'SQL Tools Service, by which the SQL Server extension (mssql) connects, has ended: reload the window to start it again.';
  return new ConnectionError('unreachable', sentence);
}

/** mssql could not connect, but the server answers. */
export function explainRefusedLogin(server: string): ConnectionError {
  return new ConnectionError(
    'loginFailed',
    `The SQL Server extension (mssql) could not log in to ${server} and does not tell us why: connect to it in its own pane, where it says why, then refresh.`,
  );
}

/** mssql shows a dialog, and background work did not wait for it. */
export function explainDialog(server: string, timeoutMs: number): ConnectionError {
  return new ConnectionError(
    'needsClick',
    `The SQL Server extension (mssql) has not said within ${timeoutMs / 1000} s whether it could log in to ${server}: answer the dialog that it may show, as for a password that has expired, then refresh.`,
  );
}

export function explainUnreachable(server: string): ConnectionError {
  return new ConnectionError('unreachable', `Nothing answers at ${server}: check the name, the port and the firewall.`);
}

export function explainUntrusted(server: string): ConnectionError {
  return new ConnectionError(
    'permissionDenied',
    `The connection to ${server} is defined by a workspace that you do not trust, so it is not used: trust the workspace, or use Add Server.`,
  );
}

export function explainDisconnect(server: string): ConnectionError {
  return new ConnectionError(
    'disconnected',
    `The SQL Server extension (mssql) has lost the connection to ${server}: check that the server is up, then refresh.`,
  );
}

export function explainQueryFailure(error: unknown, server: string): ConnectionError {
  const message = readMessage(error);
  if (isServiceGone(message)) return explainServiceGone();
  if (isNotConnected(message)) return explainDisconnect(server);
  if (isLoginRefused(message)) return explainRefusedLogin(server);
  return explainStrangeAnswer(`an error: ${quoteForeign(readMessage(error))}`, server);
}

/** @param what mssql's answer, as it reads after "answered with" */
export function explainStrangeAnswer(what: string, server: string): ConnectionError {
  return new ConnectionError('queryFailed', `${server} answered by way of the SQL Server extension (mssql) with ${what}.`);
}

export function explainTimeout(timeoutMs: number, server: string): ConnectionError {
  return new ConnectionError(
    'timedOut',
    `${server} did not finish a query within ${timeoutMs / 1000} s and is waited for no longer; the SQL Server extension (mssql) cannot stop it there.`,
  );
}

export function explainCancel(server: string): ConnectionError {
  return new ConnectionError('cancelled', `The work on ${server} was cancelled.`);
}

function readMessage(error: unknown): string {
  try {
    const message: unknown = typeof error === 'string' ? error : (error as { readonly message?: unknown } | null)?.message;
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}

/** What shows that a text holds a connection string or a secret, in any order of its parts. */
const SECRETS = /\b(password|pwd|access ?token|account ?key|secret)\b\s*[=:]|\b(data source|initial catalog|user id|uid)\s*=/i;
const QUOTED_MAX = 300;

/** Puts another's words into our sentence: one line, no full stop, nothing that looks like a connection string. */
function quoteForeign(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  if (line === '') return 'the reason is not known';
  if (SECRETS.test(line)) return 'its reason is not shown, because it quotes a connection string';
  return (line.length > QUOTED_MAX ? `${line.slice(0, QUOTED_MAX)}...` : line).replace(/[.\s]+$/, '');
}
