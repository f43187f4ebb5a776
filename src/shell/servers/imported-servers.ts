/**
 * Reads the connections of the SQL Server extension (mssql), as its settings have them, as answers to Add Server.
 * Settings may hold anything. A password in them is not read (package.json of vscode-mssql: `mssql.connections`,
 * `mssql.connectionGroups`).
 */
import { t } from '../../core/language';
import { isObject } from '../../core/schema';
import { makeVisible } from '../../core/visible';
import { explainForbidden } from '../../gate/connection-rules';
import { readConnectionString } from '../../gate/connection-string';
import { takesPassword } from '../../hosts/host';
import { findTwin, type SavedServer } from './saved-server';
import { describeAnswers, newAnswers, type ServerAnswers } from './server-answers';
import { fitsLogin, type FormRules } from './server-questions';

/** Both settings as they are written. */
export interface WrittenConnections {
  readonly connections: readonly unknown[];
  readonly groups: readonly unknown[];
}

export interface ImportedServer {
  /** The id under which the pane has this connection, and its captures are kept; null if the connection has none. */
  readonly id: string | null;
  /** Without a password. */
  readonly answers: ServerAnswers;
  /** The name of its group; empty if it is in none. */
  readonly group: string;
  /** Why it cannot be used as it is, as one sentence; null if it can. */
  readonly obstacle: string | null;
  /** What will be different with us, as one sentence; null if nothing is. */
  readonly note: string | null;
}

export interface Imported {
  /** Those that are not in our list. */
  readonly servers: readonly ImportedServer[];
  /** Names of those that are in it. */
  readonly known: readonly string[];
  /** How many entries are no connections. */
  readonly damaged: number;
}

/** Longer texts are no names and no addresses. */
const MOST_CHARACTERS = 256;
const MOST_IN_CONNECTION_STRING = 4_096;
/** What `mssql.connections` suggests for a new entry: `{{put-server-name-here}}`. */
const SUGGESTED = /^\{\{put-[\w-]+-here\}\}$/;

/** @param saved the servers that the user added */
export function readImported(
  { connections, groups }: WrittenConnections,
  rules: FormRules,
  saved: readonly SavedServer[],
): Imported {
  const groupNames = readGroupNames(groups);
  const [servers, known] = [[] as ImportedServer[], [] as string[]];
  const taken: SavedServer[] = [...saved];
  const ids = new Set<string | null>();
  let damaged = 0;
  for (const entry of connections) {
    const server = field(entry, 'server');
    if (typeof server === 'string' && SUGGESTED.test(server)) continue;
    const given = readEntry(entry, groupNames, rules);
    if (given === null) {
      damaged++;
      continue;
    }
    // The pane has the first entry by this id, as mssql does; a copy of it may lead elsewhere.
    const found = ids.has(given.id) ? { ...given, id: null } : given;
    ids.add(given.id);
    const described = describeAnswers(found.answers, found.id ?? '');
    const twin = taken.find(({ id }) => found.id !== null && id === found.id) ?? findTwin(taken, described);
    if (twin === undefined) servers.push(found);
    else if (saved.includes(twin)) known.push(found.answers.name);
    taken.push(described);
  }
  return { servers, known, damaged };
}

/** What the settings have of the connection with this id of ours; undefined if nothing. */
export function findImported(
  { connections }: WrittenConnections,
  rules: FormRules,
  serverId: string,
): ServerAnswers | undefined {
  const entries = connections.map((entry) => readEntry(entry, new Map(), rules));
  return entries.find((entry) => entry?.id === serverId)?.answers;
}

/** null if it names no server. */
function readEntry(
  entry: unknown,
  groupNames: ReadonlyMap<string, string>,
  rules: FormRules,
): ImportedServer | null {
  const fields = readFields(entry);
  if (fields === null) return null;
  const { isOptional, ownLogin, ...given } = fields;
  const name = text(entry, 'profileName') ?? given.server;
  const answers: ServerAnswers = {
    ...newAnswers,
    ...given,
    name,
    trustServerCertificate: given.trustServerCertificate === true && rules.rules.allowTrustServerCertificate,
    password: undefined,
  };
  const id = text(entry, 'id');
  return {
    id: id === null ? null : `mssql:${id}`,
    answers,
    group: groupNames.get(text(entry, 'groupId') ?? '') ?? '',
    obstacle: ownLogin ?? findObstacle(answers, rules),
    note: describeChange(answers, isOptional),
  };
}

function findObstacle(answers: ServerAnswers, { checkAddress, rules }: FormRules): string | null {
  const complaint = checkAddress(answers.server) ?? explainForbidden(describeAnswers(answers, ''), rules);
  if (complaint !== null || !takesPassword(answers)) return complaint;
  return fitsLogin(answers.authentication, answers.user)
    ? null
    : t('It names no login. If you tick it, you are asked for one.');
}

