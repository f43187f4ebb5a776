import { callerOfRow, type CheckpointColumns } from '../capture/checkpoint-columns';
import type { RowRange } from '../capture/checkpoint-store';
import { isSessionCaller } from '../events/event-register';
import { lengthen } from '../number-columns';
import type { Gap } from '../session/gap';
import { isAutomatic, type AutomaticTime } from '../task/automatic-time';
import { createGapCrossing } from '../session/gap-crossing';
import { createPieceMeter, joinPiece } from '../statistics/observed-time';
import { findFirstFrom, type LaneIndex } from './lane-index';

/** Which checkpoints count as work of the one task of automatic checkpoints, and which time is left out. */
export interface BusyScope {
  /** When each database used automatic checkpoints. */
  readonly automatic: AutomaticTime;
  readonly gaps: readonly Gap[];
}

/** Stretches of time of equal length, side by side, and how much of each is covered. */
export interface BusyCells {
  readonly beginUtcMs: number;
  readonly cellMs: number;
  readonly count: number;
  /** Milliseconds in which at least one checkpoint was running. */
  readonly busyMs: Float64Array;
  /** How many of them had at least two. */
  readonly overlapMs: Float64Array;
}

/** What has to be answered for many rows. */
export interface BusyRules {
  /** Whether a row is of a database that used automatic checkpoints then, and is surely one checkpoint. */
  readonly counts: (columns: CheckpointColumns, row: number) => boolean;
  /** Milliseconds of a stretch that do not lie in gaps. */
  readonly observed: (fromUtcMs: number, toUtcMs: number) => number;
}

export function createBusyRules({ automatic, gaps }: BusyScope): BusyRules {
  const isAcrossGap = createGapCrossing(gaps);
  const inGapsBefore = createPieceMeter(joinGaps(gaps));
  return {
    counts: (columns, row) => {
      const { beginUtcMs, durationMs, database } = columns;
      const begin = beginUtcMs[row]!;
      return (
        !isSessionCaller(callerOfRow(columns, row)) &&
        isAutomatic(automatic, database[row]!, begin) &&
        isAcrossGap?.(begin, begin + durationMs[row]!) !== true
      );
    },
    observed:
      gaps.length === 0
        ? (fromUtcMs, toUtcMs) => toUtcMs - fromUtcMs
        : (fromUtcMs, toUtcMs) => toUtcMs - fromUtcMs - (inGapsBefore(toUtcMs) - inGapsBefore(fromUtcMs)),
  };
}

function joinGaps(gaps: readonly Gap[]): Float64Array {
  const pieces: number[] = [];
  for (const { beginUtcMs, endUtcMs } of [...gaps].sort((a, b) => a.beginUtcMs - b.beginUtcMs)) {
    if (endUtcMs > beginUtcMs) joinPiece(pieces, beginUtcMs, endUtcMs);
  }
  return Float64Array.from(pieces);
}

const NO_ROWS: RowRange = { fromRow: Infinity, toRow: Infinity };

/**
 * Adds to empty cells how much of them checkpoints cover, exactly. It costs by the checkpoints that reach into the
 * cells.
 *
 *   checkpoints   ██████     ███
 *                    ██████
 *   depth         1112221111   111         busy: 1 or more, overlap: 2 or more
 *
 * @param added rows to read in their own order, which costs less than finding them; later rows are left out. If none
 * are given, the index finds all
 * @returns how many checkpoints there were
 */
export function sweepBusy(
  columns: CheckpointColumns,
  index: LaneIndex,
  rules: BusyRules,
  cells: BusyCells,
  added = NO_ROWS,
): number {
  const gathering = new Gathering(columns, rules, cells);
  gathering.addLanes(index, added.fromRow);
  for (let row = added.fromRow; row < added.toRow; row++) gathering.add(row);
  const { begins, ends } = gathering.finish();
  let depth = 0;
  let at = -Infinity;
  let next = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!;
    for (; next < begins.length && begins[next]! < end; next++) {
      if (depth > 0) addStretch(cells, rules, at, begins[next]!, depth);
      at = begins[next]!;
      depth++;
    }
    addStretch(cells, rules, at, end, depth);
    at = end;
    depth--;
  }
  return ends.length;
}

