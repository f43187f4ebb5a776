import type { Platform } from '../../scenarios/platform';
import type { Database } from '../databases/databases';
import { view, type CatalogObject } from './object';
import {
  bit,
  datetime,
  field,
  int,
  need,
  nvarchar,
  since,
  sysname,
  tinyint,
  uniqueidentifier,
  type Field,
  unmodelled,
} from './relation';

interface Row extends Database {
  readonly physicalName: string;
}
const STATES = { ONLINE: 0, RESTORING: 1, OFFLINE: 6 } as const;

const flag = (name: string, value: (database: Row) => boolean | null): Field<Row> => field(name, bit, value);

export function isInAzure({ platform }: { readonly platform: Platform }): boolean {
  return platform === 'managed-instance' || platform === 'azure-sql-database';
}

/** The physical name of a user database in Azure: a GUID. */
export function physicalDatabaseName(database: { readonly id: number; readonly name: string }): string {
  return database.id <= 4 ? database.name : databaseGuid(database, 50);
}

/** A GUID that depends only on the database and the kind. */
export function databaseGuid(database: { readonly id: number }, kind: number): string {
  const hex = (value: number, width: number): string =>
    (value >>> 0).toString(16).toUpperCase().padStart(width, '0');
  const mixed = Math.imul(database.id + kind * 7919, 0x9e3779b1);
  return `${hex(mixed, 8)}-${hex(kind, 4)}-4${hex(database.id & 0xfff, 3)}-8${hex((mixed >>> 7) & 0xfff, 3)}-${hex(Math.imul(mixed, 0x85ebca6b), 8)}${hex(database.id, 4)}`;
}

/**
 * Names, order and types follow Microsoft Learn, "sys.databases"; the first half was compared column by column. The
 * columns of 2022 and 2025 follow published definitions of the view. If the page names no release for a column between
 * 2012 and 2019, it is the release that brought the feature.
 */
const FIELDS: readonly Field<Row>[] = [
  need('name', sysname, (d) => d.name),
  need('database_id', int, (d) => d.id),
  field('source_database_id', int, () => null),
  need('create_date', datetime, (d) => d.createdLocal),
  flag('is_read_only', (d) => d.isReadOnly),
  field('state', tinyint, (d) => STATES[d.state]),
  field('state_desc', nvarchar(60), (d) => d.state),
  flag('is_in_standby', (d) => d.isInStandby),
  field('recovery_model_desc', nvarchar(60), (d) => d.recoveryModel),
  need('is_distributor', bit, (d) => d.name === 'distribution'),
  field('log_reuse_wait_desc', nvarchar(60), (d) => d.logReuseWait.name),
  field('replica_id', uniqueidentifier, (d) => d.availability?.replicaId ?? null),
  field('group_database_id', uniqueidentifier, (d) => d.availability?.groupDatabaseId ?? null),
  field('target_recovery_time_in_seconds', int, (d) => d.targetRecoverySeconds),
  ...since(
    2019,
    field('physical_database_name', sysname, (d: Row) => d.physicalName),
    flag('is_accelerated_database_recovery_on', (d: Row) => d.hasAcceleratedRecovery === true),
  ),
  ...unmodelled(`owner_sid compatibility_level collation_name user_access user_access_desc is_auto_close_on is_auto_shrink_on
    is_cleanly_shutdown is_supplemental_logging_enabled snapshot_isolation_state snapshot_isolation_state_desc
    is_read_committed_snapshot_on recovery_model page_verify_option page_verify_option_desc is_auto_create_stats_on
    is_auto_update_stats_on is_auto_update_stats_async_on is_ansi_null_default_on is_ansi_nulls_on is_ansi_padding_on
    is_ansi_warnings_on is_arithabort_on is_concat_null_yields_null_on is_numeric_roundabort_on is_quoted_identifier_on
    is_recursive_triggers_on is_cursor_close_on_commit_on is_local_cursor_default is_fulltext_enabled is_trustworthy_on
    is_db_chaining_on is_parameterization_forced is_master_key_encrypted_by_server is_published is_subscribed is_merge_published
    is_sync_with_backup service_broker_guid is_broker_enabled log_reuse_wait is_date_correlation_on is_cdc_enabled is_encrypted
    is_honor_broker_priority_on default_language_lcid default_language_name default_fulltext_language_lcid
    default_fulltext_language_name is_nested_triggers_on is_transform_noise_words_on two_digit_year_cutoff containment
    containment_desc 2014 is_auto_create_stats_incremental_on resource_pool_id delayed_durability delayed_durability_desc
    is_memory_optimized_elevate_to_snapshot_on 2016 is_query_store_on is_federation_member is_remote_data_archive_enabled
    is_mixed_page_allocation_on 2017 is_temporal_history_retention_enabled 2019 catalog_collation_type
    catalog_collation_type_desc is_result_set_caching_on is_tempdb_spill_to_remote_store is_stale_page_detection_on
    is_memory_optimized_enabled 2022 is_data_retention_enabled is_ledger_on is_change_feed_enabled 2025
    is_data_lake_replication_enabled is_event_stream_enabled data_compaction data_compaction_desc data_lake_log_publishing
    data_lake_log_publishing_desc is_vorder_enabled is_proactive_statistics_refresh_on is_optimized_locking_on`),
];

/**
 * Public has VIEW ANY DATABASE. An offline database shows only to its owner and to logins that may alter any. Microsoft
 * Learn, "sys.databases".
 */
export const DATABASE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.databases',
    FIELDS,
    (world, { principal }) => {
      const nameOf = isInAzure(world.scenario.server)
        ? physicalDatabaseName
        : (database: Database) => database.name;
      return world.databases.listed.flatMap((database): readonly Row[] =>
        world.permissions.canSee(principal, database)
          ? [{ ...database, physicalName: nameOf(database) }]
          : [],
      );
    },
    {
      version: ({ databases }) =>
        databases.all.some(({ availability }) => availability !== undefined) ? undefined : databases.version,
    },
  ),
];
