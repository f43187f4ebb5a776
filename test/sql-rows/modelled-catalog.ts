/** The catalog views that our reads name, as tables of DuckDB, with the columns that they use. Bits are whole numbers, times are text of style 126. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { listRows, type ModelledServer, type Row } from './modelled-server';

/** View -> its columns; text unless a type is given. */
const COLUMNS: Readonly<Record<string, string>> = {
  'sys.databases':
    'database_id int, name, create_date, target_recovery_time_in_seconds int, state int, state_desc, is_read_only int, is_in_standby int, source_database_id int, recovery_model_desc, log_reuse_wait_desc, compatibility_level int, replica_id, group_database_id, is_accelerated_database_recovery_on int',
  'sys.master_files': 'database_id int, file_id int, type int, size int',
  'sys.dm_os_volume_stats': 'database_id int, file_id int, volume_mount_point, available_bytes bigint, total_bytes bigint',
  'model.file_stats':
    'database_id int, file_id int, num_of_writes bigint, num_of_bytes_written bigint, io_stall_write_ms bigint, num_of_reads bigint, io_stall_read_ms bigint',
  'sys.dm_db_log_stats': 'database_id int, total_vlf_count bigint, total_log_size_mb double, log_since_last_checkpoint_mb double',
  'sys.configurations': 'configuration_id int, name, value int, value_in_use int, is_dynamic int',
  'sys.dm_server_registry': 'value_name, value_data',
  'sys.dm_os_host_info': 'host_platform, host_distribution, host_release',
  'sys.dm_os_sys_info': 'committed_target_kb bigint, physical_memory_kb bigint, ms_ticks bigint, sqlserver_start_time_ms_ticks bigint',
  'sys.dm_os_performance_counters': 'object_name, counter_name, instance_name, cntr_value bigint, cntr_type int',
  'sys.dm_os_spinlock_stats': 'name, backoffs bigint',
  'sys.dm_os_wait_stats': 'wait_type, waiting_tasks_count bigint, wait_time_ms bigint',
  'sys.dm_xe_objects': 'object_type, name',
  'sys.all_columns': 'object_id int, name',
  'sys.messages': 'message_id int, language_id int, text',
  'sys.availability_groups': 'group_id, name, is_distributed int',
  'sys.availability_replicas': 'replica_id, group_id, replica_server_name',
  'sys.dm_hadr_availability_replica_states': 'replica_id, group_id, is_local int, role_desc',
  'sys.dm_hadr_availability_group_states': 'group_id, primary_replica',
  'sys.dm_hadr_database_replica_states': 'replica_id, group_database_id, redo_queue_size bigint, log_send_queue_size bigint',
  'sys.server_event_sessions': 'event_session_id int, name, track_causality int, max_dispatch_latency int',
  'sys.server_event_session_events': 'event_session_id int, package, name, predicate',
  'sys.server_event_session_targets': 'event_session_id int, target_id int, name',
  'sys.server_event_session_fields': 'event_session_id int, object_id int, name, value',
  'sys.dm_xe_sessions': 'address, name, create_time, dropped_event_count bigint, dropped_buffer_count bigint, total_buffer_size bigint',
  'sys.dm_xe_session_targets': 'event_session_address, target_name, target_data',
  'model.events': 'object_name, event_data, file_name, file_offset bigint',
  'model.properties': 'property, value',
  'model.permissions': 'permission, is_held int',
  'model.database_properties': 'database_name, updateability',
  'msdb.dbo.sysmanagement_shared_server_groups': 'server_group_id int, name, server_type int, parent_id int',
  'msdb.dbo.sysmanagement_shared_registered_servers': 'server_id int, server_group_id int, name, server_name',
  'msdb.dbo.backupset':
    'database_name, type, backup_start_date, backup_finish_date, time_zone int, backup_size bigint, is_snapshot int, server_name',
};

