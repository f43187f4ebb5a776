import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CODES,
  codeOfDuration,
  isBeyondInterval,
  levelOfCode,
  COLOUR_STEPS,
  levelOfDuration,
  positionOnScale,
} from '../../../../src/core/timeline/duration-levels';
import { createPixelGrid, fineBinMs } from '../../../../src/core/timeline/pixel-grid';
import {
  heightOfLevel,
  INK,
  layoutStrip,
  roomInLane,
  STRIP_STRIDE,
} from '../../../../src/webview/timeline/lanes/lane-strip';
import { hitColumn, hitRow } from '../../../../src/webview/timeline/lanes/hit';
import {
  fixedBottom,
  labelWidthPx,
  laneAt,
  laneCover,
  laneTop,
  layoutLaneHeight,
  layoutName,
  layoutPinnedEdges,
  layoutTimeline,
  listLanesInView,
  listNamedLanes,
  nearestLane,
  placeInView,
  scrollToLane,
  type TimelineLayout,
} from '../../../../src/webview/timeline/lanes/timeline-layout';
import { columnsOf, indexOf, type Row } from '../../../core/timeline/columns-of';
import { forAll } from '../../../for-all';

const size = {
  widthPx: 1000,
  heightPx: 200,
  pixelRatio: 1,
  laneCount: 40,
  pinnedLanes: 0,
  scrollTopPx: 0,
  widestNamePx: 60,
  laneHeight: 'normal',
} as const;

describe('The layout of the timeline', () => {
  it('has whole device pixels at every ratio', () => {
    for (const pixelRatio of [1, 1.25, 1.5, 1.75, 2]) {
      const layout = layoutTimeline({ ...size, widthPx: 987, heightPx: 333, scrollTopPx: 33, pixelRatio });
      for (const value of [
        layout.width,
        layout.height,
        layout.plotLeft,
        layout.plotWidth,
        layout.laneHeight,
        layout.scrollTop,
      ])
        assert.equal(value, Math.round(value));
      assert.ok(layout.plotLeft + layout.plotWidth <= layout.width);
    }
  });

  it('gives names the room they need, but leaves three quarters to the bars', () => {
    assert.equal(labelWidthPx(1000, 80), 102);
    assert.equal(labelWidthPx(1000, 900), 208);
    assert.equal(labelWidthPx(400, 900), 104);
  });

  it('scrolls only as far as needed to show a lane', () => {
    const from = (lane: number, scrollTopPx: number, fixedLanes = 0): number =>
      scrollToLane(lane, { scrollTopPx, heightPx: 200, laneHeightPx: 20, fixedLanes });
    assert.deepEqual([from(2, 0), from(2, 100), from(20, 0)], [0, 40, 220]);
    assert.deepEqual(
      [from(1, 100, 3), from(5, 100, 3), from(9, 100, 3), from(20, 0, 3)],
      [100, 40, 100, 220],
      'under no pinned one',
    );
  });

  it('has lanes of 20 pixels, of 10, or as high as it takes to have all of them in view', () => {
    const heightOf = (laneHeight: 'normal' | 'compact' | 'all', laneCount: number, pixelRatio = 1): number =>
      layoutLaneHeight({ laneHeight, laneCount, pixelRatio, heightPx: 1000 });
    assert.deepEqual(
      [heightOf('normal', 500), heightOf('compact', 500), heightOf('compact', 500, 1.75)],
      [20, 10, 18],
    );
    const heights = [3, 50, 51, 200, 500, 5000].map((lanes) => heightOf('all', lanes));
    assert.deepEqual(heights, [20, 20, 19, 5, 2, 2]);
    assert.equal(heightOf('all', 500, 2), 4);
    assert.equal(heightOf('all', 0), 20);
  });

  it('survives a window of no size', () => {
    const layout = layoutTimeline({ ...size, widthPx: 0, heightPx: 0, laneCount: 0 });
    assert.ok(layout.plotWidth >= 1 && layout.firstLane === 0 && layout.endLane === 0);
  });
});

