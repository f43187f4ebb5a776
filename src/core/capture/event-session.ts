import { bit, defineRow, integer, nullable, readRows, type RowProblem, text, type TextRows, utc } from '../rows';

/** Our event session as the server shows it (sql/read/event-session.sql). */
export interface EventSessionState {
  readonly isDefined: boolean;
  readonly isRunning: boolean;
  /** When it was started, as the server wrote it: its wall clock read as if it were UTC; null while it is stopped. */
  readonly startedLocalMs: number | null;
  /** The server's clock when this was read. */
  readonly nowUtcMs: number;
  /** Events and whole buffers that the session lost since it started; null while it is stopped. */
  readonly droppedEvents: number | null;
  readonly droppedBuffers: number | null;
  readonly tracksCausality: boolean | null;
  /** The file name the session was created with; null where it has no file target. */
  readonly configuredFile: string | null;
  /** null: every database is recorded. */
  readonly predicate: string | null;
  /** The file target's own account: an XML text that names the current file; null while the session is stopped. */
  readonly targetData: string | null;
}

const sessionRow = defineRow({
  is_defined: bit(),
  is_running: bit(),
  started_local: nullable(utc()),
  now_utc: utc(),
  dropped_events: nullable(integer()),
  dropped_buffers: nullable(integer()),
  tracks_causality: nullable(bit()),
  configured_file: nullable(text()),
  begin_predicate: nullable(text()),
  target_data: nullable(text()),
});

export interface EventSessionReading {
  /** null where the row could not be read; then `problems` says why. */
  readonly state: EventSessionState | null;
  readonly problems: readonly RowProblem[];
}

/** The answer of sql/read/event-session.sql. */
export function readEventSession(set: TextRows): EventSessionReading {
  const { rows, problems } = readRows(sessionRow, set);
  const row = rows[0];
  if (row === undefined) return { state: null, problems };
  const state: EventSessionState = {
    isDefined: row.is_defined,
    isRunning: row.is_running,
    startedLocalMs: row.started_local,
    nowUtcMs: row.now_utc,
    droppedEvents: row.dropped_events,
    droppedBuffers: row.dropped_buffers,
    tracksCausality: row.tracks_causality,
    configuredFile: row.configured_file,
    predicate: row.begin_predicate,
    targetData: row.target_data,
  };
  return { state, problems };
}

/**
 * The database ids of a predicate as we write it, `[database_id]=(7) OR ...`; null where there is none: every database is recorded. Of a predicate of any other
 * form it is not known which databases it lets through: none is named, so that nothing is said about a database for its lack of checkpoints.
 */
export function readPredicateIds(predicate: string | null): readonly number[] | null {
  if (predicate === null || predicate.trim() === '') return null;
  const comparison = /\[?database_id\]?\s*=\s*\(?(\d+)\)?/g;
  const isOurs = /^(?:[\s()]|OR)*$/i.test(predicate.replace(comparison, ''));
  return isOurs ? [...predicate.matchAll(comparison)].map((match) => Number(match[1])) : [];
}
