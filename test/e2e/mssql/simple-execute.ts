/** `query/simpleexecute` of SQL Tools Service: a session of its own for each call, and of its answer the first result set of the first batch. */
import { type Connection, Request } from 'tedious';
import { logIn, type LoginDetails } from './login';
import { showCell, type DisplaySettings } from './display-text';

/** The user's settings that reach every query, ours too (docs/facts.md, Hosts 3). */
export interface QuerySettings extends DisplaySettings {
  readonly rowCount: number;
  readonly implicitTransactions: boolean;
  readonly transactionIsolationLevel: string;
}

export interface SimpleExecuteResult {
  readonly rowCount: number;
  readonly columnInfo: readonly { columnName: string; dataType: string }[];
  readonly rows: readonly (readonly { displayValue: string; isNull: boolean }[])[];
}

/** Where it could not log in for the query, it goes on with a connection that it does not have. */
const NOT_CONNECTED = 'This editor is not connected to a database\nParameter name: OwnerUri';

/** What older services answer with, whatever SQL Server said. */
const NO_RESULTS = 'Query has no results to return';

export async function simpleExecute(login: LoginDetails, text: string, settings: QuerySettings): Promise<SimpleExecuteResult> {
  const connection = await logIn(login).catch(() => {
    throw new Error(NOT_CONNECTED);
  });
  try {
    await runBatch(connection, writeSettings(settings), settings);
    const [first = ''] = text.split(/^[ \t]*GO[ \t]*\r?$/im);
    const found = await runBatch(connection, first, settings);
    if (found === null) throw new Error(NO_RESULTS);
    return found;
  } finally {
    connection.close();
  }
}

function writeSettings({ rowCount, implicitTransactions, transactionIsolationLevel }: QuerySettings): string {
  return [
    'SET LOCK_TIMEOUT -1;',
    `SET ROWCOUNT ${rowCount};`,
    `SET TRANSACTION ISOLATION LEVEL ${transactionIsolationLevel};`,
    `SET IMPLICIT_TRANSACTIONS ${implicitTransactions ? 'ON' : 'OFF'};`,
  ].join(' ');
}

/** The first result set; null where there is none. An error of SQL Server ends the batch, and nobody is told which it was. */
function runBatch(connection: Connection, text: string, settings: DisplaySettings): Promise<SimpleExecuteResult | null> {
  return new Promise((resolve) => {
    let columnInfo: { columnName: string; dataType: string }[] | null = null;
    const rows: { displayValue: string; isNull: boolean }[][] = [];
    let sets = 0;
    const request = new Request(text, () => resolve(columnInfo && { rowCount: rows.length, columnInfo, rows }));
    request.on('columnMetadata', (columns) => {
      sets += 1;
      if (sets > 1 || !Array.isArray(columns)) return;
      columnInfo = columns.map(({ colName, type }) => ({ columnName: colName, dataType: type.name.toLowerCase() }));
    });
    request.on('row', (cells: readonly { value: unknown; metadata: { type: { name: string } } }[]) => {
      if (sets === 1) rows.push(cells.map(({ value, metadata }) => showCell(value, metadata.type.name, settings)));
    });
    connection.execSqlBatch(request);
  });
}
