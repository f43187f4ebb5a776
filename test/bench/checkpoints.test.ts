import assert from 'node:assert/strict';
import { makeCheckpoints } from '../../bench/checkpoints';

describe('The checkpoints of the benchmarks', () => {
  it('are the same every time, in order, of all databases, mostly short and some of minutes', () => {
    const { beginUtcMs, durationMs, database } = makeCheckpoints(20_000, 500);
    assert.deepEqual(makeCheckpoints(20_000, 500).durationMs, durationMs);
    assert.ok(beginUtcMs.every((begin, row) => row === 0 || begin > beginUtcMs[row - 1]!));
    assert.equal(new Set(database).size, 500);
    const sorted = [...durationMs].sort((a, b) => a - b);
    assert.ok(sorted[10_000]! < 60 && sorted[10_000]! > 25);
    assert.ok(sorted[19_999]! > 60_000);
  });
});
