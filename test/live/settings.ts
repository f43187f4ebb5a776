import type { LoginAddress } from '../e2e/query-window';

/** Which server the live tests are to run against. */
export type LiveSettings =
  | { readonly kind: 'SQL Server'; readonly address: LoginAddress }
  | { readonly kind: 'simulator'; readonly release: number | undefined };

/** Why there is nothing to run against, in one sentence. */
export class NotNamed extends Error {}

/**
 * Reads LIVE_SQL_SERVER (host or host,port), LIVE_SQL_USER, LIVE_SQL_PASSWORD, LIVE_SQL_DISPOSABLE;
 * or LIVE_SQL_SIMULATOR=yes, to prove the tests themselves, with LIVE_SQL_RELEASE.
 * @throws NotNamed where no server is named, or one that nobody calls disposable
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): LiveSettings {
  const value = (name: string): string => environment[`LIVE_SQL_${name}`] ?? '';
  if (value('SIMULATOR') === 'yes') {
    const release = value('RELEASE');
    return { kind: 'simulator', release: release === '' ? undefined : Number(release) };
  }
  const [server, user, password] = ['SERVER', 'USER', 'PASSWORD'].map(value) as [string, string, string];
  if (server === '' || user === '' || password === '')
    throw new NotNamed(
      'No SQL Server is named: set LIVE_SQL_SERVER (host or host,port), LIVE_SQL_USER and LIVE_SQL_PASSWORD.',
    );
  if (value('DISPOSABLE') !== 'yes')
    throw new NotNamed(
      `The live tests create and drop databases, a login and event sessions, and turn trace flags on: set LIVE_SQL_DISPOSABLE=yes if ${server} may be used for that.`,
    );
  return { kind: 'SQL Server', address: { ...splitAddress(server), user, password } };
}

/** @throws NotNamed for a port that is no number */
function splitAddress(text: string): { readonly host: string; readonly port: number } {
  const [host = '', port = '1433'] = text.split(',').map((part) => part.trim());
  if (host === '' || !/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new NotNamed(`"${text}" is not a host, or a host, a comma and a port.`);
  return { host, port: Number(port) };
}
