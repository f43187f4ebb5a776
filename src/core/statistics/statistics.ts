import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type Coverage, measureCoverage } from './coverage';
import { observationOf } from '../capture/unrecorded';
import {
  findObservedPieces,
  sumPieces,
  type TimeWindow,
  createPieceMeter,
  isInPieces,
  measureUnion,
  type TimePieces,
} from './observed-time';
import { DurationRanks } from './duration-ranks';
import { createGapCrossing } from '../session/gap-crossing';
import { HOUR_MS } from '../time';

export type { TimeWindow } from './observed-time';

/** A window of which only some pieces count. */
export interface CountedWindow extends TimeWindow {
  /** Only checkpoints that begin in them count; absent: in all of the window. */
  readonly pieces?: TimePieces;
}

/** Whether a checkpoint that begins there counts in the window. */
export function isCounted({ beginUtcMs, endUtcMs, pieces }: CountedWindow, utcMs: number): boolean {
  return utcMs >= beginUtcMs && utcMs < endUtcMs && (pieces === undefined || isInPieces(pieces, utcMs));
}

/**
 * Figures of one database's checkpoints in one window. A checkpoint belongs to the window it begins in. pNN is the
 * nearest rank, an observed value (PERCENTILE_DISC). Durations are in milliseconds; all of them are null if there is no
 * checkpoint.
 */
export interface CheckpointStatistics {
  /** Index into the capture's list of databases. */
  readonly database: number;
  readonly count: number;
  /** Checkpoints that begin in observed time, per observed hour; null if no time was observed. */
  readonly perHour: number | null;
  readonly averageMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly maximumMs: number | null;
  /** Sum of the durations. */
  readonly totalMs: number;
  /** Union of the checkpoints' intervals over the observed time, 0 to 1; null if no time was observed. */
  readonly share: number | null;
}

/** Seconds in checkpoints of an observed hour; null: no time was observed. */
export const findSecondsAnHour = ({
  perHour,
  averageMs,
}: Pick<CheckpointStatistics, 'perHour' | 'averageMs'>): number | null =>
  perHour === null ? null : (perHour * (averageMs ?? 0)) / 1000;

/** Figures of all databases in one window, and what they rest on. */
export interface StatisticsSet {
  readonly coverage: Coverage;
  /**
   * Checkpoints of the window that are in no figure, because a gap may have made one of the begin of one and the end of
   * another.
   */
  readonly acrossGaps: number;
  /** In index order, including databases without a checkpoint in the window. */
  readonly databases: readonly CheckpointStatistics[];
}

/**
 * The figures of every database of the capture, in steps and in index order, including databases without a checkpoint
 * in the window. Total and durations are those of whole checkpoints. For the share, those that began before the window
 * count too, and the part of a checkpoint outside the window or the observation, or inside a gap, is cut off, so that
 * it never exceeds 1. What a gap may have made of two checkpoints is in no figure. The average is the exact sum over
 * the count, not rounded.
 */
export function* computeStatistics(
  columns: CheckpointColumns,
  databases: number,
  window: CountedWindow,
  observation: Observation,
): Steps<StatisticsSet> {
  const tally = new StatisticsTally(columns, databases, window, observation);
  for (let from = 0; from < columns.rows; from += ROWS_A_STEP, yield)
    tally.count(from, Math.min(columns.rows, from + ROWS_A_STEP));
  tally.ranks.locate(tally.counts);
  yield;
  for (let from = 0; from < columns.rows; from += ROWS_A_STEP, yield)
    tally.collect(from, Math.min(columns.rows, from + ROWS_A_STEP));
  yield* tally.measureDisordered();
  const coverage = measureCoverage(window, observation);
  const observedMsOf = createObservedOf(window, observation, coverage.observedMs);
  const statistics = Array.from({ length: databases }, (_, database) =>
    describeStatistics(tally.sum(database), observedMsOf(database)),
  );
  return { coverage, acrossGaps: tally.acrossGaps, databases: statistics };
}

/** The sums from which the figures of one database are computed; times in milliseconds. */
interface StatisticsSums {
  readonly database: number;
  readonly count: number;
  /** Checkpoints that begin in observed time. */
  readonly observedCount: number;
  readonly totalMs: number;
  readonly maximumMs: number;
  readonly coveredMs: number;
  /** In the order of PERCENTS. */
  readonly ranks: readonly (number | null)[];
}

export function describeStatistics(sums: StatisticsSums, observedMs: number): CheckpointStatistics {
  const { database, count, totalMs } = sums;
  const [p50Ms = null, p95Ms = null, p99Ms = null] = sums.ranks;
  return {
    database,
    count,
    perHour: observedMs > 0 ? sums.observedCount / (observedMs / HOUR_MS) : null,
    averageMs: count > 0 ? totalMs / count : null,
    p50Ms,
    p95Ms,
    p99Ms,
    maximumMs: count > 0 ? sums.maximumMs : null,
    totalMs,
    share: observedMs > 0 ? sums.coveredMs / observedMs : null,
  };
}

/**
 * Gives the observed milliseconds of the window for a database: fewer if the session did not record it throughout.
 * @param wholeMs of all others
 */
