/**
 * One query from the moment it is sent. Collects its rows, and gives up on an abort, a time-out or a receiver that
 * throws.
 */
import type { Request } from 'tedious';
import { explainCancel, explainTimeout, type FailureContext } from './errors';
import { ConnectionError, type Cell, type QueryOptions, type ResultSet } from '../host';
import { t } from '../../core/language';

export class DirectQuery {
  private readonly sets: { readonly columns: readonly string[]; readonly rows: (readonly Cell[])[] }[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.giveUp(explainCancel(this.context));
  private settled = false;

  constructor(
    private readonly request: Request,
    private readonly options: QueryOptions,
    private readonly context: FailureContext,
    private readonly resolve: (sets: readonly ResultSet[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.timer = setTimeout(() => this.giveUp(explainTimeout(options.timeoutMs, context)), options.timeoutMs);
    options.signal?.addEventListener('abort', this.onAbort, { once: true });
    request.on('columnMetadata', (columns) => {
      this.sets.push({
        columns: (columns as readonly { readonly colName: string }[]).map(({ colName }) => colName),
        rows: [],
      });
    });
    request.on('row', (cells: readonly { readonly value: unknown }[]) => this.addRow(cells));
  }

  /** The server has sent its whole answer; `error` is the error in it, already explained. */
  finish(error: ConnectionError | null): void {
    if (this.settled) return;
    const none = error === null && this.sets.length === 0;
    this.settle();
    if (error) this.reject(error);
    else if (none)
      this.reject(
        new ConnectionError(
          'queryFailed',
          t('{0} ran the text but sent no result set.', this.context.address.shown),
        ),
      );
    else this.resolve(this.sets);
  }

  /** Rejects at once and asks the server to stop; the driver reports when it has stopped. */
  private giveUp(error: unknown): void {
    if (this.settled) return;
    this.settle();
    this.reject(error);
    this.request.cancel();
  }

  private settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.onAbort);
  }

  /** Our texts convert dates and bits in SQL (docs/facts.md, Hosts 3), so all that comes has one text. */
  private addRow(cells: readonly { readonly value: unknown }[]): void {
    if (this.settled) return;
    const row = cells.map(({ value }) => (value === null || value === undefined ? null : String(value)));
    this.sets[this.sets.length - 1]?.rows.push(row);
    try {
      this.options.onRow?.(row);
    } catch (error) {
      this.giveUp(error);
    }
  }
}
