import assert from 'node:assert/strict';
import { describeRow, isDrawn, listDrawnColumns } from '../../../src/core/pages/chart-text';
import type { EvidenceChart } from '../../../src/core/pages/evidence-chart';
import { type EvidenceRow, type EvidenceTable, writeCell, writeFigure } from '../../../src/core/pages/evidence-page';
import { formatDuration } from '../../../src/core/format';
import { fakeEvidence } from '../../webview/fake-evidence';

const CHART: EvidenceChart = {
  id: 'latency',
  kind: 'ranges',
  title: 'How long a write took',
  axis: 'Average of a write',
  label: 0,
  columns: [2, 1],
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
    assert.deepEqual([...new Set(charts.map(({ chart }) => chart.kind))].sort(), ['points', 'ranges']);
    for (const { table, chart } of charts) {
      for (const column of listDrawnColumns(chart)) assert.equal(table.columns[column]?.isNumeric, true, `${table.id} ${column}`);
      assert.ok(table.columns[chart.label], table.id);
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
});

describe('What a chart shows, in words', () => {
  it('tells a row by its name and every figure that is drawn of it', () => {
    assert.equal(describeRow(CHART, COLUMNS, row('dbA, log', 19, 1)), 'dbA, log: Outside 1 ms, During 19 ms');
    assert.equal(describeRow(CHART, COLUMNS, row('dbA\n\tlog', null, 1)), 'dbA<U+000A><U+0009>log: Outside 1 ms, During not observable');
  });
});
