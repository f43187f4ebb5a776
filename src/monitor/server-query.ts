import { addPrologue } from '../core/script/prologue';
import type { OwnSessionText, ReadText } from '../core/script/text';
import { type Connection, ConnectionError, type ResultSet, type ServerAccess } from '../hosts/host';

/** Milliseconds after which any one query of ours is given up. */
const queryTimeoutMs = 30_000;

/**
 * The one connection of a monitored server: opened when first asked, opened anew after it was lost.
 */
export class ServerQuery {
  private connection: Connection | null = null;
  private running = new AbortController();
  private isDisposed = false;

  constructor(private readonly access: ServerAccess) {}

  /** Runs one text and gives its last result set: texts of ours end with the SELECT that matters. @throws ConnectionError */
  async run(text: ReadText | OwnSessionText): Promise<ResultSet> {
    const { signal } = this.running;
    const connection = this.connection ?? (await this.open(signal));
    try {
      const sets = await connection.query(addPrologue(text), { signal, timeoutMs: queryTimeoutMs });
      const last = sets[sets.length - 1];
      if (last === undefined) throw new ConnectionError('queryFailed', 'The server answered without a result.');
      return last;
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.reason === 'disconnected' || error.reason === 'timedOut') await this.disconnect();
      throw error;
    }
  }

  /** A host that can not be stopped may still hand over a connection that nobody waits for any more: it is closed. */
  private async open(signal: AbortSignal): Promise<Connection> {
    const connection = await this.access.open(signal);
    if (signal.aborted) {
      await connection.close();
      throw new ConnectionError('cancelled', 'Cancelled while connecting.');
    }
    this.connection = connection;
    return connection;
  }

  /** Closes the connection; the next query opens another. */
  async disconnect(): Promise<void> {
    const connection = this.connection;
    this.connection = null;
    await connection?.close();
  }

  /** Does one piece of work; aborting the signal ends the query that it waits for, on the server too where the host can. One at a time. */
  async during<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.isDisposed || signal?.aborted === true) throw new ConnectionError('cancelled', 'Cancelled before it began.');
    const running = new AbortController();
    const end = (): void => running.abort();
    this.running = running;
    signal?.addEventListener('abort', end);
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  /** Ends what runs and closes for good. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.running.abort();
    await this.disconnect();
  }
}
