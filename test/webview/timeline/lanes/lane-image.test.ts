import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CODES } from '../../../../src/core/timeline/duration-levels';
import { listRuns, type LanePicture } from '../../../../src/core/timeline/pixel-columns';
import { createBandFiller, type LaneColours } from '../../../../src/webview/timeline/lanes/lane-image';
import { listLaneShapes } from '../../../../src/webview/timeline/lanes/lane-shapes';
import { INK, INKS, layoutStrip, STRIP_STRIDE } from '../../../../src/webview/timeline/lanes/lane-strip';
import type { GapSpan } from '../../../../src/webview/timeline/lanes/time-marks';
import {
  laneAt,
  laneTop,
  layoutTimeline,
  listLanesInView,
  placeInView,
} from '../../../../src/webview/timeline/lanes/timeline-layout';
import { forAll } from '../../../for-all';

const coloursFrom = (first: number): Uint32Array =>
  Uint32Array.from({ length: INKS }, (_, ink) => first + ink);
const COLOURS: LaneColours = {
  plain: coloursFrom(1000),
  hovered: coloursFrom(2000),
  selected: coloursFrom(3000),
};
const COLUMN_MS = 500;

const picturesOf = (lanes: readonly Uint8Array[]): readonly LanePicture[] =>
  lanes.map((codes) => ({ codes, grid: null }));

const spanFrom = (from: number, columns: number): GapSpan => ({
  gap: GAP,
  isPartial: false,
  from,
  end: from + columns,
});
const GAP: GapSpan['gap'] = { kind: 'session stopped', beginUtcMs: 0, endUtcMs: 1, reason: '' };

/** The timeline in any size and scroll, and something in each pixel column of each of its lanes. */
const drawn = (mostPinned: number) =>
  fc
    .record({
      laneHeight: fc.constantFrom('normal' as const, 'compact' as const, 'all' as const),
      pixelRatio: fc.constantFrom(1, 1.25, 2),
      laneCount: fc.integer({ min: 0, max: 60 }),
      pinned: fc.nat(mostPinned),
      scrollTopPx: fc.nat(150),
      seed: fc.nat(1000),
    })
    .map(({ seed, pinned, ...size }) => {
      const pinnedLanes = Math.min(pinned, size.laneCount);
      const layout = layoutTimeline({ ...size, pinnedLanes, widthPx: 130, heightPx: 100, widestNamePx: 10 });
      const codesOf = (lane: number) =>
        Uint8Array.from({ length: layout.plotWidth }, (_, column) => (seed + lane * 31 + column * 7) % CODES);
      const pictures = picturesOf(listLanesInView(layout).map(codesOf));
      const inks = layoutStrip({ ...layout, columnMs: COLUMN_MS });
      /** What each pixel of a lane shows, or of the ground below the last. */
      const inkAt = (x: number, y: number, lane: number): number => {
        const code = pictures[placeInView(layout, lane)]?.codes[x - layout.plotLeft];
        return code === undefined ? INK.ground : inks[(y - laneTop(layout, lane)) * STRIP_STRIDE + code]!;
      };
      const laneOf = (y: number): number =>
        laneAt(layout, y / layout.pixelRatio, size.laneCount) ?? size.laneCount;
      return { seed, laneCount: size.laneCount, layout, pictures, inkAt, laneOf };
    });

