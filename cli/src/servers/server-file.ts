/** The servers that a command works on: named on the command line, or in a file. Neither may hold a password. */
import { type Authentication, type OwnServer, takesPassword } from '../../../src/hosts/host';
import { explainAddress, holdsMore, isWindowsLogin, readHost } from '../../../src/gate/address';
import {
  isConnectionString,
  mayHoldPassword,
  readConnectionString,
} from '../../../src/gate/connection-string';
import { trustsAny } from '../../../src/gate/connection-rules';
import { isObject } from '../../../src/core/schema';
import { type Bounds, explainWhole, MOST_CONNECT_SECONDS } from '../../../src/core/bounds';
import { describeError } from '../../../src/monitor/queries/failure';
import { BadUsage } from '../kit/exit';
import { describeGroups, pickGroup, readRegisteredServers } from './registered-servers';
import type { RegisteredServer } from './registered-servers';

/** What a file may say of all its servers, or of one. */
export interface ServerDefaults {
  readonly authentication: Authentication;
  readonly user: string;
  readonly trustServerCertificate: boolean;
  /** Named on the command line alone, as `readHost` writes them: lists come from others. */
  readonly tokenHosts?: readonly string[];
  /** Is told in one sentence what of a list is not used. */
  readonly tell?: (sentence: string) => void;
}

/** Something in the file, or on the command line, cannot be used: one sentence. */
export class BadServers extends BadUsage {}

/** How to log in, as a list and the command line say it. The first if nothing is said. */
export const AUTHENTICATIONS: readonly Authentication[] = ['sql', 'windows', 'integrated', 'entra'];

/** What a field of an entry may hold: values of a type, whole numbers within bounds, or one of these words. */
const FIELDS = new Map<string, 'string' | 'boolean' | Bounds | readonly string[]>(
  Object.entries({
    name: 'string',
    server: 'string',
    port: { least: 1, most: 65_535 },
    user: 'string',
    tenant: 'string',
    database: 'string',
    authentication: AUTHENTICATIONS,
    serverSpn: 'string',
    encrypt: ['mandatory', 'strict'],
    trustServerCertificate: 'boolean',
    hostNameInCertificate: 'string',
    multiSubnetFailover: 'boolean',
    readOnlyIntent: 'boolean',
    connectTimeoutSeconds: { least: 1, most: MOST_CONNECT_SECONDS },
  }),
);

