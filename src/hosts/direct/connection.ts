/** One connection of our own driver. One query runs at a time; others wait their turn. */
import type { Connection as DriverConnection } from 'tedious';
import type { OwnSessionText, ReadText } from '../../core/script/text';
import type { Driver } from './driver';
import { explainCancel, explainDisconnect, explainQueryFailure, type FailureContext } from './errors';
import { DirectQuery } from './query';
import type { Connection, ConnectionCapabilities, ConnectionError, QueryOptions, ResultSet } from '../host';

type Resolve = (sets: readonly ResultSet[]) => void;
type Reject = (error: unknown) => void;

export class DirectConnection implements Connection {
  readonly capabilities: ConnectionCapabilities = { session: true, parameters: true, errors: true };
  private lane: Promise<void> = Promise.resolve();
  private ended = false;
  private readonly end: Promise<void>;

  constructor(
    private readonly driver: Driver,
    private readonly connection: DriverConnection,
    private readonly context: FailureContext,
  ) {
    connection.on('error', () => (this.ended = true));
    this.end = new Promise((resolve) =>
      connection.once('end', () => {
        this.ended = true;
        resolve();
      }),
    );
  }

  /**
   * Runs one batch, or one text with its parameters. The time-out runs from the moment the batch is sent until its last
   * row. The time-out or an aborted signal rejects at once and asks the server to stop. The next query waits until the
   * server has stopped.
   */
  query(text: ReadText | OwnSessionText, options: QueryOptions): Promise<readonly ResultSet[]> {
    const answer = new Promise<readonly ResultSet[]>((resolve, reject) => {
      this.lane = this.lane.then(() => this.send(text, options, resolve, reject));
    });
    return options.signal ? rejectOnAbort(answer, options.signal, this.context) : answer;
  }

  /** Ends the connection. A query that still runs fails with `disconnected`. May be called again. */
  async close(): Promise<void> {
    this.ended = true;
    this.connection.close();
    // The driver does not stop this timer, and it would keep the process alive.
    this.connection.clearCancelTimer();
    await this.end;
  }

  /** Resolves when the server is ready for the next batch, which may be later than the answer. */
  private send(text: string, options: QueryOptions, resolve: Resolve, reject: Reject): Promise<void> {
    return new Promise((ready) => {
      if (options.signal?.aborted || this.ended) {
        reject(this.ended ? explainDisconnect(this.context) : explainCancel(this.context));
        return ready();
      }
      const onInfo = ({ number }: { readonly number: number }): void => options.onNotice?.(number);
      this.connection.on('infoMessage', onInfo);
      const request = new this.driver.Request(text, (error) => {
        this.connection.off('infoMessage', onInfo);
        query.finish(error ? this.explain(error) : null);
        ready();
      });
      const query = new DirectQuery(request, options, this.context, resolve, reject);
      const { NVarChar, BigInt } = this.driver.TYPES;
      for (const { name, type, value } of options.parameters ?? []) {
        // Otherwise it is declared with the length of its value, and each length would get a plan of its own.
        if (type === 'bigint') request.addParameter(name, BigInt, value);
        else request.addParameter(name, NVarChar, value, { length: 260 });
      }
      if (options.parameters === undefined) this.connection.execSqlBatch(request);
      else this.connection.execSql(request);
    });
  }

  private explain(error: Error): ConnectionError {
    return this.ended ? explainDisconnect(this.context, error) : explainQueryFailure(error, this.context);
  }
}

/** Stops waiting for an answer (the turn of a query, the user) when the signal aborts. */
export function rejectOnAbort<T>(
  answer: Promise<T>,
  signal: AbortSignal,
  context: Pick<FailureContext, 'address'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(explainCancel(context));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
