import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { DurationRanks } from './duration-ranks';
import { createGapCrossing } from './gap-crossing';
import { createPieceMeter, findObservedPieces, isInPieces, measureUnion, type TimePieces, type TimeWindow } from './observed-time';
import type { StatisticsSums } from './statistics';

/** The ranks that figures show, in percent. */
export const PERCENTS = [50, 95, 99] as const;

/** Sums of each database's checkpoints in one window, taken in two passes over the columns, a part of the rows at a time. */
export class StatisticsTally {
  readonly counts: Uint32Array;
  /** Those of them that begin in observed time: what a rate can be made of. */
  readonly observedCounts: Uint32Array;
  readonly totalsMs: Float64Array;
  readonly maximaMs: Uint32Array;
  /** Observed time in which a checkpoint of the database was running. */
  readonly coveredMs: Float64Array;
  readonly ranks: DurationRanks;
  acrossGaps = 0;
  private readonly pieces: TimePieces;
  private readonly observedBefore: (utcMs: number) => number;
  private readonly isAcrossGap: ((beginUtcMs: number, endUtcMs: number) => boolean) | null;
  private readonly lastBegins: Float64Array;
  private readonly lastEnds: Float64Array;
  /** 1 where begins are not in order of the rows: what is covered cannot be told in one pass. */
  private readonly disordered: Uint8Array;

  constructor(
    private readonly columns: CheckpointColumns,
    private readonly databases: number,
    private readonly window: TimeWindow,
    observation: Observation,
  ) {
    this.pieces = findObservedPieces(window, observation);
    this.observedBefore = createPieceMeter(this.pieces);
    this.isAcrossGap = createGapCrossing(observation.gaps);
    this.counts = new Uint32Array(databases);
    this.observedCounts = new Uint32Array(databases);
    this.totalsMs = new Float64Array(databases);
    this.maximaMs = new Uint32Array(databases);
    this.coveredMs = new Float64Array(databases);
    this.lastBegins = new Float64Array(databases).fill(-Infinity);
    this.lastEnds = new Float64Array(databases).fill(-Infinity);
    this.disordered = new Uint8Array(databases);
    this.ranks = new DurationRanks(databases, PERCENTS);
  }

  /** First pass over these rows. */
  count(fromRow: number, toRow: number): void {
    const { counts, observedCounts, totalsMs, maximaMs, pieces, ranks } = this;
    const { beginUtcMs, durationMs, database } = this.columns;
    for (let row = fromRow; row < toRow; row++) {
      if (!this.isCounted(row, true)) continue;
      const index = database[row] ?? 0;
      const begin = beginUtcMs[row] ?? 0;
      const duration = durationMs[row] ?? 0;
      counts[index] = (counts[index] ?? 0) + 1;
      if (isInPieces(pieces, begin)) observedCounts[index] = (observedCounts[index] ?? 0) + 1;
      totalsMs[index] = (totalsMs[index] ?? 0) + duration;
      if (duration > (maximaMs[index] ?? 0)) maximaMs[index] = duration;
      ranks.count(index, duration);
      this.cover(index, begin, duration);
    }
  }

  /** Second pass over the same rows. */
  collect(fromRow: number, toRow: number): void {
    const { durationMs, database } = this.columns;
    for (let row = fromRow; row < toRow; row++) {
      if (this.isCounted(row, false)) this.ranks.collect(database[row] ?? 0, durationMs[row] ?? 0);
    }
  }

  /** After the first pass: what the databases cover whose begins are not in order, from their own rows put in order. */
  *measureDisordered(): Steps<void> {
    const { columns, counts, disordered } = this;
    const starts = new Float64Array(this.databases + 1);
    for (let i = 0; i < this.databases; i++) starts[i + 1] = (starts[i] ?? 0) + (disordered[i] === 1 ? (counts[i] ?? 0) : 0);
    const rows = starts[this.databases] ?? 0;
    if (rows === 0) return;
    const [begins, ends, next] = [new Float64Array(rows), new Float64Array(rows), starts.slice()];
    for (let row = 0; row < columns.rows; row++) {
      if (row % ROWS_A_STEP === 0) yield;
      const index = columns.database[row] ?? 0;
      if (disordered[index] !== 1 || !this.isCounted(row, false)) continue;
      const place = next[index] ?? 0;
      next[index] = place + 1;
      begins[place] = columns.beginUtcMs[row] ?? 0;
      ends[place] = (begins[place] ?? 0) + (columns.durationMs[row] ?? 0);
    }
    for (let index = 0; index < this.databases; index++) {
      if (disordered[index] !== 1) continue;
      const part = [starts[index] ?? 0, starts[index + 1] ?? 0] as const;
      this.coveredMs[index] = measureUnion(begins.subarray(...part), ends.subarray(...part), this.pieces);
      yield;
    }
  }

  /** After both passes. */
  sum(database: number): StatisticsSums {
    return {
      database,
      count: this.counts[database] ?? 0,
      observedCount: this.observedCounts[database] ?? 0,
      totalMs: this.totalsMs[database] ?? 0,
      maximumMs: this.maximaMs[database] ?? 0,
      coveredMs: this.coveredMs[database] ?? 0,
      ranks: PERCENTS.map((_, position) => this.ranks.pick(database, position)),
    };
  }

  private isCounted(row: number, isFirstPass: boolean): boolean {
    const { columns, window, isAcrossGap } = this;
    const begin = columns.beginUtcMs[row] ?? 0;
    if (!(begin >= window.beginUtcMs && begin < window.endUtcMs) || (columns.database[row] ?? 0) >= this.databases) return false;
    if (isAcrossGap === null || !isAcrossGap(begin, begin + (columns.durationMs[row] ?? 0))) return true;
    if (isFirstPass) this.acrossGaps++;
    return false;
  }

  private cover(index: number, begin: number, durationMs: number): void {
    const { lastBegins, lastEnds, observedBefore } = this;
    if (begin < (lastBegins[index] ?? 0)) this.disordered[index] = 1;
    else lastBegins[index] = begin;
    const from = Math.max(begin, lastEnds[index] ?? 0);
    const end = begin + durationMs;
    if (end <= from) return;
    lastEnds[index] = end;
    this.coveredMs[index] = (this.coveredMs[index] ?? 0) + observedBefore(end) - observedBefore(from);
  }
}
