/**
 * What this product asks of a host. A ConnectionHost lists servers; a Connection asks one; a ScriptEditor shows a script to the user.
 * Designed from what Azure Data Studio, vscode-mssql and our own driver can each do (docs/facts.md, Hosts 1 to 4).
 */
import type { OwnSessionText, Parameter, ReadText, ReviewText } from '../core/script/text';

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
  /** Session state (SET, temporary tables) lives from one query to the next; otherwise each query logs in by itself. */
  readonly session: boolean;
  /** Values cross beside the text (`QueryOptions.parameters`); otherwise they have to be declared in it. */
  readonly parameters: boolean;
  /** What SQL Server refuses arrives with its number. Otherwise the text has to catch its own errors and answer with them. */
  readonly errors: boolean;
}

export interface QueryOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds after which the query is given up with `timedOut`; enforced on our side in every host. */
  readonly timeoutMs: number;
  /** With `streaming`: called for each batch of rows as it arrives; the result set returned then has no rows. */
  readonly onRows?: (columns: readonly string[], rows: readonly (readonly Cell[])[]) => void;
  /** With the capability of that name: what the text names as `@name`. */
  readonly parameters?: readonly Parameter[];
  /** Called for each informational message of the server, where the host is handed them: not by Azure Data Studio, nor by mssql. */
  readonly onNotice?: (number: number) => void;
}

/** Why a query gave no answer. `message` is one sentence for the user; `number` is SQL Server's where there is one. */
export type ConnectionFailure =
  | 'unreachable'
  | 'loginFailed'
  | 'untrustedCertificate'
  | 'permissionDenied'
  | 'queryFailed'
  | 'timedOut'
  /** The work was given up. */
  | 'cancelled'
  | 'disconnected'
  /** The user would have to be asked, and nobody clicked. */
  | 'needsClick'
  /** The user was asked, and closed the question. */
  | 'promptClosed';

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

