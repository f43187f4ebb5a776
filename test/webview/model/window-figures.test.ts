import assert from 'node:assert/strict';
import { indexNewRows } from '../../../src/core/timeline/lane-index';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import type { StatisticsSet } from '../../../src/core/statistics/statistics';
import { SlicedWork } from '../../../src/webview/kit/sliced-work';
import { KeptFigures } from '../../../src/webview/model/kept-figures';
import { WINDOW_FIGURES, type WindowScope } from '../../../src/webview/model/window-figures';
import { columnsOf, indexOf, type Row } from '../../core/timeline/columns-of';
import { HeldWork } from '../held-work';

const OBSERVATION: Observation = { beginUtcMs: 0, endUtcMs: 10_000, gaps: [] };
const ROWS: readonly Row[] = [
  [1000, 10, 0],
  [2000, 20, 1],
  [3000, 30, 2],
];

function scopeOf(endUtcMs: number, rows = ROWS): WindowScope {
  const columns = columnsOf(rows);
  return {
    columns,
    index: indexOf(columns),
    databases: 3,
    window: { beginUtcMs: 0, endUtcMs },
    observation: OBSERVATION,
  };
}

describe('Figures of the time in view', () => {
  let work: HeldWork;
  let came: number;
  let figures: KeptFigures<WindowScope, StatisticsSet>;
  const count = (scope: WindowScope): number | null =>
    figures.read(scope)?.figures.databases.reduce((sum, database) => sum + database.count, 0) ?? null;
  const to = (scope: WindowScope, endUtcMs: number): WindowScope => ({
    ...scope,
    window: { beginUtcMs: 0, endUtcMs },
  });

  beforeEach(() => {
    [work, came] = [new HeldWork(), 0];
    figures = new KeptFigures(work, WINDOW_FIGURES, () => came++);
  });

  it('are those of a moment ago, said to be of that time, until the next ones are there', () => {
    const scope = scopeOf(1500);
    assert.equal(count(scope), null);
    work.finish();
    assert.deepEqual([count(scope), came], [1, 1]);
    assert.equal(count(to(scope, 2500)), 1);
    assert.equal(figures.read(to(scope, 2500))?.scope.window.endUtcMs, 1500);
    work.finish();
    assert.equal(count(to(scope, 2500)), 2);
  });

  it('come while the window keeps moving, and at last are of where it rests', () => {
    const scope = scopeOf(500);
    for (const endUtcMs of [500, 600, 700, 3500]) figures.read(to(scope, endUtcMs));
    assert.equal(work.begun, 1);
    work.finish();
    assert.deepEqual([work.begun, came], [2, 1]);
    work.finish();
    assert.deepEqual([count(to(scope, 3500)), work.begun], [3, 2]);
  });

  it('are renewed for rows that arrived, and are not computed twice for the same', () => {
    const scope = scopeOf(5000);
    figures.read(scope);
    work.finish();
    figures.read({ ...scope, window: { ...scope.window } });
    assert.equal(work.begun, 1);
    const columns = columnsOf([...ROWS, [4000, 5, 1]]);
    indexNewRows(scope.index, columns);
    figures.read({ ...scope, columns });
    work.finish();
    assert.equal(count({ ...scope, columns }), 4);
  });

  it('of another capture are never those of this one, nor what was under way for it', () => {
    const scope = scopeOf(5000);
    figures.read(scope);
    work.finish();
    figures.read(to(scope, 2500));
    const other = scopeOf(5000, [[1000, 10, 0]]);
    assert.equal(count(other), null);
    work.finish();
    assert.equal(count(other), 1);
  });

  it('of few checkpoints are there at once', () => {
    const clock = { now: () => 0 };
    figures = new KeptFigures(
      new SlicedWork({ performance: clock } as unknown as Window),
      WINDOW_FIGURES,
      () => came++,
    );
    assert.deepEqual([count(scopeOf(5000)), came], [3, 0]);
  });
});
