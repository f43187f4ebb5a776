import assert from 'node:assert/strict';
import { describeChart, describeRow, isDrawn } from '../../../src/core/pages/chart-text';
import { type EvidenceChart, listDrawnColumns, PLAIN_CHART } from '../../../src/core/pages/evidence-chart';
import { type EvidenceRow, type EvidenceTable, writeCell, writeFigure } from '../../../src/core/pages/evidence-page';
import { formatDuration } from '../../../src/core/format';
import { fakeEvidence } from '../../webview/fake-evidence';

const CHART: EvidenceChart = {
  ...PLAIN_CHART,
  id: 'latency',
  kind: 'pairs',
  title: 'How long a write took',
  axis: 'Average of a write',
  unit: 'ms',
  scale: 'log',
  from: 2,
  to: 1,
};
const COLUMNS = ['Writes', 'During', 'Outside'].map((heading, at) => ({ name: heading, heading, title: '', isNumeric: at > 0 }));
const row = (name: string, during: number | null, outside: number | null): EvidenceRow => ({
  databaseId: null,
  cells: [writeCell(name), writeFigure(during, formatDuration), writeFigure(outside, formatDuration)],
});

describe('How tables of evidence are drawn', () => {
  const tables: readonly EvidenceTable[] = Object.values(fakeEvidence()).flatMap((page) => page.tables);
  const charts = tables.flatMap((table) => (table.charts ?? []).map((chart) => ({ table, chart })));

  it('names columns that the table has, and figures are drawn of columns of figures alone', () => {
    assert.deepEqual([...new Set(charts.map(({ chart }) => chart.kind))].sort(), ['bars', 'intervals', 'pairs', 'points', 'ranges']);
    for (const { table, chart } of charts) {
      for (const column of listDrawnColumns(chart)) assert.equal(table.columns[column]?.isNumeric, true, `${table.id} ${column}`);
      for (const column of chart.labels) assert.ok(table.columns[column], `${table.id} ${column}`);
      assert.ok(
        table.rows.some((shown) => isDrawn(chart, shown)),
        `${table.id} has something to draw`,
      );
    }
  });

  it('has a name of its own for each chart of a page', () => {
    const ids = charts.map(({ table, chart }) => `${table.id}-${chart.id}`);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('gives every effect its interval, which holds it', () => {
    const effects = charts.flatMap(({ table, chart }) =>
      chart.kind === 'intervals' ? table.rows.flatMap(({ cells }) => cells[chart.column]!) : [],
    );
    assert.ok(effects.some(({ interval }) => interval !== undefined));
    for (const { value, interval } of effects)
      if (interval && value !== null) assert.ok(interval.low <= value && value <= (interval.high ?? Infinity));
  });
});

describe('What a chart shows, in words', () => {
  it('tells a row by its name and every figure that is drawn of it', () => {
    assert.equal(describeRow(CHART, COLUMNS, row('dbA, log', 19, 1)), 'dbA, log: During 19 ms, Outside 1 ms');
    assert.equal(describeRow(CHART, COLUMNS, row('dbA\n\tlog', null, 1)), 'dbA<U+000A><U+0009>log: During not observable, Outside 1 ms');
  });

  it('tells the highest and the lowest, and how many have no figure', () => {
    const rows = [row('b', 5, 1), row('a', 19, 1), row('c', null, 1), row('d', 2, 2)];
    assert.equal(
      describeChart(CHART, COLUMNS, rows),
      'During of 3: highest a, 19 ms; lowest d, 2 ms. 1 more has no figure: its row says why.',
    );
    assert.equal(describeChart(CHART, COLUMNS, [row('a', 19, 1)]), 'During: a, 19 ms.');
    assert.equal(describeChart(CHART, COLUMNS, [row('a', null, 1), row('b', 1, null)]), 'None of 2 has a figure: the rows say why.');
    assert.equal(describeChart(CHART, COLUMNS, []), 'Nothing to draw.');
  });
});
