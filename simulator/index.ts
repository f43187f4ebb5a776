import { createLandscape, type ModelledServerOptions } from './engine/landscape';
import type { ModelledServer } from './engine/modelled-server';
import { ENTRA_LOGIN, LOGINS, type LoginDescription } from './engine/permissions/permissions-logins';
import { serveLandscape, type ServedListener, type ServedReplica } from './served-landscape';
import { storeEvents } from './stored-events';
import type { CheckTicket } from './tds/handler';
import type { LogEntry, TlsMode } from './tds/server';

/** Real milliseconds between two readings of the clock. */
const LOOK_EVERY_MS = 20;
const HOUR_MS = 3_600_000;
const TWO_WEEKS_MS = 14 * 24 * HOUR_MS;
/** master, tempdb, model, msdb. */
const LAST_SYSTEM_ID = 4;

export interface SimulatorOptions extends ModelledServerOptions {
  /**
   * Number of events in the files checkpoint_history*.xel before clients can connect; 0, the default: no such session.
   */
  readonly storedEvents?: number;
  /**
   * Somebody changed this many of the busiest databases to 60 seconds, two weeks before clients can connect; 0, the
   * default: nobody did.
   */
  readonly switched?: number;
  /**
   * Runs statements before clients can connect, so that their first ones are as quick as later ones. False by default,
   * true for the process.
   */
  readonly isWarm?: boolean;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** 'optional' by default: the client decides. */
  readonly tls?: TlsMode;
  /** Takes what went wrong with a connection; by default nothing is logged. */
  readonly log?: (entry: LogEntry) => void;
  /** Takes logins by Kerberos; by default there are none. */
  readonly checkTicket?: CheckTicket;
}

/** A modelled SQL Server that clients can log in to on this machine. */
export interface Simulator {
  readonly host: '127.0.0.1';
  readonly port: number;
  /**
   * A login that may do all that a customer may. Its password is public: the simulator holds nothing and only this
   * machine reaches it.
   */
  readonly administrator: { readonly user: string; readonly password: string };
  /** PEM of the certificate made for this run, for clients that want to trust it; undefined with TLS off. */
  readonly certificate: string | undefined;
  /** The model behind it, with its ledger and its clock. */
  readonly server: ModelledServer;
  /** Every server of the scenario, `server` first: more than one if they share availability groups. */
  readonly replicas: readonly [ServedReplica, ...ServedReplica[]];
  /** Listeners of availability groups. */
  readonly listeners: readonly ServedListener[];
  /**
   * Begins a planned failover to that server; virtual time finishes it.
   * @returns virtual milliseconds until that server has the primary
   * @throws SqlError 15151, 41113, 41122, 41142
   */
  failover(group: string, server: string): number;
  /** Ends every connection and frees all that the simulator holds. */
  close(): Promise<void>;
}

/** All logins, each with its purpose; `server.logins` are those of one server. */
export const logins: readonly LoginDescription[] = [...LOGINS, ENTRA_LOGIN];

/**
 * Lets the modelled server go on in short pieces of work while no client asks anything. Otherwise the next client would
 * have to wait for all of it. Keeps no process alive.
 * @returns a function that ends it
 */
function keepPace(clock: { nowUtcMs(): number }): () => void {
  const timer = setInterval(() => void clock.nowUtcMs(), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Looks for an hour who keeps the checkpoint task busy, changes those, and lets two weeks pass. */
function switchInPart(server: ModelledServer, databases: number): void {
  server.pause();
  server.advance(HOUR_MS);
  const busyMs = new Map<string, number>();
  for (const { kind, databaseId, databaseName, beginUtcMs, endUtcMs } of server.ledger.listCheckpoints())
    if (kind === 'automatic' && databaseId > LAST_SYSTEM_ID)
      busyMs.set(databaseName, (busyMs.get(databaseName) ?? 0) + endUtcMs - beginUtcMs);
  const busiest = [...busyMs].sort((a, b) => b[1] - a[1]).slice(0, databases);
  const principal = { spid: 1, login: server.administrator.name, database: 'master' };
  for (const [name] of busiest) server.setTargetRecoveryTime(name, 60, principal);
  server.advance(TWO_WEEKS_MS);
  server.resume();
}

/** Resolves when clients can connect. @throws the error of the operating system when the port is taken. */
export async function startSimulator({
  port = 0,
  tls = 'optional',
  log,
  storedEvents = 0,
  switched = 0,
  isWarm = false,
  checkTicket,
  ...model
}: SimulatorOptions = {}): Promise<Simulator> {
  const landscape = createLandscape(model);
  const [server] = landscape.servers;
  if (switched > 0) switchInPart(server, switched);
  if (storedEvents > 0) await storeEvents(server, storedEvents, server.administrator.name);
  const { replicas, listeners, certificate, close } = await serveLandscape(landscape, {
    port,
    tls,
    isWarm,
    ...(log ? { log } : {}),
    ...(checkTicket ? { checkTicket } : {}),
  });
  const endPace = keepPace(server.clock);
  return {
    host: '127.0.0.1',
    port: replicas[0].port,
    administrator: { user: server.administrator.name, password: server.administrator.password },
    certificate,
    server,
    replicas,
    listeners,
    failover: (group, name) => landscape.failover(group, name),
    close: () => {
      endPace();
      return close();
    },
  };
}
