import { Connection, Request } from 'tedious';
import type { LoginAddress } from '../e2e/query-window';
import type { Attempt } from './observation';

type Cell = string | number | Date | boolean | Uint8Array | null;
export type Row = Readonly<Record<string, Cell>>;

/** What one batch gave: the rows of all its result sets, and what went wrong. */
interface Answer extends Attempt {
  readonly rows: readonly Row[];
}

/** One login of the tests' own, past the product. */
export interface LiveLogin {
  /** Runs a batch; errors are part of the answer. */
  attempt(sql: string): Promise<Answer>;
  /** @throws Error with the first error's number, text and the batch */
  rows(sql: string): Promise<readonly Row[]>;
  /** The first cell of the first row, as a number. */
  number(sql: string): Promise<number>;
  close(): void;
}

const requestTimeoutMs = 600_000;

/** @throws tedious' own error where the server cannot be reached or refuses the login */
export async function openLogin({ host, port, user, password }: LoginAddress): Promise<LiveLogin> {
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, encrypt: true, trustServerCertificate: true, requestTimeout: requestTimeoutMs, useUTC: true },
  });
  connection.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  const attempt = (sql: string): Promise<Answer> => runBatch(connection, sql);
  const rows = async (sql: string): Promise<readonly Row[]> => {
    const answer = await attempt(sql);
    const [first] = answer.errors;
    if (first !== undefined) throw new Error(`${first.number} ${first.message} in: ${sql}`);
    return answer.rows;
  };
  return {
    attempt,
    rows,
    number: async (sql) => Number(Object.values((await rows(sql))[0] ?? {})[0]),
    close: () => connection.close(),
  };
}

function runBatch(connection: Connection, sql: string): Promise<Answer> {
  const rows: Row[] = [];
  const errors: { number: number; message: string }[] = [];
  const keep = ({ number, message }: { number: number; message: string }): void => void errors.push({ number, message });
  connection.on('errorMessage', keep);
  return new Promise((resolve) => {
    const request = new Request(sql, (error) => {
      connection.removeListener('errorMessage', keep);
      // What ends a request and is no message of the server's (a time-out, a lost connection) is an error all the same.
      if (error && errors.length === 0) errors.push({ number: 0, message: error.message });
      resolve({ rows, errors });
    });
    request.on('row', (cells: { readonly metadata: { readonly colName: string }; readonly value: Cell }[]) =>
      rows.push(Object.fromEntries(cells.map(({ metadata, value }) => [metadata.colName, value]))),
    );
    connection.execSqlBatch(request);
  });
}
