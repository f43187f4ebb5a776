/**
 * What one modelled server is made of, what our reads must say of it, and how they are asked. Only what the reads look
 * at is there.
 */
import type { Relation } from '../../simulator/engine/interface/instance';
import { ask, loginOf } from '../../simulator/test/tsql/client';
import { column, createFakeInstance, type Table } from '../../simulator/test/tsql/fake-instance';
import type { SqlType, SqlValue } from '../../simulator/tds/handler';
import { createSessionHost } from '../../simulator/tsql/session-host';

interface ModelledFile {
  /** 0 data, 1 log, 2 FILESTREAM. */
  readonly type: 0 | 1 | 2;
  readonly sizeMb: number;
  readonly volume: string;
  readonly writes: number;
  readonly writeStallMs: number;
}

export interface ModelledDatabase {
  readonly id: number;
  readonly name: string;
  readonly created: string;
  readonly target: number | null;
  readonly state?: 'ONLINE' | 'RESTORING' | 'OFFLINE';
  readonly readOnly?: true;
  readonly standby?: true;
  readonly snapshotOf?: number;
  readonly recoveryModel?: 'FULL' | 'SIMPLE';
  readonly logReuse?: string;
  /** DATABASEPROPERTYEX(name, 'Updateability'). */
  readonly updateability: 'READ_WRITE' | 'READ_ONLY' | null;
  readonly replicaId?: string;
  readonly groupDatabaseId?: string;
  readonly accelerated?: true;
  readonly distributor?: true;
  readonly files?: readonly ModelledFile[];
  /** What sys.dm_db_log_stats gives; absent: no row. */
  readonly log?: {
    readonly vlfs: number | null;
    readonly sizeMb: number | null;
    readonly sinceCheckpointMb: number | null;
  };
}

type Cell = string | number | boolean | null;
type Rows = readonly (readonly Cell[])[];
/**
 * Rows of views, by the view's name; their cells in the order of its columns in `VIEWS`. A view that is not here has
 * none.
 */
export type ViewRows = Readonly<Partial<Record<keyof typeof VIEWS, Rows>>>;

export interface ModelledServer {
  readonly name: string;
  /** Whether names are compared with regard to case, as the server's collation says. */
  readonly isCaseSensitive?: true;
  readonly databases: readonly ModelledDatabase[];
  /** SERVERPROPERTY, beyond ServerName and the defaults. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly rows?: ViewRows;
  /** By the name of the read: its rows, cells joined by `|`, NULL as `~`. */
  readonly expected: Readonly<Record<string, readonly string[]>>;
}

/** What database-facts says of an ordinary database, by its columns in their order; NULL is `~`. */
const ORDINARY_FACTS = {
  created_local: '2018-05-01T00:00:00',
  target_seconds: '0',
  state_name: 'ONLINE',
  is_read_only: '0',
  is_in_standby: '0',
  source_database_id: '~',
  recovery_model: 'FULL',
  log_reuse_wait: 'NOTHING',
  updateability: 'READ_WRITE',
  in_availability_group: '0',
  is_distributor: '0',
};

/** A row of database-facts. @param other what is not as in an ordinary database */
export function factsRow(id: number, name: string, other: Partial<typeof ORDINARY_FACTS> = {}): string {
  return [id, name, ...Object.values({ ...ORDINARY_FACTS, ...other })].join('|');
}

