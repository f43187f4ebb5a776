import type { QueryProvider, SimpleExecuteResult } from 'azdata';
import { createEditorRuns } from './editor-runs';
import { keeping, never } from './handlers';
import type { Sessions } from './sessions';
import { simpleExecute } from './simple-execute';

/** Queries of extensions as SQL Tools Service answers them, and those of query editors. Edit sessions, plans and saved results are not there. */
export function createQueryProvider(sessions: Sessions): QueryProvider {
  const runs = createEditorRuns(sessions);
  const offered: Partial<QueryProvider> = {
    providerId: 'MSSQL',
    runQueryAndReturn: async (uri, sql) => (await simpleExecute(sessions.get(uri), sql)) as SimpleExecuteResult,
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
