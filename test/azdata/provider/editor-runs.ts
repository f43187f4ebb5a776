import type {
  BatchSummary,
  ISelectionData,
  QueryExecuteBatchNotificationParams,
  QueryExecuteCompleteNotificationResult,
  QueryExecuteMessageParams,
  QueryExecuteResultSetNotificationParams,
  QueryExecuteSubsetParams,
  QueryExecuteSubsetResult,
} from 'azdata';
import { workspace } from 'vscode';
import { toCell, toColumn } from './cells';
import { type BatchResult, type ResultSet, withLogin } from './login';
import type { Sessions } from './sessions';
import { splitBatches } from './simple-execute';

interface Events {
  queryComplete: (result: QueryExecuteCompleteNotificationResult) => unknown;
  batchStart: (batch: QueryExecuteBatchNotificationParams) => unknown;
  batchComplete: (batch: QueryExecuteBatchNotificationParams) => unknown;
  resultSetAvailable: (set: QueryExecuteResultSetNotificationParams) => unknown;
  message: (message: QueryExecuteMessageParams) => unknown;
}

/** What a person runs in a query editor: batch after batch on one login, with messages and grids as events. */
interface EditorRuns {
  readonly events: Events;
  /** Runs the whole document. */
  run(uri: string, selection: ISelectionData): Promise<void>;
  readRows(wanted: QueryExecuteSubsetParams): Promise<QueryExecuteSubsetResult>;
  forget(uri: string): void;
}

/** Remembers the result sets of each document's latest run. */
export function createEditorRuns(sessions: Sessions): EditorRuns {
  const results = new Map<string, (readonly ResultSet[])[]>();
  const none = (): undefined => undefined;
  const events: Events = { queryComplete: none, batchStart: none, batchComplete: none, resultSetAvailable: none, message: none };

  async function runAll(uri: string, sql: string, selection: ISelectionData): Promise<void> {
    const done: BatchSummary[] = [];
    const sets: (readonly ResultSet[])[] = [];
    results.set(uri, sets);
    await withLogin(sessions.get(uri), async (run) => {
      for (const [id, batch] of splitBatches(sql).entries()) {
        const begun = { id, selection, hasError: false, executionStart: new Date().toISOString(), executionEnd: '', executionElapsed: '' };
        events.batchStart({ ownerUri: uri, batchSummary: { ...begun, resultSetSummaries: null } });
        const result = await run(batch);
        sets.push(result.sets);
        done.push({ ...begun, hasError: result.hasError, executionEnd: new Date().toISOString(), resultSetSummaries: [] });
        tell(uri, id, result);
        events.batchComplete({ ownerUri: uri, batchSummary: done.at(-1)! });
      }
    });
    events.queryComplete({ ownerUri: uri, batchSummaries: done });
  }

  function tell(ownerUri: string, batchId: number, { sets, messages }: BatchResult): void {
    for (const [id, set] of sets.entries()) {
      const summary = { id, batchId, rowCount: set.rows.length, complete: true, columnInfo: set.columns.map(toColumn) };
      events.resultSetAvailable({ ownerUri, resultSetSummary: summary });
    }
    for (const { text, isError } of messages)
      events.message({ ownerUri, message: { batchId, isError, message: text, time: new Date().toISOString() } });
  }

  return {
    events,
    run: async (uri, selection) => {
      const document = workspace.textDocuments.find((open) => open.uri.toString() === uri || open.uri.toString(true) === uri);
      if (document === undefined) throw new Error(`no open document ${uri}`);
      void runAll(uri, document.getText(), selection);
    },
    readRows: async ({ ownerUri, batchIndex, resultSetIndex, rowsStartIndex, rowsCount }) => {
      const set = results.get(ownerUri)?.[batchIndex]?.[resultSetIndex];
      const rows = (set?.rows ?? []).slice(rowsStartIndex, rowsStartIndex + rowsCount);
      const shown = rows.map((row) => row.map((value, column) => toCell(value, set!.columns[column]!)));
      return { message: '', resultSubset: { rowCount: shown.length, rows: shown } };
    },
    forget: (uri) => void results.delete(uri),
  };
}
