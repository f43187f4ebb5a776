/**
 * The servers that the user added. The editor's state holds what is kept about them, without secrets; only its secret
 * storage holds passwords.
 */
import { takesPassword } from '../../hosts/host';
import {
  isAuthentication,
  isEncryption,
  leaveOut,
  nameAddress,
  nameLoginPlace,
  readNamed,
  type SavedServer,
} from './saved-server';

/** The part of a vscode.Memento that we use. */
export interface KeptState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The part of vscode.SecretStorage that we use. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const STATE_KEY = 'checkpointHealth.servers';

function secretKey(id: string): string {
  return `checkpointHealth.password.${id}`;
}

/** The list of servers. Every change writes the whole list. */
export class SavedServers {
  constructor(
    private readonly state: KeptState,
    private readonly secrets: Secrets,
  ) {}

  /** In the order in which they were added. Leaves out entries of another shape (an older version, a damaged file). */
  list(): readonly SavedServer[] {
    const kept = this.state.get(STATE_KEY);
    return Array.isArray(kept) ? kept.map(readKept).filter(isSavedServer) : [];
  }

  find(id: string): SavedServer | undefined {
    return this.list().find((server) => server.id === id);
  }

  /**
   * Adds the server, or replaces the one with the same id. Deletes a password that was stored for another address or
   * login, or should not be stored.
   */
  async save(server: SavedServer): Promise<void> {
    const before = this.find(server.id);
    const isSamePlace = before !== undefined && nameLoginPlace(before) === nameLoginPlace(server);
    if (!isSamePlace || !takesPassword(server) || server.asksPassword === true)
      await this.forgetPassword(server.id);
    await this.write(keepsCertificate(before, server) ? server : leaveOut(server, 'trustedCertificate'));
  }

  /** Remembers the certificate that the server shows. From now on only this one is accepted. */
  async keepTrusted(id: string, fingerprint: string): Promise<void> {
    const server = this.find(id);
    if (server?.trustServerCertificate === true)
      await this.write({ ...server, trustedCertificate: fingerprint });
  }

  async remove(id: string): Promise<void> {
    await this.state.update(
      STATE_KEY,
      this.list().filter((server) => server.id !== id),
    );
    await this.forgetPassword(id);
  }

  async password(id: string): Promise<string | undefined> {
    return this.secrets.get(secretKey(id));
  }

  async keepPassword(id: string, password: string): Promise<void> {
    await this.secrets.store(secretKey(id), password);
  }

  async forgetPassword(id: string): Promise<void> {
    await this.secrets.delete(secretKey(id));
  }

  private async write(server: SavedServer): Promise<void> {
    const others = this.list();
    const isKnown = others.some(({ id }) => id === server.id);
    await this.state.update(
      STATE_KEY,
      isKnown ? others.map((other) => (other.id === server.id ? server : other)) : [...others, server],
    );
  }
}

/** Keeps the accepted certificate only while the address, the encryption and the user's choice stay the same. */
function keepsCertificate(before: SavedServer | undefined, server: SavedServer): boolean {
  if (before === undefined || !server.trustServerCertificate) return false;
  return (
    before.trustServerCertificate &&
    before.encrypt === server.encrypt &&
    nameAddress(before) === nameAddress(server)
  );
}

/**
 * Reads what earlier versions kept: only SQL logins, optional encryption, and tokens for servers whose certificate was
 * not checked.
 */
function readKept(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null) return kept;
  const { authentication = 'sql', encrypt, trustServerCertificate } = kept as Record<string, unknown>;
  return {
    ...kept,
    authentication,
    encrypt: encrypt === 'optional' ? 'mandatory' : encrypt,
    trustServerCertificate: authentication === 'entra' ? false : trustServerCertificate,
  };
}

/** Optional values, by their type. */
const optional = {
  port: 'number',
  serverSpn: 'string',
  tenant: 'string',
  tokenHost: 'string',
  trustedCertificate: 'string',
  asksPassword: 'boolean',
  database: 'string',
  hostNameInCertificate: 'string',
  multiSubnetFailover: 'boolean',
  readOnlyIntent: 'boolean',
  connectTimeoutSeconds: 'number',
} as const;

function isSavedServer(kept: unknown): kept is SavedServer {
  const server = readNamed(kept);
  if (server === null) return false;
  const { user, authentication } = server;
  const kinds = isAuthentication(authentication) && isEncryption(server['encrypt']);
  const isNamed = kinds && typeof user === 'string' && (user !== '' || !takesPassword({ authentication }));
  const others = Object.entries(optional).every(
    ([key, type]) => server[key] === undefined || typeof server[key] === type,
  );
  return isNamed && others && typeof server['trustServerCertificate'] === 'boolean';
}
