import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import { packCaller } from '../../../src/core/events/event-register';
import type { Gap } from '../../../src/core/session/gap';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import { BusyBins, createBusyColumns, type BusyColumns } from '../../../src/core/timeline/busy-bins';
import type { BusyScope } from '../../../src/core/timeline/busy-sweep';
import type { PixelView } from '../../../src/core/timeline/pixel-grid';
import { anyRows, columnsOf, indexOf, type Row } from './columns-of';
import { forAll } from '../../for-all';
import { gapOf } from '../gap-of';

const AUTOMATIC = findAutomaticTime(
  new Map([
    [0, 0],
    [1, 0],
    [2, 60],
    [3, 60],
  ]),
  // The last one was automatic until 1,000.
  new Map([
    [3, [{ atUtcMs: 1000, notBeforeUtcMs: 1000, source: 'error log', fromSeconds: 0, toSeconds: 60 }]],
  ]),
);

const restart = (beginUtcMs: number, endUtcMs: number) => gapOf('server restarted', beginUtcMs, endUtcMs);

/**
 * Of each millisecond of the view how many checkpoints were running in it, -1 in a gap: told without the code under
 * test.
 */
function countRunning(rows: readonly Row[], gaps: readonly Gap[], utcMs: number): number {
  if (gaps.some((gap) => utcMs >= gap.beginUtcMs && utcMs < gap.endUtcMs)) return -1;
  const isSplit = (begin: number, end: number): boolean =>
    gaps.some((gap) => gap.endUtcMs > begin && gap.endUtcMs <= end);
  return rows.filter(
    ([begin, duration, database = 0]) =>
      utcMs >= begin &&
      utcMs < begin + duration &&
      (database < 2 || (database === 3 && begin < 1000)) &&
      !isSplit(begin, begin + duration),
  ).length;
}

function reduce(
  rows: readonly Row[],
  gaps: readonly Gap[],
  view: PixelView,
  take: (bins: BusyBins, all: CheckpointColumns) => void,
): BusyColumns {
  const columns = columnsOf(rows);
  const bins = new BusyBins({ automatic: AUTOMATIC, gaps });
  take(bins, columns);
  const picture = createBusyColumns(view.columns);
  bins.reduce(columns, indexOf(columns), { beginUtcMs: 0, endUtcMs: 3000 }, view, picture);
  return picture;
}

function takeAll(bins: BusyBins, columns: CheckpointColumns, mostRows = 1000): void {
  while (!bins.takeIn(columns, indexOf(columns), mostRows));
}

const rowsArbitrary = anyRows(2500, 400, 5);
const gapsArbitrary = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 2800 }), fc.integer({ min: 1, max: 300 }))
    .map(([begin, span]) => restart(begin, begin + span)),
  { maxLength: 3 },
);

