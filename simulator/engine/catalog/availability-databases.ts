import type { DatabaseCopy, Replica } from '../availability/group';
import { countLogKb, measureCopy, type Movement } from '../availability/movement';
import type { World } from '../world/world';
import { copiesOf } from './availability-states';
import { STATE, view, type CatalogObject } from './object';
import { nvarchar, bigint, bit, field, int, uniqueidentifier, type Field, unmodelled } from './relation';

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
 * On the primary a row for each copy of each database, elsewhere a row for each local copy. A distributed group has
 * rows only for the copies of its second group (Microsoft Learn, "Distributed availability groups": the view "currently
 * stores information about the second availability group only").
 */
function listCopyStates(world: World, nowUs: number): readonly CopyState[] {
  const { availability } = world;
  return (availability?.groups ?? []).flatMap((group) => {
    const local = availability?.localReplica(group);
    const isAskedOfPrimary = local?.role === 'PRIMARY';
    const replicas = (availability?.knownReplicas(group) ?? []).filter(
      (each) => group.kind !== 'distributed' || each.ordinal > 1,
    );
    return replicas.flatMap((replica) =>
      copiesOf(replica).map((copy) => {
        const isLocal = replica === local;
        return { world, nowUs, replica, copy, isLocal, isAskedOfPrimary, movement: measureCopy(copy, nowUs) };
      }),
    );
  });
}

const isPrimaryRow = (s: CopyState): boolean => s.replica.role === 'PRIMARY';

const queue = (name: string, value: (s: CopyState) => readonly [number, number] | null): Field<CopyState> =>
  field(name, bigint, (s) => {
    const span = value(s);
    return span === null ? null : BigInt(countLogKb(...span, s.copy.database.bytesPerLogRecord));
  });

/** Whether the row is about a secondary and its primary is asked. */
const isSentTo = (s: CopyState): boolean => !isPrimaryRow(s) && s.isAskedOfPrimary;

/**
 * Microsoft Learn, "sys.dm_hadr_database_replica_states"; the product also has the quorum columns and is_internal (seen
 * in 2025), not on that page.
 */
const COPY_STATES: readonly Field<CopyState>[] = [
  field('database_id', int, (s) => s.world.databases.byName(s.copy.database.name)?.id ?? null),
  field('group_id', guid, (s) => s.replica.group.id),
  field('replica_id', guid, (s) => s.replica.id),
  field('group_database_id', guid, (s) => s.copy.groupDatabaseId),
  field('is_local', bit, (s) => s.isLocal),
  field('synchronization_state_desc', nvarchar(60), (s) => s.movement.state),
  queue('log_send_queue_size', (s) =>
    isSentTo(s) ? [s.movement.hardenedRecords, s.movement.writtenRecords] : null,
  ),
  queue('redo_queue_size', (s) =>
    isPrimaryRow(s) ? null : [s.movement.redoneRecords, s.movement.hardenedRecords],
  ),
  ...unmodelled(`synchronization_state is_commit_participant synchronization_health synchronization_health_desc database_state database_state_desc is_suspended
    suspend_reason suspend_reason_desc recovery_lsn truncation_lsn last_sent_lsn last_sent_time last_received_lsn
    last_received_time last_hardened_lsn last_hardened_time last_redone_lsn last_redone_time log_send_rate redo_rate
    filestream_send_rate end_of_log_lsn last_commit_lsn last_commit_time low_water_mark_for_ghosts 2014 is_primary_replica 2016
    secondary_lag_seconds 2017 quorum_commit_lsn quorum_commit_time 2025 is_internal`),
];

export const AVAILABILITY_DATABASE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.dm_hadr_database_replica_states',
    COPY_STATES,
    (world, { nowUs }) => listCopyStates(world, nowUs),
    STATE,
  ),
];