/** In a name or a login, which may hold anything else. */
const PASSWORD =
  /(password|passwort|passwd|passphrase|pwd|\bpass|secret|token|accesskey)["']?\s*[=:]|[^\s:]:[^\s@]+@\S|:\/\/[^/]*@|\s-U\s+\S+\s+-P/i;
/** In free text: of a connection string, or of a URL. */
const PASSWORD_IN_TEXT = /(password|pwd)\s*=|:\/\/[^\s/:]*:[^\s/]*@/i;

const NO_SECRET =
  'It may contain a password. Keep secrets out of files and arguments: pass them in environment variables.';
const inList = (what: string, at: number): string => `${what} ${at + 1} of the list of servers`;
/** Other programs take a login and its password as one word: ann/PASSWORD, ann:PASSWORD, ann%PASSWORD. */
const LOGIN_AND_MORE = /[/:%]/;

/** Refuses what may be neither said nor stored; an address, where it is read. @throws BadServers without the value */
export function refuseSecret(option: string, value: unknown): void {
  if (Array.isArray(value)) for (const each of value) refuseSecret(option, each);
  // Databases may have any name.
  if (typeof value !== 'string' || ['--server', '--cms', '--database', '--databases'].includes(option))
    return;
  // The colon behind the letter of a drive parts no login from a password.
  if ((option === '--reason' ? PASSWORD_IN_TEXT : PASSWORD).test(value.replace(/^[a-z]:[\\/]/i, '')))
    throw new BadServers(`${option}: ${NO_SECRET}`);
  if (option === '--user' && LOGIN_AND_MORE.test(value))
    throw new BadServers(
      `--user: ${NO_SECRET} If the login itself contains /, : or %, give it in a connection string, as User ID.`,
    );
}

/**
 * Reads a list of servers: JSON (an array of addresses, connection strings, or objects with the fields of OwnServer),
 * registered servers of SSMS (XML), else one address or connection string a line, with # before a comment.
 * @param group of registered servers; undefined: all @throws BadServers
 */
export function readServerFile(
  given: string,
  defaults: ServerDefaults,
  group?: string,
): readonly OwnServer[] {
  const text = given.replace(/^\ufeff/, '');
  if (/^\s*</.test(text)) return takeRegistered(readRegistered(text), defaults, group);
  refuseGroup(group);
  if (/^\s*\{/.test(text))
    throw new BadServers('The list of servers is a single JSON object. Write an array of servers: [ ... ].');
  return check(/^\s*\[/.test(text) ? readJson(text, defaults) : readLines(text, defaults));
}

/** @throws BadServers */
function check(servers: readonly OwnServer[]): readonly OwnServer[] {
  const names = new Set<string>();
  for (const { name } of servers) {
    const twice = `Two servers are called ${name}. Give each a name of its own: the lake tells them apart by it.`;
    if (names.has(name)) throw new BadServers(twice);
    names.add(name);
  }
  if (servers.length === 0) throw new BadServers('No server given.');
  const nameless = servers.find((server) => server.user === '' && takesPassword(server));
  if (nameless !== undefined)
    throw new BadServers(
      `No login for ${nameless.name}. Give one with --user, or as "user" in the file; --windows logs in as yourself.`,
    );
  const homeless = servers.find(
    ({ user, authentication }) => authentication === 'windows' && !isWindowsLogin(user),
  );
  if (homeless !== undefined)
    throw new BadServers(`The Windows login for ${homeless.name} has no domain. Write it as DOMAIN\\user.`);
  const trusting = servers.find((server) => server.authentication === 'entra' && trustsAny(server));
  if (trusting !== undefined)
    throw new BadServers(
      `${trusting.name} is to log in with Microsoft Entra and to accept any certificate. A token goes only to a server whose certificate is checked: leave out trust-server-certificate.`,
    );
  return servers;
}

/** @param group is for registered servers alone @throws BadServers */
export function readAddresses(
  addresses: readonly string[],
  defaults: ServerDefaults,
  group?: string,
): readonly OwnServer[] {
  refuseGroup(group);
  const place = (at: number): string => `Address ${at + 1} of the command line`;
  return check(addresses.map((server, at) => readPlain(server.trim(), place(at), defaults)));
}

function refuseGroup(group: string | undefined): void {
  if (group !== undefined)
    throw new BadServers('--group chooses among registered servers: those of a .regsrvr file, or of --cms.');
}

function readLines(text: string, defaults: ServerDefaults): readonly OwnServer[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  return lines.flatMap((server, at) =>
    server === '' ? [] : readPlain(server, inList('Line', at), defaults),
  );
}

function readRegistered(text: string): readonly RegisteredServer[] {
  try {
    return readRegisteredServers(text);
  } catch (error) {
    throw new BadServers(`The list of servers is not a readable .regsrvr file: ${describeError(error)}`);
  }
}

/** Registered servers, all or those of a group, with one login. @throws BadServers */
export function takeRegistered(
  found: readonly RegisteredServer[],
  defaults: ServerDefaults,
  group: string | undefined,
): readonly OwnServer[] {
  if (found.length === 0) throw new BadServers('No server of the Database Engine is registered there.');
  const picked = group === undefined ? found : pickGroup(found, group);
  if (picked.length === 0) throw new BadServers(describeGroups(found, group ?? ''));
  // One server may stand in several groups.
  const once = new Map(picked.map(({ name, server }) => [JSON.stringify([name, server]), { name, server }]));
  // One of many that is reached in another way than by TCP fails alone.
  return check([...once.values()].map((each, at) => completeServer(each, inList('Server', at), defaults)));
}

function readJson(text: string, defaults: ServerDefaults): readonly OwnServer[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    // The rest of the message repeats the text, which may hold a secret by mistake.
    const place =
      / at position \d+( \(line \d+ column \d+\))?/.exec(describeError(error))?.[0] ?? ' somewhere';
    throw new BadServers(`The list of servers is not valid JSON: it is wrong${place}.`);
  }
  return (entries as readonly unknown[]).map((entry, at) => readEntry(entry, inList('Entry', at), defaults));
}

function readEntry(entry: unknown, place: string, defaults: ServerDefaults): OwnServer {
  if (typeof entry === 'string') return readPlain(entry, place, defaults);
  if (!isObject(entry)) throw new BadServers(`${place} is neither an address nor an object.`);
  const fields: Partial<Record<keyof OwnServer, unknown>> = entry;
  for (const field of Object.keys(fields)) {
    // A wrong shape may have a secret in the place of a field's name.
    const shown = /^\w{1,40}$/.test(field) ? ` ${field}` : '';
    if (/password|pwd|secret|token/i.test(field))
      throw new BadServers(
        `${place} has a field for a secret${shown === '' ? '' : `,${shown}`}. Keep secrets out of files: give them in the environment.`,
      );
    const wanted = FIELDS.get(field);
    if (wanted === undefined)
      throw new BadServers(`${place} has an unknown field${shown === '' ? '' : `:${shown}`}.`);
    const complaint = explainValue(fields[field as keyof OwnServer], wanted);
    if (complaint !== null) throw new BadServers(`${place}, ${field}: ${complaint}`);
  }
  if (typeof fields.server !== 'string' || fields.server === '')
    throw new BadServers(`${place} has no "server".`);
  return checkEntry(fields as Given, place, defaults);
}

/** Why a field may not hold this, as one sentence; null if it may. */
function explainValue(value: unknown, wanted: NonNullable<ReturnType<typeof FIELDS.get>>): string | null {
  if (typeof wanted === 'object' && 'least' in wanted) return explainWhole(value, wanted);
  if (typeof wanted === 'string')
    return typeof value === wanted ? null : wanted === 'boolean' ? 'Give true or false.' : 'Give a text.';
  return wanted.includes(value as string) ? null : `Give ${wanted.join(' or ')}.`;
}

/** An address, or a connection string as in Add Server without a password; the rest is as given. @throws BadServers */
function readPlain(text: string, place: string, defaults: ServerDefaults): OwnServer {
  if (!isConnectionString(text)) return checkEntry({ server: text }, place, defaults);
  if (mayHoldPassword(text)) throw new BadServers(`${place}: ${NO_SECRET}`);
  try {
    const { answers, answered, notices } = readConnectionString(text);
    for (const notice of notices) defaults.tell?.(`${place}: ${notice}`);
    const { password, ...said } = answers;
    if (password !== undefined) throw new BadServers(`${place}: ${NO_SECRET}`);
    const saysHow = answered.has('authentication') || said.user !== undefined;
    const authentication = (saysHow ? said.authentication : undefined) ?? defaults.authentication;
    return checkEntry({ ...said, authentication }, place, defaults);
  } catch (error) {
    // The reader repeats no value.
    throw error instanceof BadServers ? error : new BadServers(`${place}: ${describeError(error)}`);
  }
}

type Given = Partial<OwnServer> & Pick<OwnServer, 'server'>;

/** @throws BadServers, which repeats nothing of what is no address: a part of it may be a password */
function checkEntry(given: Given, place: string, defaults: ServerDefaults): OwnServer {
  const complaint = explainAddress(given.server, given.port);
  if (complaint !== null) throw new BadServers(`${place}: ${complaint}`);
  return completeServer(given, place, defaults);
}

/** @throws BadServers, for what no server can have of those that others registered */
function completeServer(server: Given, place: string, defaults: ServerDefaults): OwnServer {
  const name = server.name ?? server.server;
  if (holdsMore(server.server)) throw new BadServers(`${place} has an address that is not valid.`);
  if (name.trim() === '') throw new BadServers(`${place} has an empty name.`);
  if (Object.values(server).some((each) => typeof each === 'string' && PASSWORD.test(each)))
    throw new BadServers(`${place}: ${NO_SECRET}`);
  const { user, authentication, trustServerCertificate, tokenHosts } = defaults;
  const tokenHost = tokenHosts?.find((host) => host === readHost(server.server));
  const login = { encrypt: 'mandatory', user, authentication, trustServerCertificate } as const;
  const trusted = tokenHost !== undefined && { tokenHost };
  const whole = { id: `cli:${name}`, ...login, ...server, name, ...trusted };
  return whole.authentication === 'integrated' ? { ...whole, user: '' } : whole;
}
