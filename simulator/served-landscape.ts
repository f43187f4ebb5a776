import type { Landscape } from './engine/landscape';
import type { Role } from './engine/availability/group';
import type { ModelledServer } from './engine/modelled-server';
import { createCertificate } from './tds/certificate';
import { type CheckTicket, SqlError, type SessionHost } from './tds/handler';
import { startTdsServer, type LogEntry, type TdsServer, type TlsMode } from './tds/server';
import { createSessionHost } from './tsql/session-host';
import { warmUp } from './warm-up';

/** One server of a landscape, with a port of its own. */
export interface ServedReplica {
  readonly name: string;
  readonly host: '127.0.0.1';
  readonly port: number;
  /** By availability group: the role of this replica now. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly server: ModelledServer;
  /** The port of its clients, which can be closed and opened again, and whose answers can go wrong. */
  readonly door: Pick<TdsServer, 'faults' | 'disconnect' | 'isListening' | 'stop' | 'start'>;
}

/** The listener of an availability group: a new connection goes to the server that has the primary at that moment. */
export interface ServedListener {
  readonly name: string;
  readonly group: string;
  readonly isContained: boolean;
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Ends every connection, as when its address moves to another server. */
  disconnect(): Promise<void>;
}

interface ServeOptions {
  /**
   * Port of the first server; the other servers and then the listeners have the next ones. 0: each takes a free one.
   */
  readonly port: number;
  readonly tls: TlsMode;
  readonly log?: (entry: LogEntry) => void;
  /** Each server runs statements before its first client comes. */
  readonly isWarm: boolean;
  readonly checkTicket?: CheckTicket;
}

type OpenHost = SessionHost & { close(): Promise<void> };

const host = '127.0.0.1' as const;
const LAST_PORT = 65_535;

/**
 * Opens a port for each server and each listener. Resolves when clients can connect.
 * @throws the error of the operating system when a port is taken
 */
export async function serveLandscape(
  landscape: Landscape,
  { port, tls, log, isWarm, checkTicket }: ServeOptions,
) {
  const certificate = tls === 'off' ? undefined : await createCertificate();
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of [...closing].reverse()) await end();
  };
  const hosts = new Map<ModelledServer, OpenHost>();
  const openHost = async (server: ModelledServer): Promise<OpenHost> => {
    const opened = { ...(await createSessionHost(server)), ...(checkTicket && { checkTicket }) };
    if (isWarm) await warmUp(opened, server.administrator);
    hosts.set(server, opened);
    closing.push(() => opened.close());
    return opened;
  };
  let ports = 0;
  const listen = async (sessions: SessionHost): Promise<TdsServer> => {
    const own = port === 0 ? 0 : port + ports++;
    if (own > LAST_PORT)
      throw new Error(
        `there is no port ${own}: the servers and listeners of this scenario take one after another from ${port} on`,
      );
    const listener = await startTdsServer({
      host: sessions,
      port: own,
      tls,
      ...(certificate && { certificate }),
      ...(log && { log }),
    });
    closing.push(listener.stop);
    return listener;
  };
  try {
    const replicas: ServedReplica[] = [];
    for (const server of landscape.servers)
      replicas.push(describe(server, await listen(await openHost(server)), landscape));
    const listeners: ServedListener[] = [];
    for (const { dnsName, group, isContained, servers, find } of landscape.listeners) {
      for (const server of servers) if (!hosts.has(server)) await openHost(server);
      const { port: own, disconnect } = await listen(
        routeTo(() => hosts.get(find() as ModelledServer), hosts.get(servers[0]) as OpenHost),
      );
      listeners.push({ name: dnsName, group, isContained, host, port: own, disconnect });
    }
    return {
      replicas: replicas as [ServedReplica, ...ServedReplica[]],
      listeners,
      certificate: certificate?.cert,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function describe(server: ModelledServer, door: TdsServer, landscape: Landscape): ServedReplica {
  const { port } = door;
  return {
    door,
    name: server.serverName,
    host,
    port,
    get roles() {
      return landscape.rolesOf(server.serverName);
    },
    server,
  };
}

/** While there is no primary, connections are refused; on a real network the listener's address would not answer. */
function routeTo(find: () => SessionHost | undefined, { serverName, version }: SessionHost): SessionHost {
  return {
    serverName,
    version,
    login(login) {
      const target = find();
      if (target === undefined)
        throw new SqlError(50_000, 'simulator: the availability group has no primary replica now');
      return target.login(login);
    },
  };
}