describe('The names of the lanes', () => {
  const lay = (laneHeight: 'normal' | 'compact' | 'all'): ReturnType<typeof layoutTimeline> =>
    layoutTimeline({
      ...size,
      laneHeight,
      laneCount: 50,
      heightPx: 200,
      scrollTopPx: laneHeight === 'all' ? 0 : 30,
    });

  it('stand beside every lane in view where they fit, in smaller type where lanes are low', () => {
    assert.deepEqual(listNamedLanes(lay('normal'), null, 3), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert.equal(listNamedLanes(lay('compact'), null, null).length, 20);
    assert.deepEqual([layoutName(lay('normal'), 2).typePx, layoutName(lay('compact'), 2).typePx], [null, 9]);
    assert.deepEqual(layoutName(lay('normal'), 2), { topPx: 10, widthPx: 82, heightPx: 20, typePx: null });
  });

  it('beside lower lanes are those of the hovered and the selected one, never one over the other, and never out of sight', () => {
    const layout = lay('all');
    assert.equal(layout.laneHeight, 4);
    assert.deepEqual(listNamedLanes(layout, null, null), []);
    assert.deepEqual(listNamedLanes(layout, 40, 10), [10, 40]);
    assert.deepEqual(listNamedLanes(layout, 12, 10), [10]);
    assert.deepEqual(listNamedLanes(layout, 10, 10), [10]);
    assert.deepEqual(listNamedLanes(layout, 70, null), []);
    for (const lane of [0, 10, 49]) {
      const { topPx, heightPx } = layoutName(layout, lane);
      assert.ok(topPx >= 0 && topPx + heightPx <= 200 && heightPx === 16);
    }
  });
});

describe('The duration scale', () => {
  it('is absolute: 10 ms at one end, 100 s at the other, each decade a quarter', () => {
    assert.deepEqual(
      [0, 10, 100, 1000, 10_000, 100_000, 9_999_999].map(positionOnScale),
      [0, 0, 0.25, 0.5, 0.75, 1, 1],
    );
  });

  it('never draws a longer checkpoint lower or with an earlier colour, and knows the recovery interval by the code of its colour', () => {
    forAll(fc.tuple(fc.nat(400_000), fc.nat(400_000), fc.nat(200_000)), ([a, b, recoveryIntervalMs]) => {
      const [short, long] = [Math.min(a, b), Math.max(a, b)];
      const [low, high] = [levelOfDuration(short), levelOfDuration(long)];
      assert.ok(low <= high && high < COLOUR_STEPS && heightOfLevel(low, 16) <= heightOfLevel(high, 16));
      const code = codeOfDuration(long, recoveryIntervalMs);
      assert.ok(codeOfDuration(short, recoveryIntervalMs) <= code && code < CODES);
      assert.deepEqual([levelOfCode(code), isBeyondInterval(code)], [high, long >= recoveryIntervalMs]);
    });
  });

  it('fills a quarter of the room with the shortest and all of it with the longest', () => {
    assert.deepEqual([heightOfLevel(0, 16), heightOfLevel(COLOUR_STEPS - 1, 16)], [4, 16]);
  });
});

/** Inks of a column of a lane from top to bottom. */
function stripOf(
  durationMs: number,
  strip: { laneHeight: number; pixelRatio: number; columnMs?: number },
): readonly number[] {
  const inks = layoutStrip({ columnMs: 1e6, ...strip });
  const code = durationMs === 0 ? 0 : codeOfDuration(durationMs, 60_000);
  return Array.from({ length: strip.laneHeight }, (_, y) => inks[y * STRIP_STRIDE + code]!);
}

const topAndEnd = (inks: readonly number[], is: (ink: number) => boolean): readonly number[] => [
  inks.findIndex(is),
  inks.length - [...inks].reverse().findIndex(is),
];
const isBar = (ink: number): boolean => ink >= INK.level;

describe('What a column of a lane shows', () => {
  it('stands in the middle of the lane, apart from cap, foot and hairline, at every ratio', () => {
    for (const pixelRatio of [1, 1.25, 1.5, 1.75, 2])
      for (const laneHeight of [20, 10].map((px) => Math.round(px * pixelRatio)))
        for (const durationMs of [3, 500, 8000, 59_000, 200_000]) {
          const inks = stripOf(durationMs, { laneHeight, pixelRatio, columnMs: 1 });
          const [top, end] = topAndEnd(inks, isBar) as [number, number];
          assert.equal(
            end - top,
            heightOfLevel(levelOfDuration(durationMs), roomInLane(laneHeight, pixelRatio)),
          );
          assert.ok(inks.slice(top, end).every((ink) => ink === INK.level + levelOfDuration(durationMs)));
          assert.ok(Math.abs(top + end - laneHeight) <= 1, `${top} to ${end} of ${laneHeight}`);
          assert.equal(inks[laneHeight - 1], INK.hairline);
          assert.equal(inks.includes(INK.cap), durationMs >= 60_000);
          assert.equal(inks.includes(INK.foot), durationMs > 10 && laneHeight >= 20 * pixelRatio);
        }
  });

  it('is a hairline alone where nothing is', () => {
    assert.deepEqual(stripOf(0, { laneHeight: 7, pixelRatio: 1 }), [0, 0, 0, 0, 0, 0, INK.hairline]);
  });

  it('has a foot only where it is surely as wide as it lasted', () => {
    const of = (durationMs: number, columnMs: number): boolean =>
      stripOf(durationMs, { laneHeight: 20, pixelRatio: 1, columnMs }).includes(INK.foot);
    assert.deepEqual(
      [of(999, 1000), of(1200, 1000), of(1000, 1200), of(90_000, 1000)],
      [false, true, false, true],
    );
    forAll(
      fc.tuple(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 200_000 })),
      ([ms, wide]) => !of(ms, wide) || ms >= wide,
    );
  });

  it('is the whole of a low lane, but for one pixel where it fits', () => {
    const of = (laneHeight: number): number =>
      stripOf(50, { laneHeight, pixelRatio: 1 }).filter(isBar).length;
    assert.deepEqual([2, 3, 5].map(of), [2, 2, 4]);
  });
});

