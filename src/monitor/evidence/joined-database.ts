/** One database that is there now, with everything that was read of it from any source. A database is its id and its create_date. */
import type { DatabaseFacts, Facts } from '../../core/advice/facts';
import type { CapturedDatabase } from '../../core/capture/checkpoint-columns';
import type { BackupRun } from '../../core/task/backup-rows';
import type { ChangeMoment, DatabaseChange } from '../../core/task/change-moment';
import { readUtcTime, toUtcMs } from '../../core/time';

export interface JoinedDatabase {
  readonly databaseId: number;
  readonly name: string;
  /** null: could not be read. */
  readonly targetSeconds: number | null;
  /** When it was created, from create_date with the offset in force now; -Infinity where that cannot be read. */
  readonly createdUtcMs: number;
  /** Index into the capture's list of databases; null where it is not in it. */
  readonly captured: number | null;
  /** Index into the list of databases whose write work was sampled; null where it was not. */
  readonly sampled: number | null;
  readonly changes: readonly ChangeMoment[];
  /** When its FlushCache messages were written; null: no error log could be read. */
  readonly flushCacheUtcMs: readonly number[] | null;
  /** null: could not be read. */
  readonly backups: readonly BackupRun[] | null;
}

/** What is known beside the facts. */
interface JoinSources {
  readonly captured: readonly CapturedDatabase[];
  readonly sampled: readonly CapturedDatabase[];
  /** Seen by us or set by hand, by id. */
  readonly changes: readonly DatabaseChange[];
  /** By name, as the error log says; null: no error log could be read. */
  readonly loggedChanges: ReadonlyMap<string, readonly ChangeMoment[]> | null;
  /** By id; null: no error log could be read. */
  readonly flushCache: ReadonlyMap<number, readonly number[]> | null;
  readonly backups: ReadonlyMap<string, readonly BackupRun[]> | null;
}

export function joinDatabases(facts: Facts, sources: JoinSources): readonly JoinedDatabase[] {
  const { backups } = sources;
  const captured = indexDatabases(sources.captured);
  const sampled = indexDatabases(sources.sampled);
  return facts.databases.map((database) => {
    const { databaseId, name, targetSeconds } = database;
    const createdUtcMs = findCreation(database, facts);
    const isOwn = (utcMs: number): boolean => isOf({ createdUtcMs }, utcMs);
    const changes = [
      ...sources.changes.filter((change) => change.databaseId === databaseId),
      ...(sources.loggedChanges?.get(name) ?? []),
    ].filter(({ atUtcMs }) => isOwn(atUtcMs));
    return {
      databaseId,
      name,
      targetSeconds,
      createdUtcMs,
      captured: captured(database),
      sampled: sampled(database),
      changes,
      flushCacheUtcMs: sources.flushCache && (sources.flushCache.get(databaseId) ?? []).filter(isOwn),
      backups: backups && (backups.get(name) ?? []).filter(({ beginUtcMs }) => isOwn(beginUtcMs)),
    };
  });
}

/** Whether what bears its id or name at that time is of this database; what is older is of another one that had them. */
export function isOf({ createdUtcMs }: Pick<JoinedDatabase, 'createdUtcMs'>, utcMs: number): boolean {
  return utcMs >= createdUtcMs - HOUR_MS;
}

/** The offset at the time of creation may have been another than now. */
const HOUR_MS = 3_600_000;

function findCreation({ createdLocal }: DatabaseFacts, { server }: Facts): number {
  const localMs = readUtcTime(createdLocal);
  return localMs === null ? -Infinity : toUtcMs(localMs, server.utcOffsetMinutes);
}

type FindIndex = (database: DatabaseFacts) => number | null;

/** By id and create_date; by the id alone where the list does not say when it was created. */
function indexDatabases(list: readonly CapturedDatabase[]): FindIndex {
  const indexes = new Map<string, number>();
  list.forEach(({ databaseId, createdLocal }, index) => indexes.set(`${databaseId} ${createdLocal ?? ''}`, index));
  return ({ databaseId, createdLocal }) => indexes.get(`${databaseId} ${createdLocal}`) ?? indexes.get(`${databaseId} `) ?? null;
}
