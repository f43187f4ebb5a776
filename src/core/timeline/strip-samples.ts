/** Samples of write work as the strips over the lanes show them: of the whole instance, as rates and averages of each sample. */
export const STRIP_SERIES = [
  'dataWriteMs',
  'logWriteMs',
  'writelogMs',
  'checkpointPagesPerSecond',
  'backgroundWriterPagesPerSecond',
] as const;

/**
 * dataWriteMs, logWriteMs: average latency of a write to data files, to log files; writelogMs: average WRITELOG wait; the others: pages of 8 KB a second.
 */
export type StripSeries = (typeof STRIP_SERIES)[number];

/** Half-open intervals, oldest first, never overlapping; where one does not begin at the end of the one before, nothing was sampled in between. */
export interface StripSamples {
  readonly samples: number;
  readonly beginUtcMs: Float64Array;
  readonly endUtcMs: Float64Array;
  /** NaN: could not be observed, or there was nothing to average. */
  readonly values: Readonly<Record<StripSeries, Float32Array>>;
}
