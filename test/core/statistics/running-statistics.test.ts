import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RunningStatistics, type RunningScope } from '../../../src/core/statistics/running-statistics';
import { RunningRanks, SortedDurations } from '../../../src/core/statistics/running-ranks';
import { computeBusyShare } from '../task/busy-share';
import { computeStatistics } from '../../../src/core/statistics/statistics';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, observe, type Row } from './columns';

const ALWAYS = { beginUtcMs: -Infinity, endUtcMs: Infinity };
const AUTOMATIC = new Set([0, 1]);

function scopeOf(rows: readonly Row[], observation = observe(0, 1e9), generation = 1): RunningScope {
  return { columns: columnsOf(...rows), generation, databases: 3, observation, automatic: AUTOMATIC };
}

function assertSame(running: RunningStatistics, scope: RunningScope): void {
  const { columns, databases, observation, automatic } = scope;
  const whole = finishSteps(computeStatistics(columns, databases, ALWAYS, observation));
  const expected = { ...whole, busyShare: computeBusyShare(columns, ALWAYS, observation, automatic) };
  assert.deepEqual(finishSteps(running.refresh(scope)), expected);
}

describe('running statistics', () => {
  it('equal those of all rows after every refresh, whatever comes late, out of order or with gaps', () => {
    const time = fc.integer({ min: 0, max: 400 });
    const part = fc.record({
      rows: fc.array(fc.tuple(fc.integer({ min: -60, max: 90 }), fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 2 })), {
        maxLength: 8,
      }),
      gap: fc.option(fc.tuple(time, fc.integer({ min: 0, max: 40 })), { freq: 4 }),
      endMs: fc.integer({ min: 0, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const running = new RunningStatistics();
        const rows: Row[] = [];
        const gaps: [number, number][] = [];
        let end = 10;
        parts.forEach(({ rows: some, gap, endMs }, i) => {
          for (const [offset, ms, database] of some) rows.push([Math.max(0, i * 50 + offset), ms, database]);
          if (gap !== null) gaps.push([gap[0], gap[0] + gap[1]]);
          assertSame(running, scopeOf(rows, observe(10, (end += endMs), ...gaps)));
        });
      }),
      { numRuns: 300 },
    );
  });

  it('take only what is new while nothing in the past changes', () => {
    const running = new RunningStatistics();
    const rows: Row[] = [];
    for (let refresh = 0; refresh < 200; refresh++) {
      for (let i = 0; i < 20; i++) rows.push([refresh * 1000 + ((i * 7) % 20) * 45, (i * 37 + refresh) % 90, i % 3]);
      const gaps = refresh < 100 ? [] : ([[99_999.5, 99_999.9]] as const);
      assertSame(running, scopeOf(rows, observe(0, (refresh + 1) * 1000, ...gaps)));
    }
    assert.equal(running.timesAnew, 1);
  });

  it('begin again with another generation, a gap in the past, and databases that are no longer automatic', () => {
    const running = new RunningStatistics();
    const rows: readonly Row[] = [
      [10, 20, 0],
      [50, 20, 1],
    ];
    assertSame(running, scopeOf(rows, observe(0, 1000)));
    assertSame(running, scopeOf(rows.slice(1), observe(0, 1000), 2));
    assertSame(running, scopeOf(rows.slice(1), observe(0, 1000, [55, 60]), 2));
    assertSame(running, { ...scopeOf(rows.slice(1), observe(0, 1000, [55, 60]), 2), automatic: new Set([0]) });
    assert.equal(running.timesAnew, 4);
  });

  it('are right after a refresh that was left before its end', () => {
    const running = new RunningStatistics();
    const rows = Array.from({ length: 100_000 }, (_, i): Row => [i * 10, i % 7, i % 3]);
    assertSame(running, scopeOf(rows.slice(0, 10)));
    const left = running.refresh(scopeOf(rows));
    for (let step = 0; step < 3; step++) assert.equal(left.next().done, false);
    assertSame(running, scopeOf(rows));
  });

  it('hold some three bytes a checkpoint', () => {
    const running = new RunningStatistics();
    const rows = Array.from({ length: 60_000 }, (_, i): Row => [i * 10, (i * 48_271) % 100_003, i % 3]);
    finishSteps(running.refresh(scopeOf(rows)));
    assert.ok(running.bytesHeld / rows.length < 3.5, `${running.bytesHeld / rows.length}`);
  });
});

describe('running ranks', () => {
  it('are those of the sorted durations after every one that is added', () => {
    const duration = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 70_000 }),
      fc.constantFrom(65_535, 65_536, 4_294_967_295),
    );
    fc.assert(
      fc.property(fc.array(duration, { maxLength: 150 }), fc.integer({ min: 1, max: 5 }), (values, every) => {
        const ranks = new RunningRanks([50, 95, 99]);
        assert.deepEqual(ranks.pick(), [null, null, null]);
        values.forEach((value, i) => {
          ranks.add(value);
          if (i % every !== 0) return;
          const sorted = Float64Array.from(values.slice(0, i + 1)).sort();
          assert.deepEqual(
            ranks.pick(),
            [50, 95, 99].map((percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1]),
          );
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('durations in order', () => {
  it('are those of an array that is sorted', () => {
    const duration = fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 65_500, max: 65_600 }),
      fc.integer({ min: 0, max: 4_294_967_295 }),
    );
    fc.assert(
      fc.property(fc.array(duration, { maxLength: 300 }), (values) => {
        const sorted = new SortedDurations();
        values.forEach((value) => sorted.add(value));
        const expected = Float64Array.from(values).sort();
        assert.deepEqual(
          Float64Array.from(sorted.pick(values.map((_, i) => i + 1)), (value) => value ?? NaN),
          expected,
        );
        assert.deepEqual(sorted.pick([values.length + 1]), [null]);
      }),
      { numRuns: 200 },
    );
  });

  it('are so over many splits, whether they rise, fall, repeat or jump', () => {
    const shapes = [(i: number) => i, (i: number) => 40_000 - i, () => 77, (i: number) => (i * 48_271) % 200_003];
    for (const shape of shapes) {
      const values = Float64Array.from({ length: 20_000 }, (_, i) => shape(i));
      const sorted = new SortedDurations();
      for (const value of values) sorted.add(value);
      values.sort();
      for (let rank = 1; rank <= values.length; rank += 97) assert.deepEqual(sorted.pick([rank]), [values[rank - 1]]);
    }
  });
});
