import type { Database } from '../databases/databases';
import { writeTargetChange } from '../error-log/error-log';
import { errors } from '../interface/errors';
import type { ClientTask } from '../events/event-actions';
import type { Principal } from '../interface/instance';
import type { World } from '../world/world';

/**
 * Opens a database by name for a login. Sysadmin and owners are users of databases; guest is a user of master, tempdb
 * and msdb.
 * @throws SqlError 911 missing, 942 offline, 927 restoring, 916 without access; 976, 978, 983 by its role in an
 * availability group
 */
export function openDatabase(
  world: World,
  name: string,
  principal: Principal,
): { readonly id: number; readonly name: string } {
  const database = world.databases.byName(name);
  if (database === undefined) throw errors.noSuchDatabase(name);
  if (database.state === 'OFFLINE') throw errors.offline(database.name);
  if (database.state === 'RESTORING') throw errors.restoring(database.name);
  const refusal = database.availability?.refuse(principal.readOnlyIntent ?? false);
  if (refusal !== undefined) throw refusal;
  if (!world.permissions.canOpen(principal.login, database))
    throw errors.noDatabaseAccess(principal.login, database.name);
  return database;
}

/**
 * USE.
 * @throws SqlError 40508 for another database of Azure SQL Database, and what openDatabase throws
 */
export function switchDatabase(
  world: World,
  name: string,
  principal: Principal,
): { readonly id: number; readonly name: string } {
  const isElsewhere = world.databases.byName(name)?.name !== principal.database;
  if (isElsewhere && world.scenario.server.platform === 'azure-sql-database') throw errors.noUse();
  return openDatabase(world, name, principal);
}

/** Refuses a copy that is not the primary: as one that takes no connections, or as a read-only database. */
function requireWritable({ name, availability }: Database, principal: Principal): void {
  if (availability === undefined || availability.isWritable) return;
  const refusal = availability.refuse(principal.readOnlyIntent ?? false);
  throw refusal === undefined ? errors.alterReadOnly(name) : errors.alterRefused(refusal);
}

/**
 * The most that ALTER DATABASE takes, in seconds; Microsoft Learn, "ALTER DATABASE SET options", TARGET_RECOVERY_TIME,
 * gives int.
 */
const MOST_SECONDS = 0x7fffffff;

/**
 * ALTER DATABASE ... SET TARGET_RECOVERY_TIME: works at once, without a restart, and writes message 5084 to the error
 * log.
 * @throws SqlError 5011 missing or not permitted, 942 offline, 5052 restoring, 3906 read-only or not the primary, 5004
 * standby, 5061 locked; 976, 978 and 983 if a copy in an availability group takes no connections; 5069 follows each.
 * Not published for this option: these are the errors of other SET options.
 */
export function setTargetRecoveryTime(
  world: World,
  nowUs: number,
  name: string,
  seconds: number,
  principal: Principal,
): void {
  const database = world.databases.byName(name);
  if (database === undefined || !world.permissions.holdsIn(principal.login, database, 'ALTER'))
    throw errors.cannotAlterDatabase(name);
  if (database.state === 'OFFLINE') throw errors.alterOffline(database.name);
  if (database.state === 'RESTORING') throw errors.alterRestoring();
  if (database.isInStandby) throw errors.alterStandby();
  if (database.isReadOnly) throw errors.alterReadOnly(database.name);
  requireWritable(database, principal);
  if (database.isLocked === true) throw errors.alterLocked(database.name);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MOST_SECONDS) throw errors.invalidTarget();
  const fromSeconds = database.targetRecoverySeconds;
  const work = world.works.get(database.id);
  work?.settle(nowUs);
  world.databases.setTarget(database, seconds);
  const change = {
    atUtcMs: Math.floor(nowUs / 1000),
    databaseId: database.id,
    databaseName: database.name,
    fromSeconds,
    toSeconds: seconds,
    login: principal.login,
  };
  world.ledger.settingChanged(change);
  writeTargetChange(world.errorLog, nowUs, principal.spid, database.name, seconds);
  if (work !== undefined && fromSeconds !== seconds) world.checkpointer.targetChanged(work, nowUs);
  world.availability?.follow(database, nowUs);
}

/**
 * CHECKPOINT [n] on the caller's own task; it may overlap with any other.
 * @throws SqlError 262 not permitted, and what `openDatabase` throws
 */
export async function runCheckpoint(
  world: World,
  name: string,
  durationSeconds: number | undefined,
  principal: Principal,
  signal: AbortSignal,
): Promise<void> {
  const nowUs = world.catchUp();
  const opened = openDatabase(world, name, principal);
  const { id: databaseId } = opened;
  const work = world.works.get(databaseId);
  if (!world.permissions.holdsIn(principal.login, opened, 'CHECKPOINT')) throw errors.checkpointDenied(name);
  // In a read-only database, or on a secondary, CHECKPOINT has nothing to write and says nothing.
  if (work === undefined || work.database.isReadOnly || work.database.availability?.isWritable === false)
    return;
  const task = {
    activityId: world.random.guid(),
    sessionId: principal.spid,
    contextDatabaseId: databaseId,
    nextSequence: 1,
    ...tellOf(principal),
  };
  const running = world.checkpointer.runManual(work, task, nowUs, durationSeconds);
  await world.clock.wait((running.endUs - nowUs) / 1000, signal);
  world.catchUp();
}

/** What event sessions can tell about the caller. */
function tellOf({ login, client }: Principal): Partial<ClientTask> {
  return client === undefined ? {} : { client: { login, ...client } };
}

/**
 * For tests: what others do to databases meanwhile, without a statement. Not for databases in an availability group.
 * @throws Error if there is no such database: a mistake of the test
 */
export function makeDatabaseLevers(world: World) {
  const { databases } = world;
  const find = (name: string): Database => {
    const database = databases.byName(name);
    if (database === undefined) throw new Error(`There is no database ${name}`);
    return database;
  };
  return {
    drop: (name: string) => databases.drop(find(name)),
    rename: (name: string, to: string) => databases.rename(find(name), to),
    /** Drops it and creates another one under its name, with the target recovery time of model. */
    remake: (name: string) => {
      const createdLocal = world.clock.localMoment(world.catchUp());
      databases.remake(find(name), createdLocal, databases.byName('model')?.targetRecoverySeconds ?? 0);
    },
    /** The actual target recovery times by name, in seconds. */
    targets: (): ReadonlyMap<string, number> =>
      new Map(databases.listed.map((database) => [database.name, database.targetRecoverySeconds])),
    /** Takes or releases a lock that makes ALTER DATABASE fail (5061). */
    lock: (name: string, isLocked = true) => void (find(name).isLocked = isLocked),
  };
}
