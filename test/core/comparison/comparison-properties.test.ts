import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DatabaseBlock } from '../../../src/core/write-work/block';
import type { Comparison } from '../../../src/core/comparison/comparison';
import type { ComparisonInput } from '../../../src/core/comparison/comparison-figures';
import {
  BEGIN_UTC_MS,
  DAY_MS,
  HOUR_MS,
  compare,
  createDraw,
  generateBlocks,
  measureOf,
} from '../statistics/generated-history';

const CHANGE_UTC_MS = BEGIN_UTC_MS + 7 * DAY_MS + 10 * HOUR_MS;

const disorders = fc.record({
  noise: fc.double({ min: 0, max: 1, noNaN: true }),
  correlation: fc.double({ min: 0, max: 0.99, noNaN: true }),
  tails: fc.constantFrom(0, 0.5),
  bursts: fc.constantFrom(0, 0.05),
  weeklyJob: fc.constantFrom(1, 50),
});
const histories = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  disorder: disorders,
  writes: fc.constantFrom(0.5, 1, 1.3, 3),
  log: fc.constantFrom(1, 1, 2),
});

function generate({
  seed,
  disorder,
  writes,
  log,
}: typeof histories extends fc.Arbitrary<infer History> ? History : never): DatabaseBlock[] {
  return generateBlocks(createDraw(seed), disorder, 16, 7, { writes, log });
}

function compareBlocks(blocks: readonly DatabaseBlock[], rest: Partial<ComparisonInput> = {}): Comparison {
  return compare(blocks, CHANGE_UTC_MS, rest);
}

describe('comparisons of generated histories', () => {
  it('lose blocks, never win any, by time that was not observed; no figure of what lies in it counts', () => {
    const gap = fc.record({
      begin: fc.integer({ min: 0, max: 16 * 96 }),
      length: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(histories, fc.array(gap, { minLength: 1, maxLength: 4 }), (history, gaps) => {
        const blocks = generate(history);
        const isSeen = (at: number): boolean =>
          gaps.every(({ begin, length }) => at < begin || at >= begin + length);
        const cut = compareBlocks(blocks.filter((_, at) => isSeen(at)));
        // Nonsense in blocks that were observed too little is no different from no block.
        const spoilt = blocks.map((block, at) =>
          isSeen(at) ? block : { ...block, observedMs: 0, dataWrittenBytes: 1e15, logWrittenBytes: 1 },
        );
        const [whole, less] = [compareBlocks(blocks), cut].map((one) => measureOf(one));
        assert.ok(less!.blocks <= whole!.blocks && less!.pairs <= whole!.pairs);
        assert.deepEqual(measureOf(compareBlocks(spoilt)), less);
        const backwards = measureOf(compareBlocks([...blocks].reverse()));
        assert.deepEqual(
          [backwards.blocks, backwards.pairs, backwards.conclusion.kind],
          [whole!.blocks, whole!.pairs, whole!.conclusion.kind],
        );
      }),
      { numRuns: 8 },
    );
  });

  it('never answer from hours or weekdays that were not seen on both sides', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 0, max: 23 }), (history, hour) => {
        // Before, only those eight hours of the day; after, only the others.
        const isOfBefore = ({ beginUtcMs }: DatabaseBlock): boolean =>
          (Math.floor(beginUtcMs / HOUR_MS) - hour + 24) % 24 < 8;
        const blocks = generate(history).filter((block) =>
          block.beginUtcMs < CHANGE_UTC_MS ? isOfBefore(block) : !isOfBefore(block),
        );
        const main = measureOf(compareBlocks(blocks));
        assert.deepEqual([main.blocks, main.effect, main.conclusion.kind], [0, null, 'not enough data']);
      }),
      { numRuns: 6 },
    );
  });

  it('are the same in another time zone, and find the same hours when clocks change', () => {
    const blocks = generateBlocks(createDraw(3), { noise: 0.05, correlation: 0.5 }, 16, 7, { writes: 1.5 });
    const kinds = [0, 330, -570].map((offsetMinutes) => {
      const { conclusion, pairs } = measureOf(
        compareBlocks(blocks, { offsets: [{ fromUtcMs: -Infinity, offsetMinutes }] }),
      );
      return [conclusion.kind, pairs];
    });
    assert.deepEqual(kinds, [
      ['rose', 7],
      ['rose', 7],
      ['rose', 7],
    ]);
    // A job at eight o'clock by the server's clock, a thousand times the rest, seen from eight to two: it is on both
    // sides only if hours are the server's own.
    const summerUtcMs = CHANGE_UTC_MS + 6 * HOUR_MS;
    const withJob = generateBlocks(createDraw(3), { noise: 0, correlation: 0, log: 0 }, 16, 7).flatMap(
      (block) => {
        const local = block.beginUtcMs + (block.beginUtcMs >= summerUtcMs ? 2 : 1) * HOUR_MS;
        const hour = Math.floor((local % DAY_MS) / HOUR_MS);
        return hour < 8 || hour >= 14
          ? []
          : [{ ...block, logWrittenBytes: block.logWrittenBytes * (hour === 8 ? 1000 : 1) }];
      },
    );
    const rate = (offsets: ComparisonInput['offsets']): number =>
      compareBlocks(withJob, { offsets }).workload.find(({ id }) => id === 'log rate')!.effect!.ratio!;
    const right = rate([
      { fromUtcMs: -Infinity, offsetMinutes: 60 },
      { fromUtcMs: summerUtcMs, offsetMinutes: 120 },
    ]);
    assert.ok(right > 0.9 && right < 1.1, `${right}`);
    const wrong = rate([{ fromUtcMs: -Infinity, offsetMinutes: 60 }]);
    assert.ok(wrong < 0.1, `${wrong}`);
  });
});
