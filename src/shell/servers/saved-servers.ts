/** The servers that the user added: what is kept about them, without secrets, in the editor's state; passwords in its secret storage only. */

export type Encryption = 'mandatory' | 'optional' | 'strict';
export type Authentication = 'sql' | 'windows' | 'entra';

/** What is kept about a server: no secret. */
export interface SavedServer {
  /** Stable; never shown. */
  readonly id: string;
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  readonly authentication: Authentication;
  /** SQL login; `DOMAIN\user`; for Microsoft Entra the account that is meant, or empty for any. */
  readonly user: string;
  /** Microsoft Entra: id or domain of the tenant; absent: the account's own. */
  readonly tenant?: string;
  readonly encrypt: Encryption;
  readonly trustServerCertificate: boolean;
  /** Absent: the login's default database. */
  readonly database?: string;
  /** These come from a connection string only. */
  readonly hostNameInCertificate?: string;
  readonly multiSubnetFailover?: boolean;
  readonly readOnlyIntent?: boolean;
  readonly connectTimeoutSeconds?: number;
}

/** The part of a vscode.Memento that is used. */
export interface KeptState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The part of vscode.SecretStorage that is used. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const stateKey = 'checkpointHealth.servers';

function secretKey(id: string): string {
  return `checkpointHealth.password.${id}`;
}

/** The list of servers; changed one whole value at a time. */
export class SavedServers {
  constructor(
    private readonly state: KeptState,
    private readonly secrets: Secrets,
  ) {}

  /** In the order in which they were added. What is kept in another shape (an older version, a damaged file) is left out. */
  list(): readonly SavedServer[] {
    const kept = this.state.get(stateKey);
    return Array.isArray(kept) ? kept.map(nameAuthentication).filter(isSavedServer) : [];
  }

  find(id: string): SavedServer | undefined {
    return this.list().find((server) => server.id === id);
  }

  /**
   * Adds the server, or replaces the one with the same id. One of Microsoft Entra has no password: what was stored for it is deleted.
   * @param password undefined keeps the one that is stored
   */
  async save(server: SavedServer, password: string | undefined): Promise<void> {
    if (server.authentication === 'entra') await this.secrets.delete(secretKey(server.id));
    else if (password !== undefined) await this.secrets.store(secretKey(server.id), password);
    const others = this.list();
    const known = others.some((other) => other.id === server.id);
    await this.state.update(stateKey, known ? others.map((other) => (other.id === server.id ? server : other)) : [...others, server]);
  }

  async remove(id: string): Promise<void> {
    await this.state.update(
      stateKey,
      this.list().filter((server) => server.id !== id),
    );
    await this.secrets.delete(secretKey(id));
  }

  async password(id: string): Promise<string | undefined> {
    return this.secrets.get(secretKey(id));
  }

  async keepPassword(id: string, password: string): Promise<void> {
    await this.secrets.store(secretKey(id), password);
  }
}

/** Before there were other kinds, every server had a SQL login. */
function nameAuthentication(kept: unknown): unknown {
  return typeof kept === 'object' && kept !== null && !('authentication' in kept) ? { ...kept, authentication: 'sql' } : kept;
}

/** What need not be there, by its type. */
const optional = {
  port: 'number',
  tenant: 'string',
  database: 'string',
  hostNameInCertificate: 'string',
  multiSubnetFailover: 'boolean',
  readOnlyIntent: 'boolean',
  connectTimeoutSeconds: 'number',
} as const;

function isSavedServer(kept: unknown): kept is SavedServer {
  if (typeof kept !== 'object' || kept === null) return false;
  const server = kept as Record<string, unknown>;
  const texts = ['id', 'name', 'server'].every((key) => typeof server[key] === 'string' && server[key] !== '');
  const user = typeof server['user'] === 'string' && (server['user'] !== '' || server['authentication'] === 'entra');
  const others = Object.entries(optional).every(([key, type]) => server[key] === undefined || typeof server[key] === type);
  const kinds = isAuthentication(server['authentication']) && isEncryption(server['encrypt']);
  return texts && user && others && kinds && typeof server['trustServerCertificate'] === 'boolean';
}

export function isEncryption(value: unknown): value is Encryption {
  return value === 'mandatory' || value === 'optional' || value === 'strict';
}

export function isAuthentication(value: unknown): value is Authentication {
  return value === 'sql' || value === 'windows' || value === 'entra';
}
