/** One query from the moment it is sent. Collects its rows, and gives up on an abort, a time-out or a receiver that throws. */
import type { Request } from 'tedious';
import { explainCancel, explainTimeout, type FailureContext } from './errors';
import { ConnectionError, type Cell, type QueryOptions, type ResultSet } from '../host';
import { t } from '../../core/language';

/** Rows in one call of `onRows`. */
const BATCH_ROWS = 500;

/** A value from the driver, with what is known of its column. */
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

  /** The server has sent its whole answer; `error` is the error in it, already explained. */
  finish(error: ConnectionError | null): void {
    if (this.settled) return;
    if (error === null) this.flush();
    const none = error === null && this.sets.length === 0;
    this.settle();
    if (error) this.reject(error);
    else if (none)
      this.reject(new ConnectionError('queryFailed', t('{0} ran the text but sent no result set.', this.context.address.shown)));
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

/** A date of the driver can hold what milliseconds cannot: seconds beyond the last whole millisecond. */
interface DriverDate extends Date {
  readonly nanosecondsDelta?: number;
}

/**
 * Shows a driver's value as text. Our own queries convert in SQL (docs/facts.md, Hosts 3); this is for everything else.
 * Numbers in invariant notation, bit as 1 or 0, dates as style 126 (ISO 8601, no zone, no fraction when it is zero), binary as 0x hexadecimal.
 * `typeName` is the driver's name of the column's type; it tells a date from a time.
 */
function showCell(value: unknown, typeName: string): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Date) return showDate(value, typeName);
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex').toUpperCase()}`;
  return String(value);
}

function showDate(date: DriverDate, typeName: string): string {
  const [day = '', clock = ''] = date.toISOString().replace('Z', '').split('T');
  const time = clock.slice(0, 8) + showFraction(clock.slice(9), date.nanosecondsDelta ?? 0);
  if (typeName === 'Date') return day;
  return typeName === 'Time' ? time : `${day}T${time}`;
}

/** Milliseconds, then the 100 ns steps that datetime2 and time add to them. */
function showFraction(milliseconds: string, deltaSeconds: number): string {
  const steps = Math.round(deltaSeconds * 1e7);
  if (steps > 0) return `.${milliseconds}${String(steps).padStart(4, '0')}`;
  return milliseconds === '000' ? '' : `.${milliseconds}`;
}