function describeChange({ authentication }: ServerAnswers, isOptional: boolean): string | null {
  if (authentication === 'entra') return t("The editor's own Microsoft account signs in.");
  return isOptional ? t('Its connection becomes encrypted.') : null;
}

type Fields = Pick<ServerAnswers, 'server'> &
  Partial<ServerAnswers> & {
    readonly isOptional: boolean;
    /** Why its login cannot be used here, as one sentence; null if it can. */
    readonly ownLogin: string | null;
  };

/**
 * In a profile with a connection string, that has the server and the login; the other keys of the profile come before
 * what it says, as for mssql (docs/facts.md, Hosts).
 */
function readFields(entry: unknown): Fields | null {
  const written = field(entry, 'connectionString');
  const isString = typeof written === 'string' && written.trim() !== '';
  const fields = isString ? readFromString(written) : readServer(entry);
  if (fields === null) return null;
  const [encrypt, trust] = [field(entry, 'encrypt'), field(entry, 'trustServerCertificate')];
  const kind =
    typeof encrypt === 'string' || typeof encrypt === 'boolean' ? String(encrypt).toLowerCase() : '';
  const database = text(entry, 'database');
  const hostName = text(entry, 'hostNameInCertificate');
  const subnets = field(entry, 'multiSubnetFailover');
  const intent = text(entry, 'applicationIntent');
  return {
    ...fields,
    ...(kind !== '' && {
      encrypt: kind === 'strict' ? 'strict' : 'mandatory',
      isOptional: /^(optional|false|no)$/.test(kind),
    }),
    ...(typeof trust === 'boolean' && { trustServerCertificate: trust }),
    ...(database !== null && { database }),
    ...(hostName !== null && { hostNameInCertificate: hostName }),
    ...(typeof subnets === 'boolean' && { multiSubnetFailover: subnets }),
    ...(intent !== null && { readOnlyIntent: intent.toLowerCase() === 'readonly' }),
  };
}

function readServer(entry: unknown): Fields | null {
  const server = readAddress(entry);
  return server === null ? null : { server, ...readLogin(entry), isOptional: false };
}

/** By the reader of Add Server, without what it read of a password. */
function readFromString(written: string): Fields | null {
  if (written.length > MOST_IN_CONNECTION_STRING) return null;
  try {
    const { password: _, ...answers } = readConnectionString(written).answers;
    const isOptional = /encrypt\s*=\s*(optional|false|no|0)\b/i.test(written);
    return { ...answers, isOptional, ownLogin: null };
  } catch {
    return null;
  }
}

function readAddress(entry: unknown): string | null {
  const server = text(entry, 'server');
  if (server === null || makeVisible(server) !== server) return null;
  const port = field(entry, 'port');
  const isPort =
    typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 && port !== 1433;
  return isPort && !/[,\\]/.test(server) ? `${server},${port}` : server;
}

function readLogin(entry: unknown): Pick<Fields, 'authentication' | 'user' | 'tenant' | 'ownLogin'> {
  const kind = text(entry, 'authenticationType') ?? 'SqlLogin';
  const user = text(entry, 'user') ?? '';
  if (/^sqllogin$/i.test(kind)) return { authentication: 'sql', user, ownLogin: null };
  if (/^integrated$/i.test(kind)) return { authentication: 'integrated', user: '', ownLogin: null };
  if (/^(azuremfa\w*|activedirectory(interactive|default|devicecodeflow|integrated))$/i.test(kind)) {
    const account = [text(entry, 'email') ?? '', user].find((each) => /^[^@\s]+@[^@\s]+$/.test(each)) ?? '';
    const tenant = text(entry, 'tenantId') ?? '';
    return {
      authentication: 'entra',
      user: account,
      ...(/^[\w.-]+$/.test(tenant) && { tenant }),
      ownLogin: null,
    };
  }
  return {
    authentication: 'sql',
    user: '',
    ownLogin: t(
      'Its kind of login, {0}, cannot be used here. If you tick it, you are asked for another.',
      kind,
    ),
  };
}

function readGroupNames(groups: readonly unknown[]): ReadonlyMap<string, string> {
  const named = groups.flatMap((group) => {
    const [id, name] = [text(group, 'id'), text(group, 'name')];
    // The group at the top is no group to the user.
    return id === null || name === null || name === 'ROOT' ? [] : [[id, name] as const];
  });
  return new Map(named);
}

function field(entry: unknown, key: string): unknown {
  return isObject(entry) ? entry[key] : undefined;
}

/** null if it is no text, empty, what the setting suggests, or longer than any name. */
function text(entry: unknown, key: string): string | null {
  const value = field(entry, key);
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' || trimmed.length > MOST_CHARACTERS || SUGGESTED.test(trimmed) ? null : trimmed;
}
