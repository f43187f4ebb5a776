/**
 * How a table of evidence is drawn: which of its columns; no geometry. Each row is a point over time. Its figure is a
 * duration in milliseconds, on a logarithmic scale. The figures are those of the table's rows, so that chart and table
 * cannot say two things.
 */
export interface EvidenceChart {
  /** Stable within its table. */
  readonly id: string;
  readonly title: string;
  /** What the axis of the figures shows. */
  readonly axis: string;
  /** The column that names a row. */
  readonly label: number;
  readonly column: number;
  /** The column of moments. */
  readonly across: { readonly column: number; readonly axis: string };
}
