import assert from 'node:assert/strict';
import { addDifferences, compareLane, EDGE, paintExactly } from '../../../bench/timeline/exact-painter';
import { columnsOf } from '../../core/timeline/columns-of';

describe('The exact painter of the benchmark', () => {
  it('marks every column that a checkpoint touches, one at the least, in its lane', () => {
    const [first, second] = paintExactly(
      columnsOf([
        [10, 21, 0],
        [55, 0, 1],
        [90, 500, 1],
      ]),
      2,
      { beginUtcMs: 0, endUtcMs: 100 },
      10,
    );
    assert.equal(first!.join(''), '0' + '0111000000' + '0');
    assert.equal(second!.join(''), '0' + '0000010001' + '1');
  });

  it('knows what begins before the view and what is just outside of it', () => {
    const [lane] = paintExactly(
      columnsOf([
        [-500, 512, 0],
        [101, 5, 0],
      ]),
      1,
      { beginUtcMs: 0, endUtcMs: 100 },
      10,
    );
    assert.equal(lane!.join(''), '1' + '1100000000' + '1');
  });

  it('forgives a pixel to either side and counts what is farther off', () => {
    const exact = Uint8Array.from([0, ...[0, 1, 0, 0, 0, 1, 0, 0, 0], 0]);
    assert.equal(exact.length, 9 + 2 * EDGE);
    assert.deepEqual(compareLane(exact, Uint8Array.from([0, 0, 1, 0, 1, 0, 0, 0, 0])), { marked: 2, missing: 0, ghosts: 0 });
    assert.deepEqual(compareLane(exact, Uint8Array.from([0, 0, 0, 1, 0, 1, 0, 0, 1])), { marked: 2, missing: 1, ghosts: 2 });
  });

  it('says nothing of a mark whose pixel may lie out of view', () => {
    const exact = Uint8Array.from([0, ...[1, 0, 0, 1], 0]);
    assert.deepEqual(compareLane(exact, new Uint8Array(4)), { marked: 2, missing: 0, ghosts: 0 });
  });

  it('adds up', () => {
    const one = { marked: 3, missing: 2, ghosts: 1 };
    assert.deepEqual(addDifferences([one, one]), { marked: 6, missing: 4, ghosts: 2 });
  });
});
