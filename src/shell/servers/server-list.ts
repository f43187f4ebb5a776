/**
 * Every server of the pane, however it is reached: those of another product's connections, and those that the user
 * added here.
 */
import { t } from '../../core/language';
import {
  findHostOf,
  type HostName,
  type HostServer,
  type OtherHost,
  type ServerListing,
} from '../../hosts/host';
import { readNamed, type SavedServer } from './saved-server';
import type { KeptState, SavedServers } from './saved-servers';

export type ListedServer =
  | (SavedServer & { readonly way: 'own' })
  | (HostServer & { readonly way: OtherHost | 'file' });

/** A server of the list, with the name that is shown for it. */
export interface NamedServer {
  readonly server: ListedServer;
  readonly label: string;
}

export type Ownership = 'own' | 'host' | 'orphaned' | 'file';

/** Servers of other products that were opened here. They stay in the list if that product goes. */
const KNOWN_KEY = 'checkpointHealth.knownServers';

/** Ids of the servers whose event session ran when any window last read them. */
const TRACKED_KEY = 'checkpointHealth.trackedServers';

const nothingListed: ServerListing = { servers: [], untrusted: 0 };

export class ServerList {
  /** null if the host has not been asked yet, or its connections cannot be used. */
  private listing: ServerListing | null = null;
  /** Servers at whose nodes the user pointed in this window. */
  private readonly pointedAt = new Map<string, HostServer>();
  /** Saved captures that are open in this window. */
  private readonly files = new Map<string, ListedServer>();

  constructor(
    readonly saved: SavedServers,
    private readonly state: KeptState,
  ) {}

  /** How many connections an untrusted workspace defines; none of them is in the list. */
  get untrusted(): number {
    return (this.listing ?? nothingListed).untrusted;
  }

  /**
   * The other product's servers, then our own. A server that our own driver took over has the same id and is listed
   * once. If that product cannot list its servers any more, those of them that were opened here.
   */
  all(): readonly ListedServer[] {
    const own = this.saved.list();
    const listed = this.listing?.servers ?? this.known();
    const pointedAt = [...this.pointedAt.values()].filter(
      ({ id }) => !listed.some((server) => server.id === id),
    );
    const others = [...listed, ...pointedAt].filter(({ id }) => !own.some((server) => server.id === id));
    return [
      ...others.flatMap(addWay),
      ...own.map((server) => ({ ...server, way: 'own' as const })),
      ...this.files.values(),
    ];
  }

  /** How the servers are reached; a saved capture is not. */
  ways(): readonly HostName[] {
    return this.all().flatMap(({ way }) => (way === 'file' ? [] : way));
  }

  /** The name shown for each server. If several have the same name, their login or address is added. */
  labels(): ReadonlyMap<string, string> {
    const all = this.all();
    return new Map(
      all.map((server) => [
        server.id,
        labelAmong(
          server,
          // A file that is opened changes the name of no server.
          all.filter(({ name, way }) => name === server.name && (server.way === 'file' || way !== 'file')),
        ),
      ]),
    );
  }

  find(id: string): ListedServer | undefined {
    return this.all().find((server) => server.id === id);
  }

  /** @throws Error with one sentence if there is none */
  get(id: string): ListedServer {
    const server = this.find(id);
    if (server === undefined) throw new Error(t('This server is no longer in the list.'));
    return server;
  }

  /** Whether a server is our own, another product's, or one that another product led to but does not list. */
  ownership(id: string): Ownership {
    if (this.files.has(id)) return 'file';
    if (this.saved.find(id) !== undefined) return 'own';
    return this.listing?.servers.some((server) => server.id === id) === true ? 'host' : 'orphaned';
  }

  /** Takes what the chosen host lists now. @param listing null if it cannot be used */
  takeIn(listing: ServerListing | null): void {
    this.listing = listing;
  }

  /** Keeps a server of another product in the list while the window is open, even if that product does not list it. */
  point(server: HostServer): void {
    this.pointedAt.set(server.id, pick(server));
  }

  /** Puts a saved capture into the list while it is open. @param path of its file, shown in place of an address */
  openFile(id: string, name: string, path: string): void {
    this.files.set(id, { id, name, server: path, user: null, way: 'file' });
  }

  closeFile(id: string): void {
    this.files.delete(id);
  }

  /** Keeps a server of another product in the list if that product goes. Only for servers that we reached. */
  async remember(server: HostServer): Promise<void> {
    await this.state.update(KNOWN_KEY, [...this.known().filter(({ id }) => id !== server.id), pick(server)]);
  }

  /** Whether any window reached that server of another product. */
  wasReached(id: string): boolean {
    return this.known().some((known) => known.id === id);
  }

  /** Whether its event session ran when any window last read it. */
  wasTracked(id: string): boolean {
    return this.tracked().includes(id);
  }

  async noteTracked(id: string, isTracked: boolean): Promise<void> {
    if (this.wasTracked(id) === isTracked) return;
    const others = this.tracked().filter((each) => each !== id);
    await this.state.update(TRACKED_KEY, isTracked ? [...others, id] : others);
  }

  /** Removes a server of our own, or one that was remembered. What another product lists stays in the list. */
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

  /** Leaves out entries of another shape (an older version, a damaged file). */
  private known(): readonly HostServer[] {
    const kept = this.state.get(KNOWN_KEY);
    return Array.isArray(kept) ? kept.filter(isHostServer) : [];
  }
}

/** @param alike the servers with this name, itself included */
function labelAmong(server: ListedServer, alike: readonly ListedServer[]): string {
  const differs = (read: (one: ListedServer) => string): boolean =>
    alike.some((one) => read(one) !== read(server));
  const isShared = (read: (one: ListedServer) => string): boolean =>
    alike.some((one) => one !== server && read(one) === read(server));
  const parts = alike.length === 1 || !differs(nameLogin) ? [] : [nameLogin(server)];
  if (isShared(nameLogin) && differs(({ server: address }) => address)) parts.push(server.server);
  return parts.length === 0 ? server.name : `${server.name} (${parts.join(', ')})`;
}

/** Of a saved capture, in its place: the name of its file. */
function nameLogin(server: ListedServer): string {
  if (server.way === 'file') return server.server.split(/[\\/]/).pop() ?? '';
  if (server.way === 'own')
    return server.user || (server.authentication === 'entra' ? 'Microsoft Entra' : t('As Yourself'));
  return (server.user ?? server.login) || t('unknown login');
}

/** Copies no more of a server than is needed. */
function pick({ id, name, server, user, login }: HostServer): HostServer {
  return { id, name, server, user, ...(login === undefined ? {} : { login }) };
}

function addWay(server: HostServer): readonly ListedServer[] {
  const way = findHostOf(server.id);
  return way === undefined ? [] : [{ ...server, way }];
}

function isHostServer(kept: unknown): kept is HostServer {
  const server = readNamed(kept);
  if (server === null) return false;
  const isNamed = server['login'] === undefined || typeof server['login'] === 'string';
  return (
    isNamed &&
    (server['user'] === null || typeof server['user'] === 'string') &&
    findHostOf(String(server['id'])) !== undefined
  );
}
