/** The servers that a command works on: named on the command line, or in a file. Neither may hold a password. */
import type { Authentication, OwnServer } from '../../../src/hosts/host';
import { BadUsage } from '../kit/exit';
import { pickGroup, readRegisteredServers, type RegisteredServer } from './registered-servers';

/** What a file may say of all its servers, or of one. */
interface ServerDefaults {
  readonly authentication: Authentication;
  readonly user: string;
  readonly trustServerCertificate: boolean;
}

/** Something in the file, or on the command line, cannot be used: one sentence. */
export class BadServers extends BadUsage {}

const KNOWN = ['name', 'server', 'port', 'authentication', 'user', 'tenant', 'encrypt', 'trustServerCertificate', 'database'] as const;
const MORE = ['hostNameInCertificate', 'multiSubnetFailover', 'readOnlyIntent', 'connectTimeoutSeconds'] as const;
const FIELDS: ReadonlySet<string> = new Set([...KNOWN, ...MORE]);

/**
 * Reads a list of servers: JSON (an array of addresses, or of objects with the fields of OwnServer), registered servers of SSMS (XML), else one address a
 * line, with # before a comment. @param group of registered servers; undefined: all @throws BadServers
 */
export function readServerFile(given: string, defaults: ServerDefaults, group?: string): readonly OwnServer[] {
  const text = given.replace(/^\ufeff/, '');
  const isRegistered = /^\s*</.test(text);
  if (group !== undefined && !isRegistered) throw new BadServers('--group chooses among registered servers of SSMS, in a .regsrvr file.');
  const servers = isRegistered
    ? readRegistered(text, defaults, group)
    : /^\s*\[/.test(text)
      ? readJson(text, defaults)
      : readLines(text, defaults);
  const names = new Set<string>();
  for (const { name } of servers) {
    if (names.has(name))
      throw new BadServers(`Two servers are called ${name}. Give each a name of its own: the lake tells them apart by it.`);
    names.add(name);
  }
  if (servers.length === 0) throw new BadServers('No server is named.');
  const nameless = servers.find(({ user, authentication }) => user === '' && authentication !== 'entra');
  if (nameless !== undefined) throw new BadServers(`No login is named for ${nameless.name}. Give it by --user, or by "user" in the file.`);
  return servers;
}

/** @throws BadServers */
export function readAddresses(addresses: readonly string[], defaults: ServerDefaults): readonly OwnServer[] {
  return readServerFile(addresses.join('\n'), defaults);
}

function readLines(text: string, defaults: ServerDefaults): readonly OwnServer[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  return lines.filter((line) => line !== '').map((server) => completeServer({ server }, defaults));
}

function readRegistered(text: string, defaults: ServerDefaults, group: string | undefined): readonly OwnServer[] {
  let found: readonly RegisteredServer[];
  try {
    found = readRegisteredServers(text);
  } catch (error) {
    throw new BadServers(
      `The list of servers is no .regsrvr file that can be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (found.length === 0) throw new BadServers('The .regsrvr file holds no server of the Database Engine.');
  try {
    if (group !== undefined) found = pickGroup(found, group);
  } catch (error) {
    throw new BadServers(error instanceof Error ? error.message : String(error));
  }
  // One server may stand in several groups.
  const once = new Map(found.map(({ name, server }) => [JSON.stringify([name, server]), { name, server }]));
  return [...once.values()].map((each) => completeServer(each, defaults));
}

function readJson(text: string, defaults: ServerDefaults): readonly OwnServer[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    throw new BadServers(`The list of servers is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return (entries as readonly unknown[]).map((entry, at) => readEntry(entry, at + 1, defaults));
}

function readEntry(entry: unknown, at: number, defaults: ServerDefaults): OwnServer {
  if (typeof entry === 'string') return completeServer({ server: entry }, defaults);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new BadServers(`Entry ${at} of the list of servers is neither an address nor an object.`);
  const fields = entry as Partial<Record<keyof OwnServer, unknown>>;
  for (const field of Object.keys(fields)) {
    if (/password|pwd|secret|token/i.test(field))
      throw new BadServers(
        `Entry ${at} of the list of servers has the field ${field}. Keep secrets out of files: give them in the environment.`,
      );
    if (!FIELDS.has(field)) throw new BadServers(`Entry ${at} of the list of servers has a field that is not known: ${field}.`);
  }
  if (typeof fields.server !== 'string' || fields.server === '')
    throw new BadServers(`Entry ${at} of the list of servers has no "server".`);
  return completeServer(fields as Partial<OwnServer> & Pick<OwnServer, 'server'>, defaults);
}

function completeServer(server: Partial<OwnServer> & Pick<OwnServer, 'server'>, defaults: ServerDefaults): OwnServer {
  const name = server.name ?? server.server;
  return { id: `cli:${name}`, encrypt: 'mandatory', ...defaults, ...server, name };
}
