import assert from 'node:assert/strict';
import { sortNumbers } from '../../src/core/sorted';
import { finishSteps, ROWS_A_STEP } from '../../src/core/steps';

/** Numbers without an order, the same each time. */
function makeNumbers(count: number, range: number): Float64Array {
  let state = 1;
  return Float64Array.from(
    { length: count },
    () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % range,
  );
}

describe('Numbers sorted in steps', () => {
  for (const count of [0, 1, 16_384, 16_385, 50_000, 131_072, 200_001]) {
    it(`are in the order that sorting all ${count} of them at once gives`, () => {
      for (const range of [3, 1e9])
        assert.deepEqual(
          finishSteps(sortNumbers(makeNumbers(count, range))),
          makeNumbers(count, range).sort(),
        );
    });
  }

  it('are sorted in one step where they are few, and a million in steps of as many as that, or merged', () => {
    assert.equal([...sortNumbers(makeNumbers(16_000, 1e9))].length, 0);
    const parts = Math.ceil(1_000_000 / 16_384);
    // Each merging of neighbours, six in all, goes over half of them at the least.
    assert.ok(
      [...sortNumbers(makeNumbers(1_000_000, 1e9))].length >= parts - 1 + (6 * 500_000) / ROWS_A_STEP,
    );
  });
});
