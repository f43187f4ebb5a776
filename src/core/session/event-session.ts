import {
  bit,
  defineRow,
  integer,
  later,
  nullable,
  readRows,
  type RowProblem,
  text,
  type TextRows,
  utc,
} from '../rows';
import type { UtcMs } from '../schema';

/**
 * One look at an event session, ours or another's (sql/read/event-session.sql). Wall-clock times are read as if they
 * were UTC.
 */
export interface SessionSnapshot {
  /** SERVERPROPERTY('ServerName'); null if the server did not say. */
  readonly serverName: string | null;
  /** When tempdb was made, which is the last start of the server, by its wall clock. */
  readonly serverStartedLocalMs: number | null;
  /**
   * Another number once a target recovery time, or the list of databases, has changed; null if it was not observed.
   * Absent in files of an earlier version.
   */
  readonly targetsSum?: number | null;
  /** The server's clock when this was read. */
  readonly nowUtcMs: UtcMs;
  readonly utcOffsetMinutes: number;
  readonly isDefined: boolean;
  readonly isRunning: boolean;
  readonly definitionId: number | null;
  /** When it was started, by the server's wall clock; null while it is stopped. */
  readonly startedLocalMs: number | null;
  /** The same of the session that has run longest; it shows which clock these times are of. */
  readonly firstStartedLocalMs: number | null;
  /** Events, and whole buffers of events, that the session lost since it started. null while it is stopped. */
  readonly droppedEvents: number | null;
  readonly droppedBuffers: number | null;
  /**
   * Of its buffers in the server's memory (total_buffer_size); null while it is stopped. Absent in files of an earlier
   * version.
   */
  readonly bufferBytes?: number | null;
  readonly tracksCausality: boolean | null;
  /** How long an event may lie in the server's buffers; -1: without limit; null while it is not defined. */
  readonly dispatchLatencyMs: number | null;
  /** It has both checkpoint_begin and checkpoint_end. */
  readonly hasBothEvents: boolean;
  /** Which of the two a defined session lacks; absent if it has both. */
  readonly lacks?: 'checkpoint_begin' | 'checkpoint_end' | 'checkpoint_begin and checkpoint_end';
  /** Both events tell who asked (action is_system); null: not defined. Absent in files of an earlier version. */
  readonly recordsCaller?: boolean | null;
  /** Of checkpoint_begin; null: every database is recorded. */
  readonly predicate: string | null;
  /** Of checkpoint_end. */
  readonly endPredicate: string | null;
  /** By which the installation that made it knows it again; null: it has none. Absent in earlier files. */
  readonly mark?: string | null;
  /** The file name that the session was created with; null if it has no file target. */
  readonly configuredFile: string | null;
  /** How many files are kept; null if it has no file target, or leaves the number to the server. */
  readonly maxRolloverFiles: number | null;
  /** How large one file becomes; null as for the number of files. Absent in files of an earlier version. */
  readonly maxFileSizeMb?: number | null;
  readonly hasRing: boolean;
  /** The beginning of what the target says about itself, an XML text; null while the session is stopped. */
  readonly targetData: string | null;
}

const sessionRow = defineRow({
  server_name: nullable(text()),
  server_started_local: nullable(utc()),
  targets_sum: later(nullable(integer())),
  now_utc: utc(),
  utc_offset_minutes: integer(),
  is_defined: bit(),
  is_running: bit(),
  definition_id: nullable(integer()),
  started_local: nullable(utc()),
  first_started_local: nullable(utc()),
  dropped_events: nullable(integer()),
  dropped_buffers: nullable(integer()),
  buffer_bytes: nullable(integer()),
  tracks_causality: nullable(bit()),
  dispatch_latency_ms: nullable(integer()),
  has_begin: bit(),
  has_end: bit(),
  has_caller: later(bit()),
  begin_predicate: nullable(text()),
  end_predicate: nullable(text()),
  mark_predicate: nullable(text()),
  configured_file: nullable(text()),
  max_rollover_files: nullable(integer()),
  max_file_size_mb: nullable(integer()),
  has_ring: bit(),
  target_data: nullable(text()),
});

interface EventSessionReading {
  /** null if the row could not be read; then `problems` says why. */
  readonly state: SessionSnapshot | null;
  readonly problems: readonly RowProblem[];
}

