import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLaneIndex, findFirstFrom, findNeighbour, indexNewRows } from '../../../src/core/timeline/lane-index';
import { columnsOf, indexOf, type Row } from './columns-of';

const rowsArbitrary = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 3 })),
  {
    maxLength: 60,
  },
);

describe('The lane index', () => {
  it('holds every row once, in the lane of its database, in order of begin, however the rows arrived', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.nat(60), (rows, cut) => {
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
      }),
    );
  });

  it('knows the longest checkpoint and the latest end of a lane', () => {
    const lane = indexOf(
      columnsOf([
        [100, 500],
        [200, 5],
      ]),
    ).lanes[0]!;
    assert.equal(lane.longestMs, 500);
    assert.equal(lane.lastEndUtcMs, 600);
  });

  it('finds the first checkpoint that begins at or after a moment', () => {
    const columns = columnsOf([
      [10, 1],
      [20, 1],
      [20, 1],
      [30, 1],
    ]);
    const lane = indexOf(columns).lanes[0]!;
    assert.deepEqual(
      [0, 10, 11, 20, 21, 31].map((at) => findFirstFrom(lane, columns, at)),
      [0, 0, 1, 1, 3, 4],
    );
  });
});

describe('Stepping along a lane', () => {
  const rows: readonly Row[] = [
    [30, 1],
    [10, 1],
    [20, 1],
    [20, 9],
  ];
  const columns = columnsOf(rows);
  const lane = indexOf(columns).lanes[0]!;
  const window = { beginUtcMs: 15, endUtcMs: 30 };

  it('begins with the first or the last checkpoint in the window', () => {
    assert.equal(findNeighbour(lane, columns, null, 1, window), 2);
    assert.equal(findNeighbour(lane, columns, null, -1, window), 3);
  });

  it('visits every checkpoint once, also those that begin in the same millisecond', () => {
    const visited: number[] = [];
    for (
      let row = findNeighbour(lane, columns, null, 1, { beginUtcMs: 0, endUtcMs: 99 });
      row !== null;
      row = findNeighbour(lane, columns, row, 1, window)
    )
      visited.push(row);
    assert.deepEqual(visited, [1, 2, 3, 0]);
  });

  it('ends at the ends', () => {
    assert.equal(findNeighbour(lane, columns, 0, 1, window), null);
    assert.equal(findNeighbour(lane, columns, 1, -1, window), null);
  });
});
