import assert from 'node:assert/strict';
import { GAP_KINDS, type Gap } from '../../../src/core/session/gap';
import { measureCoverage } from '../../../src/core/statistics/coverage';
import { describeCoverage, describeGapCount, describeGapKind } from '../../../src/core/pages/coverage-text';
import { gapOf } from '../gap-of';

const MINUTE_MS = 60_000;
const WINDOW = { beginUtcMs: 0, endUtcMs: 60 * MINUTE_MS };

const gap = (kind: Gap['kind'], fromMinute: number, toMinute: number) =>
  gapOf(kind, fromMinute * MINUTE_MS, toMinute * MINUTE_MS);

describe('What figures rest on, in words', () => {
  it('is nothing where no gap touches the window', () => {
    const coverage = measureCoverage(WINDOW, { ...WINDOW, gaps: [gap('failover', 70, 80)] });
    assert.deepEqual([describeCoverage(coverage, 0), describeGapCount(coverage)], ['', '']);
  });

  it('names every kind of gap with its number and time, cut to the window', () => {
    const coverage = measureCoverage(WINDOW, {
      beginUtcMs: 0,
      endUtcMs: 2 * WINDOW.endUtcMs,
      gaps: [gap('failover', 55, 90), gap('events lost', 5, 6), gap('events lost', 7, 8)],
    });
    assert.equal(
      describeCoverage(coverage, 0),
      '53 min of 1 h observed; missing: failover 5 min; events lost 2 gaps, 2 min.',
    );
    assert.equal(describeGapCount(coverage), '3 gaps, 7 min');
  });

  it('tells of checkpoints that are in no figure', () => {
    const coverage = measureCoverage(WINDOW, { ...WINDOW, gaps: [] });
    assert.equal(
      describeCoverage(coverage, 1),
      '1 checkpoint may really be two with a gap between them. All figures leave it out.',
    );
    assert.match(describeCoverage(coverage, 1200), /^1,200 checkpoints .*\. All figures leave them out\.$/);
  });

  it('does not call time unobserved in which only single events were lost', () => {
    assert.deepEqual(
      GAP_KINDS.filter((kind) => describeGapKind({ kind }) === 'not fully observed'),
      ['clock moved back', 'events lost', 'ring buffer overwritten', 'damaged file', 'databases changed'],
    );
  });
});
