import assert from 'node:assert/strict';
import { BEGIN_UTC_MS, DAY_MS, changeAt, compare, createDraw, generateBlocks, type Disorder } from '../statistics/generated-history';

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
  it('raise no alarm in any measure', () => {
    const databases = Array.from({ length: DATABASES }, (_, i) => ({
      name: `Database ${i}`,
      changes: [changeAt(BEGIN_UTC_MS + 7 * DAY_MS)],
      blocks: generateBlocks(createDraw(10_000 + i), DISORDERS[i % DISORDERS.length] ?? DISORDERS[0]!, 14, 7),
    }));
    const { changes } = compare(databases);
    // All of them changed at once, so they are compared together as well.
    assert.equal(changes.length, DATABASES + 1);
    assert.ok(changes.every(({ measures }) => measures[0]?.pairs === 7));
    const alarms = changes.flatMap(({ name, measures }) =>
      measures
        .filter(({ conclusion }) => conclusion.kind === 'rose' || conclusion.kind === 'fell')
        .map(({ measure }) => `${name}: ${measure.title}`),
    );
    assert.deepEqual(alarms, []);
    // What is calm enough is said to be unchanged, not left open.
    assert.ok(changes.filter(({ conclusion }) => conclusion.kind === 'no difference').length > 10);
  });
});
