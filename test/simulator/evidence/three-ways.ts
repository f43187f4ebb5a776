/** Servers and one account, by each of the three ways; all lead to one modelled server, whose ledger counts the logins, unless one is sent elsewhere. */
import { createCertificate } from '../../../simulator/tds/certificate';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator/index';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { Connection, ServerAccess } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { withLogin } from '../../azdata/provider/login';
import { NOT_CONNECTED, simpleExecute } from '../../azdata/provider/simple-execute';
import { startAzdata } from '../../hosts/azdata/host';
import { LoginRefused } from '../../hosts/azdata-fake/connections';
import { executeOverTds, logInOverTds } from '../../hosts/azdata-fake/over-tds';
import { createFakeMssql, sharingError } from '../../hosts/mssql/fake';
import { installationOf } from '../../monitor/fake-surroundings';
import { VirtualTime } from '../../monitor/virtual-time';

export type WayName = 'our own driver' | 'mssql' | 'Azure Data Studio';

export const WAYS: readonly WayName[] = ['our own driver', 'mssql', 'Azure Data Studio'];

const SERVERS = ['a', 'b', 'c', 'd', 'e'];
const POLL_MS = 5_000;

/** What stands between the ways and the server. */
export interface Street {
  readonly simulator: Simulator;
  readonly time: VirtualTime;
  readonly breaker: LoginBreaker;
  readonly monitors: readonly ServerMonitor[];
  /** The password that the ways have: kept, or saved in the other product. */
  password: string;
  /** The certificate is another one than the user trusted. */
  isOtherCertificate: boolean;
  /** Questions to the user that were asked. */
  asked: number;
  /** The login of all servers. */
  readonly user: string;
  /** Real milliseconds after which a login or a query is given up; undefined: as the product does it. */
  readonly patienceMs: number | undefined;
  /** Ports of servers that do not lead to the modelled server, by id. */
  readonly elsewhere: Map<string, number>;
  /** Where all others lead. */
  readonly port: number;
  /** What was kept, of all servers, oldest first. */
  readonly kept: KeptRecord[];
  close(): Promise<void>;
}

type Ways = Readonly<Record<WayName, (street: Street) => readonly ServerAccess[]>>;

const ways: Ways = { 'our own driver': listOwn, mssql: listMssql, 'Azure Data Studio': listAzdata };

export interface StreetOptions extends SimulatorOptions {
  /** How many servers: 5 unless given. */
  readonly servers?: number;
  /** Absent: the administrator. All logins have one password. */
  readonly user?: string;
  /** A login or a query is given up after this many real milliseconds; absent: as the product does it. */
  readonly patienceMs?: number;
  /** Nobody looks, and nothing is sampled. */
  readonly isUnwatched?: true;
  /** Ports of servers that do not lead to the modelled server, by id. */
  readonly elsewhere?: Readonly<Record<string, number>>;
  /** All others lead to the listener of this availability group. */
  readonly listener?: string;
}

export async function openStreet(
  way: WayName,
  { servers = 5, user, patienceMs, isUnwatched, elsewhere, listener, ...model }: StreetOptions = {},
): Promise<Street> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', databases: 2, ...model });
  const time = new VirtualTime();
  const breaker = new LoginBreaker(time.world);
  const monitors: ServerMonitor[] = [];
  const street: Street = {
    simulator,
    time,
    breaker,
    monitors,
    password: simulator.administrator.password,
    isOtherCertificate: false,
    asked: 0,
    user: user ?? simulator.administrator.user,
    patienceMs,
    elsewhere: new Map(Object.entries(elsewhere ?? {})),
    port: simulator.listeners.find(({ name }) => name === listener)?.port ?? simulator.port,
    kept: [],
    close: async () => {
      await Promise.all(monitors.map((monitor) => time.during(monitor.dispose())));
      await simulator.close();
    },
  };
  for (const access of ways[way](street).slice(0, servers)) {
    const bounded = patienceMs === undefined ? access : hurry(access, patienceMs);
    monitors.push(watch(street, bounded, isUnwatched === true));
  }
  return street;
}

/** All servers are in one window. */
const installation = installationOf();

/** Every query is given up sooner than the product does it. */
function hurry(access: ServerAccess, patienceMs: number): ServerAccess {
  const { id, label, account } = access;
  const open = async (...given: Parameters<ServerAccess['open']>): Promise<Connection> => {
    const connection = await access.open(...given);
    const { capabilities } = connection;
    return {
      capabilities,
      close: () => connection.close(),
      query: (text, options) => connection.query(text, { ...options, timeoutMs: patienceMs }),
    };
  };
  return { id, label, account, open };
}

