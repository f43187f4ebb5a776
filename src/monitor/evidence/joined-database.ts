/**
 * One database that is there now, with all that was read of it from any source. Its id and create_date say which
 * database it is.
 */
import { type DatabaseFacts, type Facts, findCreation } from '../../core/advice/facts';
import { findTurnTarget } from '../../core/advice/obstacle';
import { identityOf } from '../../core/capture/catalog';
import type { CapturedDatabase } from '../../core/capture/checkpoint-columns';
import type { BackupRun } from '../../core/task/backup-rows';
import type { ChangeMoment, DatabaseChange } from '../../core/task/change-moment';

export interface JoinedDatabase {
  readonly databaseId: number;
  readonly name: string;
  /** `findTurnTarget`; null also if it could not be read. */
  readonly targetSeconds: number | null;
  /** When it was created: its create_date with the offset of now; -Infinity if that cannot be read. */
  readonly createdUtcMs: number;
  /**
   * Index in the capture's list of databases; null if it is not there. `index`: the same, or one that comes after that
   * list.
   */
  readonly captured: number | null;
  readonly index: number;
  /** Index in the list of databases whose write work was sampled; null if it was not. */
  readonly sampled: number | null;
  readonly changes: readonly ChangeMoment[];
  /**
   * Changes under its name or id are older than it: a restore, a rename and DROP give a new create_date (docs/facts.md,
   * SQL Server 2).
   */
  readonly hasEarlierChanges: boolean;
  /** When its FlushCache messages were written; null: no error log could be read. */
  readonly flushCacheUtcMs: readonly number[] | null;
  /** null: could not be read. */
  readonly backups: readonly BackupRun[] | null;
}

interface JoinSources {
  readonly captured: readonly CapturedDatabase[];
  readonly sampled: readonly CapturedDatabase[];
  /** Changes that we saw or the user entered, each with its id. */
  readonly changes: readonly DatabaseChange[];
  /** Changes that the error log tells, by name; null: no error log could be read. */
  readonly loggedChanges: ReadonlyMap<string, readonly ChangeMoment[]> | null;
  /** By id; null: no error log could be read. */
  readonly flushCache: ReadonlyMap<number, readonly number[]> | null;
  readonly backups: ReadonlyMap<string, readonly BackupRun[]> | null;
}

export function joinDatabases(facts: Facts, sources: JoinSources): readonly JoinedDatabase[] {
  const { backups } = sources;
  const captured = indexDatabases(sources.captured);
  const sampled = indexDatabases(sources.sampled);
  return facts.databases.map((database, at) => {
    const { databaseId, name } = database;
    const createdUtcMs = findCreation(database, facts);
    const isOwn = (utcMs: number): boolean => isOf({ createdUtcMs }, utcMs);
    const told = [
      ...sources.changes.filter((change) => change.databaseId === databaseId),
      ...(sources.loggedChanges?.get(name) ?? []),
    ];
    const changes = told.filter(({ atUtcMs }) => isOwn(atUtcMs));
    return {
      databaseId,
      name,
      targetSeconds: findTurnTarget(database, facts),
      createdUtcMs,
      captured: captured(database),
      index: captured(database) ?? sources.captured.length + at,
      sampled: sampled(database),
      changes,
      hasEarlierChanges: changes.length < told.length,
      flushCacheUtcMs: sources.flushCache && (sources.flushCache.get(databaseId) ?? []).filter(isOwn),
      backups: backups && (backups.get(name) ?? []).filter(({ beginUtcMs }) => isOwn(beginUtcMs)),
    };
  });
}

/**
 * Whether something with its id or name at that time belongs to this database. Something older belongs to another
 * database that had them before.
 */
export function isOf({ createdUtcMs }: Pick<JoinedDatabase, 'createdUtcMs'>, utcMs: number): boolean {
  return utcMs >= createdUtcMs - HOUR_MS;
}

/** The offset may have been different when the database was created. */
const HOUR_MS = 3_600_000;

/** Finds a database by its identity, or by the id alone if the list does not say when it was created. */
function indexDatabases(list: readonly CapturedDatabase[]): (database: DatabaseFacts) => number | null {
  const indexes = new Map(list.map((database, index) => [identityOf(database), index]));
  return (database) =>
    indexes.get(identityOf(database)) ?? indexes.get(identityOf({ ...database, createdLocal: null })) ?? null;
}
