import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GapKind } from '../../../src/core/session/gap';
import { measureCoverage } from '../../../src/core/statistics/coverage';
import { RunningStatistics } from '../../../src/core/statistics/running-statistics';
import {
  computeStatistics,
  findHeavyDatabases,
  type StatisticsSet,
} from '../../../src/core/statistics/statistics';
import { finishSteps } from '../../../src/core/steps';
import { isAcrossGap, columnsOf, observe, type Row } from './columns';
import { forAll } from '../../for-all';
import { anyRows } from '../timeline/columns-of';

const HOUR = 3_600_000;
const ALWAYS = { beginUtcMs: -Infinity, endUtcMs: Infinity };
const KINDS: readonly GapKind[] = ['session stopped', 'events lost'];

function compute(
  rows: readonly Row[],
  databases: number,
  window = ALWAYS,
  observation = observe(0, 1e12),
): StatisticsSet {
  return finishSteps(computeStatistics(columnsOf(...rows), databases, window, observation));
}

describe('statistics', () => {
  it('equal figures computed one by one and millisecond by millisecond, for any columns, window and gaps', () => {
    const time = fc.integer({ min: 0, max: 120 });
    const cases = fc.record({
      rows: anyRows(120, 40, 4),
      window: fc.tuple(time, time),
      observed: fc.tuple(time, time),
      gaps: fc.array(fc.tuple(time, time, fc.constantFrom(...KINDS)), { maxLength: 4 }),
    });
    forAll(cases, 1000, ({ rows, window: [windowBegin, windowEnd], observed: [from, to], gaps }) => {
      const window = { beginUtcMs: windowBegin, endUtcMs: windowEnd };
      const { databases, coverage, acrossGaps } = compute(rows, 4, window, observe(from, to, ...gaps));
      const isIn = (ms: number, some: typeof gaps): boolean => some.some(([a, b]) => ms >= a && ms < b);
      const whole = Array.from({ length: 121 }, (_, ms) => ms).filter(
        (ms) => ms >= windowBegin && ms < windowEnd,
      );
      const watched = whole.filter((ms) => ms >= from && ms < to);
      const observed = watched.filter((ms) => !isIn(ms, gaps));
      const { observedMs, gapMs, unwatchedMs } = coverage;
      assert.deepEqual(
        [observedMs, gapMs + observedMs, (unwatchedMs ?? 0) + watched.length],
        [observed.length, watched.length, whole.length],
      );
      const tallies = KINDS.map((kind) => {
        const mine = gaps.filter((gap) => gap[2] === kind && watched.some((ms) => isIn(ms, [gap])));
        return { kind, count: mine.length, gapMs: watched.filter((ms) => isIn(ms, mine)).length };
      });
      if (watched.length > 0)
        assert.deepEqual(
          coverage.gaps,
          tallies.filter(({ count }) => count > 0),
        );
      const isAcross = (row: Row): boolean => isAcrossGap(row, gaps);
      const begun = rows.filter(([begin]) => begin >= windowBegin && begin < windowEnd);
      assert.equal(acrossGaps, begun.filter(isAcross).length);
      for (const one of databases) {
        const mine = begun.filter((row) => !isAcross(row) && row[2] === one.database);
        const durations = mine.map(([, duration]) => duration).sort((a, b) => a - b);
        const total = durations.reduce((sum, duration) => sum + duration, 0);
        const least = (percent: number): number | null =>
          durations.find(
            (value) => durations.filter((other) => other <= value).length * 100 >= percent * durations.length,
          ) ?? null;
        const reaching = rows.filter((row) => !isAcross(row) && row[2] === one.database);
        const busy = observed.filter((ms) =>
          reaching.some(([begin, duration]) => ms >= begin && ms < begin + duration),
        );
        assert.deepEqual(one, {
          database: one.database,
          count: mine.length,
          perHour:
            observed.length === 0
              ? null
              : mine.filter(([begin]) => observed.includes(begin)).length / (observed.length / HOUR),
          averageMs: mine.length === 0 ? null : total / mine.length,
          p50Ms: least(50),
          p95Ms: least(95),
          p99Ms: least(99),
          maximumMs: durations[durations.length - 1] ?? null,
          totalMs: total,
          share: observed.length === 0 ? null : busy.length / observed.length,
        });
      }
    });
  });

  it('say nothing of time that was not watched in a window without bounds', () => {
    assert.deepEqual(measureCoverage(ALWAYS, observe(5, 5)), {
      observedMs: 0,
      gapMs: 0,
      unwatchedMs: null,
      gaps: [],
    });
  });
});

