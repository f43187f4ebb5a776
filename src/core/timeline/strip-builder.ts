import { STRIP_SERIES, type StripSamples, type StripSeries } from './strip-samples';

/** Puts intervals together to samples: in order of time, none over another. */
export class StripBuilder {
  private readonly begins: number[] = [];
  private readonly ends: number[] = [];
  private readonly values = STRIP_SERIES.map((): number[] => []);

  /** @param toUtcMs where the next interval may begin */
  constructor(private endUtcMs: number) {}

  /** End of the last interval. */
  get toUtcMs(): number {
    return this.endUtcMs;
  }

  /** Nothing is to lie before that time. */
  moveTo(utcMs: number): void {
    this.endUtcMs = Math.max(this.endUtcMs, utcMs);
  }

  /** What of the interval lies behind the last one; nothing where that is less than `leastMs`. @param values in the order of STRIP_SERIES */
  add(beginUtcMs: number, endUtcMs: number, values: ArrayLike<number>, leastMs = 0): void {
    const from = Math.max(beginUtcMs, this.endUtcMs);
    if (endUtcMs - from <= leastMs) return;
    this.begins.push(from);
    this.ends.push(endUtcMs);
    for (let at = 0; at < this.values.length; at++) this.values[at]?.push(values[at] ?? NaN);
    this.endUtcMs = endUtcMs;
  }

  end(): StripSamples {
    const series = STRIP_SERIES.map((name, at) => [name, new Float32Array(this.values[at] ?? [])] as const);
    return {
      samples: this.begins.length,
      beginUtcMs: new Float64Array(this.begins),
      endUtcMs: new Float64Array(this.ends),
      values: Object.fromEntries(series) as unknown as Record<StripSeries, Float32Array>,
    };
  }
}