describe('What is under the pointer', () => {
  const rows: readonly Row[] = [
    [100, 1],
    [100, 20],
    [300, 0],
  ];
  const columns = columnsOf(rows);
  const lane = indexOf(columns).lanes[0]!;
  const view = { beginUtcMs: 0, endUtcMs: 914, columns: 914 };
  const grid = createPixelGrid(view, fineBinMs(view));

  it('is the longest checkpoint of the column, with the count', () => {
    assert.deepEqual(hitColumn(columns, lane, grid, 100, 0), {
      column: 100,
      row: 1,
      count: 2,
      enlarged: false,
    });
  });

  it('is the nearest one within reach, and nothing beyond it', () => {
    assert.equal(hitColumn(columns, lane, grid, 97, 3)?.column, 100);
    assert.equal(hitColumn(columns, lane, grid, 96, 3), null);
  });

  it('says when it is drawn wider than it is', () => {
    assert.equal(hitColumn(columns, lane, grid, 300, 0)?.enlarged, true);
  });

  it('by keyboard is the checkpoint itself, and nothing out of view', () => {
    assert.deepEqual(hitRow(columns, lane, grid, 1), {
      column: 109,
      row: 1,
      count: 1,
      enlarged: false,
      from: 100,
      end: 120,
    });
    assert.equal(
      hitRow(columns, lane, createPixelGrid({ ...view, beginUtcMs: 500, endUtcMs: 1414 }, grid.binMs), 1),
      null,
    );
  });
});

