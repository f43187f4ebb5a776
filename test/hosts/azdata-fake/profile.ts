/** Connections as the host holds them, after sql/platform/connection/common/connectionProfile.ts and providerConnectionInfo.ts of Azure Data Studio 1.47. */
import type * as azdata from 'azdata';

/** The group that connections are in by default (sql/platform/connection/common/utils.ts). */
const ROOT_GROUP = 'C777F06B-202E-4480-B475-FA416154D458';

/** An entry of the setting `datasource.connections`. */
export interface StoredConnection {
  readonly id: string;
  readonly providerName: string;
  readonly groupId: string;
  readonly savePassword: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ConnectionToStore {
  readonly id: string;
  readonly name?: string;
  readonly server: string;
  readonly user?: string;
  readonly database?: string;
  readonly authenticationType?: string;
  readonly providerName?: string;
  readonly savePassword?: boolean;
  /** Advanced options, such as `trustServerCertificate`. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export function storeConnection(given: ConnectionToStore): StoredConnection {
  const {
    id,
    name = '',
    server,
    user = '',
    database = '',
    authenticationType = 'SqlLogin',
    providerName = 'MSSQL',
    savePassword = true,
  } = given;
  return {
    id,
    providerName,
    groupId: ROOT_GROUP,
    savePassword,
    options: {
      connectionName: name,
      server,
      database,
      authenticationType,
      user,
      password: '',
      applicationName: 'azdata',
      ...given.options,
    },
  };
}

/** What the host makes of a stored connection, of `connection.ConnectionProfile` and of `IConnectionProfile` alike: everything is read from the options. */
export interface HostProfile {
  id: string;
  readonly providerName: string;
  readonly groupId: string;
  readonly savePassword: boolean;
  readonly saveProfile: boolean;
  readonly options: Record<string, unknown>;
}

export function readStored(stored: StoredConnection): HostProfile {
  return {
    ...stored,
    saveProfile: true,
    options: { ...stored.options, groupId: stored.groupId, databaseDisplayName: stored.options['database'] },
  };
}

export function readGiven(given: azdata.IConnectionProfile): HostProfile {
  const { id, providerName, groupId = '', savePassword, saveProfile, options } = given;
  const named = { connectionName: given.connectionName, server: given.serverName, database: given.databaseName, user: given.userName };
  const all = { ...options, ...named, password: given.password, authenticationType: given.authenticationType, groupId };
  return { id, providerName, groupId, savePassword, saveProfile, options: { ...all, databaseDisplayName: given.databaseName } };
}

export function copyProfile(profile: HostProfile, changes: Partial<HostProfile> = {}): HostProfile {
  return { ...profile, ...changes, options: { ...profile.options, ...changes.options } };
}

/**
 * The owner's URI: prefix and every option that is not its default, but for the password. Two profiles with the same options have the same URI, whatever their ids.
 */
export function writeUri({ providerName, groupId, options }: HostProfile, purpose: 'connection' | 'dashboard' = 'connection'): string {
  const defaults: Readonly<Record<string, unknown>> = { authenticationType: 'SqlLogin', applicationName: 'azdata', encrypt: 'Mandatory' };
  const named = [
    'applicationName',
    'authenticationType',
    'connectionName',
    'database',
    'encrypt',
    'server',
    'trustServerCertificate',
    'user',
  ]
    .filter((name) => options[name] !== undefined && options[name] !== null && options[name] !== '' && options[name] !== defaults[name])
    .map((name) => `${name}:${String(options[name])}`);
  const database = options['databaseDisplayName'] ? [`databaseDisplayName:${String(options['databaseDisplayName'])}`] : [];
  return `${purpose}:${[`providerName:${providerName}`, ...named, ...database, `groupId:${groupId}`].join('|')}`;
}

/** As `getConnections` gives it: without the password. `getConnection` (of one URI) leaves it in. */
export function toConnectionProfile(
  { id, providerName, groupId, savePassword, saveProfile, options }: HostProfile,
  hasCapabilities = true,
): azdata.connection.ConnectionProfile {
  return {
    providerId: providerName,
    connectionId: id,
    options: { ...options },
    connectionName: text(options['connectionName']),
    serverName: hasCapabilities ? text(options['server']) : (undefined as unknown as string),
    databaseName: text(options['database']),
    userName: text(options['user']),
    password: text(options['password']),
    authenticationType: text(options['authenticationType']),
    savePassword,
    groupFullName: '/',
    groupId,
    saveProfile,
  };
}

export function withoutPassword(profile: HostProfile): HostProfile {
  return copyProfile(profile, { options: { password: '' } });
}

/** As menus and events hand it over: with the password, in clear text. */
export function toArgument(profile: HostProfile): azdata.IConnectionProfile {
  const { connectionId, providerId, ...rest } = toConnectionProfile(profile);
  return { ...rest, id: connectionId, providerName: providerId };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
