/** Every server of the pane, whichever way leads to it: those of another product's connections, and those that the user added here. */
import type { HostName, HostServer, ServerListing } from '../../hosts/host';
import type { SavedServer } from './saved-server';
import type { KeptState, SavedServers } from './saved-servers';

export type ListedServer = (SavedServer & { readonly way: 'own' }) | (HostServer & { readonly way: Exclude<HostName, 'own'> });

export type Ownership = 'own' | 'host' | 'orphaned';

/** Servers of other products that were opened here: they stay in sight when that product goes. */
const KNOWN_KEY = 'checkpointHealth.knownServers';

/** Ids of the servers whose event session ran when they were read last, in whichever window. */
const TRACKED_KEY = 'checkpointHealth.trackedServers';

const nothingListed: ServerListing = { servers: [], untrusted: 0 };

export class ServerList {
  /** null: the host has not been asked yet, or its connections cannot be used. */
  private listing: ServerListing | null = null;
  /** Servers whose nodes were pointed at in this window. */
  private readonly pointedAt = new Map<string, HostServer>();

  constructor(
    readonly saved: SavedServers,
    private readonly state: KeptState,
  ) {}

  /** Connections of a workspace that is not trusted; none of them is in the list. */
  get untrusted(): number {
    return (this.listing ?? nothingListed).untrusted;
  }

  /**
   * The other product's servers, then our own. A server that was taken over by our own driver has the same id and stands once. Where that product cannot tell
   * any more, the servers of it that were opened here.
   */
  all(): readonly ListedServer[] {
    const own = this.saved.list();
    const listed = this.listing?.servers ?? this.known();
    const pointedAt = [...this.pointedAt.values()].filter(({ id }) => !listed.some((server) => server.id === id));
    const others = [...listed, ...pointedAt].filter(({ id }) => !own.some((server) => server.id === id));
    return [...others.map(nameWay), ...own.map((server) => ({ ...server, way: 'own' as const }))];
  }

  /** As each is shown: with its login, or its address, where others have the same name. */
  labels(): ReadonlyMap<string, string> {
    const all = this.all();
    return new Map(
      all.map((server) => [
        server.id,
        labelAmong(
          server,
          all.filter(({ name }) => name === server.name),
        ),
      ]),
    );
  }

  find(id: string): ListedServer | undefined {
    return this.all().find((server) => server.id === id);
  }

  /** Whose a server is: our own, another product's, or one that another product led to and does not list, or cannot list any more. */
  ownership(id: string): Ownership {
    if (this.saved.find(id) !== undefined) return 'own';
    return this.listing?.servers.some((server) => server.id === id) === true ? 'host' : 'orphaned';
  }

  /** Takes in what the chosen host lists now. @param listing null: it cannot be used */
  takeIn(listing: ServerListing | null): void {
    this.listing = listing;
  }

  /** Keeps a server of another product in sight for as long as the window lives, also where that product does not list it. */
  point(server: HostServer): void {
    this.pointedAt.set(server.id, pick(server));
  }

  /** Keeps a server of another product in sight when that product goes; for those that it really led to. */
  async remember(server: HostServer): Promise<void> {
    await this.state.update(KNOWN_KEY, [...this.known().filter(({ id }) => id !== server.id), pick(server)]);
  }

  /** Whether its event session ran when it was read last, in whichever window. */
  wasTracked(id: string): boolean {
    return this.tracked().includes(id);
  }

  async noteTracked(id: string, isTracked: boolean): Promise<void> {
    if (this.wasTracked(id) === isTracked) return;
    const others = this.tracked().filter((each) => each !== id);
    await this.state.update(TRACKED_KEY, isTracked ? [...others, id] : others);
  }

  /** Takes a server of our own, or one that was remembered, off the list. What another product lists stays there. */
  async remove(id: string): Promise<void> {
    await this.saved.remove(id);
    await this.noteTracked(id, false);
    this.pointedAt.delete(id);
    await this.state.update(
      KNOWN_KEY,
      this.known().filter((known) => known.id !== id),
    );
  }

  private tracked(): readonly unknown[] {
    const kept = this.state.get(TRACKED_KEY);
    return Array.isArray(kept) ? kept : [];
  }

  /** What is kept in another shape (an older version, a damaged file) is left out. */
  private known(): readonly HostServer[] {
    const kept = this.state.get(KNOWN_KEY);
    return Array.isArray(kept) ? kept.filter(isHostServer) : [];
  }
}

/** @param alike those of this name, itself included */
function labelAmong(server: ListedServer, alike: readonly ListedServer[]): string {
  const differs = (read: (one: ListedServer) => string): boolean => alike.some((one) => read(one) !== read(server));
  const isShared = (read: (one: ListedServer) => string): boolean => alike.some((one) => one !== server && read(one) === read(server));
  const parts = alike.length === 1 || !differs(nameLogin) ? [] : [nameLogin(server)];
  if (isShared(nameLogin) && differs(({ server: address }) => address)) parts.push(server.server);
  return parts.length === 0 ? server.name : `${server.name} (${parts.join(', ')})`;
}

function nameLogin(server: ListedServer): string {
  if (server.way === 'own') return server.user || 'Microsoft Entra';
  return (server.user ?? server.login) || 'unknown login';
}

/** No more of a server than is needed. */
function pick({ id, name, server, user, login }: HostServer): HostServer {
  return { id, name, server, user, ...(login === undefined ? {} : { login }) };
}

function nameWay(server: HostServer): ListedServer {
  return { ...server, way: server.id.startsWith('azdata:') ? 'azdata' : 'mssql' };
}

function isHostServer(kept: unknown): kept is HostServer {
  if (typeof kept !== 'object' || kept === null) return false;
  const server = kept as Record<string, unknown>;
  const texts = ['id', 'name', 'server'].every((key) => typeof server[key] === 'string' && server[key] !== '');
  const isNamed = server['login'] === undefined || typeof server['login'] === 'string';
  return (
    texts && isNamed && (server['user'] === null || typeof server['user'] === 'string') && /^(azdata|mssql):/.test(String(server['id']))
  );
}
