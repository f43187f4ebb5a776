/**
 * A connection of Azure Data Studio without its secrets. The host writes a connection in four forms; this file reads
 * all four.
 */
import type { Account, HostServer } from '../host';
import { MSSQL } from './world';
import { t } from '../../core/language';

type Option = string | number | boolean;

export interface AzdataProfile {
  readonly id: string;
  readonly connectionName: string;
  readonly serverName: string;
  /** Empty means the login's default database. */
  readonly databaseName: string;
  readonly userName: string;
  readonly authenticationType: string;
  readonly groupId: string;
  /** The database, if the connection is for one and not for a server (Azure Data Studio 1.47, isServerConnection). */
  readonly originalDatabase: string;
  readonly options: Readonly<Record<string, Option>>;
}

/** Properties that no copy of ours may hold: passwords, tokens, and strings that could contain them. */
const SECRET = /pass|pwd|token|secret|connectionstring/i;

/**
 * Reads a profile in each of its forms: `getConnections` (`connectionId`, `providerId`), a menu's argument (`id`,
 * `providerName`), settings (`options` only), a dashboard (`connectionId`, `providerName`, `options`).
 * @returns null if it is not a profile of SQL Server
 */
export function readAzdataProfile(value: unknown): AzdataProfile | null {
  try {
    return isRecord(value) ? readRecord(value) : null;
  } catch {
    // Another product's object may throw at any property.
    return null;
  }
}

function readRecord(record: Record<string, unknown>): AzdataProfile | null {
  const options = isRecord(record['options']) ? record['options'] : {};
  const text = (...values: readonly unknown[]): string =>
    values.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
  const id = text(record['connectionId'], record['id']);
  const serverName = text(record['serverName'], options['server']);
  if (text(record['providerId'], record['providerName']) !== MSSQL || id === '' || serverName === '')
    return null;
  return {
    id,
    serverName,
    connectionName: text(record['connectionName'], options['connectionName']),
    databaseName: text(record['databaseName'], options['database']),
    userName: text(record['userName'], options['user']),
    authenticationType: text(record['authenticationType'], options['authenticationType']),
    groupId: text(record['groupId'], options['groupId']),
    originalDatabase: text(options['originalDatabase']),
    options: copyOptions(options),
  };
}

/** The profile as the rest of the product knows it. */
export function describeHostServer(profile: AzdataProfile): HostServer {
  const found = {
    id: serverId(profile.id),
    name: profile.connectionName === '' ? profile.serverName : profile.connectionName,
    server: profile.serverName,
    user: needsPassword(profile) && profile.userName !== '' ? profile.userName : null,
  };
  if (needsPassword(profile)) return found;
  return {
    ...found,
    login: needsSignIn(profile) ? profile.userName || profile.authenticationType : t('Windows login'),
  };
}

/** True for a SQL login. Without an authentication type the host takes its default; a user name then means one. */
export function needsPassword({ authenticationType, userName }: AzdataProfile): boolean {
  return authenticationType === '' ? userName !== '' : authenticationType === 'SqlLogin';
}

/** True for a token of Microsoft Entra (neither a SQL login nor Windows). The host may open a page to sign in. */
export function needsSignIn({ authenticationType }: AzdataProfile): boolean {
  return !['', 'SqlLogin', 'Integrated'].includes(authenticationType);
}

/**
 * True for Azure SQL: where its firewall refuses this address, the host opens a dialog that no caller can turn off
 * (mainThreadConnectionManagement.ts, $connect).
 */
export const mayShowFirewall = ({ serverName }: AzdataProfile): boolean =>
  /\.database\.(windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)\b/i.test(serverName);

/** Who logs in. The same for every server with this kind of login and this name. No secret. */
export function nameAccount(profile: AzdataProfile | null, { user, name }: HostServer): Account {
  const kind = profile === null || needsPassword(profile) ? 'SqlLogin' : profile.authenticationType;
  const who = user ?? profile?.userName ?? '';
  const sqlLogin = who === '' ? t('login of {0}', name) : t('login {0}', who);
  const login = kind === 'SqlLogin' ? sqlLogin : `${kind} ${who}`.trim();
  return { key: JSON.stringify(['azdata', kind, who]), shown: t('{0}, through Azure Data Studio', login) };
}

/**
 * Whether `copy` is `profile` under another id. The host gives a new id to a connection that an extension opens
 * (mainThreadConnectionManagement.ts, $connect), and to a query editor or dashboard of one of its databases
 * (connectionProfile.ts, cloneWithDatabase).
 */
