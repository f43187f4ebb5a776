/**
 * What Azure Data Studio and mssql share: the words of a service that logs in for each query (docs/facts.md, Hosts 3),
 * and a look whether a server is up.
 */

import { LONGEST_CELL } from './host';

/** The service answers one query at a time, with the whole answer at once, in a session of its own. */
export const SERVICE_CAPABILITIES = { session: false, parameters: false, errors: false };

/**
 * @param setting `mssql.query.maxCharsToStore` as the user has it, so anything; a number above the service's default is
 * not trusted
 */
export function readCellLimit(setting: unknown): number {
  return typeof setting === 'number' && setting > 0 ? Math.min(setting, LONGEST_CELL) : LONGEST_CELL;
}

/**
 * The service could not log in for the query or could not reach the server; it does not say which, and goes on without
 * a connection. Or its connection is gone. All in English, as on an English host.
 */
const NOT_CONNECTED =
  /not connected to a database|invalid OwnerUri|Parameter( name: |\s+')OwnerUri|does not have (an )?existing connection|OwnerUri is not connected|does not have a default connection|transport-level error|network-related or instance-specific|connection is (broken|closed)|physical connection is not usable|SHUTDOWN is in progress|forcibly closed|Connection Timeout Expired/i;

/** The same in the words of the driver tedious and of Node's sockets, for a provider that uses those. */
const NOT_CONNECTED_BY_TEDIOUS =
  /^Failed to connect to .+( - | in \d+ ?ms)|^Could not connect \((sequence|parallel)\)|^Connection lost - |socket hang up|^Connection closed before request completed|^Failed to get response from SQL Server Browser|^(Port for|Instance) .+ not found|^(connect|read|write|getaddrinfo) E[A-Z_]+\b|\b(ECONNREFUSED|ECONNRESET|ECONNABORTED|ESOCKET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EINSTLOOKUP)\b/;

export function isNotConnected(message: string): boolean {
  return NOT_CONNECTED.test(message) || NOT_CONNECTED_BY_TEDIOUS.test(message);
}

/**
 * The service itself has ended, and the product that used it does not start it again (tried: mssql 1.45.0, its service
 * killed). In the words of vscode-languageclient and vscode-jsonrpc; SqlClient's texts about a closed connection are
 * longer.
 */
export function isServiceGone(message: string): boolean {
  return /^(language )?client is not (running|ready)|connection got disposed|^connection is (closed|disposed)\.?$|stream was destroyed|^write EPIPE/i.test(
    message,
  );
}

/** Newer services pass on what SQL Server said. */
export function isLoginRefused(message: string): boolean {
  return /login failed for user|cannot open database|login is from an untrusted domain|logon failed for login|account is (disabled|locked)/i.test(
    message,
  );
}

/**
 * Milliseconds without an answer after which we check whether the server is there. The service itself takes about 15 s
 * to find out.
 */
export const LOOK_AFTER_MS = 3_000;

/**
 * Whether something accepts a connection at an address, without a login. null if that cannot be told, as for a named
 * instance.
 */
export type CanReach = (server: string) => Promise<boolean | null>;

/** Tells a server that is gone from one that is silent or refuses a login. */
export class Reach {
  /**
   * By address: whether it accepted our connection while its server was up. An address with an alias or of shared
   * memory may not.
   */
  private readonly seen = new Map<string, Promise<boolean>>();

  /** @param answersAt whether a server that accepts a connection answers too; null if that cannot be told */
  constructor(
    private readonly canReach: CanReach,
    private readonly answersAt: (server: string) => Promise<boolean | null> = () => Promise.resolve(null),
  ) {}

  /** Call after a login. If the address accepts no connection of ours even now, a later refusal means nothing. */
  learn(server: string): void {
    this.seen.set(
      server,
      this.canReach(server).then(
        (isThere) => isThere === true,
        () => false,
      ),
    );
  }

  /** Whether surely nothing answers there. */
  async isGone(server: string): Promise<boolean> {
    return (await this.seen.get(server)) !== false && (await this.canReach(server)) === false;
  }

  /** Whether the server is neither gone nor silent, as far as that can be told. */
  async isThere(server: string): Promise<boolean> {
    return !(await this.isGone(server)) && (await this.answersAt(server)) !== false;
  }
}

const REACH_TIMEOUT_MS = 5_000;

export async function canReach(server: string): Promise<boolean | null> {
  const end = await knock(server, null);
  return end === null ? null : end === 'accepted';
}

/**
 * Whether a server answers there. One that is paused or still starting may accept a connection and stay silent. We send
 * the first packet of a login, which names no login. A server that wants TLS before it closes the connection, which
 * counts as an answer (MS-TDS 2.2.6.5).
 * @returns null if nothing accepts a connection, or if that cannot be told
 */
export async function answersAt(server: string): Promise<boolean | null> {
  const end = await knock(server, PRELOGIN);
  return end === 'answered' ? true : end === 'accepted' ? false : null;
}

/** Version 0, encryption off, and nothing else. */
const PRELOGIN = Uint8Array.of(
  0x12,
  1,
  0,
  26,
  0,
  0,
  1,
  0,
  ...[0, 0, 11, 0, 6],
  ...[1, 0, 17, 0, 1],
  0xff,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
);

type KnockEnd = 'nothing there' | 'accepted' | 'answered';

/**
 * @param server `host` or `host,port`, with or without `tcp:`; gives null for any other
 * @param packet null: an accepted connection is enough
 */
async function knock(server: string, packet: Uint8Array | null): Promise<KnockEnd | null> {
  const [, host, port] = /^(?:tcp:)?([^,\\]+)(?:,\s*(\d{1,5}))?$/i.exec(server.trim()) ?? [];
  if (host === undefined) return null;
  // Loaded only when needed, because activation should be cheap.
  const net = await import('node:net');
  const name = ['.', '(local)'].includes(host.trimEnd().toLowerCase()) ? 'localhost' : host.trimEnd();
  return new Promise((resolve) => {
    let end: KnockEnd = 'nothing there';
    const socket = net.connect({ host: name, port: Number(port ?? 1433) });
    const conclude = (): void => {
      socket.destroy();
      resolve(end);
    };
    const answered = (): void => {
      if (end === 'accepted') end = 'answered';
      conclude();
    };
    socket.setTimeout(REACH_TIMEOUT_MS, conclude);
    socket.once('connect', () => {
      end = 'accepted';
      if (packet === null) conclude();
      else socket.write(packet);
    });
    // If the connection is closed or reset, a server has read the packet.
    for (const event of ['data', 'end', 'error']) socket.once(event, answered);
  });
}
