/**
 * The SQL Server connections that Azure Data Studio knows: saved ones, those in use, and those at which the user
 * pointed in this window.
 */
import type { HostServer, ServerListing } from '../host';
import { describeHostServer, isCopyOf, reachesSame, readAzdataProfile, type AzdataProfile } from './profile';
import type { AzdataWorld } from './world';

/** Connections in the settings: the user's own, and those that the opened workspace defines. */
interface Stored {
  readonly user: readonly AzdataProfile[];
  readonly workspace: readonly AzdataProfile[];
  /** False if nothing could be read. Then we cannot tell a saved connection from one that was used only once. */
  readonly isKnown: boolean;
}

export class AzdataServers {
  private readonly pointedAt = new Map<string, AzdataProfile>();
  private listed: readonly AzdataProfile[] = [];
  /** The host's id of each connection that we opened, by the id of the server. Valid while the window is open. */
  readonly ours = new Map<string, string>();

  constructor(private readonly world: AzdataWorld) {}

  async list(): Promise<ServerListing> {
    const { getConnections } = this.world.azdata.connection;
    const [known, active] = await Promise.all([getConnections(false), getConnections(true)]);
    const inUse = new Set(active.map(({ connectionId }) => connectionId));
    const stored = this.readStored();
    this.listed = this.arrange(this.choose(readProfiles(known), inUse, stored), stored);
    const others = [...this.pointedAt.values()].filter(
      (profile) => this.findKnown(profile) === null && !this.isForbidden(profile, stored),
    );
    return {
      servers: [...this.listed, ...others].map(describeHostServer),
      untrusted: this.world.vscode.workspace.isTrusted ? 0 : listForeign(stored).length,
    };
  }

  /** How many are saved, and how many are in use. */
  async count(): Promise<{ readonly saved: number; readonly inUse: number }> {
    const { user, workspace } = this.readStored();
    const active = readProfiles(await this.world.azdata.connection.getConnections(true));
    return {
      saved: user.length + (this.world.vscode.workspace.isTrusted ? workspace.length : 0),
      inUse: active.length,
    };
  }

  /** The server of a profile from a menu or an event; remembered if it is not listed. */
  point(profile: AzdataProfile): HostServer {
    const known = this.findKnown(profile);
    if (known === null) this.pointedAt.set(profile.id, profile);
    return describeHostServer(known ?? profile);
  }

  /** The profile that is listed under this id, or the same connection under another id. */
  findKnown(profile: AzdataProfile): AzdataProfile | null {
    const own = [...this.ours].find(([, live]) => live === profile.id)?.[0] ?? profile.id;
    const all = this.listAll();
    return all.find(({ id }) => id === own) ?? all.find((one) => isCopyOf(profile, one)) ?? null;
  }

  /** The profile with this id that is listed, saved or was pointed at. */
  find(id: string): AzdataProfile | null {
    return this.listAll().find((profile) => profile.id === id) ?? this.pointedAt.get(id) ?? null;
  }

  /** Whether it is defined only by a workspace that is not trusted. */
  isForbidden(profile: AzdataProfile, stored = this.readStored()): boolean {
    if (this.world.vscode.workspace.isTrusted) return false;
    const isMeant = (one: AzdataProfile): boolean => one.id === profile.id || reachesSame(one, profile);
    return (
      listForeign(stored).some(isMeant) &&
      !stored.user.some((one) => one.id === profile.id && reachesSame(one, profile))
    );
  }

  /**
   * `getConnections(false)` gives the connections in use, then recent ones, then saved ones
   * (connectionManagementService.ts, getConnections). Recent ones that are neither saved nor in use are left out, as in
   * the host's own tree. A copy under a new id counts as the connection that it copies.
   */
  private choose(
    known: readonly AzdataProfile[],
    inUse: ReadonlySet<string>,
    stored: Stored,
  ): readonly AzdataProfile[] {
    const saved = [...stored.user, ...stored.workspace];
    const live = new Set(this.ours.values());
    return known.filter((profile, index) => {
      if (live.has(profile.id) || this.isForbidden(profile, stored)) return false;
      if (known.findIndex(({ id }) => id === profile.id) < index) return false;
      if (!stored.isKnown || saved.some(({ id }) => id === profile.id)) return true;
      const originals = [...saved, ...known.slice(0, index)];
      return inUse.has(profile.id) && !originals.some((one) => isCopyOf(profile, one));
    });
  }

