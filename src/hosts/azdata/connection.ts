/** One server asked through Azure Data Studio: a new connection of SQL Tools Service for each query (docs/facts.md, Hosts 3). */
import type { OwnSessionText, ReadText } from '../../core/script/text';
import { readCellLimits, readResultSet } from './cells';
import { explainCancel, explainDisconnect, explainQueryError, explainTimeout } from './errors';
import type { AzdataLogin } from './login';
import { waitFor } from '../waiting';
import { findQueryProvider, type AzdataWorld } from './world';
import type { Connection, ConnectionCapabilities, HostServer, QueryOptions, ResultSet } from '../host';

export class AzdataConnection implements Connection {
  readonly capabilities: ConnectionCapabilities = {
    streaming: false,
    cancel: false,
    multipleResultSets: false,
    session: false,
    errors: false,
  };
  private isClosed = false;

  constructor(
    private readonly world: AzdataWorld,
    private readonly login: AzdataLogin,
    private readonly server: HostServer,
    /** The host's id of the connection in use. */
    private readonly id: string,
  ) {}

  /** Gives the first result set: the service hands over no other. The time-out and an aborted signal end the waiting, not the query. */
  async query(text: ReadText | OwnSessionText, { timeoutMs, signal }: QueryOptions): Promise<readonly ResultSet[]> {
    const { server } = this;
    if (this.isClosed) throw explainDisconnect(server);
    if (signal?.aborted) throw explainCancel(server);
    const onTimeout = (): Error => explainTimeout(server, timeoutMs);
    return waitFor(this.ask(text), { timeoutMs, signal, onTimeout, onAbort: () => explainCancel(server) });
  }

  /** The user's connection stays as it is: others may use it too. */
  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  private async ask(text: string): Promise<readonly ResultSet[]> {
    try {
      const uri = await this.login.findUri(this.server, this.id);
      const provider = findQueryProvider(this.world);
      if (uri === null || provider === undefined) throw explainDisconnect(this.server);
      const limits = readCellLimits(this.world.vscode.workspace.getConfiguration('mssql.query'));
      return [readResultSet(await provider.runQueryAndReturn(uri, text), this.server, limits)];
    } catch (error) {
      const uri = await this.login.findUri(this.server, this.id).catch(() => null);
      const failure = uri === null ? explainDisconnect(this.server) : explainQueryError(this.server, error);
      // It stays in the host's list of connections in use, and its next query would be refused too.
      if (failure.reason === 'disconnected' || failure.reason === 'loginFailed') this.login.doubt(this.id);
      throw failure;
    }
  }
}
