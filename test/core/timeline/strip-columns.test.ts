import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createStripColumns, reduceSamples, summarizeSeries } from '../../../src/core/timeline/strip-columns';
import { STRIP_SERIES, type StripSamples, type StripSeries } from '../../../src/core/timeline/strip-samples';

interface Sample {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  readonly value: number;
}

function samplesOf(list: readonly Sample[]): StripSamples {
  const values = Float32Array.from(list, ({ value }) => value);
  return {
    samples: list.length,
    beginUtcMs: Float64Array.from(list, ({ beginUtcMs }) => beginUtcMs),
    endUtcMs: Float64Array.from(list, ({ endUtcMs }) => endUtcMs),
    values: Object.fromEntries(STRIP_SERIES.map((series) => [series, values])) as Record<
      StripSeries,
      Float32Array
    >,
  };
}

/** One after the other, with pauses in which nothing was sampled, and values that could not be observed. */
const samplesArbitrary = fc
  .array(
    fc.tuple(
      fc.constantFrom(0, 0, 0, 50, 700),
      fc.integer({ min: 1, max: 300 }),
      fc.oneof(fc.constant(NaN), fc.nat({ max: 99 })),
    ),
    { maxLength: 50 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(([pause, length, value]): Sample => {
      const beginUtcMs = at + pause;
      at = beginUtcMs + length;
      return { beginUtcMs, endUtcMs: at, value };
    });
  });

describe('Samples reduced to pixel columns', () => {
  it('keep the highest and the lowest value of every column at any zoom, tell what could not be observed, and leave blank what was not sampled', () => {
    fc.assert(
      fc.property(
        samplesArbitrary,
        fc.integer({ min: -200, max: 4000 }),
        fc.constantFrom(1 / 4, 1, 7, 100),
        fc.integer({ min: 1, max: 200 }),
        (list, begin, wide, width) => {
          const samples = samplesOf(list);
          const picture = createStripColumns(width);
          reduceSamples(
            samples,
            samples.values.logWriteMs,
            { beginUtcMs: begin, endUtcMs: begin + wide * width, columns: width },
            picture,
          );
          for (let column = 0; column < width; column++) {
            const [from, to] = [begin + column * wide, begin + (column + 1) * wide];
            const touching = list.filter(({ beginUtcMs, endUtcMs }) => beginUtcMs < to && endUtcMs > from);
            const values = touching.map(({ value }) => value).filter((value) => !Number.isNaN(value));
            assert.equal(picture.samples[column], touching.length, `samples of column ${column}`);
            assert.equal(picture.highest[column], values.length > 0 ? Math.max(...values) : NaN);
            assert.equal(picture.lowest[column], values.length > 0 ? Math.min(...values) : NaN);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are summed up by the highest and the median of those that could be observed', () => {
    assert.deepEqual(summarizeSeries(Float32Array.of(4, NaN, 1, 9, 2)), { highest: 9, median: 2 });
    assert.equal(summarizeSeries(Float32Array.of(NaN, NaN)), null);
  });
});
