/**
 * The servers that the SQL Server extension (mssql) knows: those in its settings, and those at whose nodes the user
 * pointed in this window.
 */
import type { HostServer, PointedAt, ServerListing } from '../host';
import { read, readText } from './foreign';
import { type ProfileLogin, readLogin, readNode, readMssqlProfile } from './profile';
import type { MssqlWorld } from './world';

export class MssqlServers {
  private readonly pointedAt = new Map<string, HostServer>();
  private readonly nodes = new Map<string, unknown>();

  /** @param onNewServer called if the user pointed at a node whose server is not listed */
  constructor(
    private readonly world: MssqlWorld,
    private readonly onNewServer: () => void,
  ) {}

  list(): ServerListing {
    if (this.world.findExtension() === undefined) return { servers: [], untrusted: 0 };
    const { user, workspace } = this.readSaved();
    const isTrusted = this.world.isTrusted();
    const untrusted = isTrusted ? [] : listOthers(workspace, user);
    const hidden = new Set(untrusted.map(({ id }) => id));
    const pointedAt = [...this.pointedAt.values()].filter(({ id }) => !hidden.has(id));
    const { known } = this.tellByGroup();
    return { servers: keepFirst([...known, ...pointedAt]), untrusted: untrusted.length };
  }

  /**
   * How many connections are in no group that mssql knows. mssql neither shows nor shares them, so they are not listed
   * here.
   */
  countIgnored(): number {
    return this.tellByGroup().ignored;
  }

  /** Whether it is defined only by a workspace that is not trusted. */
  isUntrusted(serverId: string): boolean {
    if (this.world.isTrusted()) return false;
    const { user, workspace } = this.readSaved();
    return listOthers(workspace, user).some(({ id }) => id === serverId);
  }

  readTarget(node: unknown): PointedAt | null {
    const found = readNode(node);
    if (found === null) return null;
    const { server, databaseName, serverNode } = found;
    this.nodes.set(server.id, serverNode);
    // It does not appear in the list. Opening it says why it is not used.
    if (this.isUntrusted(server.id)) return { server, databaseName };
    if (!this.list().servers.some(({ id }) => id === server.id)) {
      this.pointedAt.set(server.id, server);
      this.onNewServer();
    }
    return { server, databaseName };
  }

  /**
   * The server's node in mssql's tree if the user pointed at one and its address is still the server's, else undefined.
   * It is mssql's own object: only hand it back.
   */
  findNode(serverId: string): unknown {
    const node = this.nodes.get(serverId);
    const listed = this.list().servers.find(({ id }) => id === serverId);
    return listed !== undefined && readNode(node)?.server.server === listed.server ? node : undefined;
  }

  /** How a server's profile logs in, by the settings or by the node that the user pointed at. */
  readLogin(serverId: string): ProfileLogin {
    const { user, workspace } = this.world.readConnections();
    const written = [...toArray(user), ...toArray(workspace)].find(
      (entry) => readMssqlProfile(entry)?.id === serverId,
    );
    return readLogin(written ?? read(this.nodes.get(serverId), 'connectionProfile'));
  }

  /** How many entries of the settings are not connections. */
  countDamaged(): number {
    const { user, workspace } = this.world.readConnections();
    return [...toArray(user), ...toArray(workspace)].filter((entry) => readMssqlProfile(entry) === null)
      .length;
  }

  /** The connections that mssql uses, in the order of its tree. */
  private tellByGroup(): { readonly known: readonly HostServer[]; readonly ignored: number } {
    const { user, workspace } = this.world.readConnections();
    const written = this.world.readGroups();
    const groups = new ConnectionGroups([...toArray(written.user), ...toArray(written.workspace)]);
    const isStarted = this.world.findExtension()?.isActive === true;
    const profiles = new Map<string, unknown>();
    for (const profile of [...toArray(user), ...(this.world.isTrusted() ? toArray(workspace) : [])]) {
      const id = readMssqlProfile(profile)?.id;
      if (id !== undefined && !profiles.has(id)) profiles.set(id, profile);
    }
    const known = [...profiles.values()].filter((profile) => groups.knows(profile, isStarted));
    return {
      known: groups.sort(known).flatMap((profile) => readMssqlProfile(profile) ?? []),
      ignored: profiles.size - known.length,
    };
  }

  private readSaved(): { readonly user: readonly HostServer[]; readonly workspace: readonly HostServer[] } {
    const { user, workspace } = this.world.readConnections();
    return { user: readProfiles(user), workspace: readProfiles(workspace) };
  }
}

