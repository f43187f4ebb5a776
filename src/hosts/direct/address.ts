/**
 * Where a server is, as users write it: `host`, `host,port`, `host\instance`, `tcp:host,port`, `.`, `(local)`,
 * `[::1],1433`.
 */
import { ConnectionError } from '../host';
import { t } from '../../core/language';

export interface ServerAddress {
  readonly host: string;
  /** null if SQL Server Browser must be asked for the instance's port. */
  readonly port: number | null;
  readonly instance: string | null;
  /** For messages: `host,port` or `host\instance`. */
  readonly shown: string;
}

const DEFAULT_PORT = 1433;

/**
 * Whether a text has what no address has, but a connection string, a URL, JSON, a table or an option. A password may
 * stand in it, so it is not to be repeated.
 */
export function holdsMore(text: string): boolean {
  return /[{}"=;@|<>/]|\p{Cc}|^\s*-/u.test(text);
}

/**
 * Reads an address. A port, in the text or given beside it, counts more than an instance name, as in Microsoft's
 * clients.
 * @throws ConnectionError `unreachable` if only a local or named-pipe client could reach it, or if the address cannot
 * be read. It does not repeat the text
 */
export function readServerAddress(server: string, givenPort?: number): ServerAddress {
  const text = server.trim().replace(/^tcp:/i, '');
  if (!holdsMore(text) && /^(np|lpc|admin):|^\(localdb\)|^\\\\/i.test(text)) {
    const sentence = t(
      'This is not a TCP address: only TCP connections are supported, write the server as host,port.',
    );
    throw new ConnectionError('unreachable', sentence);
  }
  const parts = /^(\[[^\]]+\]|[^,\\]+)(?:\\([^,\\]+))?(?:,\s*(\d{1,5}))?$/.exec(text);
  const port = givenPort ?? (parts?.[3] === undefined ? null : Number(parts[3]));
  const host = parts?.[1]?.trim() ?? '';
  const instance = parts?.[2]?.trim() ?? null;
  const isPort = port === null || (Number.isInteger(port) && port > 0 && port < 65536);
  if (holdsMore(text) || !isHost(host) || /\s/.test(instance ?? '') || !isPort) {
    const sentence = t('This is not a server address: write host, host,port or host\\instance.');
    throw new ConnectionError('unreachable', sentence);
  }
  return nameAddress(readHost(host), port, instance);
}

/** Other products write a port after one colon; more colons mean IPv6, which has nothing but digits. */
function isHost(host: string): boolean {
  if (!host.includes(':')) return host !== '' && !/\s/.test(host);
  return /^\[?[\da-f.]*:[\da-f.]*:[\da-f.:]*(%\w+)?\]?$/i.test(host);
}

function readHost(host: string): string {
  if (host === '.' || host.toLowerCase() === '(local)') return 'localhost';
  return host.replace(/^\[|\]$/g, '');
}

function nameAddress(host: string, port: number | null, instance: string | null): ServerAddress {
  if (port === null && instance !== null && instance.toUpperCase() !== 'MSSQLSERVER') {
    return { host, port: null, instance, shown: `${host}\\${instance}` };
  }
  const known = port ?? DEFAULT_PORT;
  return { host, port: known, instance: null, shown: `${host},${known}` };
}