export function isCopyOf(copy: AzdataProfile, profile: AzdataProfile): boolean {
  const isForServer = profile.databaseName === '' || isSameName(profile.databaseName, 'master');
  return (
    identify(copy) === identify(profile) &&
    (isForServer || isSameName(profile.databaseName, copy.databaseName))
  );
}

/** Whether both lead to the same server as the same user. */
export function reachesSame(a: AzdataProfile, b: AzdataProfile): boolean {
  return (
    isSameName(a.serverName, b.serverName) &&
    isSameName(a.userName, b.userName) &&
    a.authenticationType === b.authenticationType
  );
}

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function serverId(connectionId: string): string {
  return `azdata:${connectionId}`;
}

/** The host's own id of a server of ours. */
export function connectionId(id: string): string {
  return id.replace(/^azdata:/, '');
}

function identify({
  serverName,
  userName,
  authenticationType,
  groupId,
  connectionName,
}: AzdataProfile): string {
  return JSON.stringify([
    serverName.toLowerCase(),
    userName.toLowerCase(),
    authenticationType,
    groupId,
    connectionName,
  ]);
}

function copyOptions(options: Record<string, unknown>): Record<string, Option> {
  return Object.fromEntries(
    Object.entries(options).filter(
      (entry): entry is [string, Option] =>
        !SECRET.test(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface AzdataTarget {
  readonly profile: AzdataProfile;
  readonly databaseName: string | null;
}

interface Node {
  readonly isConnectionNode?: unknown;
  readonly connectionProfile?: unknown;
  readonly nodeInfo?: NodeInfo;
  /**
   * A row of another tree in the Connections viewlet: Azure, Central Management Servers (sql/workbench/common/views.ts,
   * TreeViewItemHandleArg).
   */
  readonly $treeItem?: { readonly payload?: unknown; readonly type?: unknown; readonly nodeInfo?: NodeInfo };
}

interface NodeInfo {
  readonly nodeType?: unknown;
  readonly nodePath?: unknown;
  readonly metadata?: { readonly metadataTypeName?: unknown; readonly name?: unknown };
}

/**
 * The server or database on which a menu of Azure Data Studio was opened. The argument differs between menus
 * (docs/facts.md, Hosts 2).
 * @returns null if it is not a server or database of SQL Server
 */
export function readAzdataTarget(argument: unknown): AzdataTarget | null {
  try {
    return typeof argument === 'object' && argument !== null ? readNode(argument) : null;
  } catch {
    // Another product's object may throw at any property.
    return null;
  }
}

function readNode(node: Node): AzdataTarget | null {
  if (node.connectionProfile !== undefined) {
    const nodeInfo = node.isConnectionNode === true ? undefined : (node.nodeInfo ?? {});
    return point(
      node.connectionProfile,
      ({ databaseName }) => nodeInfo && nameDatabase(nodeInfo, databaseName),
    );
  }
  const item = node.$treeItem;
  if (item !== undefined) {
    return point(item.payload, ({ databaseName }) =>
      item.type === 'Database' ? nameDatabase(item.nodeInfo ?? {}, databaseName) : undefined,
    );
  }
  // The toolbar of a dashboard. A server's dashboard names the database it is connected to; only a database's dashboard
  // has an original database.
  return point(node, ({ originalDatabase, databaseName }) =>
    originalDatabase === '' ? undefined : databaseName,
  );
}

function point(
  profile: unknown,
  nameIts: (profile: AzdataProfile) => string | undefined,
): AzdataTarget | null {
  const read = readAzdataProfile(profile);
  if (read === null) return null;
  const databaseName = nameIts(read);
  return {
    profile: read,
    databaseName: databaseName === undefined || databaseName === '' ? null : databaseName,
  };
}

/**
 * The database of a row below a server: the row itself or the one that contains it. The host writes the containing
 * database into the profile (serverTreeView.ts, getActionContext), and undefined for rows that belong to the server
 * itself.
 */
function nameDatabase({ nodeType, metadata, nodePath }: NodeInfo, databaseName: string): string | undefined {
  const isDatabase = nodeType === 'Database' || metadata?.metadataTypeName === 'Database';
  if (isDatabase && typeof metadata?.name === 'string' && metadata.name !== '') return metadata.name;
  if (databaseName !== '') return databaseName;
  return typeof nodePath === 'string' ? readPath(nodePath) : undefined;
}

/** `server/Databases/Sales/Tables/dbo.Orders`, and `server/Databases/System Databases/model`. */
function readPath(path: string): string | undefined {
  const [, below] = /\/Databases\/(.+)/.exec(path) ?? [];
  const [first, second] = below?.split('/') ?? [];
  return first === 'System Databases' ? second : first;
}
