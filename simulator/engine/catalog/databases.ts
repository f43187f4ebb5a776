import type { Platform } from '../../scenarios/platform';
import type { Database } from '../databases/databases';
import { view, type CatalogObject } from './object';
import { ownerSid } from './principals';
import {
  bit,
  datetime,
  field,
  int,
  need,
  nvarchar,
  since,
  smallint,
  sysname,
  tinyint,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

interface Row extends Database {
  readonly ownerSid: Uint8Array;
  readonly physicalName: string;
}

/** Without connections, a copy in an availability group shows no collation. Microsoft Learn, "sys.databases", collation_name. */
const isOpen = (database: Database): boolean => database.state === 'ONLINE' && database.availability?.refuse(true) === undefined;
const STATES = { ONLINE: 0, RESTORING: 1, OFFLINE: 6 } as const;
const RECOVERY_MODELS = { FULL: 1, BULK_LOGGED: 2, SIMPLE: 3 } as const;

const flag = (name: string, value: (database: Row) => boolean | null): Field<Row> => field(name, bit, value);
const off = (name: string): Field<Row> => flag(name, () => false);

export function isInAzure({ platform }: { readonly platform: Platform }): boolean {
  return platform === 'managed-instance' || platform === 'azure-sql-database';
}

/** The physical name of a user database in Azure: a GUID. */
export function physicalDatabaseName(database: { readonly id: number; readonly name: string }): string {
  return database.id <= 4 ? database.name : databaseGuid(database, 50);
}

/** A GUID that depends only on the database and the kind. */
export function databaseGuid(database: { readonly id: number }, kind: number): string {
  const hex = (value: number, width: number): string => (value >>> 0).toString(16).toUpperCase().padStart(width, '0');
  const mixed = Math.imul(database.id + kind * 7919, 0x9e3779b1);
  return `${hex(mixed, 8)}-${hex(kind, 4)}-4${hex(database.id & 0xfff, 3)}-8${hex((mixed >>> 7) & 0xfff, 3)}-${hex(Math.imul(mixed, 0x85ebca6b), 8)}${hex(database.id, 4)}`;
}

/**
 * Names, order and types follow Microsoft Learn, "sys.databases"; the first half was compared column by column. The columns of 2022 and 2025 follow published
 * definitions of the view. If the page names no release for a column between 2012 and 2019, it is the release that brought the feature.
 */
const FIELDS: readonly Field<Row>[] = [
  need('name', sysname, (d) => d.name),
  need('database_id', int, (d) => d.id),
  field('source_database_id', int, () => null),
  field('owner_sid', varbinary(85), (d) => d.ownerSid),
  need('create_date', datetime, (d) => d.createdLocal),
  need('compatibility_level', tinyint, (d) => d.compatibilityLevel),
  field('collation_name', sysname, (d) => (isOpen(d) ? d.collation : null)),
  field('user_access', tinyint, () => 0),
  field('user_access_desc', nvarchar(60), () => 'MULTI_USER'),
  flag('is_read_only', (d) => d.isReadOnly),
  need('is_auto_close_on', bit, () => false),
  flag('is_auto_shrink_on', () => false),
  field('state', tinyint, (d) => STATES[d.state]),
  field('state_desc', nvarchar(60), (d) => d.state),
  flag('is_in_standby', (d) => d.isInStandby),
  flag('is_cleanly_shutdown', (d) => d.state === 'OFFLINE'),
  off('is_supplemental_logging_enabled'),
  field('snapshot_isolation_state', tinyint, (d) => (d.name === 'master' || d.name === 'msdb' ? 1 : 0)),
  field('snapshot_isolation_state_desc', nvarchar(60), (d) => (d.name === 'master' || d.name === 'msdb' ? 'ON' : 'OFF')),
  off('is_read_committed_snapshot_on'),
  field('recovery_model', tinyint, (d) => RECOVERY_MODELS[d.recoveryModel]),
  field('recovery_model_desc', nvarchar(60), (d) => d.recoveryModel),
  field('page_verify_option', tinyint, (d) => (d.pageVerify === 'CHECKSUM' ? 2 : 1)),
  field('page_verify_option_desc', nvarchar(60), (d) => d.pageVerify),
  flag('is_auto_create_stats_on', () => true),
  ...since(2014, off('is_auto_create_stats_incremental_on')),
  flag('is_auto_update_stats_on', () => true),
  off('is_auto_update_stats_async_on'),
  off('is_ansi_null_default_on'),
  off('is_ansi_nulls_on'),
  off('is_ansi_padding_on'),
  off('is_ansi_warnings_on'),
  off('is_arithabort_on'),
  off('is_concat_null_yields_null_on'),
  off('is_numeric_roundabort_on'),
  off('is_quoted_identifier_on'),
  off('is_recursive_triggers_on'),
  off('is_cursor_close_on_commit_on'),
  off('is_local_cursor_default'),
  flag('is_fulltext_enabled', (d) => d.id > 4),
  flag('is_trustworthy_on', (d) => d.name === 'msdb'),
  flag('is_db_chaining_on', (d) => d.id <= 4 && d.name !== 'model'),
  off('is_parameterization_forced'),
  need('is_master_key_encrypted_by_server', bit, () => false),
  ...since(2016, off('is_query_store_on')),
  need('is_published', bit, () => false),
  need('is_subscribed', bit, () => false),
  need('is_merge_published', bit, () => false),
  need('is_distributor', bit, (d) => d.name === 'distribution'),
  need('is_sync_with_backup', bit, () => false),
  need('service_broker_guid', uniqueidentifier, (d) => databaseGuid(d, 1)),
  need('is_broker_enabled', bit, (d) => d.name === 'msdb' || d.name === 'tempdb'),
  field('log_reuse_wait', tinyint, (d) => d.logReuseWait.id),
  field('log_reuse_wait_desc', nvarchar(60), (d) => d.logReuseWait.name),
  need('is_date_correlation_on', bit, () => false),
  need('is_cdc_enabled', bit, () => false),
  off('is_encrypted'),
  off('is_honor_broker_priority_on'),
  field('replica_id', uniqueidentifier, (d) => d.availability?.replicaId ?? null),
  field('group_database_id', uniqueidentifier, (d) => d.availability?.groupDatabaseId ?? null),
  ...since(
    2014,
    field('resource_pool_id', int, () => null),
  ),
  field('default_language_lcid', smallint, () => null),
  field('default_language_name', sysname, () => null),
  field('default_fulltext_language_lcid', int, () => null),
  field('default_fulltext_language_name', sysname, () => null),
  flag('is_nested_triggers_on', () => null),
  flag('is_transform_noise_words_on', () => null),
  field('two_digit_year_cutoff', smallint, () => null),
  field('containment', tinyint, () => 0),
  field('containment_desc', nvarchar(60), () => 'NONE'),
  field('target_recovery_time_in_seconds', int, (d) => d.targetRecoverySeconds),
  ...since(
    2014,
    field('delayed_durability', int, () => 0),
    field('delayed_durability_desc', nvarchar(60), () => 'DISABLED'),
    off('is_memory_optimized_elevate_to_snapshot_on'),
  ),
  ...since(2016, off('is_federation_member'), off('is_remote_data_archive_enabled'), off('is_mixed_page_allocation_on')),
  ...since(2017, off('is_temporal_history_retention_enabled')),
  ...since(
    2019,
    need('catalog_collation_type', int, () => 0),
    field('catalog_collation_type_desc', nvarchar(60), () => 'DATABASE_DEFAULT'),
    field('physical_database_name', sysname, (d: Row) => d.physicalName),
    off('is_result_set_caching_on'),
    flag('is_accelerated_database_recovery_on', (d: Row) => d.hasAcceleratedRecovery === true),
    off('is_tempdb_spill_to_remote_store'),
    off('is_stale_page_detection_on'),
    off('is_memory_optimized_enabled'),
  ),
  ...since(2022, off('is_data_retention_enabled'), off('is_ledger_on'), off('is_change_feed_enabled')),
  ...since(
    2025,
    off('is_data_lake_replication_enabled'),
    off('is_event_stream_enabled'),
    field('data_compaction', tinyint, () => 0),
    field('data_compaction_desc', nvarchar(60), () => 'UNSUPPORTED'),
    field('data_lake_log_publishing', tinyint, () => 0),
    field('data_lake_log_publishing_desc', nvarchar(60), () => 'UNSUPPORTED'),
    off('is_vorder_enabled'),
    off('is_proactive_statistics_refresh_on'),
    off('is_optimized_locking_on'),
  ),
];

/** Public has VIEW ANY DATABASE. An offline database shows only to its owner and to logins that may alter any. Microsoft Learn, "sys.databases". */
export const DATABASE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.databases',
    FIELDS,
    (world, { principal }) => {
      const nameOf = isInAzure(world.scenario.server) ? physicalDatabaseName : (database: Database) => database.name;
      return world.databases.listed.flatMap((database): readonly Row[] =>
        world.permissions.canSee(principal, database)
          ? [{ ...database, ownerSid: ownerSid(world, database), physicalName: nameOf(database) }]
          : [],
      );
    },
    { version: ({ databases }) => (databases.all.some(({ availability }) => availability !== undefined) ? undefined : databases.version) },
  ),
];
