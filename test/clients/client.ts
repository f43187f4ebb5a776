/** What the conversation of this folder asks of a SQL client, whoever wrote it and in whatever language. */

/**
 * One value as the client gives it, as text; NULL as null. Numbers in digits, dates and times in ISO 8601, binary in
 * hexadecimal digits.
 */
export type Cell = string | null;

/** An error or an informational message. Null is what this client does not tell its users. */
export interface Message {
  readonly number: number | null;
  readonly state: number | null;
  readonly severity: number | null;
  readonly line: number | null;
  readonly text: string;
}

/** All that one batch was answered with. */
export interface Answer {
  readonly sets: readonly {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly Cell[])[];
  }[];
  readonly infos: readonly Message[];
  readonly errors: readonly Message[];
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

/**
 * What a client may be able to do besides a batch, with its arguments: cancel a batch (text, milliseconds), run one
 * with the client's own time-out (text, seconds).
 */
export type Ability = 'cancel' | 'limited';

export interface ClientConnection {
  /**
   * Resolves at the end of what was asked. Errors are part of the answer; it rejects only where the client itself
   * fails.
   */
  ask(operation: 'batch' | Ability, ...args: readonly string[]): Promise<Answer>;
  close(): Promise<void>;
}

export interface Client {
  /** @throws LoginRefused when the server says no; Error when it cannot be reached or is not trusted. */
  connect(target: Target): Promise<ClientConnection>;
  end(): Promise<void>;
}

/** A login that did not succeed, with what the client says of it. */
export class LoginRefused extends Error {
  constructor(
    message: string,
    readonly errors: readonly Message[] = [],
  ) {
    super(message);
  }
}

/** A message of which the client tells the text only. */
export const onlyText = (text: string): Message => ({
  number: null,
  state: null,
  severity: null,
  line: null,
  text,
});
