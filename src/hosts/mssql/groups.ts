/**
 * The groups of mssql's connections: it ignores a connection that is in none that it knows, and shows the others by group (connectionConfig.ts and
 * connectionGroupNode.ts, v1.34.1 to v1.45).
 */
import { read, readText } from './foreign';

/** The group at the top. Up to 1.38 it has this name and some other id, which 1.39 replaces when it starts. */
const ROOT = 'ROOT';

export class ConnectionGroups {
  private readonly groups: readonly unknown[];
  private readonly rootId: string;
  private readonly ids: ReadonlySet<string>;

  /** @param groups as they are written: the user's, then the workspace's */
  constructor(groups: readonly unknown[]) {
    this.groups = groups.filter((group) => readText(group, 'id') !== null);
    const named = this.groups.find((group) => read(group, 'name') === ROOT);
    const isOld = named !== undefined && !this.groups.some((group) => read(group, 'id') === ROOT);
    this.rootId = (isOld ? readText(named, 'id') : null) ?? ROOT;
    const ids = this.groups.map((group) => readText(group, 'id') ?? '');
    // Since 1.39 a group below an unknown one is unknown itself.
    const known = this.groups.filter((group) => isOld || [...ids, this.rootId].includes(this.readParent(group)));
    this.ids = new Set([this.rootId, ...known.map((group) => readText(group, 'id') ?? '')]);
  }

  /**
   * Whether mssql uses a connection. Where no group is written there is nothing to go by: it has not been started yet, or it is older than groups.
   * @param isStarted when it starts, it puts connections without a group into the one at the top; one that is written later waits for the next start
   */
  knows(profile: unknown, isStarted: boolean): boolean {
    if (this.groups.length === 0) return true;
    const groupId = read(profile, 'groupId');
    return groupId === undefined ? !isStarted : typeof groupId === 'string' && this.ids.has(groupId);
  }

  /** In the order of its tree, as if every group were open: groups before connections, what has a place of its own (since 1.44) before the rest, the rest by name. */
  sort(profiles: readonly unknown[]): readonly unknown[] {
    const places = this.listPlaces();
    const findPlace = (profile: unknown): number => places.get(readText(profile, 'groupId') ?? this.rootId) ?? places.size;
    return [...profiles].sort((a, b) => findPlace(a) - findPlace(b) || compare(a, b, nameConnection));
  }

  /** Groups in the order in which their own connections come: each behind the groups that are in it. */
  private listPlaces(): ReadonlyMap<string, number> {
    const places = new Map<string, number>();
    const seen = new Set<string>();
    const visit = (id: string): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const inside = this.groups.filter((group) => read(group, 'id') !== this.rootId && this.readParent(group) === id);
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
  // Infinity less Infinity is no number.
  return one === other ? nameOf(a).toLowerCase().localeCompare(nameOf(b).toLowerCase()) : one - other;
}

function readOrder(item: unknown): number {
  const order = read(item, 'order');
  return typeof order === 'number' && Number.isFinite(order) && order >= 0 ? order : Infinity;
}

function nameGroup(group: unknown): string {
  return readText(group, 'name') ?? '';
}

/** As its row in mssql's tree begins. */
function nameConnection(profile: unknown): string {
  return (
    readText(profile, 'profileName') ??
    `${readText(profile, 'server') ?? ''}, ${readText(profile, 'database') ?? '<default>'} (${readText(profile, 'user') ?? ''})`
  );
}
