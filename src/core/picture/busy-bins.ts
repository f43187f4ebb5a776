import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { TimeWindow } from '../evidence/statistics';
import { countRowsBetween, createBusyRules, sweepBusy, type BusyRules, type BusyScope, type RowRange } from './busy-sweep';
import type { LaneIndex } from './lane-index';
import type { PixelView } from './pixel-grid';
import { TimeBins } from './time-bins';

/** How busy the one task of automatic checkpoints was under each pixel column. Owned by the caller and filled again. */
export interface BusyColumns {
  /** Milliseconds with a checkpoint running, gaps aside. */
  readonly busyMs: Float64Array;
  /** Of them, those with two or more: one of them was not of the task. */
  readonly overlapMs: Float64Array;
  /** Milliseconds that were observed: what the others are a share of. 0: nothing can be said. */
  readonly observedMs: Float64Array;
}

/** Columns of so many device pixels, all of nothing. */
export function createBusyColumns(columns: number): BusyColumns {
  return { busyMs: new Float64Array(columns), overlapMs: new Float64Array(columns), observedMs: new Float64Array(columns) };
}

const MOST_BINS = 262_144;
/** Up to so many rows are swept at once for each that is added. */
const MOST_SWEPT_FOR_ONE = 3;

/**
 * How much of the time checkpoints of databases with automatic checkpoints were running, and two at once. Bins of a bounded number answer for a view whose
 * pixels are wider than they are, the checkpoints themselves for one that shows less; so a frame costs by pixels. Rows that are appended touch the bins of
 * their own time only.
 */
export class BusyBins {
  /** Whether two at once were ever found. */
  hasOverlap = false;
  /** Rows that were looked at since the beginning, those looked at again too: what the work was. */
  sweptRows = 0;
  private readonly bins = new TimeBins(MOST_BINS, 2, (a, b) => a + b);
  private readonly rules: BusyRules;
  private takenRows = 0;
  /** Time whose bins are not true any more. */
  private staleFromUtcMs = Infinity;
  private staleToUtcMs = -Infinity;

  constructor(scope: BusyScope) {
    this.rules = createBusyRules(scope);
  }

  /**
   * Takes in rows that it has not seen.
   * @param index of the same columns
   * @param mostRows about how many rows to look at before giving the thread back
   * @returns whether all of them are in; else it is to be called again
   */
  takeIn(columns: CheckpointColumns, index: LaneIndex, mostRows: number): boolean {
    if (this.takenRows < columns.rows) this.takeRows(columns, index, mostRows);
    else if (this.isStale) this.renew(columns, index, mostRows);
    return this.takenRows === columns.rows && !this.isStale;
  }

  /** Fills the columns of a view. `observed`: from when to when the server was watched. */
  reduce(columns: CheckpointColumns, index: LaneIndex, observed: TimeWindow | null, view: PixelView, picture: BusyColumns): void {
    picture.busyMs.fill(0);
    picture.overlapMs.fill(0);
    const cellMs = (view.endUtcMs - view.beginUtcMs) / view.columns;
    if (cellMs < this.bins.binMs)
      sweepBusy(columns, index, this.rules, { beginUtcMs: view.beginUtcMs, cellMs, count: view.columns, ...picture });
    else this.spreadBins(view, cellMs, picture);
    for (let column = 0; column < view.columns; column++) {
      const from = Math.max(view.beginUtcMs + column * cellMs, observed?.beginUtcMs ?? Infinity);
      const to = Math.min(view.beginUtcMs + (column + 1) * cellMs, observed?.endUtcMs ?? -Infinity);
      picture.observedMs[column] = to > from ? this.rules.observed(from, to) : 0;
    }
  }

  private get isStale(): boolean {
    return this.staleFromUtcMs < this.staleToUtcMs;
  }

