/**
 * What the server's catalog says of its databases at one moment, and since when each database_id belongs to its
 * database.
 */
import { readUtcTime, toUtcMs } from '../time';

/** One row of sys.databases. */
export interface CatalogDatabase {
  readonly databaseId: number;
  readonly name: string;
  /** create_date, style 126, server local time; null if this login does not see it. */
  readonly createdLocal: string | null;
  /**
   * create_date as UTC, by the server's present offset. It may be an hour off if clocks were changed since. null if
   * this login does not see it.
   */
  readonly createdUtcMs: number | null;
}

/** All databases that the login sees. */
export interface Catalog {
  /** The server's clock when it was read, or shortly before. */
  readonly readUtcMs: number;
  readonly utcOffsetMinutes: number;
  readonly databases: readonly CatalogDatabase[];
}

/** master, tempdb, model and msdb always keep their ids; the create_date of tempdb is the start of the server. */
export const LAST_SYSTEM_ID = 4;

/**
 * The same text for the same database: its id and create_date, for system databases the id alone.
 * @param database without a date if that is not known
 */
export function identityOf({
  databaseId,
  createdLocal,
}: {
  readonly databaseId: number;
  readonly createdLocal: string | null;
}): string {
  return databaseId <= LAST_SYSTEM_ID ? `${databaseId} ` : `${databaseId} ${createdLocal ?? ''}`;
}

/** Summer time moves clocks by an hour at most. */
const OFFSET_DOUBT_MS = 3_600_000;
/** Clocks change twice a year, months apart: if the offset is the same at both ends of a week, it was in between. */
const SURE_OFFSET_MS = 7 * 86_400_000;
/** The catalog is read a moment after the clock. */
const READING_MS = 60_000;

/** When the database that had the id before was last seen in the catalog. */
interface LastSeen {
  readonly utcMs: number;
  readonly utcOffsetMinutes: number;
}

/**
 * When a database got its id: events before `fromUtcMs` belong to the database before it, events from `toUtcMs` on to
 * itself.
 */
interface Arrival {
  readonly fromUtcMs: number;
  readonly toUtcMs: number;
}

/**
 * When a database got its id, as closely as can be told. create_date is local time, and the offset at that time is not
 * known. If two readings of the catalog, a week apart at most, agree in the offset, it is that one. Otherwise the time
 * may be an hour off, and events of that hour belong to neither. In any case the change lies between the last look that
 * showed the earlier database and the first that showed this one.
 */
export function findArrival(database: CatalogDatabase, catalog: Catalog, before: LastSeen | null): Arrival {
  const seenUtcMs = before?.utcMs ?? -Infinity;
  const { createdUtcMs } = database;
  if (createdUtcMs === null)
    return { fromUtcMs: seenUtcMs, toUtcMs: before === null ? -Infinity : catalog.readUtcMs };
  const isJustNow = createdUtcMs > catalog.readUtcMs && createdUtcMs <= catalog.readUtcMs + READING_MS;
  const isWithin = createdUtcMs >= seenUtcMs && (isJustNow || createdUtcMs <= catalog.readUtcMs);
  const isSure =
    before?.utcOffsetMinutes === catalog.utcOffsetMinutes && catalog.readUtcMs - seenUtcMs <= SURE_OFFSET_MS;
  if (isWithin && isSure) return { fromUtcMs: createdUtcMs, toUtcMs: createdUtcMs };
  const fromUtcMs = Math.max(createdUtcMs - OFFSET_DOUBT_MS, seenUtcMs);
  const toUtcMs = Math.min(createdUtcMs + OFFSET_DOUBT_MS, catalog.readUtcMs);
  // An impossible date: the change may have been at any time in between.
  return fromUtcMs <= toUtcMs
    ? { fromUtcMs, toUtcMs }
    : { fromUtcMs: Math.min(seenUtcMs, catalog.readUtcMs), toUtcMs: catalog.readUtcMs };
}

/** Makes the catalog from rows of sys.databases that were read together. */
export function createCatalog(
  databases: readonly {
    readonly databaseId: number;
    readonly name: string;
    readonly createdLocal: string | null;
  }[],
  readUtcMs: number,
  utcOffsetMinutes: number,
): Catalog {
  const catalogDatabases = databases.map(({ databaseId, name, createdLocal }) => {
    const localMs = createdLocal === null ? null : readUtcTime(createdLocal);
    return {
      databaseId,
      name,
      createdLocal,
      createdUtcMs: localMs === null ? null : toUtcMs(localMs, utcOffsetMinutes),
    };
  });
  return { readUtcMs, utcOffsetMinutes, databases: catalogDatabases };
}
