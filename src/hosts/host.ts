/**
 * The two things this product asks of a host. A Connection asks the server; a ScriptEditor shows a script to the user.
 * Designed from what Azure Data Studio, vscode-mssql and our own driver can each do (docs/facts.md, Hosts 1 to 4).
 */
import type { OwnSessionText, ReadText, ReviewText } from '../core/script/text';

/** A cell as display text; null is SQL NULL. Every query of ours converts numbers, dates (style 126) and bits in SQL, because hosts differ in how they show them. */
export type Cell = string | null;

export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What a host can do beyond one result set per call; callers that can do better with it ask, others need not. */
export interface ConnectionCapabilities {
  /** Rows can be handed over while they arrive (`onRows`); otherwise all come at the end. */
  readonly streaming: boolean;
  /** An aborted signal stops the query on the server; otherwise we only stop waiting for it. */
  readonly cancel: boolean;
  /** Result sets beyond the first come back. */
  readonly multipleResultSets: boolean;
  /** Session state (SET, temporary tables) lives from one query to the next. */
  readonly session: boolean;
}

export interface QueryOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds after which the query is given up with `timedOut`; enforced on our side in every host. */
  readonly timeoutMs: number;
  /** With `streaming`: called for each batch of rows as it arrives; the result set returned then has no rows. */
  readonly onRows?: (columns: readonly string[], rows: readonly (readonly Cell[])[]) => void;
}

/** Why a query gave no answer. `message` is one sentence for the user; `number` is SQL Server's where there is one. */
export type ConnectionFailure =
  'unreachable' | 'loginFailed' | 'untrustedCertificate' | 'permissionDenied' | 'queryFailed' | 'timedOut' | 'cancelled' | 'disconnected';

export class ConnectionError extends Error {
  constructor(
    readonly reason: ConnectionFailure,
    message: string,
    readonly number: number | null = null,
  ) {
    super(message);
    this.name = 'ConnectionError';
  }
}

export interface Connection {
  readonly capabilities: ConnectionCapabilities;
  /**
   * Runs one text and gives its result sets: at least one, since every text of ours ends with a SELECT.
   * @throws ConnectionError
   */
  query(text: ReadText | OwnSessionText, options: QueryOptions): Promise<readonly ResultSet[]>;
  close(): Promise<void>;
}

/** One server that a host knows how to reach. `open` may ask the user (approval, password). */
export interface ServerAccess {
  /** Stable across restarts of the editor; never contains a secret. */
  readonly id: string;
  /** As the user named it. */
  readonly label: string;
  open(signal: AbortSignal): Promise<Connection>;
}

export interface ScriptEditor {
  /**
   * Opens the text as an unsaved SQL document connected to that server where the host can; never runs it.
   * @param place `beside`: next to the script in front, which stays the active one
   */
  open(text: ReviewText, title: string, serverId: string, place?: 'in front' | 'beside'): Promise<void>;
}
