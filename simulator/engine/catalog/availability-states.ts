import type { DatabaseCopy, Group, Replica, Role } from '../availability/group';
import { HEALTHS, measureCopy, worst, type Health } from '../availability/movement';
import type { World } from '../world/world';
import { ROLES, described } from './availability-fields';
import { primaryName } from './availability-groups';
import { STATE, view, type CatalogObject } from './object';
import { bigint, bit, datetime, field, int, nvarchar, since, sysname, uniqueidentifier, type Field } from './relation';

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

const OPERATIONAL_STATES = { PENDING_FAILOVER: 0, PENDING: 1, ONLINE: 2, OFFLINE: 3 } as const;
type OperationalState = keyof typeof OPERATIONAL_STATES;

/** Microsoft Learn, "sys.dm_hadr_availability_replica_states", Roles and operational states. */
function operationalState({ replica, isLocal }: ReplicaState): OperationalState | null {
  if (!isLocal) return null;
  return replica.role !== 'RESOLVING' ? 'ONLINE' : replica.isPending ? 'PENDING_FAILOVER' : 'OFFLINE';
}

const RECOVERY = { ONLINE_IN_PROGRESS: 0, ONLINE: 1 } as const;
const isConnected = ({ replica }: ReplicaState): boolean => replica.role !== 'RESOLVING';
const noText = (name: string): Field<ReplicaState> => field(name, nvarchar(1024), () => null);

/** Microsoft Learn, "sys.dm_hadr_availability_replica_states". */
const REPLICA_STATES: readonly Field<ReplicaState>[] = [
  field('replica_id', guid, (s) => s.replica.id),
  field('group_id', guid, (s) => s.replica.group.id),
  field('is_local', bit, (s) => s.isLocal),
  ...described<ReplicaState, Role>('role', ROLES, (s) => s.replica.role),
  ...described<ReplicaState, OperationalState>('operational_state', OPERATIONAL_STATES, operationalState),
  ...described<ReplicaState, 'DISCONNECTED' | 'CONNECTED'>('connected_state', { DISCONNECTED: 0, CONNECTED: 1 }, (s) =>
    isConnected(s) ? 'CONNECTED' : 'DISCONNECTED',
  ),
  ...described<ReplicaState, keyof typeof RECOVERY>('recovery_health', RECOVERY, (s) =>
    s.isLocal ? (s.replica.role === 'RESOLVING' ? 'ONLINE_IN_PROGRESS' : 'ONLINE') : null,
  ),
  ...described<ReplicaState, Health>('synchronization_health', HEALTHS, (s) => s.health),
  field('last_connect_error_number', int, () => null),
  noText('last_connect_error_description'),
  field('last_connect_error_timestamp', datetime, () => null),
  ...since<ReplicaState>(
    2017,
    field('write_lease_remaining_ticks', bigint, () => null),
    field('current_configuration_commit_start_time_utc', datetime, () => null),
  ),
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
  ...described<GroupState, keyof typeof RECOVERY>('primary_recovery_health', RECOVERY, (s) => (s.isPrimary ? 'ONLINE' : null)),
  ...described<GroupState, keyof typeof RECOVERY>('secondary_recovery_health', RECOVERY, (s) => (s.isPrimary ? null : 'ONLINE')),
  ...described<GroupState, Health>('synchronization_health', HEALTHS, (s) => s.health),
];

const JOIN_STATES = { NOT_JOINED: 0, JOINED_STANDALONE: 1, JOINED_FAILOVER_CLUSTER_INSTANCE: 2 } as const;

/** Microsoft Learn, "sys.dm_hadr_availability_replica_cluster_states". */
const CLUSTER_STATES: readonly Field<Replica>[] = [
  field('replica_id', guid, (r) => r.id),
  field('replica_server_name', nvarchar(256), (r) => r.description.server),
  field('group_id', guid, (r) => r.group.id),
  ...described<Replica, keyof typeof JOIN_STATES>('join_state', JOIN_STATES, () => 'JOINED_STANDALONE'),
];

export const STATE_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_hadr_availability_group_states', GROUP_STATES, (world, { nowUs }) => listGroupStates(world, nowUs), STATE),
  view('sys.dm_hadr_availability_replica_states', REPLICA_STATES, (world, { nowUs }) => listReplicaStates(world, nowUs), STATE),
  view(
    'sys.dm_hadr_availability_replica_cluster_states',
    CLUSTER_STATES,
    (world) => (world.availability?.groups ?? []).flatMap(({ replicas }) => replicas),
    STATE,
  ),
];
