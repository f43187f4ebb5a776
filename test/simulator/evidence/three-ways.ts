/** Five servers and one account, by each of the three ways; all lead to one modelled server, whose ledger counts the logins. */
import { createCertificate } from '../../../simulator/tds/certificate';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { ServerAccess } from '../../../src/hosts/host';
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
  close(): Promise<void>;
}

type Ways = Readonly<Record<WayName, (street: Street) => readonly ServerAccess[]>>;

const ways: Ways = { 'our own driver': listOwn, mssql: listMssql, 'Azure Data Studio': listAzdata };

export async function openStreet(way: WayName): Promise<Street> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', databases: 2 });
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
    close: async () => {
      await Promise.all(monitors.map((monitor) => time.during(monitor.dispose())));
      await simulator.close();
    },
  };
  for (const access of ways[way](street)) monitors.push(watch(street, access));
  return street;
}

/** All servers are in one window. */
const installation = installationOf();

/** Sampled, as always, and with its dashboard open. */
function watch({ time, breaker }: Street, access: ServerAccess): ServerMonitor {
  const monitor = createServerMonitor({
    access: time.watch(access),
    breaker,
    schedule: time.schedule,
    installation,
    newCaptureId: () => `capture-${access.id}`,
    log: { sql: () => undefined, warn: () => undefined },
    captures: { keep: () => Promise.resolve(), recover: () => Promise.resolve(null) },
    pollIntervalMs: POLL_MS,
    refreshIntervalMs: 60_000,
    sampling: { instanceMs: 15_000, databasesMs: 60_000 },
    elapsedMs: time.world.elapsedMs,
  });
  const look = (): void => {
    monitor.askForEvidence();
    time.schedule(POLL_MS, look);
  };
  time.schedule(POLL_MS, look);
  return monitor;
}

/** The certificate that the user trusted at first stays the one that is kept. */
function listOwn(street: Street): readonly ServerAccess[] {
  const { port, administrator } = street.simulator;
  return SERVERS.map((id) => {
    let trusted: string | undefined;
    const server = { id, name: id, server: 'localhost', port, user: administrator.user } as const;
    return createDirectAccess({
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
  const { user } = simulator.administrator;
  const fake = createFakeMssql('exports');
  const details = () => ({
    options: { server: `localhost,${simulator.port}`, user, password: street.password, trustServerCertificate: true },
  });
  fake.user = SERVERS.map((id) => ({ id, server: `sql-${id}`, user, authenticationType: 'SqlLogin', savePassword: true }));
  fake.does['connect'] = async () => {
    if (street.isOtherCertificate) throw sharingError('CONNECTION_FAILED');
    await withLogin(details(), async () => undefined).catch(() => {
      throw sharingError('CONNECTION_FAILED');
    });
    return 'uri';
  };
  fake.does['executeSimpleQuery'] = (_uri, text) => {
    if (street.isOtherCertificate) throw new Error(NOT_CONNECTED);
    return simpleExecute(details(), String(text));
  };
  const canReach = (): Promise<boolean> => Promise.resolve(simulator.replicas[0].door.isListening());
  const host = createMssqlHost({ ...fake.world, canReach });
  return SERVERS.map((id) => host.access({ id: `mssql:${id}`, name: id, server: `sql-${id}`, user }));
}

function listAzdata(street: Street): readonly ServerAccess[] {
  const { simulator } = street;
  const { user } = simulator.administrator;
  const reach = () => ({ host: 'localhost', port: simulator.port });
  const options = { trustServerCertificate: 'True' };
  const [logInThere, execute] = [logInOverTds(reach), executeOverTds(reach)];
  const { host, fake } = startAzdata({
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
  });
  fake.dialog = () => {
    street.asked++;
    return null;
  };
  return SERVERS.map((id) => host.access({ id: `azdata:${id}`, name: id, server: `sql-${id}`, user }));
}

function withPassword<T extends { readonly options: Record<string, unknown> }>(profile: T, { password }: Street): T {
  return { ...profile, options: { ...profile.options, password } };
}

/** As at a restart of a server without an installed certificate. */
export async function changeCertificate({ simulator }: Street): Promise<void> {
  const { door } = simulator.replicas[0];
  await door.stop();
  await door.start(await createCertificate());
}
