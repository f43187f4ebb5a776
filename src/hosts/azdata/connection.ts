/**
 * One server asked through Azure Data Studio. SQL Tools Service opens a new connection for each query (docs/facts.md,
 * Hosts 3).
 */
import type { OwnSessionText, ReadText } from '../../core/script/text';
import {
  explainCancel,
  explainDisconnect,
  explainGone,
  explainQueryError,
  explainTimeout,
  explainCutCell,
  explainNoResult,
  explainPartialResult,
} from './errors';
import type { AzdataLogin } from './login';
import { LOOK_AFTER_MS, type Reach, readCellLimit, SERVICE_CAPABILITIES } from '../sql-tools-service';
import { waitFor } from '../waiting';
import { findQueryProvider, type AzdataWorld } from './world';
import type { Connection, HostServer, QueryOptions, ResultSet, Cell } from '../host';
import type * as azdata from 'azdata';

/** What is needed to send queries. */
export interface AzdataWay {
  readonly world: AzdataWorld;
  readonly login: AzdataLogin;
  readonly reach: Reach;
  /** The host's id of the connection in use. */
  readonly id: string;
}

export class AzdataConnection implements Connection {
  readonly capabilities = SERVICE_CAPABILITIES;
  private isClosed = false;
  /**
   * The server was gone at the last query. Before the next one we check whether it is back, because each query to it
   * keeps the service busy for 15 s.
   */
  private isMissed = false;

  constructor(
    private readonly way: AzdataWay,
    private readonly server: HostServer,
  ) {}

  /**
   * Gives the first result set, because the service returns no other. The time-out and an aborted signal end the
   * waiting, not the query.
   */
  async query(
    text: ReadText | OwnSessionText,
    { timeoutMs, signal }: QueryOptions,
  ): Promise<readonly ResultSet[]> {
    const { server } = this;
    if (this.isClosed) throw explainDisconnect(server);
    if (signal?.aborted) throw explainCancel(server);
    if (this.isMissed && !(await this.way.reach.isThere(server.server))) throw explainGone(server);
    this.isMissed = false;
    return waitFor(this.ask(text), {
      timeoutMs,
      signal,
      onTimeout: () => explainTimeout(server, timeoutMs),
      onAbort: () => explainCancel(server),
      look: {
        afterMs: this.way.world.lookAfterMs ?? LOOK_AFTER_MS,
        isOver: () => this.isGone(),
        onOver: () => explainGone(server),
      },
    });
  }

  private async isGone(): Promise<boolean> {
    const isGone = await this.way.reach.isGone(this.server.server);
    if (isGone) this.isMissed = true;
    return isGone;
  }

  /** Leaves the user's connection open, because others may use it too. */
  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  private async ask(text: string): Promise<readonly ResultSet[]> {
    const { world, login, id } = this.way;
    try {
      const uri = await login.findUri(this.server, id);
      const provider = findQueryProvider(world);
      if (uri === null || provider === undefined) throw explainDisconnect(this.server);
      const limit = readCellLimit(
        world.vscode.workspace.getConfiguration('mssql.query').get('maxCharsToStore'),
      );
      return [readResultSet(await provider.runQueryAndReturn(uri, text), this.server, limit)];
    } catch (error) {
      const uri = await login.findUri(this.server, id).catch(() => null);
      const failure = uri === null ? explainDisconnect(this.server) : explainQueryError(this.server, error);
      // If only the server is gone, the connection can stay: each query logs in again.
      if (uri !== null && failure.reason === 'disconnected' && (await this.isGone()))
        throw explainGone(this.server);
      // It stays in the host's list of connections in use, but its next query would be refused too.
      if (failure.reason === 'disconnected' || failure.reason === 'loginFailed') login.doubt(id);
      throw failure;
    }
  }
}

/** @throws ConnectionError if nothing came back, or less than the whole answer */
function readResultSet(
  result: Partial<azdata.SimpleExecuteResult> | undefined,
  server: HostServer,
  limit: number,
): ResultSet {
  const { columnInfo, rows = [], rowCount = rows.length } = result ?? {};
  if (!Array.isArray(columnInfo) || columnInfo.length === 0 || !Array.isArray(rows))
    throw explainNoResult(server);
  if (rowCount !== rows.length || rows.some((row) => row.length !== columnInfo.length))
    throw explainPartialResult(server);
  const read = (cell: Partial<azdata.DbCellValue> | undefined, { columnName }: azdata.IDbColumn): Cell => {
    const text = readCell(cell);
    if (text !== null && text.length >= limit) throw explainCutCell(server, columnName);
    return text;
  };
  return {
    columns: columnInfo.map(({ columnName }) => columnName),
    rows: rows.map((row) => columnInfo.map((column, index) => read(row[index], column))),
  };
}

/**
 * Numbers come in the culture of the service. If that differs from the invariant culture, the service gives the
 * invariant text too.
 */
function readCell(cell: Partial<azdata.DbCellValue> | undefined): Cell {
  if (cell === undefined || cell.isNull === true) return null;
  return cell.invariantCultureDisplayValue ? cell.invariantCultureDisplayValue : (cell.displayValue ?? null);
}
