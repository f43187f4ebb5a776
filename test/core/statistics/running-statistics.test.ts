import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RunningStatistics, type RunningScope } from '../../../src/core/statistics/running-statistics';
import { computeBusyShare } from '../task/busy-share';
import { computeStatistics } from '../../../src/core/statistics/statistics';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, observe, type Row } from './columns';
import { forAll } from '../../for-all';

const ALWAYS = { beginUtcMs: -Infinity, endUtcMs: Infinity };

function scopeOf(rows: readonly Row[], observation = observe(0, 1e9), generation = 1): RunningScope {
  return { columns: columnsOf(...rows), generation, databases: 3, observation };
}

function assertSame(running: RunningStatistics, scope: RunningScope): void {
  const { columns, databases, observation } = scope;
  const whole = finishSteps(computeStatistics(columns, databases, ALWAYS, observation));
  const expected = { ...whole, busyShare: computeBusyShare(columns, ALWAYS, observation) };
  assert.deepEqual(finishSteps(running.refresh(scope)), expected);
}

describe('running statistics', () => {
  it('equal those of all rows after every refresh, whatever comes late, out of order or with gaps', () => {
    const time = fc.integer({ min: 0, max: 400 });
    const part = fc.record({
      rows: fc.array(
        fc.tuple(
          fc.integer({ min: -60, max: 90 }),
          fc.integer({ min: 0, max: 70 }),
          fc.integer({ min: 0, max: 2 }),
        ),
        { maxLength: 8 },
      ),
      gap: fc.option(fc.tuple(time, fc.integer({ min: 0, max: 40 })), { freq: 4 }),
      endMs: fc.integer({ min: 0, max: 90 }),
    });
    forAll(fc.array(part, { maxLength: 8 }), 300, (parts) => {
      const running = new RunningStatistics();
      const rows: Row[] = [];
      const gaps: [number, number][] = [];
      let end = 10;
      parts.forEach(({ rows: some, gap, endMs }, i) => {
        for (const [offset, ms, database] of some) rows.push([Math.max(0, i * 50 + offset), ms, database]);
        if (gap !== null) gaps.push([gap[0], gap[0] + gap[1]]);
        assertSame(running, scopeOf(rows, observe(10, (end += endMs), ...gaps)));
      });
    });
  });

  it('take only what is new while nothing in the past changes', () => {
    const running = new RunningStatistics();
    const rows: Row[] = [];
    for (let refresh = 0; refresh < 200; refresh++) {
      for (let i = 0; i < 20; i++)
        rows.push([refresh * 1000 + ((i * 7) % 20) * 45, (i * 37 + refresh) % 90, i % 3]);
      const gaps = refresh < 100 ? [] : ([[99_999.5, 99_999.9]] as const);
      assertSame(running, scopeOf(rows, observe(0, (refresh + 1) * 1000, ...gaps)));
    }
    assert.equal(running.timesAnew, 1);
  });

  it('begin again with another generation, and a gap in the past', () => {
    const running = new RunningStatistics();
    const rows: readonly Row[] = [
      [10, 20, 0],
      [50, 20, 1],
    ];
    assertSame(running, scopeOf(rows, observe(0, 1000)));
    assertSame(running, scopeOf(rows.slice(1), observe(0, 1000), 2));
    assertSame(running, scopeOf(rows.slice(1), observe(0, 1000, [55, 60]), 2));
    assert.equal(running.timesAnew, 3);
  });

  it('are right after a refresh that was left before its end', () => {
    const running = new RunningStatistics();
    const rows = Array.from({ length: 100_000 }, (_, i): Row => [i * 10, i % 7, i % 3]);
    assertSame(running, scopeOf(rows.slice(0, 10)));
    const left = running.refresh(scopeOf(rows));
    for (let step = 0; step < 3; step++) assert.equal(left.next().done, false);
    assertSame(running, scopeOf(rows));
  });

  // Parts that were split may stay half full.
  for (const [how, mostBytes, durationOf] of [
    ['rise', 4.1, (i: number) => i],
    ['fall', 4.1, (i: number) => 30_000 - i],
    ['repeat', 4.1, () => 77],
    ['jump', 3.5, (i: number) => (i * 48_271) % 100_003],
  ] as const)
    it(`are right, and hold some three bytes a checkpoint, where durations ${how}`, () => {
      const running = new RunningStatistics();
      const rows = Array.from({ length: 30_000 }, (_, i): Row => [i * 10, durationOf(i), i % 2]);
      for (let to = 2_000; to <= rows.length; to += 5_600) assertSame(running, scopeOf(rows.slice(0, to)));
      assert.ok(running.bytesHeld / rows.length < mostBytes, `${running.bytesHeld / rows.length}`);
    });
});
