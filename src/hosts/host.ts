/**
 * What this product needs of a host. A ConnectionHost lists servers, a Connection queries one, a ScriptEditor shows a
 * script to the user. The design follows what Azure Data Studio, vscode-mssql and our own driver can each do
 * (docs/facts.md, Hosts 1 to 4).
 */
import { t } from '../core/language';
import type { OwnSessionText, Parameter, ReadText, ReviewText } from '../core/script/text';

/**
 * A cell as display text; null is SQL NULL. Our queries convert numbers, dates (style 126) and bits in SQL, because
 * hosts show them differently.
 */
export type Cell = string | null;

/** No text of ours asks for a longer cell: SQL Tools Service would cut it (docs/facts.md, Hosts 3). */
export const LONGEST_CELL = 65_535;

export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What a host can do beyond one result set per call. Callers that can do better with it ask; others need not. */
export interface ConnectionCapabilities {
  /** Session state (SET, temporary tables) lasts from one query to the next; otherwise each query has its own login. */
  readonly session: boolean;
  /** Values are sent beside the text (`QueryOptions.parameters`); otherwise the text must declare them. */
  readonly parameters: boolean;
  /** Errors of SQL Server arrive with their number; otherwise the text must catch its own errors and return them. */
  readonly errors: boolean;
}

export interface QueryOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds after which the query is given up with `timedOut`. We enforce it in every host. */
  readonly timeoutMs: number;
  /**
   * Called for each row as it arrives, if the host has rows before the end. If it throws, the query ends with that
   * error.
   */
  readonly onRow?: (row: readonly Cell[]) => void;
  /** With the capability `parameters`: the values that the text calls `@name`. */
  readonly parameters?: readonly Parameter[];
  /** For each informational message of the server, if the host receives them. Azure Data Studio and mssql do not. */
  readonly onNotice?: (number: number) => void;
}

/** Why a query gave no answer. `message` is one sentence for the user; `number` is SQL Server's if there is one. */
export type ConnectionFailure =
  | 'unreachable'
  /** The product by which we connect cannot help any more: it is gone, or what it connects through has ended. */
  | 'hostGone'
  | 'loginFailed'
  | 'untrustedCertificate'
  | 'permissionDenied'
  | 'queryFailed'
  | 'timedOut'
  /** The work was cancelled. */
  | 'cancelled'
  | 'disconnected'
  /** The user would have to be asked, but did not click. */
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

/**
 * The server sent far more than what was asked for; nothing of it is used.
 * @param server as the user named it
 * @param reason `disconnected` ends the connection
 */
export function explainTooMuch(server: string, reason: 'disconnected' | 'queryFailed'): ConnectionError {
  return new ConnectionError(reason, t('{0} sent far more than requested. None of it was used.', server));
}

/** A server whose certificate the user trusted shows another one. Both fingerprints as `AB:CD:...` (SHA-256). */
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
   * Runs one text and gives its result sets: at least one, because every text of ours ends with a SELECT.
   * @throws ConnectionError
   */
  query(text: ReadText | OwnSessionText, options: QueryOptions): Promise<readonly ResultSet[]>;
  close(): Promise<void>;
}

/** Who logs in and how. The same for every server with this account. */
export interface Account {
  /** Tells accounts apart; contains no secret. */
  readonly key: string;
  /** For people: `login dba`. */
  readonly shown: string;
}

/** What a host uses while it opens a connection: it asks before it logs in, and before it asks the user. */
export interface Opening {
  readonly signal: AbortSignal;
  /** Whether the user waits for this and may be asked something. */
  readonly mayAsk: boolean;
  /**
   * Throws if this account may not log in; sends nothing.
   * @param secret a mark of the secret, if the host knows it
   * @throws ConnectionError
   */
  check(secret?: string): void;
  /**
   * Call right before a login is sent. Waits until no other login of the account is under way, and checks again.
   * @throws ConnectionError
   */
  turn(secret?: string): Promise<void>;
  /**
   * Asks the user something, one question at a time.
   * @param what is asked for, as a part of a sentence: `the password of dba on PROD-SQL07`
   * @throws ConnectionError `needsClick` if the user may not be asked
   */
  askUser<T>(what: string, ask: () => Promise<T>): Promise<T>;
}

