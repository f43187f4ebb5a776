import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Gap } from '../../../src/core/session/gap';
import { measureCoverage } from '../../../src/core/statistics/coverage';
import { computeStatistics as stepStatistics, findHeavyDatabases } from '../../../src/core/statistics/statistics';
import { computeStatistics } from '../finished';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, observe } from './columns';

const HOUR = 3_600_000;

describe('statistics', () => {
  it('gives every database its figures, those without checkpoints too', () => {
    const columns = columnsOf([0, 10, 1], [100, 30, 1], [200, 20, 1]);
    const [idle, busy] = computeStatistics(columns, 2, { beginUtcMs: 0, endUtcMs: HOUR }, observe(0, HOUR));
    assert.deepEqual(idle, {
      database: 0,
      count: 0,
      perHour: 0,
      averageMs: null,
      p50Ms: null,
      p95Ms: null,
      p99Ms: null,
      maximumMs: null,
      totalMs: 0,
      share: 0,
    });
    assert.deepEqual(busy, {
      database: 1,
      count: 3,
      perHour: 3,
      averageMs: 20,
      p50Ms: 20,
      p95Ms: 30,
      p99Ms: 30,
      maximumMs: 30,
      totalMs: 60,
      share: 60 / HOUR,
    });
  });

  it('takes percentiles by nearest rank, an observed value', () => {
    const rows = Array.from({ length: 100 }, (_, i) => [i * 1000, 100 - i, 0] as const);
    const [hundred] = computeStatistics(columnsOf(...rows), 1, { beginUtcMs: 0, endUtcMs: HOUR }, observe(0, HOUR));
    assert.deepEqual([hundred?.p50Ms, hundred?.p95Ms, hundred?.p99Ms, hundred?.maximumMs], [50, 95, 99, 100]);
    const [four] = computeStatistics(columnsOf(...rows.slice(0, 4)), 1, { beginUtcMs: 0, endUtcMs: HOUR }, observe(0, HOUR));
    assert.deepEqual([four?.p50Ms, four?.p95Ms], [98, 100]);
    const [one] = computeStatistics(columnsOf([0, 7, 0]), 1, { beginUtcMs: 0, endUtcMs: HOUR }, observe(0, HOUR));
    assert.deepEqual([one?.p50Ms, one?.p99Ms], [7, 7]);
  });

  it('counts a checkpoint in the window it begins in, whole', () => {
    const columns = columnsOf([-5, 100, 0], [0, 10, 0], [990, 500, 0], [1000, 70, 0]);
    const [only] = computeStatistics(columns, 1, { beginUtcMs: 0, endUtcMs: 1000 }, observe(0, 5000));
    assert.deepEqual([only?.count, only?.totalMs, only?.maximumMs], [2, 510, 500]);
    // Of the last one, 10 ms lie in the window.
    assert.equal(only?.share, 20 / 1000);
  });

  it('relates rate and share to observed time: window and observation less the gaps, overlapping gaps once', () => {
    const columns = columnsOf([0, HOUR / 2, 0], [HOUR * 3, HOUR / 2, 0]);
    const observation = observe(0, HOUR * 4, [HOUR, HOUR * 2], [HOUR * 1.5, HOUR * 2.5], [-HOUR, -1], [HOUR * 9, HOUR * 10], [HOUR, HOUR]);
    const [only] = computeStatistics(columns, 1, { beginUtcMs: -Infinity, endUtcMs: Infinity }, observation);
    assert.equal(only?.perHour, 2 / 2.5);
    assert.equal(only?.share, 1 / 2.5);
  });

  it('has no checkpoint in any figure that touches time in which single events were lost', () => {
    const columns = columnsOf([0, 100, 0], [50, 49, 0], [300, 10, 0], [900, 10, 0], [901, 10, 0]);
    const lost: Gap = { kind: 'events lost', beginUtcMs: 100, endUtcMs: 900, reason: 'lost' };
    const set = finishSteps(stepStatistics(columns, 1, { beginUtcMs: 0, endUtcMs: 1000 }, { ...observe(0, 1000), gaps: [lost] }));
    assert.deepEqual([set.acrossGaps, set.databases[0]?.count, set.databases[0]?.totalMs], [3, 2, 59]);
  });

  it('has no checkpoint in any figure that a whole gap lies inside of, and says how many those are', () => {
    const columns = columnsOf([0, 1000, 0], [150, 850, 0], [40, 60, 0], [950, 20, 1]);
    const window = { beginUtcMs: 0, endUtcMs: 1000 };
    const observation = observe(0, 1000, [100, 900, 'failover'], [500, 500]);
    const set = finishSteps(stepStatistics(columns, 2, window, observation));
    assert.equal(set.acrossGaps, 1);
    assert.deepEqual(
      set.databases.map(({ count, totalMs, share }) => [count, totalMs, share]),
      [
        [2, 910, 160 / 200],
        [1, 20, 20 / 200],
      ],
    );
  });

  it('says with the figures what was seen of the window, and which gaps lie in it', () => {
    const observation = observe(100, 1100, [0, 200], [150, 250], [1000, 1400], [600, 600]);
    const gaps: Gap[] = [...observation.gaps, { kind: 'server restarted', beginUtcMs: 240, endUtcMs: 260, reason: 'restarted' }];
    const window = { beginUtcMs: 0, endUtcMs: 2000 };
    const { coverage } = finishSteps(stepStatistics(columnsOf(), 0, window, { ...observation, gaps }));
    assert.deepEqual(coverage, {
      observedMs: 740,
      gapMs: 260,
      unwatchedMs: 1000,
      gaps: [
        { kind: 'session stopped', count: 3, gapMs: 250 },
        { kind: 'server restarted', count: 1, gapMs: 20 },
      ],
    });
    const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };
    assert.equal(measureCoverage(always, observation).unwatchedMs, null);
    assert.deepEqual(measureCoverage(always, observe(5, 5)), { observedMs: 0, gapMs: 0, unwatchedMs: null, gaps: [] });
  });

  it('gives no rate and no share where no time was observed', () => {
    const columns = columnsOf([10, 5, 0]);
    for (const observation of [observe(0, 0), observe(2000, 3000), observe(0, 1000, [0, 1000])]) {
      const window = { beginUtcMs: 0, endUtcMs: 1000 };
      const [only] = computeStatistics(columns, 1, window, observation);
      assert.deepEqual([only?.count, only?.perHour, only?.share, only?.averageMs], [1, null, null, 5]);
    }
  });

  it('sums durations beyond 32 bits', () => {
    const [only] = computeStatistics(columnsOf([0, 4294967295, 0], [1, 4294967295, 0]), 1, { beginUtcMs: 0, endUtcMs: 99 }, observe(0, 99));
    assert.deepEqual([only?.totalMs, only?.maximumMs, only?.share], [8589934590, 4294967295, 1]);
  });

  it('equals figures computed one by one, for any columns, window and gaps', () => {
    const time = fc.integer({ min: 0, max: 120 });
    const cases = fc.record({
      rows: fc.array(fc.tuple(time, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3 })), { maxLength: 60 }),
      window: fc.tuple(time, time),
      observed: fc.tuple(time, time),
      gaps: fc.array(fc.tuple(time, time), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(cases, ({ rows, window: [windowBegin, windowEnd], observed: [from, to], gaps }) => {
        const window = { beginUtcMs: windowBegin, endUtcMs: windowEnd };
        const statistics = computeStatistics(columnsOf(...rows), 4, window, observe(from, to, ...gaps));
        const isObserved = (ms: number): boolean =>
          ms >= windowBegin && ms < windowEnd && ms >= from && ms < to && !gaps.some(([a, b]) => ms >= a && ms < b);
        const milliseconds = Array.from({ length: 121 }, (_, ms) => ms).filter(isObserved);
        const isAcross = (begin: number, end: number): boolean => gaps.some(([a, b]) => a < b && begin < b && b <= end);
        const counted = rows.filter(([begin, ms]) => begin >= windowBegin && begin < windowEnd && !isAcross(begin, begin + ms));
        const shareOf = (some: typeof rows): number | null =>
          milliseconds.length === 0
            ? null
            : milliseconds.filter((ms) => some.some(([begin, duration]) => ms >= begin && ms < begin + duration)).length /
              milliseconds.length;
        for (const one of statistics) {
          const mine = counted.filter(([, , database]) => database === one.database);
          const durations = mine.map(([, duration]) => duration).sort((a, b) => a - b);
          const total = durations.reduce((sum, duration) => sum + duration, 0);
          const least = (percent: number): number | null =>
            durations.find((value) => durations.filter((other) => other <= value).length * 100 >= percent * durations.length) ?? null;
          assert.deepEqual(one, {
            database: one.database,
            count: mine.length,
            perHour: milliseconds.length === 0 ? null : mine.filter(([begin]) => isObserved(begin)).length / (milliseconds.length / HOUR),
            averageMs: mine.length === 0 ? null : total / mine.length,
            p50Ms: least(50),
            p95Ms: least(95),
            p99Ms: least(99),
            maximumMs: durations[durations.length - 1] ?? null,
            totalMs: total,
            share: shareOf(mine),
          });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('The heavy databases', () => {
  /** Of databases whose checkpoints took these times in all. */
  const findHeavy = (...totalsMs: readonly number[]): readonly number[] => {
    const rows = totalsMs.map((totalMs, database) => [0, totalMs, database] as const);
    return findHeavyDatabases(computeStatistics(columnsOf(...rows), totalsMs.length, { beginUtcMs: 0, endUtcMs: HOUR }, observe(0, HOUR)));
  };

  it('are the fewest that make up at least 80 % of the checkpoint time', () => {
    assert.deepEqual(findHeavy(10, 70, 15, 5), [1, 2]);
  });

  it('are none where no time was spent', () => {
    assert.deepEqual(findHeavy(0), []);
  });
});
