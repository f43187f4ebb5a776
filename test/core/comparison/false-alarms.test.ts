import assert from 'node:assert/strict';
import type { MeasureComparison } from '../../../src/core/comparison/comparison';
import {
  BEGIN_UTC_MS,
  compare,
  createDraw,
  DAY_MS,
  generateBlocks,
  measureOf,
  type Disorder,
} from '../statistics/generated-history';

/** Without any change: what 300 databases of one server may look like side by side. */
const DISORDERS: readonly Disorder[] = [
  { noise: 0.05, correlation: 0.5 },
  { noise: 0.3, correlation: 0.9 },
  { noise: 0.3, correlation: 0.97 },
  { noise: 0.3, correlation: 0.99 },
  { noise: 0.2, correlation: 0.9, days: 0.3 },
  { noise: 0.2, correlation: 0.5, tails: 0.5 },
  { noise: 0.2, correlation: 0.5, bursts: 0.02 },
  { noise: 0.1, correlation: 0.5, weeklyJob: 50 },
];
const DATABASES = 300;

describe('300 databases to which nothing happened', () => {
  it('raise no alarm in more than 5 of 100 comparisons, and what is calm enough is said to be unchanged', () => {
    const comparisons = Array.from({ length: DATABASES }, (_, i) =>
      compare(
        generateBlocks(createDraw(10_000 + i), DISORDERS[i % DISORDERS.length]!, 14, 7),
        BEGIN_UTC_MS + 7 * DAY_MS,
      ),
    );
    assert.ok(comparisons.every((one) => measureOf(one).pairs === 7));
    const count = (...kinds: readonly string[]): number =>
      comparisons.filter(({ measures }) => measures.some(({ conclusion }) => kinds.includes(conclusion.kind)))
        .length;
    assert.ok(count('rose', 'fell') <= 0.05 * DATABASES, `${count('rose', 'fell')} alarms`);
    assert.ok(count('no difference') > 10);
  });
});

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
