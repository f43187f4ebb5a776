/** The SQL Server connections that Azure Data Studio knows: saved ones, those in use, and those that a menu pointed at in this window. */
import type { HostServer, ServerListing } from '../host';
import { describeServer, isCopyOf, reachesSame, readProfile, type AzdataProfile } from './profile';
import type { AzdataWorld } from './world';

/** Connections as the settings hold them: what is the user's own, and what the opened workspace defines. */
interface Stored {
  readonly user: readonly AzdataProfile[];
  readonly workspace: readonly AzdataProfile[];
  /** False where nothing could be read, so that what is saved and what was only used once cannot be told apart. */
  readonly isKnown: boolean;
}

export class AzdataServers {
  private readonly pointedAt = new Map<string, AzdataProfile>();
  private listed: readonly AzdataProfile[] = [];
  /** The id under which the host keeps what we connected, by the id of the server. It lives as long as the window. */
  readonly ours = new Map<string, string>();

  constructor(private readonly world: AzdataWorld) {}

  async list(): Promise<ServerListing> {
    const { getConnections } = this.world.azdata.connection;
    const [known, active] = await Promise.all([getConnections(false), getConnections(true)]);
    const inUse = new Set(active.map(({ connectionId }) => connectionId));
    const stored = this.readStored();
    this.listed = this.choose(readProfiles(known), inUse, stored);
    const others = [...this.pointedAt.values()].filter((profile) => this.findKnown(profile) === null && !this.isForbidden(profile, stored));
    return {
      servers: [...this.listed, ...others].map(describeServer),
      untrusted: this.world.vscode.workspace.isTrusted ? 0 : listForeign(stored).length,
    };
  }

  /** How many are saved, and how many are in use. */
  async count(): Promise<{ readonly saved: number; readonly inUse: number }> {
    const { user, workspace } = this.readStored();
    const active = readProfiles(await this.world.azdata.connection.getConnections(true));
    return { saved: user.length + (this.world.vscode.workspace.isTrusted ? workspace.length : 0), inUse: active.length };
  }

  /** The server of a profile that a menu handed over or an event is about; remembered where it is not listed. */
  point(profile: AzdataProfile): HostServer {
    const known = this.findKnown(profile);
    if (known === null) this.pointedAt.set(profile.id, profile);
    return describeServer(known ?? profile);
  }

  /** The profile that is listed under this id, or under another one as the same connection. */
  findKnown(profile: AzdataProfile): AzdataProfile | null {
    const own = [...this.ours].find(([, live]) => live === profile.id)?.[0] ?? profile.id;
    const all = this.listAll();
    return all.find(({ id }) => id === own) ?? all.find((one) => isCopyOf(profile, one)) ?? null;
  }

  /** What is listed, saved or was pointed at under this id. */
  find(id: string): AzdataProfile | null {
    return this.listAll().find((profile) => profile.id === id) ?? this.pointedAt.get(id) ?? null;
  }

  /** Whether only a workspace that is not trusted vouches for it. */
  isForbidden(profile: AzdataProfile, stored = this.readStored()): boolean {
    if (this.world.vscode.workspace.isTrusted) return false;
    const isMeant = (one: AzdataProfile): boolean => one.id === profile.id || reachesSame(one, profile);
    return listForeign(stored).some(isMeant) && !stored.user.some((one) => one.id === profile.id && reachesSame(one, profile));
  }

  /**
   * `getConnections(false)` gives those in use, then those used recently, then those saved (connectionManagementService.ts, getConnections). Recent ones that
   * are neither saved nor in use are not in its own tree either. Copies under a new id are the connection that they are copies of.
   */
  private choose(known: readonly AzdataProfile[], inUse: ReadonlySet<string>, stored: Stored): readonly AzdataProfile[] {
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

  /** As saved before as in use: the latter names the database that the login got, although the user named none. */
  private listAll(): readonly AzdataProfile[] {
    const { user, workspace } = this.readStored();
    return [...user, ...workspace, ...this.listed];
  }

  private readStored(): Stored {
    const inspected = this.world.vscode.workspace.getConfiguration('datasource').inspect<unknown>('connections');
    const [user, workspace] = [inspected?.globalValue, inspected?.workspaceValue];
    return { user: readProfiles(user), workspace: readProfiles(workspace), isKnown: Array.isArray(user) || Array.isArray(workspace) };
  }
}

/** What the workspace defines and the user does not have just so. */
function listForeign({ user, workspace }: Stored): readonly AzdataProfile[] {
  return workspace.filter((profile) => !user.some((one) => one.id === profile.id && reachesSame(one, profile)));
}

function readProfiles(values: unknown): readonly AzdataProfile[] {
  if (!Array.isArray(values)) return [];
  return values.map(readProfile).filter((profile): profile is AzdataProfile => profile !== null);
}
