/**
 * The interface of the modelled server (engine/) to T-SQL (tsql/). The engine knows databases, checkpoints, event
 * sessions and time, but no SQL text. If SQL Server would refuse a call, the method throws a SqlError with SQL Server's
 * own number. If the server sends a second error after it (300 then 297, 5011 then 5069), it is a ChainedSqlError of
 * errors.ts with that error as `followedBy`. A table function refuses only in rows().
 */
import type { Release } from '../../scenarios/releases';
import type { Platform } from '../../scenarios/platform';
import type {
  EventSessionChange,
  EventSessionDefinition,
  EventSessionScope,
} from '../../scenarios/event-session';
import type { SqlType, SqlValue } from '../../tds/handler';

export interface Clock {
  /** Virtual milliseconds since 1970-01-01T00:00:00Z. */
  nowUtcMs(): number;
  /** Minutes to add to UTC for the server's local time. */
  utcOffsetMinutes(): number;
  /** Resolves after this virtual time, or rejects with the signal's reason. For WAITFOR and CHECKPOINT. */
  wait(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** Who asks: permissions belong to the login. */
export interface Principal {
  readonly spid: number;
  readonly login: string;
  readonly database: string;
  /** What event sessions can tell about the client; absent if a test asks. */
  readonly client?: { readonly hostName: string; readonly programName: string; readonly sqlText: string };
  /** ApplicationIntent=ReadOnly in the connection string. */
  readonly readOnlyIntent?: boolean;
}

export interface RelationColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** SQL Server has it, the model does not: there is only its name, and a query that uses it is refused. */
  readonly isModelled?: false;
}

/** The result of a catalog view, dynamic management view or table function, made when asked. */
export interface Relation {
  readonly columns: readonly RelationColumn[];
  /** The rows of this moment. Columns that are not `used`, by their place from 0, may be null in them. */
  rows(used?: ReadonlySet<number>): Iterable<readonly SqlValue[]>;
  /** There may be millions of rows: they are made as they are read, the same in each pass. */
  readonly isStream?: boolean;
  /** Rises when the rows may have changed, so that the reader can keep a copy; absent: never keep one. */
  readonly version?: number;
}

export interface EventSessions {
  create(definition: EventSessionDefinition, principal: Principal): void;
  alter(
    name: string,
    scope: EventSessionScope,
    change: readonly EventSessionChange[],
    principal: Principal,
  ): void;
  drop(name: string, scope: EventSessionScope, principal: Principal): void;
}

/** An option of sp_configure and sys.configurations. */
export interface Configuration {
  readonly id: number;
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Its value; in use after RECONFIGURE. */
  readonly value: number;
  readonly valueInUse: number;
  readonly isDynamic: boolean;
  readonly isAdvanced: boolean;
}

export interface TraceFlagState {
  readonly flag: number;
  readonly isGlobal: boolean;
  readonly isSession: boolean;
}

/**
 * Settings of the whole instance. The recovery interval and trace flags 3502, 3504 and 3505 change what the model does.
 */
export interface InstanceSettings {
  configurations(): readonly Configuration[];
  /**
   * sp_configure name, value: pending until reconfigure.
   * @returns message 15457, which the error log gets too
   * @throws SqlError 15247, 15129, 15123 for an unknown id
   */
  setConfiguration(id: number, value: number, principal: Principal): string;
  /**
   * RECONFIGURE [WITH OVERRIDE]: applies every pending change of a dynamic option.
   * @throws SqlError 5812, 5807 for a recovery interval above 60 minutes
   */
  reconfigure(withOverride: boolean, principal: Principal): void;
  /** DBCC TRACEON (flags [, -1]). @throws SqlError 2571 for anyone but sysadmin */
  turnTraceFlagsOn(flags: readonly number[], scope: 'session' | 'global', principal: Principal): void;
  /** DBCC TRACEOFF (flags [, -1]). @throws SqlError 2571 */
  turnTraceFlagsOff(flags: readonly number[], scope: 'session' | 'global', principal: Principal): void;
  /** DBCC TRACESTATUS (-1): flags that are on for this session or for all, by number. */
  traceFlags(principal: Principal): readonly TraceFlagState[];
  /** Call it when a session has ended: its own flags end too. */
  forgetSession(spid: number): void;
}

/** One row of sp_readerrorlog. */
export interface ErrorLogRow {
  /** Server local time in steps of 10 ms, ISO text without zone. docs/facts.md, SQL Server 5. */
  readonly logDate: string;
  readonly processInfo: string;
  readonly text: string;
}

/** One row of sp_enumerrorlogs: 0 is the current log. */
export interface ErrorLogFile {
  readonly number: number;
  /** Local time of its last entry; of an empty log, its beginning. */
  readonly changed: string;
  readonly bytes: number;
}

/** The error log and its archives; the caller checks permissions. */
export interface ErrorLogs {
  /** sp_enumerrorlogs: the current log, 0, and at most six archives. */
  list(): readonly ErrorLogFile[];
  /** Rows of one of them, oldest first; undefined if there is none of that number. */
  read(number: number): readonly ErrorLogRow[] | undefined;
  /** sp_cycle_errorlog, which is DBCC ERRORLOG. @throws SqlError 2571 for anyone but sysadmin */
  cycle(principal: Principal): void;
}

export interface Instance {
  /** Rises whenever a failover ends the connections that are in that database; absent without availability groups. */
  connectionEra?(database: string): number;
  readonly clock: Clock;
  /**
   * The kind of installation and the release whose columns, permissions and errors it has: in Azure the version does
   * not tell.
   */
  readonly platform: Platform;
  readonly release: Release;
  /** @@VERSION. */
  readonly versionText: string;
  /**
   * The object's rows as this principal may see them, or undefined if it is not modelled. Schema and name are in lower
   * case; the database is "master", "msdb" or a user's.
   * @throws SqlError 300 / 297 without permission.
   */
  relation(database: string, schema: string, name: string, principal: Principal): Relation | undefined;
  /**
   * A table-valued function, e.g. sys.fn_xe_file_target_read_file, sys.dm_db_log_stats. Undefined if it is not
   * modelled.
   */
  tableFunction(
    database: string,
    schema: string,
    name: string,
    args: readonly SqlValue[],
    principal: Principal,
  ): Relation | undefined;
  /**
   * @@SERVERNAME: the name that sp_addserver stored. A rename does not change it, and it may be NULL. Absent:
   * ServerName.
   */
  readonly registeredName?: string | null;
  /** SERVERPROPERTY; null for an unknown name, as on the server. */
  serverProperty(name: string): SqlValue;
  /** DATABASEPROPERTYEX. */
  databaseProperty(database: string, name: string): SqlValue;
  /** HAS_PERMS_BY_NAME(securable, class, permission): 1, 0, or null if this version does not know it. */
  hasPermission(
    securable: string | null,
    securableClass: string | null,
    permission: string | null,
    principal: Principal,
  ): 0 | 1 | null;
  /** IS_SRVROLEMEMBER: 1, 0, or null for an unknown role. */
  isServerRoleMember(role: string, principal: Principal): 0 | 1 | null;
  /** database_id and exact name, or undefined. Case-insensitive as the server's collation. */
  findDatabase(name: string): { readonly id: number; readonly name: string } | undefined;
  databaseName(id: number): string | undefined;
  /** DB_ID and DB_NAME: undefined too for a database that the principal may not see. */
  nameDatabase(
    database: number | string,
    principal: Principal,
  ): { readonly id: number; readonly name: string } | undefined;
  /**
   * Opens the database that a login or a name asks for.
   * @throws SqlError 911 missing, 942 offline, 927 restoring, 916 without access.
   */
  openDatabase(name: string, principal: Principal): { readonly id: number; readonly name: string };
  /** USE. @throws what openDatabase throws, and SqlError 40508 in Azure SQL Database. */
  switchDatabase(name: string, principal: Principal): { readonly id: number; readonly name: string };
  /** ALTER DATABASE ... SET TARGET_RECOVERY_TIME. Seconds. @throws SqlError 5011, 3906, 976, ... */
  setTargetRecoveryTime(database: string, seconds: number, principal: Principal): void;
  /** CHECKPOINT [n] in that database; resolves when the modelled checkpoint has ended. */
  checkpoint(
    database: string,
    durationSeconds: number | undefined,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<void>;
  /** Writes to the ledger a client's command that changes more than its own session, even if it will be refused. */
  noteCommand(command: string, application: string, principal: Principal): void;
  readonly eventSessions: EventSessions;
  readonly settings: InstanceSettings;
  readonly errorLogs: ErrorLogs;
  /** OBJECT_ID of a modelled view or function; undefined for anything else. */
  objectId(database: string, schema: string, name: string): number | undefined;
  /**
   * Whether other releases or platforms have this view or function and this one does not: a query for it is then Msg
   * 208.
   */
  lacksObject(schema: string, name: string): boolean;
  /** The current error log, oldest row first: what sp_readerrorlog reads. `requireErrorLog` checks permissions. */
  errorLog(): readonly ErrorLogRow[];
  /**
   * For sp_readerrorlog, xp_readerrorlog, sp_enumerrorlogs, rds_read_error_log.
   * @throws SqlError 27219 (before 2022: 15003) from those that check, 229 from the one that needs EXECUTE
   */
  requireErrorLog(procedure: string, principal: Principal): void;
}
