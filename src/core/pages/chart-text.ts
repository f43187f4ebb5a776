/** What a chart shows of a row, in words. */
import { makeVisible } from '../visible';
import type { EvidenceChart } from './evidence-chart';
import type { EvidenceCell, EvidenceRow, EvidenceTable } from './evidence-page';

/** Columns whose figures are drawn, in the order in which texts name them. */
export function listDrawnColumns(chart: EvidenceChart): readonly number[] {
  return chart.kind === 'ranges' ? chart.columns : [chart.across.column, chart.column];
}

type Cells = Pick<EvidenceRow, 'cells'>;

/** The name of a row, on one line. */
export function nameRow({ label }: EvidenceChart, { cells }: Cells): string {
  return makeVisible(cells[label]?.text ?? '');
}

/** `dbA: Median 7.2 s, p95 29.5 s, Longest 65.5 s`. */
export function describeRow(chart: EvidenceChart, columns: EvidenceTable['columns'], row: Cells): string {
  const figures = listDrawnColumns(chart).map((column) => `${columns[column]?.heading ?? ''} ${row.cells[column]?.text ?? ''}`);
  return `${nameRow(chart, row)}: ${figures.join(', ')}`;
}

/** Whether the row has anything to draw; otherwise it is shown in words. */
export function isDrawn(chart: EvidenceChart, { cells }: Cells): boolean {
  const hasFigure = (cell: EvidenceCell | undefined): boolean => Number.isFinite(cell?.value ?? NaN);
  const drawn = listDrawnColumns(chart).map((column) => cells[column]);
  return chart.kind === 'ranges' ? drawn.some(hasFigure) : drawn.every(hasFigure);
}
