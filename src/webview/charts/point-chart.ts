/**
 * Lays out a chart of points over time, or over another figure:
 *
 *     Duration                          title of the vertical axis
 *     1 min ┼┄┄┄┄┄┄┄┄┄┄┄◆┄┄┄┄┄
 *     10 s  ┼┄┄◆┄┄┄┄┄┄┄┄┄┄┄┄◆┄          a point for each row
 *           ├──────┼───────┼──
 *           Server time
 */
import { line as drawLine, symbolDiamond } from 'd3-shape';
import { countOf, formatDate } from '../../core/format';
import { isDrawn, nameRow } from '../../core/pages/chart-text';
import type { PointsChart } from '../../core/pages/evidence-chart';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { frameChart, createChartMark, type ChartPlot, drawTickTexts, drawUpAxis } from './chart-frame';
import { cutText } from './chart-texts';
import { createFigureScale, type FigureScale } from './figure-scale';
import type { ChartInput } from './row-chart';
import { drawSign } from './row-marks';
import { createSvg, type SvgNode } from './svg-tree';
import { t } from '../../core/language';

/** Up to this many points have their names beside them. */
const MOST_NAMED = 4;

export function layoutPointChart(input: ChartInput<PointsChart>): SvgNode {
  const { chart, columns, rows, widthPx, measure } = input;
  const drawn = rows.filter((row) => isDrawn(chart, row));
  const plot = createPlot(input, drawn);
  const rest = rows.length - drawn.length;
  const words = describeRest(chart, rest);
  const footPx = plot.bottomPx + plot.linePx * 2;
  if (drawn.length === 0) return layoutWords(input, words, plot.linePx);
  const heightPx = footPx + (rest > 0 ? plot.linePx : 0) + 5;
  const shownWords = rest === 0 ? '' : cutText(words, widthPx - plot.leftPx, measure);
  const points = placePoints(input, drawn, plot);
  const size = measure.sizePx * 1.7;
  return frameChart({
    chart,
    widthPx,
    heightPx,
    marks: points.map(({ row, x, y }) =>
      createChartMark(chart, columns, row, { x: x - size / 2, y: y - size / 2, width: size, height: size }),
    ),
    drawn: [
      ...drawAxes(input, plot),
      ...drawReferences(input, plot),
      ...(rest === 0 ? [] : [createSvg('text', { class: 'words', x: plot.leftPx, y: footPx + plot.linePx * 0.9 }, shownWords)]),
      ...points.flatMap(({ x, y, name }) => [drawSign('to', symbolDiamond, x, y, size), ...(name ? [name] : [])]),
    ],
  });
}

function describeRest({ across }: PointsChart, rest: number): string {
  return across.unit === 'moment'
    ? countOf(rest, t('{0} without a known time is in the table only.'), t('{0} without a known time are in the table only.'))
    : countOf(rest, t('{0} without a known figure is in the table only.'), t('{0} without a known figure are in the table only.'));
}

/** Without a point there are no axes, only words. */
function layoutWords({ chart, widthPx, measure }: ChartInput<PointsChart>, words: string, linePx: number): SvgNode {
  const text = createSvg('text', { class: 'words', x: 0, y: linePx * 0.8 }, cutText(words, widthPx, measure));
  return frameChart({ chart, widthPx, heightPx: linePx + 4, marks: [], drawn: [text] });
}

/** A moment lies where the table's clock shows it. */
function placeAcross({ across }: PointsChart, { cells }: KeyedRow): number {
  const { value, localMs } = cells[across.column]!;
  return localMs ?? value!;
}

function createPlot(input: ChartInput<PointsChart>, rows: readonly KeyedRow[]): ChartPlot {
  const { chart, measure, widthPx } = input;
  const linePx = Math.ceil(measure.sizePx * 1.45);
  const points = chart.line?.points ?? [];
  const figures = [...rows.map(({ cells }) => cells[chart.column]!.value!), ...chart.references.map(({ value }) => value)];
  const topPx = linePx * 2;
  const bottomPx = topPx + measure.sizePx * 13;
  const moments = [...rows.map((row) => placeAcross(chart, row)), ...points.map(([at]) => at)];
  const values = [...figures, ...points.map(([, value]) => value)];
  const up = createFigureScale({ ...chart, values, fromPx: bottomPx, toPx: topPx, ticks: 5 });
  const leftPx = Math.ceil(Math.max(0, ...up.ticks.map(({ text }) => measure.widthPx(text))) + 12);
  const rightPx = widthPx - 12;
  const ticks = Math.max(2, Math.floor((rightPx - leftPx) / (measure.sizePx * 6)));
  const across = createFigureScale({ unit: chart.across.unit, scale: 'linear', values: moments, fromPx: leftPx, toPx: rightPx, ticks });
  return { across, up: { ...up, ticks: thinTicks(up.ticks, linePx) }, leftPx, rightPx, topPx, bottomPx, linePx };
}

