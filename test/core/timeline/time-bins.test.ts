import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OverviewBins } from '../../../src/core/timeline/time-bins';
import { anyRows, columnsOf, type Row } from './columns-of';
import { DAY_MS } from '../../../src/core/time';
import { forAll } from '../../for-all';

function reduce(
  rows: readonly Row[],
  window: { beginUtcMs: number; endUtcMs: number },
  parts: number,
  pieces = 1,
): Float64Array {
  const bins = new OverviewBins();
  for (let piece = 1; piece <= pieces; piece++) {
    const columns = columnsOf(rows.slice(0, Math.ceil((rows.length * piece) / pieces)));
    while (!bins.takeIn(columns, 7));
  }
  const longest = new Float64Array(parts);
  bins.reduce(window, longest);
  return longest;
}

describe('The longest checkpoints of the whole time', () => {
  it('are to the millisecond those that touch each part, while there are fewer milliseconds than bins', () => {
    forAll(fc.tuple(anyRows(5000, 900, 1, 40), fc.integer({ min: 1, max: 3 })), 150, ([rows, pieces]) => {
      const longest = reduce(rows, { beginUtcMs: 0, endUtcMs: 6000 }, 60, pieces);
      for (let part = 0; part < 60; part++) {
        const touching = rows.filter(
          ([begin, duration]) => begin < (part + 1) * 100 && begin + Math.max(1, duration) > part * 100,
        );
        assert.equal(
          longest[part],
          Math.max(-1, ...touching.map(([, duration]) => duration)),
          `part ${part}`,
        );
      }
    });
  });

  it('never lose the longest of a part, however long the time and in whatever order they come', () => {
    forAll(anyRows(30 * DAY_MS, 3_600_000, 1, 40), 100, (rows) => {
      const parts = 400;
      const partMs = (31 * DAY_MS) / parts;
      const longest = reduce(rows, { beginUtcMs: 0, endUtcMs: 31 * DAY_MS }, parts);
      for (const [begin, duration] of rows)
        for (let part = Math.floor(begin / partMs); part <= Math.floor((begin + duration) / partMs); part++)
          assert.ok(longest[part]! >= duration, `the one of ${duration} ms at ${begin} is in part ${part}`);
      // A ghost is no more than a bin away, which is less than a part.
      longest.forEach((shown, part) => {
        const isNear = ([begin, duration]: Row): boolean =>
          duration === shown &&
          begin < (part + 2) * partMs &&
          begin + Math.max(1, duration) > (part - 1) * partMs;
        assert.ok(shown < 0 || rows.some(isNear), `part ${part} shows one that is there`);
      });
    });
  });
});
