/**
 * Connections as Azure Data Studio 1.47 holds them, after its connectionProfile.ts, providerConnectionInfo.ts,
 * connectionStatusManager.ts and connectionManagementService.ts.
 */
import { randomUUID } from 'node:crypto';
import type * as azdata from 'azdata';

/** The group that connections are in by default (sql/platform/connection/common/utils.ts). */
const ROOT_GROUP = 'C777F06B-202E-4480-B475-FA416154D458';
/** Options in an owner's URI, and their values that are left out of it. */
const IN_URI = [
  'applicationName',
  'authenticationType',
  'connectionName',
  'database',
  'encrypt',
  'server',
  'trustServerCertificate',
  'user',
];
const DEFAULTS: Readonly<Record<string, unknown>> = {
  authenticationType: 'SqlLogin',
  applicationName: 'azdata',
  encrypt: 'Mandatory',
};

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

export function storeConnection({
  id,
  name,
  providerName = 'MSSQL',
  savePassword = true,
  ...given
}: ConnectionToStore): StoredConnection {
  const { server, user = '', database = '', authenticationType = 'SqlLogin' } = given;
  const named = {
    connectionName: name ?? '',
    server,
    database,
    authenticationType,
    user,
    password: '',
    applicationName: 'azdata',
  };
  return { id, providerName, groupId: ROOT_GROUP, savePassword, options: { ...named, ...given.options } };
}

/**
 * What the host makes of a stored connection, of `connection.ConnectionProfile` and of `IConnectionProfile` alike:
 * everything is read from the options.
 */
export interface HostProfile {
  id: string;
  readonly providerName: string;
  readonly groupId: string;
  readonly savePassword: boolean;
  readonly saveProfile: boolean;
  readonly options: Record<string, unknown>;
}

export function readStored(stored: StoredConnection): HostProfile {
  const { options, groupId } = stored;
  return {
    ...stored,
    saveProfile: true,
    options: { ...options, groupId, databaseDisplayName: options['database'] },
  };
}

export function readGiven(given: azdata.IConnectionProfile): HostProfile {
  const {
    id,
    providerName,
    groupId = '',
    savePassword,
    saveProfile,
    options,
    password,
    authenticationType,
    databaseName,
  } = given;
  const named = {
    connectionName: given.connectionName,
    server: given.serverName,
    database: databaseName,
    user: given.userName,
  };
  const all = {
    ...options,
    ...named,
    password,
    authenticationType,
    groupId,
    databaseDisplayName: databaseName,
  };
  return { id, providerName, groupId, savePassword, saveProfile, options: all };
}

export function copyProfile(profile: HostProfile, changes: Partial<HostProfile> = {}): HostProfile {
  return { ...profile, ...changes, options: { ...profile.options, ...changes.options } };
}

/** The first of each id. */
export function eachOnce(profiles: readonly HostProfile[]): readonly HostProfile[] {
  return profiles.filter(({ id }, index) => profiles.findIndex((one) => one.id === id) === index);
}

export function withoutPassword(profile: HostProfile): HostProfile {
  return copyProfile(profile, { options: { password: '' } });
}

/**
 * The owner's URI: every option that is not its default, but for the password. Two profiles with the same options have
 * the same, whatever their ids.
 */
export function writeUri(
  { providerName, groupId, options }: HostProfile,
  purpose: 'connection' | 'dashboard' = 'connection',
): string {
  const isTold = (name: string): boolean => (options[name] ?? '') !== '' && options[name] !== DEFAULTS[name];
  const told = [...IN_URI.filter(isTold), ...(options['databaseDisplayName'] ? ['databaseDisplayName'] : [])];
  const parts = told.map((name) => `${name}:${String(options[name])}`);
  return `${purpose}:${[`providerName:${providerName}`, ...parts, `groupId:${groupId}`].join('|')}`;
}

/** As `getConnections` gives it: without the password. `getConnection` (of one URI) leaves it in. */
export function toConnectionProfile(
  profile: HostProfile,
  hasCapabilities = true,
): azdata.connection.ConnectionProfile {
  const { id, providerName, groupId, savePassword, saveProfile, options } = profile;
  const text = (name: string): string => (typeof options[name] === 'string' ? options[name] : '');
  return {
    providerId: providerName,
    connectionId: id,
    options: { ...options },
    connectionName: text('connectionName'),
    serverName: hasCapabilities ? text('server') : (undefined as unknown as string),
    databaseName: text('database'),
    userName: text('user'),
    password: text('password'),
    authenticationType: text('authenticationType'),
    savePassword,
    groupFullName: '/',
    groupId,
    saveProfile,
  };
}

