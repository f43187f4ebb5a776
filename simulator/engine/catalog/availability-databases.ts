import {
  SUSPEND_REASONS,
  type DatabaseCopy,
  type SuspendReason,
  type Group,
  type GroupDatabase,
  type Replica,
} from '../availability/group';
import {
  HEALTHS,
  SYNCHRONIZATION_STATES,
  countLogKb,
  formatLsn,
  measureCopy,
  type Health,
  type Movement,
  type SynchronizationState,
} from '../availability/movement';
import type { World } from '../world/world';
import { described, lsn } from './availability-fields';
import { listGroups } from './availability-groups';
import { copiesOf } from './availability-states';
import { STATE, view, type CatalogObject } from './object';
import { bigint, bit, datetime, field, int, since, sysname, uniqueidentifier, type Field } from './relation';

const guid = uniqueidentifier;

/** One copy as the server that is asked knows it. */
interface CopyState {
  readonly world: World;
  readonly nowUs: number;
  readonly replica: Replica;
  readonly copy: DatabaseCopy;
  readonly isLocal: boolean;
  /** Whether the server that is asked has the primary: only that one knows what has been sent. */
  readonly isAskedOfPrimary: boolean;
  readonly movement: Movement;
}

/**
 * On the primary a row for each copy of each database, elsewhere a row for each local copy. A distributed group has rows only for the copies of its second
 * group (Microsoft Learn, "Distributed availability groups": the view "currently stores information about the second availability group only").
 */
function listCopyStates(world: World, nowUs: number): readonly CopyState[] {
  const { availability } = world;
  return (availability?.groups ?? []).flatMap((group) => {
    const local = availability?.localReplica(group);
    const isAskedOfPrimary = local?.role === 'PRIMARY';
    const replicas = (availability?.knownReplicas(group) ?? []).filter((each) => group.kind !== 'distributed' || each.ordinal > 1);
    return replicas.flatMap((replica) =>
      copiesOf(replica).map((copy) => {
        const isLocal = replica === local;
        return { world, nowUs, replica, copy, isLocal, isAskedOfPrimary, movement: measureCopy(copy, nowUs) };
      }),
    );
  });
}

const isPrimaryRow = (s: CopyState): boolean => s.replica.role === 'PRIMARY';
const place = (s: CopyState, records: number, slot?: number): string => formatLsn(records, s.copy.database.bytesPerLogRecord, slot);
const at = (name: string, value: (s: CopyState) => number | null, slot?: number): Field<CopyState> =>
  field(name, lsn, (s) => {
    const records = value(s);
    return records === null ? null : place(s, records, slot);
  });

/** When the newest log received so far was written; an idle database last wrote before the model began. */
const when = (name: string, lagMs: (s: CopyState) => number | null): Field<CopyState> =>
  field(name, datetime, (s) => {
    const lag = lagMs(s);
    if (lag === null) return null;
    const lastUs = s.copy.database.writesLog ? s.copy.movedAt(s.nowUs) - lag * 1000 : s.world.startUs;
    return s.world.clock.localMoment(Math.max(lastUs, s.world.startUs));
  });

const queue = (name: string, value: (s: CopyState) => readonly [number, number] | null): Field<CopyState> =>
  field(name, bigint, (s) => {
    const span = value(s);
    return span === null ? null : BigInt(countLogKb(...span, s.copy.database.bytesPerLogRecord));
  });

/** Kilobytes a second at the database's top rate. The model's choice. */
const rate = (name: string, isShown: (s: CopyState) => boolean): Field<CopyState> =>
  field(name, bigint, (s) => {
    if (!isShown(s)) return null;
    const work = s.world.databases.byName(s.copy.database.name)?.workload;
    return BigInt(Math.round(((work?.logRecordsPerSecond ?? 0) * s.copy.database.bytesPerLogRecord) / 1024));
  });

/** Whether the row is about a secondary and its primary is asked. */
const isSentTo = (s: CopyState): boolean => !isPrimaryRow(s) && s.isAskedOfPrimary;

/** For a primary it is the least of its synchronous secondaries; NULL if it has none. */
function hardenedOfPrimary(s: CopyState): number | null {
  const secondaries = s.replica.group.replicas.filter((each) => each.role === 'SECONDARY' && each.description.isSynchronous);
  const copies = secondaries.flatMap((each) => s.copy.database.copies.get(each.description.server) ?? []);
  return copies.length === 0 ? null : Math.min(...copies.map((copy) => copy.hardenedAt(s.nowUs)));
}

