import assert from 'node:assert/strict';
import fc from 'fast-check';
import { centreMoment } from '../../../../src/webview/model/time-window';
import {
  countParts,
  layoutOverview,
  moveLens,
  placeLens,
  resizeLens,
} from '../../../../src/webview/timeline/minimap/minimap-layout';
import { forAll } from '../../../for-all';

const bounds = { beginUtcMs: 0, endUtcMs: 100_000 };
const WIDTH_PX = 1000;

const windowArbitrary = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.0006, max: 1, noNaN: true }))
  .map(([at, share]) => {
    const span = share * 100_000;
    return { beginUtcMs: at * (100_000 - span), endUtcMs: at * (100_000 - span) + span };
  });

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3;

describe('The lens of the minimap', () => {
  it('lies inside the plot, over its window, and can always be taken hold of', () => {
    forAll(windowArbitrary, (window) => {
      const [left, right] = placeLens(window, bounds, WIDTH_PX);
      assert.ok(left >= 0 && right <= WIDTH_PX + 1e-6 && right - left >= 10 - 1e-6);
      if ((window.endUtcMs - window.beginUtcMs) / 100 > 10) assert.ok(isNear(left, window.beginUtcMs / 100));
    });
  });

  it('gives back the window it was placed over, and a moved one keeps its span to the ends of the time', () => {
    forAll(fc.tuple(windowArbitrary, fc.double({ min: 0, max: 1, noNaN: true })), ([window, share]) => {
      const grip = { window, edges: placeLens(window, bounds, WIDTH_PX) };
      const same = moveLens(grip.edges, grip, bounds, WIDTH_PX);
      assert.ok(isNear(same.beginUtcMs, window.beginUtcMs));
      const wide = grip.edges[1] - grip.edges[0];
      const left = share * (WIDTH_PX - wide);
      const moved = moveLens([left, left + wide], grip, bounds, WIDTH_PX);
      assert.ok(isNear(moved.endUtcMs - moved.beginUtcMs, window.endUtcMs - window.beginUtcMs));
      const [placed] = placeLens(moved, bounds, WIDTH_PX);
      assert.ok(Math.abs(placed - left) < 0.01, 'it stays under the pointer');
    });
  });

  it('keeps the edge that was not moved where it was, also where it is drawn wider than its window', () => {
    const window = { beginUtcMs: 50_000, endUtcMs: 50_100 };
    const grip = { window, edges: placeLens(window, bounds, WIDTH_PX) };
    const resized = resizeLens([grip.edges[0], 700], grip, bounds, WIDTH_PX);
    assert.deepEqual(resized, { beginUtcMs: 50_000, endUtcMs: 70_000 });
    assert.deepEqual(resizeLens([200, 300], grip, bounds, WIDTH_PX), {
      beginUtcMs: 20_000,
      endUtcMs: 30_000,
    });
  });

  it('comes to a click', () => {
    const window = { beginUtcMs: 40_000, endUtcMs: 50_000 };
    assert.deepEqual(centreMoment(window, bounds, 10_000), { beginUtcMs: 5_000, endUtcMs: 15_000 });
    assert.deepEqual(centreMoment(window, bounds, 0), { beginUtcMs: 0, endUtcMs: 10_000 });
  });
});

describe('The picture of the whole time', () => {
  it('has a bar for each part with a checkpoint, as high as the task was busy, never too low to be seen', () => {
    const parts = { longestMs: [-1, 0, 60_000, 500], busyMs: [0, 0, 90, 50], observedMs: [100, 100, 100, 0] };
    const bars = layoutOverview(parts, 12, 20, 1);
    assert.deepEqual(
      bars.map(({ x, width, height }) => `${width} by ${height} at ${x}`),
      ['2 by 2 at 3', '2 by 18 at 6', '2 by 2 at 9'],
    );
    assert.ok(bars[1]!.level > bars[2]!.level && bars[2]!.level > bars[0]!.level);
  });

  it('fills the plot from edge to edge at every ratio', () => {
    for (const ratio of [1, 1.25, 1.5, 1.75, 2]) {
      const count = countParts(1013, ratio);
      const every = new Array<number>(count).fill(1);
      const bars = layoutOverview({ longestMs: every, busyMs: every, observedMs: every }, 1013, 20, ratio);
      const last = bars[bars.length - 1]!;
      assert.ok(bars[0]!.x === 0 && last.x + last.width <= 1013 && last.x + last.width >= 1013 - 2 * ratio);
      bars.forEach((bar, i) =>
        assert.ok(i === 0 || bar.x > bars[i - 1]!.x + bars[i - 1]!.width - 1, 'no bar over another'),
      );
    }
  });
});
