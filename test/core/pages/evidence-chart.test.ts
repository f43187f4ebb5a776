import assert from 'node:assert/strict';
import { describeRow, isDrawn, listDrawnColumns } from '../../../src/core/pages/chart-text';
import type { EvidenceChart } from '../../../src/core/pages/evidence-chart';
import {
  type EvidenceRow,
  type EvidenceTable,
  writeCell,
  writeFigure,
} from '../../../src/core/pages/evidence-page';
import { formatDuration } from '../../../src/core/format';
import { fakeEvidence } from '../../webview/fake-evidence';

const CHART: EvidenceChart = {
  kind: 'points',
  id: 'durations',
  title: 'Long checkpoints',
  axis: 'Duration',
  label: 0,
  column: 1,
  across: { column: 2, axis: 'When' },
};
const COLUMNS = ['Database', 'Duration', 'Logged'].map((heading, at) => ({
  name: heading,
  heading,
  title: '',
  isNumeric: at > 0,
}));
const row = (name: string, tookMs: number | null, loggedMs: number): EvidenceRow => ({
  databaseId: null,
  cells: [writeCell(name), writeFigure(tookMs, formatDuration), writeFigure(loggedMs, formatDuration)],
});

describe('How tables of evidence are drawn', () => {
  const tables: readonly EvidenceTable[] = Object.values(fakeEvidence()).flatMap((page) => page.tables);
  const charts = tables.flatMap((table) => (table.chart ? [{ table, chart: table.chart }] : []));

  it('names columns that the table has, and figures are drawn of columns of figures alone', () => {
    assert.ok(charts.length > 0);
    for (const { table, chart } of charts) {
      for (const column of listDrawnColumns(chart))
        assert.equal(table.columns[column]?.isNumeric, true, `${table.id} ${column}`);
      assert.ok(table.columns[chart.label], table.id);
      assert.ok(
        table.rows.some((shown) => isDrawn(chart, shown)),
        `${table.id} has something to draw`,
      );
    }
  });
});

describe('What a chart shows, in words', () => {
  it('tells a row by its name and every figure that is drawn of it', () => {
    assert.equal(
      describeRow(CHART, COLUMNS, row('dbA, log', 19, 1)),
      'dbA, log: Logged 1 ms, Duration 19 ms',
    );
    assert.equal(
      describeRow(CHART, COLUMNS, row('dbA\n\tlog', null, 1)),
      'dbA<U+000A><U+0009>log: Logged 1 ms, Duration not observable',
    );
  });
});
