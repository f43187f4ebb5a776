import type { DatabaseCopy, Group, Replica, Role } from '../availability/group';
import { measureCopy, worst, type Health } from '../availability/movement';
import type { World } from '../world/world';
import { ROLES, described } from './availability-fields';
import { primaryName } from './availability-groups';
import { STATE, view, type CatalogObject } from './object';
import { bit, field, sysname, uniqueidentifier, type Field, unmodelled } from './relation';

const guid = uniqueidentifier;

interface ReplicaState {
  readonly replica: Replica;
  readonly isLocal: boolean;
  readonly health: Health;
}

/** The copies of a replica; for a replica of a distributed group, those on the primary of the group it stands for. */
export function copiesOf({ group, underlying, description }: Replica): readonly DatabaseCopy[] {
  const server = underlying === undefined ? description.server : (primaryName(underlying) ?? '');
  return (underlying ?? group).databases.flatMap(({ copies }) => copies.get(server) ?? []).filter(({ isJoined }) => isJoined);
}

function healthOf(replica: Replica, nowUs: number): Health {
  return worst(copiesOf(replica).map((copy) => measureCopy(copy, nowUs).health));
}

function listReplicaStates(world: World, nowUs: number): readonly ReplicaState[] {
  const { availability } = world;
  return (availability?.groups ?? []).flatMap((group) => {
    const local = availability?.localReplica(group);
    const known = availability?.knownReplicas(group) ?? [];
    return known.map((replica) => ({ replica, isLocal: replica === local, health: healthOf(replica, nowUs) }));
  });
}

/** Microsoft Learn, "sys.dm_hadr_availability_replica_states". */
const REPLICA_STATES: readonly Field<ReplicaState>[] = [
  field('replica_id', guid, (s) => s.replica.id),
  field('group_id', guid, (s) => s.replica.group.id),
  field('is_local', bit, (s) => s.isLocal),
  ...described<ReplicaState, Role>('role', ROLES, (s) => s.replica.role),
  ...unmodelled(`operational_state operational_state_desc connected_state connected_state_desc recovery_health recovery_health_desc
    synchronization_health synchronization_health_desc last_connect_error_number last_connect_error_description
    last_connect_error_timestamp 2017 write_lease_remaining_ticks current_configuration_commit_start_time_utc`),
];

interface GroupState {
  readonly group: Group;
  readonly isPrimary: boolean;
  readonly health: Health;
}

function listGroupStates(world: World, nowUs: number): readonly GroupState[] {
  const { availability } = world;
  return (availability?.groups ?? []).map((group) => ({
    group,
    isPrimary: availability?.localReplica(group)?.role === 'PRIMARY',
    health: worst((availability?.knownReplicas(group) ?? []).map((replica) => healthOf(replica, nowUs))),
  }));
}

/** Microsoft Learn, "sys.dm_hadr_availability_group_states": the recovery of the other role is NULL. */
const GROUP_STATES: readonly Field<GroupState>[] = [
  field('group_id', guid, (s) => s.group.id),
  field('primary_replica', sysname, (s) => primaryName(s.group)),
  ...unmodelled(`primary_recovery_health primary_recovery_health_desc secondary_recovery_health secondary_recovery_health_desc
    synchronization_health synchronization_health_desc`),
];

export const STATE_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_hadr_availability_group_states', GROUP_STATES, (world, { nowUs }) => listGroupStates(world, nowUs), STATE),
  view('sys.dm_hadr_availability_replica_states', REPLICA_STATES, (world, { nowUs }) => listReplicaStates(world, nowUs), STATE),
];
