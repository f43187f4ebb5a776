import { type DatabaseFacts, type Facts, findOf, isSystemDatabase } from './facts';

/**
 * Why this database's target recovery time cannot be changed on this server, as the end of a sentence that begins with its name; null if it can.
 * Sources: docs/facts.md, SQL Server 2. The generated script checks the same again when it runs.
 */
export function findObstacle(database: DatabaseFacts, facts: Facts): string | null {
  const system = findSystemObstacle(database, facts);
  if (system !== null) return system;
  if (database.isSnapshot) return 'is a database snapshot';
  if (database.state !== 'ONLINE') return `is ${database.state.toLowerCase().replace('_', ' ')}`;
  if (database.isInStandby) return 'is in standby';
  const role = findRoleObstacle(database, facts);
  if (role !== null) return role;
  if (database.isReadOnly) return 'is read-only';
  if (database.updateability !== 'READ_WRITE') return 'is not writable here';
  if (database.targetSeconds === null) return 'does not show its target recovery time';
  return null;
}

/** Whether it is a system database of the instance or of a contained availability group, or may be one. */
export function isOfTheSystem(database: DatabaseFacts, facts: Facts): boolean {
  return findSystemObstacle(database, facts) !== null;
}

/** Whether the database counts: system databases are never switched, and snapshots have no checkpoints of their own. */
export function isUserDatabase(database: DatabaseFacts, facts: Facts): boolean {
  return !database.isSnapshot && !isOfTheSystem(database, facts);
}

/** The first major version with contained availability groups: SQL Server 2022. */
const CONTAINED_SINCE = 16;

/** A contained availability group has its own master and msdb. The instance sees them as `<group>_master` and `<group>_msdb`. docs/facts.md, SQL Server 2. */
function findSystemObstacle({ databaseId, name, inAvailabilityGroup }: DatabaseFacts, { server, roles }: Facts): string | null {
  if (isSystemDatabase(databaseId)) return 'is a system database';
  if (Number.parseInt(server.productVersion, 10) < CONTAINED_SINCE) return null;
  const group = findOf(roles, databaseId)?.groupName ?? '';
  if (group !== '') return [`${group}_master`, `${group}_msdb`].includes(name) ? 'is a system database' : null;
  // If this login may not see the definitions of groups, the name of the group is empty, and its master looks like any database.
  if (!inAvailabilityGroup || !/_(master|msdb)$/i.test(name)) return null;
  return 'may be a system database of a contained availability group, whose name this login cannot see';
}

function findRoleObstacle(database: DatabaseFacts, facts: Facts): string | null {
  if (!database.inAvailabilityGroup) return null;
  if (facts.roles.kind === 'not observable') return `is in an availability group and its role here cannot be seen: ${facts.roles.reason}`;
  const role = facts.roles.value.get(database.databaseId);
  if (role === undefined) return 'is in an availability group and its role here cannot be seen';
  if (role.role === 'PRIMARY') return null;
  const where = role.primaryReplica === null ? 'the primary replica' : role.primaryReplica;
  return `is a ${role.role.toLowerCase()} replica here: change it on ${where}`;
}