/** Microsoft Learn, "sys.dm_hadr_database_replica_states"; the product also has the quorum columns and is_internal (seen in 2025), not on that page. */
const COPY_STATES: readonly Field<CopyState>[] = [
  field('database_id', int, (s) => s.world.databases.byName(s.copy.database.name)?.id ?? null),
  field('group_id', guid, (s) => s.replica.group.id),
  field('replica_id', guid, (s) => s.replica.id),
  field('group_database_id', guid, (s) => s.copy.groupDatabaseId),
  field('is_local', bit, (s) => s.isLocal),
  ...since<CopyState>(2014, field('is_primary_replica', bit, isPrimaryRow)),
  ...described<CopyState, SynchronizationState>('synchronization_state', SYNCHRONIZATION_STATES, (s) => s.movement.state),
  field('is_commit_participant', bit, (s) => s.replica.description.isSynchronous && s.movement.state === 'SYNCHRONIZED'),
  ...described<CopyState, Health>('synchronization_health', HEALTHS, (s) => s.movement.health),
  ...described<CopyState, 'ONLINE'>('database_state', { ONLINE: 0 }, (s) => (s.isLocal ? 'ONLINE' : null)),
  field('is_suspended', bit, (s) => s.copy.isSuspended),
  ...described<CopyState, SuspendReason>('suspend_reason', SUSPEND_REASONS, (s) => s.copy.suspendReason ?? null),
  at('recovery_lsn', () => 0),
  at('truncation_lsn', (s) => s.movement.redoneRecords * 0.98),
  at('last_sent_lsn', (s) => (isPrimaryRow(s) ? null : s.movement.hardenedRecords)),
  when('last_sent_time', (s) => (isPrimaryRow(s) ? null : s.copy.sendLagMs)),
  at('last_received_lsn', (s) => (isPrimaryRow(s) ? null : s.movement.hardenedRecords)),
  when('last_received_time', (s) => (isPrimaryRow(s) ? null : s.copy.sendLagMs)),
  at('last_hardened_lsn', (s) => (isPrimaryRow(s) ? hardenedOfPrimary(s) : s.movement.hardenedRecords)),
  when('last_hardened_time', (s) => s.copy.sendLagMs),
  at('last_redone_lsn', (s) => (isPrimaryRow(s) ? null : s.movement.redoneRecords), 2),
  when('last_redone_time', (s) => (isPrimaryRow(s) ? null : s.copy.sendLagMs + s.copy.redoLagMs)),
  queue('log_send_queue_size', (s) => (isSentTo(s) ? [s.movement.hardenedRecords, s.movement.writtenRecords] : null)),
  rate('log_send_rate', isSentTo),
  queue('redo_queue_size', (s) => (isPrimaryRow(s) ? null : [s.movement.redoneRecords, s.movement.hardenedRecords])),
  rate('redo_rate', (s) => !isPrimaryRow(s)),
  field('filestream_send_rate', bigint, (s) => (isSentTo(s) ? 0n : null)),
  at('end_of_log_lsn', (s) => s.movement.hardenedRecords),
  at('last_commit_lsn', (s) => (isPrimaryRow(s) ? s.movement.hardenedRecords : s.movement.redoneRecords), 3),
  when('last_commit_time', (s) => s.copy.sendLagMs + s.copy.redoLagMs),
  field('low_water_mark_for_ghosts', bigint, (s) => BigInt(Math.floor(s.movement.redoneRecords / 10))),
  ...since<CopyState>(
    2016,
    field('secondary_lag_seconds', bigint, (s) => (isSentTo(s) ? BigInt(lagSeconds(s)) : null)),
  ),
  ...since<CopyState>(
    2017,
    at('quorum_commit_lsn', () => null),
    when('quorum_commit_time', () => null),
  ),
  ...since<CopyState>(
    2025,
    field('is_internal', bit, () => false),
  ),
];

function lagSeconds({ copy, nowUs }: CopyState): number {
  return Math.floor(((nowUs - copy.movedAt(nowUs)) / 1000 + copy.sendLagMs + copy.redoLagMs) / 1000);
}

interface ClusterDatabase {
  readonly group: Group;
  readonly database: GroupDatabase;
}

/**
 * Microsoft Learn, "sys.availability_databases_cluster": joined here or not. A distributed group has rows of its own: the model's choice,
 * docs/facts.md, SQL Server 2.
 */
const CLUSTER_DATABASES: readonly Field<ClusterDatabase>[] = [
  field('group_id', guid, (d) => d.group.id),
  field('group_database_id', guid, (d) => d.database.id),
  field('database_name', sysname, (d) => d.database.name),
  field('truncation_lsn', lsn, (d) => formatLsn(0, d.database.bytesPerLogRecord)),
];

interface ClusterCopy {
  readonly copy: DatabaseCopy;
  readonly movement: Movement;
}

/** Microsoft Learn, "sys.dm_hadr_database_replica_cluster_states". */
const CLUSTER_COPIES: readonly Field<ClusterCopy>[] = [
  field('replica_id', guid, (c) => c.copy.replicaId),
  field('group_database_id', guid, (c) => c.copy.groupDatabaseId),
  field('database_name', sysname, (c) => c.copy.database.name),
  field('is_failover_ready', bit, (c) => c.movement.state === 'SYNCHRONIZED'),
  field('is_pending_secondary_suspend', bit, () => false),
  field('is_database_joined', bit, (c) => c.copy.isJoined),
  field('recovery_lsn', lsn, (c) => formatLsn(0, c.copy.database.bytesPerLogRecord)),
  field('truncation_lsn', lsn, (c) => formatLsn(0, c.copy.database.bytesPerLogRecord)),
];

function listClusterCopies(world: World, nowUs: number): readonly ClusterCopy[] {
  return (world.availability?.groups ?? [])
    .filter(({ kind }) => kind !== 'distributed')
    .flatMap(({ databases }) => databases.flatMap(({ copies }) => [...copies.values()]))
    .map((copy) => ({ copy, movement: measureCopy(copy, nowUs) }));
}

// oxfmt-ignore
export const AVAILABILITY_DATABASE_OBJECTS: readonly CatalogObject[] = [
  view('sys.availability_databases_cluster', CLUSTER_DATABASES, (world, asked) =>
    listGroups(world, asked).flatMap((group) => group.databases.map((database) => ({ group, database })))),
  view('sys.dm_hadr_database_replica_states', COPY_STATES, (world, { nowUs }) => listCopyStates(world, nowUs), STATE),
  view('sys.dm_hadr_database_replica_cluster_states', CLUSTER_COPIES, (world, { nowUs }) => listClusterCopies(world, nowUs), STATE),
];
