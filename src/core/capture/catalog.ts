/** What the server's catalog says of its databases at one moment, and what follows for the time in which a database_id was whose. */
import { readUtcTime, toUtcMs } from '../time';

/** One row of sys.databases. */
export interface CatalogDatabase {
  readonly databaseId: number;
  readonly name: string;
  /** create_date, style 126, server local time; null where it is not shown. */
  readonly createdLocal: string | null;
  /** The same as UTC by the offset that the server has now, which may be an hour off where clocks were changed since; null where it is not shown. */
  readonly createdUtcMs: number | null;
}

/** Every database that the login sees. */
export interface Catalog {
  /** The server's clock when it was read, or shortly before. */
  readonly readUtcMs: number;
  readonly utcOffsetMinutes: number;
  readonly databases: readonly CatalogDatabase[];
}

/** master, tempdb, model and msdb keep their ids for ever; the create_date of tempdb is the start of the server. */
export const LAST_SYSTEM_ID = 4;
/** Summer time moves clocks by an hour at most. */
const OFFSET_DOUBT_MS = 3_600_000;
/** Clocks are changed twice a year, months apart: where the offset is the same at the ends of a week, it was so in between. */
const SURE_OFFSET_MS = 7 * 86_400_000;
/** The catalog is read a moment after the clock. */
const READING_MS = 60_000;

/** When the database that had the id before was last seen in the catalog. */
interface LastSeen {
  readonly utcMs: number;
  readonly utcOffsetMinutes: number;
}

/** The time in which a database came to its id: events before `fromUtcMs` are of the one before it, events from `toUtcMs` on are its own. */
interface Arrival {
  readonly fromUtcMs: number;
  readonly toUtcMs: number;
}

/**
 * When a database came to its id, as closely as can be told. create_date is local time, and which offset was in force then is not known: between two readings of
 * the catalog that lie a week apart at most and agree in the offset it is that offset; else the time may be off by an hour, and what happened in that time belongs
 * to nobody. In any case the change lies between the last time the earlier database was seen and the first time this one was.
 */
export function findArrival(database: CatalogDatabase, catalog: Catalog, before: LastSeen | null): Arrival {
  const seenUtcMs = before?.utcMs ?? -Infinity;
  const { createdUtcMs } = database;
  if (createdUtcMs === null) return { fromUtcMs: seenUtcMs, toUtcMs: before === null ? -Infinity : catalog.readUtcMs };
  const isJustNow = createdUtcMs > catalog.readUtcMs && createdUtcMs <= catalog.readUtcMs + READING_MS;
  const isWithin = createdUtcMs >= seenUtcMs && (isJustNow || createdUtcMs <= catalog.readUtcMs);
  const isSure = before?.utcOffsetMinutes === catalog.utcOffsetMinutes && catalog.readUtcMs - seenUtcMs <= SURE_OFFSET_MS;
  if (isWithin && isSure) return { fromUtcMs: createdUtcMs, toUtcMs: createdUtcMs };
  const fromUtcMs = Math.max(createdUtcMs - OFFSET_DOUBT_MS, seenUtcMs);
  const toUtcMs = Math.min(createdUtcMs + OFFSET_DOUBT_MS, catalog.readUtcMs);
  // A date that can not be: the change may have been at any time in between.
  return fromUtcMs <= toUtcMs ? { fromUtcMs, toUtcMs } : { fromUtcMs: Math.min(seenUtcMs, catalog.readUtcMs), toUtcMs: catalog.readUtcMs };
}

/** The catalog of rows of sys.databases that were read together. */
export function createCatalog(
  databases: readonly { readonly databaseId: number; readonly name: string; readonly createdLocal: string | null }[],
  readUtcMs: number,
  utcOffsetMinutes: number,
): Catalog {
  const catalogDatabases = databases.map(({ databaseId, name, createdLocal }) => {
    const localMs = createdLocal === null ? null : readUtcTime(createdLocal);
    return { databaseId, name, createdLocal, createdUtcMs: localMs === null ? null : toUtcMs(localMs, utcOffsetMinutes) };
  });
  return { readUtcMs, utcOffsetMinutes, databases: catalogDatabases };
}
