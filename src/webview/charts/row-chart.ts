/**
 * Lays out a chart with a row for each row of its table:
 *
 *     ● Median  ■ p95  | Longest                legend
 *                          recovery interval    reference
 *     dbA       ●━━━━■──────┆───|    65.5 s     rows: name, signs, figure
 *     dbB       not observable                  words instead of a figure
 *               ├────┼──────┼───┤               axis
 */
import { isDrawn, nameRow } from '../../core/pages/chart-text';
import type { RangesChart } from '../../core/pages/evidence-chart';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { type ChartInput, frameChart, createChartMark, drawTickTexts } from './chart-frame';
import { cutText, flowTexts } from './chart-texts';
import { createDurationScale, type FigureScale } from './figure-scale';
import { drawRange, listSigns } from './row-marks';
import { createSvg, type SvgNode } from './svg-tree';

/** In a narrower chart there is no room for figures beside the signs: the table has them. */
const LEAST_WIDTH_FOR_FIGURES = 520;
const GAP_PX = 10;

/** Where the parts of a chart lie, in pixels. */
interface Room {
  readonly widthPx: number;
  readonly linePx: number;
  readonly rowPx: number;
  readonly leftPx: number;
  readonly rightPx: number;
}

export function layoutRowChart(input: ChartInput<RangesChart>): SvgNode {
  const { chart, rows, measure, widthPx } = input;
  const room = findRoom(input);
  const figures = rows.flatMap((row) => listFigures(chart, row)).filter((value) => value !== null);
  const values = [...figures, ...(chart.reference ? [chart.reference.value] : [])];
  const ticks = Math.max(2, Math.floor((room.rightPx - room.leftPx) / (measure.sizePx * 5.2)));
  const scale = createDurationScale({ values, fromPx: room.leftPx, toPx: room.rightPx, ticks });
  const legend = drawLegend(input, room);
  const topPx = legend.endPx + (chart.reference ? room.linePx + 2 : 0);
  const rowsEndPx = topPx + rows.length * room.rowPx;
  const axis = drawAxis(input, room, scale, topPx, rowsEndPx);
  const tops = rows.map((_, i) => topPx + i * room.rowPx);
  return frameChart({
    chart,
    widthPx,
    heightPx: axis.endPx,
    marks: rows.map((row, i) =>
      createChartMark(chart, input.columns, row, { x: 0.5, y: tops[i]! + 0.5, width: room.widthPx - 1, height: room.rowPx - 1 }),
    ),
    drawn: [
      ...legend.nodes,
      ...axis.nodes,
      ...drawReference(input, room, scale, topPx, rowsEndPx),
      ...rows.map((row, i) => createSvg('g', {}, drawBand(input, row, room, scale, tops[i]!))),
    ],
  });
}

const listFigures = ({ columns }: RangesChart, { cells }: KeyedRow): readonly (number | null)[] =>
  columns.map((column) => cells[column]?.value ?? null);

function findRoom({ chart, rows, measure, widthPx }: ChartInput<RangesChart>): Room {
  const names = rows.map((row) => measure.widthPx(nameRow(chart, row)));
  const leftPx = Math.ceil(Math.min(Math.max(40, ...names) + GAP_PX, widthPx * 0.36, 260) + 4);
  const hasFigures = widthPx >= LEAST_WIDTH_FOR_FIGURES;
  const figures = hasFigures ? rows.filter((row) => isDrawn(chart, row)).map((row) => measure.widthPx(writeFigure(chart, row))) : [];
  const rightPx = widthPx - (hasFigures ? Math.min(Math.max(0, ...figures), widthPx * 0.3) + GAP_PX * 1.6 : GAP_PX);
  return {
    widthPx,
    linePx: Math.ceil(measure.sizePx * 1.45),
    rowPx: Math.ceil(measure.sizePx * 1.85),
    leftPx,
    rightPx: Math.floor(rightPx),
  };
}

/** The figure in question, at the right of its row. */
const writeFigure = ({ columns }: RangesChart, { cells }: KeyedRow): string => cells[columns[columns.length - 1]!]?.text ?? '';

