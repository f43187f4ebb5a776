/**
 * How a table of evidence is drawn: which of its columns, in which unit, on which scale; no geometry. The figures are those of the table's rows, in the order
 * in which they are shown, so that chart and table cannot say two things.
 */
export type EvidenceChart = IntervalsChart | PairsChart | RangesChart | BarsChart | PointsChart;

/** A chart with one row for each row of the table. */
export type RowChart = Exclude<EvidenceChart, PointsChart>;

/** `moment`: UTC milliseconds. `share`: 0 to 1. */
export type ChartUnit = 'ms' | 'ratio' | 'bytes' | 'share' | 'count' | 'gigabytes' | 'moment';

/** A value to compare figures with, drawn as a line across the chart. */
interface ChartReference {
  readonly value: number;
  readonly text: string;
}

interface ChartBase {
  /** Stable within its table. */
  readonly id: string;
  readonly title: string;
  /** What the axis of the figures shows, with its unit. */
  readonly axis: string;
  readonly unit: ChartUnit;
  readonly scale: 'linear' | 'log';
  readonly references: readonly ChartReference[];
  /** Columns that name a row. */
  readonly labels: readonly number[];
}

/** A figure with its interval, which the cells of the column hold. */
interface IntervalsChart extends ChartBase {
  readonly kind: 'intervals';
  readonly column: number;
}

/** Two figures of one thing: `from` is the usual one, `to` the one at the time in question. */
interface PairsChart extends ChartBase {
  readonly kind: 'pairs';
  readonly from: number;
  readonly to: number;
}

/** From the usual over the rare to the worst. */
interface RangesChart extends ChartBase {
  readonly kind: 'ranges';
  readonly usual: number;
  readonly rare: number;
  readonly worst: number;
}

interface BarsChart extends ChartBase {
  readonly kind: 'bars';
  readonly column: number;
}

/** Each row a point: over time, or over another figure. */
export interface PointsChart extends ChartBase {
  readonly kind: 'points';
  readonly column: number;
  readonly across: { readonly column: number; readonly axis: string; readonly unit: ChartUnit };
  /** A published line to read the points against; null: none. */
  readonly line: { readonly text: string; readonly points: readonly (readonly [across: number, value: number])[] } | null;
}

/** Most charts: rows named by their first cell, without a value to compare with. */
export const PLAIN_CHART = { references: [], labels: [0] } as const;

/** Columns whose figures are drawn, in the order in which texts name them. */
export function listDrawnColumns(chart: EvidenceChart): readonly number[] {
  switch (chart.kind) {
    case 'intervals':
    case 'bars':
      return [chart.column];
    case 'pairs':
      return [chart.to, chart.from];
    case 'ranges':
      return [chart.usual, chart.rare, chart.worst];
    case 'points':
      return [chart.across.column, chart.column];
  }
}
