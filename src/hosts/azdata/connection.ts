/** One server asked through Azure Data Studio: a new connection of SQL Tools Service for each query (docs/facts.md, Hosts 3). */
import type { OwnSessionText, ReadText } from '../../core/script/text';
import { readCellLimits, readResultSet } from './cells';
import { explainCancel, explainDisconnect, explainGone, explainQueryError, explainTimeout } from './errors';
import type { AzdataLogin } from './login';
import { LOOK_AFTER_MS, type Reach } from '../sql-tools-service';
import { waitFor } from '../waiting';
import { findQueryProvider, type AzdataWorld } from './world';
import type { Connection, ConnectionCapabilities, HostServer, QueryOptions, ResultSet } from '../host';

/** What queries are sent by. */
export interface AzdataWay {
  readonly world: AzdataWorld;
  readonly login: AzdataLogin;
  readonly reach: Reach;
  /** The host's id of the connection in use. */
  readonly id: string;
}

export class AzdataConnection implements Connection {
  readonly capabilities: ConnectionCapabilities = {
    streaming: false,
    cancel: false,
    multipleResultSets: false,
    parameters: false,
    session: false,
    errors: false,
  };
  private isClosed = false;
  /** The server was gone at the last query: before the next one it is looked whether it is back, because each that is sent keeps the service busy for 15 s. */
  private wasGone = false;

  constructor(
    private readonly way: AzdataWay,
    private readonly server: HostServer,
  ) {}

  /** Gives the first result set: the service hands over no other. The time-out and an aborted signal end the waiting, not the query. */
  async query(text: ReadText | OwnSessionText, { timeoutMs, signal }: QueryOptions): Promise<readonly ResultSet[]> {
    const { server } = this;
    if (this.isClosed) throw explainDisconnect(server);
    if (signal?.aborted) throw explainCancel(server);
    if (this.wasGone && (await this.isGone())) throw explainGone(server);
    return waitFor(this.ask(text), {
      timeoutMs,
      signal,
      onTimeout: () => explainTimeout(server, timeoutMs),
      onAbort: () => explainCancel(server),
      look: { afterMs: this.way.world.lookAfterMs ?? LOOK_AFTER_MS, isOver: () => this.isGone(), onOver: () => explainGone(server) },
    });
  }

  private async isGone(): Promise<boolean> {
    this.wasGone = await this.way.reach.isGone(this.server.server);
    return this.wasGone;
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