describe('The pixels of the lanes', () => {
  it('are the inks of each column of each lane on its ground, whatever the scroll and the height of lanes and bands; gaps are hatched on the bare ground alone', () => {
    forAll(
      fc.tuple(drawn(12), fc.integer({ min: 1, max: 70 })),
      60,
      ([{ seed, laneCount, layout, pictures, inkAt, laneOf }, bandHeight]) => {
        const [selectedLane, hoveredLane] = [seed % 7, seed % 5];
        const gaps = [spanFrom(seed % 30, 1), spanFrom((seed * 3) % 20, 20)];
        const fill = createBandFiller(
          { layout, pictures, gaps, columnMs: COLUMN_MS, selectedLane, hoveredLane },
          COLOURS,
        );
        const isInGap = (x: number): boolean =>
          gaps.some(({ from, end }) => x - layout.plotLeft >= from && x - layout.plotLeft < end);
        const band = new Uint32Array(layout.width * bandHeight);
        for (let top = 0; top < layout.height; top += bandHeight) {
          fill(band, top);
          for (let y = top; y < Math.min(layout.height, top + bandHeight); y++) {
            const lane = laneOf(y);
            const colours =
              lane === selectedLane
                ? COLOURS.selected
                : lane === hoveredLane
                  ? COLOURS.hovered
                  : COLOURS.plain;
            const ground = lane < laneCount ? colours : COLOURS.plain;
            for (let x = 0; x < layout.width; x++) {
              const ink = inkAt(x, y, lane);
              const pixel = band[(y - top) * layout.width + x];
              const isHatched =
                pixel === ground[INK.hatching] && ink === INK.ground && lane < laneCount && isInGap(x);
              if (pixel !== ground[ink] && !isHatched) assert.fail(`pixel ${x}, ${y} of lane ${lane}`);
            }
          }
        }
      },
    );
  });

  it('show a gap of any width: hatching, or a tick at the foot of the lane where it is narrow; a bar in the same column stays whole', () => {
    const layout = layoutTimeline({
      laneHeight: 'normal',
      pixelRatio: 1,
      laneCount: 1,
      pinnedLanes: 0,
      scrollTopPx: 0,
      widthPx: 130,
      heightPx: 100,
      widestNamePx: 10,
    });
    const codes = new Uint8Array(layout.plotWidth);
    codes[30] = CODES - 1;
    const columnsOf = (from: number, columns: number): readonly number[][] => {
      const input = {
        layout,
        pictures: picturesOf([codes]),
        gaps: [spanFrom(from, columns)],
        columnMs: COLUMN_MS,
        selectedLane: null,
        hoveredLane: null,
      };
      const band = new Uint32Array(layout.width * layout.laneHeight);
      createBandFiller(input, COLOURS)(band, 0);
      return Array.from({ length: columns }, (_, i) => {
        const inkOf = (y: number): number => band[y * layout.width + layout.plotLeft + from + i]! - 1000;
        return Array.from({ length: layout.laneHeight }, (_pixel, y) => inkOf(y));
      });
    };
    const [bare = [], barred = []] = [10, 30].map((from) => columnsOf(from, 1)[0]);
    assert.deepEqual(bare.slice(-4), [INK.hatching, INK.hatching, INK.hatching, INK.hairline]);
    assert.ok(!bare.slice(0, -4).includes(INK.hatching));
    assert.ok(barred.filter((ink) => ink >= INK.level).length > layout.laneHeight / 2, 'all of the bar');
    assert.ok(
      columnsOf(10, 20).every((column) => column.includes(INK.hatching) && column.includes(INK.ground)),
    );
  });

  it('are those that the shapes of a report cover, each once, hairlines aside', () => {
    forAll(drawn(12), 30, ({ layout, pictures, inkAt, laneOf }) => {
      const painted = new Map<number, number>();
      for (const { x, y, width, height, ink } of listLaneShapes(layout, pictures, COLUMN_MS))
        for (let column = x; column < x + width; column++)
          for (let row = y; row < y + height; row++) {
            const pixel = row * layout.width + column;
            assert.ok(!painted.has(pixel), `pixel ${column}, ${row} twice`);
            painted.set(pixel, ink);
          }
      for (let y = 0; y < layout.height; y++)
        for (let x = 0; x < layout.width; x++) {
          const ink = inkAt(x, y, laneOf(y));
          const wanted = ink === INK.ground || ink === INK.hairline ? undefined : ink;
          if (painted.get(y * layout.width + x) !== wanted) assert.fail(`pixel ${x}, ${y}`);
        }
    });
  });

  it('are one bar of a report for each run of columns that look alike', () => {
    const codes = Uint8Array.of(0, 4, 4, 9, 0, 9, 9, 1);
    const size = {
      widthPx: 400,
      heightPx: 60,
      pixelRatio: 1.5,
      laneCount: 3,
      pinnedLanes: 0,
      scrollTopPx: 7,
    } as const;
    const layout = layoutTimeline({ ...size, widestNamePx: 40, laneHeight: 'normal' });
    const bars = listLaneShapes(layout, picturesOf([codes]), 900).filter(({ ink }) => ink >= INK.level);
    assert.equal(bars.length, listRuns(codes).length);
  });
});
