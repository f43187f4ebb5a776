import { errors } from './errors';
import { type DatabaseCopy, findPrimary, findReplica, isForwarding, type Group, type Replica } from './group';
import { writeRecovery, writeRoleChange, writeStateChange, writeTransition } from './messages';
import { measureCopy } from './movement';
import type { ReplicaHost, Topology } from './topology';

/**
 * How long a group is without a primary, besides the time for redo. The model's choice; reports tell of similar times.
 */
const RESOLVING_US = 2_000_000;
/**
 * From the failover until the old primary is a secondary, and from the recovery of one database to that of the next.
 * The model's choice.
 */
const REJOIN_US = 1_500_000;
const RECOVERY_STEP_US = 120_000;
/** Recovery runs its checkpoint on a system task. */
const RECOVERY_SPID = 27;

interface FailoverOptions {
  readonly group: Group;
  /** The server that will host the primary. */
  readonly target: ReplicaHost;
  readonly topology: Topology;
}

/**
 * Makes another replica the primary, in virtual time:
 *   old primary  PRIMARY    RESOLVING ........... SECONDARY
 *   target       SECONDARY  RESOLVING ... PRIMARY
 * @returns the moment at which the target is the primary, in microseconds
 * @throws SqlError 41122, 41113, 41142 before anything has happened
 */
export function failOver(options: FailoverOptions, atUs: number): number {
  const { group, target } = options;
  const { agenda } = options.topology;
  const replica = checkFailover(group, target, atUs);
  const old = findPrimary(group);
  const kept = new Map(
    group.databases.map((database) => [database.id, startResolving(options, database.id, atUs)]),
  );
  replica.isPending = true;
  for (const each of [old, replica]) if (each !== undefined) changeRole(options, each, 'RESOLVING', atUs);
  const redoUs = replica.description.redoLagMs * 1000;
  const primaryUs = atUs + RESOLVING_US + redoUs;
  agenda.enter(primaryUs, () => becomePrimary(options, replica, kept, primaryUs));
  if (old !== undefined)
    agenda.enter(primaryUs + REJOIN_US, (nowUs) => changeRole(options, old, 'SECONDARY', nowUs));
  return primaryUs;
}

function checkFailover(group: Group, target: ReplicaHost, atUs: number): Replica {
  const replica = findReplica(group, target.scenario.server.name);
  if (group.kind === 'distributed') throw errors.distributedFailover(group.name);
  if (replica === undefined) throw errors.noSuchGroup(group.name);
  if (group.replicas.some((each) => each.isPending || each.role === 'RESOLVING'))
    throw errors.failoverPending(group.name);
  if (replica.role === 'PRIMARY') throw errors.alreadyPrimary(group.name);
  const copies = group.databases.map((database) => database.copies.get(replica.description.server));
  const isReady = copies.every(
    (copy) => copy?.isJoined === true && measureCopy(copy, atUs).state === 'SYNCHRONIZED',
  );
  if (!isReady) throw errors.notSynchronized(group.name);
  return replica;
}

/** Ends all writing. @returns how much of the log the target has */
function startResolving({ group, target }: FailoverOptions, databaseId: string, atUs: number): number {
  const database = group.databases.find(({ id }) => id === databaseId);
  const copy = database?.copies.get(target.scenario.server.name);
  if (database === undefined || copy === undefined) return 0;
  return isForwarding(group) ? copy.hardenedAt(atUs) : database.log.close(atUs);
}

function changeRole(
  { group, topology }: FailoverOptions,
  replica: Replica,
  role: Replica['role'],
  atUs: number,
): void {
  const host = topology.hosts.get(replica.description.server);
  if (host === undefined) return;
  const from = replica.role;
  const copies = group.databases.flatMap((database) => database.copies.get(replica.description.server) ?? []);
  writeTransition(host.errorLog, atUs, group.name, role);
  writeStateChange(host.errorLog, atUs, group.name, from, role);
  replica.role = role;
  for (const copy of copies) {
    if (!copy.isJoined) continue;
    writeRoleChange(host.errorLog, atUs, copy.database.name, from, role);
    settle(host, copy, atUs);
    copy.roleChanged(atUs);
  }
}

/** What the server itself writes of a database begins or ends with its role; its checkpoints are planned again. */
function settle(host: ReplicaHost, copy: DatabaseCopy, atUs: number): void {
  const local = host.databases.byName(copy.database.name);
  const work = local === undefined ? undefined : host.works.get(local.id);
  if (work === undefined) return;
  work.settle(atUs);
  if (copy.isWritable) copy.meter?.start(atUs);
  else copy.meter?.stop(atUs);
  host.checkpointer.targetChanged(work, atUs);
}

function becomePrimary(
  options: FailoverOptions,
  replica: Replica,
  kept: ReadonlyMap<string, number>,
  atUs: number,
): void {
  const { group, target, topology } = options;
  replica.isPending = false;
  for (const copy of localCopies(group, replica)) copy.resume();
  if (!isForwarding(group)) for (const each of group.databases) each.log.open(atUs, kept.get(each.id) ?? 0);
  changeRole(options, replica, 'PRIMARY', atUs);
  localCopies(group, replica).forEach((copy, i) => {
    if (copy.isJoined)
      topology.agenda.enter(atUs + (i + 1) * RECOVERY_STEP_US, (nowUs) => recover(target, copy, nowUs));
  });
  // A setting that had not come yet is lost: the other copies take those of the new primary.
  for (const { isWritable, database } of localCopies(group, replica)) {
    const local = target.databases.byName(database.name);
    if (isWritable && local !== undefined) target.availability?.follow(local, atUs);
  }
}

function localCopies(group: Group, replica: Replica): readonly DatabaseCopy[] {
  return group.databases.flatMap((database) => database.copies.get(replica.description.server) ?? []);
}

/**
 * Recovery ends with a checkpoint, docs/facts.md, SQL Server 5; the ledger counts it among those that a session asked
 * for.
 */
function recover(host: ReplicaHost, copy: DatabaseCopy, atUs: number): void {
  const local = host.databases.byName(copy.database.name);
  const work = local === undefined ? undefined : host.works.get(local.id);
  if (local === undefined || work === undefined || !copy.isWritable) return;
  writeRecovery(host.errorLog, host.scenario.server.release, atUs, local, copy.replica.description.redoLagMs);
  const task = {
    activityId: host.random.guid(),
    sessionId: RECOVERY_SPID,
    contextDatabaseId: local.id,
    nextSequence: 1,
  };
  host.checkpointer.runManual(work, task, atUs, undefined);
}
