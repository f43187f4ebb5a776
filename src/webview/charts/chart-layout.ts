/** From a table and its chart to an SVG of a given width: selects the rows, then lays them out by kind of chart. Needs no screen. */
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import { layoutPointChart } from './point-chart';
import { layoutRowChart, type ChartInput } from './row-chart';
import type { SvgNode } from './svg-tree';
import { formatCount } from '../../core/format';
import { nameRow } from '../../core/pages/chart-text';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { t } from '../../core/language';

interface ChartGroup {
  readonly key: string;
  /** The group's name: texts of the cells that tell groups apart. */
  readonly name: string;
}

export interface ChartRows {
  /** Rows that are drawn. */
  readonly rows: readonly KeyedRow[];
  /** All rows of the group that could be drawn. */
  readonly of: readonly KeyedRow[];
  readonly groups: readonly ChartGroup[];
  /** The group that is shown; null: there are no groups. */
  readonly group: string | null;
}

interface ChartRowsInput {
  readonly chart: EvidenceChart;
  /** Ordered and filtered as in the table. */
  readonly rows: readonly KeyedRow[];
  readonly selectedDatabaseId: number | null;
  /** The group that the reader chose. If null or gone: the group of the selected database, else the first. */
  readonly group: string | null;
  /** Rows drawn at most. */
  readonly most: number;
}

export function selectChartRows({ chart, rows, selectedDatabaseId, group, most }: ChartRowsInput): ChartRows {
  // If the table has neither a figure nor words for a row, the chart leaves it out.
  const spoken = rows.filter((row) => isSpoken(chart, row));
  const keyOf = (row: KeyedRow): string => JSON.stringify(chart.groups.map((column) => row.cells[column]?.text));
  if (chart.groups.length === 0) return { rows: spoken.slice(0, most), of: spoken, groups: [], group: null };
  const groups = [...new Map(spoken.map((row) => [keyOf(row), row]))].map(([key, row]) => ({
    key,
    name: nameRow({ ...chart, labels: chart.groups }, row),
  }));
  const selected = spoken.find(({ databaseId }) => databaseId !== null && databaseId === selectedDatabaseId);
  const chosen = groups.find(({ key }) => key === group)?.key ?? (selected ? keyOf(selected) : groups[0]?.key) ?? null;
  const of = spoken.filter((row) => keyOf(row) === chosen);
  return { rows: of.slice(0, most), of, groups, group: chosen };
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
