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
import { executeOverTds, logInOverTds } from '../../hosts/azdata-fake/azdata-fake';
import { createFakeMssql, sharingError } from '../../hosts/mssql/fake';
import { installationOf } from '../../monitor/fake-surroundings';
import { VirtualTime } from '../../monitor/virtual-time';

export const WAYS = ['our own driver', 'mssql', 'Azure Data Studio'] as const;
export type WayName = (typeof WAYS)[number];

const SERVERS = ['a', 'b', 'c', 'd', 'e'];
const POLL_MS = 5_000;

/** What stands between the ways and the server. */
export interface Street {
  readonly simulator: Simulator;
  readonly time: VirtualTime;
  readonly monitors: readonly ServerMonitor[];
  /** What was kept, of all servers, oldest first. */
  readonly kept: KeptRecord[];
  /** The login of all servers, and the password that the ways have: kept, or saved in the other product. */
  readonly user: string;
  password: string;
  /** The certificate is another one than the user trusted. */
  isOtherCertificate: boolean;
  /** Questions to the user that were asked. */
  asked: number;
  readonly options: StreetOptions;
  /** Where all servers lead that do not lead elsewhere. */
  readonly port: number;
  close(): Promise<void>;
}

export interface StreetOptions extends SimulatorOptions {
  /** How many servers: 5 unless given. */
  readonly servers?: number;
  /** Absent: the administrator. All logins have one password. */
  readonly user?: string;
  /** Nobody looks, and nothing is sampled. */
  readonly isUnwatched?: true;
  /** All lead to the listener of this availability group. */
  readonly listener?: string;
  /** Our own driver gives up a login or a query after this many real milliseconds; absent: as the product does it. */
  readonly patienceMs?: number;
  /** Ports to which our own driver goes for other servers than the modelled one, by id. */
  readonly elsewhere?: Readonly<Record<string, number>>;
}

const ways: Readonly<Record<WayName, (street: Street) => readonly ServerAccess[]>> = {
  'our own driver': listOwn,
  mssql: listMssql,
  'Azure Data Studio': listAzdata,
};

export async function openStreet(way: WayName, options: StreetOptions = {}): Promise<Street> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', databases: 2, ...options });
  const { user, password } = simulator.administrator;
  const [time, monitors]: [VirtualTime, ServerMonitor[]] = [new VirtualTime(), []];
  const street: Street = {
    ...{ simulator, time, monitors, options, kept: [], asked: 0, password, isOtherCertificate: false },
    user: options.user ?? user,
    port: simulator.listeners.find(({ name }) => name === options.listener)?.port ?? simulator.port,
    close: async () => {
      await Promise.all(monitors.map((monitor) => time.during(monitor.dispose())));
      await simulator.close();
    },
  };
  const breaker = new LoginBreaker(time.world);
  for (const access of ways[way](street).slice(0, options.servers)) monitors.push(watch(street, access, breaker));
  return street;
}

/** All servers are in one window. */
const installation = installationOf();

/** Sampled, as always, and with its dashboard open, unless nobody looks. */
function watch(
  { time, kept, options: { elsewhere = {}, isUnwatched } }: Street,
  access: ServerAccess,
  breaker: LoginBreaker,
): ServerMonitor {
  const monitor = createServerMonitor({
    // Time does not stand still for a server that may never answer.
    access: access.id in elsewhere ? access : time.watch(access),
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
  const { user, options } = street;
  return SERVERS.map((id) => {
    let trusted: string | undefined;
    const server = { id, name: id, server: 'localhost', port: options.elsewhere?.[id] ?? street.port, user } as const;
    const access = createDirectAccess({
      ...(options.patienceMs !== undefined && { connectTimeoutMs: options.patienceMs }),
      server: { ...server, encrypt: 'mandatory', trustServerCertificate: true },
      secrets: {
        get: (mayAsk) => {
          if (mayAsk) street.asked++;
          return Promise.resolve(street.password);
        },
      },
      trusted: { find: () => trusted, keep: (fingerprint) => Promise.resolve(void (trusted = fingerprint)) },
    });
    return options.patienceMs === undefined ? access : hurry(access, options.patienceMs);
  });
}

/** Every query is given up sooner than the product does it. */
function hurry(access: ServerAccess, timeoutMs: number): ServerAccess {
  const open = async (...given: Parameters<ServerAccess['open']>): Promise<Connection> => {
    const connection = await access.open(...given);
    const { capabilities } = connection;
    return { capabilities, close: () => connection.close(), query: (text, more) => connection.query(text, { ...more, timeoutMs }) };
  };
  return { ...access, open };
}

function listMssql(street: Street): readonly ServerAccess[] {
  const { simulator, user, port } = street;
  const fake = createFakeMssql('exports');
  const details = () => ({ options: { server: `localhost,${port}`, user, password: street.password, trustServerCertificate: true } });
  fake.user = SERVERS.map((id) => ({ id, server: `sql-${id}`, user, authenticationType: 'SqlLogin', savePassword: true }));
  fake.does['connect'] = async (_ours, id) => {
    if (street.isOtherCertificate) throw sharingError('CONNECTION_FAILED');
    await withLogin(details(), async () => undefined).catch(() => {
      throw sharingError('CONNECTION_FAILED');
    });
    return String(id);
  };
  fake.does['executeSimpleQuery'] = (_uri, text) => {
    if (street.isOtherCertificate) throw new Error(NOT_CONNECTED);
    return simpleExecute(details(), String(text));
  };
  const canReach = (): Promise<boolean> => Promise.resolve(simulator.replicas[0].door.isListening());
  // What waits for another product's query waits in real time, like the query.
  const schedule = (delayMs: number, task: () => void): { dispose(): void } => {
    const timer = setTimeout(task, delayMs).unref();
    return { dispose: () => clearTimeout(timer) };
  };
  const host = createMssqlHost({ ...fake.world, canReach, schedule });
  return SERVERS.map((id) => host.access({ id: `mssql:${id}`, name: id, server: `sql-${id}`, user }));
}

function listAzdata(street: Street): readonly ServerAccess[] {
  const { user, port } = street;
  const reach = () => ({ host: 'localhost', port });
  const [logInThere, execute] = [logInOverTds(reach), executeOverTds(reach)];
  const withPassword = <T extends { readonly options: Record<string, unknown> }>(profile: T): T => ({
    ...profile,
    options: { ...profile.options, password: street.password },
  });
  const { host, fake } = startAzdata({
    saved: SERVERS.map((id) => ({ id, name: id, server: `sql-${id}`, user, options: { trustServerCertificate: 'True' } })),
    passwordOfAll: 'saved',
    logIn: (profile) => {
      if (street.isOtherCertificate)
        throw new LoginRefused('The certificate chain was issued by an authority that is not trusted.', -2146893019);
      return logInThere(withPassword(profile));
    },
    execute: (profile, text) => {
      if (street.isOtherCertificate) throw new Error(NOT_CONNECTED);
      return execute(withPassword(profile), text);
    },
  });
  fake.dialog = () => {
    street.asked++;
    return null;
  };
  return SERVERS.map((id) => host.access({ id: `azdata:${id}`, name: id, server: `sql-${id}`, user }));
}

/** As at a restart of a server without an installed certificate. */
export async function changeCertificate({ simulator }: Street): Promise<void> {
  const { door } = simulator.replicas[0];
  await door.stop();
  await door.start(await createCertificate());
}
