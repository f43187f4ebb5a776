import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import { codeOfDuration } from '../../../src/core/timeline/duration-levels';
import type { Lane } from '../../../src/core/timeline/lane-index';
import { chooseLevel, createLevels, finishLevels, markFinest } from '../../../src/core/timeline/lane-levels';
import {
  createLanePicture,
  findWorst,
  reduceLane,
  type LanePicture,
} from '../../../src/core/timeline/pixel-columns';
import {
  columnMs,
  findTouchedColumns,
  ViewGrids,
  type PixelView,
} from '../../../src/core/timeline/pixel-grid';
import { columnsOf, indexOf, type Row } from './columns-of';
import { forAll } from '../../for-all';

const RECOVERY_MS = 300;
const BIG_ENOUGH = 10_000_000;

interface Reduced {
  readonly columns: CheckpointColumns;
  readonly lane: Lane | undefined;
  readonly picture: LanePicture;
}

/**
 * As the timeline does it; with levels of detail also for fewer checkpoints than those are kept for, where it is asked.
 * @param fineness how many times as many checkpoints the levels are made for; 0: none are made
 */
function reduce(rows: readonly Row[], view: PixelView, fineness = 0): Reduced {
  const columns = columnsOf(rows);
  const lane = indexOf(columns).lanes[0];
  if (lane && fineness > 0) {
    const levels = createLevels({ ...lane, count: fineness * lane.count }, columns, RECOVERY_MS);
    for (const row of rows.keys()) markFinest(levels, columns, row);
    lane.levels = finishLevels(levels);
  }
  const picture = createLanePicture(view.columns);
  reduceLane(columns, lane, new ViewGrids(view), picture, RECOVERY_MS, { rows: BIG_ENOUGH, exceeded: false });
  return { columns, lane, picture };
}

/**
 * Which checkpoints touch a pixel column, told from the definition and without the code under test: bins that begin in
 * the column's interval of time, for the first also the one in which the view begins, and checkpoints in view that
 * touch one of them. Columns are binary fractions or whole milliseconds wide, so that this way of counting is exact.
 */
function touching(rows: readonly Row[], view: PixelView, column: number, binMs: number): readonly number[] {
  const from = view.beginUtcMs + column * columnMs(view);
  const touched = new Set<number>();
  const isInView = (begin: number, duration: number): boolean =>
    begin < view.endUtcMs && (begin >= view.beginUtcMs || begin + duration > view.beginUtcMs);
  for (
    let bin = column > 0 ? Math.ceil(from / binMs) : Math.floor(from / binMs);
    bin * binMs < from + columnMs(view);
    bin++
  ) {
    for (const [row, [begin, duration]] of rows.entries()) {
      const overlaps = begin < (bin + 1) * binMs && begin + duration > bin * binMs;
      const liesIn = begin >= bin * binMs && begin < (bin + 1) * binMs;
      if (isInView(begin, duration) && (overlaps || liesIn)) touched.add(row);
    }
  }
  return [...touched];
}

const sparse = fc.array(
  fc.tuple(
    fc.integer({ min: -500, max: 3000 }),
    fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 900 })),
  ),
  { maxLength: 80 },
);
const dense = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 500 }),
    fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 200 })),
  ),
  { minLength: 80, maxLength: 250 },
);
/** One long after all others makes more levels. */
const withLate = fc.tuple(sparse, fc.constant<Row>([100_000, 5])).map(([rows, late]) => [...rows, late]);
const rowsArbitrary: fc.Arbitrary<readonly Row[]> = fc.oneof(sparse, dense, withLate);
const finenessArbitrary = fc.constantFrom(0, 1, 40, 300);
const viewArbitrary = fc
  .tuple(
    fc.integer({ min: -300, max: 2500 }),
    fc.constantFrom(1 / 8, 1 / 2, 1, 3, 7, 16, 40, 100, 300),
    fc.integer({ min: 1, max: 200 }),
  )
  .map(([begin, wide, columns]): PixelView => ({
    beginUtcMs: begin,
    endUtcMs: begin + wide * columns,
    columns,
  }));

/** A view, and checkpoints of which many are near its edges. */
const rowsAndView = fc
  .tuple(
    rowsArbitrary,
    viewArbitrary,
    fc.array(fc.tuple(fc.boolean(), fc.nat(60), fc.nat(40)), { maxLength: 6 }),
  )
  .map(([rows, view, near]): readonly [readonly Row[], PixelView] => {
    const edgeOf = (isEnd: boolean): number => Math.floor(isEnd ? view.endUtcMs : view.beginUtcMs);
    return [
      [...rows, ...near.map(([isEnd, by, duration]): Row => [edgeOf(isEnd) + by - 40, duration])],
      view,
    ];
  });

/**
 * Whether a column may be left blank to tell two bars apart: a bar of at least three columns begins there, and the
 * column before shows something.
 */
function isSeamAllowed({ columns, lane, picture: { grid, codes } }: Reduced, column: number): boolean {
  if (
    !grid ||
    !lane ||
    (lane.levels && chooseLevel(lane.levels, columnMs(grid.view))) ||
    column === 0 ||
    codes[column - 1] === 0
  )
    return false;
  return [...lane.rows.subarray(0, lane.count)].some((row) => {
    const touched = findTouchedColumns(grid, columns.beginUtcMs[row]!, columns.durationMs[row]!);
    return touched?.first === column && touched.last >= column + 2;
  });
}

