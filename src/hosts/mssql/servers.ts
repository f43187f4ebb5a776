/** The servers that the SQL Server extension (mssql) knows: those in its settings, and those whose nodes were pointed at in this window. */
import type { HostServer, PointedAt, ServerListing } from '../host';
import { read } from './foreign';
import { ConnectionGroups } from './groups';
import { type ProfileLogin, readLogin, readNode, readProfile } from './profile';
import type { MssqlWorld } from './world';

export class MssqlServers {
  private readonly pointedAt = new Map<string, HostServer>();
  private readonly nodes = new Map<string, unknown>();

  /** @param onNewServer called when a node was pointed at whose server is not listed */
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

  /** How many are in no group that mssql knows: it neither shows nor shares them, so they are not listed here. */
  countIgnored(): number {
    return this.tellByGroup().ignored;
  }

  /** Whether only a workspace that is not trusted defines it. */
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
    // Opening it says why it is not used; in the list it does not appear.
    if (this.isUntrusted(server.id)) return { server, databaseName };
    if (!this.list().servers.some(({ id }) => id === server.id)) {
      this.pointedAt.set(server.id, server);
      this.onNewServer();
    }
    return { server, databaseName };
  }

  /** The server's node in mssql's tree, as far as one was pointed at; undefined otherwise. mssql's own object: to be handed back and nothing else. */
  findNode(serverId: string): unknown {
    return this.nodes.get(serverId);
  }

  /** How a server's profile logs in, as the settings or the node that was pointed at say. */
  readLogin(serverId: string): ProfileLogin {
    const { user, workspace } = this.world.readConnections();
    const written = [...toArray(user), ...toArray(workspace)].find((entry) => readProfile(entry)?.id === serverId);
    return readLogin(written ?? read(this.nodes.get(serverId), 'connectionProfile'));
  }

  /** How many entries of the settings are no connections. */
  countDamaged(): number {
    const { user, workspace } = this.world.readConnections();
    return [...toArray(user), ...toArray(workspace)].filter((entry) => readProfile(entry) === null).length;
  }

  /** Those that mssql uses, in the order of its tree. */
  private tellByGroup(): { readonly known: readonly HostServer[]; readonly ignored: number } {
    const { user, workspace } = this.world.readConnections();
    const written = this.world.readGroups();
    const groups = new ConnectionGroups([...toArray(written.user), ...toArray(written.workspace)]);
    const isStarted = this.world.findExtension()?.isActive === true;
    const profiles = new Map<string, unknown>();
    for (const profile of [...toArray(user), ...(this.world.isTrusted() ? toArray(workspace) : [])]) {
      const id = readProfile(profile)?.id;
      if (id !== undefined && !profiles.has(id)) profiles.set(id, profile);
    }
    const known = [...profiles.values()].filter((profile) => groups.knows(profile, isStarted));
    return {
      known: groups.sort(known).flatMap((profile) => readProfile(profile) ?? []),
      ignored: profiles.size - known.length,
    };
  }

  private readSaved(): { readonly user: readonly HostServer[]; readonly workspace: readonly HostServer[] } {
    const { user, workspace } = this.world.readConnections();
    return { user: readProfiles(user), workspace: readProfiles(workspace) };
  }
}

function readProfiles(value: unknown): readonly HostServer[] {
  return keepFirst(toArray(value).flatMap((entry) => readProfile(entry) ?? []));
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
