import type { DatabaseState } from './capture-state';
import { type Catalog, type CatalogDatabase, findArrival, LAST_SYSTEM_ID } from './catalog';
import type { CapturedDatabase } from './checkpoint-columns';
import type { CheckpointEvent, MalformedEvent } from '../events/event';
import { type Handover, NO_DATABASE } from './handovers';

/** The `database` column is 16 bits wide, and its last number means no database. */
export const MOST_DATABASES = NO_DATABASE;
/** No column yet, or no room for one. */
const NO_COLUMN = -1;
/** A power of two. Most ids are found here without a look into the map. */
const NEAR = 1024;

/** A database, and the time in which events of its id belong to it. */
interface Tenancy {
  /** Its number here, which stays. It gets its column with the first event. */
  readonly owner: number;
  readonly databaseId: number;
  createdLocal: string | null;
  name: string | null;
  fromUtcMs: number;
  toUtcMs: number;
  seenUtcMs: number | null;
  seenOffsetMinutes: number | null;
  /** Its earliest event. */
  firstEventUtcMs: number;
  column: number;
}

/** All databases that had one id, one after the other. The last one is looked at first. */
interface Bearers {
  readonly tenancies: Tenancy[];
  last: Tenancy;
  /** The owner for times at which it is not known whose the id was; -1 until it is needed. */
  doubt: number;
}

/**
 * The one place that knows which database a value of the `database` column means, and whose a database_id was at which
 * time.
 */
export class DatabaseIndex {
  private readonly byId = new Map<number, Bearers>();
  /**
   * The last database of each id asked for lately, by the lowest bits of the id, once it has a column. Emptied by each
   * catalog.
   */
  private readonly near: (Tenancy | undefined)[] = new Array<undefined>(NEAR).fill(undefined);
  /** By owner; null if it is not known whose the id was. */
  private readonly owners: (Tenancy | null)[] = [];
  private readonly ids: number[] = [];
  /** Whether any owner is one that is not known. */
  hasDoubts = false;
  private readonly columns: Tenancy[] = [];
  private items: readonly CapturedDatabase[] | null = [];

  /** In the order of their columns. Each change makes a new array, so that views of it stay as they were. */
  get databases(): readonly CapturedDatabase[] {
    this.items ??= this.columns.map(({ databaseId, createdLocal, name }) => ({
      databaseId,
      createdLocal,
      name,
    }));
    return this.items;
  }

  /** The owner of an event of that id and time; -1 if no more databases fit. Gives it a column. */
  ownerAt(databaseId: number, atUtcMs: number): number {
    return this.ownerOf({ databaseId, atUtcMs });
  }

  /** The same for an event. Passing its time as a number would make an object for the call. */
  ownerOf(event: Pick<CheckpointEvent, 'databaseId' | 'atUtcMs'>): number {
    const { databaseId, atUtcMs } = event;
    const near = this.near[databaseId & (NEAR - 1)];
    if (near === undefined || near.databaseId !== databaseId || !isWithin(near, atUtcMs))
      return this.findOwner(databaseId, atUtcMs);
    if (atUtcMs < near.firstEventUtcMs) near.firstEventUtcMs = atUtcMs;
    return near.owner;
  }

  idOf(owner: number): number {
    return this.ids[owner] ?? 0;
  }

  /** The value of the `database` column; null if the owner is not known. */
  columnOf(owner: number): number | null {
    return this.owners[owner]?.column ?? null;
  }

  /** Takes the catalog. @returns the owners whose events may belong to another now */
  read(catalog: Catalog): ReadonlySet<number> {
    const moved = new Set<number>();
    this.near.fill(undefined);
    for (const database of catalog.databases) this.readDatabase(database, catalog, moved);
    this.items = null;
    return moved;
  }

  /** What the databases of these owners (from `read`) hand over to the databases that have their ids now. */
  listHandovers(owners: ReadonlySet<number>): readonly Handover[] {
    return [...owners].flatMap((owner) => {
      const earlier = this.owners[owner] ?? null;
      const heir = earlier && this.byId.get(earlier.databaseId)?.last;
      if (earlier === null || heir === undefined || heir === null || earlier.column === NO_COLUMN) return [];
      const { column: database, databaseId, toUtcMs: untilUtcMs } = earlier;
      const findHeir = (beginUtcMs: number): number | null =>
        this.columnOf(this.ownerAt(databaseId, beginUtcMs));
      return [{ database, untilUtcMs, fromUtcMs: heir.fromUtcMs, findHeir }];
    });
  }

