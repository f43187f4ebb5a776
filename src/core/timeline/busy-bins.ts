import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { Gap } from '../session/gap';
import { writePastGaps } from '../session/gap-crossing';
import type { TimeWindow } from '../statistics/statistics';
import {
  countRowsBetween,
  createBusyRules,
  sweepBusy,
  type BusyCells,
  type BusyRules,
  type BusyScope,
} from './busy-sweep';
import type { RowRange } from '../capture/checkpoint-store';
import type { LaneIndex } from './lane-index';
import type { PixelView } from './pixel-grid';
import { TimeBins } from './time-bins';

/** How busy the one task of automatic checkpoints was in each pixel column. It is the caller's, and filled again. */
export interface BusyColumns {
  /** Milliseconds with a checkpoint running, gaps left out. */
  readonly busyMs: Float64Array;
  /** How many of them had two or more: one of those was not the task's. */
  readonly overlapMs: Float64Array;
  /** Milliseconds that were observed. The other values are shares of it. 0: nothing can be said. */
  readonly observedMs: Float64Array;
}

/** Empty columns for this many device pixels. */
export function createBusyColumns(columns: number): BusyColumns {
  return {
    busyMs: new Float64Array(columns),
    overlapMs: new Float64Array(columns),
    observedMs: new Float64Array(columns),
  };
}

const MOST_BINS = 262_144;
/**
 * The least cells of the detail for a pixel. They are made with two to four times as many, so that they still fit after
 * the next step of zooming.
 */
const LEAST_CELLS_A_PIXEL = 4;
const MOST_CELLS_A_PIXEL = 64;
/** New rows are swept at once if that means no more than this many rows for each of them. */
const MOST_SWEPT_FOR_ONE = 3;

/**
 * In how much of the time checkpoints of databases with automatic checkpoints were running, and two at once. A bounded
 * number of bins serves views with wider pixels; for a closer view, finer bins are made around it. So a frame costs by
 * pixels. Appended rows change only the bins of their time.
 */
export class BusyBins {
  /** Rows looked at since the beginning, counted each time: the measure of the work. */
  sweptRows = 0;
  private readonly bins = new TimeBins(MOST_BINS, 2, (a, b) => a + b);
  private rules: BusyRules;
  private detail: BusyCells | null = null;
  private takenRows = 0;
  /** The latest end among the rows taken in, whether they count or not. */
  private seenUntilUtcMs = -Infinity;
  /** From here on, bins are no longer true. */
  private staleFromUtcMs = Infinity;
  private staleToUtcMs = -Infinity;

  constructor(private scope: BusyScope) {
    this.rules = createBusyRules(scope);
  }

  /**
   * Takes other gaps, if they say the same of the rows taken in, for instance while a gap lasts.
   * @returns false if they do not: then make a new one
   */
  goOnWith(gaps: readonly Gap[]): boolean {
    if (writePastGaps(gaps, this.seenUntilUtcMs) !== writePastGaps(this.scope.gaps, this.seenUntilUtcMs))
      return false;
    this.scope = { ...this.scope, gaps };
    this.rules = createBusyRules(this.scope);
    return true;
  }

  /**
   * Takes in new rows.
   * @param index of the same columns
   * @param mostRows about how many rows to look at before the thread is given back
   * @returns whether all of them are in; if not, call it again
   */
  takeIn(columns: CheckpointColumns, index: LaneIndex, mostRows: number): boolean {
    if (this.takenRows < columns.rows) this.takeRows(columns, index, mostRows);
    else if (this.isStale) this.renew(columns, index, mostRows);
    return this.takenRows === columns.rows && !this.isStale;
  }

  /** Fills the columns of a view. `observed`: from when to when the server was watched. */
  reduce(
    columns: CheckpointColumns,
    index: LaneIndex,
    observed: TimeWindow | null,
    view: PixelView,
    picture: BusyColumns,
  ): void {
    const cellMs = (view.endUtcMs - view.beginUtcMs) / view.columns;
    spreadCells(
      cellMs < this.bins.binMs
        ? this.findDetail(columns, index, view, cellMs)
        : this.cellsOf(0, this.bins.count),
      view,
      picture,
    );
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
    // Rows out of order lie among others. Their time is swept only once, when all of them are there.
    if (
      countRowsBetween(columns, index, span.beginUtcMs, span.endUtcMs) >
      MOST_SWEPT_FOR_ONE * (added.toRow - added.fromRow) + mostRows
    ) {
      this.staleFromUtcMs = Math.min(this.staleFromUtcMs, span.beginUtcMs);
      this.staleToUtcMs = Math.max(this.staleToUtcMs, span.endUtcMs);
    } else this.sweep(columns, index, this.bins.binOf(span.beginUtcMs), this.endBinOf(span.endUtcMs), added);
  }