function drawLegend({ chart, columns, measure }: ChartInput<RangesChart>, room: Room) {
  const signs = listSigns(chart.columns.length);
  const signPx = measure.sizePx * 1.3;
  const headings = chart.columns.map((column) => columns[column]?.heading ?? '');
  const placed = flowTexts(headings, room.widthPx, signPx, GAP_PX * 1.6, measure);
  const nodes = placed.flatMap(({ text, leftPx, line }, i) => {
    const middlePx = (line + 0.5) * room.linePx;
    return [
      signs[i]!(leftPx - signPx / 2 - 2, middlePx, measure.sizePx * 1.6),
      createSvg('text', { class: 'dim-text', x: leftPx, y: middlePx + measure.sizePx * 0.35 }, text),
    ];
  });
  return { nodes, endPx: (placed[placed.length - 1]!.line + 1) * room.linePx };
}

/** Its text stands over the rows, its line goes through them. */
function drawReference(
  { chart: { reference }, measure }: ChartInput<RangesChart>,
  room: Room,
  scale: FigureScale,
  topPx: number,
  bottomPx: number,
): readonly SvgNode[] {
  if (!reference) return [];
  const text = cutText(reference.text, room.widthPx - room.leftPx, measure);
  const [at, width] = [scale.toPx(reference.value), measure.widthPx(text)];
  const x = Math.max(room.leftPx, Math.min(room.widthPx - width, at - width / 2));
  return [
    createSvg('line', { class: 'reference', x1: at, x2: at, y1: topPx, y2: bottomPx }),
    createSvg('text', { class: 'reference-text', x, y: topPx - 2 - room.linePx / 2 + measure.sizePx * 0.35 }, text),
  ];
}

function drawAxis({ chart, measure }: ChartInput<RangesChart>, room: Room, scale: FigureScale, topPx: number, bottomPx: number) {
  const textPx = bottomPx + room.linePx * 0.95;
  const title = cutText(chart.axis, room.widthPx, measure);
  // Under the axis if there is room, else as far left as needed.
  const titleX = Math.max(0, Math.min(room.leftPx, room.widthPx - measure.widthPx(title)));
  const titlePx = textPx + room.linePx;
  return {
    endPx: titlePx + 5,
    nodes: [
      ...scale.ticks.map(({ px }) => createSvg('line', { class: 'rule', x1: px, x2: px, y1: topPx, y2: bottomPx })),
      createSvg('line', { class: 'axis', x1: room.leftPx, x2: room.rightPx, y1: bottomPx, y2: bottomPx }),
      ...drawTickTexts(scale.ticks, room.widthPx, textPx, measure),
      createSvg('text', { class: 'dim-text title', x: titleX, y: titlePx }, title),
    ],
  };
}

function drawBand(input: ChartInput<RangesChart>, row: KeyedRow, room: Room, scale: FigureScale, topPx: number): readonly SvgNode[] {
  const { chart, measure, widthPx } = input;
  const middlePx = topPx + room.rowPx / 2;
  const y = middlePx + measure.sizePx * 0.35;
  const name = createSvg('text', { class: 'name', x: 4, y }, cutText(nameRow(chart, row), room.leftPx - GAP_PX, measure));
  if (!isDrawn(chart, row)) {
    const words = cutText(writeFigure(chart, row), room.widthPx - room.leftPx - 4, measure);
    return [name, createSvg('text', { class: 'words', x: room.leftPx + 2, y }, words)];
  }
  const figuresPx = listFigures(chart, row).map((value) => (value === null ? null : scale.toPx(value)));
  const signs = [name, ...drawRange(figuresPx, middlePx, room.rowPx * 0.8)];
  if (widthPx < LEAST_WIDTH_FOR_FIGURES) return signs;
  const text = cutText(writeFigure(chart, row), widthPx - room.rightPx - GAP_PX, measure);
  return [...signs, createSvg('text', { class: 'figure', x: widthPx - 4, y, 'text-anchor': 'end' }, text)];
}
