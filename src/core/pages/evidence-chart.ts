/**
 * How a table of evidence is drawn: which of its columns, in which unit, on which scale; no geometry. The figures are those of the table's rows, in the order
 * in which they are shown, so that chart and table cannot say two things.
 */
export type EvidenceChart = IntervalsChart | PairsChart | RangesChart | BarsChart | PointsChart | BandsChart;

/** A chart with one row for each row of the table. */
export type RowChart = Exclude<EvidenceChart, PointsChart | BandsChart>;

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
  /** Columns whose cells make groups, of which one is drawn at a time; none: all rows are one group. */
  readonly groups: readonly number[];
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

/** A line over time, above bands. The band of a row lasts from its moment to that of the next. Rows without a moment are still to come. */
export interface BandsChart extends ChartBase {
  readonly kind: 'bands';
  /** Columns: the moment at which a row's band begins, the band (an interval), and the row's own figure. */
  readonly from: number;
  readonly band: number;
  readonly column: number;
  readonly line: readonly LinePoint[];
  /** The end of the last band that began. */
  readonly end: LinePoint;
}

export interface LinePoint {
  readonly utcMs: number;
  /** What the clock showed, as if it were UTC. */
  readonly localMs: number;
  /** null: not seen. */
  readonly value: number | null;
}

/** Most charts: rows named by their first cell, all in one group, without a value to compare with. */
export const PLAIN_CHART = { references: [], labels: [0], groups: [] } as const;

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
    case 'bands':
      return [chart.band, chart.column];
    case 'points':
      return [chart.across.column, chart.column];
  }
}