/** How many rows the index finds between two moments, which is about the cost of a sweep over that time. */
export function countRowsBetween(
  columns: CheckpointColumns,
  index: LaneIndex,
  fromUtcMs: number,
  toUtcMs: number,
): number {
  let rows = 0;
  for (const lane of index.lanes)
    if (lane)
      rows +=
        findFirstFrom(lane, columns, toUtcMs) - findFirstFrom(lane, columns, fromUtcMs - lane.longestMs);
  return rows;
}

/**
 * Begins and ends of checkpoints, cut to the cells. How many run at a moment does not depend on which end belongs to
 * which begin.
 */
class Gathering {
  private begins: Float64Array = new Float64Array(1024);
  private ends: Float64Array = new Float64Array(1024);
  private count = 0;
  private readonly fromUtcMs: number;
  private readonly toUtcMs: number;

  constructor(
    private readonly columns: CheckpointColumns,
    private readonly rules: BusyRules,
    cells: BusyCells,
  ) {
    this.fromUtcMs = cells.beginUtcMs;
    this.toUtcMs = cells.beginUtcMs + cells.count * cells.cellMs;
  }

  addLanes({ lanes }: LaneIndex, beforeRow: number): void {
    const { columns, fromUtcMs, toUtcMs } = this;
    for (const lane of lanes) {
      if (!lane) continue;
      const until = findFirstFrom(lane, columns, toUtcMs);
      for (let at = findFirstFrom(lane, columns, fromUtcMs - lane.longestMs); at < until; at++) {
        const row = lane.rows[at]!;
        if (row < beforeRow) this.add(row);
      }
    }
  }

  add(row: number): void {
    const begin = this.columns.beginUtcMs[row]!;
    const end = begin + this.columns.durationMs[row]!;
    if (
      end <= this.fromUtcMs ||
      end === begin ||
      begin >= this.toUtcMs ||
      !this.rules.counts(this.columns, row)
    )
      return;
    if (this.count === this.begins.length) {
      this.begins = lengthen(this.begins, this.count * 2);
      this.ends = lengthen(this.ends, this.count * 2);
    }
    this.begins[this.count] = Math.max(begin, this.fromUtcMs);
    this.ends[this.count++] = Math.min(end, this.toUtcMs);
  }

  finish(): { readonly begins: Float64Array; readonly ends: Float64Array } {
    const begins = this.begins.subarray(0, this.count);
    const ends = this.ends.subarray(0, this.count);
    sortNearlySorted(begins);
    sortNearlySorted(ends);
    return { begins, ends };
  }
}

/** Sorts in place. Rows are appended almost in order, so this costs about their number. */
function sortNearlySorted(values: Float64Array): void {
  let spare = 8 * values.length;
  for (let i = 1; i < values.length; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
    spare -= i - at;
    if (spare < 0) {
      values.sort();
      return;
    }
  }
}

function addStretch(
  cells: BusyCells,
  rules: BusyRules,
  fromUtcMs: number,
  toUtcMs: number,
  depth: number,
): void {
  if (toUtcMs <= fromUtcMs) return;
  const { beginUtcMs, cellMs, count, busyMs, overlapMs } = cells;
  const last = Math.min(count - 1, Math.ceil((toUtcMs - beginUtcMs) / cellMs) - 1);
  for (let cell = Math.floor((fromUtcMs - beginUtcMs) / cellMs); cell <= last; cell++) {
    const from = Math.max(fromUtcMs, beginUtcMs + cell * cellMs);
    const to = Math.min(toUtcMs, beginUtcMs + (cell + 1) * cellMs);
    if (to <= from) continue;
    const seenMs = rules.observed(from, to);
    busyMs[cell]! += seenMs;
    if (depth > 1) overlapMs[cell]! += seenMs;
  }
}