/** As menus and events hand it over: with the password, in clear text. */
export function toArgument(profile: HostProfile): azdata.IConnectionProfile {
  const { connectionId, providerId, ...rest } = toConnectionProfile(profile);
  return { ...rest, id: connectionId, providerName: providerId };
}

/** A login that the server refused, or a server that could not be reached. */
export class LoginRefused extends Error {
  constructor(
    message: string,
    readonly errorCode: number,
  ) {
    super(message);
  }
}

/** Logs in as SQL Tools Service would. Gives the database that the login is in. @throws LoginRefused */
export type LogIn = (profile: HostProfile) => Promise<string>;

interface ConnectionInfo {
  readonly ownerUri: string;
  readonly profile: HostProfile;
  /** False while its login is not answered. */
  isConnected: boolean;
}

/** The host's list of connections in use. */
export class HostConnections {
  private infos = new Map<string, ConnectionInfo>();
  private readonly listeners = new Set<azdata.connection.ConnectionEventListener>();

  constructor(private readonly logIn: LogIn) {}

  listen(listener: azdata.connection.ConnectionEventListener): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Also those whose login is not answered yet; each id once. */
  active(): readonly HostProfile[] {
    return eachOnce([...this.infos.values()].map(({ profile }) => profile));
  }

  findUri(id: string): string | undefined {
    return [...this.infos.values()].find(({ profile }) => profile.id === id)?.ownerUri;
  }

  /** Only what is connected. */
  find(uri: string): HostProfile | undefined {
    const info = this.infos.get(uri);
    return info?.isConnected === true ? info.profile : undefined;
  }

  /** What has this URI already loses its place, and who waits for it waits for ever. */
  connect(given: HostProfile, uri: string): Promise<azdata.ConnectionResult> {
    const profile = copyProfile(given);
    this.infos.set(uri, { ownerUri: uri, profile, isConnected: false });
    return new Promise((resolve) => {
      const isOurs = (): boolean => this.infos.get(uri)?.profile === profile;
      this.logIn(profile).then(
        (database) => isOurs() && resolve(this.complete(uri, database)),
        (error: unknown) => isOurs() && resolve(this.refuse(uri, error)),
      );
    });
  }

  disconnect(uri: string, given = this.infos.get(uri)?.profile): void {
    const info = this.infos.get(uri);
    if (info === undefined || given === undefined) return;
    this.drop(info);
    this.tell('onDisconnect', uri, given);
  }

  /** A profile of one database of a server has an id of its own (cloneWithDatabase). */
  copyForDatabase(profile: HostProfile, database: string): HostProfile {
    return copyProfile(profile, {
      id: randomUUID(),
      options: { database, databaseDisplayName: database, originalDatabase: database },
    });
  }

  /** Every listener hears of every connection of every provider, with the password. */
  tell(type: azdata.connection.ConnectionEventType, uri: string, profile: HostProfile | undefined): void {
    const argument = profile && toArgument(profile);
    for (const { onConnectionEvent } of [...this.listeners])
      onConnectionEvent(type, uri, argument as azdata.IConnectionProfile);
  }

  private complete(uri: string, database: string): azdata.ConnectionResult {
    const info = this.infos.get(uri) as ConnectionInfo;
    info.isConnected = true;
    info.profile.options['database'] = database;
    // The same connection is found under the name of its database too.
    const named = writeUri(info.profile);
    if (uri.startsWith('connection:') && !this.infos.has(named)) this.infos.set(named, info);
    this.tell('onConnect', uri, info.profile);
    return { connected: true, connectionId: info.profile.id, errorCode: 0, errorMessage: '' };
  }

  private refuse(uri: string, error: unknown): azdata.ConnectionResult {
    this.drop(this.infos.get(uri) as ConnectionInfo);
    const { message, errorCode } = error instanceof LoginRefused ? error : new LoginRefused(String(error), 0);
    return {
      connected: false,
      errorMessage: message,
      errorCode,
      connectionId: undefined as unknown as string,
    };
  }

  private drop(info: ConnectionInfo): void {
    this.infos = new Map([...this.infos].filter(([, one]) => one !== info));
  }
}
