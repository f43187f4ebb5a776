import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createLaneIndex,
  findFirstFrom,
  findNeighbour,
  indexNewRows,
} from '../../../src/core/timeline/lane-index';
import { anyRows, columnsOf, indexOf } from './columns-of';
import { forAll } from '../../for-all';

const rowsArbitrary = anyRows(1000, 50, 4);

describe('The lane index', () => {
  it('holds every row once, in the lane of its database, in order of begin, however the rows arrived', () => {
    forAll(fc.tuple(rowsArbitrary, fc.nat(60)), ([rows, cut]) => {
      const columns = columnsOf(rows);
      const index = createLaneIndex();
      indexNewRows(index, { ...columns, rows: Math.min(cut, rows.length) });
      indexNewRows(index, columns);
      const held = index.lanes.flatMap((lane, database) =>
        lane ? [...lane.rows.subarray(0, lane.count)].map((row) => [database, row] as const) : [],
      );
      assert.equal(held.length, rows.length);
      assert.equal(new Set(held.map(([, row]) => row)).size, rows.length);
      for (const [database, row] of held) assert.equal(rows[row]![2], database);
      for (const lane of index.lanes) {
        const begins = lane ? [...lane.rows.subarray(0, lane.count)].map((row) => rows[row]![0]) : [];
        assert.deepEqual(
          begins,
          [...begins].sort((a, b) => a - b),
        );
      }
    });
  });

  it('knows of each lane the longest checkpoint, the latest end, and the first that begins at or after a moment', () => {
    forAll(fc.tuple(rowsArbitrary, fc.integer({ min: -1, max: 1001 })), ([rows, at]) => {
      const columns = columnsOf(rows);
      indexOf(columns).lanes.forEach((lane, database) => {
        const own = rows.filter((row) => row[2] === database);
        assert.equal(
          lane?.longestMs,
          own.length === 0 ? undefined : Math.max(...own.map(([, duration]) => duration)),
        );
        assert.equal(
          lane?.lastEndUtcMs,
          own.length === 0 ? undefined : Math.max(...own.map(([begin, duration]) => begin + duration)),
        );
        if (lane) assert.equal(findFirstFrom(lane, columns, at), own.filter(([begin]) => begin < at).length);
      });
    });
  });
});

describe('Stepping along a lane', () => {
  const columns = columnsOf([
    [30, 1],
    [10, 1],
    [20, 1],
    [20, 9],
  ]);
  const lane = indexOf(columns).lanes[0]!;
  const window = { beginUtcMs: 15, endUtcMs: 30 };

  it('begins with the first or the last checkpoint in the window, visits each once, and ends at the ends', () => {
    const step = (row: number | null, by: 1 | -1): number | null =>
      findNeighbour(lane, columns, row, by, window);
    assert.deepEqual([step(null, 1), step(null, -1)], [2, 3]);
    assert.deepEqual(
      [1, 2, 3, 0].map((row) => step(row, 1)),
      [2, 3, 0, null],
    );
    assert.deepEqual(
      [1, 2, 3, 0].map((row) => step(row, -1)),
      [null, 1, 2, 3],
    );
  });
});
