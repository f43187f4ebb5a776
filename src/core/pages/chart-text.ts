/** What a chart shows of a row, in words. */
import { makeVisible } from '../visible';
import type { EvidenceChart } from './evidence-chart';
import type { EvidenceRow, EvidenceTable } from './evidence-page';

/** Columns whose figures are drawn, in the order in which texts name them. */
export const listDrawnColumns = ({ across, column }: EvidenceChart): readonly number[] => [
  ...(across ? [across.column] : []),
  column,
];

type Cells = Pick<EvidenceRow, 'cells'>;

export function nameRow({ label }: EvidenceChart, { cells }: Cells): string {
  return makeVisible(cells[label]?.text ?? '');
}

/** `dbA: Logged 2026-03-02 08:15:00, Duration 65.5 s`. */
export function describeRow(chart: EvidenceChart, columns: EvidenceTable['columns'], row: Cells): string {
  const figures = listDrawnColumns(chart).map(
    (column) => `${columns[column]?.heading ?? ''} ${row.cells[column]?.text ?? ''}`,
  );
  return `${nameRow(chart, row)}: ${figures.join(', ')}`;
}

/** Whether the row has a moment and a figure to draw. */
export const isDrawn = (chart: EvidenceChart, { cells }: Cells): boolean =>
  listDrawnColumns(chart).every((column) => Number.isFinite(cells[column]?.value ?? NaN));
