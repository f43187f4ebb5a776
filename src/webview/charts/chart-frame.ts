/**
 * What every chart is made of: marks that keys and pointer reach, each with all it says as its label, and over them what is drawn, which is for the eye alone.
 */
import { describeRow } from '../../core/pages/chart-text';
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import type { EvidenceTable } from '../../core/pages/evidence-page';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { createSvg, type SvgNode } from './svg-tree';

interface ChartParts {
  readonly chart: EvidenceChart;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly marks: readonly SvgNode[];
  readonly drawn: readonly SvgNode[];
}

export function frameChart({ chart, widthPx, heightPx, marks, drawn }: ChartParts): SvgNode {
  const height = Math.ceil(heightPx);
  return createSvg('svg', { width: widthPx, height, viewBox: `0 0 ${widthPx} ${height}`, class: `chart ${chart.kind}` }, [
    ...(marks.length === 0 ? [] : [createSvg('g', { role: 'listbox', 'aria-label': chart.title }, marks)]),
    createSvg('g', { class: 'drawn', 'aria-hidden': 'true' }, drawn),
  ]);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param ground where the mark is hit, and what shows that it is read or selected */
export function createChartMark(chart: EvidenceChart, columns: EvidenceTable['columns'], row: KeyedRow, ground: Box): SvgNode {
  const attributes = {
    role: 'option',
    class: row.databaseId === null ? 'mark' : 'mark of-database',
    'aria-label': describeRow(chart, columns, row),
    'data-key': row.key,
  };
  return createSvg('g', attributes, [createSvg('rect', { class: 'ground', ...ground, rx: 2 })]);
}
