/** A server with a real protocol and no SQL behind it: a test gives the answers. */
import { startTdsServer } from '../../simulator/tds/server';
import type { ReadText } from '../../src/core/script/text';
import { createDirectAccess } from '../../src/hosts/direct/access';
import type { OwnServer, QueryOptions } from '../../src/hosts/host';
import { failOf, freely, keptSecret } from './opening';
import {
  SqlError,
  type Login,
  type Reply,
  type Request,
  type SessionHost,
  type SqlType,
  type SqlValue,
} from '../../simulator/tds/handler';

export type Answer = (sql: string, signal: AbortSignal) => AsyncIterable<Reply> | Iterable<Reply>;

export const PASSWORD = 'Secret-77';

export interface AnsweringHost extends SessionHost {
  readonly logins: Login[];
  /** Batches that came, without what the driver sends of its own at the start. */
  readonly batches: string[];
  readonly closed: number[];
}

export function createAnsweringHost(
  answer: Answer,
  login: (login: Login) => void = checkPassword,
): AnsweringHost {
  const [logins, batches, closed]: [Login[], string[], number[]] = [[], [], []];
  return {
    serverName: 'SQL1',
    version: [16, 0, 1000],
    logins,
    batches,
    closed,
    login: (given) => {
      logins.push(given);
      login(given);
      const spid = 50 + logins.length;
      return {
        spid,
        database: given.database || 'master',
        execute: (request, signal) => execute(request, signal),
        close: () => closed.push(spid),
      };
    },
  };

  async function* execute(request: Request, signal: AbortSignal): AsyncIterable<Reply> {
    const sql = request.kind === 'batch' ? request.sql : '';
    if (sql.startsWith('set ansi_nulls on')) return;
    batches.push(sql);
    yield* answer(sql, signal);
  }
}

function checkPassword({ user, password }: Login): void {
  if (password !== PASSWORD) throw new SqlError(18456, `Login failed for user '${user}'.`, 14);
}

export function* giveRows(
  columns: readonly (readonly [string, SqlType])[],
  rows: readonly (readonly SqlValue[])[],
): Iterable<Reply> {
  yield { kind: 'columns', columns: columns.map(([name, type]) => ({ name, type, nullable: true })) };
  yield { kind: 'rows', rows };
  yield { kind: 'done', rowCount: rows.length };
}

export const TEXT: SqlType = { name: 'nvarchar', length: 200 };
export const INTEGER: SqlType = { name: 'int' };

/** For an answer that comes, on however busy a machine. */
export const SECONDS = { timeoutMs: 60_000 };
export const read = (sql: string): ReadText => sql as ReadText;

/** A server as the user saved it. */
export function savedServer(server: string, changes: Partial<OwnServer> = {}): OwnServer {
  return {
    id: 'a',
    name: 'A',
    server,
    user: 'dba',
    encrypt: 'mandatory',
    trustServerCertificate: true,
    ...changes,
  };
}

export type AnsweredConnection = Awaited<ReturnType<typeof openAnsweredConnection>>;

/** A connection of our own driver to such a server. */
export async function openAnsweredConnection(answer: Answer) {
  const host = createAnsweringHost(answer);
  const server = await startTdsServer({ host, tls: 'required' });
  const address = `127.0.0.1,${server.port}`;
  const connection = await createDirectAccess({
    server: savedServer(address),
    secrets: keptSecret(PASSWORD),
  }).open(freely());
  return {
    host,
    server,
    connection,
    /** The first text of the answer. */
    ask: async (sql: string) => (await connection.query(read(sql), SECONDS))[0]?.rows[0]?.[0],
    /** How a query fails; the address of the server reads HOST. */
    failOf: (sql: string, options: QueryOptions = SECONDS) =>
      failOf(connection.query(read(sql), options), address),
    close: async () => {
      await connection.close();
      await server.close();
    },
  };
}