describe('A lane reduced to pixel columns', () => {
  it('shows under every column the longest checkpoint that touches it, by checkpoints and by levels of detail, at any zoom and width', () => {
    let byLevels = 0;
    forAll(fc.tuple(rowsAndView, finenessArbitrary), 400, ([[rows, view], fineness]) => {
      const reduced = reduce(rows, view, fineness);
      const { columns, lane, picture } = reduced;
      if (!lane || !picture.grid) return assert.equal(rows.length, 0);
      if (lane.levels && chooseLevel(lane.levels, columnMs(view))) byLevels++;
      for (let column = 0; column < view.columns; column++) {
        const touched = touching(rows, view, column, picture.grid.binMs);
        const longest = Math.max(-1, ...touched.map((row) => rows[row]![1]));
        const worst = findWorst(columns, lane, picture.grid, column);
        assert.equal(worst?.count ?? 0, touched.length, `count of column ${column}`);
        assert.equal(worst ? rows[worst.row]![1] : -1, longest, `longest of column ${column}`);
        const alike = touched.filter((row) => rows[row]![1] === longest).map((row) => rows[row]![0]);
        if (worst)
          assert.ok(touched.includes(worst.row), `column ${column} shows a checkpoint that touches it`);
        if (worst) assert.equal(rows[worst.row]![0], Math.min(...alike), 'of equally long ones the first');
        const code = picture.codes[column]!;
        if (code > 0 || !isSeamAllowed(reduced, column))
          assert.equal(
            code,
            longest < 0 ? 0 : codeOfDuration(longest, RECOVERY_MS),
            `code of column ${column}`,
          );
      }
    });
    assert.ok(byLevels > 20, `only ${byLevels} of 400 by levels of detail`);
  });

  it('misses nothing that an ideal painter draws, and draws nothing further than a pixel from it', () => {
    const anyView = fc
      .tuple(
        fc.double({ min: -300, max: 2500, noNaN: true }),
        fc.double({ min: 1, max: 5000, noNaN: true }),
        fc.integer({ min: 1, max: 500 }),
      )
      .map(([begin, span, columns]): PixelView => ({ beginUtcMs: begin, endUtcMs: begin + span, columns }));
    forAll(fc.tuple(rowsArbitrary, anyView, finenessArbitrary), 400, ([rows, view, fineness]) => {
      const { picture } = reduce(rows, view, fineness);
      const ideal = new Uint8Array(view.columns);
      for (const [begin, duration] of rows) {
        if (begin >= view.endUtcMs || begin + duration < view.beginUtcMs) continue;
        const first = Math.floor((begin - view.beginUtcMs) / columnMs(view));
        const last = Math.max(first, Math.ceil((begin + duration - view.beginUtcMs) / columnMs(view)) - 1);
        ideal.fill(1, Math.max(0, first), Math.max(0, last + 1));
      }
      const isNear = (of: Uint8Array, column: number): boolean =>
        [-1, 0, 1].some((by) => of[column + by]! > 0);
      for (let column = 1; column < view.columns - 1; column++) {
        if (ideal[column]! > 0) assert.ok(isNear(picture.codes, column), `column ${column} is missing`);
        if (picture.codes[column]! > 0) assert.ok(isNear(ideal, column), `column ${column} is a ghost`);
      }
    });
  });

  it('is empty for a database without a checkpoint, also where the picture was used before', () => {
    const view = { beginUtcMs: 0, endUtcMs: 1, columns: 2 };
    const picture = { ...reduce([[0, 1]], view).picture };
    reduceLane(columnsOf([]), undefined, new ViewGrids(view), picture, RECOVERY_MS, {
      rows: BIG_ENOUGH,
      exceeded: false,
    });
    assert.deepEqual(picture, { codes: Uint8Array.of(0, 0), grid: null });
  });

  it('keeps a seam between two wide neighbours, and none beside a narrow one', () => {
    const view = { beginUtcMs: 0, endUtcMs: 100, columns: 100 };
    const rows: Row[] = [
      [10, 20],
      [30, 20],
      [50, 2],
      [70, 1],
      [71, 20],
    ];
    const { codes } = reduce(rows, view).picture;
    const blank = [...codes.keys()].filter((column) => column >= 10 && column < 91 && codes[column] === 0);
    assert.deepEqual(blank, [30, ...Array.from({ length: 18 }, (_, i) => 52 + i), 71]);
  });
});

describe('Levels of detail in a frame', () => {
  const rows = Array.from({ length: 2000 }, (_, i): Row => [i * 100, 1 + (i % 60)]);
  const view = { beginUtcMs: 0, endUtcMs: 200_000, columns: 1000 };

  it('are built again for another recovery interval as far as the budget goes; what waits is read one by one and looks alike to a pixel', () => {
    const columns = columnsOf(rows);
    const lane = indexOf(columns).lanes[0]!;
    const grids = new ViewGrids(view);
    const waiting = createLanePicture(view.columns);
    const empty = { rows: 0, exceeded: false };
    reduceLane(columns, lane, grids, waiting, RECOVERY_MS, empty);
    assert.deepEqual([lane.levels?.recoveryIntervalMs, empty.exceeded], [60_000, true]);
    const budget = { rows: 1, exceeded: false };
    const built = createLanePicture(view.columns);
    reduceLane(columns, lane, grids, built, RECOVERY_MS, budget);
    assert.deepEqual([lane.levels?.recoveryIntervalMs, budget.exceeded], [RECOVERY_MS, false]);
    assert.ok(built.grid!.binMs > waiting.grid!.binMs);
    const alike = built.codes.filter((code, column) =>
      [-1, 0, 1].some((by) => waiting.codes[column + by] === code),
    );
    assert.equal(alike.length, view.columns);
  });
});
