/** One server asked through Azure Data Studio: a new connection of SQL Tools Service for each query (docs/facts.md, Hosts 3). */
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
import { LOOK_AFTER_MS, type Reach, SERVICE_CAPABILITIES } from '../sql-tools-service';
import { waitFor } from '../waiting';
import { findQueryProvider, type AzdataWorld } from './world';
import type { Connection, HostServer, QueryOptions, ResultSet, Cell } from '../host';
import type * as azdata from 'azdata';

/** What queries are sent by. */
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
  /** The server was gone at the last query: before the next one it is looked whether it is back, because each that is sent keeps the service busy for 15 s. */
  private isMissed = false;

  constructor(
    private readonly way: AzdataWay,
    private readonly server: HostServer,
  ) {}

  /** Gives the first result set: the service hands over no other. The time-out and an aborted signal end the waiting, not the query. */
  async query(text: ReadText | OwnSessionText, { timeoutMs, signal }: QueryOptions): Promise<readonly ResultSet[]> {
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
      look: { afterMs: this.way.world.lookAfterMs ?? LOOK_AFTER_MS, isOver: () => this.isGone(), onOver: () => explainGone(server) },
    });
  }

  private async isGone(): Promise<boolean> {
    const isGone = await this.way.reach.isGone(this.server.server);
    if (isGone) this.isMissed = true;
    return isGone;
  }

  /** The user's connection stays as it is: others may use it too. */
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
      const limits = readCellLimits(world.vscode.workspace.getConfiguration('mssql.query'));
      return [readResultSet(await provider.runQueryAndReturn(uri, text), this.server, limits)];
    } catch (error) {
      const uri = await login.findUri(this.server, id).catch(() => null);
      const failure = uri === null ? explainDisconnect(this.server) : explainQueryError(this.server, error);
      // Of a server that is gone the connection is good as it is: each query logs in again.
      if (uri !== null && failure.reason === 'disconnected' && (await this.isGone())) throw explainGone(this.server);
      // It stays in the host's list of connections in use, and its next query would be refused too.
      if (failure.reason === 'disconnected' || failure.reason === 'loginFailed') login.doubt(id);
      throw failure;
    }
  }
}

/** Characters at which SQL Tools Service cuts a cell, and one that is typed as xml. */
interface CellLimits {
  readonly text: number;
  readonly xml: number;
}

const DEFAULTS: CellLimits = { text: 65_535, xml: 2 * 1024 * 1024 };

/** @param settings `mssql.query` as the user has it, so anything; a larger number than the default is not trusted */
function readCellLimits(settings: { get(name: string): unknown }): CellLimits {
  const limit = (name: string, most: number): number => {
    const value = settings.get(name);
    return typeof value === 'number' && value > 0 ? Math.min(value, most) : most;
  };
  return { text: limit('maxCharsToStore', DEFAULTS.text), xml: limit('maxXmlCharsToStore', DEFAULTS.xml) };
}

/** @throws ConnectionError where nothing came back, or less than there was */
function readResultSet(result: Partial<azdata.SimpleExecuteResult> | undefined, server: HostServer, limits: CellLimits): ResultSet {
  const { columnInfo, rows = [], rowCount = rows.length } = result ?? {};
  if (!Array.isArray(columnInfo) || columnInfo.length === 0 || !Array.isArray(rows)) throw explainNoResult(server);
  if (rowCount !== rows.length || rows.some((row) => row.length !== columnInfo.length)) throw explainPartialResult(server);
  const read = (cell: Partial<azdata.DbCellValue> | undefined, { columnName, dataTypeName }: azdata.IDbColumn): Cell => {
    const text = readCell(cell);
    if (text !== null && text.length >= (dataTypeName === 'xml' ? limits.xml : limits.text)) throw explainCutCell(server, columnName);
    return text;
  };
  return {
    columns: columnInfo.map(({ columnName }) => columnName),
    rows: rows.map((row) => columnInfo.map((column, index) => read(row[index], column))),
  };
}

/** Numbers come in the culture of the service; where that differs from the invariant one, the latter is given too. */
function readCell(cell: Partial<azdata.DbCellValue> | undefined): Cell {
  if (cell === undefined || cell.isNull === true) return null;
  return cell.invariantCultureDisplayValue ? cell.invariantCultureDisplayValue : (cell.displayValue ?? null);
}