/** Sampled, as always, and with its dashboard open, unless nobody looks. */
function watch({ time, breaker, kept, elsewhere }: Street, access: ServerAccess, isUnwatched: boolean): ServerMonitor {
  const monitor = createServerMonitor({
    // Time does not stand still for a server that may never answer.
    access: elsewhere.has(access.id.replace(/^.*:/, '')) ? access : time.watch(access),
    breaker,
    schedule: time.schedule,
    installation,
    newCaptureId: () => `capture-${access.id}`,
    log: { sql: () => undefined, warn: () => undefined },
    captures: { keep: (record) => Promise.resolve(void kept.push(record)), recover: () => Promise.resolve(null) },
    pollIntervalMs: POLL_MS,
    refreshIntervalMs: 60_000,
    sampling: isUnwatched ? null : { instanceMs: 15_000, databasesMs: 60_000 },
    elapsedMs: time.world.elapsedMs,
  });
  const look = (): void => {
    monitor.askForEvidence();
    time.schedule(POLL_MS, look);
  };
  if (!isUnwatched) time.schedule(POLL_MS, look);
  return monitor;
}

/** The certificate that the user trusted at first stays the one that is kept. */
function listOwn(street: Street): readonly ServerAccess[] {
  const { user } = street;
  return SERVERS.map((id) => {
    let trusted: string | undefined;
    const server = { id, name: id, server: 'localhost', port: portOf(street, id), user } as const;
    return createDirectAccess({
      ...(street.patienceMs !== undefined && { connectTimeoutMs: street.patienceMs }),
      server: { ...server, encrypt: 'mandatory', trustServerCertificate: true },
      secrets: {
        get: (mayAsk) => {
          if (mayAsk) street.asked++;
          return Promise.resolve(street.password);
        },
      },
      trusted: { find: () => trusted, keep: (fingerprint) => Promise.resolve(void (trusted = fingerprint)) },
    });
  });
}

function listMssql(street: Street): readonly ServerAccess[] {
  const { simulator } = street;
  const { user } = street;
  const fake = createFakeMssql('exports');
  const details = (id: unknown) => ({
    options: { server: `localhost,${portOf(street, String(id))}`, user, password: street.password, trustServerCertificate: true },
  });
  fake.user = SERVERS.map((id) => ({ id, server: `sql-${id}`, user, authenticationType: 'SqlLogin', savePassword: true }));
  fake.does['connect'] = async (_ours, id) => {
    if (street.isOtherCertificate) throw sharingError('CONNECTION_FAILED');
    await withLogin(details(id), async () => undefined).catch(() => {
      throw sharingError('CONNECTION_FAILED');
    });
    return String(id);
  };
  fake.does['executeSimpleQuery'] = (uri, text) => {
    if (street.isOtherCertificate) throw new Error(NOT_CONNECTED);
    return simpleExecute(details(uri), String(text));
  };
  const canReach = (): Promise<boolean> => Promise.resolve(simulator.replicas[0].door.isListening());
  const host = createMssqlHost({ ...fake.world, canReach, schedule: waitReally(street) });
  return SERVERS.map((id) => host.access({ id: `mssql:${id}`, name: id, server: `sql-${id}`, user }));
}

function listAzdata(street: Street): readonly ServerAccess[] {
  const { user } = street;
  const reach = (name: string) => ({ host: 'localhost', port: portOf(street, name.slice('sql-'.length)) });
  const options = { trustServerCertificate: 'True' };
  const [logInThere, execute] = [logInOverTds(reach), executeOverTds(reach)];
  const world = street.patienceMs === undefined ? {} : { connectPatienceMs: street.patienceMs, lookAfterMs: street.patienceMs };
  const { host, fake } = startAzdata(
    {
      saved: SERVERS.map((id) => ({ id, name: id, server: `sql-${id}`, user, options })),
      passwordOfAll: 'saved',
      logIn: (profile) => {
        if (street.isOtherCertificate)
          throw new LoginRefused('The certificate chain was issued by an authority that is not trusted.', -2146893019);
        return logInThere(withPassword(profile, street));
      },
      execute: (profile, text) => {
        if (street.isOtherCertificate) throw new Error(NOT_CONNECTED);
        return execute(withPassword(profile, street), text);
      },
    },
    world,
  );
  fake.dialog = () => {
    street.asked++;
    return null;
  };
  return SERVERS.map((id) => host.access({ id: `azdata:${id}`, name: id, server: `sql-${id}`, user }));
}

function portOf({ port, elsewhere }: Street, id: string): number {
  return elsewhere.get(id) ?? port;
}

/** What waits for another product's query waits in real time, like the query. */
const waitReally =
  ({ patienceMs = Infinity }: Street) =>
  (delayMs: number, task: () => void): { dispose(): void } => {
    const timer = setTimeout(task, Math.min(delayMs, patienceMs)).unref();
    return { dispose: () => clearTimeout(timer) };
  };

function withPassword<T extends { readonly options: Record<string, unknown> }>(profile: T, { password }: Street): T {
  return { ...profile, options: { ...profile.options, password } };
}

/** As at a restart of a server without an installed certificate. */
export async function changeCertificate({ simulator }: Street): Promise<void> {
  const { door } = simulator.replicas[0];
  await door.stop();
  await door.start(await createCertificate());
}
