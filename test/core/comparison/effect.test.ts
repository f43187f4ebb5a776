import assert from 'node:assert/strict';
import fc from 'fast-check';
import { concludeEffect } from '../../../src/core/comparison/comparison-conclusion';
import {
  estimateEffect,
  LEAST_PAIRS,
  type DayPair,
  type EffectEstimate,
} from '../../../src/core/comparison/effect';

const positive = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
const anything = fc.oneof(fc.constant(0), positive);
const pairsOf = (value: fc.Arbitrary<number>): fc.Arbitrary<DayPair[]> =>
  fc.array(fc.record({ before: value, after: value }), { minLength: LEAST_PAIRS, maxLength: 30 });
const error = fc.constantFrom(0.05, 0.025, 1e-3, 1e-5);

function requireEffect(pairs: readonly DayPair[], miss: number): EffectEstimate {
  return estimateEffect(pairs, miss) ?? assert.fail('no effect');
}

function isNear(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b), 1e-300);
}

describe('an effect', () => {
  it('is never NaN nor infinite, whatever the days were, and lies within its interval', () => {
    fc.assert(
      fc.property(pairsOf(anything), error, (pairs, miss) => {
        const effect = estimateEffect(pairs, miss);
        if (effect === null) return pairs.every(({ before, after }) => before === 0 && after === 0);
        for (const value of Object.values(effect))
          assert.ok(value === null || Number.isFinite(value), JSON.stringify(effect));
        const { ratio, low, high } = effect;
        return ratio === null || (low <= ratio * (1 + 1e-9) && (high === null || high >= ratio * (1 - 1e-9)));
      }),
      { numRuns: 300 },
    );
  });

  it('turns around when before and after are exchanged', () => {
    fc.assert(
      fc.property(pairsOf(fc.double({ min: 0.5, max: 2, noNaN: true })), error, (pairs, miss) => {
        const one = requireEffect(pairs, miss);
        const other = requireEffect(
          pairs.map(({ before, after }) => ({ before: after, after: before })),
          miss,
        );
        return (
          isNear(one.ratio, 1 / (other.ratio ?? NaN)) &&
          (one.high === null || isNear(one.low, 1 / (other.high ?? NaN)))
        );
      }),
    );
  });

  it('has a wider interval the rarer it may miss', () => {
    fc.assert(
      fc.property(pairsOf(anything), (pairs) => {
        const [often, rarely] = [estimateEffect(pairs, 0.05), estimateEffect(pairs, 1e-4)];
        if (often === null || rarely === null) return often === rarely;
        return (
          rarely.low <= often.low * (1 + 1e-9) &&
          (rarely.high === null || (often.high !== null && rarely.high >= often.high * (1 - 1e-9)))
        );
      }),
    );
  });

  it('is there from five pairs of days on, and not where there was nothing on any day', () => {
    const pair = { before: 1, after: 2 };
    assert.equal(estimateEffect(Array<DayPair>(4).fill(pair), 0.05), null);
    assert.equal(estimateEffect(Array<DayPair>(5).fill(pair), 0.05)?.ratio, 2);
    assert.equal(estimateEffect(Array<DayPair>(9).fill({ before: 0, after: 0 }), 0.05), null);
  });

  it('counts what began from nothing, or ended, without a ratio of its own', () => {
    const from = requireEffect(
      [3, 4, 2, 5, 3, 4, 3].map((after) => ({ before: 0, after })),
      0.05,
    );
    assert.deepEqual([from.ratio, from.high, concludeEffect(from, []).kind], [null, null, 'rose']);
    const ended = requireEffect(
      [3, 4, 2, 5, 3, 4, 3].map((before) => ({ before, after: 0 })),
      0.05,
    );
    assert.deepEqual([ended.ratio, ended.low, ended.high, concludeEffect(ended, []).kind], [0, 0, 0, 'fell']);
    const once = requireEffect(
      [0, 0, 0, 4, 0, 0, 0].map((after) => ({ before: 0, after })),
      0.05,
    );
    assert.equal(concludeEffect(once, []).kind, 'cannot tell');
  });

  it('is the textbook interval where neighbouring days are as unlike as can be', () => {
    // Logarithms 0.1, 0.3, 0.1, 0.3 ...: mean 0.2, s = 0.10690, n = 8; measured correlation -0.875 leaves no widening
    // at 95 %.
    const pairs = [1, 3, 1, 3, 1, 3, 1, 3].map((tenths) => ({ before: 1, after: Math.exp(tenths / 10) }));
    const { ratio, low, high } = requireEffect(pairs, 0.05);
    const reach = (2.364624 * 0.106904) / Math.sqrt(8);
    assert.ok(isNear(ratio, Math.exp(0.2)));
    assert.ok(
      Math.abs(low - Math.exp(0.2 - reach)) < 1e-5 && Math.abs((high ?? 0) - Math.exp(0.2 + reach)) < 1e-5,
    );
  });

  it('is "no difference" only where the whole interval lies within the margin', () => {
    const effect = (low: number, ratio: number, high: number): EffectEstimate => ({
      ratio,
      low,
      high,
      before: 1,
      after: ratio,
      confidence: 0.95,
    });
    assert.deepEqual(concludeEffect(effect(0.95, 1, 1.05), []).kind, 'no difference');
    assert.deepEqual(concludeEffect(effect(0.7, 1, 1.4), []).kind, 'cannot tell');
    assert.deepEqual(concludeEffect(effect(1.02, 1.08, 1.15), []).kind, 'rose');
    // Certain, and too small to speak of.
    assert.deepEqual(concludeEffect(effect(1.01, 1.02, 1.03), []), {
      kind: 'no difference',
      largest: 1.03,
      because: [],
    });
    assert.deepEqual(concludeEffect(effect(1.5, 2, 2.5), ['a doubt']).kind, 'cannot tell');
  });
});
