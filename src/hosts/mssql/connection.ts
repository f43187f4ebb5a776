/** One connection that the SQL Server extension (mssql) opened for us. Each query runs in a session of its own, which SQL Tools Service opens for it. */
import type { OwnSessionText, ReadText } from '../../core/script/text';
import { ConnectionError, type Connection, type ConnectionCapabilities, type QueryOptions, type ResultSet } from '../host';
import { readAnswer } from './answer';
import {
  explainCancel,
  explainDisconnect,
  explainObstacle,
  explainQueryFailure,
  explainTimeout,
  explainUnreachable,
  readSharingCode,
} from './errors';
import { LOOK_AFTER_MS, type Reach } from '../sql-tools-service';
import { findSharing, type SharedConnections } from './sharing';
import { waitFor } from '../waiting';
import type { MssqlWorld } from './world';

/** Asking whether a connection lives is answered from memory; longer than this it is not waited for. */
const LOOK_TIMEOUT_MS = 5_000;

interface OpenedConnection {
  readonly world: MssqlWorld;
  readonly reach: Reach;
  readonly sharing: SharedConnections;
  readonly uri: string;
  /** As it is named in messages. */
  readonly server: string;
}

export class MssqlConnection implements Connection {
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
  /** The last query was given up: before the next one it is looked whether the server answers at all. */
  private wasSilent = false;
  private readonly world: MssqlWorld;
  private readonly sharing: SharedConnections;
  private readonly uri: string;
  private readonly server: string;

  constructor(private readonly opened: OpenedConnection) {
    ({ world: this.world, sharing: this.sharing, uri: this.uri, server: this.server } = opened);
  }

  async query(text: ReadText | OwnSessionText, options: QueryOptions): Promise<readonly ResultSet[]> {
    const { signal } = options;
    if (this.isClosed) throw explainDisconnect(this.server);
    if (signal?.aborted === true) throw explainCancel(this.server);
    if (this.wasGone && (await this.isGone())) throw explainUnreachable(this.server);
    if (this.wasSilent && (await this.world.answersAt(this.server)) === false) throw explainUnreachable(this.server);
    this.wasSilent = false;
    try {
      return [readAnswer(await this.send(text, options), this.server, this.world.readCellLimit())];
    } catch (error) {
      this.wasSilent = error instanceof ConnectionError && error.reason === 'timedOut';
      throw await this.explain(error);
    }
  }

  private send(text: ReadText | OwnSessionText, { signal, timeoutMs }: QueryOptions): Promise<unknown> {
    return waitFor(this.sharing.executeSimpleQuery(this.uri, text), {
      signal,
      timeoutMs,
      schedule: this.world.schedule,
      onAbort: () => explainCancel(this.server),
      onTimeout: () => explainTimeout(timeoutMs, this.server),
      look: { afterMs: LOOK_AFTER_MS, isOver: () => this.isGone(), onOver: () => explainUnreachable(this.server) },
    });
  }

  private async isGone(): Promise<boolean> {
    this.wasGone = await this.opened.reach.isGone(this.server);
    return this.wasGone;
  }

  /** Closes the connection that was opened for us; the user's own are others. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.sharing.disconnect(this.uri).catch(() => undefined);
  }

  /**
   * A failure is the server's own where the connection still stands; otherwise it went with the connection, or with mssql. Of a server that is gone the
   * connection is good as it is: each query logs in again.
   */
  private async explain(error: unknown): Promise<ConnectionError> {
    if (error instanceof ConnectionError && error.reason !== 'disconnected') return error;
    const code = readSharingCode(error);
    if (code === 'NO_ACTIVE_CONNECTION' || code === 'INVALID_CONNECTION_URI') return explainDisconnect(this.server);
    const failure = error instanceof ConnectionError ? error : explainQueryFailure(error, this.server);
    if (failure.reason === 'unreachable') return failure;
    if (failure.reason === 'disconnected') return (await this.isGone()) ? explainUnreachable(this.server) : failure;
    const sharing = await findSharing(this.world);
    if (typeof sharing === 'string') return new ConnectionError('disconnected', explainObstacle(sharing));
    const isConnected = await waitFor(sharing.isConnected(this.uri), {
      timeoutMs: LOOK_TIMEOUT_MS,
      schedule: this.world.schedule,
      onAbort: () => explainDisconnect(this.server),
      onTimeout: () => explainDisconnect(this.server),
    }).catch(() => false);
    return isConnected === true ? failure : explainDisconnect(this.server);
  }
}