  private findSpan(columns: CheckpointColumns, { fromRow, toRow }: RowRange): TimeWindow | null {
    let [beginUtcMs, endUtcMs] = [Infinity, -Infinity];
    for (let row = fromRow; row < toRow; row++) {
      const begin = columns.beginUtcMs[row]!;
      const end = begin + columns.durationMs[row]!;
      this.seenUntilUtcMs = Math.max(this.seenUntilUtcMs, end);
      if (end === begin || !this.rules.counts(columns, row)) continue;
      beginUtcMs = Math.min(beginUtcMs, begin);
      endUtcMs = Math.max(endUtcMs, end);
    }
    return endUtcMs > beginUtcMs ? { beginUtcMs, endUtcMs } : null;
  }

  private endBinOf(utcMs: number): number {
    return Math.ceil((utcMs - this.bins.beginUtcMs) / this.bins.binMs);
  }

  /** Computes stale bins again, from the earliest on, as many as hold about that many rows. */
  private renew(columns: CheckpointColumns, index: LaneIndex, mostRows: number): void {
    const from = this.bins.binOf(this.staleFromUtcMs);
    const room = Math.max(1, Math.ceil((this.bins.count * mostRows) / columns.rows));
    const to = Math.min(from + room, this.endBinOf(this.staleToUtcMs));
    this.sweep(columns, index, from, to);
    this.staleFromUtcMs = this.bins.beginUtcMs + to * this.bins.binMs;
    if (!this.isStale) [this.staleFromUtcMs, this.staleToUtcMs] = [Infinity, -Infinity];
  }

  private sweep(
    columns: CheckpointColumns,
    index: LaneIndex,
    from: number,
    to: number,
    added?: RowRange,
  ): void {
    const cells = this.cellsOf(from, to);
    cells.busyMs.fill(0);
    cells.overlapMs.fill(0);
    this.detail = null;
    this.sweptRows += sweepBusy(columns, index, this.rules, cells, added);
  }

  private cellsOf(from: number, to: number): BusyCells {
    const { beginUtcMs, binMs, series } = this.bins;
    const [busyMs, overlapMs] = series.map((values) => values.subarray(from, to)) as [
      Float64Array,
      Float64Array,
    ];
    return { beginUtcMs: beginUtcMs + from * binMs, cellMs: binMs, count: to - from, busyMs, overlapMs };
  }

  /**
   * Cells of a quarter of a pixel or less around a view. They are kept, so that the next frame, which shows nearly the
   * same, costs by pixels.
   */
  private findDetail(
    columns: CheckpointColumns,
    index: LaneIndex,
    view: PixelView,
    pixelMs: number,
  ): BusyCells {
    const { detail } = this;
    const fits =
      detail &&
      detail.beginUtcMs <= view.beginUtcMs &&
      detail.beginUtcMs + detail.count * detail.cellMs >= view.endUtcMs &&
      detail.cellMs * LEAST_CELLS_A_PIXEL <= pixelMs &&
      detail.cellMs * MOST_CELLS_A_PIXEL >= pixelMs;
    if (fits) return detail;
    const cellMs = 2 ** Math.floor(Math.log2(pixelMs / LEAST_CELLS_A_PIXEL / 2));
    const aroundMs = (view.endUtcMs - view.beginUtcMs) / 2;
    const beginUtcMs = Math.floor((view.beginUtcMs - aroundMs) / cellMs) * cellMs;
    const count = Math.ceil((view.endUtcMs + aroundMs - beginUtcMs) / cellMs);
    this.detail = {
      beginUtcMs,
      cellMs,
      count,
      busyMs: new Float64Array(count),
      overlapMs: new Float64Array(count),
    };
    this.sweptRows += sweepBusy(columns, index, this.rules, this.detail);
    return this.detail;
  }
}

/** Divides cells among columns. A cell on the border of two columns is split by time. */
function spreadCells(cells: BusyCells, view: PixelView, { busyMs, overlapMs }: BusyColumns): void {
  busyMs.fill(0);
  overlapMs.fill(0);
  const pixelMs = (view.endUtcMs - view.beginUtcMs) / view.columns;
  const placeOf = (column: number): number =>
    (view.beginUtcMs - cells.beginUtcMs + column * pixelMs) / cells.cellMs;
  for (let column = 0; column < view.columns; column++) {
    const from = Math.max(0, placeOf(column));
    const to = Math.min(cells.count, placeOf(column + 1));
    if (to <= from) continue;
    busyMs[column] = sumBetween(cells.busyMs, from, to);
    overlapMs[column] = sumBetween(cells.overlapMs, from, to);
  }
}

/** Sum of the values between two places, which may lie inside of the first and the last value. */
function sumBetween(values: Float64Array, from: number, to: number): number {
  const [first, last] = [Math.floor(from), Math.ceil(to) - 1];
  if (first === last) return values[first]! * (to - from);
  let sum = values[first]! * (first + 1 - from) + values[last]! * (to - last);
  for (let i = first + 1; i < last; i++) sum += values[i]!;
  return sum;
}
