import { bit, defineRow, nullable, readRows, type RowProblem, text, type TextRows, utc } from '../rows';

/** A running event session of anyone that records both events of checkpoints (sql/read/adoptable-sessions.sql). */
export interface AdoptableSession {
  readonly name: string;
  /** The server's wall clock read as if it were UTC. */
  readonly startedLocalMs: number | null;
  /** Without it overlapping checkpoints of one database cannot be told apart. */
  readonly tracksCausality: boolean;
  /** `ring`: what was recorded is gone when the session stops, and the oldest is overwritten. */
  readonly target: 'file' | 'ring';
  /** null: every database is recorded. */
  readonly predicate: string | null;
}

const adoptableRow = defineRow({
  session_name: text(),
  started_local: nullable(utc()),
  tracks_causality: bit(),
  has_file: bit(),
  has_ring: bit(),
  begin_predicate: nullable(text()),
});

/** The answer of sql/read/adoptable-sessions.sql, without our own session, which needs no adoption. */
export function readAdoptableSessions(
  set: TextRows,
  ownName: string,
): { readonly sessions: readonly AdoptableSession[]; readonly problems: readonly RowProblem[] } {
  const { rows, problems } = readRows(adoptableRow, set);
  const foreign = rows.filter((row) => row.session_name.toLowerCase() !== ownName.toLowerCase());
  const sessions = foreign.map((row) => ({
    name: row.session_name,
    startedLocalMs: row.started_local,
    tracksCausality: row.tracks_causality,
    target: row.has_file ? ('file' as const) : ('ring' as const),
    predicate: row.begin_predicate,
  }));
  return { sessions, problems };
}
