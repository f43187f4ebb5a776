/**
 * One connection that the SQL Server extension (mssql) opened for us. SQL Tools Service runs each query in a session of
 * its own.
 */
import type { OwnSessionText, ReadText } from '../../core/script/text';
import { ConnectionError, type Connection, type QueryOptions, type ResultSet, type Cell } from '../host';
import {
  explainCancel,
  explainDisconnect,
  explainObstacle,
  explainQueryFailure,
  explainTimeout,
  explainUnreachable,
  readSharingCode,
  explainStrangeAnswer,
} from './errors';
import { LOOK_AFTER_MS, type Reach, readCellLimit, SERVICE_CAPABILITIES } from '../sql-tools-service';
import { findSharing, type SharedConnections } from './sharing';
import { waitFor } from '../waiting';
import type { MssqlWorld } from './world';
import { read } from './foreign';
import { t } from '../../core/language';

/** mssql knows from memory whether a connection is alive, so we wait no longer than this for its answer. */
export const LOOK_TIMEOUT_MS = 5_000;

interface OpenedConnection {
  readonly world: MssqlWorld;
  readonly reach: Reach;
  readonly sharing: SharedConnections;
  readonly uri: string;
  /** The server's name in messages. */
  readonly server: string;
}

export class MssqlConnection implements Connection {
  readonly capabilities = SERVICE_CAPABILITIES;
  /** Why no query can be sent any more: it was closed, or SQL Tools Service has ended. */
  private end: ConnectionError | null = null;
  /**
   * The server was gone or silent at the last query. We check whether it is back before the next one, which could keep
   * the service busy for 15 s.
   */
  private isMissed = false;
  constructor(private readonly opened: OpenedConnection) {}

  async query(text: ReadText | OwnSessionText, options: QueryOptions): Promise<readonly ResultSet[]> {
    const { signal } = options;
    if (this.end) throw this.end;
    if (signal?.aborted === true) throw explainCancel(this.opened.server);
    if (this.isMissed && !(await this.opened.reach.isThere(this.opened.server)))
      throw explainUnreachable(this.opened.server);
    this.isMissed = false;
    try {
      return [
        readAnswer(
          await this.send(text, options),
          this.opened.server,
          readCellLimit(this.opened.world.readCellLimit()),
        ),
      ];
    } catch (error) {
      if (error instanceof ConnectionError && error.reason === 'timedOut') this.isMissed = true;
      const failure = await this.explain(error);
      if (failure.reason === 'hostGone') this.end = failure;
      throw failure;
    }
  }

  private send(text: ReadText | OwnSessionText, { signal, timeoutMs }: QueryOptions): Promise<unknown> {
    return waitFor(this.opened.sharing.executeSimpleQuery(this.opened.uri, text), {
      signal,
      timeoutMs,
      schedule: this.opened.world.schedule,
      onAbort: () => explainCancel(this.opened.server),
      onTimeout: () => explainTimeout(timeoutMs, this.opened.server),
      look: {
        afterMs: LOOK_AFTER_MS,
        isOver: () => this.isGone(),
        onOver: () => explainUnreachable(this.opened.server),
      },
    });
  }

  private async isGone(): Promise<boolean> {
    const isGone = await this.opened.reach.isGone(this.opened.server);
    if (isGone) this.isMissed = true;
    return isGone;
  }

  /**
   * Closes the connection that was opened for us. The user's own connections stay open. mssql does not catch what its
   * service, once it has ended, answers to `disconnect` (connectionSharingService.ts, v1.45).
   */
  async close(): Promise<void> {
    if (this.end) return;
    this.end = explainDisconnect(this.opened.server);
    await this.opened.sharing.disconnect(this.opened.uri).catch(() => undefined);
  }

