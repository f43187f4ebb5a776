/** Logins of the live tests, past the product, and names and texts in their T-SQL: past the product's own quoting, which is under test. */
import { logIn } from '../azdata/provider/login';
import type { LoginAddress } from '../e2e/query-window';

type Cell = string | number | Date | boolean | Uint8Array | null;
export type Row = Readonly<Record<string, Cell>>;

/** What one batch gave: the rows of all its result sets, and what went wrong. */
export interface Answer {
  readonly rows: readonly Row[];
  readonly errors: readonly { readonly number: number; readonly message: string }[];
}

export interface LiveLogin {
  /** Runs a batch; errors are part of the answer. */
  attempt(sql: string): Promise<Answer>;
  /** @throws Error with the first error's number, text and the batch */
  rows(sql: string): Promise<readonly Row[]>;
  /** The first cell of the first row, as a number. */
  number(sql: string): Promise<number>;
  close(): void;
}

/** @throws tedious' own error where the server cannot be reached or refuses the login */
export async function openLogin({ host, port, user, password }: LoginAddress): Promise<LiveLogin> {
  const login = await logIn({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, encrypt: true, trustServerCertificate: true, requestTimeout: 600_000, useUTC: true },
  });
  const attempt = async (sql: string): Promise<Answer> => {
    const { sets, messages, failure } = await login.run(sql);
    const errors = messages.filter(({ isError }) => isError).map(({ number, text }) => ({ number, message: text }));
    const rows = sets.flatMap(({ columns, rows: cells }) =>
      cells.map((row) => Object.fromEntries(columns.map(({ colName }, at) => [colName, row[at] as Cell]))),
    );
    // What ends a request and is no message of the server's is an error all the same.
    return { rows, errors: errors.length === 0 && failure !== null ? [{ number: 0, message: failure }] : errors };
  };
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
    close: () => void login.close(),
  };
}

export const quoteName = (name: string): string => `[${name.replace(/]/g, ']]')}]`;
export const quoteText = (text: string): string => `N'${text.replace(/'/g, "''")}'`;
