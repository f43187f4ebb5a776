import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createLanePicture,
  findTouchedColumns,
  reduceLane,
  type LanePicture,
  type PixelView,
} from '../../../src/core/picture/pixel-columns';
import { columnsOf, indexOf, type Row } from './columns-of';

function reduce(rows: readonly Row[], view: PixelView): LanePicture {
  const columns = columnsOf(rows);
  const picture = createLanePicture(view.columns);
  reduceLane(columns, indexOf(columns).lanes[0], view, picture);
  return picture;
}

/**
 * Which checkpoints touch a pixel column, told from the column's own interval of time and without the code under test. Columns are whole
 * milliseconds wide, or a checkpoint's edge falls on a binary fraction of one, so that both ways of counting are exact.
 */
function touching(rows: readonly Row[], view: PixelView, column: number): readonly number[] {
  const wide = (view.endUtcMs - view.beginUtcMs) / view.columns;
  const from = view.beginUtcMs + column * wide;
  const to = from + wide;
  return rows.flatMap(([begin, duration], row) =>
    begin < to && (begin + duration > from || (duration === 0 && begin >= from)) ? [row] : [],
  );
}

const rowsArbitrary = fc.array(
  fc.tuple(fc.integer({ min: -500, max: 3000 }), fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 900 }))),
  { maxLength: 80 },
);
const viewArbitrary = fc
  .tuple(fc.integer({ min: -300, max: 2500 }), fc.constantFrom(1 / 8, 1 / 4, 1 / 2, 1, 2, 3, 7, 16, 100), fc.integer({ min: 1, max: 400 }))
  .map(([begin, wide, columns]): PixelView => ({ beginUtcMs: begin, endUtcMs: begin + wide * columns, columns }));

describe('A lane reduced to pixel columns', () => {
  it('shows under every column the longest checkpoint that touches it, and counts them, at any zoom and width', () => {
    fc.assert(
      fc.property(rowsArbitrary, viewArbitrary, (rows, view) => {
        const picture = reduce(rows, view);
        for (let column = 0; column < view.columns; column++) {
          const touched = touching(rows, view, column);
          const longest = Math.max(-1, ...touched.map((row) => rows[row]![1]));
          const shown = picture.worst[column]!;
          assert.equal(picture.count[column], touched.length, `count of column ${column}`);
          assert.equal(shown < 0 ? -1 : rows[shown]![1], longest, `longest of column ${column}`);
          if (shown >= 0) assert.ok(touched.includes(shown), `column ${column} shows a checkpoint that touches it`);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('loses no checkpoint of the view: each is counted in at least one column', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 500 }), (rows, span, width) => {
        const view = { beginUtcMs: 0, endUtcMs: span, columns: width };
        for (const [row, [begin, duration]] of rows.entries()) {
          const inView = begin < span && begin + duration >= 0 && begin >= 0;
          if (!inView) continue;
          const alone = reduce([[begin, duration]], view);
          assert.ok(alone.worst.includes(0), `row ${row} is drawn`);
        }
      }),
    );
  });

  it('draws a checkpoint that began before the view and still runs in it', () => {
    const picture = reduce(
      [
        [0, 1000],
        [10, 1],
      ],
      { beginUtcMs: 500, endUtcMs: 600, columns: 10 },
    );
    assert.deepEqual(
      [...picture.worst],
      Array.from({ length: 10 }, () => 0),
    );
  });

  it('gives a checkpoint of no duration one column', () => {
    assert.deepEqual(findTouchedColumns({ beginUtcMs: 0, endUtcMs: 100, columns: 10 }, 42, 0), { first: 4, last: 4 });
  });

  it('of two equally long ones shows the one that began first', () => {
    assert.equal(
      reduce(
        [
          [5, 3],
          [4, 3],
        ],
        { beginUtcMs: 0, endUtcMs: 100, columns: 1 },
      ).worst[0],
      1,
    );
  });

  it('is empty for a database without a checkpoint, also where the picture was used before', () => {
    const picture = { worst: Int32Array.of(7, 7), count: Uint32Array.of(7, 7) };
    reduceLane(columnsOf([]), undefined, { beginUtcMs: 0, endUtcMs: 1, columns: 2 }, picture);
    assert.deepEqual(picture, { worst: Int32Array.of(-1, -1), count: Uint32Array.of(0, 0) });
  });
});
