/** One server that the user added: what is kept about it, where it is and who logs in there, which password belongs where, and which hosts are Azure's. */
import type { Authentication, Encryption, OwnServer } from '../../hosts/host';

/** What is kept about a server: no secret. */
export interface SavedServer extends OwnServer {
  readonly authentication: Authentication;
  /** The certificate that was accepted, as `AB:CD:...` (SHA-256): another one is refused. */
  readonly trustedCertificate?: string;
  /** Microsoft Entra: a host that is not Azure's and to which the user lets tokens be sent. */
  readonly tokenHost?: string;
  /** The password is asked for in each window, and never stored. */
  readonly asksPassword?: boolean;
}

type Address = Pick<SavedServer, 'server' | 'port'>;

/** The host as it is compared, read as our driver reads it: without protocol, instance, port and case. */
export function readHost(address: string): string {
  const [, host = ''] = /^(\[[^\]]+\]|[^,\\]+)/.exec(address.trim().replace(/^tcp:/i, '')) ?? [];
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  return name === '.' || name === '(local)' ? 'localhost' : name.replace(/\.$/, '');
}

/** An address as people write it, with the port in it. */
export function writeAddress({ server, port }: Address): string {
  return port === undefined ? server : `${server},${port}`;
}

/** `tcp:SQL01, 1433` and `sql01` are one address. */
export function nameAddress(address: Address): string {
  return writeAddress(address)
    .toLowerCase()
    .replace(/^tcp:|\s/g, '')
    .replace(/,1433$/, '');
}

/** What a password is for: a stored one goes nowhere else. Logins that differ in case may be two. */
export function nameLoginPlace(server: Address & Pick<SavedServer, 'authentication' | 'user'>): string {
  return JSON.stringify([nameAddress(server), server.authentication, server.user]);
}

/** "login dba", "Windows login CONTOSO\\ann", "Microsoft Entra account ann@contoso.com". */
export function describeLogin({ authentication, user }: Pick<SavedServer, 'authentication' | 'user'>): string {
  if (authentication !== 'entra') return `${authentication === 'sql' ? 'login' : 'Windows login'} ${user}`;
  return user === '' ? 'the Microsoft Entra account that you are signed in with' : `Microsoft Entra account ${user}`;
}

/** A server of the list that leads to the same place with the same login: adding it again is about that one and makes no second row. */
export function findTwin(servers: readonly SavedServer[], described: Omit<SavedServer, 'id'>): SavedServer | undefined {
  const place = namePlace(described);
  return servers.find((server) => namePlace(server) === place);
}

/** Databases that differ in case may be two. A listener leads those who only read elsewhere. */
function namePlace(server: Omit<SavedServer, 'id'>): string {
  return JSON.stringify([nameLoginPlace(server), server.tenant ?? '', server.database ?? '', server.readOnlyIntent ?? false]);
}

/** Of Azure SQL, Managed Instance, Fabric and Synapse, in the public cloud and the two sovereign ones. */
const AZURE_HOST =
  /.\.(database\.(windows\.net|usgovcloudapi\.net|chinacloudapi\.cn|fabric\.microsoft\.com)|sql\.azuresynapse\.net|datawarehouse\.fabric\.microsoft\.com)$/;

/** A token for Azure SQL opens every database of that account: it goes to Azure's own hosts, and to one that the user confirmed. */
export function mayTakeToken({ server, tokenHost }: Pick<SavedServer, 'server' | 'tokenHost'>): boolean {
  const host = readHost(server);
  return AZURE_HOST.test(host) || (host !== '' && host === tokenHost);
}

export function isEncryption(value: unknown): value is Encryption {
  return value === 'mandatory' || value === 'strict';
}

export function isAuthentication(value: unknown): value is Authentication {
  return value === 'sql' || value === 'windows' || value === 'entra';
}

/** A copy without these keys. */
export function leaveOut<T extends object, Key extends keyof T>(value: T, ...keys: readonly Key[]): Omit<T, Key> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as Key))) as Omit<T, Key>;
}
