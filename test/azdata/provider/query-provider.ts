import type { QueryProvider, SimpleExecuteResult } from 'azdata';
import { splitBatches } from './batches';
import { toCell, toColumn } from './cells';
import { createEditorRuns } from './editor-runs';
import { keeping, never } from './handlers';
import { withLogin } from './login';
import type { Sessions } from './sessions';

/** SQL Tools Service says this of every query without a result set and hides what the server said. */
const noResults = 'Query has no results to return';

/** Queries of extensions as SQL Tools Service answers them, and those of query editors. Edit sessions, plans and saved results are not there. */
export function createQueryProvider(sessions: Sessions): QueryProvider {
  const runs = createEditorRuns(sessions);
  const offered: Partial<QueryProvider> = {
    providerId: 'MSSQL',
    runQueryAndReturn: (uri, sql) => runAndReturn(sessions, uri, sql),
    runQuery: (uri, selection) => runs.run(uri, selection),
    cancelQuery: async () => ({ messages: '' }),
    parseSyntax: async () => ({ parseable: true, errors: [] }),
    getQueryRows: (wanted) => runs.readRows(wanted),
    disposeQuery: async (uri) => runs.forget(uri),
    setQueryExecutionOptions: async () => undefined,
    registerOnQueryComplete: keeping((handler) => (runs.events.queryComplete = handler)),
    registerOnBatchStart: keeping((handler) => (runs.events.batchStart = handler)),
    registerOnBatchComplete: keeping((handler) => (runs.events.batchComplete = handler)),
    registerOnResultSetAvailable: keeping((handler) => (runs.events.resultSetAvailable = handler)),
    registerOnResultSetUpdated: never,
    registerOnMessage: keeping((handler) => (runs.events.message = handler)),
    registerOnEditSessionReady: never,
  };
  return offered as QueryProvider;
}

/** A login for each call, all rows at once, only the first result set of the first batch, no time limit and no way to stop it. */
async function runAndReturn(sessions: Sessions, uri: string, sql: string): Promise<SimpleExecuteResult> {
  const [first = ''] = splitBatches(sql);
  const { sets } = await withLogin(sessions.get(uri), (run) => run(first));
  const [set] = sets;
  if (set === undefined) throw new Error(noResults);
  return {
    rowCount: set.rows.length,
    columnInfo: set.columns.map(toColumn),
    rows: set.rows.map((row) => row.map((value, column) => toCell(value, set.columns[column]!))),
  };
}
