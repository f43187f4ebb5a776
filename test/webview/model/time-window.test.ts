import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findLargestWave,
  fitCheckpoint,
  followEnd,
  isAtEnd,
  showsAll,
  keepInside,
  panWindow,
  revealMoment,
  SMALLEST_SPAN_MS,
  spanOf,
  zoomWindow,
} from '../../../src/webview/model/time-window';

const bounds = { beginUtcMs: 1_000_000, endUtcMs: 2_000_000 };
const close = (actual: number, expected: number): void =>
  assert.ok(
    Math.abs(actual - expected) < 1e-6 * Math.max(1, Math.abs(expected)),
    `${actual} is not ${expected}`,
  );

const windowArbitrary = fc
  .tuple(fc.integer({ min: 1_000_000, max: 1_999_000 }), fc.integer({ min: 100, max: 1_000_000 }))
  .map(([begin, span]) => keepInside({ beginUtcMs: begin, endUtcMs: begin + span }, bounds));

describe('The window of time in view', () => {
  it('stays inside the bounds and no smaller than the smallest span, however it is zoomed and panned', () => {
    fc.assert(
      fc.property(
        windowArbitrary,
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        (window, factor, anchor, share) => {
          for (const next of [zoomWindow(window, bounds, factor, anchor), panWindow(window, bounds, share)]) {
            assert.ok(next.beginUtcMs >= bounds.beginUtcMs - 1e-6 && next.endUtcMs <= bounds.endUtcMs + 1e-6);
            assert.ok(spanOf(next) >= SMALLEST_SPAN_MS - 1e-6);
          }
        },
      ),
    );
  });

  it('keeps the moment under the pointer where it is when it zooms in', () => {
    fc.assert(
      fc.property(
        windowArbitrary,
        fc.double({ min: 1, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, factor, anchor) => {
          const next = zoomWindow(window, bounds, factor, anchor);
          close(next.beginUtcMs + spanOf(next) * anchor, window.beginUtcMs + spanOf(window) * anchor);
        },
      ),
    );
  });

  it('keeps its span when it pans, and stops at the bounds', () => {
    const window = { beginUtcMs: 1_100_000, endUtcMs: 1_200_000 };
    assert.deepEqual(panWindow(window, bounds, 0.5), { beginUtcMs: 1_150_000, endUtcMs: 1_250_000 });
    assert.deepEqual(panWindow(window, bounds, -9), { beginUtcMs: 1_000_000, endUtcMs: 1_100_000 });
  });

  it('fits a checkpoint into a third of the width, and shows at least two seconds', () => {
    assert.deepEqual(fitCheckpoint(1_500_000, 30_000, bounds), {
      beginUtcMs: 1_470_000,
      endUtcMs: 1_560_000,
    });
    assert.equal(spanOf(fitCheckpoint(1_500_000, 4, bounds)), 2000);
  });

  it('moves only as far as needed to show a checkpoint', () => {
    const window = { beginUtcMs: 1_100_000, endUtcMs: 1_200_000 };
    assert.deepEqual(revealMoment(window, bounds, 1_150_000, 10), window);
    assert.deepEqual(revealMoment(window, bounds, 1_300_000, 1000), {
      beginUtcMs: 1_206_000,
      endUtcMs: 1_306_000,
    });
    assert.deepEqual(revealMoment(window, bounds, 1_050_000, 10), {
      beginUtcMs: 1_045_000,
      endUtcMs: 1_145_000,
    });
  });
});

describe('Following what is new', () => {
  const grown = { beginUtcMs: 1_000_000, endUtcMs: 2_010_000 };

  it('keeps the span and moves the right edge to the newest', () => {
    assert.deepEqual(followEnd({ beginUtcMs: 1_900_000, endUtcMs: 2_000_000 }, grown), {
      beginUtcMs: 1_910_000,
      endUtcMs: 2_010_000,
    });
  });

  it('begins where the right edge is at the newest, to less than a pixel', () => {
    assert.equal(isAtEnd({ beginUtcMs: 1_900_000, endUtcMs: 1_999_950 }, bounds), true);
    assert.equal(isAtEnd({ beginUtcMs: 1_900_000, endUtcMs: 1_999_000 }, bounds), false);
  });

  it('knows a window that shows all', () => {
    assert.deepEqual(
      [showsAll(bounds, bounds), showsAll({ ...bounds, endUtcMs: 1_900_000 }, bounds)],
      [true, false],
    );
  });
});

describe('The wave that a file opens at', () => {
  const minute = (at: number): number => bounds.beginUtcMs + at * 60_000;
  const day = { beginUtcMs: minute(0), endUtcMs: minute(600) };
  const at = (...minutes: readonly number[]) =>
    minutes.map((one) => ({ atUtcMs: minute(one), databaseId: one }));

  it('is the one that changed the most databases, with a quarter of an hour either side', () => {
    assert.deepEqual(findLargestWave(at(300, 100, 303, 307), day), {
      atUtcMs: minute(300),
      databaseIds: [300, 303, 307],
      window: { beginUtcMs: minute(285), endUtcMs: minute(322) },
    });
  });

  it('names a database once that was changed twice', () => {
    const twice = [...at(300), ...at(301)].map((change) => ({ ...change, databaseId: 5 }));
    assert.deepEqual(findLargestWave(twice, day)?.databaseIds, [5]);
  });

  it('stays within what was observed, and is none where nothing was changed then', () => {
    assert.deepEqual(findLargestWave(at(5), day)?.window, { beginUtcMs: minute(0), endUtcMs: minute(20) });
    assert.equal(findLargestWave(at(-5, 601), day), null);
  });
});