/** A server that was trusted by its certificate shows another one; both fingerprints as `AB:CD:...` (SHA-256). */
export class CertificateChanged extends ConnectionError {
  constructor(
    message: string,
    readonly was: string,
    readonly is: string,
  ) {
    super('untrustedCertificate', message);
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

/** Who logs in, by which way: the same for every server that this account is used on. */
export interface Account {
  /** Tells accounts apart; no secret. */
  readonly key: string;
  /** For people: `login dba`. */
  readonly shown: string;
}

/** What a host is given to open a connection with: it asks before it logs in, and before it asks the user. */
export interface Opening {
  readonly signal: AbortSignal;
  /** Whether the user waits for this and may be asked something. */
  readonly mayAsk: boolean;
  /** Whether this account may log in, before anything is sent. @param secret a mark of the secret, where the host knows it @throws ConnectionError */
  check(secret?: string): void;
  /** Right before a login is sent: waits until no other login of the account is under way, and checks again. @throws ConnectionError */
  turn(secret?: string): Promise<void>;
  /**
   * Asks the user something, one question at a time. @param what is asked for, as a part of a sentence: `the password of dba on PROD-SQL07`
   * @throws ConnectionError `needsClick` where nobody may be asked
   */
  askUser<T>(what: string, ask: () => Promise<T>): Promise<T>;
}

/** One server that a host knows how to reach. */
export interface ServerAccess {
  /** Stable across restarts of the editor; never contains a secret. */
  readonly id: string;
  /** As the user named it. */
  readonly label: string;
  readonly account: Account;
  /** Calls `turn` right before each login that it sends or has sent. @throws ConnectionError */
  open(opening: Opening): Promise<Connection>;
}

/** The ways to a server, in the order in which they are preferred: Azure Data Studio, the SQL Server extension of VS Code (mssql), our own driver. */
export type HostName = 'azdata' | 'mssql' | 'own';

export type Authentication = 'sql' | 'windows' | 'entra';

/** `mandatory` encrypts everything; `strict` starts with TLS (TDS 8.0, SQL Server 2022) and always checks the certificate. */
export type Encryption = 'mandatory' | 'strict';

/** A server that our own driver reaches, without a secret. */
export interface OwnServer {
  /** Stable; never shown. */
  readonly id: string;
  /** As the user named it. */
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  /** Absent: a SQL login, as in what was saved before there were others. */
  readonly authentication?: Authentication;
  /** SQL login; `DOMAIN\user`; for Microsoft Entra the account that is meant, or empty for any. */
  readonly user: string;
  /** Microsoft Entra: id or domain of the tenant. */
  readonly tenant?: string;
  readonly encrypt: Encryption;
  /** The user's explicit choice to accept a certificate that no authority vouches for: the first one that is shown, and no other after it. */
  readonly trustServerCertificate: boolean;
  /** Where the login is to land; absent: in its default database. */
  readonly database?: string;
  /** The name that the certificate must have, where it is not that of the address. */
  readonly hostNameInCertificate?: string;
  /** Tries all addresses of the name at once: a listener of an availability group in several subnets. */
  readonly multiSubnetFailover?: boolean;
  /** ApplicationIntent=ReadOnly: a listener may lead to a readable secondary. */
  readonly readOnlyIntent?: boolean;
  /** Seconds for name, connection and login together. */
  readonly connectTimeoutSeconds?: number;
}

/** A server as a host knows it: what may be kept, shown and logged. No secret. */
export interface HostServer {
  /** `azdata:` or `mssql:` and the host's own id of the connection; stable across restarts of the editor. */
  readonly id: string;
  /** As the user named it; else its address. */
  readonly name: string;
  /** As the host writes it: `host`, `host,port` or `host\\instance`. */
  readonly server: string;
  /** The SQL login; null where another kind of login is used. */
  readonly user: string | null;
  /** Another kind of login, for people: `Windows login`, or the account of Microsoft Entra. */
  readonly login?: string;
}

/** What a menu of the host was opened on. */
export interface PointedAt {
  readonly server: HostServer;
  /** The database whose node it was; null: the server's. */
  readonly databaseName: string | null;
}

export interface ServerListing {
  readonly servers: readonly HostServer[];
  /** Connections that a workspace which is not trusted defines: neither listed nor used. */
  readonly untrusted: number;
}

/** `servers`: the list, or what the host can do, is to be asked for again. The others: somebody connected or disconnected this one in the host's own user interface. */
export type HostChange = { readonly kind: 'servers' } | { readonly kind: 'connected' | 'disconnected'; readonly serverId: string };

/** Another product's connections. None of its methods but `access().open` asks the user or a server anything. */
export interface ConnectionHost {
  readonly name: Exclude<HostName, 'own'>;
  /** Whether the product is here at all, with a place for our pane in its container; its connections may be out of reach all the same. Quick: activates nothing. */
  isPresent(): boolean;
  /**
   * Whether its connections can be used now, found by what is there and never by a version; may be asked again at any time.
   * @returns null where they can; else why not, as one sentence for the user
   */
  findObstacle(): Promise<string | null>;
  /** The connections that it knows, those in use and those that are saved. Empty where it cannot tell. */
  listServers(): Promise<ServerListing>;
  onDidChange(listener: (change: HostChange) => void): { dispose(): void };
  /** What a menu handed over; null where that is no server or database of this host. Keeps no password of it. */
  readTarget(node: unknown): PointedAt | null;
  /** Also for a server that is listed no more: then `open` says what is missing. */
  access(server: HostServer): ServerAccess;
  readonly editor: ScriptEditor;
  /** Whether panels may come back with the window. A host can lose its own way to servers over it (docs/facts.md, Hosts 2). */
  readonly restoresPanels: boolean;
  /** What using its connections does besides, told once, and the setting that changes it; null: nothing. */
  readonly caution: { readonly sentence: string; readonly setting: string } | null;
  /** Opens the host's own question whether we may use its connections, so that a refusal can be taken back; null where it never asks. */
  readonly editPermission: (() => Promise<void>) | null;
  /** What it found and how, one fact a line, for Show Connection Diagnostics: versions, exports, commands, counts. No secret, no server's name. */
  describe(): Promise<readonly string[]>;
  dispose(): void;
}

export interface ScriptEditor {
  /**
   * Opens the text as an unsaved SQL document connected to that server where the host can; never runs it.
   * @param place `beside`: next to the script in front, which stays the active one
   */
  open(text: ReviewText, title: string, serverId: string, place?: 'in front' | 'beside'): Promise<void>;
}
