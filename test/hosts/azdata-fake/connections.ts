/** The host's list of connections in use, after connectionStatusManager.ts and connectionManagementService.ts of Azure Data Studio 1.47. */
import { randomUUID } from 'node:crypto';
import type * as azdata from 'azdata';
import { copyProfile, toArgument, writeUri, type HostProfile } from './profile';

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
  ownerUri: string;
  readonly profile: HostProfile;
  /** False while its login is not answered. */
  isConnected: boolean;
  /** Ends the waiting of whoever asked for it; lost where another takes its place. */
  complete: (result: azdata.ConnectionResult) => void;
}

export class HostConnections {
  private infos = new Map<string, ConnectionInfo>();
  private readonly listeners = new Set<azdata.connection.ConnectionEventListener>();

  constructor(private readonly logIn: LogIn) {}

  listen(listener: azdata.connection.ConnectionEventListener): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  get listenerCount(): number {
    return this.listeners.size;
  }

  /** Also those whose login is not answered yet; each id once. */
  active(): readonly HostProfile[] {
    const profiles = [...this.infos.values()].map(({ profile }) => profile);
    return profiles.filter(({ id }, index) => profiles.findIndex((one) => one.id === id) === index);
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
    return new Promise((resolve) => {
      const info: ConnectionInfo = { ownerUri: uri, profile, isConnected: false, complete: resolve };
      this.infos.set(uri, info);
      this.logIn(profile).then(
        (database) => this.complete(uri, database),
        (error: unknown) => this.refuse(uri, error),
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
    return copyProfile(profile, { id: randomUUID(), options: { database, databaseDisplayName: database, originalDatabase: database } });
  }

  /** Every listener hears of every connection of every provider, with the password. */
  tell(type: azdata.connection.ConnectionEventType, uri: string, profile: HostProfile | undefined): void {
    const argument = profile && toArgument(profile);
    for (const { onConnectionEvent } of [...this.listeners]) onConnectionEvent(type, uri, argument as azdata.IConnectionProfile);
  }

  private complete(uri: string, database: string): void {
    const info = this.infos.get(uri);
    if (info === undefined) return;
    info.isConnected = true;
    info.profile.options['database'] = database;
    // The same connection is found under the name of its database too.
    const named = writeUri(info.profile);
    if (uri.startsWith('connection:') && !this.infos.has(named)) this.infos.set(named, info);
    this.tell('onConnect', uri, info.profile);
    info.complete({ connected: true, connectionId: info.profile.id, errorCode: 0, errorMessage: '' });
  }

  private refuse(uri: string, error: unknown): void {
    const info = this.infos.get(uri);
    if (info === undefined) return;
    this.drop(info);
    const { message, errorCode } = error instanceof LoginRefused ? error : new LoginRefused(String(error), 0);
    info.complete({ connected: false, errorMessage: message, errorCode, connectionId: undefined as unknown as string });
  }

  private drop(info: ConnectionInfo): void {
    this.infos = new Map([...this.infos].filter(([, one]) => one !== info));
  }
}
