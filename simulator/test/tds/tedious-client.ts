import { Connection, Request } from 'tedious';
import type { ConnectionConfiguration } from 'tedious';
import { password } from './scripted-host';

export interface Answered {
  /** One array of rows per result set, each row an array of values. */
  readonly sets: readonly (readonly (readonly unknown[])[])[];
  readonly columns: readonly (readonly string[])[];
  readonly rowCounts: readonly (number | undefined)[];
  readonly status: number | undefined;
  readonly infos: readonly ServerMessage[];
  readonly errors: readonly ServerMessage[];
}

export interface ServerMessage {
  readonly number: number;
  readonly state: number;
  readonly class: number;
  readonly message: string;
  readonly procName: string;
  readonly lineNumber: number;
}

export type ClientOptions = NonNullable<ConnectionConfiguration['options']>;

export interface ClientSettings {
  readonly userName?: string;
  readonly password?: string;
  /** Asks for Windows authentication. */
  readonly windowsDomain?: string;
  /** Logs in by this access token. */
  readonly token?: string;
  readonly options?: ClientOptions;
}

function createAuthentication({
  userName = 'dba',
  windowsDomain,
  token,
  ...settings
}: ClientSettings): ConnectionConfiguration['authentication'] {
  const credentials = { userName, password: settings.password ?? password };
  if (token !== undefined) return { type: 'azure-active-directory-access-token', options: { token } };
  if (windowsDomain !== undefined)
    return { type: 'ntlm', options: { ...credentials, domain: windowsDomain } };
  return { type: 'default', options: credentials };
}

function createConnection(port: number, settings: ClientSettings): Connection {
  const connection = new Connection({
    server: '127.0.0.1',
    authentication: createAuthentication(settings),
    options: {
      port,
      serverName: 'localhost',
      encrypt: false,
      trustServerCertificate: true,
      useUTC: true,
      ...settings.options,
    },
  });
  connection.on('error', () => undefined);
  return connection;
}

/** Logs in, or rejects with tedious' error. */
export function connect(port: number, settings: ClientSettings = {}): Promise<Connection> {
  const connection = createConnection(port, settings);
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
  });
}

/** Tries to log in and keeps all that the server says meanwhile. */
export function connectAndListen(
  port: number,
  settings: ClientSettings,
): Promise<{
  readonly connection: Connection;
  readonly error: Error | undefined;
  readonly messages: readonly ServerMessage[];
  readonly infos: readonly ServerMessage[];
}> {
  const connection = createConnection(port, settings);
  const messages: ServerMessage[] = [];
  const infos: ServerMessage[] = [];
  connection.on('errorMessage', (message) => messages.push(message as unknown as ServerMessage));
  connection.on('infoMessage', (message) => infos.push(message as unknown as ServerMessage));
  return new Promise((resolve) => {
    connection.connect((error) =>
      resolve({ connection, error: error ?? undefined, messages, infos: [...infos] }),
    );
  });
}

export function disconnect(connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    connection.once('end', () => resolve());
    connection.close();
  });
}

export type Prepare = (request: Request) => void;

export type Send = (connection: Connection, request: Request) => void;

/**
 * Runs one request and gathers all that is said; an error of the server rejects, with what was gathered as its
 * `answered`.
 */
export function run(
  connection: Connection,
  sql: string,
  send: Send = (target, request) => target.execSqlBatch(request),
  prepare?: Prepare,
): Promise<Answered> {
  const sets: unknown[][][] = [];
  const columns: string[][] = [];
  const rowCounts: (number | undefined)[] = [];
  const infos: ServerMessage[] = [];
  const errors: ServerMessage[] = [];
  let status: number | undefined;
  const keep = (list: ServerMessage[]) => (message: unknown) => void list.push(message as ServerMessage);
  const [keepInfo, keepError] = [keep(infos), keep(errors)];
  return new Promise((resolve, reject) => {
    const request = new Request(sql, (error) => {
      connection.removeListener('infoMessage', keepInfo);
      connection.removeListener('errorMessage', keepError);
      const answered = { sets, columns, rowCounts, status, infos, errors };
      if (error) reject(Object.assign(error, { answered }));
      else resolve(answered);
    });
    connection.on('infoMessage', keepInfo);
    connection.on('errorMessage', keepError);
    request.on('columnMetadata', (metadata) => {
      const list = metadata as { readonly colName: string }[];
      columns.push(list.map((column) => column.colName));
      sets.push([]);
    });
    request.on('row', (row: { readonly value: unknown }[]) =>
      sets[sets.length - 1]?.push(row.map((cell) => cell.value)),
    );
    const done = (rowCount: number | undefined) => void rowCounts.push(rowCount);
    request.on('done', done);
    request.on('doneInProc', done);
    request.on('doneProc', (_rowCount, _more, returnStatus) => (status = returnStatus));
    prepare?.(request);
    send(connection, request);
  });
}