/** View or function -> its columns; text unless a type is given. The first columns of a function are its arguments. */
const VIEWS = {
  'sys.databases':
    'database_id int, name, create_date datetime, target_recovery_time_in_seconds int, state int, state_desc, is_read_only bit, is_in_standby bit, source_database_id int, recovery_model_desc, log_reuse_wait_desc, compatibility_level int, replica_id, group_database_id, is_accelerated_database_recovery_on bit, is_distributor bit',
  'sys.master_files': 'database_id int, file_id int, type int, size int',
  'sys.dm_os_volume_stats':
    'database_id int, file_id int, volume_mount_point, available_bytes bigint, total_bytes bigint',
  'sys.dm_io_virtual_file_stats':
    'database_id int, file_id int, num_of_writes bigint, num_of_bytes_written bigint, io_stall_write_ms bigint, num_of_reads bigint, io_stall_read_ms bigint',
  'sys.dm_db_log_stats':
    'database_id int, total_vlf_count bigint, total_log_size_mb float, log_since_last_checkpoint_mb float',
  'sys.configurations': 'configuration_id int, name, value int, value_in_use int, is_dynamic bit',
  'sys.dm_server_registry': 'value_name, value_data',
  'sys.dm_os_sys_info':
    'committed_target_kb bigint, physical_memory_kb bigint, ms_ticks bigint, sqlserver_start_time_ms_ticks bigint',
  'sys.dm_os_performance_counters':
    'object_name, counter_name, instance_name, cntr_value bigint, cntr_type int',
  'sys.dm_os_spinlock_stats': 'name, backoffs bigint',
  'sys.dm_os_wait_stats': 'wait_type, waiting_tasks_count bigint, wait_time_ms bigint',
  'sys.dm_os_waiting_tasks': 'wait_type, wait_duration_ms bigint',
  'sys.dm_xe_objects': 'object_type, name',
  'sys.all_columns': 'object_id int, name',
  'sys.messages': 'message_id int, language_id int, text',
  'sys.availability_groups': 'group_id, name, is_distributed bit',
  'sys.availability_replicas': 'replica_id, group_id, replica_server_name',
  'sys.dm_hadr_availability_replica_states': 'replica_id, group_id, is_local bit, role_desc',
  'sys.dm_hadr_availability_group_states': 'group_id, primary_replica',
  'sys.dm_hadr_database_replica_states':
    'replica_id, group_database_id, redo_queue_size bigint, log_send_queue_size bigint',
  'sys.server_event_sessions': 'event_session_id int, name, track_causality bit, max_dispatch_latency int',
  'sys.server_event_session_events': 'event_session_id int, event_id int, package, name, predicate',
  'sys.server_event_session_actions': 'event_session_id int, event_id int, package, name',
  'sys.server_event_session_targets': 'event_session_id int, target_id int, name',
  'sys.server_event_session_fields': 'event_session_id int, object_id int, name, value',
  'sys.dm_xe_sessions':
    'address, name, create_time datetime, dropped_event_count bigint, dropped_buffer_count bigint, total_buffer_size bigint',
  'sys.dm_xe_session_targets': 'event_session_address, target_name, target_data',
  'sys.fn_xe_file_target_read_file': 'object_name, event_data, file_name, file_offset bigint',
  'dbo.sysmanagement_shared_server_groups': 'server_group_id int, name, server_type int, parent_id int',
  'dbo.sysmanagement_shared_registered_servers': 'server_id int, server_group_id int, name, server_name',
  'dbo.backupset':
    'database_name, type, backup_start_date datetime, backup_finish_date datetime, time_zone int, backup_size bigint, is_snapshot bit, server_name',
} as const;

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
const PERMISSIONS: Readonly<Record<string, 0 | 1>> = { 'VIEW SERVER STATE': 1, 'ALTER ANY EVENT SESSION': 0 };
const FREE_MB = 40_000;
const TEXT: SqlType = { name: 'nvarchar', length: 'max' };

/**
 * A server that answers a read with its rows, each as one text. The T-SQL is that of the simulator; views and functions
 * have the server's rows. Logs in as `dba` at 2026-03-02 08:00 UTC, one hour ahead.
 */
