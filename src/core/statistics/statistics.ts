import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type Coverage, measureCoverage } from './coverage';
import { observationOf } from '../capture/unrecorded';
import { findObservedPieces, sumPieces, type TimeWindow } from './observed-time';
import { StatisticsTally } from './statistics-tally';

export type { TimeWindow } from './observed-time';

/**
 * Figures of one database's checkpoints in one window. A checkpoint belongs to the window it begins in.
 * pNN is the nearest rank, an observed value (PERCENTILE_DISC). Durations in milliseconds; all of them null where there is no checkpoint.
 */
export interface CheckpointStatistics {
  /** Index into the capture's list of databases. */
  readonly database: number;
  readonly count: number;
  /** Checkpoints that begin in observed time, per observed hour; null where no time was observed. */
  readonly perHour: number | null;
  readonly averageMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly maximumMs: number | null;
  /** Sum of the durations. */
  readonly totalMs: number;
  /** Union of the checkpoints' intervals over the observed time, 0 to 1; null where no time was observed. */
  readonly share: number | null;
}

/** Figures of all databases in one window, and what they rest on. */
export interface StatisticsSet {
  readonly coverage: Coverage;
  /** Checkpoints of the window that are in no figure because a gap may have made them of the begin of one and the end of another. */
  readonly acrossGaps: number;
  /** In index order, those without a checkpoint in the window too. */
  readonly databases: readonly CheckpointStatistics[];
}

const HOUR_MS = 3_600_000;

/**
 * In steps. The figures of every database of the capture, in index order, those without a checkpoint in the window too. Total and durations are those
 * of whole checkpoints; for the share, the part of an interval outside the window, the observation or inside a gap is cut off, so that it
 * never exceeds 1. What a gap may have made of two checkpoints is in no figure. Average is the exact sum over the count, not rounded.
 */
export function* computeStatistics(
  columns: CheckpointColumns,
  databases: number,
  window: TimeWindow,
  observation: Observation,
): Steps<StatisticsSet> {
  const tally = new StatisticsTally(columns, databases, window, observation);
  for (let from = 0; from < columns.rows; from += ROWS_A_STEP, yield) tally.count(from, Math.min(columns.rows, from + ROWS_A_STEP));
  tally.ranks.locate(tally.counts);
  yield;
  for (let from = 0; from < columns.rows; from += ROWS_A_STEP, yield) tally.collect(from, Math.min(columns.rows, from + ROWS_A_STEP));
  yield* tally.measureDisordered();
  const coverage = measureCoverage(window, observation);
  const observedMsOf = createObservedOf(window, observation, coverage.observedMs);
  const statistics = Array.from({ length: databases }, (_, database) => describeStatistics(tally.sum(database), observedMsOf(database)));
  return { coverage, acrossGaps: tally.acrossGaps, databases: statistics };
}

/** The sums that figures of one database are made of; times in milliseconds. */
export interface StatisticsSums {
  readonly database: number;
  readonly count: number;
  /** Those that begin in observed time. */
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

/** Observed time of the window in milliseconds for a database: less where the session did not record it throughout. @param wholeMs of all others */
export function createObservedOf(window: TimeWindow, observation: Observation, wholeMs: number): (database: number) => number {
  const partly = new Set((observation.unrecorded ?? []).map(({ database }) => database));
  return (database) => (partly.has(database) ? measureObserved(window, observationOf(observation, database)) : wholeMs);
}

/** Observed time of the window in milliseconds: window and observation in common, less the gaps. */
export function measureObserved(window: TimeWindow, observation: Observation): number {
  return sumPieces(findObservedPieces(window, observation));
}
