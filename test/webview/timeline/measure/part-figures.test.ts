import assert from 'node:assert/strict';
import type { Observation } from '../../../../src/core/capture/checkpoint-columns';
import { indexNewRows } from '../../../../src/core/timeline/lane-index';
import type { MeasuredFigures } from '../../../../src/core/timeline/measured-part';
import { PartFigures, type FiguresSource } from '../../../../src/webview/timeline/measure/part-figures';
import type { MeasuredPart } from '../../../../src/webview/model/view-state';
import { columnsOf, indexOf, type Row } from '../../../core/timeline/columns-of';
import { fakeDatabases } from '../../fake-capture';
import { HeldWork } from '../../held-work';

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
  let work: HeldWork;
  let told: (readonly [count: number, tells: boolean])[];
  let figures: PartFigures;
  const shown = (): number | null => (figures.current as MeasuredFigures | null)?.figures.count ?? null;

  beforeEach(() => {
    [work, told] = [new HeldWork(), []];
    figures = new PartFigures(work, (_, { figures: { count } }, tells) => told.push([count, tells]));
  });

  it('are of all its databases, whatever lanes a filter leaves', () => {
    figures.ask(PART, sourceOf(), true);
    work.finish();
    assert.equal(figures.current?.figures.totalMs, 10 + 30);
    assert.deepEqual(told, [[2, true]]);
  });

  it('stay as they are while nothing comes that begins in the part', () => {
    const source = sourceOf();
    figures.ask(PART, source);
    work.finish();
    figures.ask({ ...PART }, { ...source, observation: { ...OBSERVATION, endUtcMs: 12_000 } });
    figures.ask(PART, grow(source, [...ROWS, [3500, 40, 1], [6000, 40, 0]]));
    assert.equal(work.begun, 1);
  });

  it('are renewed for a row in the part, and those before stay until then', () => {
    const source = sourceOf();
    figures.ask(PART, source);
    work.finish();
    figures.ask(PART, grow(source, [...ROWS, [4000, 50, 2]]));
    assert.equal(shown(), 2);
    work.finish();
    assert.equal(shown(), 3);
  });

  it('come to an end while rows keep coming, and are told once', () => {
    const rows = [...ROWS];
    let source = sourceOf(rows);
    figures.ask(PART, source, true);
    for (let i = 0; i < 5; i++) {
      rows.push([4000 + i, 50, 2]);
      source = grow(source, rows);
      figures.ask(PART, source);
    }
    assert.equal(work.begun, 1);
    work.finish();
    assert.notEqual(shown(), null);
    work.finish();
    assert.equal(shown(), 7);
    assert.deepEqual(
      told.map(([, tells]) => tells),
      [true, false],
    );
    assert.equal(work.begun, 2);
  });

  it('are renewed when a gap is found in the part, or a database of it joins the capture', () => {
    const source = sourceOf();
    figures.ask(PART, source);
    work.finish();
    const gap = { kind: 'server restarted' as const, beginUtcMs: 2000, endUtcMs: 2500, reason: '' };
    const withGap = { ...source, observation: { ...OBSERVATION, gaps: [gap] } };
    figures.ask(PART, withGap);
    work.finish();
    assert.equal(figures.current?.coverage.gapMs, 500);
    const [first, second, third] = fakeDatabases(3, 3);
    figures.ask(PART, { ...withGap, databases: [first!, third!, second!] });
    work.finish();
    assert.equal(figures.current?.figures.totalMs, 10 + 20);
  });

  it('of another capture with as many rows are not those of this one', () => {
    figures.ask(PART, sourceOf());
    work.finish();
    figures.ask(PART, sourceOf([...ROWS.slice(0, 2), [9000, 30, 2]]));
    assert.equal(shown(), null);
    work.finish();
    assert.equal(shown(), 1);
  });

  it('that are known are told at once to who waits for them', () => {
    const source = sourceOf();
    figures.ask(PART, source);
    work.finish();
    figures.ask({ ...PART }, source, true);
    assert.deepEqual(told, [
      [2, false],
      [2, true],
    ]);
    assert.equal(work.begun, 1);
  });
});
