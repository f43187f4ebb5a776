import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { findObservedPieces, measureUnion, sumPieces, type TimePieces } from './observed-time';

/**
 * Figures of one database's checkpoints in one window. A checkpoint belongs to the window it begins in.
 * pNN is the nearest rank, an observed value (PERCENTILE_DISC). Durations in milliseconds; all of them null where there is no checkpoint.
 */
export interface CheckpointStatistics {
  /** Index into the capture's list of databases. */
  readonly database: number;
  readonly count: number;
  /** Checkpoints per observed hour; null where no time was observed. */
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

/** Half-open. */
export interface TimeWindow {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * The figures of every database of the capture, in index order, those without a checkpoint in the window too. Total and durations are those
 * of whole checkpoints; for the share, the part of an interval outside the window, the observation or inside a gap is cut off, so that it
 * never exceeds 1. Average is the exact sum over the count, not rounded.
 */
export function computeStatistics(
  columns: CheckpointColumns,
  databases: number,
  window: TimeWindow,
  observation: Observation,
): CheckpointStatistics[] {
  const pieces = findObservedPieces(window, observation);
  const observedMs = sumPieces(pieces);
  const groups = groupByDatabase(columns, databases, window);
  const statistics: CheckpointStatistics[] = [];
  for (let database = 0; database < databases; database++) {
    const from = groups.starts[database] ?? 0;
    const to = groups.starts[database + 1] ?? from;
    const begins = groups.begins.subarray(from, to);
    const ends = groups.ends.subarray(from, to);
    statistics.push(describeDatabase(database, begins, ends, groups.durations.subarray(from, to), pieces, observedMs));
  }
  return statistics;
}

/** Observed time of the window in milliseconds: window and observation in common, less the gaps. */
export function measureObserved(window: TimeWindow, observation: Observation): number {
  return sumPieces(findObservedPieces(window, observation));
}

/**
 * Share of the observed time in which at least one checkpoint was running, 0 to 1; null where no time was observed.
 * Automatic checkpoints queue on one task (docs/facts.md, SQL Server 1): over the databases that use them, this is how busy that task was. An
 * estimate: databases that were not tracked are missing from it, and manual and backup checkpoints, which run elsewhere, are in it.
 * @param databases indexes to look at; all where absent
 */
export function computeBusyShare(
  columns: CheckpointColumns,
  window: TimeWindow,
  observation: Observation,
  databases?: ReadonlySet<number>,
): number | null {
  const pieces = findObservedPieces(window, observation);
  const observedMs = sumPieces(pieces);
  if (observedMs === 0) return null;
  const { rows, beginUtcMs, durationMs, database } = columns;
  const begins = new Float64Array(rows);
  const ends = new Float64Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const begin = beginUtcMs[row] ?? 0;
    if (begin < window.beginUtcMs || begin >= window.endUtcMs) continue;
    if (databases !== undefined && !databases.has(database[row] ?? 0)) continue;
    begins[count] = begin;
    ends[count++] = begin + (durationMs[row] ?? 0);
  }
  return measureUnion(begins.subarray(0, count), ends.subarray(0, count), pieces) / observedMs;
}

/** The databases that had checkpoints, the longest total first; the longer maximum, then the lower index on a tie. */
export function rankOffenders(statistics: readonly CheckpointStatistics[]): CheckpointStatistics[] {
  return statistics
    .filter((one) => one.count > 0)
    .sort((a, b) => b.totalMs - a.totalMs || (b.maximumMs ?? 0) - (a.maximumMs ?? 0) || a.database - b.database);
}

interface Groups {
  /** Where each database's rows begin; one more at the end. */
  readonly starts: Uint32Array;
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  readonly durations: Uint32Array;
}

/** Counting sort by database of the rows that begin in the window. */
function groupByDatabase(columns: CheckpointColumns, databases: number, window: TimeWindow): Groups {
  const { rows, beginUtcMs, durationMs, database } = columns;
  const starts = new Uint32Array(databases + 1);
  for (let row = 0; row < rows; row++) {
    const begin = beginUtcMs[row] ?? 0;
    const index = database[row] ?? 0;
    if (index < databases && begin >= window.beginUtcMs && begin < window.endUtcMs) starts[index + 1] = (starts[index + 1] ?? 0) + 1;
  }
  for (let i = 1; i <= databases; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const count = starts[databases] ?? 0;
  const groups = { starts, begins: new Float64Array(count), ends: new Float64Array(count), durations: new Uint32Array(count) };
  const next = starts.slice();
  for (let row = 0; row < rows; row++) {
    const begin = beginUtcMs[row] ?? 0;
    const index = database[row] ?? 0;
    if (index >= databases || begin < window.beginUtcMs || begin >= window.endUtcMs) continue;
    const place = next[index] ?? 0;
    next[index] = place + 1;
    groups.begins[place] = begin;
    groups.ends[place] = begin + (durationMs[row] ?? 0);
    groups.durations[place] = durationMs[row] ?? 0;
  }
  return groups;
}

/** Sorts the three arrays in place, each by itself. */
function describeDatabase(
  database: number,
  begins: Float64Array,
  ends: Float64Array,
  durations: Uint32Array,
  pieces: TimePieces,
  observedMs: number,
): CheckpointStatistics {
  const count = durations.length;
  durations.sort();
  let totalMs = 0;
  for (let i = 0; i < count; i++) totalMs += durations[i] ?? 0;
  return {
    database,
    count,
    perHour: observedMs > 0 ? count / (observedMs / HOUR_MS) : null,
    averageMs: count > 0 ? totalMs / count : null,
    p50Ms: pickRank(durations, 50),
    p95Ms: pickRank(durations, 95),
    p99Ms: pickRank(durations, 99),
    maximumMs: durations[count - 1] ?? null,
    totalMs,
    share: observedMs > 0 ? measureUnion(begins, ends, pieces) / observedMs : null,
  };
}

/** Nearest rank: the smallest observed value that at least so many percent of the values do not exceed. */
function pickRank(sorted: Uint32Array, percent: number): number | null {
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;
}
