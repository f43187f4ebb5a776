/** `points`: each row is a point over time. `src/webview/charts/chart-view.ts` has the drawing of each kind. */
export type ChartKind = 'points';

/**
 * How a table of evidence is drawn: which of its columns; no geometry. The figure of a row is a duration in
 * milliseconds, on a logarithmic scale. The figures are those of the table's rows, so that chart and table cannot say
 * two things.
 */
export interface EvidenceChart {
  readonly kind: ChartKind;
  /** Stable within its table. */
  readonly id: string;
  readonly title: string;
  /** What the axis of the figures shows. */
  readonly axis: string;
  /** The column that names a row. */
  readonly label: number;
  readonly column: number;
  /** The column of moments, of a kind that is drawn over time. */
  readonly across?: {
    readonly column: number;
    readonly axis: string;
    /**
     * Shaded hours of each day, from 0, which may pass midnight, and moments with a line: both by the server's clock,
     * in milliseconds. Another clock leaves them out.
     */
    readonly hours?: readonly [number, number] | null;
    readonly changedMs?: readonly number[];
  };
}
