import assert from 'node:assert/strict';
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
