import assert from 'node:assert/strict';
import {
  layoutMeasured,
  moveEdge,
  partBetween,
  spanBoxes,
  type LanePlaces,
} from '../../../../src/webview/timeline/lanes/measured-boxes';

const bounds = { beginUtcMs: 1000, endUtcMs: 2000 };
const lanes = [5, 7, 9, 11].map((databaseId) => ({ databaseId }));
const places: LanePlaces = {
  plotLeftPx: 100,
  plotWidthPx: 500,
  laneHeightPx: 20,
  fixedLanes: 0,
  fixedBottomPx: 0,
  topOf: (lane) => lane * 20 - 10,
};

describe('The part between two corners', () => {
  it('is the same whichever corner comes first, to the millisecond', () => {
    const a = { utcMs: 1200.4, lane: 2 };
    const b = { utcMs: 1100.6, lane: 1 };
    const part = { beginUtcMs: 1101, endUtcMs: 1200, databaseIds: [7, 9] };
    assert.deepEqual([partBetween(a, b, lanes, bounds), partBetween(b, a, lanes, bounds)], [part, part]);
  });

  it('leaves out lanes that lie under pinned ones between its corners', () => {
    const pinned = { utcMs: 1100, lane: 0 };
    const scrolled = { utcMs: 1200, lane: 3 };
    assert.deepEqual(partBetween(scrolled, pinned, lanes, bounds, { from: 1, end: 3 }).databaseIds, [5, 11]);
    assert.deepEqual(partBetween(pinned, scrolled, lanes, bounds).databaseIds, [5, 7, 9, 11]);
  });

  it('stays inside the bounds and the lanes, and is never empty', () => {
    const part = partBetween({ utcMs: 5000, lane: 3 }, { utcMs: 5000, lane: 8 }, lanes, bounds);
    assert.deepEqual(part, { beginUtcMs: 1999, endUtcMs: 2000, databaseIds: [11] });
  });
});

describe('An end of what is measured', () => {
  const part = { beginUtcMs: 1200, endUtcMs: 1300, databaseIds: [7, 99] };

  it('moves to the millisecond, and takes no database away that has no lane', () => {
    assert.deepEqual(moveEdge(part, 'beginUtcMs', 1150.4, bounds), { ...part, beginUtcMs: 1150 });
    assert.deepEqual(moveEdge(part, 'endUtcMs', 1299, bounds), { ...part, endUtcMs: 1299 });
  });

  it('stops at the bounds, and a millisecond before the other end', () => {
    assert.equal(moveEdge(part, 'beginUtcMs', 900, bounds).beginUtcMs, 1000);
    assert.equal(moveEdge(part, 'endUtcMs', 2100, bounds).endUtcMs, 2000);
    assert.equal(moveEdge(part, 'beginUtcMs', 1800, bounds).beginUtcMs, 1299);
    assert.equal(moveEdge(part, 'endUtcMs', 1100, bounds).endUtcMs, 1201);
  });
});

describe('What is measured, over the lanes', () => {
  it('is one box for neighbouring lanes, cut to the window in view', () => {
    const part = { beginUtcMs: 900, endUtcMs: 1500, databaseIds: [7, 9] };
    assert.deepEqual(layoutMeasured(part, lanes, bounds, places), [
      { leftPx: 100, widthPx: 250, topPx: 10, heightPx: 40, coveredPx: 0 },
    ]);
  });

  it('is several boxes where another order took the lanes apart, and none of lanes that are not there', () => {
    const part = { beginUtcMs: 1500, endUtcMs: 1600, databaseIds: [11, 5, 99] };
    const boxes = layoutMeasured(part, lanes, bounds, places).map(
      ({ topPx, heightPx }) => `${heightPx} at ${topPx}`,
    );
    assert.deepEqual(boxes, ['20 at -10', '20 at 50']);
  });

  describe('where the first of them are pinned', () => {
    const part = { beginUtcMs: 1000, endUtcMs: 2000, databaseIds: [5, 7, 9, 11] as readonly number[] };
    const pinned = (fixedLanes: number, scrolledPx: number): LanePlaces => ({
      ...places,
      fixedLanes,
      fixedBottomPx: fixedLanes * 20,
      topOf: (lane) => lane * 20 - (lane < fixedLanes ? 0 : scrolledPx),
    });
    const boxesOf = (databaseIds: readonly number[], of: LanePlaces) =>
      layoutMeasured({ ...part, databaseIds }, lanes, bounds, of);
    const tell = (of: LanePlaces, databaseIds = part.databaseIds): readonly string[] =>
      boxesOf(databaseIds, of).map(
        ({ topPx, heightPx, coveredPx }) => `${heightPx} at ${topPx}, ${coveredPx} covered`,
      );

    it('is one box until the others are scrolled, and then two, of which the second lies under the first', () => {
      assert.deepEqual(tell(pinned(2, 0)), ['80 at 0, 0 covered']);
      assert.deepEqual(tell(pinned(2, 15)), ['40 at 0, 0 covered', '40 at 25, 15 covered']);
    });

    it('is seen from the end of the pinned ones on, and not at all where it has gone under them', () => {
      assert.deepEqual(spanBoxes(boxesOf([9, 11], pinned(2, 15))), { topPx: 40, bottomPx: 65 });
      assert.deepEqual(tell(pinned(2, 50), [9]), ['20 at -10, 50 covered']);
      assert.deepEqual(spanBoxes(boxesOf([9], pinned(2, 50))), { topPx: 40, bottomPx: 40 });
    });
  });

  it('is nothing where its time is out of view, and a pixel wide where it is very short', () => {
    assert.deepEqual(
      layoutMeasured({ beginUtcMs: 2000, endUtcMs: 2100, databaseIds: [5] }, lanes, bounds, places),
      [],
    );
    const short = layoutMeasured({ beginUtcMs: 1500, endUtcMs: 1501, databaseIds: [5] }, lanes, bounds, {
      ...places,
      plotWidthPx: 20,
    });
    assert.equal(short[0]?.widthPx, 1);
  });
});
