/** A server with a real protocol and no SQL behind it: a test gives the answers. */
import { SqlError, type Login, type Reply, type Request, type SessionHost, type SqlType, type SqlValue } from '../../simulator/tds/handler';

export type Answer = (sql: string, signal: AbortSignal) => AsyncIterable<Reply> | Iterable<Reply>;

export const PASSWORD = 'Secret-77';

export interface AnsweringHost extends SessionHost {
  readonly logins: Login[];
  /** Batches that came, without what the driver sends of its own at the start. */
  readonly batches: string[];
  readonly closed: number[];
}

export function createAnsweringHost(answer: Answer, login: (login: Login) => void = checkPassword): AnsweringHost {
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

export function* giveRows(columns: readonly (readonly [string, SqlType])[], rows: readonly (readonly SqlValue[])[]): Iterable<Reply> {
  yield { kind: 'columns', columns: columns.map(([name, type]) => ({ name, type, nullable: true })) };
  yield { kind: 'rows', rows };
  yield { kind: 'done', rowCount: rows.length };
}

export const TEXT: SqlType = { name: 'nvarchar', length: 200 };
export const INTEGER: SqlType = { name: 'int' };
