import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  layoutName,
  listNamedLanes,
  fixedBottom,
  laneAt,
  laneCover,
  laneTop,
  layoutPinnedEdges,
  layoutTimeline,
  listLanesInView,
  nearestLane,
  placeInView,
  scrollToLane,
  type TimelineLayout,
} from '../../../../src/webview/timeline/lanes/timeline-layout';

const size = {
  widthPx: 1000,
  heightPx: 200,
  pixelRatio: 1,
  laneCount: 40,
  pinnedLanes: 2,
  scrollTopPx: 0,
  widestNamePx: 60,
  laneHeight: 'normal',
} as const;

/** Scrolled as far as a browser lets it be. */
const sizes = fc
  .record({
    heightPx: fc.integer({ min: 1, max: 600 }),
    pixelRatio: fc.constantFrom(1, 1.25, 1.5, 1.75, 2),
    laneCount: fc.integer({ min: 1, max: 200 }),
    pinned: fc.nat(40),
    scroll: fc.double({ min: 0, max: 1, noNaN: true }),
    laneHeight: fc.constantFrom('normal' as const, 'compact' as const, 'all' as const),
  })
  .map(({ pinned, scroll, ...given }) => {
    const unscrolled = { ...size, ...given, pinnedLanes: Math.min(pinned, given.laneCount) };
    const { laneHeight, pixelRatio } = layoutTimeline(unscrolled);
    const most = Math.max(0, (given.laneCount * laneHeight) / pixelRatio - given.heightPx);
    return { ...unscrolled, scrollTopPx: scroll * most };
  });

/** What is seen of a lane, in device pixels; end excluded. */
const seenOf = (layout: TimelineLayout, lane: number): readonly [from: number, end: number] => [
  Math.max(0, laneTop(layout, lane) + laneCover(layout, lane)),
  Math.min(layout.height, laneTop(layout, lane) + layout.laneHeight),
];

describe('Pinned lanes', () => {
  it('stay in sight while the others scroll under them', () => {
    const layout = layoutTimeline({ ...size, scrollTopPx: 110 });
    assert.deepEqual(listLanesInView(layout), [0, 1, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    const ofLanes = (of: (layout: TimelineLayout, lane: number) => number): readonly number[] =>
      [0, 1, 2, 7, 8].map((lane) => of(layout, lane));
    assert.deepEqual(
      [ofLanes(laneTop), ofLanes(laneCover)],
      [
        [0, 20, -70, 30, 50],
        [0, 0, 20, 10, 0],
      ],
    );
    const found = [0, 39, 40, 49.9, 50].map((yPx) => laneAt(layout, yPx, 40));
    assert.deepEqual(found, [0, 1, 7, 7, 8]);
  });

  it('take half of the height at most: where more are pinned, the rest scroll', () => {
    const fixedOf = (pinnedLanes: number, heightPx: number): number => layoutTimeline({ ...size, pinnedLanes, heightPx }).fixedLanes;
    assert.deepEqual([fixedOf(5, 200), fixedOf(6, 200), fixedOf(3, 119), fixedOf(3, 30), fixedOf(0, 200)], [5, 5, 2, 0, 0]);
  });

  it('share every height with the others so that it belongs to one lane in view, and each lane in view has some of it', () => {
    fc.assert(
      fc.property(sizes, (given) => {
        const layout = layoutTimeline(given);
        const owners = new Array<number | null>(layout.height).fill(null);
        const lanes = listLanesInView(layout);
        lanes.forEach((lane, i) => {
          const [from, end] = seenOf(layout, lane);
          assert.ok(end > from, `lane ${lane} is seen`);
          assert.equal(placeInView(layout, lane), i);
          for (let y = from; y < end; y++) {
            assert.equal(owners[y], null, `height ${y} belongs to lane ${owners[y]}, too`);
            owners[y] = lane;
          }
        });
        owners.forEach((owner, y) => {
          assert.equal(laneAt(layout, (y + 0.5) / given.pixelRatio, given.laneCount), owner);
          assert.equal(nearestLane(layout, (y + 0.5) / given.pixelRatio, given.laneCount), owner ?? given.laneCount - 1);
        });
        for (let lane = 0; lane < given.laneCount; lane++)
          if (!lanes.includes(lane)) {
            const [from, end] = seenOf(layout, lane);
            assert.ok(end <= from && placeInView(layout, lane) === -1, `lane ${lane} is not in view`);
          }
      }),
    );
  });

  it('are under none that was scrolled to', () => {
    fc.assert(
      fc.property(sizes, fc.nat(199), (given, wanted) => {
        const before = layoutTimeline(given);
        const lane = wanted % given.laneCount;
        const laneHeightPx = before.laneHeight / given.pixelRatio;
        // Where nothing fits beside the pinned ones, a lane cannot be whole in view.
        fc.pre(given.heightPx >= (before.fixedLanes + 1) * laneHeightPx);
        const { fixedLanes } = before;
        const scrollTopPx = scrollToLane(lane, { scrollTopPx: given.scrollTopPx, heightPx: given.heightPx, laneHeightPx, fixedLanes });
        const layout = layoutTimeline({ ...given, scrollTopPx });
        const [from, end] = seenOf(layout, lane);
        // Scrolled by parts of a pixel, a lane is painted on whole ones.
        assert.ok(end - from >= layout.laneHeight - 1, `${end - from} of ${layout.laneHeight} pixels are seen`);
        assert.ok(scrollTopPx >= 0);
      }),
    );
  });

  it('end with a line, and those of them that scroll with another', () => {
    const edgesOf = (pinnedLanes: number, scrollTopPx: number, laneCount = 40): readonly number[] =>
      layoutPinnedEdges(layoutTimeline({ ...size, pinnedLanes, scrollTopPx, laneCount }), pinnedLanes, laneCount);
    assert.deepEqual(edgesOf(0, 100), []);
    assert.deepEqual(edgesOf(2, 0), [40]);
    assert.deepEqual(edgesOf(2, 110), [40]);
    assert.deepEqual(edgesOf(8, 0), [160]);
    assert.deepEqual(edgesOf(8, 30), [100, 130]);
    assert.deepEqual(edgesOf(8, 300), [100]);
    assert.deepEqual([edgesOf(40, 0), edgesOf(40, 50)], [[], [100]]);
    assert.deepEqual(edgesOf(2, 0, 2), []);
  });

  it('hide the name of a lane that is more than a little under them, and no other name', () => {
    const namesAt = (scrollTopPx: number): string =>
      listNamedLanes(layoutTimeline({ ...size, scrollTopPx }), null, null)
        .slice(0, 4)
        .join(' ');
    assert.deepEqual([0, 5, 6, 20].map(namesAt), ['0 1 2 3', '0 1 2 3', '0 1 3 4', '0 1 3 4']);
  });

  it('keep the lone name of a low lane off them', () => {
    const layout = layoutTimeline({ ...size, laneHeight: 'all', laneCount: 1000, pinnedLanes: 10, scrollTopPx: 500 });
    assert.deepEqual([layout.laneHeight, layout.fixedLanes, layout.firstLane, fixedBottom(layout)], [2, 10, 260, 20]);
    assert.deepEqual(listNamedLanes(layout, 3, 260), [260, 3]);
    assert.equal(layoutName(layout, 260).topPx, 20);
    assert.equal(layoutName(layout, 3).topPx, 0);
    assert.deepEqual(listNamedLanes(layout, 200, null), [], 'one that lies under them has none');
  });
});
