import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLanePicture, reduceLane, type LanePicture } from '../../../src/core/picture/pixel-columns';
import { LEVELS, heightOfLevel, levelOfDuration, positionOnScale } from '../../../src/webview/layout/duration-scale';
import { hitColumn, hitRow } from '../../../src/webview/layout/hit';
import { layoutBars, roomInLane, type Bar } from '../../../src/webview/layout/lane-bars';
import { labelWidthPx, laneAt, laneTop, layoutTimeline, scrollToLane } from '../../../src/webview/layout/timeline-layout';
import { columnsOf, indexOf, type Row } from '../../core/picture/columns-of';

const size = { widthPx: 1000, heightPx: 200, pixelRatio: 1, laneCount: 40, scrollTopPx: 0, widestNamePx: 60 };

describe('The layout of the timeline', () => {
  for (const pixelRatio of [1, 1.25, 1.5, 1.75, 2]) {
    it(`has whole device pixels at a ratio of ${pixelRatio}`, () => {
      const layout = layoutTimeline({ ...size, widthPx: 987, heightPx: 333, scrollTopPx: 33, pixelRatio });
      for (const value of [layout.width, layout.height, layout.plotLeft, layout.plotWidth, layout.laneHeight, layout.scrollTop])
        assert.equal(value, Math.round(value));
      assert.ok(layout.plotLeft + layout.plotWidth <= layout.width);
    });
  }

  it('paints only the lanes in view', () => {
    const layout = layoutTimeline({ ...size, laneCount: 400, scrollTopPx: 110 });
    assert.deepEqual([layout.firstLane, layout.endLane], [5, 16]);
  });

  it('finds the lane under a height and nothing below the last', () => {
    const layout = layoutTimeline({ ...size, laneCount: 3, pixelRatio: 1.5, scrollTopPx: 10 });
    for (let lane = 0; lane < 3; lane++) assert.equal(laneAt(layout, laneTop(layout, lane) / 1.5 + 1, 3), lane);
    assert.equal(laneAt(layout, laneTop(layout, 3) / 1.5 + 1, 3), null);
  });

  it('gives names the room they need, but leaves three quarters to the bars', () => {
    assert.equal(labelWidthPx(1000, 80), 102);
    assert.equal(labelWidthPx(1000, 900), 208);
    assert.equal(labelWidthPx(400, 900), 104);
  });

  it('scrolls only as far as needed to show a lane', () => {
    assert.equal(scrollToLane(2, 0, 200, 20), 0);
    assert.equal(scrollToLane(2, 100, 200, 20), 40);
    assert.equal(scrollToLane(20, 0, 200, 20), 220);
  });

  it('survives a window of no size', () => {
    const layout = layoutTimeline({ ...size, widthPx: 0, heightPx: 0, laneCount: 0 });
    assert.ok(layout.plotWidth >= 1 && layout.firstLane === 0 && layout.endLane === 0);
  });
});

describe('The duration scale', () => {
  it('is absolute: 10 ms at one end, 100 s at the other, each decade a quarter', () => {
    assert.deepEqual([0, 10, 100, 1000, 10_000, 100_000, 9_999_999].map(positionOnScale), [0, 0, 0.25, 0.5, 0.75, 1, 1]);
  });

  it('never draws a longer checkpoint lower or with an earlier colour', () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.nat(200_000), (a, b) => {
        const [short, long] = [levelOfDuration(Math.min(a, b)), levelOfDuration(Math.max(a, b))];
        assert.ok(short <= long && long < LEVELS && heightOfLevel(short, 16) <= heightOfLevel(long, 16));
      }),
    );
  });

  it('fills a quarter of the room with the shortest and all of it with the longest', () => {
    assert.deepEqual([heightOfLevel(0, 16), heightOfLevel(LEVELS - 1, 16)], [4, 16]);
  });
});

interface Drawn {
  readonly picture: LanePicture;
  readonly bars: readonly Bar[];
}

const view = { beginUtcMs: 0, endUtcMs: 914, columns: 914 };

function draw(rows: readonly Row[], recoveryIntervalMs = 60_000): Drawn & { readonly left: number } {
  const columns = columnsOf(rows);
  const layout = layoutTimeline(size);
  const picture = createLanePicture(view.columns);
  reduceLane(columns, indexOf(columns).lanes[0], view, picture);
  return { picture, bars: layoutBars(picture, columns, layout, 0, recoveryIntervalMs), left: layout.plotLeft };
}

describe('The bars of a lane', () => {
  it('lie where the checkpoints are, in the middle of the lane', () => {
    const { bars, left } = draw([[100, 50]]);
    assert.deepEqual(
      bars.map(({ x, width }) => [x - left, width]),
      [[100, 50]],
    );
    assert.equal(bars[0]!.y + Math.floor(bars[0]!.height / 2), 10);
    assert.ok(bars[0]!.height <= roomInLane(layoutTimeline(size)));
  });

  it('keep a seam between two wide neighbours', () => {
    const { bars, left } = draw([
      [100, 50],
      [150, 40],
    ]);
    assert.deepEqual(
      bars.map(({ x, width }) => [x - left, width]),
      [
        [100, 50],
        [151, 39],
      ],
    );
  });

  it('are capped from the recovery interval on', () => {
    assert.deepEqual(
      draw(
        [
          [0, 299],
          [400, 300],
        ],
        300,
      ).bars.map((bar) => bar.capped),
      [false, true],
    );
  });

  it('cover every drawn column with the colour of its longest checkpoint, seams aside', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(900), fc.oneof(fc.nat(3), fc.nat(700))), { maxLength: 50 }), (rows) => {
        const { picture, bars, left } = draw(rows);
        const levels = new Map<number, number>();
        for (const bar of bars) for (let x = bar.x; x < bar.x + bar.width; x++) levels.set(x - left, bar.level);
        for (let column = 0; column < view.columns; column++) {
          const row = picture.worst[column]!;
          const drawn = levels.get(column);
          if (row < 0) assert.equal(drawn, undefined);
          else if (drawn === undefined)
            assert.ok(picture.worst[column - 1]! >= 0 && picture.worst[column + 1] === row, `column ${column} is a seam`);
          else assert.equal(drawn, levelOfDuration(rows[row]![1]));
        }
      }),
    );
  });
});

describe('What is under the pointer', () => {
  const rows: readonly Row[] = [
    [100, 1],
    [100, 20],
    [300, 0],
  ];
  const columns = columnsOf(rows);
  const { picture } = draw(rows);

  it('is the longest checkpoint of the column, with the count', () => {
    assert.deepEqual(hitColumn(picture, columns, view, 100, 0), { column: 100, row: 1, count: 2, enlarged: false });
  });

  it('is the nearest one within reach, and nothing beyond it', () => {
    assert.equal(hitColumn(picture, columns, view, 97, 3)?.column, 100);
    assert.equal(hitColumn(picture, columns, view, 96, 3), null);
  });

  it('says when it is drawn wider than it is', () => {
    assert.equal(hitColumn(picture, columns, view, 300, 0)?.enlarged, true);
  });

  it('by keyboard is the checkpoint itself, and nothing out of view', () => {
    assert.deepEqual(hitRow(picture, columns, view, 1), { column: 109, row: 1, count: 1, enlarged: false, from: 100, end: 120 });
    assert.equal(hitRow(picture, columns, { ...view, beginUtcMs: 500, endUtcMs: 1414 }, 1), null);
  });
});
