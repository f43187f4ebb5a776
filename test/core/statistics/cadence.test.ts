import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import { type Cadence, type CadenceSet, describeCadence, LEAST_IN_THIRD } from '../../../src/core/statistics/cadence';
import { finishSteps, type Steps } from '../../../src/core/steps';
import { columnsOf, observe, type Row } from './columns';

const HOUR = 3_600_000;

function describeRows(rows: readonly Row[], observation: Observation): CadenceSet {
  return finishSteps(describeCadence(columnsOf(...rows), 3, { beginUtcMs: -Infinity, endUtcMs: Infinity }, observation));
}

const everyMs = (ms: number, count: number, database = 0): Row[] => Array.from({ length: count }, (_, i): Row => [i * ms, 5, database]);

describe('cadence', () => {
  it('is the intervals between the begins of one database, whatever the order of the rows', () => {
    const rows: readonly Row[] = [
      [900, 5, 1],
      [0, 50, 1],
      [100, 5, 0],
      [300, 5, 1],
      [700, 5, 1],
    ];
    const { databases } = describeRows(rows, observe(0, 1000));
    assert.deepEqual(databases, [
      { database: 0, intervals: 0, medianMs: null, p25Ms: null, p75Ms: null, drift: null },
      { database: 1, intervals: 3, medianMs: 300, p25Ms: 200, p75Ms: 400, drift: null },
    ]);
  });

  it('never has a gap inside of an interval, and says how many it left out for that', () => {
    const rows: readonly Row[] = [
      [100, 5, 0],
      [200, 5, 0],
      [500, 5, 0],
      [600, 5, 0],
      [850, 10, 0],
      [990, 5, 0],
    ];
    const observation = observe(0, 1000, [300, 310], [855, 870, 'events lost']);
    const { acrossGaps, databases, coverage } = describeRows(rows, observation);
    // 850 touches lost events: it may be of two.
    assert.deepEqual([acrossGaps, databases[0]?.intervals, databases[0]?.p75Ms], [2, 2, 100]);
    assert.deepEqual(
      coverage.gaps.map(({ kind, count }) => [kind, count]),
      [
        ['session stopped', 1],
        ['events lost', 1],
      ],
    );
  });

  it('has no drift where it has none, and tells one of a minute that became two', () => {
    const steady = describeRows(everyMs(60_000, 61), observe(0, HOUR)).databases[0]?.drift;
    assert.deepEqual(steady, { firstThirdMs: 60_000, lastThirdMs: 60_000 });
    let at = 0;
    const growing = Array.from({ length: 100 }, (_, i): Row => [(at += 60_000 + 600 * i), 5, 0]);
    const drift = describeRows(growing, observe(0, at + 1)).databases[0]?.drift;
    assert.ok(drift && drift.lastThirdMs > 1.3 * drift.firstThirdMs);
  });

  it('does not take a few outliers for a drift', () => {
    const rows = everyMs(60_000, 301).filter((_, i) => i < 280 || i % 7 !== 0);
    const drift = describeRows(rows, observe(0, 5 * HOUR)).databases[0]?.drift;
    assert.deepEqual(drift, { firstThirdMs: 60_000, lastThirdMs: 60_000 });
  });

  it('says nothing of drift from fewer than five intervals in either third', () => {
    assert.equal(describeRows(everyMs(60_000, 13), observe(0, 720_000)).databases[0]?.drift, null);
    assert.equal(describeRows(everyMs(60_000, 20), observe(0, HOUR)).databases[0]?.drift, null);
  });

  it('has the intervals that are found one by one, for any checkpoints and gaps', () => {
    const time = fc.integer({ min: 0, max: 200 });
    const cases = fc.record({
      rows: fc.array(fc.tuple(time, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 2 })), { maxLength: 25 }),
      gaps: fc.array(fc.tuple(time, time), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(cases, ({ rows, gaps }) => {
        const { databases } = describeRows(rows, observe(10, 190, ...gaps));
        const isSeen = (ms: number): boolean => ms >= 10 && ms < 190 && !gaps.some(([a, b]) => ms >= a && ms < b);
        for (let database = 0; database < 3; database++) {
          const begins = rows
            .filter(([begin, ms, of]) => of === database && isSeen(begin) && !gaps.some(([a, b]) => a < b && begin <= a && b <= begin + ms))
            .map(([begin]) => begin)
            .sort((a, b) => a - b);
          const intervals = begins.slice(1).flatMap((begin, i) => {
            const before = begins[i] ?? 0;
            return Array.from({ length: begin - before }, (_, ms) => before + ms).every(isSeen) ? [begin - before] : [];
          });
          const found = databases.find((one) => one.database === database);
          assert.equal(found?.intervals ?? 0, intervals.length);
          intervals.sort((a, b) => a - b);
          assert.equal(found?.medianMs ?? null, intervals[Math.ceil(intervals.length / 2) - 1] ?? null);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has the quartiles and the drift that sorting everything at once gives, for any checkpoints', () => {
    const cases = fc.record({
      pauses: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 150 }),
      gapAt: fc.integer({ min: 0, max: 6 * HOUR }),
    });
    fc.assert(
      fc.property(cases, ({ pauses, gapAt }) => {
        let at = 0;
        const begins = [0, ...pauses.map((pause) => (at += pause))];
        const endUtcMs = at + 1;
        const rows = begins.map((begin): Row => [begin, 0, 0]);
        const found = describeRows([...rows].reverse(), observe(0, endUtcMs, [gapAt, gapAt + 1])).databases[0];
        const seen = begins.filter((begin) => begin !== gapAt);
        const intervals = seen
          .slice(1)
          .map((begin, i) => ({ at: seen[i] ?? 0, ms: begin - (seen[i] ?? 0) }))
          .filter((one) => !(one.at < gapAt && one.at + one.ms > gapAt));
        assert.deepEqual(found, seen.length === 0 ? undefined : { database: 0, ...describeAtOnce(intervals, endUtcMs) });
      }),
      { numRuns: 200 },
    );
  });

  it('never sorts more than some ten thousand intervals in one step, of one database or of many', () => {
    for (const databases of [1, 40, 3_000]) {
      const rows = 150_000;
      const columns = {
        rows,
        beginUtcMs: Float64Array.from({ length: rows }, (_, row) => row * 1000 + ((row * 7919) % 997)),
        durationMs: new Uint32Array(rows),
        database: Uint16Array.from({ length: rows }, (_, row) => (row * 31) % databases),
      };
      const window = { beginUtcMs: -Infinity, endUtcMs: Infinity };
      const steps = describeCadence(columns, databases, window, observe(0, rows * 1000 + 1000));
      const { most, result } = countSorted(steps);
      assert.ok(most <= 40_000, `${most} numbers in one step`);
      assert.equal(result.databases.length, databases);
      for (const { intervals } of result.databases) assert.equal(intervals, rows / databases - 1);
    }
  });
});

/** All figures but by whole arrays. */
function describeAtOnce(all: readonly { readonly at: number; readonly ms: number }[], endUtcMs: number): Omit<Cadence, 'database'> {
  const rank = (values: readonly number[], percent: number): number | null => {
    return [...values].sort((a, b) => a - b)[Math.ceil((percent * values.length) / 100) - 1] ?? null;
  };
  const median = (values: readonly number[]): number => rank(values, 50) ?? 0;
  const lengths = all.map(({ ms }) => ms);
  const first = all.filter(({ at }) => at < endUtcMs / 3).map(({ ms }) => ms);
  const last = all.filter(({ at }) => at >= endUtcMs - endUtcMs / 3).map(({ ms }) => ms);
  const isTold = first.length >= LEAST_IN_THIRD && last.length >= LEAST_IN_THIRD;
  return {
    intervals: all.length,
    medianMs: rank(lengths, 50),
    p25Ms: rank(lengths, 25),
    p75Ms: rank(lengths, 75),
    drift: isTold ? { firstThirdMs: median(first), lastThirdMs: median(last) } : null,
  };
}

/** How many numbers were sorted in the step that sorted most. */
function countSorted<T>(steps: Steps<T>): { readonly most: number; readonly result: T } {
  const { sort } = Float64Array.prototype;
  let [sorted, most] = [0, 0];
  Float64Array.prototype.sort = function (compare) {
    sorted += this.length;
    return sort.call(this, compare);
  };
  try {
    for (;;) {
      const step = steps.next();
      most = Math.max(most, sorted);
      sorted = 0;
      if (step.done === true) return { most, result: step.value };
    }
  } finally {
    Float64Array.prototype.sort = sort;
  }
}
