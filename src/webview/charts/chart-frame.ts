/**
 * The parts of every chart: marks, which keys and pointer reach and whose labels say all they show, and over them the drawing, which is for the eye only.
 */
import { describeRow } from '../../core/pages/chart-text';
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import type { EvidenceTable } from '../../core/pages/evidence-page';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { createSvg, type SvgNode } from './svg-tree';
import type { FigureScale } from './figure-scale';
import { type TextMeasure, cutText, placeTexts } from './chart-texts';

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

/** Where the parts of a chart with a horizontal and a vertical axis lie. */
export interface ChartPlot {
  readonly across: FigureScale;
  readonly up: FigureScale;
  readonly leftPx: number;
  readonly rightPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
  readonly linePx: number;
}

/** The vertical axis: its title over the plot, a line across the plot for each tick, and the line at the bottom. */
export function drawUpAxis(
  title: string,
  { up, leftPx, rightPx, bottomPx, linePx }: ChartPlot,
  widthPx: number,
  measure: TextMeasure,
): readonly SvgNode[] {
  return [
    createSvg('text', { class: 'dim-text title', x: 0, y: linePx * 0.8 }, cutText(title, widthPx, measure)),
    ...up.ticks.flatMap(({ px, text }) => [
      createSvg('line', { class: 'rule', x1: leftPx, x2: rightPx, y1: px, y2: px }),
      createSvg('text', { class: 'dim-text', x: leftPx - 6, y: px + measure.sizePx * 0.35, 'text-anchor': 'end' }, text),
    ]),
    createSvg('line', { class: 'axis', x1: leftPx, x2: rightPx, y1: bottomPx, y2: bottomPx }),
  ];
}

/** Texts of ticks in one line. Leaves out a text that would overlap another. */
export function drawTickTexts(ticks: FigureScale['ticks'], widthPx: number, y: number, measure: TextMeasure): readonly SvgNode[] {
  const texts = ticks.map(({ px, text }) => ({ text, middlePx: px }));
  const placed = placeTexts(texts, 0, widthPx, 6, measure).filter(({ line }) => line === 0);
  return placed.map(({ text, leftPx: x }) => createSvg('text', { class: 'dim-text', x, y }, text));
}

/** A band between two edges, at least a pixel high so that a small value can be seen. */
export function drawEdgedBand(x: number, width: number, y: number, underPx: number): readonly SvgNode[] {
  return [
    createSvg('rect', { class: 'band', x, y, width, height: Math.max(1, underPx - y) }),
    ...[y, underPx].map((edge) => createSvg('line', { class: 'edge', x1: x, x2: x + width, y1: edge, y2: edge })),
  ];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param ground the area of the mark for the pointer; it also shows whether the mark is read or selected */
export function createChartMark(chart: EvidenceChart, columns: EvidenceTable['columns'], row: KeyedRow, ground: Box): SvgNode {
  const attributes = {
    role: 'option',
    class: row.databaseId === null ? 'mark' : 'mark of-database',
    'aria-label': describeRow(chart, columns, row),
    'data-key': row.key,
  };
  return createSvg('g', attributes, [createSvg('rect', { class: 'ground', ...ground, rx: 2 })]);
}
