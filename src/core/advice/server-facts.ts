/** What sql/read/server-facts.sql tells of a server, column by column. */
import {
  bit,
  defineRow,
  integer,
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

/** What any login can see of the server (sql/read/server-facts.sql). */
export interface ServerFacts {
  readonly serverName: string;
  /** "15.0.4322.2". */
  readonly productVersion: string;
  readonly productLevel: string;
  readonly edition: string;
  /**
   * SERVERPROPERTY('EngineEdition'): 1 to 4 box product, 5 Azure SQL Database, 8 Managed Instance (docs/facts.md, SQL
   * Server 6).
   */
  readonly engineEdition: number;
  /** SERVERPROPERTY('IsClustered'): a failover cluster instance; null if the server did not say. */
  readonly isClustered: boolean | null;
  readonly isHadrEnabled: boolean;
  /** SERVERPROPERTY('PathSeparator'): "/" on Linux; null before SQL Server 2017, which ran on Windows only. */
  readonly pathSeparator: string | null;
  readonly loginName: string;
  /** The server's clock when the facts were read. */
  readonly nowUtcMs: number;
  readonly utcOffsetMinutes: number;
  /** Last start, from the creation time of tempdb with the offset in force now; null if tempdb cannot be seen. */
  readonly startedUtcMs: number | null;
  /**
   * `recovery interval (min)` in use, of sql/read/server-settings.sql; 0 means one minute, 32767 no automatic
   * checkpoints; null if it cannot be seen.
   */
  readonly recoveryIntervalMinutes: number | null;
  /** model's target recovery time: what new databases inherit. */
  readonly modelTargetSeconds: number | null;
  readonly permissions: Permissions;
}

/** HAS_PERMS_BY_NAME: null if this version does not know the permission (docs/facts.md, SQL Server 6). */
export interface Permissions {
  readonly viewServerState: boolean | null;
  readonly viewPerformanceState: boolean | null;
  readonly alterEventSession: boolean | null;
  readonly createEventSession: boolean | null;
  readonly enableEventSession: boolean | null;
  readonly disableEventSession: boolean | null;
  /** ALTER ANY EVENT SESSION ADD EVENT, and DROP EVENT: events of a session, not sessions. */
  readonly addSessionEvent: boolean | null;
  readonly dropSessionEvent: boolean | null;
  readonly dropEventSession: boolean | null;
}

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

/**
 * The answer of sql/read/server-facts.sql; no value if the row could not be read. The recovery interval comes with the
 * settings.
 */
export function readServerFacts(set: TextRows): Readings<ServerFacts> {
  return readValues(serverRow, set, null, (row) => ({
    serverName: row.serverName,
    productVersion: row.productVersion,
    productLevel: row.productLevel,
    edition: row.edition,
    engineEdition: row.engineEdition,
    isClustered: row.isClustered,
    isHadrEnabled: row.isHadrEnabled === true,
    pathSeparator: row.pathSeparator,
    loginName: row.loginName,
    nowUtcMs: row.nowUtc,
    utcOffsetMinutes: row.utcOffsetMinutes,
    startedUtcMs: row.startedLocal === null ? null : toUtcMs(row.startedLocal, row.utcOffsetMinutes),
    recoveryIntervalMinutes: null,
    modelTargetSeconds: row.modelTargetSeconds,
    permissions: {
      viewServerState: row.canViewServerState,
      viewPerformanceState: row.canViewPerformanceState,
      alterEventSession: row.canAlterEventSession,
      createEventSession: row.canCreateEventSession,
      enableEventSession: row.canEnableEventSession,
      disableEventSession: row.canDisableEventSession,
      addSessionEvent: row.canAddSessionEvent,
      dropSessionEvent: row.canDropSessionEvent,
      dropEventSession: row.canDropEventSession,
    },
  }));
}