const pinnedSize = { ...size, pinnedLanes: 2 } as const;

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
    const unscrolled = { ...pinnedSize, ...given, pinnedLanes: Math.min(pinned, given.laneCount) };
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
  it('take half of the height at most: where more are pinned, the rest scroll', () => {
    const fixedOf = (pinnedLanes: number, heightPx: number): number =>
      layoutTimeline({ ...pinnedSize, pinnedLanes, heightPx }).fixedLanes;
    assert.deepEqual(
      [fixedOf(5, 200), fixedOf(6, 200), fixedOf(3, 119), fixedOf(3, 30), fixedOf(0, 200)],
      [5, 5, 2, 0, 0],
    );
  });

  it('share every height with the others so that it belongs to one lane in view, and each lane in view has some of it', () => {
    forAll(sizes, (given) => {
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
        assert.equal(
          nearestLane(layout, (y + 0.5) / given.pixelRatio, given.laneCount),
          owner ?? given.laneCount - 1,
        );
      });
      for (let lane = 0; lane < given.laneCount; lane++)
        if (!lanes.includes(lane)) {
          const [from, end] = seenOf(layout, lane);
          assert.ok(end <= from && placeInView(layout, lane) === -1, `lane ${lane} is not in view`);
        }
    });
  });

  it('are under none that was scrolled to', () => {
    forAll(fc.tuple(sizes, fc.nat(199)), ([given, wanted]) => {
      const before = layoutTimeline(given);
      const lane = wanted % given.laneCount;
      const laneHeightPx = before.laneHeight / given.pixelRatio;
      // Where nothing fits beside the pinned ones, a lane cannot be whole in view.
      fc.pre(given.heightPx >= (before.fixedLanes + 1) * laneHeightPx);
      const { fixedLanes } = before;
      const scrollTopPx = scrollToLane(lane, {
        scrollTopPx: given.scrollTopPx,
        heightPx: given.heightPx,
        laneHeightPx,
        fixedLanes,
      });
      const layout = layoutTimeline({ ...given, scrollTopPx });
      const [from, end] = seenOf(layout, lane);
      // Scrolled by parts of a pixel, a lane is painted on whole ones.
      assert.ok(end - from >= layout.laneHeight - 1, `${end - from} of ${layout.laneHeight} pixels are seen`);
      assert.ok(scrollTopPx >= 0);
    });
  });

  it('end with a line, and those of them that scroll with another', () => {
    const edgesOf = (pinnedLanes: number, scrollTopPx: number, laneCount = 40): readonly number[] =>
      layoutPinnedEdges(
        layoutTimeline({ ...pinnedSize, pinnedLanes, scrollTopPx, laneCount }),
        pinnedLanes,
        laneCount,
      );
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
      listNamedLanes(layoutTimeline({ ...pinnedSize, scrollTopPx }), null, null)
        .slice(0, 4)
        .join(' ');
    assert.deepEqual([0, 5, 6, 20].map(namesAt), ['0 1 2 3', '0 1 2 3', '0 1 3 4', '0 1 3 4']);
  });

  it('keep the lone name of a low lane off them', () => {
    const layout = layoutTimeline({
      ...pinnedSize,
      laneHeight: 'all',
      laneCount: 1000,
      pinnedLanes: 10,
      scrollTopPx: 500,
    });
    assert.deepEqual(
      [layout.laneHeight, layout.fixedLanes, layout.firstLane, fixedBottom(layout)],
      [2, 10, 260, 20],
    );
    assert.deepEqual(listNamedLanes(layout, 3, 260), [260, 3]);
    assert.equal(layoutName(layout, 260).topPx, 20);
    assert.equal(layoutName(layout, 3).topPx, 0);
    assert.deepEqual(listNamedLanes(layout, 200, null), [], 'one that lies under them has none');
  });
});
