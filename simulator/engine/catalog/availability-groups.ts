import { findPrimary, type Group, type Replica } from '../availability/group';
import type { World } from '../world/world';
import { described, maySeeGroups } from './availability-fields';
import { STATE, view, type Asked, type CatalogObject } from './object';
import {
  bigint,
  bit,
  datetime,
  field,
  int,
  need,
  nvarchar,
  nvarcharMax,
  since,
  smallint,
  sysname,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

const guid = uniqueidentifier;
const BACKUP_PREFERENCES = { primary: 0, secondary_only: 1, secondary: 2, none: 3 } as const;
const CLUSTER_TYPES = { wsfc: 0, external: 1, none: 2 } as const;
const MODES = { ASYNCHRONOUS_COMMIT: 0, SYNCHRONOUS_COMMIT: 1 } as const;
const FAILOVER_MODES = { AUTOMATIC: 0, MANUAL: 1 } as const;
const PRIMARY_CONNECTIONS = { ALL: 2, READ_WRITE: 3 } as const;
const SECONDARY_CONNECTIONS = { NO: 0, READ_ONLY: 1, ALL: 2 } as const;
const SEEDING_MODES = { AUTOMATIC: 0, MANUAL: 1 } as const;
const CREATED = '2021-06-12T20:41:07.393';

/** Groups that this server takes part in, for a login that may see them. */
export function listGroups(world: World, { principal }: Asked): readonly Group[] {
  return maySeeGroups(world, principal.login) ? (world.availability?.groups ?? []) : [];
}

const BASICS: readonly Field<Group>[] = [
  need('group_id', guid, (g) => g.id),
  field('name', sysname, (g) => g.name),
  field('resource_id', nvarchar(40), (g) => (g.kind === 'distributed' ? null : g.resourceId.toLowerCase())),
  field('resource_group_id', nvarchar(40), (g) => (g.kind === 'distributed' ? null : g.id.toLowerCase())),
  field('failure_condition_level', int, () => 3),
  field('health_check_timeout', int, () => 30_000),
  ...described<Group, keyof typeof BACKUP_PREFERENCES>('automated_backup_preference', BACKUP_PREFERENCES, () => 'secondary'),
];

/** Microsoft Learn, "sys.availability_groups". It does not say which release brought sequence_number: assumed to be that of cluster_type. */
const GROUPS: readonly Field<Group>[] = [
  ...BASICS,
  ...since<Group>(
    2016,
    field('version', smallint, () => 1),
    field('basic_features', bit, () => false),
    field('dtc_support', bit, () => false),
    field('db_failover', bit, (g) => g.kind !== 'distributed'),
    field('is_distributed', bit, (g) => g.kind === 'distributed'),
  ),
  ...since<Group>(
    2017,
    ...described<Group, keyof typeof CLUSTER_TYPES>('cluster_type', CLUSTER_TYPES, (g) => (g.kind === 'distributed' ? 'none' : 'wsfc')),
    field('required_synchronized_secondaries_to_commit', int, () => 0),
    field('sequence_number', bigint, (g) => BigInt(g.replicas.length)),
  ),
  ...since<Group>(
    2022,
    field('is_contained', bit, (g) => g.kind === 'contained'),
  ),
  // An option of CREATE AVAILABILITY GROUP in 2025; the product has the column, that page does not.
  ...since<Group>(
    2025,
    field('cluster_connection_options', nvarchar(4000), () => null),
  ),
];

const text256 = nvarchar(256);
const hostOf = (replica: Replica): string => replica.description.server.toLowerCase();

/** Microsoft Learn, "sys.availability_replicas". */
const REPLICAS: readonly Field<Replica>[] = [
  field('replica_id', guid, (r) => r.id),
  field('group_id', guid, (r) => r.group.id),
  field('replica_metadata_id', int, (r) => 65_535 + r.ordinal),
  field('replica_server_name', text256, (r) => r.description.server),
  field('owner_sid', varbinary(85), () => Uint8Array.of(1)),
  field('endpoint_url', nvarchar(128), (r) => `TCP://${hostOf(r)}.contoso.example:5022`),
  ...described<Replica, keyof typeof MODES>('availability_mode', MODES, (r) =>
    r.description.isSynchronous ? 'SYNCHRONOUS_COMMIT' : 'ASYNCHRONOUS_COMMIT',
  ),
  ...described<Replica, keyof typeof FAILOVER_MODES>('failover_mode', FAILOVER_MODES, (r) =>
    r.description.isAutomatic ? 'AUTOMATIC' : 'MANUAL',
  ),
  field('session_timeout', int, () => 10),
  ...described<Replica, keyof typeof PRIMARY_CONNECTIONS>('primary_role_allow_connections', PRIMARY_CONNECTIONS, () => 'ALL'),
  ...described<Replica, keyof typeof SECONDARY_CONNECTIONS>(
    'secondary_role_allow_connections',
    SECONDARY_CONNECTIONS,
    (r) => r.description.readable,
  ),
  field('create_date', datetime, () => CREATED),
  field('modify_date', datetime, () => CREATED),
  field('backup_priority', int, (r) => r.description.backupPriority),
  field('read_only_routing_url', text256, () => null),
  ...since<Replica>(2016, ...described<Replica, keyof typeof SEEDING_MODES>('seeding_mode', SEEDING_MODES, () => 'MANUAL')),
  ...since<Replica>(
    2019,
    field('read_write_routing_url', text256, () => null),
  ),
];

type Listener = NonNullable<Group['listener']> & { readonly group: Group };

function listListeners(world: World, asked: Asked): readonly Listener[] {
  return listGroups(world, asked).flatMap((group) => (group.listener === undefined ? [] : [{ ...group.listener, group }]));
}

/** Microsoft Learn, "sys.availability_group_listeners". */
const LISTENERS: readonly Field<Listener>[] = [
  field('group_id', guid, (l) => l.group.id),
  field('listener_id', nvarchar(36), (l) => l.id),
  field('dns_name', nvarchar(63), (l) => l.dnsName),
  field('port', int, (l) => l.port),
  field('is_conformant', bit, () => true),
  field('ip_configuration_string_from_cluster', nvarcharMax, (l) => `('IP Address: ${l.ip}')`),
  ...since<Listener>(
    2019,
    field('is_distributed_network_name', bit, () => false),
  ),
];

/** Microsoft Learn, "sys.availability_group_listener_ip_addresses". */
const ADDRESSES: readonly Field<Listener>[] = [
  field('listener_id', nvarchar(36), (l) => l.id),
  field('ip_address', nvarchar(48), (l) => l.ip),
  field('ip_subnet_mask', nvarchar(15), () => '255.255.255.0'),
  field('is_dhcp', bit, () => false),
  field('network_subnet_ip', nvarchar(48), (l) => l.ip.replace(/\d+$/, '0')),
  field('network_subnet_prefix_length', int, () => 24),
  field('network_subnet_ipv4_mask', nvarchar(15), () => '255.255.255.0'),
  ...described<Listener, 'ONLINE'>('state', { ONLINE: 1 }, () => 'ONLINE'),
];

interface Member {
  readonly name: string;
  readonly isWitness: boolean;
}

/** The nodes of this server's cluster, in the order in which groups name them, and its witness. */
function listMembers(world: World): readonly Member[] {
  const cluster = findCluster(world);
  if (cluster === undefined) return [];
  const groups = world.availability?.topology.groups.filter((group) => group.cluster === cluster && group.kind !== 'distributed') ?? [];
  const nodes = new Set(groups.flatMap(({ replicas }) => replicas.map(({ description }) => description.server)));
  return [...[...nodes].map((name) => ({ name, isWitness: false })), { name: 'File Share Witness', isWitness: true }];
}

function findCluster(world: World): string | undefined {
  return world.availability?.groups.find((group) => group.kind !== 'distributed')?.cluster;
}

/** Microsoft Learn, "sys.dm_hadr_cluster". */
const CLUSTER: readonly Field<string>[] = [
  need('cluster_name', nvarchar(128), (name) => name),
  ...described<string, 'NODE_AND_FILE_SHARE_MAJORITY'>(
    'quorum_type',
    { NODE_AND_FILE_SHARE_MAJORITY: 2 },
    () => 'NODE_AND_FILE_SHARE_MAJORITY',
  ),
  ...described<string, 'NORMAL_QUORUM'>('quorum_state', { NORMAL_QUORUM: 1 }, () => 'NORMAL_QUORUM'),
];

const MEMBER_TYPES = { CLUSTER_NODE: 0, FILE_SHARE_WITNESS: 2 } as const;

/** Microsoft Learn, "sys.dm_hadr_cluster_members". */
const MEMBERS: readonly Field<Member>[] = [
  need('member_name', nvarchar(128), (m) => m.name),
  ...described<Member, keyof typeof MEMBER_TYPES>('member_type', MEMBER_TYPES, (m) =>
    m.isWitness ? 'FILE_SHARE_WITNESS' : 'CLUSTER_NODE',
  ),
  ...described<Member, 'UP'>('member_state', { UP: 1 }, () => 'UP'),
  field('number_of_quorum_votes', int, () => 1),
];

/** Microsoft Learn, "sys.dm_hadr_name_id_map". */
const NAME_IDS: readonly Field<Group>[] = [
  field('ag_name', text256, (g) => g.name),
  field('ag_id', guid, (g) => g.id),
  field('ag_resource_id', text256, (g) => g.resourceId.toLowerCase()),
  field('ag_group_id', text256, (g) => g.id.toLowerCase()),
];

/** Microsoft Learn, "sys.dm_hadr_availability_replica_cluster_nodes". */
const NODES: readonly Field<Replica>[] = [
  field('group_name', text256, (r) => r.group.name),
  field('replica_server_name', text256, (r) => r.description.server),
  field('node_name', text256, (r) => r.description.server),
];

const ordinary = (world: World): readonly Group[] => world.availability?.groups.filter(({ kind }) => kind !== 'distributed') ?? [];

/** The server of the primary; for a distributed group, the group that has the primary. */
export function primaryName(group: Group): string | null {
  return findPrimary(group)?.description.server ?? null;
}

// oxfmt-ignore
export const GROUP_OBJECTS: readonly CatalogObject[] = [
  view('sys.availability_groups', GROUPS, listGroups),
  view('sys.availability_groups_cluster', BASICS, listGroups),
  view('sys.availability_replicas', REPLICAS, (world, asked) => listGroups(world, asked).flatMap(({ replicas }) => replicas)),
  view('sys.availability_group_listeners', LISTENERS, listListeners),
  view('sys.availability_group_listener_ip_addresses', ADDRESSES, listListeners),
  view('sys.dm_hadr_cluster', CLUSTER, (world) => [findCluster(world) ?? []].flat(), STATE),
  view('sys.dm_hadr_cluster_members', MEMBERS, listMembers, STATE),
  view('sys.dm_hadr_name_id_map', NAME_IDS, ordinary, STATE),
  view('sys.dm_hadr_availability_replica_cluster_nodes', NODES, (world) => ordinary(world).flatMap(({ replicas }) => replicas), STATE),
];
