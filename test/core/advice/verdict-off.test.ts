import assert from 'node:assert/strict';
import { observed } from '../../../src/core/advice/facts';
import { type Evidence, judgeDatabase } from '../../../src/core/advice/verdict';
import { databaseOf, factsOf, serverOf } from './facts-of';

const statistics = {
  database: 0,
  count: 99,
  perHour: 50,
  averageMs: 1e4,
  p50Ms: 1e4,
  p95Ms: 1e4,
  p99Ms: 1e4,
  maximumMs: 1e4,
  totalMs: 1e6,
  share: 0.3,
};
const task = { busyShare: 0.7, margin: 0, areBackupsKnown: true, ownCount: 99, ownShare: 0.3, heaviest: null };
const measured: Evidence = { statistics, observedMs: 7_200_000, tracked: true, task, known: null };

describe('The verdict, where automatic checkpoints may be off,', () => {
  it('cannot be told where automatic checkpoints are off, whatever was seen', () => {
    const off = factsOf([], { server: serverOf({ recoveryIntervalMinutes: 32_767 }) });
    for (const seen of [null, measured, { ...measured, statistics: null }]) {
      const verdict = judgeDatabase(databaseOf({ databaseId: 7 }), off, seen);
      assert.equal(verdict.verdict, 'Cannot tell here');
      assert.match(verdict.reason, /^The recovery interval is 32,767 minutes, .*: automatic checkpoints are off/);
    }
    assert.equal(judgeDatabase(databaseOf({ databaseId: 7, targetSeconds: 60 }), off, null).group, 'Indirect');
  });

  it('is of low confidence where trace flag 3505 is on, and otherwise what it would be', () => {
    const flagged = factsOf([], { traceFlags: observed([3505]) });
    const verdict = judgeDatabase(databaseOf({ databaseId: 7 }), flagged, measured);
    assert.deepEqual([verdict.verdict, verdict.confidence], ['Switch', 'low']);
    assert.match(verdict.reason, /Trace flag 3505 is on/);
  });
});
