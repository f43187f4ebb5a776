/** Which databases of a capture are there now, were there before it began, and are recorded. */
import type { DatabaseFacts, Facts } from '../../core/advice/facts';
import type { CaptureRecord } from '../../core/capture/capture-record';
import { identityOf, LAST_SYSTEM_ID } from '../../core/capture/catalog';
import { HOUR_MS, readUtcTime, toUtcMs } from '../../core/time';

/** Databases that are there now, by index in the capture's list. */
export type Living = ReadonlyMap<number, DatabaseFacts>;

/**
 * The databases of the capture that are there now, by index. A database_id is used again when its database is gone, so
 * `identityOf` says which it is. If the capture does not say when a database was created, its name must not contradict.
 */
export function findLiving(capture: Pick<CaptureRecord, 'databases'>, facts: Facts): Living {
  const now = new Map(facts.databases.map((database) => [database.databaseId, database]));
  const living = new Map<number, DatabaseFacts>();
  capture.databases.forEach(({ databaseId, createdLocal, name }, index) => {
    const database = now.get(databaseId);
    if (database === undefined) return;
    const isSame = identityOf({ databaseId, createdLocal }) === identityOf(database);
    if (createdLocal === null ? name === null || name === database.name : isSame) living.set(index, database);
  });
  return living;
}

/** Ids of the databases of the capture that are there now. */
export function listKnown(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  return new Set([...findLiving(capture, facts).values()].map(({ databaseId }) => databaseId));
}

/** Ids of the databases that existed before the capture began, by their create_date, unless it contradicts. */
export function listThere(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  const known = listKnown(capture, facts);
  const captured = new Set(capture.databases.map(({ databaseId }) => databaseId));
  // An hour, in case the clock has changed between summer and winter since.
  const beginUtcMs = (capture.observation?.beginUtcMs ?? -Infinity) - HOUR_MS;
  const there = facts.databases.filter(({ databaseId, createdLocal }) => {
    if (captured.has(databaseId)) return known.has(databaseId);
    const createdMs = databaseId <= LAST_SYSTEM_ID ? -Infinity : readUtcTime(createdLocal);
    return createdMs !== null && toUtcMs(createdMs, facts.server.utcOffsetMinutes) < beginUtcMs;
  });
  return new Set(there.map(({ databaseId }) => databaseId));
}

/**
 * Ids of the databases that a session records, or recorded earlier in the capture; null: all.
 * @param databaseIds those it records now
 */
export function listRecorded(
  capture: CaptureRecord,
  databaseIds: readonly number[] | null,
): ReadonlySet<number> | null {
  const earlier = (capture.observation?.gaps ?? []).flatMap(({ databases }) =>
    databases === undefined ? [] : [databases.before],
  );
  if (databaseIds === null || earlier.includes(null)) return null;
  return new Set([...databaseIds, ...earlier.flatMap((ids) => ids ?? [])]);
}