/** One server that a host knows how to reach. */
export interface ServerAccess {
  /** Stays the same when the editor restarts; never contains a secret. */
  readonly id: string;
  /** The user's name for the server. */
  readonly label: string;
  readonly account: Account;
  /** Calls `turn` right before each login that it sends or has another send. @throws ConnectionError */
  open(opening: Opening): Promise<Connection>;
}

interface OtherHostText {
  readonly name: string;
  /** For a narrow pane. */
  readonly shortName: string;
  /** Where our pane is, as one sentence. */
  readonly place: string;
  /** Whether its connections can be imported, and so outlast it. */
  readonly isImported: boolean;
}

/** The other products whose connections we can use, in order of preference. */
export const otherHosts = {
  azdata: {
    name: t('Azure Data Studio'),
    shortName: t('Azure Data Studio'),
    place: t('The pane is in the Connections viewlet of Azure Data Studio.'),
    isImported: false,
  },
  mssql: {
    name: t('SQL Server extension (mssql)'),
    shortName: 'mssql',
    place: t('The pane is in the SQL Server container.'),
    isImported: true,
  },
} satisfies Readonly<Record<string, OtherHostText>>;
export const NO_OTHER_HOST = t('Neither Azure Data Studio nor the SQL Server extension was found.');

export type OtherHost = keyof typeof otherHosts;
export const otherHostNames = Object.keys(otherHosts) as readonly OtherHost[];
/** The ways to a server: by another product's connection, or by our own driver. */
export type HostName = OtherHost | 'own';

/** Whose server this is; undefined: of none of the other products. @param id as in `HostServer` */
export function findHostOf(id: string): OtherHost | undefined {
  return otherHostNames.find((name) => id.startsWith(`${name}:`));
}

/**
 * A SQL login; a Windows login by its password; the login of the person at the computer, without a password; Microsoft
 * Entra.
 */
export type Authentication = 'sql' | 'windows' | 'integrated' | 'entra';

/** Whether a password proves who logs in. */
export function takesPassword({ authentication = 'sql' }: Pick<OwnServer, 'authentication'>): boolean {
  return authentication === 'sql' || authentication === 'windows';
}

/**
 * `mandatory` encrypts everything; `strict` starts with TLS (TDS 8.0, SQL Server 2022) and always checks the
 * certificate.
 */
export type Encryption = 'mandatory' | 'strict';

/** The login of a server that our own driver reaches. */
interface NamedLogin {
  readonly authentication: Authentication;
  readonly user: string;
}

/** For messages: `login dba`, `Windows login CONTOSO\ann`, `your own login`, `Microsoft Entra account ann@contoso.com`. */
export function describeLogin({ authentication, user }: NamedLogin): string {
  if (authentication === 'sql') return t('login {0}', user);
  if (authentication === 'windows') return t('Windows login {0}', user);
  if (authentication === 'integrated') return t('your own login');
  return user === ''
    ? t('the Microsoft Entra account that you are signed in with')
    : t('Microsoft Entra account {0}', user);
}

/** Tells accounts apart. Windows and Microsoft Entra ignore case in names; SQL Server may not. */
export function nameAccount({ authentication = 'sql', user, tenant = '' }: Omit<OwnServer, 'id'>): string {
  return JSON.stringify([authentication, authentication === 'sql' ? user : user.toLowerCase(), tenant]);
}

