/**
 * The interface of the server to the protocol (tds/). The protocol knows packets, tokens and types, but no T-SQL.
 */

/**
 * A SQL Server data type, as a result set declares it. Lengths are in characters or bytes, as SQL Server counts them;
 * 'max' is (max).
 */
export type SqlType =
  | {
      readonly name:
        | 'bit'
        | 'tinyint'
        | 'smallint'
        | 'int'
        | 'bigint'
        | 'real'
        | 'float'
        | 'uniqueidentifier'
        | 'xml'
        | 'sql_variant';
    }
  | { readonly name: 'date' | 'datetime' | 'smalldatetime' }
  | { readonly name: 'time' | 'datetime2' | 'datetimeoffset'; readonly scale: number }
  | { readonly name: 'decimal'; readonly precision: number; readonly scale: number }
  | {
      readonly name: 'char' | 'varchar' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary';
      readonly length: number | 'max';
    };

/**
 * One value. Integers up to 32 bits, real and float are numbers; bigint is a bigint; decimal is its text ("12.50"); bit
 * is a boolean; character types, xml and uniqueidentifier ("770C3538-EC3F-...") are strings; dates and times are ISO
 * text without zone ("2026-03-02T08:00:00.1234567", datetimeoffset with "+01:00"); binary is a Uint8Array. A
 * sql_variant value carries its own type.
 */
export type SqlValue = null | number | bigint | boolean | string | Uint8Array | SqlVariant;

export interface SqlVariant {
  readonly type: SqlType;
  readonly value: Exclude<SqlValue, null | SqlVariant>;
}

export interface SqlColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
}

/**
 * An error or an informational message, with SQL Server's own number, state, severity (class) and line within the
 * batch.
 */
export interface SqlMessage {
  readonly number: number;
  readonly state: number;
  readonly severity: number;
  readonly message: string;
  readonly line: number;
  readonly procedure?: string;
}

/** Throw it behind the protocol to answer with a SQL Server error. */
export class SqlError extends Error {
  constructor(
    readonly number: number,
    message: string,
    readonly severity = 16,
    readonly state = 1,
    public line = 1,
    readonly procedure?: string,
  ) {
    super(message);
    this.name = 'SqlError';
  }
}

/** The stream of answers to one request, in order; the protocol turns each into tokens. */
export type Reply =
  | { readonly kind: 'columns'; readonly columns: readonly SqlColumn[] }
  /** Rows of the result set that the last `columns` opened. */
  | { readonly kind: 'rows'; readonly rows: readonly (readonly SqlValue[])[] }
  /** End of one statement; `rowCount` is absent under SET NOCOUNT ON, or if the statement has none. */
  | { readonly kind: 'done'; readonly rowCount?: number }
  /**
   * `immediate` sends everything so far to the client now (RAISERROR ... WITH NOWAIT); other messages may wait for a
   * full packet.
   */
  | { readonly kind: 'info'; readonly message: SqlMessage; readonly immediate?: boolean }
  | { readonly kind: 'error'; readonly message: SqlMessage }
  /** The database context changed (USE); the protocol adds message 5701 to it. */
  | { readonly kind: 'database'; readonly name: string }
  /** The return status of a remote procedure call. */
  | { readonly kind: 'status'; readonly value: number }
  /** The outermost transaction began or ended. */
  | { readonly kind: 'transaction'; readonly action: 'begin' | 'commit' | 'rollback' };

export interface Parameter {
  /** With its `@`, or empty when positional. */
  readonly name: string;
  readonly type: SqlType;
  readonly value: SqlValue;
  readonly output: boolean;
}

export type Request =
  | { readonly kind: 'batch'; readonly sql: string }
  | { readonly kind: 'procedure'; readonly procedure: string; readonly parameters: readonly Parameter[] };

export interface Login {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly application: string;
  readonly library: string;
  readonly database: string;
  readonly encrypted: boolean;
  /** ApplicationIntent=ReadOnly. */
  readonly readOnlyIntent?: boolean;
  /**
   * For a Windows login: whether the client has proved that it knows this password. `user` is `DOMAIN\\user`,
   * `password` is empty.
   */
  readonly knows?: (password: string) => boolean;
  /** A login by access token (Microsoft Entra); `user` and `password` are empty. */
  readonly token?: string;
}

/**
 * One logged-in session. `execute` never runs twice at once; an aborted signal means the client sent an attention or
 * went away.
 */
export interface Session {
  readonly spid: number;
  /** The database after login. */
  readonly database: string;
  /**
   * Answers one request. A thrown SqlError ends the answer with that error, and from severity 20 the connection too.
   * After an abort it must end soon: the client gets its answer at once, but its next request waits for this one to
   * end.
   */
  execute(request: Request, signal: AbortSignal): AsyncIterable<Reply>;
  /**
   * Back to the state after login (database, SET options, temporary objects, transaction): a client took the connection
   * from a pool.
   */
  reset?(): void;
  /** Called once, after the last execution has ended. */
  close(): void;
}

/**
 * Reads the first token of a login by Kerberos.
 * @param binding what ties it to the client's TLS connection (`tls-unique:` and its value); null without TLS
 * @returns the login, `DOMAIN\\user`, and the token that proves the server to the client; null: it vouches for nobody
 */
export type CheckTicket = (
  token: Buffer,
  binding: Buffer | null,
) => { readonly user: string; readonly reply: Buffer } | null;

export interface SessionHost {
  readonly serverName: string;
  /** Major, minor, build of the modelled product, for PRELOGIN and LOGINACK. */
  readonly version: readonly [number, number, number];
  /** NetBIOS name of the domain whose Windows logins the server takes; undefined: none. */
  readonly windowsDomain?: string;
  /** Who a Kerberos ticket vouches for; absent: nobody here can read one. */
  readonly checkTicket?: CheckTicket;
  /** @throws SqlError 18456 or 18452 for a failed login, 4060 for a database that cannot be opened. */
  login(login: Login): Session;
}
