/**
 * Turns of which an edge of the observed time cut off the begin or the end: what was seen of them belongs to the task's
 * time.
 */
import type { CaptureRecord } from '../capture/capture-record';
import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { lengthen, type Numbers } from '../number-columns';
import type { UnpairedEvent, UnpairedReason } from '../pairing/unpaired';
import { findObservedPieces, findPiece } from '../statistics/observed-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type AutomaticTime, isAutomatic } from './automatic-time';
import { BACK_TO_BACK_MS } from './task-overlap';

const CUT_REASONS: ReadonlySet<UnpairedReason> = new Set<UnpairedReason>([
  'begin without end',
  'end without begin',
  'across a gap',
]);

/**
 * The checkpoints of a capture, and behind them a row for each turn that an edge cuts, as long as the part that was
 * seen:
 *   observed   |----------------|  gap  |-------------|
 *   task     [==|=]   [===]   [=|=]     |   [===]   [=|     a begin or an end alone
 * The task runs one checkpoint at a time. So such a part is the task's only if nothing else of an automatic database
 * was seen in it. It is believed only up to the length of the longest turn that was seen whole, or twice that right
 * beside another turn: otherwise the other event was rather lost, or it was not the task's checkpoint. One that is
 * still awaited is believed whatever its length.
 */
export function* addCutTurns(
  capture: Pick<CaptureRecord, 'columns' | 'databases' | 'unpaired' | 'open'>,
  observation: Observation,
  automatic: AutomaticTime,
): Steps<CheckpointColumns> {
  const { columns } = capture;
  const pieces = findObservedPieces(observation, observation);
  const { begins, untilUtcMs } = capture.open();
  // Events that came later are not paired yet.
  if (begins.length > 0) pieces[pieces.length - 1] = Math.min(pieces[pieces.length - 1] ?? 0, untilUtcMs);
  const edges = Array.from(pieces, (edgeUtcMs, at) => new Edge(edgeUtcMs, at % 2 === 1));
  let longestMs = 0;
  for (let row = 0; row < columns.rows; row++) {
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const begin = columns.beginUtcMs[row] ?? 0;
    const database = columns.database[row] ?? 0;
    const durationMs = columns.durationMs[row] ?? 0;
    const piece = isAutomatic(automatic, database, begin) ? findPiece(pieces, begin) : -1;
    if (piece < 0) continue;
    longestMs = Math.max(longestMs, durationMs);
    edges[2 * piece]?.see(begin, row);
    edges[2 * piece + 1]?.see(begin + durationMs, row);
  }
  const indexes = new Map(capture.databases.map(({ databaseId }, index) => [databaseId, index]));
  const take = ({ databaseId, atUtcMs, kind }: UnpairedEvent, isOpen = false): void => {
    const database = indexes.get(databaseId) ?? -1;
    if (isAutomatic(automatic, database, atUtcMs))
      edges[2 * findPiece(pieces, atUtcMs) + (kind === 'begin' ? 1 : 0)]?.take(atUtcMs, database, isOpen);
  };
  for (let from = 0, count = ROWS_A_STEP; count === ROWS_A_STEP; from += count) {
    const events = capture.unpaired(from, from + ROWS_A_STEP);
    for (const one of events) if (CUT_REASONS.has(one.reason)) take(one);
    count = events.length;
    yield;
  }
  for (const one of begins) take(one, true);
  const cut = edges.filter((edge) => edge.isCut(longestMs));
  return addRows(columns, cut);
}

/** Ids of databases of which the begin of a checkpoint was seen and no end. */
export function* findBegun(capture: Pick<CaptureRecord, 'unpaired' | 'open'>): Steps<ReadonlySet<number>> {
  const begun = new Set(capture.open().begins.map(({ databaseId }) => databaseId));
  for (let from = 0, count = ROWS_A_STEP; count === ROWS_A_STEP; from += count, yield) {
    const events = capture.unpaired(from, from + ROWS_A_STEP);
    for (const { kind, reason, databaseId } of events)
      if (kind === 'begin' && reason === 'begin without end') begun.add(databaseId);
    count = events.length;
  }
  return begun;
}

/** Where observed time begins or ends, and what is nearest to it. */
class Edge {
  /**
   * The time from the edge to the nearest checkpoint, and its row; to the nearest event that stands alone, and its
   * database.
   */
  private freeMs = Infinity;
  row = 0;
  partMs = Infinity;
  database = -1;
  /** It is still awaited: its end was not lost. */
  private isOpen = false;

  constructor(
    readonly atUtcMs: number,
    readonly isEnd: boolean,
  ) {}

  isCut(longestMs: number): boolean {
    const besideMs = this.freeMs - this.partMs;
    return (
      this.partMs > 1 &&
      besideMs >= 0 &&
      (this.isOpen || this.partMs <= (besideMs <= BACK_TO_BACK_MS ? 2 : 1) * longestMs)
    );
  }

  see(utcMs: number, row: number): void {
    const ms = this.measure(utcMs);
    if (ms < this.freeMs) [this.freeMs, this.row] = [ms, row];
  }

  take(utcMs: number, database: number, isOpen: boolean): void {
    const ms = this.measure(utcMs);
    if (ms < this.partMs) [this.partMs, this.database, this.isOpen] = [ms, database, isOpen];
  }

  /** A checkpoint that reaches over the end of the time leaves nothing free before it. */
  private measure(utcMs: number): number {
    return this.isEnd ? this.atUtcMs - utcMs : utcMs - this.atUtcMs;
  }
}

function addRows(columns: CheckpointColumns, edges: readonly Edge[]): CheckpointColumns {
  if (edges.length === 0) return columns;
  const rows = columns.rows + edges.length;
  const extend = <T extends Numbers>(column: T): T => lengthen(column.subarray(0, columns.rows) as T, rows);
  const [beginUtcMs, durationMs] = [extend(columns.beginUtcMs), extend(columns.durationMs)];
  const [database, task] = [extend(columns.database), columns.task && extend(columns.task)];
  edges.forEach((edge, at) => {
    const row = columns.rows + at;
    // It touches no gap: some gaps spoil what touches them.
    beginUtcMs[row] = edge.isEnd ? edge.atUtcMs - edge.partMs : edge.atUtcMs + 1;
    durationMs[row] = edge.partMs - 1;
    database[row] = edge.database;
    // An event alone does not keep which task fired it: the nearest checkpoint does.
    if (task !== undefined) task[row] = columns.task?.[edge.row] ?? 0;
  });
  return {
    rows,
    beginUtcMs,
    durationMs,
    database,
    ...(task && { task }),
    ...(columns.callers && { callers: columns.callers }),
    partsFrom: columns.rows,
  };
}