  /**
   * If the connection is still open, the failure is the server's own; otherwise the connection or mssql is gone. If
   * only the server is gone, the connection can stay, because each query logs in again.
   */
  private async explain(error: unknown): Promise<ConnectionError> {
    if (error instanceof ConnectionError && error.reason !== 'disconnected') return error;
    const code = readSharingCode(error);
    if (code === 'NO_ACTIVE_CONNECTION' || code === 'INVALID_CONNECTION_URI')
      return explainDisconnect(this.opened.server);
    const failure = error instanceof ConnectionError ? error : explainQueryFailure(error, this.opened.server);
    if (failure.reason === 'unreachable') return failure;
    if (failure.reason === 'disconnected')
      return (await this.isGone()) ? explainUnreachable(this.opened.server) : failure;
    const sharing = await findSharing(this.opened.world);
    if (typeof sharing === 'string') return new ConnectionError('disconnected', explainObstacle(sharing));
    const isConnected = await waitFor(sharing.isConnected(this.opened.uri), {
      timeoutMs: LOOK_TIMEOUT_MS,
      schedule: this.opened.world.schedule,
      onAbort: () => explainDisconnect(this.opened.server),
      onTimeout: () => explainDisconnect(this.opened.server),
    }).catch(() => false);
    return isConnected === true ? failure : explainDisconnect(this.opened.server);
  }
}

/**
 * SQL Tools Service shows every cell as text (docs/facts.md, Hosts 3).
 * Reads `{rowCount, columnInfo, rows, messages?}` (SimpleExecuteResult in typings/vscode-mssql.d.ts, v1.34.1 to v1.45).
 * @throws ConnectionError `queryFailed` if the answer is anything else, or if a cell was cut
 */
function readAnswer(answer: unknown, server: string, limit: number): ResultSet {
  const fail = (what: string): ConnectionError => explainStrangeAnswer(what, server);
  const columns = readColumns(answer);
  const rows = read(answer, 'rows');
  if (columns === null || columns.length === 0) {
    const message = readErrorMessage(answer);
    throw message === null ? fail(t('no columns')) : explainQueryFailure({ message }, server);
  }
  if (!Array.isArray(rows)) throw fail(t('no rows'));
  const rowCount = read(answer, 'rowCount');
  if (typeof rowCount === 'number' && rowCount !== rows.length)
    throw fail(t('{0} of {1} rows', rows.length, rowCount));
  return { columns, rows: rows.map((row: unknown, index) => readRow(row, { columns, index, limit, fail })) };
}

function readColumns(answer: unknown): readonly string[] | null {
  const infos = read(answer, 'columnInfo');
  if (!Array.isArray(infos)) return null;
  return infos.map((info: unknown) => {
    const name = read(info, 'columnName');
    return typeof name === 'string' ? name : '';
  });
}

/** Newer services also send the server's messages. If there are no rows, the error is among them. */
function readErrorMessage(answer: unknown): string | null {
  const messages = read(answer, 'messages');
  if (!Array.isArray(messages)) return null;
  const error: unknown = messages.find((message: unknown) => read(message, 'isError') === true);
  const text = read(error, 'message');
  return typeof text === 'string' ? text : null;
}

interface RowContext {
  readonly columns: readonly string[];
  readonly index: number;
  readonly limit: number;
  readonly fail: (what: string) => ConnectionError;
}

function readRow(row: unknown, context: RowContext): readonly Cell[] {
  const { columns, index, fail } = context;
  if (!Array.isArray(row)) throw fail(t('row {0} is not a row', index + 1));
  if (row.length !== columns.length)
    throw fail(t('{0} of {1} cells in row {2}', row.length, columns.length, index + 1));
  return row.map((cell: unknown, column) => readCell(cell, columns[column] || column + 1, context));
}

/** @param column its name, or its number if it has none */
function readCell(cell: unknown, column: string | number, { index, limit, fail }: RowContext): Cell {
  const row = index + 1;
  if (read(cell, 'isNull') === true) return null;
  const text = read(cell, 'displayValue');
  if (typeof text !== 'string') throw fail(t('no text in column {0} of row {1}', column, row));
  if (text.length >= limit)
    throw fail(
      t(
        'the text in column {0} of row {1} was cut at {2} characters (setting mssql.query.maxCharsToStore)',
        column,
        row,
        limit,
      ),
    );
  return text;
}
