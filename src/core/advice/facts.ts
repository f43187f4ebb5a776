/** Rows about a server and its databases, as read by sql/read. */
import { t } from '../language';
import { notObservable, type Observed } from '../observed';
import { readUtcTime, toUtcMs } from '../time';
import type { InstanceReading } from '../write-work/work-readings';
import type { DatabaseFacts } from './database-facts';
import type { ServerFacts } from './server-facts';

export type { DatabaseFacts } from './database-facts';
export { notObservable, observed, type Observed } from '../observed';
export type { Permissions, ServerFacts } from './server-facts';

/** What a change of the recovery interval has to know from sys.configurations. */
export interface ServerSettings {
  /**
   * Settings whose configured value is not the one in use: RECONFIGURE would apply every one of them (docs/facts.md,
   * SQL Server 1).
   */
  readonly pending: readonly PendingSetting[];
}

interface PendingSetting {
  readonly name: string;
  readonly configured: number;
  readonly inUse: number;
  /**
   * True: RECONFIGURE applies it at once. False: it waits for a restart, and it cannot be seen whether RECONFIGURE was
   * run for it.
   */
  readonly isDynamic: boolean;
}

/** Startup options of the service that concern checkpoints (sys.dm_server_registry). */
export interface StartupOptions {
  /**
   * -k: MB a second for the checkpoints of the whole instance; null: not given. It changes every duration
   * (docs/facts.md, SQL Server 1).
   */
  readonly checkpointMbPerSecond: number | null;
}

/** The log of one database (sys.dm_db_log_stats, 2016 SP2 and later). */
export interface DatabaseLog {
  readonly vlfCount: number;
  /**
   * Log written since the last checkpoint: a crash recovery would have to read at least this. null if this version does
   * not say.
   */
  readonly sinceCheckpointMb: number | null;
}

/**
 * The files of one database: size, volumes and write latency (sys.master_files, sys.dm_os_volume_stats,
 * sys.dm_io_virtual_file_stats).
 */
export interface DatabaseFiles {
  readonly dataMb: number;
  readonly logMb: number;
  /** Mount points, each once; empty if this login or platform does not show them. */
  readonly dataVolumes: readonly string[];
  readonly logVolumes: readonly string[];
  /** Milliseconds a write to data files since the server started; null if nothing was written. */
  readonly dataWriteMs: number | null;
}

/** The volume of the error log, where event files lie unless a folder is given. */
export interface EventVolume {
  readonly volume: string;
  readonly freeMb: number;
}

/**
 * What is known here of the copies of one database in an availability group (sql/read/database-copies.sql,
 * distributed-groups.sql).
 */
export interface DatabaseCopies {
  /** The database's identity on all replicas; database_id is not (docs/facts.md, SQL Server 2). */
  readonly groupDatabaseId: string;
  /** Kilobytes of log that the copy furthest behind still has to redo; null if no copy says. */
  readonly redoQueueKb: number | null;
  /**
   * The primary replica of its group is a forwarder: it takes the log of another group and cannot be written. null if
   * that is not seen.
   */
  readonly isForwarder: boolean | null;
}

/** What needs VIEW SERVER STATE (sql/read/server-state.sql). */
export interface ServerState {
  readonly committedTargetMb: number;
  readonly physicalMemoryMb: number;
  /**
   * sqlserver.buffer_pool_scan_complete: 2016 SP3, 2017 CU23, 2019 CU9, 2022 and later (docs/facts.md, SQL Server 3).
   */
  readonly hasBufferPoolScanComplete: boolean;
  /** Whether sys.fn_xe_file_target_read_file has column timestamp_utc: 2017 and later (docs/facts.md, SQL Server 4). */
  readonly hasTimestampUtc: boolean;
}

/** The local replica's role for a database in an availability group (sql/read/availability-roles.sql). */
export interface AvailabilityRole {
  readonly databaseId: number;
  /** PRIMARY, SECONDARY, RESOLVING, or MIXED if a database joins twice with different roles. */
  readonly role: string;
  readonly groupName: string;
  readonly primaryReplica: string | null;
  /**
   * Servers with a replica of the group, as SERVERPROPERTY('ServerName') says there; empty or absent: not seen.
   * docs/facts.md, SQL Server 2.
   */
  readonly replicas?: readonly string[];
}