/** A server that our own driver reaches, without a secret. */
export interface OwnServer {
  /** Stable; never shown. */
  readonly id: string;
  /** The user's name for the server. */
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  /** Absent means a SQL login: earlier versions saved no other kind. */
  readonly authentication?: Authentication;
  /** SQL login; `DOMAIN\user`; empty for `integrated`; for Microsoft Entra the account, or empty for any. */
  readonly user: string;
  /** `integrated`: the name under which the domain knows the server, if it is not that of the address and port. */
  readonly serverSpn?: string;
  /** Microsoft Entra: id or domain of the tenant. */
  readonly tenant?: string;
  /** Microsoft Entra: a host that is not Azure's and that the user named as one that may get tokens. */
  readonly tokenHost?: string;
  readonly encrypt: Encryption;
  /**
   * The user chose to accept a certificate that no authority vouches for: the first one that is shown, and no other
   * later.
   */
  readonly trustServerCertificate: boolean;
  /** The database to log in to; if absent, the login's default database. */
  readonly database?: string;
  /** The name that the certificate must have, if it differs from that of the address. */
  readonly hostNameInCertificate?: string;
  /** Tries all addresses of the name at once, for a listener of an availability group in several subnets. */
  readonly multiSubnetFailover?: boolean;
  /** ApplicationIntent=ReadOnly: a listener may lead to a readable secondary replica. */
  readonly readOnlyIntent?: boolean;
  /** Seconds for name, connection and login together. */
  readonly connectTimeoutSeconds?: number;
}

/** A server as a host knows it: only what may be kept, shown and logged. No secret. */
export interface HostServer {
  /** The name of the host, `:` and its own id of the connection. Stays the same when the editor restarts. */
  readonly id: string;
  /** The user's name for the server, else its address. */
  readonly name: string;
  /** As the host writes it: `host`, `host,port` or `host\\instance`. */
  readonly server: string;
  /** The SQL login; null for another kind of login. */
  readonly user: string | null;
  /** Another kind of login, for people: `Windows login`, or the account of Microsoft Entra. */
  readonly login?: string;
}

/** What the user opened a menu of the host on. */
export interface PointedAt {
  readonly server: HostServer;
  /** The database of that node; null if the node is the server's. */
  readonly databaseName: string | null;
}

export interface ServerListing {
  readonly servers: readonly HostServer[];
  /** How many connections an untrusted workspace defines. They are neither listed nor used. */
  readonly untrusted: number;
}

/**
 * `servers`: ask again for the list, and for what the host can do. The others: the user connected or disconnected this
 * server in the host's own windows.
 */
export type HostChange =
  | { readonly kind: 'servers' }
  | { readonly kind: 'connected' | 'disconnected'; readonly serverId: string };

/** Another product's connections. Of its methods, only `access().open` asks the user or a server anything. */
export interface ConnectionHost {
  readonly name: OtherHost;
  /**
   * Whether the product is installed and has a place for our pane. Its connections may still be out of reach. Quick;
   * activates nothing.
   */
  isPresent(): boolean;
  /**
   * Whether its connections can be used now. Looks at what is there, never at a version; may be called again at any
   * time.
   * @returns null if they can; else why not, as one sentence for the user
   */
  findObstacle(): Promise<string | null>;
  /** The connections that it knows, in use or saved. Empty if it cannot tell. */
  listServers(): Promise<ServerListing>;
  onDidChange(listener: (change: HostChange) => void): { dispose(): void };
  /** Reads what a menu handed over. null if that is not a server or database of this host. Keeps no password. */
  readTarget(node: unknown): PointedAt | null;
  /** Works for a server that is no longer listed too: then `open` says what is missing. */
  access(server: HostServer): ServerAccess;
  /** Gives the address of the document; null if it opened none, because it knows no way to connect one. */
  readonly editor: ScriptEditor<string | null>;
  /**
   * Whether panels may come back with the window. Through that, a host can lose its own way to servers (docs/facts.md,
   * Hosts 2).
   */
  readonly restoresPanels: boolean;
  /** A side effect of using its connections, told once, and the setting that changes it; null if there is none. */
  readonly caution: { readonly sentence: string; readonly setting: string } | null;
  /**
   * Opens the host's question whether we may use its connections, so that the user can take back a refusal; null if it
   * never asks.
   */
  readonly editPermission: (() => Promise<void>) | null;
  /**
   * What it found and how, one fact a line, for Show Connection Diagnostics: versions, exports, commands, counts. No
   * secrets, no server names.
   */
  describe(): Promise<readonly string[]>;
  dispose(): void;
}

export interface ScriptEditor<Opened = void> {
  /**
   * Opens the text as an unsaved SQL document, connected to that server if the host can do that. Never runs it.
   * @param place `beside`: next to the script in front, which stays active
   */
  open(text: ReviewText, title: string, serverId: string, place?: 'in front' | 'beside'): Promise<Opened>;
}
