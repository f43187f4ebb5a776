import {
  bit,
  defineRow,
  integer,
  later,
  localTime,
  nullable,
  offset,
  type Readings,
  readValues,
  text,
  type TextRows,
  utc,
  version,
} from '../rows';
import { toUtcMs } from '../time';
import type { AvailabilityRole, DatabaseCopies, DatabaseFacts, ServerFacts, ServerState } from './facts';

const idOf = ({ database_id }: { readonly database_id: number }): number => database_id;

const serverRow = defineRow({
  server_name: text(),
  product_version: version(),
  product_level: text(),
  edition: text(),
  engine_edition: integer(),
  is_clustered: nullable(bit()),
  is_hadr_enabled: nullable(bit()),
  path_separator: nullable(text()),
  login_name: text(),
  now_utc: utc(),
  utc_offset_minutes: offset(),
  started_local: nullable(utc()),
  model_target_seconds: nullable(integer()),
  can_view_server_state: nullable(bit()),
  can_view_performance_state: nullable(bit()),
  can_alter_event_session: nullable(bit()),
  can_create_event_session: nullable(bit()),
  can_enable_event_session: nullable(bit()),
  can_disable_event_session: nullable(bit()),
  can_add_session_event: nullable(bit()),
  can_drop_session_event: nullable(bit()),
  can_drop_event_session: nullable(bit()),
});

const stateRow = defineRow({
  committed_target_mb: integer(),
  physical_memory_mb: integer(),
  has_buffer_pool_scan_complete: bit(),
  has_timestamp_utc: bit(),
});

const databaseRow = defineRow({
  database_id: integer(),
  database_name: text(),
  created_local: localTime(),
  target_seconds: nullable(integer()),
  state_name: text(),
  is_read_only: nullable(bit()),
  is_in_standby: nullable(bit()),
  source_database_id: nullable(integer()),
  recovery_model: nullable(text()),
  log_reuse_wait: nullable(text()),
  updateability: nullable(text()),
  in_availability_group: bit(),
  is_distributor: later(bit()),
});

const roleRow = defineRow({
  database_id: integer(),
  role_name: nullable(text()),
  group_name: nullable(text()),
  primary_replica: nullable(text()),
  replicas: nullable(text()),
});

const copyRow = defineRow({
  database_id: integer(),
  group_database_id: text(),
  redo_queue_kb: nullable(integer()),
});
const memberRow = defineRow({ member_group: text(), member_role: nullable(text()), is_local: bit() });

/**
 * The answer of sql/read/server-facts.sql; no value if the row could not be read. The recovery interval comes with the
 * settings.
 */
export function readServerFacts(set: TextRows): Readings<ServerFacts> {
  return readValues(serverRow, set, null, (row) => ({
    serverName: row.server_name,
    productVersion: row.product_version,
    productLevel: row.product_level,
    edition: row.edition,
    engineEdition: row.engine_edition,
    isClustered: row.is_clustered,
    isHadrEnabled: row.is_hadr_enabled === true,
    pathSeparator: row.path_separator,
    loginName: row.login_name,
    nowUtcMs: row.now_utc,
    utcOffsetMinutes: row.utc_offset_minutes,
    startedUtcMs: row.started_local === null ? null : toUtcMs(row.started_local, row.utc_offset_minutes),
    recoveryIntervalMinutes: null,
    modelTargetSeconds: row.model_target_seconds,
    permissions: {
      viewServerState: row.can_view_server_state,
      viewPerformanceState: row.can_view_performance_state,
      alterEventSession: row.can_alter_event_session,
      createEventSession: row.can_create_event_session,
      enableEventSession: row.can_enable_event_session,
      disableEventSession: row.can_disable_event_session,
      addSessionEvent: row.can_add_session_event,
      dropSessionEvent: row.can_drop_session_event,
      dropEventSession: row.can_drop_event_session,
    },
  }));
}

/** The answer of sql/read/server-state.sql. */
export function readServerState(set: TextRows): Readings<ServerState> {
  return readValues(stateRow, set, null, (row) => ({
    committedTargetMb: row.committed_target_mb,
    physicalMemoryMb: row.physical_memory_mb,
    hasBufferPoolScanComplete: row.has_buffer_pool_scan_complete,
    hasTimestampUtc: row.has_timestamp_utc,
  }));
}

/** The answer of sql/read/database-facts.sql; a database whose row could not be read is among the problems. */
export function readDatabaseFacts(set: TextRows): Readings<DatabaseFacts> {
  return readValues(databaseRow, set, idOf, (row) => ({
    databaseId: row.database_id,
    name: row.database_name,
    createdLocal: row.created_local,
    targetSeconds: row.target_seconds,
    state: row.state_name,
    isReadOnly: row.is_read_only === true,
    isInStandby: row.is_in_standby === true,
    isSnapshot: row.source_database_id !== null,
    recoveryModel: row.recovery_model ?? 'UNKNOWN',
    logReuseWait: row.log_reuse_wait ?? 'UNKNOWN',
    updateability: row.updateability,
    inAvailabilityGroup: row.in_availability_group,
    isDistributor: row.is_distributor,
  }));
}

/** The answer of sql/read/availability-roles.sql, by database_id. */
export function readAvailabilityRoles(set: TextRows): Readings<AvailabilityRole> {
  return readValues(roleRow, set, idOf, (row) => ({
    databaseId: row.database_id,
    role: row.role_name ?? 'UNKNOWN',
    groupName: row.group_name ?? '',
    primaryReplica: row.primary_replica,
    replicas: (row.replicas ?? '').split(',').filter((name) => name !== ''),
  }));
}

export interface CopiesReading extends Omit<DatabaseCopies, 'isForwarder'> {
  readonly databaseId: number;
}

/** The answer of sql/read/database-copies.sql. */
export function readDatabaseCopies(set: TextRows): Readings<CopiesReading> {
  return readValues(copyRow, set, idOf, (row) => ({
    databaseId: row.database_id,
    groupDatabaseId: row.group_database_id,
    redoQueueKb: row.redo_queue_kb,
  }));
}

/** A group that is part of a distributed group. */
export interface GroupMember {
  readonly memberGroup: string;
  /** PRIMARY takes the writes; null if this replica does not know. */
  readonly role: string | null;
}

/** The answer of sql/read/distributed-groups.sql. */
export function readDistributedGroups(set: TextRows): Readings<GroupMember> {
  return readValues(memberRow, set, null, (row) => ({
    memberGroup: row.member_group,
    role: row.member_role,
  }));
}

/**
 * By database_id. The role here says which group a database is in. Without a role, a distributed group is not seen
 * either.
 */
export function joinCopies(
  copies: readonly CopiesReading[],
  members: readonly GroupMember[],
  roles: ReadonlyMap<number, AvailabilityRole>,
): ReadonlyMap<number, DatabaseCopies> {
  return new Map(
    copies.map(({ databaseId, ...copy }) => {
      const group = roles.get(databaseId)?.groupName ?? '';
      // A server may tell names apart by upper and lower case. Only where none is the same does the case not count.
      const find = (form: (name: string) => string): GroupMember | undefined =>
        members.find(({ memberGroup }) => form(memberGroup) === form(group));
      const member = group === '' ? undefined : (find((name) => name) ?? find((name) => name.toLowerCase()));
      const isForwarder = member === undefined || member.role === null ? null : member.role === 'SECONDARY';
      return [databaseId, { ...copy, isForwarder }];
    }),
  );
}
