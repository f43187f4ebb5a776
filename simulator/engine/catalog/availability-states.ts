import type { DatabaseCopy, Group, Replica } from '../availability/group';
import type { World } from '../world/world';
import { primaryName } from './availability-groups';
import { STATE, view, type CatalogObject } from './object';
import { bit, field, nvarchar, sysname, uniqueidentifier, type Field, unmodelled } from './relation';

const guid = uniqueidentifier;

interface ReplicaState {
  readonly replica: Replica;
  readonly isLocal: boolean;
}

/** The copies of a replica; for a replica of a distributed group, those on the primary of the group it stands for. */
export function copiesOf({ group, underlying, description }: Replica): readonly DatabaseCopy[] {
  const server = underlying === undefined ? description.server : (primaryName(underlying) ?? '');
  return (underlying ?? group).databases
    .flatMap(({ copies }) => copies.get(server) ?? [])
    .filter(({ isJoined }) => isJoined);
}

function listReplicaStates(world: World): readonly ReplicaState[] {
  const { availability } = world;
  return (availability?.groups ?? []).flatMap((group) => {
    const local = availability?.localReplica(group);
    const known = availability?.knownReplicas(group) ?? [];
    return known.map((replica) => ({ replica, isLocal: replica === local }));
  });
}

/** Microsoft Learn, "sys.dm_hadr_availability_replica_states". */
const REPLICA_STATES: readonly Field<ReplicaState>[] = [
  field('replica_id', guid, (s) => s.replica.id),
  field('group_id', guid, (s) => s.replica.group.id),
  field('is_local', bit, (s) => s.isLocal),
  field('role_desc', nvarchar(60), (s) => s.replica.role),
  ...unmodelled(`role operational_state operational_state_desc connected_state connected_state_desc recovery_health recovery_health_desc
    synchronization_health synchronization_health_desc last_connect_error_number last_connect_error_description
    last_connect_error_timestamp 2017 write_lease_remaining_ticks current_configuration_commit_start_time_utc`),
];

/** Microsoft Learn, "sys.dm_hadr_availability_group_states". */
const GROUP_STATES: readonly Field<Group>[] = [
  field('group_id', guid, (group) => group.id),
  field('primary_replica', sysname, primaryName),
  ...unmodelled(`primary_recovery_health primary_recovery_health_desc secondary_recovery_health secondary_recovery_health_desc
    synchronization_health synchronization_health_desc`),
];

export const STATE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.dm_hadr_availability_group_states',
    GROUP_STATES,
    (world) => world.availability?.groups ?? [],
    STATE,
  ),
  view('sys.dm_hadr_availability_replica_states', REPLICA_STATES, listReplicaStates, STATE),
];
