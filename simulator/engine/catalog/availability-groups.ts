import { findPrimary, type Group, type Replica } from '../availability/group';
import type { World } from '../world/world';
import { view, type Asked, type CatalogObject } from './object';
import {
  bit,
  field,
  need,
  nvarchar,
  since,
  sysname,
  uniqueidentifier,
  type Field,
  unmodelled,
} from './relation';

const guid = uniqueidentifier;

/**
 * Groups that this server takes part in. Without VIEW ANY DEFINITION there are no rows, rather than an error. Microsoft
 * Learn, "sys.availability_groups", Permissions.
 */
export function listGroups(world: World, { principal }: Asked): readonly Group[] {
  return world.permissions.holds(principal.login, 'VIEW ANY DEFINITION')
    ? (world.availability?.groups ?? [])
    : [];
}

/**
 * Microsoft Learn, "sys.availability_groups". It does not say which release brought sequence_number: assumed to be that
 * of cluster_type.
 */
const GROUPS: readonly Field<Group>[] = [
  need('group_id', guid, (g) => g.id),
  field('name', sysname, (g) => g.name),
  ...since<Group>(
    2016,
    field('is_distributed', bit, (g) => g.kind === 'distributed'),
  ),
  ...unmodelled(`resource_id resource_group_id failure_condition_level health_check_timeout
    automated_backup_preference automated_backup_preference_desc 2016 version basic_features dtc_support db_failover 2017 cluster_type cluster_type_desc
    required_synchronized_secondaries_to_commit sequence_number 2022 is_contained 2025 cluster_connection_options`),
];

const text256 = nvarchar(256);

/** Microsoft Learn, "sys.availability_replicas". */
const REPLICAS: readonly Field<Replica>[] = [
  field('replica_id', guid, (r) => r.id),
  field('group_id', guid, (r) => r.group.id),
  field('replica_server_name', text256, (r) => r.description.server),
  ...unmodelled(`replica_metadata_id owner_sid endpoint_url availability_mode availability_mode_desc failover_mode failover_mode_desc
    session_timeout primary_role_allow_connections primary_role_allow_connections_desc secondary_role_allow_connections
    secondary_role_allow_connections_desc create_date modify_date backup_priority read_only_routing_url 2016 seeding_mode
    seeding_mode_desc 2019 read_write_routing_url`),
];

/** The server of the primary; for a distributed group, the group that has the primary. */
export function primaryName(group: Group): string | null {
  return findPrimary(group)?.description.server ?? null;
}

export const GROUP_OBJECTS: readonly CatalogObject[] = [
  view('sys.availability_groups', GROUPS, listGroups),
  view('sys.availability_replicas', REPLICAS, (world, asked) =>
    listGroups(world, asked).flatMap(({ replicas }) => replicas),
  ),
];
