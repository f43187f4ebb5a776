import assert from 'node:assert/strict';
import type { Observation } from '../../../../src/core/capture/checkpoint-columns';
import { indexNewRows } from '../../../../src/core/timeline/lane-index';
import { finishSteps } from '../../../../src/core/steps';
import { PART_FIGURES, type PartScope } from '../../../../src/webview/timeline/measure/part-figures';
import type { MeasuredPart } from '../../../../src/webview/model/view-state';
import { columnsOf, indexOf, type Row } from '../../../core/timeline/columns-of';
import { fakeDatabases } from '../../fake-capture';

type FiguresSource = Omit<PartScope, 'part'>;

const OBSERVATION: Observation = { beginUtcMs: 0, endUtcMs: 10_000, gaps: [] };
const PART: MeasuredPart = { beginUtcMs: 1000, endUtcMs: 5000, databaseIds: [5, 7] };
const ROWS: readonly Row[] = [
  [1000, 10, 0],
  [2000, 20, 1],
  [3000, 30, 2],
];

function sourceOf(rows: readonly Row[] = ROWS, observation = OBSERVATION): FiguresSource {
  const columns = columnsOf(rows);
  return { columns, index: indexOf(columns), databases: fakeDatabases(3, 3), observation };
}

/** The same capture with more rows; its index grows in place. */
function grow(source: FiguresSource, rows: readonly Row[]): FiguresSource {
  const columns = columnsOf(rows);
  indexNewRows(source.index, columns);
  return { ...source, columns };
}

describe('Figures of what is measured', () => {
  const after = (before: FiguresSource, now: FiguresSource): boolean =>
    PART_FIGURES.isSame({ ...before, part: PART }, { ...now, part: { ...PART } });

  it('are of all its databases, whatever lanes a filter leaves', () => {
    assert.equal(finishSteps(PART_FIGURES.compute({ ...sourceOf(), part: PART })).figures.totalMs, 10 + 30);
  });

  it('stay as they are while nothing comes that begins in the part, and are others for a row in it', () => {
    const source = sourceOf();
    assert.ok(after(source, { ...source, observation: { ...OBSERVATION, endUtcMs: 12_000 } }));
    assert.ok(after(source, grow(source, [...ROWS, [3500, 40, 1], [6000, 40, 0]])));
    assert.ok(!after(source, grow(source, [...ROWS, [4000, 50, 2]])));
  });

  it('are others when a gap is found in the part, or a database of it joins the capture', () => {
    const source = sourceOf();
    const gap = { kind: 'server restarted' as const, beginUtcMs: 2000, endUtcMs: 2500, reason: '' };
    assert.ok(!after(source, { ...source, observation: { ...OBSERVATION, gaps: [gap] } }));
    const [first, second, third] = fakeDatabases(3, 3);
    assert.ok(!after(source, { ...source, databases: [first!, third!, second!] }));
  });

  it('are not shown for another part or another capture', () => {
    const source = sourceOf();
    const isOther = (now: PartScope): boolean => PART_FIGURES.isOther({ ...source, part: PART }, now);
    assert.ok(!isOther({ ...source, part: { ...PART } }));
    assert.ok(
      isOther({ ...source, part: { ...PART, endUtcMs: 5001 } }) && isOther({ ...sourceOf(), part: PART }),
    );
  });
});
