/**
 * Lays out a chart of points over time:
 *
 *     ● dbA  ◆ dbB                      legend, where rows have signs of a series
 *     Duration                          title of the vertical axis
 *     1 min ┼┄┄┄┄┄┄┄┄┄┄┄◆┄┄┄┄┄
 *     10 s  ┼┄┄◆┄┄░░┄┄┄╎┄┄┄┄◆┄          a point for each row; hours are shaded, and a line marks a change
 *           ├──────┼───────┼──
 *           Server time
 */
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle, type SymbolType } from 'd3-shape';
import { countOf, formatDate } from '../../core/format';
import { isDrawn, nameRow } from '../../core/pages/chart-text';
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { type ChartInput, frameChart, createChartMark, drawLegend, drawTickTexts } from './chart-frame';
import { cutText } from './chart-texts';
import { createDurationScale, createMomentScale, type FigureScale } from './figure-scale';
import { createSvg, type SvgNode } from './svg-tree';
import { t } from '../../core/language';
import { DAY_MS, HOUR_MS } from '../../core/time';

/** Series differ by shape and colour. */
const SHAPES: ReadonlyMap<string, SymbolType> = new Map([
  ['first', symbolCircle],
  ['second', symbolDiamond],
  ['third', symbolTriangle],
  ['fourth', symbolSquare],
]);

const tenths = (px: number): number => Math.round(px * 10) / 10;

/** Of a row without a series, where others have one; and where none has. */
const OTHER = 'other';
const ALIKE = 'to';

/** The sign of a series, with its middle at a point. */
function drawSign(series: string, x: number, y: number, heightPx: number): SvgNode {
  const shape = SHAPES.get(series) ?? (series === OTHER ? symbolCircle : symbolDiamond);
  const d = symbol(shape, (heightPx * (series === OTHER ? 0.24 : 0.36)) ** 2)() ?? '';
  return createSvg('path', {
    class: `sign ${series}`,
    d,
    transform: `translate(${tenths(x)},${tenths(y)})`,
  });
}

export function layoutPointChart(input: ChartInput): SvgNode {
  const { chart, columns, rows, widthPx, measure } = input;
  const drawn = rows.filter((row) => isDrawn(chart, row));
  const rest = rows.length - drawn.length;
  const words = countOf(
    rest,
    t('{0} without a known time is in the table only.'),
    t('{0} without a known time are in the table only.'),
  );
  const linePx = Math.ceil(measure.sizePx * 1.45);
  const drawWords = (x: number, y: number): SvgNode =>
    createSvg('text', { class: 'words', x, y }, cutText(words, widthPx - x, measure));
  // Without a point there are no axes, only words.
  if (drawn.length === 0)
    return frameChart({
      chart,
      widthPx,
      heightPx: linePx + 4,
      marks: [],
      drawn: rest === 0 ? [] : [drawWords(0, linePx * 0.8)],
    });
  const names = nameSeries(chart, drawn);
  const unsigned = names.size === 0 ? ALIKE : OTHER;
  const series = [...SHAPES.keys(), OTHER].filter((sign) => names.has(sign));
  const signs = series.map(
    (sign) => (x: number, y: number, heightPx: number) => drawSign(sign, x, y, heightPx),
  );
  const legend = drawLegend(
    series.map((sign) => names.get(sign)!),
    signs,
    widthPx,
    { measure, linePx },
  );
  const plot = createPlot(input, drawn, linePx, legend.endPx);
  const footPx = plot.bottomPx + linePx * 2;
  const size = measure.sizePx * 1.7;
  const points = drawn.map((row) => {
    const [x, y] = [plot.across.toPx(placeAcross(chart, row)), plot.up.toPx(row.cells[chart.column]!.value!)];
    const ground = { x: x - size / 2, y: y - size / 2, width: size, height: size };
    return {
      mark: createChartMark(chart, columns, row, ground),
      sign: drawSign(row.cells[chart.label]?.sign ?? unsigned, x, y, size),
    };
  });
  return frameChart({
    chart,
    widthPx,
    heightPx: footPx + (rest > 0 ? linePx : 0) + 5,
    marks: points.map(({ mark }) => mark),
    drawn: [
      ...legend.nodes,
      ...drawMarks(chart, plot),
      ...drawAxes(input, plot),
      ...(rest === 0 ? [] : [drawWords(plot.leftPx, footPx + linePx * 0.9)]),
      ...points.map(({ sign }) => sign),
    ],
  });
}

/** The name of each series that has a point; empty: no row has a sign. */
function nameSeries(chart: EvidenceChart, rows: readonly KeyedRow[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const row of rows) {
    const sign = row.cells[chart.label]?.sign;
    if (sign !== undefined) names.set(sign, sign === OTHER ? t('others') : nameRow(chart, row));
  }
  if (names.size > 0 && rows.some(({ cells }) => cells[chart.label]?.sign === undefined))
    names.set(OTHER, t('others'));
  return names;
}

