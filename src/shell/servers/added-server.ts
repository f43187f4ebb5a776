/** What another extension may hand to `addServer`, checked as input from strangers. */
import { type Authentication, type Encryption, isAuthentication, isEncryption, type SavedServer } from './saved-servers';
import { isWindowsLogin } from './server-questions';

/** A server as other extensions describe it. The password goes to the editor's secret storage and nowhere else. */
export interface AddedServer {
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
  /** true is mandatory, false is optional. */
  readonly encrypt: Encryption | boolean;
  readonly trustServerCertificate: boolean;
  /** The name that the certificate must have, where it is not that of the address. */
  readonly hostNameInCertificate?: string;
}

/** The argument as a server and its password, none for Microsoft Entra; the id is still to be given. @throws Error with one sentence that names the field */
export function readAddedServer(argument: unknown): { readonly server: Omit<SavedServer, 'id'>; readonly password: string | undefined } {
  if (typeof argument !== 'object' || argument === null) throw new Error('addServer takes one object that describes the server.');
  const fields = argument as Record<string, unknown>;
  const port = readPort(fields['port']);
  const authentication = readAuthentication(fields['authentication']);
  const encrypt = readEncryption(fields['encrypt']);
  return {
    server: {
      name: readText(fields, 'name'),
      server: readText(fields, 'server'),
      ...(port === undefined ? {} : { port }),
      authentication,
      user: readUser(fields, authentication),
      ...(authentication === 'entra' && readOptionalText(fields, 'tenant')),
      // A token is never sent readable.
      encrypt: authentication === 'entra' && encrypt === 'optional' ? 'mandatory' : encrypt,
      trustServerCertificate: readFlag(fields, 'trustServerCertificate'),
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

function readText(fields: Record<string, unknown>, key: string): string {
  const text = fields[key];
  if (typeof text !== 'string' || text.trim() === '') throw new Error(`addServer: ${key} is a text that is not empty.`);
  return text.trim();
}

function readPassword(value: unknown): string {
  if (typeof value !== 'string') throw new Error('addServer: password is a text.');
  return value;
}

function readFlag(fields: Record<string, unknown>, key: string): boolean {
  const flag = fields[key];
  if (typeof flag !== 'boolean') throw new Error(`addServer: ${key} is true or false.`);
  return flag;
}

function readPort(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65535) {
    throw new Error('addServer: port is a whole number from 1 to 65535.');
  }
  return value;
}

function readEncryption(value: unknown): Encryption {
  if (typeof value === 'boolean') return value ? 'mandatory' : 'optional';
  if (!isEncryption(value)) throw new Error('addServer: encrypt is mandatory, optional, strict, true or false.');
  return value;
}

/** The server already kept that this one describes, so that adding it again changes it and makes no second row. */
export function findSameServer(servers: readonly SavedServer[], added: Omit<SavedServer, 'id'>): SavedServer | undefined {
  const key = ({ name, server, port, authentication, user }: Omit<SavedServer, 'id'>): string =>
    JSON.stringify([name, server, port ?? null, authentication, user]);
  return servers.find((server) => key(server) === key(added));
}
