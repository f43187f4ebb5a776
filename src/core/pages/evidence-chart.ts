/**
 * How a table of evidence is drawn: which of its columns; no geometry. The figures are durations in milliseconds, on a logarithmic scale. They are those of
 * the table's rows, in the order in which they are shown, so that chart and table cannot say two things.
 */
export type EvidenceChart = RangesChart | PointsChart;

interface ChartBase {
  /** Stable within its table. */
  readonly id: string;
  readonly title: string;
  /** What the axis of the figures shows. */
  readonly axis: string;
  /** The column that names a row. */
  readonly label: number;
}

/** A row for each row of the table. */
export interface RangesChart extends ChartBase {
  readonly kind: 'ranges';
  /** Two or three figures: from the usual, perhaps over the rare, to the one in question. */
  readonly columns: readonly number[];
  /** A duration to compare figures with, drawn as a line across the chart. */
  readonly reference?: { readonly value: number; readonly text: string };
}

/** Of a table whose first column names its rows. */
export function drawRanges(id: string, title: string, axis: string, columns: RangesChart['columns']): RangesChart {
  return { id, kind: 'ranges', title, axis, label: 0, columns };
}

/** Each row a point over time. */
export interface PointsChart extends ChartBase {
  readonly kind: 'points';
  readonly column: number;
  /** The column of moments. */
  readonly across: { readonly column: number; readonly axis: string };
}
