/** `query/simpleexecute` of SQL Tools Service of 2020 (docs/facts.md, Hosts 3). */
import type { ConnectionInfo, DbCellValue, IDbColumn } from 'azdata';
import { type Display, toCell, toColumn } from './cells';
import { type BatchResult, type ResultSet, withLogin } from './login';

export interface Service {
  readonly display?: Display;
  /** What the user's settings run at the beginning of each session, ours too. */
  readonly userSettings?: string;
}

export interface SimpleExecuteResult {
  readonly rowCount: number;
  readonly columnInfo: readonly IDbColumn[];
  readonly rows: readonly (readonly DbCellValue[])[];
}

/** A failure as the client of the service hands it on. */
export class ResponseError extends Error {
  readonly code = 0;
  readonly data: unknown = undefined;
}

/** Where it could not log in for the query, it goes on with a connection that it does not have. */
export const NOT_CONNECTED = 'This editor is not connected to a database\nParameter name: OwnerUri';

/** What services of 2020 answer with where there are no rows, whatever SQL Server said. */
export const NO_RESULTS = 'Query has no results to return';

/**
 * Sessions of its own for each call, and of the answer the first result set of the first batch.
 * @throws ResponseError
 */
export function simpleExecute(
  info: ConnectionInfo,
  text: string,
  service: Service = {},
): Promise<SimpleExecuteResult> {
  const { userSettings, display } = service;
  const use = async (run: (sql: string) => Promise<BatchResult>): Promise<SimpleExecuteResult> => {
    if (userSettings !== undefined) await run(userSettings);
    const [first = ''] = splitBatches(text);
    const [set] = (await run(first)).sets;
    if (set === undefined) throw new ResponseError(NO_RESULTS);
    return showSet(set, display);
  };
  return withQueryLogin(info, use);
}

/**
 * Two logins: one for the connection that the service makes for a query, one that it runs the query on.
 * @throws ResponseError where it cannot log in
 */
export async function withQueryLogin<T>(
  info: ConnectionInfo,
  use: (run: (sql: string) => Promise<BatchResult>) => Promise<T>,
): Promise<T> {
  let isLoggedIn = false;
  const query = (): Promise<T> =>
    withLogin(info, (run) => {
      isLoggedIn = true;
      return use(run);
    });
  try {
    return await withLogin(info, query);
  } catch (error) {
    if (isLoggedIn) throw error;
    throw new ResponseError(NOT_CONNECTED);
  }
}

export function showSet({ columns, rows }: ResultSet, display?: Display): SimpleExecuteResult {
  return {
    rowCount: rows.length,
    columnInfo: columns.map(toColumn),
    rows: rows.map((row, rowId) =>
      row.map((value, column) => ({ ...toCell(value, columns[column]!, display), rowId })),
    ),
  };
}

/** The batches between the lines that say GO. */
function splitBatches(sql: string): readonly string[] {
  return sql.split(/^[ \t]*GO[ \t]*;?[ \t]*$/im).filter((batch) => batch.trim() !== '');
}
