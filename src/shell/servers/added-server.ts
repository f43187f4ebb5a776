/** What another extension may hand to `addServer`, checked as input from strangers. */
import { makeVisible } from '../../core/visible';
import type { Authentication, Encryption } from '../../hosts/host';
import { isAuthentication, isEncryption, type SavedServer } from './saved-server';
import { isWindowsLogin } from './server-questions';

/** A server as other extensions describe it. The user is asked, and whether to store the password too. */
export interface AddedServer {
  /** Who asks, as the user is to read it; nobody checks it. */
  readonly caller?: string;
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  /** `sql` where it is left out; `windows`: NTLM; `entra`: the editor signs in. */
  readonly authentication?: Authentication;
  /** SQL login; `DOMAIN\user`, or the user of `domain`; for `entra` the account that is meant, or left out. */
  readonly user?: string;
  readonly domain?: string;
  /** Not for `entra`. */
  readonly password?: string;
  /** For `entra`: id or domain of the tenant. */
  readonly tenant?: string;
  readonly database?: string;
  /** true is mandatory. */
  readonly encrypt: Encryption | true;
  /** Accepts the certificate that the server shows first, and no other later. Not for `entra`. */
  readonly trustServerCertificate: boolean;
  /** The name that the certificate must have, where it is not that of the address. */
  readonly hostNameInCertificate?: string;
}

export interface ReadServer {
  readonly caller: string | undefined;
  /** The id is still to be given. */
  readonly server: Omit<SavedServer, 'id'>;
  /** None for Microsoft Entra. */
  readonly password: string | undefined;
}

/** The argument, checked. @throws Error with one sentence that names the field */
export function readAddedServer(argument: unknown): ReadServer {
  if (typeof argument !== 'object' || argument === null) throw new Error('addServer takes one object that describes the server.');
  const fields = argument as Record<string, unknown>;
  const port = readPort(fields['port']);
  const authentication = readAuthentication(fields['authentication']);
  const encrypt = readEncryption(fields['encrypt']);
  return {
    caller: readOptionalText(fields, 'caller')['caller'],
    server: {
      name: readText(fields, 'name'),
      server: readText(fields, 'server'),
      ...(port === undefined ? {} : { port }),
      authentication,
      user: readUser(fields, authentication),
      ...(authentication === 'entra' && readOptionalText(fields, 'tenant')),
      encrypt,
      trustServerCertificate: readTrust(fields, authentication) && encrypt !== 'strict',
      ...readOptionalText(fields, 'database'),
      ...readOptionalText(fields, 'hostNameInCertificate'),
    },
    password: authentication === 'entra' ? undefined : readPassword(fields['password']),
  };
}

function readAuthentication(value: unknown): Authentication {
  if (value === undefined) return 'sql';
  if (!isAuthentication(value)) throw new Error('addServer: authentication is sql, windows or entra.');
  return value;
}

function readUser(fields: Record<string, unknown>, authentication: Authentication): string {
  if (authentication === 'entra') return readOptionalText(fields, 'user')['user'] ?? '';
  const user = readText(fields, 'user');
  if (authentication === 'sql') return user;
  const { domain } = readOptionalText(fields, 'domain');
  const login = domain === undefined ? user : `${domain}\\${user}`;
  if (!isWindowsLogin(login)) throw new Error('addServer: user is DOMAIN\\user for a Windows login.');
  return login;
}

/** The field by its name, or nothing where it is left out. */
function readOptionalText<Key extends string>(fields: Record<string, unknown>, key: Key): { readonly [key in Key]?: string } {
  return fields[key] === undefined ? {} : ({ [key]: readText(fields, key) } as { readonly [key in Key]: string });
}

/** The user reads these in a dialog, where nothing may look like another line of it. */
function readText(fields: Record<string, unknown>, key: string): string {
  const text = fields[key];
  if (typeof text !== 'string' || text.trim() === '') throw new Error(`addServer: ${key} is a text that is not empty.`);
  if (text.length > 256 || makeVisible(text) !== text)
    throw new Error(`addServer: ${key} is a text of at most 256 characters on one line, without characters that cannot be seen.`);
  return text.trim();
}

function readPassword(value: unknown): string {
  if (typeof value !== 'string') throw new Error('addServer: password is a text.');
  return value;
}

function readTrust(fields: Record<string, unknown>, authentication: Authentication): boolean {
  const trusts = fields['trustServerCertificate'];
  if (typeof trusts !== 'boolean') throw new Error('addServer: trustServerCertificate is true or false.');
  if (trusts && authentication === 'entra')
    throw new Error(
      'addServer: trustServerCertificate is false for entra, because a token goes only to a server whose certificate is checked.',
    );
  return trusts;
}

function readPort(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65535) {
    throw new Error('addServer: port is a whole number from 1 to 65535.');
  }
  return value;
}

function readEncryption(value: unknown): Encryption {
  if (value === false || value === 'optional')
    throw new Error('addServer: encrypt is mandatory, strict or true, because Checkpoint Health always encrypts.');
  if (value === true) return 'mandatory';
  if (!isEncryption(value)) throw new Error('addServer: encrypt is mandatory, strict or true.');
  return value;
}
