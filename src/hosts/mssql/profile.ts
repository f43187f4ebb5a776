/** Turns profiles and tree nodes of mssql into HostServers. Copies four things of a profile, never a password. */
import type { HostServer, PointedAt } from '../host';
import { read, readText } from './foreign';
import { t } from '../../core/language';

const ID_PREFIX = 'mssql:';
/**
 * The suggestion of `mssql.connections` for a new entry (package.json, v1.34.1 to v1.45). mssql leaves such an entry
 * out too.
 */
const SAMPLE_SERVER = '{{put-server-name-here}}';
const DEFAULT_PORT = 1433;
/** Deeper than any tree of mssql. Ends the search if parents form a circle. */
const MAX_DEPTH = 32;
/** Types of a node that is a saved connection (connectionNode.ts). The second one is not connected at the moment. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set(['Server', 'disconnectedServer']);

/** mssql's own id of a connection, taken from ours. */
export function readConnectionId(server: Pick<HostServer, 'id'>): string {
  return server.id.slice(ID_PREFIX.length);
}

/**
 * A profile from the settings or from a node. null if mssql could not connect with it, because it has no id or no
 * server.
 */
export function readMssqlProfile(profile: unknown): HostServer | null {
  const id = readText(profile, 'id');
  const server = readAddress(profile);
  if (id === null || server === null) return null;
  const user = readUser(profile);
  const found = { id: ID_PREFIX + id, name: readText(profile, 'profileName') ?? server, server, user };
  const { kind, who } = readLogin(profile);
  return kind === 'SqlLogin'
    ? found
    : { ...found, login: kind === 'Integrated' ? t('Windows login') : who || kind };
}

function readAddress(profile: unknown): string | null {
  const server = readText(profile, 'server');
  if (server === SAMPLE_SERVER) return null;
  // If there is a connection string, mssql connects to the address in it (docs/facts.md, Hosts).
  if (server === null || readText(profile, 'connectionString') !== null)
    return readFromConnectionString(profile, ['data source', 'server', 'address', 'addr', 'network address']);
  const port = read(profile, 'port');
  const isOther = typeof port === 'number' && Number.isInteger(port) && port > 0 && port !== DEFAULT_PORT;
  return isOther && !/[,\\]/.test(server) ? `${server},${port}` : server;
}

/* Without an authenticationType it is a SQL login, the default of the setting. */
function readUser(profile: unknown): string | null {
  const type = readText(profile, 'authenticationType');
  if (type !== null && type !== 'SqlLogin') return null;
  return readFromConnectionString(profile, ['user id', 'uid', 'user']) ?? readText(profile, 'user');
}

/** One value of a profile that is a connection string, the last as in SqlClient; reads nothing else of it. */
function readFromConnectionString(profile: unknown, names: readonly string[]): string | null {
  const written = readText(profile, 'connectionString') ?? '';
  const pairs = [...written.matchAll(/(?:^|;)([^=;]*)=\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|[^;]*)/g)].reverse();
  const found = pairs.find(([, name = '']) => names.includes(name.trim().toLowerCase()));
  const value = found?.[2]?.trim().replace(/^(["'])(.*)\1$/, '$2') ?? '';
  return value === '' ? null : value;
}

/** How a profile logs in. */
export interface ProfileLogin {
  /** `SqlLogin`, `Integrated`, `AzureMFA`, ... */
  readonly kind: string;
  /** Empty if not known. */
  readonly who: string;
  /** mssql may ask the user when it connects, for a password that is not saved or to sign in. */
  readonly mayPrompt: boolean;
  /** mssql is to have saved the password. On another machine, or after an import, it has not. */
  readonly isKept: boolean;
}

/** What we know of a profile's login. Of its password we read only whether mssql says that it is saved. */
export function readLogin(profile: unknown): ProfileLogin {
  const kind = readText(profile, 'authenticationType') ?? 'SqlLogin';
  const who = readUser(profile) ?? readText(profile, 'email') ?? readText(profile, 'accountId') ?? '';
  const isKept = read(profile, 'savePassword') === true || read(profile, 'emptyPasswordInput') === true;
  return { kind, who, mayPrompt: kind === 'SqlLogin' ? !isKept : kind !== 'Integrated', isKept };
}

/** What the user opened a menu on, with the server's own node, which mssql needs to open queries. */
interface PointedAtNode extends PointedAt {
  readonly serverNode: unknown;
}

/**
 * Reads a node of mssql's tree: a server, connected or not, a database, or anything below one. The profile is the
 * server's, even below a database. The database is in `metadata`, as for mssql (objectExplorerUtils.ts,
 * getDatabaseName).
 * @returns null if the node belongs to no connection: groups, errors, "Add Connection", nothing at all
 */
export function readNode(node: unknown): PointedAtNode | null {
  let databaseName: string | null = null;
  let server: HostServer | null = null;
  let serverNode = node;
  for (const each of listAncestors(node)) {
    const profile = readMssqlProfile(read(each, 'connectionProfile'));
    if (profile === null || (server !== null && profile.id !== server.id)) break;
    server ??= profile;
    serverNode = each;
    if (SERVER_TYPES.has(read(each, 'nodeType'))) break;
    const metadata = read(each, 'metadata');
    if (read(metadata, 'metadataTypeName') === 'Database') databaseName ??= readText(metadata, 'name');
  }
  return server === null ? null : { server, databaseName, serverNode };
}

/** The node, its parent, and so on. */
function listAncestors(node: unknown): readonly unknown[] {
  const found: unknown[] = [];
  let next = node;
  while (typeof next === 'object' && next !== null && found.length < MAX_DEPTH && !found.includes(next)) {
    found.push(next);
    next = read(next, 'parentNode');
  }
  return found;
}
