import assert from 'node:assert/strict';
import type { MeasureComparison } from '../../../src/core/comparison/comparison';
import {
  BEGIN_UTC_MS,
  compare,
  createDraw,
  DAY_MS,
  generateBlocks,
  measureOf,
} from '../statistics/generated-history';

const WEEK_MS = 7 * DAY_MS;

/**
 * Six weeks on each side of a change; writes are this many times as much from one week to the next, steadily, and this
 * many times as much at the change.
 */
function compareDrift(
  { aWeek, atChange }: { readonly aWeek: number; readonly atChange: number },
  seed = 3,
): MeasureComparison {
  const blocks = generateBlocks(createDraw(seed), { noise: 0.2, correlation: 0.8, days: 0.1 }, 84, 42, {
    writes: atChange,
  }).map((block) => ({
    ...block,
    dataWrittenBytes: Math.round(
      block.dataWrittenBytes * aWeek ** ((block.beginUtcMs - BEGIN_UTC_MS) / WEEK_MS),
    ),
  }));
  return measureOf(compare(blocks, BEGIN_UTC_MS + 6 * WEEK_MS));
}

describe('A slow drift over weeks', () => {
  it('is not called the effect of a change in its middle, whichever way it goes', () => {
    const conclusions = [1.01, 1.02, 0.98].flatMap((aWeek) =>
      [1, 2, 3, 4].map((seed) => compareDrift({ aWeek, atChange: 1 }, seed).conclusion),
    );
    assert.deepEqual(
      conclusions.filter(({ kind }) => kind !== 'cannot tell' && kind !== 'no difference'),
      [],
    );
    assert.ok(
      conclusions.filter(({ because }) => /slow drift/.test(because.join())).length >= 4,
      JSON.stringify(conclusions),
    );
  });

  it('does not hide a change that is much larger, and one without a drift is told as before', () => {
    assert.equal(compareDrift({ aWeek: 1.01, atChange: 1.5 }).conclusion.kind, 'rose');
    assert.equal(compareDrift({ aWeek: 1, atChange: 1.5 }).conclusion.kind, 'rose');
    assert.equal(compareDrift({ aWeek: 1, atChange: 0.6 }).conclusion.kind, 'fell');
  });

  it('that goes the other way is no reason against a change', () => {
    assert.equal(compareDrift({ aWeek: 0.98, atChange: 1.6 }).conclusion.kind, 'rose');
  });
});