/** From the bottom up, leaves out ticks too near to the one before. */
function thinTicks(ticks: FigureScale['ticks'], leastPx: number): FigureScale['ticks'] {
  let last = Infinity;
  return ticks.filter(({ px }) => {
    const fits = last - px >= leastPx;
    if (fits) last = px;
    return fits;
  });
}

function drawAxes({ chart, measure, widthPx }: ChartInput<PointsChart>, plot: ChartPlot): readonly SvgNode[] {
  const { across, leftPx, rightPx, bottomPx, linePx } = plot;
  const title = cutText(describeAcross(chart, across), rightPx - leftPx, measure);
  return [
    ...drawUpAxis(chart.axis, plot, widthPx, measure),
    ...across.ticks.map(({ px }) => createSvg('line', { class: 'axis', x1: px, x2: px, y1: bottomPx, y2: bottomPx + 4 })),
    ...drawTickTexts(across.ticks, widthPx, bottomPx + linePx, measure),
    createSvg('text', { class: 'dim-text title', x: leftPx, y: bottomPx + linePx * 2 }, title),
  ];
}

/** Times of a day need the day beside them. */
function describeAcross(chart: PointsChart, { low, high }: FigureScale): string {
  const { axis, unit } = chart.across;
  if (unit !== 'moment') return axis;
  const [from = '', to = ''] = [low, high].map((at) => formatDate(at, 0));
  return `${axis}, ${from === to ? from : t('{0} to {1}', from, to)}`;
}

function drawReferences({ chart, measure, widthPx }: ChartInput<PointsChart>, plot: ChartPlot): readonly SvgNode[] {
  const { across, up, leftPx, rightPx, topPx, linePx } = plot;
  const lines = chart.references.flatMap(({ value, text }) => {
    const y = up.toPx(value);
    const shown = cutText(text, rightPx - leftPx - 8, measure);
    return [
      createSvg('line', { class: 'reference', x1: leftPx, x2: rightPx, y1: y, y2: y }),
      createSvg('text', { class: 'reference-text', x: rightPx - 4, y: Math.max(topPx + linePx * 0.6, y - 4), 'text-anchor': 'end' }, shown),
    ];
  });
  if (chart.line === null) return lines;
  const d =
    drawLine()(chart.line.points.map(([at, value]): [number, number] => [Math.round(across.toPx(at)), Math.round(up.toPx(value))])) ?? '';
  return [
    ...lines,
    createSvg('path', { class: 'reference curve', d }),
    createSvg('text', { class: 'reference-text', x: leftPx, y: linePx * 1.7 }, cutText(chart.line.text, widthPx - leftPx, measure)),
  ];
}

/** Beside its point, else a line above, a line below, and so on. */
const NEAREST_LINES = [0, -1, 1, -2, 2, -3, 3];

/** A point with its name; null if there are too many points to name. */
interface PlacedPoint {
  readonly row: KeyedRow;
  readonly x: number;
  readonly y: number;
  readonly name: SvgNode | null;
}

/** Each name stands on the side of its point with more room, moved by a line or two if another name is there. */
function placePoints(input: ChartInput<PointsChart>, rows: readonly KeyedRow[], plot: ChartPlot): readonly PlacedPoint[] {
  const { chart, measure } = input;
  const taken: { readonly from: number; readonly to: number; readonly y: number }[] = [];
  return rows.map((row) => {
    const x = plot.across.toPx(placeAcross(chart, row));
    const y = plot.up.toPx(row.cells[chart.column]!.value!);
    if (rows.length > MOST_NAMED) return { row, x, y, name: null };
    const isLeft = x > (plot.leftPx + plot.rightPx) / 2;
    const besidePx = measure.sizePx;
    const text = cutText(nameRow(chart, row), (isLeft ? x - plot.leftPx : plot.rightPx - x) - besidePx, measure);
    const [from, to] = isLeft ? [x - besidePx - measure.widthPx(text), x - besidePx] : [x + besidePx, x + besidePx + measure.widthPx(text)];
    const isFree = (at: number): boolean =>
      at >= plot.topPx &&
      at <= plot.bottomPx &&
      !taken.some((other) => other.from < to && from < other.to && Math.abs(other.y - at) < plot.linePx);
    const lineY = NEAREST_LINES.map((lines) => y + lines * plot.linePx).find(isFree);
    if (lineY === undefined) return { row, x, y, name: null };
    taken.push({ from, to, y: lineY });
    return { row, x, y, name: createSvg('text', { class: 'name', x: from, y: lineY + measure.sizePx * 0.35 }, text) };
  });
}
