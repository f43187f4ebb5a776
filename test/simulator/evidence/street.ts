/**
 * Servers and one account, by our own driver; all lead to one modelled server, whose ledger counts the logins, unless
 * one is sent elsewhere.
 */
import { createCertificate } from '../../../simulator/tds/certificate';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator/index';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { ServerAccess } from '../../../src/hosts/host';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { installationOf, through } from '../../monitor/fake-surroundings';
import { VirtualTime } from '../../monitor/virtual-time';
import { watchThrough } from '../product/watched-server';

const SERVERS = ['a', 'b', 'c', 'd', 'e'];
const POLL_MS = 5_000;

/** What stands between the windows and the server. */
export interface Street {
  readonly simulator: Simulator;
  readonly time: VirtualTime;
  readonly monitors: readonly ServerMonitor[];
  /** What was kept, of all servers, oldest first. */
  readonly kept: KeptRecord[];
  /** The login of all servers, and the password that is kept for it. */
  readonly user: string;
  password: string;
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

export async function openStreet(options: StreetOptions = {}): Promise<Street> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', databases: 2, ...options });
  const { user, password } = simulator.administrator;
  const [time, monitors]: [VirtualTime, ServerMonitor[]] = [new VirtualTime(), []];
  const street: Street = {
    simulator,
    time,
    monitors,
    options,
    kept: [],
    asked: 0,
    password,
    user: options.user ?? user,
    port: simulator.listeners.find(({ name }) => name === options.listener)?.port ?? simulator.port,
    close: async () => {
      await Promise.all(monitors.map((monitor) => time.during(monitor.dispose())));
      await simulator.close();
    },
  };
  const breaker = new LoginBreaker(time.world);
  for (const access of listServers(street).slice(0, options.servers))
    monitors.push(watch(street, access, breaker));
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
  // Time does not stand still for a server that may never answer.
  const monitor = watchThrough(access.id in elsewhere ? access : time.watch(access), false, {
    breaker,
    installation,
    schedule: time.schedule,
    newCaptureId: () => `capture-${access.id}`,
    captures: {
      keep: (record) => Promise.resolve(void kept.push(record)),
      recover: () => Promise.resolve(null),
    },
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
function listServers(street: Street): readonly ServerAccess[] {
  const { user, options } = street;
  return SERVERS.map((id) => {
    let trusted: string | undefined;
    const server = {
      id,
      name: id,
      server: 'localhost',
      port: options.elsewhere?.[id] ?? street.port,
      user,
    } as const;
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
    const { patienceMs: timeoutMs } = options;
    // Every query is given up sooner than the product does it.
    return timeoutMs === undefined
      ? access
      : through(access, (connection, text, more) => connection.query(text, { ...more, timeoutMs }));
  });
}

/** As at a restart of a server without an installed certificate. */
export async function changeCertificate({ simulator }: Street): Promise<void> {
  const { door } = simulator.replicas[0];
  await door.stop();
  await door.start(await createCertificate());
}