describe('The busy share of the checkpoint task', () => {
  it('counts no checkpoint that a session asked for, where that is known', () => {
    const rows: readonly Row[] = [
      [0, 1000, 0],
      [1500, 1000, 1],
    ];
    const picture = createBusyColumns(1);
    const columns = {
      ...columnsOf(rows),
      task: Uint16Array.of(1, 2),
      callers: Uint32Array.from([undefined, true, false], (isSystem) =>
        packCaller(isSystem === undefined ? undefined : { isSystem, sessionId: 60 }),
      ),
    };
    const bins = new BusyBins({ automatic: AUTOMATIC, gaps: [] });
    takeAll(bins, columns);
    const view = { beginUtcMs: 0, endUtcMs: 3000, columns: 1 };
    bins.reduce(columns, indexOf(columns), { beginUtcMs: 0, endUtcMs: 3000 }, view, picture);
    assert.equal(picture.busyMs[0], 1000);
  });

  it('is, to the millisecond, what the checkpoints say, whatever the order and the pieces in which they come', () => {
    forAll(
      fc.tuple(
        rowsArbitrary,
        gapsArbitrary,
        fc.integer({ min: -100, max: 2900 }),
        fc.constantFrom(1, 3, 25, 100),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
      ),
      150,
      ([rows, gaps, begin, wide, width, mostRows, cuts]) => {
        const view = { beginUtcMs: begin, endUtcMs: begin + wide * width, columns: width };
        const picture = reduce(rows, gaps, view, (bins, columns) => {
          for (const cut of [...cuts].sort((a, b) => a - b))
            takeAll(bins, columnsOf(rows.slice(0, cut)), mostRows);
          takeAll(bins, columns, mostRows);
        });
        for (let column = 0; column < width; column++) {
          const running = Array.from({ length: wide }, (_, i) =>
            countRunning(rows, gaps, begin + column * wide + i),
          );
          const seen = running.filter(
            (count, i) => count >= 0 && begin + column * wide + i >= 0 && begin + column * wide + i < 3000,
          ).length;
          assert.ok(
            Math.abs(picture.busyMs[column]! - running.filter((count) => count > 0).length) < 1e-6,
            `busy of column ${column}`,
          );
          assert.ok(
            Math.abs(picture.overlapMs[column]! - running.filter((count) => count > 1).length) < 1e-6,
            `overlap of ${column}`,
          );
          assert.ok(Math.abs(picture.observedMs[column]! - seen) < 1e-6, `observed of column ${column}`);
        }
      },
    );
  });

  it('loses and makes no time where pixels are wider than bins, beside what the checkpoints themselves say', () => {
    // 300 hours: bins of 16.384 s and more.
    const rows = Array.from({ length: 5000 }, (_, i): Row => [
      i * 216_000 + ((i * 7919) % 50_000),
      20_000 + ((i * 104_729) % 350_000),
      i % 2,
    ]);
    const columns = columnsOf(rows);
    const index = indexOf(columns);
    const bins = new BusyBins({ automatic: AUTOMATIC, gaps: [] });
    takeAll(bins, columns, 512);
    const whole = { beginUtcMs: 0, endUtcMs: 5001 * 216_000 };
    const total = (width: number, part: 'busyMs' | 'overlapMs'): number => {
      const picture = createBusyColumns(width);
      bins.reduce(columns, index, whole, { ...whole, columns: width }, picture);
      return picture[part].reduce((sum, ms) => sum + ms, 0);
    };
    for (const part of ['busyMs', 'overlapMs'] as const) {
      const exact = total(120_000, part);
      assert.ok(exact > 0);
      for (const width of [1, 17, 800, 1601])
        assert.ok(Math.abs(total(width, part) - exact) < 1, `${part} of ${width} columns`);
    }
  });

  it('is right to a quarter of a pixel where pixels are narrower than bins, and moving the view looks at no checkpoint again', () => {
    // A month of checkpoints, of which the last seconds are looked at closely.
    const MONTH_MS = 30 * 86_400_000;
    forAll(
      fc.tuple(rowsArbitrary, fc.integer({ min: 0, max: 2000 }), fc.constantFrom(0.5, 1.7, 3, 12.5)),
      25,
      ([rows, begin, wide]) => {
        const moved = rows.map(([at, duration, database]): Row => [at + MONTH_MS, duration, database! % 2]);
        const columns = columnsOf([[0, 10, 0], ...moved]);
        const index = indexOf(columns);
        const bins = new BusyBins({ automatic: AUTOMATIC, gaps: [] });
        takeAll(bins, columns);
        const picture = createBusyColumns(64);
        for (const by of [0, 1, 20]) {
          const view = {
            beginUtcMs: MONTH_MS + begin + by,
            endUtcMs: MONTH_MS + begin + by + wide * 64,
            columns: 64,
          };
          const before = bins.sweptRows;
          bins.reduce(columns, index, view, view, picture);
          if (by === 1) assert.equal(bins.sweptRows, before);
          for (let column = 0; column < 64; column++) {
            const [from, to] = [view.beginUtcMs + column * wide, view.beginUtcMs + (column + 1) * wide];
            const steps = Array.from({ length: 200 }, (_, i) => from + ((i + 0.5) * (to - from)) / 200);
            const running = steps.map(
              (utcMs) => moved.filter(([at, duration]) => utcMs >= at && utcMs < at + duration).length,
            );
            const share = (least: number): number =>
              (running.filter((count) => count >= least).length / 200) * wide;
            assert.ok(Math.abs(picture.busyMs[column]! - share(1)) <= wide / 4, `busy of column ${column}`);
            assert.ok(
              Math.abs(picture.overlapMs[column]! - share(2)) <= wide / 4,
              `overlap of column ${column}`,
            );
          }
        }
      },
    );
  });

  it('does not look again at old checkpoints when new ones are appended', () => {
    const rows = Array.from({ length: 20_000 }, (_, i): Row => [i * 1000, 700, i % 2]);
    const bins = new BusyBins({ automatic: AUTOMATIC, gaps: [] });
    takeAll(bins, columnsOf(rows.slice(0, 19_900)), 4096);
    const before = bins.sweptRows;
    assert.ok(before <= 19_900 * 1.1, `${before} looked at for 19,900`);
    takeAll(bins, columnsOf(rows), 4096);
    assert.ok(bins.sweptRows - before <= 103, `${bins.sweptRows - before} looked at for 100 new`);
  });

  it('has nothing to say of time that was not observed, and counts no database whose setting is not known', () => {
    const scope: BusyScope = { automatic: findAutomaticTime(new Map([[0, null]])), gaps: [] };
    const columns = columnsOf([[100, 50]]);
    const bins = new BusyBins(scope);
    takeAll(bins, columns);
    const picture = createBusyColumns(3);
    bins.reduce(columns, indexOf(columns), null, { beginUtcMs: 0, endUtcMs: 300, columns: 3 }, picture);
    assert.deepEqual([...picture.busyMs, ...picture.observedMs], [0, 0, 0, 0, 0, 0]);
  });
});

describe('Gaps that change while the task is watched', () => {
  const view: PixelView = { beginUtcMs: 0, endUtcMs: 3000, columns: 60 };

  it('are gone on with exactly where the same comes of it as of all looked at again', () => {
    forAll(
      fc.tuple(
        rowsArbitrary,
        gapsArbitrary,
        fc.integer({ min: 0, max: 2800 }),
        fc.integer({ min: 1, max: 400 }),
      ),
      ([rows, gaps, begin, span]) => {
        const lasting = (endUtcMs: number): readonly Gap[] => [...gaps, restart(begin, endUtcMs)];
        const later = lasting(begin + 2 * span);
        let goesOn = false;
        const kept = reduce(rows, lasting(begin + span), view, (bins, columns) => {
          takeAll(bins, columns);
          const { sweptRows } = bins;
          goesOn = bins.goOnWith(later);
          assert.ok(bins.takeIn(columns, indexOf(columns), 1));
          assert.equal(bins.sweptRows, sweptRows);
        });
        fc.pre(goesOn);
        assert.deepEqual(kept, reduce(rows, later, view, takeAll));
      },
    );
  });
});
