import { bit, defineRow, integer, nullable, readRows, type RowOf, type RowProblem, text, type TextRows, utc } from '../rows';
import { toUtcMs } from '../time';
import type { AvailabilityRole, DatabaseFacts, ServerFacts, ServerState } from './facts';

/** Good values beside what could not be read. */
export interface Readings<T> {
  readonly values: readonly T[];
  readonly problems: readonly RowProblem[];
}

const serverRow = defineRow({
  server_name: text(),
  product_version: text(),
  product_level: text(),
  edition: text(),
  engine_edition: integer(),
  is_clustered: nullable(bit()),
  is_hadr_enabled: nullable(bit()),
  path_separator: nullable(text()),
  login_name: text(),
  now_utc: utc(),
  utc_offset_minutes: integer(),
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
  created_local: text(),
  target_seconds: nullable(integer()),
  state_name: text(),
  is_read_only: nullable(bit()),
  is_in_standby: nullable(bit()),
  source_database_id: nullable(integer()),
  recovery_model: nullable(text()),
  log_reuse_wait: nullable(text()),
  compatibility_level: integer(),
  updateability: nullable(text()),
  in_availability_group: bit(),
});

const roleRow = defineRow({
  database_id: integer(),
  role_name: nullable(text()),
  group_name: nullable(text()),
  primary_replica: nullable(text()),
  replicas: nullable(text()),
});

/** The answer of sql/read/server-facts.sql; no value where the row could not be read. The recovery interval is among the settings. */
export function readServerFacts(set: TextRows): Readings<ServerFacts> {
  const { rows, problems } = readRows(serverRow, set);
  return { values: rows.map(toServerFacts), problems };
}

function toServerFacts(row: RowOf<typeof serverRow>): ServerFacts {
  return {
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
  };
}

/** The answer of sql/read/server-state.sql. */
export function readServerState(set: TextRows): Readings<ServerState> {
  const { rows, problems } = readRows(stateRow, set);
  const values = rows.map((row) => ({
    committedTargetMb: row.committed_target_mb,
    physicalMemoryMb: row.physical_memory_mb,
    hasBufferPoolScanComplete: row.has_buffer_pool_scan_complete,
    hasTimestampUtc: row.has_timestamp_utc,
  }));
  return { values, problems };
}

/** The answer of sql/read/database-facts.sql; a database whose row could not be read is among the problems. */
export function readDatabaseFacts(set: TextRows): Readings<DatabaseFacts> {
  const { rows, problems } = readRows(databaseRow, set);
  const values = rows.map((row) => ({
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
    compatibilityLevel: row.compatibility_level,
    updateability: row.updateability,
    inAvailabilityGroup: row.in_availability_group,
  }));
  return { values, problems };
}

/** The answer of sql/read/availability-roles.sql, by database_id. */
export function readAvailabilityRoles(set: TextRows): Readings<AvailabilityRole> {
  const { rows, problems } = readRows(roleRow, set);
  const values = rows.map((row) => ({
    databaseId: row.database_id,
    role: row.role_name ?? 'UNKNOWN',
    groupName: row.group_name ?? '',
    primaryReplica: row.primary_replica,
    replicas: (row.replicas ?? '').split(',').filter((name) => name !== ''),
  }));
  return { values, problems };
}