export async function openModelledServer(server: ModelledServer) {
  const rows: ViewRows = { ...listRows(server.databases), ...server.rows };
  const tables = Object.fromEntries(
    Object.entries(VIEWS).map(([view, columns]) => [
      view,
      createTable(columns, rows[view as keyof typeof VIEWS] ?? []),
    ]),
  );
  const properties = new Map(
    Object.entries({ ServerName: server.name, ...PROPERTIES, ...server.properties }).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const host = await createSessionHost({
    ...createFakeInstance(tables),
    objectId: () => 1,
    serverProperty: (name) => properties.get(name.toLowerCase()) ?? null,
    findDatabase: (name) => ({ id: 1, name }),
    openDatabase: (name) => ({ id: 1, name }),
    databaseProperty: (database) =>
      server.databases.find(({ name }) => name === database)?.updateability ?? null,
    hasPermission: (_securable, _class, permission) => PERMISSIONS[permission ?? ''] ?? null,
    tableFunction: (_database, schema, name, args) => callFunction(tables[`${schema}.${name}`], args),
  });
  const session = host.login(loginOf());
  const isCompared = /N'model'|N'ErrorLogFileName'\)\)/g;
  return {
    ask: async (sql: string): Promise<readonly string[]> => {
      const asked = server.isCaseSensitive ? sql.replace(isCompared, '$& COLLATE Latin1_General_CS_AS') : sql;
      const { sets, errors } = await ask(session, { kind: 'batch', sql: asked });
      if (errors[0] !== undefined) throw new Error(errors[0].message);
      return (sets[0]?.rows ?? []).map((row) =>
        row.map((cell) => (cell === null ? '~' : String(cell))).join('|'),
      );
    },
    close: async (): Promise<void> => {
      session.close();
      await host.close();
    },
  };
}

function createTable(columns: string, rows: Rows): Table {
  const listed = columns
    .split(', ')
    .map(
      (definition) =>
        definition.split(' ') as [string, 'int' | 'bigint' | 'bit' | 'float' | 'datetime' | undefined],
    );
  return {
    columns: listed.map(([name, type]) => column(name, type === undefined ? TEXT : { name: type })),
    rows: rows.map((row) =>
      row.map((cell, at) => (listed[at]?.[1] === 'bigint' && cell !== null ? BigInt(cell) : cell)),
    ),
  };
}

/** The rows of which the first columns are the arguments; NULL is any. */
function callFunction(table: Table | undefined, args: readonly SqlValue[]): Relation | undefined {
  if (table === undefined) return undefined;
  const isNumbers = args.every((arg) => typeof arg !== 'string');
  return {
    ...table,
    rows: () =>
      table.rows.filter((row) => !isNumbers || args.every((arg, at) => arg === null || arg === row[at])),
  };
}

/** The rows of every view that follow from the databases. */
function listRows(databases: readonly ModelledDatabase[]): ViewRows {
  const open = databases.filter(({ state = 'ONLINE' }) => state === 'ONLINE');
  const filesOf = (
    some: readonly ModelledDatabase[],
    describe: (file: ModelledFile) => readonly Cell[],
  ): Rows => some.flatMap(({ id, files = [] }) => files.map((file, at) => [id, at + 1, ...describe(file)]));
  return {
    'sys.databases': databases.map(describeDatabase),
    'sys.master_files': filesOf(databases, ({ type, sizeMb }) => [type, sizeMb * 128]),
    'sys.dm_os_volume_stats': filesOf(open, ({ volume }) => [
      volume,
      FREE_MB * 1_048_576 + 7,
      2 * FREE_MB * 1_048_576,
    ]),
    'sys.dm_io_virtual_file_stats': filesOf(open, ({ writes, writeStallMs }) => [
      writes,
      writes * 8_192,
      writeStallMs,
      writes * 2,
      writeStallMs * 2,
    ]),
    'sys.dm_db_log_stats': databases.flatMap(({ id, log }) =>
      log === undefined ? [] : [[id, log.vlfs, log.sizeMb, log.sinceCheckpointMb]],
    ),
  };
}

function describeDatabase({ state = 'ONLINE', ...d }: ModelledDatabase): readonly Cell[] {
  return [
    ...[
      d.id,
      d.name,
      d.created,
      d.target,
      { ONLINE: 0, RESTORING: 1, OFFLINE: 6 }[state],
      state,
      d.readOnly ?? false,
      d.standby ?? false,
    ],
    ...[
      d.snapshotOf ?? null,
      d.recoveryModel ?? 'FULL',
      d.logReuse ?? 'NOTHING',
      150,
      d.replicaId ?? null,
      d.groupDatabaseId ?? null,
    ],
    ...[d.accelerated ?? false, d.distributor ?? false],
  ];
}
