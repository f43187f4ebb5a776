import { joinSentences, t, endSentence } from '../language';
import { type DatabaseFacts, type Facts, findOf, isSystemDatabase } from './facts';

/** Why a database's target recovery time is not changed. */
export interface Obstacle {
  /** Without details of one database, in English: for scripts, and to count by. "read-only" */
  readonly kind: string;
  /** "It is read-only." */
  readonly sentence: string;
}

/**
 * Why this database's target recovery time cannot be changed on this server; null if it can.
 * Sources: docs/facts.md, SQL Server 2. The generated script checks the same again when it runs.
 */
export function findObstacle(database: DatabaseFacts, facts: Facts): Obstacle | null {
  const system = findSystemObstacle(database, facts);
  if (system !== null) return system;
  if (database.isSnapshot) return { kind: 'database snapshot', sentence: t('It is a database snapshot.') };
  if (database.state !== 'ONLINE') return describeState(database.state);
  if (database.isInStandby) return { kind: 'in standby', sentence: t('It is in standby.') };
  const role = findRoleObstacle(database, facts);
  if (role !== null) return role;
  if (database.isReadOnly) return { kind: 'read-only', sentence: t('It is read-only.') };
  if (database.updateability !== 'READ_WRITE')
    return { kind: 'not writable here', sentence: t('It is not writable here.') };
  return database.targetSeconds === null ? TARGET_UNSEEN : null;
}

/** Of a database that was chosen and is gone. */
const NOT_HERE: Obstacle = {
  kind: 'not on this server any more',
  sentence: t('It is no longer on this server.'),
};

/** What speaks against a database that is not among those that were read. */
export function explainMissing({ unreadDatabases }: Pick<Facts, 'unreadDatabases'>): Obstacle {
  return unreadDatabases === 0
    ? NOT_HERE
    : { ...NOT_HERE, sentence: t('It is not among the databases that could be read.') };
}

export const TARGET_UNSEEN: Obstacle = {
  kind: 'does not show its target recovery time',
  sentence: t('Its target recovery time cannot be seen.'),
};

const STATE_SENTENCES = new Map(
  Object.entries({
    OFFLINE: t('It is offline.'),
    RESTORING: t('It is restoring.'),
    RECOVERING: t('It is recovering.'),
    RECOVERY_PENDING: t('It is waiting for recovery.'),
    SUSPECT: t('It is suspect.'),
    EMERGENCY: t('It is in emergency mode.'),
  }),
);

function describeState(state: string): Obstacle {
  return {
    kind: state.toLowerCase().replace('_', ' '),
    sentence: STATE_SENTENCES.get(state) ?? t('Its state is {0}.', state),
  };
}

/** Whether it is a system database of the instance or of a contained availability group, or may be one. */
export function isOfTheSystem(database: DatabaseFacts, facts: Facts): boolean {
  return findSystemObstacle(database, facts) !== null;
}

/** Whether the database counts: system databases are never switched, and snapshots have no checkpoints of their own. */
export function isUserDatabase(database: DatabaseFacts, facts: Facts): boolean {
  return !database.isSnapshot && !isOfTheSystem(database, facts);
}

/**
 * The target recovery time by which a database takes turns on the checkpoint task: null where it takes none. A copy
 * that takes the log of another server is redone here, and redo makes its own checkpoints (docs/facts.md, SQL Server
 * 1).
 */
export function findTurnTarget(database: DatabaseFacts, facts: Facts): number | null {
  const isSecondary = findOf(facts.roles, database.databaseId)?.role === 'SECONDARY';
  return database.isInStandby || isSecondary || isForwarder(database, facts) ? null : database.targetSeconds;
}

const isForwarder = ({ databaseId }: DatabaseFacts, { copies }: Facts): boolean =>
  findOf(copies, databaseId)?.isForwarder === true;

/** The first major version with contained availability groups: SQL Server 2022. */
const CONTAINED_SINCE = 16;

export const SYSTEM: Obstacle = { kind: 'system database', sentence: t('It is a system database.') };
const FORWARDER: Obstacle = {
  kind: 'forwarder here',
  sentence: t('It is the forwarder of a distributed availability group. Change it on the global primary.'),
};
const PERHAPS_SYSTEM: Obstacle = {
  kind: 'may be a system database of a contained availability group',
  sentence: t(
    'It may be a system database of a contained availability group: this login cannot see the name of its group.',
  ),
};

/**
 * Replication has a database of its own, under this name unless its owner chose another. A contained availability group
 * has its own master and msdb. The instance sees them as `<group>_master` and `<group>_msdb`. docs/facts.md, SQL Server
 * 2.
 */
function findSystemObstacle(database: DatabaseFacts, { server, roles }: Facts): Obstacle | null {
  const { databaseId, name, inAvailabilityGroup, isDistributor } = database;
  if (isSystemDatabase(databaseId) || (isDistributor ?? name.toLowerCase() === 'distribution')) return SYSTEM;
  if (Number.parseInt(server.productVersion, 10) < CONTAINED_SINCE) return null;
  const group = findOf(roles, databaseId)?.groupName ?? '';
  if (group !== '') return [`${group}_master`, `${group}_msdb`].includes(name) ? SYSTEM : null;
  // If this login may not see the definitions of groups, the name of the group is empty, and its master looks like any
  // database.
  return inAvailabilityGroup && /_(master|msdb)$/i.test(name) ? PERHAPS_SYSTEM : null;
}

function findRoleObstacle(database: DatabaseFacts, facts: Facts): Obstacle | null {
  if (!database.inAvailabilityGroup) return null;
  if (facts.roles.kind === 'not observable')
    return describeUnseenRole(
      t('It is in an availability group. Its role here cannot be seen: {0}', endSentence(facts.roles.reason)),
    );
  const role = facts.roles.value.get(database.databaseId);
  if (role === undefined)
    return describeUnseenRole(t('It is in an availability group. Its role here cannot be seen.'));
  if (role.role !== 'PRIMARY') return describeRole(role.role, role.primaryReplica);
  return isForwarder(database, facts) ? FORWARDER : null;
}

function describeUnseenRole(sentence: string): Obstacle {
  return { kind: 'in an availability group and its role here cannot be seen', sentence };
}

function describeRole(role: string, primary: string | null): Obstacle {
  const what = role === 'SECONDARY' ? t('It is a secondary replica here.') : t('Its role here is {0}.', role);
  const where = primary === null ? t('Change it on the primary replica.') : t('Change it on {0}.', primary);
  return { kind: `${role.toLowerCase()} replica here`, sentence: joinSentences(what, where) };
}
