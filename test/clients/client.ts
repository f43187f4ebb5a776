/** What the conversations of this folder ask of a SQL client, whoever wrote it and in whatever language. */

/**
 * One value as text, NULL as null. Numbers in digits, bit as 0 or 1, dates and times in ISO 8601, binary in lower-case hexadecimal digits,
 * uniqueidentifier in upper case.
 */
export type Cell = string | null;

export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** An error or an informational message. Null is what this client does not tell its users. */
export interface ServerMessage {
  readonly number: number | null;
  readonly state: number | null;
  readonly severity: number | null;
  readonly line: number | null;
  readonly text: string;
}

/** All that one batch was answered with. */
export interface Answer {
  readonly sets: readonly ResultSet[];
  readonly infos: readonly ServerMessage[];
  readonly errors: readonly ServerMessage[];
}

/** 'verified': encrypted, and the certificate must be the one given. */
export type Encryption = 'none' | 'trusting' | 'verified';

export interface Target {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly encryption: Encryption;
  /** The PEM file that 'verified' trusts, and nothing else. */
  readonly certificateFile: string;
}

/** A value for a parameter: its SQL type as declared, and the value as a cell. */
export interface ParameterValue {
  readonly type: string;
  readonly value: Cell;
}

export interface ClientConnection {
  /** Runs one batch to its end. Errors are part of the answer; it rejects only where the client itself fails. */
  batch(sql: string): Promise<Answer>;
  /** Runs a batch and cancels it after that time. Resolves when it has ended. Absent: the client has no way to cancel. */
  cancel?(sql: string, afterMs: number): Promise<Answer>;
  /** Runs a batch with the client's own query time-out. */
  limited?(sql: string, seconds: number): Promise<Answer>;
  /** Sends one value as a parameter and reads it back. Absent: the client has no parameters. */
  echo?(parameter: ParameterValue): Promise<Answer>;
  /** Prepares `SELECT doubled = ? * 2` once and executes it for each value; the sets of all executions in one answer. */
  prepared?(values: readonly number[]): Promise<Answer>;
  /** The client's own transactions: manual commit on, then these ends. */
  transaction?(sql: string, end: 'commit' | 'rollback'): Promise<Answer>;
  /** Starts to read a large result and drops the connection in the middle of it. */
  drop?(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** What a connection may have besides batches. */
export type Ability = Exclude<keyof ClientConnection, 'batch' | 'close'>;

export interface Client {
  /** @throws LoginRefused when the server says no; Error when it cannot be reached or is not trusted. */
  connect(target: Target): Promise<ClientConnection>;
  /** Ends the client's program. */
  end(): Promise<void>;
}

/** A login that did not succeed, with what the client says of it. */
export class LoginRefused extends Error {
  constructor(
    message: string,
    readonly errors: readonly ServerMessage[] = [],
  ) {
    super(message);
  }
}
