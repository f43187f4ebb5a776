import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listRuns, type LanePicture } from '../../../src/core/timeline/pixel-columns';
import { listLaneShapes } from '../../../src/webview/timeline/lanes/lane-shapes';
import { INK, layoutStrip, STRIP_STRIDE } from '../../../src/webview/timeline/lanes/lane-strip';
import { laneAt, laneTop, layoutTimeline, listLanesInView } from '../../../src/webview/timeline/lanes/timeline-layout';

const size = {
  widthPx: 400,
  heightPx: 60,
  pixelRatio: 1.5,
  laneCount: 3,
  pinnedLanes: 0,
  scrollTopPx: 7,
  widestNamePx: 40,
  laneHeight: 'normal',
} as const;
const layout = layoutTimeline(size);
const columnMs = 900;
const inks = layoutStrip({ ...layout, columnMs });
const picturesOf = (lanes: readonly (readonly number[])[]): readonly LanePicture[] =>
  lanes.map((codes) => ({ codes: Uint8Array.from(codes) }) as unknown as LanePicture);

describe('The lanes as shapes', () => {
  it('cover the very pixels that the image of the lanes paints, each once', () => {
    const codes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(codes, { minLength: 1, maxLength: 3 }), (lanes) => {
        const painted = new Map<string, number>();
        for (const { x, y, width, height, ink } of listLaneShapes(layout, picturesOf(lanes), columnMs))
          for (let column = x; column < x + width; column++)
            for (let row = y; row < y + height; row++) {
              assert.ok(!painted.has(`${column} ${row}`));
              painted.set(`${column} ${row}`, ink);
            }
        lanes.forEach((lane, i) =>
          lane.forEach((code, column) => {
            for (let row = 0; row < layout.laneHeight; row++) {
              const ink = inks[row * STRIP_STRIDE + code]!;
              const wanted = ink === INK.ground || ink === INK.hairline ? undefined : ink;
              assert.equal(painted.get(`${layout.plotLeft + column} ${laneTop(layout, layout.firstLane + i) + row}`), wanted);
            }
          }),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('are cut where a lane lies under pinned ones, and those have all of theirs', () => {
    const scrolled = layoutTimeline({ ...size, heightPx: 120, laneCount: 20, pinnedLanes: 2, scrollTopPx: 50 });
    const lanes = listLanesInView(scrolled);
    assert.deepEqual([scrolled.laneHeight, scrolled.scrollTop, ...lanes.slice(0, 3)], [30, 75, 0, 1, 4]);
    const codes = Array.from({ length: 20 }, (_, column) => 3 * column);
    const painted = new Map<string, number>();
    for (const { x, y, width, height, ink } of listLaneShapes(scrolled, picturesOf(lanes.map(() => codes)), columnMs))
      for (let column = x; column < x + width; column++)
        for (let row = y; row < y + height; row++) {
          assert.ok(!painted.has(`${column} ${row}`));
          painted.set(`${column} ${row}`, ink);
        }
    const strip = layoutStrip({ ...scrolled, columnMs });
    codes.forEach((code, column) => {
      for (let row = 0; row < scrolled.height; row++) {
        const lane = laneAt(scrolled, row / scrolled.pixelRatio, 20)!;
        const ink = strip[(row - laneTop(scrolled, lane)) * STRIP_STRIDE + code]!;
        const wanted = ink === INK.ground || ink === INK.hairline ? undefined : ink;
        assert.equal(painted.get(`${scrolled.plotLeft + column} ${row}`), wanted, `row ${row} of lane ${lane}`);
      }
    });
  });

  it('are one bar for each run of columns that look alike', () => {
    const lanes = [[0, 4, 4, 9, 0, 9, 9, 1]];
    const bars = listLaneShapes(layout, picturesOf(lanes), columnMs).filter(({ ink }) => ink >= INK.level);
    assert.equal(bars.length, listRuns(Uint8Array.from(lanes[0]!)).length);
  });
});
