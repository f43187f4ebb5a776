import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';

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

export interface TimeWindow {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}
