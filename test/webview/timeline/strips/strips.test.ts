import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_STRIPS, STRIP_IDS } from '../../../../src/core/timeline/strips';
import type { TimeMark, TimeMarkKind } from '../../../../src/core/timeline/time-marks';
import {
  countText,
  findMarks,
  layoutLaneTicks,
  layoutMarks,
  SHAPE_PX,
} from '../../../../src/webview/timeline/lanes/mark-layout';
import {
  foldStrips,
  layoutSteps,
  layoutStrips,
  roundUp,
  stripAt,
} from '../../../../src/webview/timeline/strips/strip-layout';
import { forAll } from '../../../for-all';

const markOf = (
  kind: TimeMarkKind,
  beginUtcMs: number,
  endUtcMs = beginUtcMs,
  databaseId: number | null = 5,
): TimeMark => ({
  kind,
  beginUtcMs,
  endUtcMs,
  databaseId,
  database: databaseId === null ? null : 'dbA',
  text: kind,
});

describe('The strips above the lanes', () => {
  it('lie one below the other on whole pixels at every ratio, and are found by the pointer', () => {
    for (const ratio of [1, 1.25, 1.5, 1.75, 2]) {
      const { boxes, height } = layoutStrips(STRIP_IDS, ratio);
      boxes.forEach((box, i) => {
        assert.ok(Number.isInteger(box.top) && Number.isInteger(box.height));
        assert.ok(box.top >= (i === 0 ? 0 : boxes[i - 1]!.top + boxes[i - 1]!.height + 1));
        assert.equal(stripAt(boxes, box.top)?.id, box.id);
        assert.equal(stripAt(boxes, box.top + box.height), null);
      });
      assert.ok(height >= boxes[4]!.top + boxes[4]!.height);
    }
  });

  it('fold to one where the pane is narrow or low, and to none only where none was chosen', () => {
    assert.deepEqual(foldStrips(DEFAULT_STRIPS, 900, 420), DEFAULT_STRIPS);
    assert.deepEqual(foldStrips(STRIP_IDS, 400, 900), ['busy']);
    assert.deepEqual(foldStrips(STRIP_IDS, 1200, 200), ['busy']);
    assert.deepEqual(foldStrips([], 1200, 800), []);
  });

  it('draw every column that was observed, with its height, and none that was not', () => {
    const valueArbitrary = fc.oneof(
      fc.constant(NaN),
      fc.constant(0),
      fc.double({ min: 0.001, max: 120, noNaN: true }),
    );
    forAll(
      fc.tuple(fc.array(valueArbitrary, { maxLength: 60 }), fc.integer({ min: 2, max: 40 })),
      ([values, room]) => {
        const heights = new Array<number>(values.length).fill(-1);
        for (const { from, end, height } of layoutSteps(values, 100, room)) heights.fill(height, from, end);
        values.forEach((value, column) => {
          const wanted = Number.isNaN(value)
            ? -1
            : value === 0
              ? 0
              : Math.min(room, Math.max(1, Math.round((value / 100) * room)));
          assert.equal(heights[column], wanted);
        });
      },
    );
  });

  it('end their scale with a round number at or above the highest value', () => {
    assert.deepEqual([0, 0.3, 1, 19, 21, 51, 100, 101].map(roundUp), [1, 0.5, 1, 20, 50, 100, 100, 200]);
  });
});

describe('Marks of the log', () => {
  const view = { beginUtcMs: 0, endUtcMs: 1000, columns: 1000 };

  it('are in one shape each, and no shape lies over another', () => {
    const momentsArbitrary = fc.array(
      fc.tuple(
        fc.constantFrom<TimeMarkKind>('FlushCache', 'buffer pool scan', 'slow I/O'),
        fc.integer({ min: -100, max: 1100 }),
      ),
      { maxLength: 60 },
    );
    forAll(momentsArbitrary, (moments) => {
      const marks = moments.map(([kind, at]) => markOf(kind, at));
      const { groups } = layoutMarks(marks, view, 1);
      const inView = marks.filter(({ beginUtcMs }) => beginUtcMs >= 0 && beginUtcMs < 1000);
      assert.equal(groups.flatMap((group) => group.marks).length, inView.length);
      groups.forEach((group, i) => {
        const before = groups[i - 1];
        const room =
          before && before.marks.length > 1
            ? SHAPE_PX + 3 + 6 * countText(before.marks.length).length
            : SHAPE_PX;
        assert.ok(!before || group.at - before.at >= room, 'room for the shape before and its count');
        assert.equal(
          Math.max(...group.marks.map((mark) => Math.abs(mark.beginUtcMs - group.at))) <= 30,
          true,
        );
      });
    });
  });

  it('are stood for by the gravest of those that lie together', () => {
    const marks = [markOf('buffer pool scan', 500), markOf('FlushCache', 502), markOf('slow I/O', 503)];
    const { groups } = layoutMarks(marks, view, 1);
    const told = groups.map(({ kind, marks: of }) => `${of.length} ${kind}`);
    assert.deepEqual(told, ['3 slow I/O']);
  });

  it('are found where they are: shapes before the bars below them', () => {
    const backup = markOf('backup', 100, 400);
    const flush = markOf('FlushCache', 200);
    const laid = layoutMarks([flush, backup], view, 1);
    assert.deepEqual(findMarks(laid, 202, 1), [flush]);
    assert.deepEqual(findMarks(laid, 300, 1), [backup]);
    assert.deepEqual(findMarks(laid, 600, 1), []);
  });

  it('have bars as long as they took, and a short one is still to be seen', () => {
    const { bars } = layoutMarks(
      [markOf('backup', 100, 400), markOf('recovery', 700, 700), markOf('backup', -50, 20)],
      view,
      2,
    );
    const spans = bars.map(({ from, end }) => `${from}–${end}`);
    assert.deepEqual(spans, ['0–20', '100–400', '700–706']);
  });

  it('are at their own lane too, each pixel once', () => {
    const marks = [
      markOf('FlushCache', 10),
      markOf('slow I/O', 10.4),
      markOf('slow I/O', 30, 30, null),
      markOf('backup', 50, 60, 9),
    ];
    assert.deepEqual(layoutLaneTicks(marks, [{ databaseId: 3 }, { databaseId: 5 }], view, [1]), [
      { lane: 1, at: 10, kind: 'slow I/O' },
    ]);
  });
});
