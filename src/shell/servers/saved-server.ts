/**
 * One server that the user added: what we keep about it, how its place and login are named, and which password belongs
 * to it.
 */
import { isObject } from '../../core/schema';
import type { Authentication, Encryption, OwnServer } from '../../hosts/host';

/** What we keep about a server. Contains no secret. */
export interface SavedServer extends OwnServer {
  readonly authentication: Authentication;
  /** The certificate that was accepted, as `AB:CD:...` (SHA-256): another one is refused. */
  readonly trustedCertificate?: string;
  /** The password is asked for in each window, and never stored. */
  readonly asksPassword?: boolean;
}

type Address = Pick<SavedServer, 'server' | 'port'>;

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

/**
 * The place and the login that a stored password is for; it is sent nowhere else. Logins that differ only in case may
 * be two.
 */
export function nameLoginPlace(server: Address & Pick<SavedServer, 'authentication' | 'user'>): string {
  return JSON.stringify([nameAddress(server), server.authentication, server.user]);
}

/**
 * A server in the list at the same place with the same login. Adding it again changes that one instead of making a
 * second row.
 */
export function findTwin(
  servers: readonly SavedServer[],
  described: Omit<SavedServer, 'id'>,
): SavedServer | undefined {
  const place = namePlace(described);
  return servers.find((server) => namePlace(server) === place);
}

/** Database names that differ only in case may be two. A listener may lead read-only connections to another server. */
function namePlace(server: Omit<SavedServer, 'id'>): string {
  return JSON.stringify([
    nameLoginPlace(server),
    server.tenant ?? '',
    server.database ?? '',
    server.readOnlyIntent ?? false,
  ]);
}

/** What was kept of a server, with an id, a name and an address that are not empty; null: it is none. */
export function readNamed(kept: unknown): Readonly<Record<string, unknown>> | null {
  const isNamed = (key: string): boolean =>
    isObject(kept) && typeof kept[key] === 'string' && kept[key] !== '';
  return isObject(kept) && ['id', 'name', 'server'].every(isNamed) ? kept : null;
}

export function isEncryption(value: unknown): value is Encryption {
  return value === 'mandatory' || value === 'strict';
}

export function isAuthentication(value: unknown): value is Authentication {
  return ['sql', 'windows', 'integrated', 'entra'].includes(value as string);
}

/** A copy without these keys. */
export function leaveOut<T extends object, Key extends keyof T>(
  value: T,
  ...keys: readonly Key[]
): Omit<T, Key> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as Key))) as Omit<
    T,
    Key
  >;
}
