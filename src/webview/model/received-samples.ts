/** The webview's copy of the samples that the strips show. */
import { STRIP_SERIES, type StripSamples, type StripSeries } from '../../core/timeline/strip-samples';
import type { ToWebview } from '../../protocol';

type SamplesMessage = Extract<ToWebview, { type: 'samples' }>;

const EMPTY = new Float32Array(0);

export const NO_SAMPLES: StripSamples = {
  samples: 0,
  beginUtcMs: new Float64Array(0),
  endUtcMs: new Float64Array(0),
  values: Object.fromEntries(STRIP_SERIES.map((series) => [series, EMPTY])) as Record<StripSeries, Float32Array>,
};

/** Takes in one message. Throws a RangeError when the buffers do not hold the number of samples that the message states. */
export function receiveSamples(held: StripSamples, message: SamplesMessage): StripSamples {
  const arrived = readSamples(message);
  if (message.replaces || held.samples === 0) return arrived;
  return {
    samples: held.samples + arrived.samples,
    beginUtcMs: joinFloats(held.beginUtcMs, arrived.beginUtcMs),
    endUtcMs: joinFloats(held.endUtcMs, arrived.endUtcMs),
    values: mapSeries((series) => {
      const joined = new Float32Array(held.samples + arrived.samples);
      joined.set(held.values[series]);
      joined.set(arrived.values[series], held.samples);
      return joined;
    }),
  };
}

function readSamples({ samples, beginUtcMs, endUtcMs, values }: SamplesMessage): StripSamples {
  const fits =
    beginUtcMs.byteLength === samples * 8 && endUtcMs.byteLength === samples * 8 && values.byteLength === samples * 4 * STRIP_SERIES.length;
  if (!fits) throw new RangeError(`${samples} samples came with buffers of another length.`);
  return {
    samples,
    beginUtcMs: new Float64Array(beginUtcMs),
    endUtcMs: new Float64Array(endUtcMs),
    values: mapSeries((series) => new Float32Array(values, STRIP_SERIES.indexOf(series) * samples * 4, samples)),
  };
}

const mapSeries = (make: (series: StripSeries) => Float32Array): Record<StripSeries, Float32Array> =>
  Object.fromEntries(STRIP_SERIES.map((series) => [series, make(series)])) as Record<StripSeries, Float32Array>;

function joinFloats(held: Float64Array, arrived: Float64Array): Float64Array {
  const joined = new Float64Array(held.length + arrived.length);
  joined.set(held);
  joined.set(arrived, held.length);
  return joined;
}
