import assert from 'node:assert/strict';
import type { StripSamples } from '../../../../src/core/timeline/strip-samples';
import { createClock } from '../../../../src/webview/model/clock';
import {
  describeNoScale,
  describeSample,
  summarizeStrips,
} from '../../../../src/webview/timeline/strips/strip-text';

const SECOND_MS = 1000;
const CLOCK = createClock('utc', { utcOffsetMinutes: 0, offsets: [] });

/** Two samples of a second each. */
function samplesOf(checkpoint: readonly number[], background: readonly number[]): StripSamples {
  const none = new Float32Array(2).fill(NaN);
  return {
    samples: 2,
    beginUtcMs: Float64Array.of(0, SECOND_MS),
    endUtcMs: Float64Array.of(SECOND_MS, 2 * SECOND_MS),
    values: {
      dataWriteMs: none,
      logWriteMs: none,
      writelogMs: none,
      checkpointPagesPerSecond: Float32Array.from(checkpoint),
      backgroundWriterPagesPerSecond: Float32Array.from(background),
    },
  };
}

const describePages = (samples: StripSamples): readonly string[] =>
  (describeSample('pages', samples, { beginUtcMs: 0, endUtcMs: 2 * SECOND_MS }, CLOCK, () => NaN) ?? []).map(
    ({ text }) => text,
  );

describe('The scale of a strip', () => {
  const noneOf = (samples: StripSamples, id: 'busy' | 'pages' | 'logWrite'): string | null =>
    describeNoScale(id, samples.samples, summarizeStrips(samples));

  it('is none where nothing was sampled, or where nothing of it could be observed', () => {
    const sampled = samplesOf([500, 20], [1, 900]);
    const nothing = { ...samplesOf([NaN, NaN], [NaN, NaN]), samples: 0 };
    const ofNothing = [noneOf(nothing, 'pages'), noneOf(nothing, 'logWrite'), noneOf(nothing, 'busy')];
    assert.deepEqual(ofNothing, ['not sampled', 'not sampled', null]);
    assert.deepEqual([noneOf(sampled, 'pages'), noneOf(sampled, 'logWrite')], [null, 'not observable']);
  });
});

describe('The card of a strip', () => {
  it('tells of each line the sample that it is drawn by, and when that was where it is another one', () => {
    const lines = describePages(samplesOf([500, 20], [1, 900]));
    assert.equal(lines[1], '500 pages/s');
    assert.match(lines[2]!, /: 900 pages\/s, 1970-01-01 00:00:01\.000 – 00:00:02\.000$/);
    assert.equal(lines[3], '1970-01-01 00:00:00.000 – 00:00:01.000');
  });

  it('says the time once where all lines are drawn by one sample', () => {
    assert.match(describePages(samplesOf([500, 20], [900, 1]))[2]!, /: 900 pages\/s$/);
  });

  it('never takes what could not be observed for the highest', () => {
    assert.match(describePages(samplesOf([500, 20], [NaN, 7]))[2]!, /: 7 pages\/s, /);
    assert.match(
      describePages(samplesOf([500, 20], [NaN, NaN]))[2]!,
      /: not observable, or nothing to average$/,
    );
  });
});