/** A moment lies where the table's clock shows it. */
function placeAcross({ across }: EvidenceChart, { cells }: KeyedRow): number {
  const { value, localMs } = cells[across!.column]!;
  return localMs ?? value!;
}

function createPlot(
  { chart, measure, widthPx }: ChartInput,
  rows: readonly KeyedRow[],
  linePx: number,
  topPx: number,
) {
  const bottomPx = topPx + linePx * 2 + measure.sizePx * 13;
  const durations = rows.map(({ cells }) => cells[chart.column]!.value!);
  const up = createDurationScale({ values: durations, fromPx: bottomPx, toPx: topPx + linePx * 2, ticks: 5 });
  const leftPx = Math.ceil(Math.max(0, ...up.ticks.map(({ text }) => measure.widthPx(text))) + 12);
  const rightPx = widthPx - 12;
  const ticks = Math.max(2, Math.floor((rightPx - leftPx) / (measure.sizePx * 6)));
  const across = createMomentScale({
    values: [...rows.map((row) => placeAcross(chart, row)), ...(chart.across?.changedMs ?? [])],
    fromPx: leftPx,
    toPx: rightPx,
    ticks,
  });
  return {
    across,
    up: { ...up, ticks: thinTicks(up.ticks, linePx) },
    leftPx,
    rightPx,
    topPx,
    bottomPx,
    linePx,
  };
}

const LABEL_PX = 80;
/** More days with a shade each would be a grey plot. */
const MOST_SHADES = 60;

function drawMarks(
  { across: given }: EvidenceChart,
  plot: ReturnType<typeof createPlot>,
): readonly SvgNode[] {
  const { across, leftPx, rightPx, bottomPx } = plot;
  const { hours = null, changedMs = [] } = given!;
  const box = { y: plot.topPx + plot.linePx, height: bottomPx - plot.topPx - plot.linePx };
  const place = (ms: number): number => tenths(Math.min(rightPx, Math.max(leftPx, across.toPx(ms))));
  const [firstMs, lastMs] = [Math.floor(across.low / DAY_MS - 1) * DAY_MS, across.high];
  const [from, to] = hours ?? [0, 0];
  const days = hours === null ? 0 : Math.ceil((lastMs - firstMs) / DAY_MS);
  const shades = Array.from({ length: days > MOST_SHADES ? 0 : days }, (_, day) => {
    const at = firstMs + day * DAY_MS;
    const [begin, end] = [from, to > from ? to : to + 24].map((hour) => place(at + hour * HOUR_MS));
    return createSvg('rect', { class: 'hours', x: begin!, width: end! - begin!, ...box });
  });
  const lines = [...new Set(changedMs.map(place))].map((x) =>
    createSvg('line', { class: 'changed', x1: x, x2: x, y1: box.y, y2: bottomPx }),
  );
  // Before the first line; where that is at the edge, behind the last; where that is at the other, before it.
  const [first, last] = [place(Math.min(...changedMs)), place(Math.max(...changedMs))];
  const isBehind = first - leftPx <= LABEL_PX && rightPx - last > LABEL_PX;
  const label = createSvg(
    'text',
    {
      class: 'changed',
      x: isBehind ? last + 4 : (first - leftPx > LABEL_PX ? first : last) - 4,
      y: box.y + 8,
      'text-anchor': isBehind ? 'start' : 'end',
    },
    t('changed'),
  );
  return [...shades, ...lines, ...(lines.length === 0 ? [] : [label])];
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

/** Over the plot the title of the vertical axis, below it that of time with the days, which the times lack. */
function drawAxes(
  { chart, measure, widthPx }: ChartInput,
  plot: ReturnType<typeof createPlot>,
): readonly SvgNode[] {
  const { across, up, leftPx, rightPx, topPx, bottomPx, linePx } = plot;
  const [from = '', to = ''] = [across.low, across.high].map((at) => formatDate(at, 0));
  const days = `${chart.across!.axis}, ${from === to ? from : t('{0} to {1}', from, to)}`;
  const drawTitle = (text: string, x: number, y: number, roomPx: number): SvgNode =>
    createSvg('text', { class: 'dim-text title', x, y }, cutText(text, roomPx, measure));
  return [
    drawTitle(chart.axis, 0, topPx + linePx * 0.8, widthPx),
    ...up.ticks.flatMap(({ px, text }) => [
      createSvg('line', { class: 'rule', x1: leftPx, x2: rightPx, y1: px, y2: px }),
      createSvg(
        'text',
        { class: 'dim-text', x: leftPx - 6, y: px + measure.sizePx * 0.35, 'text-anchor': 'end' },
        text,
      ),
    ]),
    createSvg('line', { class: 'axis', x1: leftPx, x2: rightPx, y1: bottomPx, y2: bottomPx }),
    ...across.ticks.map(({ px }) =>
      createSvg('line', { class: 'axis', x1: px, x2: px, y1: bottomPx, y2: bottomPx + 4 }),
    ),
    ...drawTickTexts(across.ticks, widthPx, bottomPx + linePx, measure),
    drawTitle(days, leftPx, bottomPx + linePx * 2, rightPx - leftPx),
  ];
}
