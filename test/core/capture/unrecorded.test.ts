import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Gap } from '../../../src/core/session/gap';
import { ObservationLog } from '../../../src/core/capture/observation';
import { findUnrecorded } from '../../../src/core/capture/unrecorded';
import { forAll } from '../../for-all';

const interval = { beginUtcMs: 0, endUtcMs: 1_000 };
type Ids = readonly number[] | null;
const change = (beginUtcMs: number, before: Ids, after: Ids, lengthMs = 10): Gap => ({
  kind: 'databases changed',
  beginUtcMs,
  endUtcMs: beginUtcMs + lengthMs,
  reason: '',
  databases: { before, after },
});
describe('When a database was not recorded', () => {
  it('stays known where a gap that told of a change goes on in one that tells of none', () => {
    const log = new ObservationLog();
    const stop = { kind: 'session stopped', reason: 'It was stopped.' } as const;
    log.addGap({ ...stop, beginUtcMs: 300, endUtcMs: 310, databases: { before: [5], after: [5, 6] } });
    log.addGap({ ...stop, beginUtcMs: 310, endUtcMs: 320 });
    assert.deepEqual(log.gaps, [
      { ...stop, beginUtcMs: 300, endUtcMs: 320, databases: { before: [5], after: [5, 6] } },
    ]);
  });

  it('takes up, with the gaps and what was recorded, the whole interval once', () => {
    const ids = fc.option(fc.subarray([5, 6, 7, 8]), { nil: null });
    forAll(
      fc.tuple(fc.array(ids, { minLength: 2, maxLength: 6 }), fc.integer({ min: 5, max: 8 })),
      ([sets, id]) => {
        const changes = sets.slice(1).map((after, i) => change(100 * (i + 1), sets[i] ?? null, after));
        // Gaps of other kinds say nothing about databases.
        const gaps = [{ kind: 'events lost', beginUtcMs: 1, endUtcMs: 2, reason: '' } as const, ...changes];
        const expected = sets
          .map(
            (set, i) =>
              [set, i === 0 ? 0 : 100 * i + 10, i === sets.length - 1 ? 1_000 : 100 * (i + 1)] as const,
          )
          .filter(([set]) => set !== null && !set.includes(id))
          .map(([, beginUtcMs, endUtcMs]) => ({ beginUtcMs, endUtcMs }));
        assert.deepEqual(findUnrecorded(id, interval, gaps), expected);
      },
    );
  });
});

describe('Very many gaps', () => {
  it('become fewer from the oldest on, cover all that they covered, and leave a change of the databases as it is', () => {
    const log = new ObservationLog();
    const first = change(0, null, [5], 1);
    log.addGap(first);
    // Their order is that of time, so that each goes to the end.
    for (let n = 1; n <= 1_005; n++)
      log.addGap({ kind: 'events lost', beginUtcMs: n * 10, endUtcMs: n * 10 + 5, reason: `${n}` });
    assert.equal(log.gaps.length, 1_000);
    const [kept, joined, next] = log.gaps;
    assert.deepEqual(kept, first);
    assert.deepEqual(
      [joined?.beginUtcMs, joined?.endUtcMs, joined?.kind, next?.reason],
      [10, 75, 'unknown', '8'],
    );
  });
});