function readProfiles(value: unknown): readonly HostServer[] {
  return keepFirst(toArray(value).flatMap((entry) => readMssqlProfile(entry) ?? []));
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function keepFirst(servers: readonly HostServer[]): readonly HostServer[] {
  const byId = new Map<string, HostServer>();
  for (const server of servers) if (!byId.has(server.id)) byId.set(server.id, server);
  return [...byId.values()];
}

function listOthers(servers: readonly HostServer[], known: readonly HostServer[]): readonly HostServer[] {
  return servers.filter(({ id }) => !known.some((each) => each.id === id));
}

/** The group at the top. Up to 1.38 it has this name and another id, which 1.39 replaces when it starts. */
const ROOT = 'ROOT';

/**
 * The groups of mssql's connections. mssql ignores a connection that is in no group that it knows, and shows the others
 * by group (connectionConfig.ts and connectionGroupNode.ts, v1.34.1 to v1.45).
 */
class ConnectionGroups {
  private readonly groups: readonly unknown[];
  private readonly rootId: string;
  private readonly ids: ReadonlySet<string>;

  /** @param groups as in the settings: the user's, then the workspace's */
  constructor(groups: readonly unknown[]) {
    this.groups = groups.filter((group) => readText(group, 'id') !== null);
    const named = this.groups.find((group) => read(group, 'name') === ROOT);
    const isOld = named !== undefined && !this.groups.some((group) => read(group, 'id') === ROOT);
    this.rootId = (isOld ? readText(named, 'id') : null) ?? ROOT;
    const ids = this.groups.map((group) => readText(group, 'id') ?? '');
    // Since 1.39 a group below an unknown one is unknown too.
    const known = this.groups.filter(
      (group) => isOld || [...ids, this.rootId].includes(this.readParent(group)),
    );
    this.ids = new Set([this.rootId, ...known.map((group) => readText(group, 'id') ?? '')]);
  }

  /**
   * Whether mssql uses a connection. If there are no groups in the settings, mssql was never started or is older than
   * groups, so every connection counts.
   * @param isStarted when mssql starts, it puts connections without a group into the top one; one that is added later
   * waits for the next start
   */
  knows(profile: unknown, isStarted: boolean): boolean {
    if (this.groups.length === 0) return true;
    const groupId = read(profile, 'groupId');
    return groupId === undefined ? !isStarted : typeof groupId === 'string' && this.ids.has(groupId);
  }

  /**
   * In the order of its tree with every group open: groups before connections, those with a place of their own (since
   * 1.44) first, the rest by name.
   */
  sort(profiles: readonly unknown[]): readonly unknown[] {
    const places = this.listPlaces();
    const findPlace = (profile: unknown): number =>
      places.get(readText(profile, 'groupId') ?? this.rootId) ?? places.size;
    return [...profiles].sort((a, b) => findPlace(a) - findPlace(b) || compare(a, b, nameConnection));
  }

  /** The order of the groups' own connections: each group comes after the groups inside it. */
  private listPlaces(): ReadonlyMap<string, number> {
    const places = new Map<string, number>();
    const seen = new Set<string>();
    const visit = (id: string): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const inside = this.groups.filter(
        (group) => read(group, 'id') !== this.rootId && this.readParent(group) === id,
      );
      for (const group of inside.sort((a, b) => compare(a, b, nameGroup))) visit(readText(group, 'id') ?? '');
      places.set(id, places.size);
    };
    visit(this.rootId);
    return places;
  }

  private readParent(group: unknown): string {
    return readText(group, 'parentId') ?? this.rootId;
  }
}

function compare(a: unknown, b: unknown, nameOf: (item: unknown) => string): number {
  const [one, other] = [readOrder(a), readOrder(b)];
  // Infinity minus Infinity is not a number.
  return one === other ? nameOf(a).toLowerCase().localeCompare(nameOf(b).toLowerCase()) : one - other;
}

function readOrder(item: unknown): number {
  const order = read(item, 'order');
  return typeof order === 'number' && Number.isFinite(order) && order >= 0 ? order : Infinity;
}

function nameGroup(group: unknown): string {
  return readText(group, 'name') ?? '';
}

/** The beginning of its row in mssql's tree. */
function nameConnection(profile: unknown): string {
  return (
    readText(profile, 'profileName') ??
    `${readText(profile, 'server') ?? ''}, ${readText(profile, 'database') ?? '<default>'} (${readText(profile, 'user') ?? ''})`
  );
}
