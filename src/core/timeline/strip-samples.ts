/**
 * Samples of write work for the strips over the lanes: those of the whole instance, as rates and averages of each
 * sample.
 */
import { makeRecord } from '../lists';

export const STRIP_SERIES = [
  'dataWriteMs',
  'logWriteMs',
  'writelogMs',
  'checkpointPagesPerSecond',
  'backgroundWriterPagesPerSecond',
] as const;

/**
 * dataWriteMs, logWriteMs: average latency of a write to data files, to log files; writelogMs: average WRITELOG wait;
 * the others: pages of 8 KB a second.
 */
export type StripSeries = (typeof STRIP_SERIES)[number];

/**
 * Half-open intervals, oldest first, never overlapping. If one does not begin at the end of the one before, nothing was
 * sampled in between.
 */
export interface StripSamples {
  readonly samples: number;
  readonly beginUtcMs: Float64Array;
  readonly endUtcMs: Float64Array;
  /** NaN: could not be observed, or there was nothing to average. */
  readonly values: Readonly<Record<StripSeries, Float32Array>>;
}

/** Joins intervals to samples, in order of time and without overlaps. */
export class StripBuilder {
  private readonly begins: number[] = [];
  private readonly ends: number[] = [];
  private readonly values = STRIP_SERIES.map((): number[] => []);

  /** @param endUtcMs the next interval begins no earlier */
  constructor(private endUtcMs: number) {}

  /** End of the last interval. */
  get toUtcMs(): number {
    return this.endUtcMs;
  }

  /** Nothing may be added before that time. */
  moveTo(utcMs: number): void {
    this.endUtcMs = Math.max(this.endUtcMs, utcMs);
  }

  /**
   * Adds the part of the interval after the last one, unless it is shorter than `leastMs`.
   * @param values in the order of STRIP_SERIES
   */
  add(beginUtcMs: number, endUtcMs: number, values: ArrayLike<number>, leastMs = 0): void {
    const from = Math.max(beginUtcMs, this.endUtcMs);
    if (endUtcMs - from <= leastMs) return;
    this.begins.push(from);
    this.ends.push(endUtcMs);
    for (let at = 0; at < this.values.length; at++) this.values[at]?.push(values[at] ?? NaN);
    this.endUtcMs = endUtcMs;
  }

  end(): StripSamples {
    return {
      samples: this.begins.length,
      beginUtcMs: new Float64Array(this.begins),
      endUtcMs: new Float64Array(this.ends),
      values: makeRecord(STRIP_SERIES, (_, at) => new Float32Array(this.values[at] ?? [])),
    };
  }
}
