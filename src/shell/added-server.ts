/** What another extension may hand to `addServer`, checked as input from strangers. */
import { type Encryption, isEncryption, type SavedServer } from './saved-servers';

/** A server as other extensions describe it. The password goes to the editor's secret storage and nowhere else. */
export interface AddedServer {
  readonly name: string;
  /** `host`, `host,port` or `host\instance`. */
  readonly server: string;
  readonly port?: number;
  readonly user: string;
  readonly password: string;
  /** true is mandatory, false is optional. */
  readonly encrypt: Encryption | boolean;
  readonly trustServerCertificate: boolean;
}

/** The argument as a server and its password; the id is still to be given. @throws Error with one sentence that names the field */
export function readAddedServer(argument: unknown): { readonly server: Omit<SavedServer, 'id'>; readonly password: string } {
  if (typeof argument !== 'object' || argument === null) throw new Error('addServer takes one object that describes the server.');
  const fields = argument as Record<string, unknown>;
  const port = readPort(fields['port']);
  return {
    server: {
      name: readText(fields, 'name'),
      server: readText(fields, 'server'),
      ...(port === undefined ? {} : { port }),
      user: readText(fields, 'user'),
      encrypt: readEncryption(fields['encrypt']),
      trustServerCertificate: readFlag(fields, 'trustServerCertificate'),
    },
    password: readPassword(fields['password']),
  };
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
  return servers.find(
    (server) => server.name === added.name && server.server === added.server && server.port === added.port && server.user === added.user,
  );
}