/** Everything read about one server at one time. */
export interface Facts {
  readonly server: ServerFacts;
  readonly state: Observed<ServerState>;
  readonly databases: readonly DatabaseFacts[];
  /** Rows of the list of databases that could not be read: each may be one with automatic checkpoints. */
  readonly unreadDatabases: number;
  /** By database_id; only databases in an availability group. */
  readonly roles: Observed<ReadonlyMap<number, AvailabilityRole>>;
  readonly settings: Observed<ServerSettings>;
  /** Trace flags that are on for the whole instance. */
  readonly traceFlags: Observed<readonly number[]>;
  readonly startup: Observed<StartupOptions>;
  /** By database_id. */
  readonly logs: Observed<ReadonlyMap<number, DatabaseLog>>;
  /** By database_id. */
  readonly files: Observed<ReadonlyMap<number, DatabaseFiles>>;
  /** Ids of the databases with accelerated database recovery, 2019 and later; none before. */
  readonly acceleratedRecovery: Observed<ReadonlySet<number>>;
  readonly eventVolume: Observed<EventVolume>;
  /** By database_id; only databases in an availability group. */
  readonly copies: Observed<ReadonlyMap<number, DatabaseCopies>>;
  /** Free megabytes of each volume with database files, by mount point. */
  readonly volumes: Observed<ReadonlyMap<string, number>>;
  /** When logs, files, copies and volumes were read last, by the server's clock; null: not yet. */
  readonly moreReadUtcMs: number | null;
  /** What of those could be read only in part: one sentence each, with the reason. */
  readonly unread: readonly string[];
  /**
   * The waits of the instance, at each reading of the last hour (sql/read/instance-work.sql); null: refused, and not
   * asked for again.
   */
  readonly looks: readonly InstanceReading[] | null;
}

const notRead = notObservable(t('not read yet'));

/** What is read after the databases and their roles, before any of it was read. */
export const nothingMoreRead = {
  settings: notRead,
  traceFlags: notRead,
  startup: notRead,
  logs: notRead,
  files: notRead,
  acceleratedRecovery: notRead,
  eventVolume: notRead,
  copies: notRead,
  volumes: notRead,
  moreReadUtcMs: null,
  unread: [],
  looks: [],
} as const;

/** master, tempdb, model, msdb: never part of a switch (docs/facts.md, SQL Server 2). */
export function isSystemDatabase(databaseId: number): boolean {
  return databaseId <= 4;
}

/**
 * The largest recovery interval that sp_configure takes: automatic checkpoints are effectively off (docs/facts.md, SQL
 * Server 1). Minutes.
 */
export const LARGEST_RECOVERY_INTERVAL = 32_767;

export function areAutomaticOff({ server }: Pick<Facts, 'server'>): boolean {
  return (server.recoveryIntervalMinutes ?? 0) >= LARGEST_RECOVERY_INTERVAL;
}

/**
 * A checkpoint of this many milliseconds or more is logged as FlushCache: the recovery interval, one minute by default
 * (docs/facts.md, SQL Server 5).
 */
export function recoveryIntervalMs(server: ServerFacts): number {
  return Math.max(1, server.recoveryIntervalMinutes ?? 1) * 60_000;
}

/** What was observed of one database; undefined: nothing. */
export function findOf<T>(observation: Observed<ReadonlyMap<number, T>>, databaseId: number): T | undefined {
  return observation.kind === 'observed' ? observation.value.get(databaseId) : undefined;
}

/**
 * When it was created, in UTC, to the hour by which clocks change. -Infinity: a system database, as old as its server,
 * or not known.
 */
export function findCreation({ databaseId, createdLocal }: DatabaseFacts, { server }: Facts): number {
  const localMs = isSystemDatabase(databaseId) ? null : readUtcTime(createdLocal);
  return localMs === null ? -Infinity : toUtcMs(localMs, server.utcOffsetMinutes);
}
