import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GAP_KINDS, type Gap, type GapKind } from '../../../src/core/session/gap';
import { createGapCrossing } from '../../../src/core/session/gap-crossing';
import { forAll } from '../../for-all';

/** What an administrator would say of one gap. */
function mayBeTwo(
  { kind, beginUtcMs, endUtcMs }: Gap,
  begin: number,
  end: number,
  files: readonly number[],
): boolean {
  if (beginUtcMs >= endUtcMs) return false;
  const missesSingle: readonly GapKind[] = [
    'events lost',
    'clock moved back',
    'damaged file',
    'databases changed',
    'ring buffer overwritten',
    'files rolled over',
  ];
  const endsARun: readonly GapKind[] = [
    'session stopped',
    'session dropped',
    'session replaced',
    'server restarted',
  ];
  if (missesSingle.includes(kind)) return beginUtcMs <= end && begin <= endUtcMs;
  const runs = [endUtcMs, ...files.filter((at) => at >= beginUtcMs && at < endUtcMs)];
  if (endsARun.includes(kind)) return runs.some((at) => begin < at && at <= end);
  return begin <= beginUtcMs && endUtcMs <= end;
}

describe('A checkpoint across a gap', () => {
  it('is told gap by gap, for any gaps of all kinds, event files and any checkpoint', () => {
    const time = fc.integer({ min: 0, max: 40 });
    const gap = fc
      .tuple(fc.constantFrom(...GAP_KINDS), time, time)
      .map(([kind, beginUtcMs, endUtcMs]): Gap => ({ kind, beginUtcMs, endUtcMs, reason: '' }));
    forAll(
      fc.tuple(fc.array(gap, { maxLength: 6 }), fc.array(time, { maxLength: 3 }), time, time),
      5_000,
      ([gaps, files, begin, ms]) => {
        const expected = gaps.some((each) => mayBeTwo(each, begin, begin + ms, files));
        assert.equal(createGapCrossing(gaps, files)?.(begin, begin + ms) ?? false, expected);
      },
    );
  });
});
