import type { SqlType } from '../../tds/handler';
import { CONSTANT, STATE, view, type CatalogObject, type ViewOptions } from './object';
import {
  bigint,
  bit,
  datetime,
  field,
  int,
  numeric,
  nvarchar,
  nvarcharMax,
  smallint,
  sysname,
  tinyint,
  uniqueidentifier,
  varbinary,
} from './relation';

const guid = uniqueidentifier;
const lsn = numeric(25, 0);
const name60 = nvarchar(60);

/** A view with the right columns and no rows: this server is in no availability group. */
function empty(name: string, columns: readonly (readonly [name: string, type: SqlType])[], options: ViewOptions): CatalogObject {
  // prettier-ignore
  return view(name, columns.map(([column, type]) => field<never>(column, type, () => null)), () => [], { ...options, version: () => 1 });
}

/** A number and its name: `x` and `x_desc`. */
const described = (name: string): readonly (readonly [string, SqlType])[] => [
  [name, tinyint],
  [`${name}_desc`, name60],
];

/** Microsoft Learn, pages of the same names; columns of SQL Server 2019. */
// prettier-ignore
export const AVAILABILITY_OBJECTS: readonly CatalogObject[] = [
  empty('sys.availability_groups', [
    ['group_id', guid], ['name', sysname], ['resource_id', nvarchar(40)], ['resource_group_id', nvarchar(40)], ['failure_condition_level', int],
    ['health_check_timeout', int], ...described('automated_backup_preference'), ['version', smallint], ['basic_features', bit], ['dtc_support', bit],
    ['db_failover', bit], ['is_distributed', bit], ...described('cluster_type'), ['required_synchronized_secondaries_to_commit', int],
    ['sequence_number', bigint],
  ], CONSTANT),
  empty('sys.availability_groups_cluster', [
    ['group_id', guid], ['name', sysname], ['resource_id', nvarchar(40)], ['resource_group_id', nvarchar(40)], ['failure_condition_level', int],
    ['health_check_timeout', int], ...described('automated_backup_preference'),
  ], CONSTANT),
  empty('sys.availability_replicas', [
    ['replica_id', guid], ['group_id', guid], ['replica_metadata_id', int], ['replica_server_name', nvarchar(256)], ['owner_sid', varbinary(85)],
    ['endpoint_url', nvarchar(128)], ...described('availability_mode'), ...described('failover_mode'), ['session_timeout', int],
    ...described('primary_role_allow_connections'), ...described('secondary_role_allow_connections'), ['create_date', datetime], ['modify_date', datetime],
    ['backup_priority', int], ['read_only_routing_url', nvarchar(256)], ...described('seeding_mode'), ['read_write_routing_url', nvarchar(256)],
  ], CONSTANT),
  empty('sys.availability_databases_cluster', [['group_id', guid], ['group_database_id', guid], ['database_name', sysname], ['truncation_lsn', lsn]], CONSTANT),
  empty('sys.availability_group_listeners', [
    ['group_id', guid], ['listener_id', nvarchar(36)], ['dns_name', nvarchar(63)], ['port', int], ['is_conformant', bit],
    ['ip_configuration_string_from_cluster', nvarcharMax], ['is_distributed_network_name', bit],
  ], CONSTANT),
  empty('sys.dm_hadr_availability_group_states', [
    ['group_id', guid], ['primary_replica', sysname], ...described('primary_recovery_health'), ...described('secondary_recovery_health'),
    ...described('synchronization_health'),
  ], STATE),
  empty('sys.dm_hadr_availability_replica_states', [
    ['replica_id', guid], ['group_id', guid], ['is_local', bit], ...described('role'), ...described('operational_state'), ...described('connected_state'),
    ...described('recovery_health'), ...described('synchronization_health'), ['last_connect_error_number', int],
    ['last_connect_error_description', nvarchar(1024)], ['last_connect_error_timestamp', datetime], ['write_lease_remaining_ticks', bigint],
    ['current_configuration_commit_start_time_utc', datetime],
  ], STATE),
  empty('sys.dm_hadr_database_replica_states', [
    ['database_id', int], ['group_id', guid], ['replica_id', guid], ['group_database_id', guid], ['is_local', bit], ['is_primary_replica', bit],
    ...described('synchronization_state'), ['is_commit_participant', bit], ...described('synchronization_health'), ...described('database_state'),
    ['is_suspended', bit], ...described('suspend_reason'), ['recovery_lsn', lsn], ['truncation_lsn', lsn], ['last_sent_lsn', lsn], ['last_sent_time', datetime],
    ['last_received_lsn', lsn], ['last_received_time', datetime], ['last_hardened_lsn', lsn], ['last_hardened_time', datetime], ['last_redone_lsn', lsn],
    ['last_redone_time', datetime], ['log_send_queue_size', bigint], ['log_send_rate', bigint], ['redo_queue_size', bigint], ['redo_rate', bigint],
    ['filestream_send_rate', bigint], ['end_of_log_lsn', lsn], ['last_commit_lsn', lsn], ['last_commit_time', datetime], ['low_water_mark_for_ghosts', bigint],
    ['secondary_lag_seconds', bigint], ['quorum_commit_lsn', lsn], ['quorum_commit_time', datetime],
  ], STATE),
  empty('sys.dm_hadr_database_replica_cluster_states', [
    ['replica_id', guid], ['group_database_id', guid], ['database_name', sysname], ['is_failover_ready', bit], ['is_pending_secondary_suspend', bit],
    ['is_database_joined', bit], ['recovery_lsn', lsn], ['truncation_lsn', lsn],
  ], STATE),
];