export function createObservedOf(
  window: TimeWindow,
  observation: Observation,
  wholeMs: number,
): (database: number) => number {
  const partly = new Set((observation.unrecorded ?? []).map(({ database }) => database));
  return (database) =>
    partly.has(database) ? measureObserved(window, observationOf(observation, database)) : wholeMs;
}

/** Observed milliseconds of the window: what it has in common with the observation, less the gaps. */
export function measureObserved(window: TimeWindow, observation: Observation): number {
  return sumPieces(findObservedPieces(window, observation));
}

/** The ranks that figures show, in percent. */
export const PERCENTS = [50, 95, 99] as const;

/** Sums of each database's checkpoints in one window. Takes two passes over the columns, some rows at a time. */
class StatisticsTally {
  readonly counts: Uint32Array;
  /** Checkpoints that begin in observed time, for the rates. */
  readonly observedCounts: Uint32Array;
  /** Checkpoints that reach into the window, for the shares. */
  readonly reachingCounts: Uint32Array;
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
  /** 1 if begins are not in the order of the rows: then one pass cannot tell what is covered. */
  private readonly disordered: Uint8Array;

  constructor(
    private readonly columns: CheckpointColumns,
    private readonly databases: number,
    private readonly window: CountedWindow,
    observation: Observation,
  ) {
    this.pieces = findObservedPieces(window, observation);
    this.observedBefore = createPieceMeter(this.pieces);
    this.isAcrossGap = createGapCrossing(observation.gaps);
    this.counts = new Uint32Array(databases);
    this.observedCounts = new Uint32Array(databases);
    this.reachingCounts = new Uint32Array(databases);
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
    const { counts, observedCounts, reachingCounts, totalsMs, maximaMs, pieces, ranks } = this;
    const { beginUtcMs, durationMs, database } = this.columns;
    for (let row = fromRow; row < toRow; row++) {
      const index = database[row] ?? 0;
      const begin = beginUtcMs[row] ?? 0;
      const duration = durationMs[row] ?? 0;
      const isIn = isCounted(this.window, begin);
      if (!this.reaches(row)) {
        if (isIn && index < this.databases) this.acrossGaps++;
        continue;
      }
      reachingCounts[index] = (reachingCounts[index] ?? 0) + 1;
      this.cover(index, begin, duration);
      if (!isIn) continue;
      counts[index] = (counts[index] ?? 0) + 1;
      if (isInPieces(pieces, begin)) observedCounts[index] = (observedCounts[index] ?? 0) + 1;
      totalsMs[index] = (totalsMs[index] ?? 0) + duration;
      if (duration > (maximaMs[index] ?? 0)) maximaMs[index] = duration;
      ranks.count(index, duration);
    }
  }

  /** Second pass over the same rows. */
  collect(fromRow: number, toRow: number): void {
    const { beginUtcMs, durationMs, database } = this.columns;
    for (let row = fromRow; row < toRow; row++) {
      if (isCounted(this.window, beginUtcMs[row] ?? 0) && this.reaches(row))
        this.ranks.collect(database[row] ?? 0, durationMs[row] ?? 0);
    }
  }

  /** After the first pass: what is covered by databases whose begins are not in order, from their sorted rows. */
  *measureDisordered(): Steps<void> {
    const { columns, reachingCounts, disordered } = this;
    const starts = new Float64Array(this.databases + 1);
    for (let i = 0; i < this.databases; i++)
      starts[i + 1] = (starts[i] ?? 0) + (disordered[i] === 1 ? (reachingCounts[i] ?? 0) : 0);
    const rows = starts[this.databases] ?? 0;
    if (rows === 0) return;
    const begins = new Float64Array(rows);
    const ends = new Float64Array(rows);
    const next = starts.slice();
    for (let row = 0; row < columns.rows; row++) {
      if (row % ROWS_A_STEP === 0) yield;
      const index = columns.database[row] ?? 0;
      if (disordered[index] !== 1 || !this.reaches(row)) continue;
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

  /** Call after both passes. */
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

  /** Whether it runs in the window, and is no doubtful one. */
  private reaches(row: number): boolean {
    const { columns, window, isAcrossGap } = this;
    const begin = columns.beginUtcMs[row] ?? 0;
    const end = begin + (columns.durationMs[row] ?? 0);
    if (begin >= window.endUtcMs || (begin < window.beginUtcMs && end <= window.beginUtcMs)) return false;
    return (columns.database[row] ?? 0) < this.databases && isAcrossGap?.(begin, end) !== true;
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

/** This share counts as most of the time. */
const MOST = 0.8;

/**
 * Indexes of the fewest databases whose durations add up to at least 80 % of all, the heaviest first; empty if there is
 * no checkpoint time.
 */
export function findHeavyDatabases(statistics: readonly CheckpointStatistics[]): readonly number[] {
  const sorted = statistics
    .filter((figures) => figures.totalMs > 0)
    .sort((a, b) => b.totalMs - a.totalMs || a.database - b.database);
  const totalMs = sorted.reduce((sum, figures) => sum + figures.totalMs, 0);
  const databases: number[] = [];
  let sumMs = 0;
  for (const figures of sorted) {
    if (sumMs >= totalMs * MOST) break;
    databases.push(figures.database);
    sumMs += figures.totalMs;
  }
  return databases;
}