  /** Databases with a column, in the order of columns, and databases without an event so far. */
  keep(): {
    readonly databases: readonly DatabaseState[];
    readonly expectedDatabases: readonly DatabaseState[];
  } {
    const others = this.owners.filter(
      (tenancy): tenancy is Tenancy => tenancy !== null && this.columns[tenancy.column] !== tenancy,
    );
    return { databases: this.columns.map(keepTenancy), expectedDatabases: others.map(keepTenancy) };
  }

  /** Restores what `keep` gave, into an empty index. */
  restore(databases: readonly DatabaseState[], expected: readonly DatabaseState[]): void {
    for (const state of databases) this.giveColumn(this.restoreTenancy(state));
    for (const state of expected) this.restoreTenancy(state);
    for (const bearers of this.byId.values()) {
      bearers.tenancies.sort((a, b) => a.fromUtcMs - b.fromUtcMs);
      bearers.last = bearers.tenancies[bearers.tenancies.length - 1] ?? bearers.last;
    }
  }

  private findOwner(databaseId: number, atUtcMs: number): number {
    const bearers = this.byId.get(databaseId) ?? this.addBearers(databaseId);
    let tenancy: Tenancy | undefined = bearers.last;
    if (!isWithin(tenancy, atUtcMs)) tenancy = bearers.tenancies.find((each) => isWithin(each, atUtcMs));
    if (tenancy === undefined)
      return bearers.doubt >= 0 ? bearers.doubt : (bearers.doubt = this.addOwner(null, databaseId));
    if (tenancy.column === NO_COLUMN && !this.giveColumn(tenancy)) return -1;
    if (atUtcMs < tenancy.firstEventUtcMs) tenancy.firstEventUtcMs = atUtcMs;
    if (tenancy === bearers.last) this.near[databaseId & (NEAR - 1)] = tenancy;
    return tenancy.owner;
  }

  private readDatabase(database: CatalogDatabase, catalog: Catalog, moved: Set<number>): void {
    const bearers = this.byId.get(database.databaseId);
    const last = bearers?.last;
    const isSystem = database.databaseId <= LAST_SYSTEM_ID;
    const isSame =
      last !== undefined &&
      (isSystem || database.createdLocal === null || last.createdLocal === database.createdLocal);
    if (isSame) return showTenancy(last, database, catalog);
    if (isSystem || database.createdLocal === null)
      return showTenancy(this.addBearers(database.databaseId).last, database, catalog);
    const seen = last === undefined || last.seenUtcMs === null || last.createdLocal === null ? null : last;
    const before = seen && { utcMs: seen.seenUtcMs ?? 0, utcOffsetMinutes: seen.seenOffsetMinutes ?? 0 };
    const arrival = findArrival(database, catalog, before);
    if (last !== undefined && last.createdLocal === null && last.firstEventUtcMs >= arrival.toUtcMs) {
      this.identify(bearers as Bearers, arrival.fromUtcMs, arrival.toUtcMs);
      return showTenancy(last, database, catalog);
    }
    const earlier = last ?? this.addBearers(database.databaseId).last;
    earlier.toUtcMs = Math.max(arrival.fromUtcMs, earlier.fromUtcMs);
    const tenancy = this.addTenancy(
      database.databaseId,
      Math.max(arrival.toUtcMs, earlier.toUtcMs),
      Infinity,
    );
    if (last !== undefined) moved.add(earlier.owner);
    showTenancy(tenancy, database, catalog);
  }

  /** Gives all events so far to the database that the catalog shows. Earlier ones would belong to one before it. */
  private identify(bearers: Bearers, fromUtcMs: number, toUtcMs: number): void {
    const { last } = bearers;
    if (fromUtcMs > last.fromUtcMs) {
      const earlier = this.addTenancy(last.databaseId, last.fromUtcMs, fromUtcMs);
      bearers.tenancies.splice(bearers.tenancies.indexOf(earlier), 1);
      bearers.tenancies.splice(bearers.tenancies.indexOf(last), 0, earlier);
      bearers.last = last;
    }
    last.fromUtcMs = Math.max(last.fromUtcMs, toUtcMs);
  }

