/** What one modelled server is made of, and what our reads must say of it. Only what the reads look at is there. */
interface ModelledFile {
  /** 0 data, 1 log. */
  readonly type: 0 | 1;
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
  readonly readOnly?: 1;
  readonly standby?: 1;
  readonly snapshotOf?: number;
  readonly recoveryModel?: 'FULL' | 'SIMPLE';
  readonly logReuse?: string;
  /** DATABASEPROPERTYEX(name, 'Updateability'). */
  readonly updateability: 'READ_WRITE' | 'READ_ONLY' | null;
  readonly replicaId?: string;
  readonly groupDatabaseId?: string;
  readonly accelerated?: 1;
  readonly files?: readonly ModelledFile[];
  /** What sys.dm_db_log_stats gives; absent: no row. */
  readonly log?: { readonly vlfs: number | null; readonly sizeMb: number | null; readonly sinceCheckpointMb: number | null };
}

/** A row of any other view, by its columns. */
export type Row = Readonly<Record<string, string | number | null>>;

export interface ModelledServer {
  readonly name: string;
  /** Whether names are compared with regard to case, as the server's collation says. */
  readonly isCaseSensitive?: true;
  readonly databases: readonly ModelledDatabase[];
  /** SERVERPROPERTY, beyond ServerName and the defaults. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Rows of the other views, by the view's name; a view that is not here has none. */
  readonly rows?: Readonly<Record<string, readonly Row[]>>;
  /** By the name of the read: its rows, cells joined by `|`, NULL as `~`. */
  readonly expected: Readonly<Record<string, readonly string[]>>;
}

const STATES = { ONLINE: 0, RESTORING: 1, OFFLINE: 6 } as const;
const FREE_MB = 40_000;

/** The rows of every view that follow from the databases. */
export function listRows({ databases, rows = {} }: ModelledServer): Readonly<Record<string, readonly Row[]>> {
  const open = databases.filter(({ state = 'ONLINE' }) => state === 'ONLINE');
  const filesOf = (some: readonly ModelledDatabase[]): readonly Row[] =>
    some.flatMap(({ id, files = [] }) => files.map((file, at) => ({ database_id: id, file_id: at + 1, ...describeFile(file) })));
  return {
    'sys.databases': databases.map(describeDatabase),
    'model.database_properties': databases.map(({ name, updateability }) => ({ database_name: name, updateability })),
    'sys.master_files': filesOf(databases),
    'sys.dm_os_volume_stats': filesOf(open),
    'model.file_stats': filesOf(open),
    'sys.dm_db_log_stats': databases.flatMap(({ id, log }) =>
      log === undefined
        ? []
        : [
            {
              database_id: id,
              total_vlf_count: log.vlfs,
              total_log_size_mb: log.sizeMb,
              log_since_last_checkpoint_mb: log.sinceCheckpointMb,
            },
          ],
    ),
    ...rows,
  };
}

function describeDatabase(d: ModelledDatabase): Row {
  return {
    database_id: d.id,
    name: d.name,
    create_date: d.created,
    target_recovery_time_in_seconds: d.target,
    state: STATES[d.state ?? 'ONLINE'],
    state_desc: d.state ?? 'ONLINE',
    is_read_only: d.readOnly ?? 0,
    is_in_standby: d.standby ?? 0,
    source_database_id: d.snapshotOf ?? null,
    recovery_model_desc: d.recoveryModel ?? 'FULL',
    log_reuse_wait_desc: d.logReuse ?? 'NOTHING',
    compatibility_level: 150,
    replica_id: d.replicaId ?? null,
    group_database_id: d.groupDatabaseId ?? null,
    is_accelerated_database_recovery_on: d.accelerated ?? 0,
  };
}

function describeFile({ type, sizeMb, volume, writes, writeStallMs }: ModelledFile): Row {
  return {
    type,
    size: sizeMb * 128,
    volume_mount_point: volume,
    available_bytes: FREE_MB * 1_048_576 + 7,
    total_bytes: 2 * FREE_MB * 1_048_576,
    num_of_writes: writes,
    num_of_bytes_written: writes * 8_192,
    io_stall_write_ms: writeStallMs,
    num_of_reads: writes * 2,
    io_stall_read_ms: writeStallMs * 2,
  };
}
