/**
 * Turns failures of the SQL Server extension (mssql) into ConnectionErrors: a reason and one sentence for the user,
 * without secrets.
 */
import { ConnectionError } from '../host';
import { isLoginRefused, isNotConnected, isServiceGone } from '../sql-tools-service';
import { joinSentences, t } from '../../core/language';

/**
 * Older services say this in place of SQL Server's own error, or where a connection broke before the first row
 * (docs/facts.md, Hosts 3).
 */
const NO_RESULTS = /no results to return/i;

/** The codes of its ConnectionSharingError that matter here (connectionSharingService.ts, v1.34.1 to v1.45). */
const CODES = [
  'PERMISSION_DENIED',
  'PERMISSION_REQUIRED',
  'CONNECTION_NOT_FOUND',
  'CONNECTION_FAILED',
  'NO_ACTIVE_EDITOR',
  'NO_ACTIVE_CONNECTION',
  'INVALID_CONNECTION_URI',
] as const;

/**
 * Title of mssql's command with its category, as the command palette shows it (package.json and package.nls.json,
 * v1.34.1 to v1.45).
 */
const EDIT_PERMISSIONS = 'MSSQL: Edit Connection Sharing Permissions';
const OTHER_WAY = t('With Add Server you can connect without it.');

export type SharingObstacle = 'absent' | 'not started' | 'not shared';

/** The code of mssql's error; null for any other error, or if the code was lost on the way between extension hosts. */
export function readSharingCode(error: unknown): (typeof CODES)[number] | null {
  try {
    const code: unknown = (error as { readonly code?: unknown } | null)?.code;
    return CODES.find((known) => known === code) ?? null;
  } catch {
    return null;
  }
}

/** Why its connections cannot be used at all, as one sentence. */
export function explainObstacle(obstacle: SharingObstacle): string {
  if (obstacle === 'absent')
    return joinSentences(
      t(
        'The SQL Server extension (mssql) is not installed or is disabled, so its connections cannot be used.',
      ),
      OTHER_WAY,
    );
  if (obstacle === 'not started')
    return joinSentences(
      t('The SQL Server extension (mssql) could not be started, so its connections cannot be used.'),
      OTHER_WAY,
    );
  return joinSentences(
    t(
      'The installed version of the SQL Server extension (mssql) does not share its connections with other extensions.',
    ),
    OTHER_WAY,
  );
}

/** Why no connection came about. */
export function explainOpenFailure(error: unknown, server: string): ConnectionError {
  switch (readSharingCode(error)) {
    case 'PERMISSION_DENIED':
    case 'PERMISSION_REQUIRED':
      return new ConnectionError(
        'permissionDenied',
        t(
          'Checkpoint Health is not allowed to use the connections of the SQL Server extension (mssql). Allow it with the command {0}, then refresh.',
          EDIT_PERMISSIONS,
        ),
      );
    case 'CONNECTION_NOT_FOUND':
      return new ConnectionError(
        'unreachable',
        t(
          'The SQL Server extension (mssql) shares no connection to {0}. Perhaps it is not saved there, is in no group, or is only in a workspace. Save it in the dialog of that extension, or use Add Server.',
          server,
        ),
      );
    default:
      if (isServiceGone(readMessage(error))) return explainServiceGone();
      return new ConnectionError(
        'unreachable',
        t(
          'The SQL Server extension (mssql) could not connect to {0}: {1}.',
          server,
          quoteForeign(readMessage(error)),
        ),
      );
  }
}

function explainServiceGone(): ConnectionError {
  const sentence = t(
    'SQL Tools Service has ended, and the SQL Server extension (mssql) connects through it. Reload the window to start it again.',
  );
  return new ConnectionError('hostGone', sentence);
}

/** mssql could not connect, but the server answers. */
export function explainRefusedLogin(server: string): ConnectionError {
  const sentence = t(
    'The SQL Server extension (mssql) could not log in to {0}, but does not tell us why. Connect there in its own pane, which shows the reason, then refresh.',
    server,
  );
  return new ConnectionError('loginFailed', sentence);
}

/** mssql shows a dialog, and background work did not wait for it. */
export function explainDialog(server: string, timeoutMs: number): ConnectionError {
  const sentence = t(
    'The SQL Server extension (mssql) did not say within {0} s whether it could log in to {1}. It may be showing a dialog, for instance about an expired password. Answer that, then refresh.',
    timeoutMs / 1000,
    server,
  );
  return new ConnectionError('needsClick', sentence);
}

export function explainUnreachable(server: string): ConnectionError {
  const sentence = t('Nothing answers at {0}: check the name, the port and the firewall.', server);
  return new ConnectionError('unreachable', sentence);
}

export function explainUntrusted(server: string): ConnectionError {
  const sentence = t(
    'The connection to {0} comes from a workspace that you do not trust, so it is not used. Trust the workspace, or use Add Server.',
    server,
  );
  return new ConnectionError('permissionDenied', sentence);
}

export function explainDisconnect(server: string): ConnectionError {
  const sentence = t(
    'The SQL Server extension (mssql) has lost the connection to {0}: check that the server is up, then refresh.',
    server,
  );
  return new ConnectionError('disconnected', sentence);
}

export function explainQueryFailure(error: unknown, server: string): ConnectionError {
  const message = readMessage(error);
  if (isServiceGone(message)) return explainServiceGone();
  if (isNotConnected(message)) return explainDisconnect(server);
  if (isLoginRefused(message)) return explainRefusedLogin(server);
  if (NO_RESULTS.test(message))
    return new ConnectionError(
      'queryFailed',
      t(
        "{0} gave no result, and the SQL Server extension (mssql) does not say why. If it happens again, look at SQL Server's error log.",
        server,
      ),
    );
  const sentence = t(
    '{0} answered through the SQL Server extension (mssql) with an error: {1}.',
    server,
    quoteForeign(readMessage(error)),
  );
  return new ConnectionError('queryFailed', sentence);
}

/** @param what is wrong with mssql's answer, as it reads after a colon */
export function explainStrangeAnswer(what: string, server: string): ConnectionError {
  const sentence = t('The SQL Server extension (mssql) gave no usable answer from {0}: {1}.', server, what);
  return new ConnectionError('queryFailed', sentence);
}

export function explainTimeout(timeoutMs: number, server: string): ConnectionError {
  const sentence = t(
    '{0} did not finish a query within {1} s, so we stopped waiting. The SQL Server extension (mssql) cannot stop the query there.',
    server,
    timeoutMs / 1000,
  );
  return new ConnectionError('timedOut', sentence);
}

export function explainCancel(server: string): ConnectionError {
  return new ConnectionError('cancelled', t('The work on {0} was cancelled.', server));
}

function readMessage(error: unknown): string {
  try {
    const message: unknown =
      typeof error === 'string' ? error : (error as { readonly message?: unknown } | null)?.message;
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}

/** What shows that a text holds a connection string or a secret, in any order of its parts. */
const SECRETS =
  /\b(password|pwd|access ?token|account ?key|secret)\b\s*[=:]|\b(data source|initial catalog|user id|uid)\s*=/i;
const QUOTED_MAX = 300;

/** Puts another's words into our sentence: one line, no full stop, nothing that looks like a connection string. */
function quoteForeign(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  if (line === '') return t('the reason is not known');
  if (SECRETS.test(line)) return t('its reason is not shown, because it quotes a connection string');
  return (line.length > QUOTED_MAX ? `${line.slice(0, QUOTED_MAX)}...` : line).replace(
    /(?<![.\s])[.\s]+$/,
    '',
  );
}