  private takeRows(columns: CheckpointColumns, index: LaneIndex, mostRows: number): void {
    const added = { fromRow: this.takenRows, toRow: Math.min(columns.rows, this.takenRows + mostRows) };
    this.takenRows = added.toRow;
    const span = this.findSpan(columns, added);
    if (!span) return;
    this.bins.cover(span.beginUtcMs, span.endUtcMs);
    // Rows that come out of order lie among others: the time of all such is swept once, when all are there.
    if (countRowsBetween(columns, index, span.beginUtcMs, span.endUtcMs) > MOST_SWEPT_FOR_ONE * (added.toRow - added.fromRow) + mostRows) {
      this.staleFromUtcMs = Math.min(this.staleFromUtcMs, span.beginUtcMs);
      this.staleToUtcMs = Math.max(this.staleToUtcMs, span.endUtcMs);
    } else this.sweep(columns, index, this.bins.binOf(span.beginUtcMs), this.endBinOf(span.endUtcMs), added);
  }

  private findSpan(columns: CheckpointColumns, { fromRow, toRow }: RowRange): TimeWindow | null {
    let [beginUtcMs, endUtcMs] = [Infinity, -Infinity];
    for (let row = fromRow; row < toRow; row++) {
      const begin = columns.beginUtcMs[row]!;
      const end = begin + columns.durationMs[row]!;
      if (end === begin || !this.rules.counts(columns, row)) continue;
      beginUtcMs = Math.min(beginUtcMs, begin);
      endUtcMs = Math.max(endUtcMs, end);
    }
    return endUtcMs > beginUtcMs ? { beginUtcMs, endUtcMs } : null;
  }

  private endBinOf(utcMs: number): number {
    return Math.ceil((utcMs - this.bins.beginUtcMs) / this.bins.binMs);
  }

  /** Computes stale bins anew, from the earliest, as many as hold about that many rows. */
  private renew(columns: CheckpointColumns, index: LaneIndex, mostRows: number): void {
    const from = this.bins.binOf(this.staleFromUtcMs);
    const room = Math.max(1, Math.ceil((this.bins.count * mostRows) / columns.rows));
    const to = Math.min(from + room, this.endBinOf(this.staleToUtcMs));
    this.sweep(columns, index, from, to);
    this.staleFromUtcMs = this.bins.beginUtcMs + to * this.bins.binMs;
    if (!this.isStale) [this.staleFromUtcMs, this.staleToUtcMs] = [Infinity, -Infinity];
  }

  private sweep(columns: CheckpointColumns, index: LaneIndex, from: number, to: number, added?: RowRange): void {
    const { bins } = this;
    const [busy, overlap] = bins.series as readonly [Float64Array, Float64Array];
    const cells = {
      beginUtcMs: bins.beginUtcMs + from * bins.binMs,
      cellMs: bins.binMs,
      count: to - from,
      busyMs: busy.subarray(from, to).fill(0),
      overlapMs: overlap.subarray(from, to).fill(0),
    };
    this.sweptRows += sweepBusy(columns, index, this.rules, cells, added);
    this.hasOverlap ||= cells.overlapMs.some((ms) => ms > 0);
  }

  /** A bin that two columns share is divided between them as its time is. */
  private spreadBins(view: PixelView, cellMs: number, { busyMs, overlapMs }: BusyColumns): void {
    const { bins } = this;
    const [busy, overlap] = bins.series as readonly [Float64Array, Float64Array];
    const last = Math.min(bins.count, Math.ceil((view.endUtcMs - bins.beginUtcMs) / bins.binMs)) - 1;
    for (let bin = Math.max(0, bins.binOf(view.beginUtcMs)); bin <= last; bin++) {
      if (busy[bin] === 0) continue;
      const from = bins.beginUtcMs + bin * bins.binMs;
      const column = Math.floor((from - view.beginUtcMs) / cellMs);
      const edge = view.beginUtcMs + (column + 1) * cellMs;
      const share = Math.min(1, (edge - from) / bins.binMs);
      if (column >= 0) {
        busyMs[column]! += busy[bin]! * share;
        overlapMs[column]! += overlap[bin]! * share;
      }
      if (share < 1 && column + 1 < view.columns) {
        busyMs[column + 1]! += busy[bin]! * (1 - share);
        overlapMs[column + 1]! += overlap[bin]! * (1 - share);
      }
    }
  }
}