  /**
   * In the order of the host's tree with every group open (connectionStore.ts, convertToConnectionGroup;
   * connectionConfig.ts): a group's connections, then its groups, each in the order of the settings or by name.
   * Connections that are not saved come first, as the host lists them.
   */
  private arrange(chosen: readonly AzdataProfile[], { user, workspace }: Stored): readonly AzdataProfile[] {
    const places = this.placeGroups();
    const savedIds = [...user, ...workspace].map(({ id }) => id);
    const isByName = this.readOrder() === 'displayName';
    const placeOf = ({ id, groupId }: AzdataProfile): number =>
      savedIds.includes(id) ? (places.get(groupId) ?? places.size) : -1;
    const compare = (a: AzdataProfile, b: AzdataProfile): number => {
      const [one, other] = [placeOf(a), placeOf(b)];
      if (one !== other) return one - other;
      if (one === -1) return 0;
      return isByName
        ? compareTexts(nameProfile(a), nameProfile(b))
        : savedIds.indexOf(a.id) - savedIds.indexOf(b.id);
    };
    return [...chosen].sort(compare);
  }

  private placeGroups(): ReadonlyMap<string, number> {
    const inspected = this.world.vscode.workspace
      .getConfiguration('datasource')
      .inspect<unknown>('connectionGroups');
    const written = [inspected?.workspaceValue, inspected?.globalValue].flatMap((value) =>
      Array.isArray(value) ? (value as unknown[]) : [],
    );
    const groups = written.flatMap((value) => readGroup(value) ?? []);
    if (this.readOrder() === 'displayName') groups.sort((a, b) => compareTexts(a.name, b.name));
    const places = new Map<string, number>();
    const visit = (parentId: string): void => {
      for (const { id } of groups.filter((group) => group.parentId === parentId && !places.has(group.id))) {
        places.set(id, places.size);
        visit(id);
      }
    };
    visit('');
    return places;
  }

  private readOrder(): unknown {
    return this.world.vscode.workspace.getConfiguration('datasource').get<unknown>('connectionsSortOrder');
  }

  /** Saved ones before those in use: the latter name the database that the login got, although the user named none. */
  private listAll(): readonly AzdataProfile[] {
    const { user, workspace } = this.readStored();
    return [...user, ...workspace, ...this.listed];
  }

  private readStored(): Stored {
    const inspected = this.world.vscode.workspace
      .getConfiguration('datasource')
      .inspect<unknown>('connections');
    const [user, workspace] = [inspected?.globalValue, inspected?.workspaceValue];
    return {
      user: readProfiles(user),
      workspace: readProfiles(workspace),
      isKnown: Array.isArray(user) || Array.isArray(workspace),
    };
  }
}

/** Connections of the workspace that the user's own settings do not contain in the same form. */
function listForeign({ user, workspace }: Stored): readonly AzdataProfile[] {
  return workspace.filter(
    (profile) => !user.some((one) => one.id === profile.id && reachesSame(one, profile)),
  );
}

/** The beginning of its row in the host's tree. */
function nameProfile({ connectionName, serverName, databaseName, userName }: AzdataProfile): string {
  return connectionName || `${serverName}, ${databaseName || '<default>'} (${userName})`;
}

/** Compares by code units, as the host does. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function readGroup(
  value: unknown,
): { readonly id: string; readonly parentId: string; readonly name: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, parentId, name } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '') return null;
  return {
    id,
    parentId: typeof parentId === 'string' ? parentId : '',
    name: typeof name === 'string' ? name : '',
  };
}

function readProfiles(values: unknown): readonly AzdataProfile[] {
  if (!Array.isArray(values)) return [];
  return values.map(readAzdataProfile).filter((profile): profile is AzdataProfile => profile !== null);
}
