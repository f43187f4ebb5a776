/** The servers that a command works on, and how each is reached. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readHost } from '../../../src/gate/address';
import { type Gate, passGate } from '../../../src/gate/gate';
import type { Authentication, OwnServer, ServerAccess } from '../../../src/hosts/host';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { thisComputer } from '../../../src/monitor/queries/slices';
import type { MonitorSurroundings } from '../../../src/monitor/queries/surroundings';
import type { Output } from '../kit/output';
import { findTerminal } from '../kit/terminal';
import { Credentials, describeWays } from './credentials';
import { readCentralServers } from './central-servers';
import {
  BadServers,
  readAddresses,
  readServerFile,
  type ServerDefaults,
  takeRegistered,
} from './server-file';

/** What every command takes that works on servers. */
export interface ServerOptions {
  readonly server?: readonly string[];
  readonly servers?: string;
  readonly cms?: string;
  /** Of registered servers. */
  readonly group?: string;
  readonly user: string;
  readonly authentication: Authentication;
  /** Log in as the account that runs this program, whatever `authentication` is by default. */
  readonly windows?: boolean;
  readonly trustServerCertificate: boolean;
  /** Hosts that are not Azure's and may get tokens. */
  readonly tokenHost?: readonly string[];
}

/** A server by its name in the lake, with what a monitor of it is given of the world. */
export interface ReachedServer {
  readonly name: string;
  /** Without a secret. */
  readonly server: OwnServer;
  readonly access: ServerAccess;
  readonly world: Pick<MonitorSurroundings, 'schedule' | 'elapsedMs' | 'log' | 'newCaptureId' | 'breaker'> & {
    /** A mark of the token that logs in; null: a password does. Absent: no token. */
    readonly markSecret?: () => Promise<string | null>;
  };
}

const PLACE = 'the command line or the list of servers';

/** The settings of an editor bind no program beside it. */
const GATE: Gate = {
  rules: () => ({
    allowTrustServerCertificate: true,
    allowStoredPasswords: false,
    allowNtlm: true,
    allowIntegrated: true,
    allowedHosts: [],
  }),
  howToName: 'If it is your own SQL Server 2022 or later, name it with --token-host.',
};

/** @throws BadServers, and of a central management server ConnectionError, Error with one sentence */
export async function reachServers(
  options: ServerOptions,
  output: Output,
): Promise<readonly ReachedServer[]> {
  const credentials = new Credentials(process.env, findTerminal()?.askHidden ?? null);
  const shared = new LoginBreaker(thisComputer);
  const reach = (server: OwnServer): ReachedServer => ({
    name: server.name,
    server,
    access: passGate({ server, secrets: credentials.secretsOf(server), place: PLACE }, GATE),
    world: {
      // A SQL login is each server's own, so a refusal by one says nothing of the others. Accounts of a domain can be
      // locked by trying on.
      breaker: (server.authentication ?? 'sql') === 'sql' ? new LoginBreaker(thisComputer) : shared,
      ...thisComputer,
      newCaptureId: randomUUID,
      markSecret: () => credentials.markSecret(server),
      log: {
        sql: (title, text) => output.event('info', title, { server: server.name, sql: text }),
        warn: (message) => output.event('warning', message, { server: server.name }),
      },
    },
  });
  const listed = await listServers(options, (sentence) => output.event('info', sentence));
  const ways = describeWays(listed);
  if (ways !== null) output.event('info', ways);
  const servers =
    options.cms === undefined ? listed : await listCentral(reach(listed[0] as OwnServer), options);
  return servers.map(reach);
}

/** The servers as they are named; of a central management server, that one. */
async function listServers(
  options: ServerOptions,
  tell: (sentence: string) => void,
): Promise<readonly OwnServer[]> {
  const { server, servers, cms, group } = options;
  if ([server, servers, cms].filter((each) => each !== undefined).length > 1)
    throw new BadServers('Give one of --server, --servers and --cms.');
  const defaults = { ...defaultsOf(options), tell };
  if (cms !== undefined) return readAddresses([cms], defaults);
  if (servers === undefined) return readAddresses(server ?? [], defaults, group);
  const bytes = await readFile(servers).catch(({ code }: NodeJS.ErrnoException) => {
    // Its name is not repeated: a connection string may stand there by mistake.
    throw new BadServers(`The list of servers cannot be read (${code ?? 'unknown'}).`);
  });
  return readServerFile(decodeText(bytes), defaults, group);
}

async function listCentral(
  { access, world }: ReachedServer,
  options: ServerOptions,
): Promise<readonly OwnServer[]> {
  return takeRegistered(await readCentralServers(access, world.breaker), defaultsOf(options), options.group);
}

/** One by one: a command has options of its own, which are nothing of a server. */
function defaultsOf({
  user,
  authentication: named,
  windows = false,
  trustServerCertificate,
  tokenHost = [],
}: ServerOptions): ServerDefaults {
  const authentication = windows ? 'integrated' : named;
  return { user, authentication, trustServerCertificate, tokenHosts: tokenHost.map(readHost) };
}

/** UTF-8, or UTF-16 as Windows writes it. */
function decodeText(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
}
