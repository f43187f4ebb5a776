/**
 * The parts of every chart: marks, which keys and pointer reach and whose labels say all they show, and over them the
 * drawing, which is for the eye only.
 */
import { describeRow } from '../../core/pages/chart-text';
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import type { EvidenceTable } from '../../core/pages/evidence-page';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { createSvg, type SvgNode } from './svg-tree';
import type { FigureScale } from './figure-scale';
import { flowTexts, type TextMeasure } from './chart-texts';

export interface ChartInput {
  readonly chart: EvidenceChart;
  readonly columns: EvidenceTable['columns'];
  readonly rows: readonly KeyedRow[];
  readonly widthPx: number;
  readonly measure: TextMeasure;
}

interface ChartParts {
  readonly chart: EvidenceChart;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly marks: readonly SvgNode[];
  readonly drawn: readonly SvgNode[];
}

export function frameChart({ chart, widthPx, heightPx, marks, drawn }: ChartParts): SvgNode {
  const height = Math.ceil(heightPx);
  return createSvg(
    'svg',
    { width: widthPx, height, viewBox: `0 0 ${widthPx} ${height}`, class: `chart ${chart.kind}` },
    [
      ...(marks.length === 0 ? [] : [createSvg('g', { role: 'listbox', 'aria-label': chart.title }, marks)]),
      createSvg('g', { class: 'drawn', 'aria-hidden': 'true' }, drawn),
    ],
  );
}

/** Texts of ticks in one line, each around its tick. Leaves out a text that would overlap the one before. */
export function drawTickTexts(
  ticks: FigureScale['ticks'],
  widthPx: number,
  y: number,
  measure: TextMeasure,
): readonly SvgNode[] {
  let freePx = 0;
  return ticks.flatMap(({ px, text }) => {
    const width = measure.widthPx(text);
    const x = Math.max(0, Math.min(widthPx - width, px - width / 2));
    if (x < freePx) return [];
    freePx = x + width + 6;
    return [createSvg('text', { class: 'dim-text', x, y }, text)];
  });
}

/** Signs with their texts, broken into lines. @param signs each with its middle at a point */
export function drawLegend(
  texts: readonly string[],
  signs: readonly ((x: number, y: number, heightPx: number) => SvgNode)[],
  widthPx: number,
  { measure, linePx }: { readonly measure: TextMeasure; readonly linePx: number },
) {
  const signPx = measure.sizePx * 1.3;
  const placed = flowTexts(texts, widthPx, signPx, measure.sizePx * 1.25, measure);
  const nodes = placed.flatMap(({ text, leftPx, line }, i) => {
    const middlePx = (line + 0.5) * linePx;
    return [
      signs[i]!(leftPx - signPx / 2 - 2, middlePx, measure.sizePx * 1.6),
      createSvg('text', { class: 'dim-text', x: leftPx, y: middlePx + measure.sizePx * 0.35 }, text),
    ];
  });
  return { nodes, endPx: ((placed[placed.length - 1]?.line ?? -1) + 1) * linePx };
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param ground the area of the mark for the pointer; it also shows whether the mark is read or selected */
export function createChartMark(
  chart: EvidenceChart,
  columns: EvidenceTable['columns'],
  row: KeyedRow,
  ground: Box,
): SvgNode {
  const attributes = {
    role: 'option',
    class: row.databaseId === null ? 'mark' : 'mark of-database',
    'aria-label': describeRow(chart, columns, row),
    'data-key': row.key,
  };
  return createSvg('g', attributes, [createSvg('rect', { class: 'ground', ...ground, rx: 2 })]);
}
