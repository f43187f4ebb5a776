import assert from 'node:assert/strict';
import { measurePart, type MeasuredFigures } from '../../../src/core/timeline/measured-part';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, indexOf } from './columns-of';

const measure = (...given: Parameters<typeof measurePart>): MeasuredFigures =>
  finishSteps(measurePart(...given));
const SPAN_MS = 100_000;
const GAP = { kind: 'server restarted' as const, beginUtcMs: 40_000, endUtcMs: 45_000, reason: '' };
const OBSERVATION = { beginUtcMs: 0, endUtcMs: SPAN_MS, gaps: [GAP] };

describe('What is measured', () => {
  it('tells the time that was not observed, and databases that were not recorded throughout', () => {
    const columns = columnsOf([[1000, 10, 1]]);
    const window = { beginUtcMs: 0, endUtcMs: 50_000 };
    const unrecorded = [{ database: 1, beginUtcMs: 10_000, endUtcMs: 20_000 }];
    const several = measure(columns, indexOf(columns), window, [0, 1], { ...OBSERVATION, unrecorded });
    assert.deepEqual(
      [several.coverage.observedMs, several.coverage.gapMs, several.partlyRecorded],
      [45_000, 5000, 1],
    );
    const alone = measure(columns, indexOf(columns), window, [1], { ...OBSERVATION, unrecorded });
    assert.deepEqual([alone.coverage.observedMs, alone.partlyRecorded], [35_000, 0]);
  });
});
