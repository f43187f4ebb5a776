import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CODES } from '../../../../src/core/timeline/duration-levels';
import { INK, INKS, layoutStrip, STRIP_STRIDE } from '../../../../src/webview/timeline/lanes/lane-strip';
import { laneAt, laneTop, layoutTimeline, listLanesInView, placeInView } from '../../../../src/webview/timeline/lanes/timeline-layout';
import { createBandFiller, type LaneColours } from '../../../../src/webview/timeline/lanes/lane-image';

const coloursFrom = (first: number): Uint32Array => Uint32Array.from({ length: INKS }, (_, ink) => first + ink);
const COLOURS: LaneColours = { plain: coloursFrom(1000), hovered: coloursFrom(2000), selected: coloursFrom(3000) };
const COLUMN_MS = 500;

describe('The pixels of the lanes', () => {
  it('are the inks of each column of each lane on its ground, whatever the scroll, the height of lanes and of bands', () => {
    const sizes = fc.record({
      laneHeight: fc.constantFrom('normal' as const, 'compact' as const, 'all' as const),
      pixelRatio: fc.constantFrom(1, 1.25, 2),
      laneCount: fc.integer({ min: 0, max: 60 }),
      pinned: fc.nat(12),
      scrollTopPx: fc.nat(150),
      bandHeight: fc.integer({ min: 1, max: 70 }),
      seed: fc.nat(1000),
    });
    fc.assert(
      fc.property(sizes, ({ bandHeight, seed, pinned, ...size }) => {
        const pinnedLanes = Math.min(pinned, size.laneCount);
        const layout = layoutTimeline({ ...size, pinnedLanes, widthPx: 130, heightPx: 100, widestNamePx: 10 });
        const pictures = listLanesInView(layout).map((lane) => ({
          codes: Uint8Array.from({ length: layout.plotWidth }, (_, column) => (seed + lane * 31 + column * 7) % CODES),
          grid: null,
        }));
        const [selectedLane, hoveredLane] = [seed % 7, seed % 5];
        const fill = createBandFiller({ layout, pictures, columnMs: COLUMN_MS, selectedLane, hoveredLane }, COLOURS);
        const inks = layoutStrip({ ...layout, columnMs: COLUMN_MS });
        const band = new Uint32Array(layout.width * bandHeight);
        for (let top = 0; top < layout.height; top += bandHeight) {
          fill(band, top);
          for (let y = top; y < Math.min(layout.height, top + bandHeight); y++) {
            const lane = laneAt(layout, y / layout.pixelRatio, size.laneCount) ?? size.laneCount;
            const colours = lane === selectedLane ? COLOURS.selected : lane === hoveredLane ? COLOURS.hovered : COLOURS.plain;
            for (let x = 0; x < layout.width; x++) {
              const code = pictures[placeInView(layout, lane)]?.codes[x - layout.plotLeft];
              const ink = code === undefined ? INK.ground : inks[(y - laneTop(layout, lane)) * STRIP_STRIDE + code]!;
              const ground = lane < size.laneCount ? colours : COLOURS.plain;
              if (band[(y - top) * layout.width + x] !== ground[ink]) assert.fail(`pixel ${x}, ${y} of lane ${lane}`);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