  private addBearers(databaseId: number): Bearers {
    this.addTenancy(databaseId, -Infinity, Infinity);
    return this.byId.get(databaseId) as Bearers;
  }

  private addTenancy(databaseId: number, fromUtcMs: number, toUtcMs: number): Tenancy {
    const tenancy: Tenancy = {
      owner: this.owners.length,
      databaseId,
      createdLocal: null,
      name: null,
      fromUtcMs,
      toUtcMs,
      seenUtcMs: null,
      seenOffsetMinutes: null,
      firstEventUtcMs: Infinity,
      column: NO_COLUMN,
    };
    this.addOwner(tenancy, databaseId);
    const bearers = this.byId.get(databaseId);
    if (bearers === undefined) this.byId.set(databaseId, { tenancies: [tenancy], last: tenancy, doubt: -1 });
    else {
      bearers.tenancies.push(tenancy);
      bearers.last = tenancy;
    }
    return tenancy;
  }

  private addOwner(tenancy: Tenancy | null, databaseId: number): number {
    if (tenancy === null) this.hasDoubts = true;
    this.ids.push(databaseId);
    return this.owners.push(tenancy) - 1;
  }

  private giveColumn(tenancy: Tenancy): boolean {
    // The same database comes back, after another server answered for a while.
    const isSame = (each: Tenancy): boolean =>
      each.column !== NO_COLUMN && each.createdLocal !== null && each.createdLocal === tenancy.createdLocal;
    const earlier = this.byId.get(tenancy.databaseId)?.tenancies.find(isSame);
    if (earlier !== undefined) tenancy.column = earlier.column;
    if (earlier !== undefined) return true;
    if (this.columns.length >= MOST_DATABASES) return false;
    tenancy.column = this.columns.push(tenancy) - 1;
    this.items = null;
    return true;
  }

  private restoreTenancy(state: DatabaseState): Tenancy {
    const tenancy = this.addTenancy(
      state.databaseId,
      state.fromUtcMs ?? -Infinity,
      state.toUtcMs ?? Infinity,
    );
    tenancy.createdLocal = state.createdLocal;
    tenancy.name = state.name;
    tenancy.seenUtcMs = state.seenUtcMs;
    tenancy.seenOffsetMinutes = state.seenOffsetMinutes;
    tenancy.firstEventUtcMs = state.firstEventUtcMs ?? Infinity;
    return tenancy;
  }
}

function isWithin({ fromUtcMs, toUtcMs }: Tenancy, atUtcMs: number): boolean {
  return atUtcMs >= fromUtcMs && atUtcMs < toUtcMs;
}

function showTenancy(
  tenancy: Tenancy,
  { name, createdLocal }: CatalogDatabase,
  { readUtcMs, utcOffsetMinutes }: Catalog,
): void {
  tenancy.name = name;
  tenancy.createdLocal = createdLocal ?? tenancy.createdLocal;
  tenancy.seenUtcMs = readUtcMs;
  tenancy.seenOffsetMinutes = utcOffsetMinutes;
}

function keepTenancy(tenancy: Tenancy): DatabaseState {
  const {
    databaseId,
    createdLocal,
    name,
    fromUtcMs,
    toUtcMs,
    seenUtcMs,
    seenOffsetMinutes,
    firstEventUtcMs,
  } = tenancy;
  return {
    databaseId,
    createdLocal,
    name,
    fromUtcMs: finite(fromUtcMs),
    toUtcMs: finite(toUtcMs),
    seenUtcMs,
    seenOffsetMinutes,
    firstEventUtcMs: finite(firstEventUtcMs),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** What an event becomes if there is no column left for its database. */
export function describeTooMany(databaseId: number): MalformedEvent {
  const detail = `Database ${databaseId} is beyond the ${MOST_DATABASES} databases that one capture can hold.`;
  return { kind: 'malformed', reason: 'too many databases', detail };
}
