/** From a table and its chart to an SVG of a given width: selects the rows, then lays them out by kind of chart. Needs no screen. */
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import { layoutPointChart } from './point-chart';
import { layoutRowChart, type ChartInput } from './row-chart';
import type { SvgNode } from './svg-tree';
import { formatCount } from '../../core/format';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { t } from '../../core/language';

export interface ChartRows {
  /** Rows that are drawn. */
  readonly rows: readonly KeyedRow[];
  /** All rows that could be drawn. */
  readonly of: readonly KeyedRow[];
}

/** @param rows ordered and filtered as in the table @param most rows drawn at most */
export function selectChartRows(chart: EvidenceChart, rows: readonly KeyedRow[], most: number): ChartRows {
  // If the table has neither a figure nor words for a row, the chart leaves it out.
  const of = rows.filter((row) => isSpoken(chart, row));
  return { rows: of.slice(0, most), of };
}

function isSpoken(chart: EvidenceChart, { cells }: KeyedRow): boolean {
  if (chart.kind !== 'bars' && chart.kind !== 'intervals') return true;
  const { text = '', value = null } = cells[chart.column] ?? {};
  return value !== null || text !== '';
}

/** `The first 30 of 312, as sorted below.`; empty if all are drawn. */
export function describeRowsLeftOut({ rows, of }: ChartRows): string {
  return rows.length === of.length ? '' : t('The first {0} of {1}, as sorted below.', formatCount(rows.length), formatCount(of.length));
}

export function layoutChart({ chart, ...input }: ChartInput<EvidenceChart>): SvgNode {
  return chart.kind === 'points' ? layoutPointChart({ chart, ...input }) : layoutRowChart({ chart, ...input });
}
