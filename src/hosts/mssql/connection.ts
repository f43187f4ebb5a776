/** One connection that the SQL Server extension (mssql) opened for us. Each query runs in a session of its own, which SQL Tools Service opens for it. */
import type { OwnSessionText, ReadText } from '../../core/script/text';
import { ConnectionError, type Connection, type ConnectionCapabilities, type QueryOptions, type ResultSet } from '../host';
import { readAnswer } from './answer';
import { explainCancel, explainDisconnect, explainObstacle, explainQueryFailure, explainTimeout, readSharingCode } from './errors';
import { findSharing, type SharedConnections } from './sharing';
import { waitFor } from '../waiting';
import type { MssqlWorld } from './world';

/** Asking whether a connection lives is answered from memory; longer than this it is not waited for. */
const LOOK_TIMEOUT_MS = 5_000;

export class MssqlConnection implements Connection {
  readonly capabilities: ConnectionCapabilities = {
    streaming: false,
    cancel: false,
    multipleResultSets: false,
    session: false,
    errors: false,
  };
  private isClosed = false;

  /** @param server as it is named in messages */
  constructor(
    private readonly world: MssqlWorld,
    private readonly sharing: SharedConnections,
    private readonly uri: string,
    private readonly server: string,
  ) {}

  async query(text: ReadText | OwnSessionText, { signal, timeoutMs }: QueryOptions): Promise<readonly ResultSet[]> {
    if (this.isClosed) throw explainDisconnect(this.server);
    if (signal?.aborted === true) throw explainCancel(this.server);
    let answer: unknown;
    try {
      answer = await waitFor(this.sharing.executeSimpleQuery(this.uri, text), {
        signal,
        timeoutMs,
        schedule: this.world.schedule,
        onAbort: () => explainCancel(this.server),
        onTimeout: () => explainTimeout(timeoutMs, this.server),
      });
    } catch (error) {
      throw error instanceof ConnectionError ? error : await this.explain(error);
    }
    return [readAnswer(answer, this.server, this.world.readCellLimit())];
  }

  /** Closes the connection that was opened for us; the user's own are others. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.sharing.disconnect(this.uri).catch(() => undefined);
  }

  /** A failure is the server's own where the connection still stands; otherwise it went with the connection, or with mssql. */
  private async explain(error: unknown): Promise<ConnectionError> {
    const code = readSharingCode(error);
    if (code === 'NO_ACTIVE_CONNECTION' || code === 'INVALID_CONNECTION_URI') return explainDisconnect(this.server);
    const sharing = await findSharing(this.world);
    if (typeof sharing === 'string') return new ConnectionError('disconnected', explainObstacle(sharing));
    const isConnected = await waitFor(sharing.isConnected(this.uri), {
      timeoutMs: LOOK_TIMEOUT_MS,
      schedule: this.world.schedule,
      onAbort: () => explainDisconnect(this.server),
      onTimeout: () => explainDisconnect(this.server),
    }).catch(() => false);
    return isConnected === true ? explainQueryFailure(error, this.server) : explainDisconnect(this.server);
  }
}