/** Exact ranks, greatest and sum of the durations of each database, found by sorting. */
function sortAll(rows: readonly Row[], databases: readonly number[]): readonly unknown[] {
  return databases.map((database) => {
    const sorted = rows
      .flatMap(([, duration, of]) => (of === database ? [duration] : []))
      .sort((a, b) => a - b);
    const ranks = [50, 95, 99, 100].map(
      (percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null,
    );
    return [...ranks, sorted.reduce((sum, duration) => sum + duration, 0)];
  });
}

function ranksOf({ databases }: StatisticsSet, wanted: readonly number[]): readonly unknown[] {
  return wanted.map((database) => {
    const one = databases[database];
    return [one?.p50Ms, one?.p95Ms, one?.p99Ms, one?.maximumMs, one?.totalMs];
  });
}

describe('Ranks, greatest and sum of durations', () => {
  it('are those of the sorted durations, of any size up to 49 days, computed at once and as they come', () => {
    const duration = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 60, max: 70 }),
      fc.integer({ min: 65_500, max: 65_600 }),
      fc.integer({ min: 0, max: 4_294_967_295 }),
      fc.constantFrom(127, 128, 65_535, 65_536, 2_147_483_647, 2_147_483_648, 4_294_967_295),
    );
    const given = fc.array(fc.tuple(fc.nat(2), duration), { maxLength: 200, size: 'max' });
    forAll(fc.tuple(given, fc.integer({ min: 7, max: 60 })), 300, ([pairs, every]) => {
      const rows = pairs.map(([database, ms], at): Row => [at, ms, database]);
      assert.deepEqual(ranksOf(compute(rows, 3), [0, 1, 2]), sortAll(rows, [0, 1, 2]));
      const running = new RunningStatistics();
      for (let to = 0; to < rows.length + every; to += every) {
        const columns = columnsOf(...rows.slice(0, to));
        const scope = {
          columns,
          generation: 1,
          databases: 3,
          observation: observe(0, 1e12),
          automatic: new Set<number>(),
        };
        assert.deepEqual(
          ranksOf(finishSteps(running.refresh(scope)), [0, 1, 2]),
          sortAll(rows.slice(0, to), [0, 1, 2]),
        );
      }
    });
  });

  it('are so too where databases are many, and of one without a checkpoint there are none', () => {
    for (const databases of [9_000, 65_535]) {
      const wanted = [0, databases - 3, databases - 2, databases - 1];
      const rows = Array.from({ length: 3_000 }, (_, i): Row => [
        i,
        (i * 48_271) % 4_294_967_291,
        databases - 1 - (i % 3),
      ]);
      assert.deepEqual(ranksOf(compute(rows, databases), wanted), sortAll(rows, wanted));
    }
  });

  it('are found among a hundred thousand durations that are close to each other, or equal', () => {
    for (const durationOf of [(i: number) => 2_147_483_648 + ((i * 7919) % 65_536), () => 2_147_483_700]) {
      const rows = Array.from({ length: 100_000 }, (_, i): Row => [i, durationOf(i), 0]);
      assert.deepEqual(ranksOf(compute(rows, 1), [0]), sortAll(rows, [0]));
    }
  });
});

describe('The heavy databases', () => {
  it('are the fewest that make up at least 80 % of the checkpoint time, and none where no time was spent', () => {
    for (const [totalsMs, heavy] of [
      [
        [10, 70, 15, 5],
        [1, 2],
      ],
      [[20, 80], [1]],
      [[0], []],
    ] as const) {
      const rows = totalsMs.map((totalMs, database): Row => [0, totalMs, database]);
      assert.deepEqual(findHeavyDatabases(compute(rows, totalsMs.length).databases), heavy);
    }
  });
});