/** Reads the answer of sql/read/event-session.sql. */
export function readEventSession(set: TextRows): EventSessionReading {
  const { rows, problems } = readRows(sessionRow, set);
  const row = rows[0];
  if (row === undefined) return { state: null, problems };
  const { nowUtc: nowUtcMs, startedLocal: startedLocalMs, firstStartedLocal, ...named } = row;
  const { serverStartedLocal, hasBegin, hasEnd, hasCaller, beginPredicate, markPredicate, ...kept } = named;
  const hasBothEvents = hasBegin && hasEnd;
  const state: SessionSnapshot = {
    ...kept,
    nowUtcMs,
    startedLocalMs,
    firstStartedLocalMs: firstStartedLocal,
    serverStartedLocalMs: serverStartedLocal,
    hasBothEvents,
    ...(row.isDefined && !hasBothEvents ? { lacks: nameLack(hasBegin, hasEnd) } : {}),
    recordsCaller: row.isDefined ? hasCaller : null,
    predicate: beginPredicate,
    mark: readMark(markPredicate),
  };
  return { state, problems };
}

/** Begins the text in which our sessions have their mark. */
export const MARK_LABEL = 'CheckpointHealth-';

/**
 * The mark of a session that we made, from the predicate of its event user_event; null: it has none (docs/facts.md, SQL
 * Server 3, The mark).
 */
export function readMark(predicate: string | null): string | null {
  return new RegExp(`${MARK_LABEL}([0-9a-f]{32})`).exec(predicate ?? '')?.[1] ?? null;
}

function nameLack(hasBegin: boolean, hasEnd: boolean): NonNullable<SessionSnapshot['lacks']> {
  if (!hasBegin && !hasEnd) return 'checkpoint_begin and checkpoint_end';
  return hasBegin ? 'checkpoint_end' : 'checkpoint_begin';
}

/**
 * The database ids of a predicate as we write it, `[database_id]=(7) OR ...`; null if there is none: then every
 * database is recorded. A predicate of another form gives no ids, because it is not known which databases it lets
 * through. So nothing is said about a database that lacks checkpoints.
 */
export function readPredicateIds(predicate: string | null): readonly number[] | null {
  if (predicate === null || predicate.trim() === '') return null;
  const comparison = /\[?database_id\]?\s*=\s*\(?(\d+)\)?/g;
  const isOurs = /^(?:[\s()]|OR)*$/i.test(predicate.replace(comparison, ''));
  return isOurs ? [...predicate.matchAll(comparison)].map((match) => Number(match[1])) : [];
}

/** Anyone's running event session that records both events of checkpoints (sql/read/adoptable-sessions.sql). */
export interface AdoptableSession {
  readonly name: string;
  /** The server's wall clock read as if it were UTC. */
  readonly startedLocalMs: number | null;
  /** Without it nothing tells overlapping checkpoints of one database apart. */
  readonly tracksCausality: boolean;
  /** Both events tell who asked (action is_system). */
  readonly recordsCaller: boolean;
  /** `ring`: its events are gone when the session stops, and the oldest are overwritten. */
  readonly target: 'file' | 'ring';
  /** null: every database is recorded. */
  readonly predicate: string | null;
}

const adoptableRow = defineRow({
  session_name: text(),
  started_local: nullable(utc()),
  tracks_causality: bit(),
  has_caller: bit(),
  has_file: bit(),
  has_ring: bit(),
  begin_predicate: nullable(text()),
});

/** Reads the answer of sql/read/adoptable-sessions.sql, without our own session. */
export function readAdoptableSessions(
  set: TextRows,
  ownName: string,
): { readonly sessions: readonly AdoptableSession[]; readonly problems: readonly RowProblem[] } {
  const { rows, problems } = readRows(adoptableRow, set);
  const foreign = rows.filter((row) => row.sessionName.toLowerCase() !== ownName.toLowerCase());
  const sessions = foreign.map((row) => ({
    name: row.sessionName,
    startedLocalMs: row.startedLocal,
    tracksCausality: row.tracksCausality,
    recordsCaller: row.hasCaller,
    target: row.hasFile ? ('file' as const) : ('ring' as const),
    predicate: row.beginPredicate,
  }));
  return { sessions, problems };
}
