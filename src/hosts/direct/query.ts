/** One query from the moment it is sent: collects its rows, and gives up on an abort, a time-out or a throwing receiver. */
import type { Request } from 'tedious';
import { showCell } from './cells';
import { explainCancel, explainTimeout, type FailureContext } from './errors';
import { ConnectionError, type Cell, type QueryOptions, type ResultSet } from '../host';

/** Rows handed to `onRows` at once. */
const BATCH_ROWS = 500;

/** A value as the driver hands it over, with what is known of its column. */
interface DriverCell {
  readonly value: unknown;
  readonly metadata: { readonly colName: string; readonly type: { readonly name: string } };
}

interface GrowingResultSet {
  readonly columns: readonly string[];
  rows: (readonly Cell[])[];
}

export class DirectQuery {
  private readonly sets: GrowingResultSet[] = [];
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
    request.on('columnMetadata', (columns) =>
      this.openSet((columns as readonly { readonly colName: string }[]).map((column) => column.colName)),
    );
    request.on('row', (cells: readonly DriverCell[]) => this.addRow(cells));
  }

  /** The server has answered everything; `error` is what it answered with, already explained. */
  finish(error: ConnectionError | null): void {
    if (this.settled) return;
    if (error === null) this.flush();
    const none = error === null && this.sets.length === 0;
    this.settle();
    if (error) this.reject(error);
    else if (none) this.reject(new ConnectionError('queryFailed', `${this.context.address.shown} ran the text but sent no result set.`));
    else this.resolve(this.sets);
  }

  /** The caller hears of it at once; the server is asked to stop, and the driver reports when it has. */
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

  private openSet(columns: readonly string[]): void {
    this.flush();
    this.sets.push({ columns, rows: [] });
  }

  private addRow(cells: readonly DriverCell[]): void {
    const rows = this.sets[this.sets.length - 1]?.rows;
    rows?.push(cells.map(({ value, metadata }) => showCell(value, metadata.type.name)));
    if (rows && rows.length >= BATCH_ROWS) this.flush();
  }

  private flush(): void {
    const set = this.sets[this.sets.length - 1];
    if (this.settled || !this.options.onRows || !set || set.rows.length === 0) return;
    const rows = set.rows;
    set.rows = [];
    try {
      this.options.onRows(set.columns, rows);
    } catch (error) {
      this.giveUp(error);
    }
  }
}