/** What stands for the functions of the server. Times are fixed: 2026-03-02 08:00 UTC, one hour ahead. */
const FUNCTIONS: readonly string[] = [
  'CREATE MACRO serverproperty(p) AS (SELECT q.value FROM model.properties AS q WHERE q.property = p)',
  'CREATE MACRO has_perms_by_name(a, b, c) AS (SELECT q.is_held FROM model.permissions AS q WHERE q.permission = c)',
  "CREATE MACRO databasepropertyex(n, p) AS (SELECT q.updateability FROM model.database_properties AS q WHERE q.database_name = n AND p = 'Updateability')",
  "CREATE MACRO sysutcdatetime() AS '2026-03-02T08:00:00.123'",
  'CREATE MACRO modelled_offset_minutes() AS 60',
  "CREATE MACRO modelled_login() AS 'dba'",
  "CREATE MACRO modelled_server_name() AS serverproperty('ServerName')",
  'CREATE MACRO object_id(n) AS 1',
  'CREATE MACRO style_126(t) AS t',
  'CREATE MACRO datalength(t) AS 2 * length(t)',
  'CREATE MACRO sys.dm_io_virtual_file_stats(a, b) AS TABLE SELECT * FROM model.file_stats',
  'CREATE MACRO sys.fn_xe_file_target_read_file(a, b, c, d) AS TABLE SELECT * FROM model.events',
];

const PROPERTIES = {
  ProductVersion: '15.0.4322.2',
  ProductLevel: 'RTM',
  Edition: 'Enterprise Edition (64-bit)',
  EngineEdition: '3',
  IsClustered: '0',
  IsHadrEnabled: '0',
  PathSeparator: '\\',
  ErrorLogFileName: 'c:\\MSSQL\\Log\\ERRORLOG',
};

export type AskedRows = readonly (readonly (string | null)[])[];

/** One modelled server in DuckDB. */
export class ModelledCatalog {
  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
  ) {}

  static async create(server: ModelledServer): Promise<ModelledCatalog> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const catalog = new ModelledCatalog(instance, await instance.connect());
    await catalog.fill(server);
    return catalog;
  }

  private async fill(server: ModelledServer): Promise<void> {
    const settings = ['SET integer_division = true', ...(server.isCaseSensitive ? [] : ["SET default_collation = 'NOCASE'"])];
    const schemas = ['CREATE SCHEMA sys', 'CREATE SCHEMA model', "ATTACH ':memory:' AS msdb", 'CREATE SCHEMA msdb.dbo'];
    for (const text of [...settings, ...schemas]) await this.connection.run(text);
    const properties = Object.entries({ ServerName: server.name, ...PROPERTIES, ...server.properties });
    const rows = { ...listRows(server), 'model.properties': properties.map(([property, value]) => ({ property, value })) };
    for (const [view, columns] of Object.entries(COLUMNS)) await this.addView(view, columns, rows[view as keyof typeof rows] ?? []);
    for (const view of Object.keys(rows)) if (!(view in COLUMNS)) throw new Error(`${view} is not among the modelled views`);
    for (const text of FUNCTIONS) await this.connection.run(text);
  }

  private async addView(view: string, columns: string, rows: readonly Row[]): Promise<void> {
    const definitions = columns.split(', ').map((column) => (column.includes(' ') ? column : `${column} varchar`));
    const names = definitions.map((definition) => definition.split(' ')[0] as string);
    await this.connection.run(`CREATE TABLE ${view} (${definitions.join(', ')})`);
    for (const row of rows) {
      const cells = names.map((name) => (row[name] === undefined || row[name] === null ? 'NULL' : quote(row[name])));
      await this.connection.run(`INSERT INTO ${view} VALUES (${cells.join(', ')})`);
    }
  }

  /** @throws Error of DuckDB, for what a translator wrote that is no statement of it */
  async ask(sql: string): Promise<AskedRows> {
    const rows = (await this.connection.runAndReadAll(sql)).getRows();
    return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

const quote = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value.replace(/'/g, "''")}'`);
