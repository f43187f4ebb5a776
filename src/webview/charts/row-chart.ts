/**
 * Lays out a chart with a row for each row of its table:
 *
 *     ● Median  ■ p95  | Longest                legend
 *                          recovery interval    references
 *     dbA       ●━━━━■──────┆───|    65.5 s     rows: name, signs, figure
 *     dbB       not observable                  words instead of a figure
 *               ├────┼──────┼───┤               axis
 */
import { formatShort } from '../../core/format';
import type { RowChart } from '../../core/pages/evidence-chart';
import { isDrawn, nameRow } from '../../core/pages/chart-text';
import type { EvidenceCell, EvidenceTable } from '../../core/pages/evidence-page';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { frameChart, createChartMark, drawTickTexts } from './chart-frame';
import { cutText, flowTexts, placeTexts, type TextMeasure } from './chart-texts';
import { createFigureScale, type FigureScale } from './figure-scale';
import { drawRow, listFigures, listSigns } from './row-marks';
import { createSvg, type SvgNode } from './svg-tree';
import { t } from '../../core/language';

export interface ChartInput<Chart> {
  readonly chart: Chart;
  readonly columns: EvidenceTable['columns'];
  readonly rows: readonly KeyedRow[];
  readonly widthPx: number;
  readonly measure: TextMeasure;
}

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

export function layoutRowChart(input: ChartInput<RowChart>): SvgNode {
  const { chart, rows, measure, widthPx } = input;
  const room = findRoom(input);
  const values = [...rows.flatMap((row) => listFigures(chart, row)), ...chart.references.map(({ value }) => value)];
  const widestTickPx = measure.sizePx * 5.2;
  const ticks = Math.max(2, Math.floor((room.rightPx - room.leftPx) / widestTickPx));
  const scale = createFigureScale({ unit: chart.unit, scale: chart.scale, values, fromPx: room.leftPx, toPx: room.rightPx, ticks });
  const legend = drawLegend(input, room);
  const references = placeReferences(input, room, scale, legend.endPx);
  const rowsEndPx = references.endPx + rows.length * room.rowPx;
  const axis = drawAxis(input, room, scale, references.endPx, rowsEndPx);
  const tops = rows.map((_, i) => references.endPx + i * room.rowPx);
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
      ...references.draw(rowsEndPx),
      ...rows.map((row, i) => createSvg('g', {}, drawBand(input, row, room, scale, tops[i]!))),
    ],
  });
}

function findRoom({ chart, rows, measure, widthPx }: ChartInput<RowChart>): Room {
  const names = rows.map((row) => measure.widthPx(nameRow(chart, row)));
  const leftPx = Math.ceil(Math.min(Math.max(40, ...names) + GAP_PX, widthPx * 0.36, 260) + 4);
  const hasFigures = widthPx >= LEAST_WIDTH_FOR_FIGURES;
  const figures = hasFigures ? rows.filter((row) => isDrawn(chart, row)).map((row) => measure.widthPx(writeFigures(chart, row))) : [];
  const rightPx = widthPx - (hasFigures ? Math.min(Math.max(0, ...figures), widthPx * 0.3) + GAP_PX * 1.6 : GAP_PX);
  return {
    widthPx,
    linePx: Math.ceil(measure.sizePx * 1.45),
    rowPx: Math.ceil(measure.sizePx * 1.85),
    leftPx,
    rightPx: Math.floor(rightPx),
  };
}

/** The main figure of a row, at its right. */
function writeFigures(chart: RowChart, { cells }: KeyedRow): string {
  const textOf = (column: number): string => cells[column]?.text ?? '';
  if (chart.kind === 'pairs') return `${textOf(chart.from)} → ${textOf(chart.to)}`;
  if (chart.kind === 'intervals') return writeInterval(cells[chart.column]);
  return textOf(chart.kind === 'ranges' ? chart.worst : chart.column);
}

/** `1.34 × (1.21 to 1.49)`: shorter than in the table. */
function writeInterval(cell: EvidenceCell | undefined): string {
  const write = (ratio: number): string =>
    ratio >= 1000 ? '> 999' : ratio > 0 && ratio < 0.001 ? `< ${formatShort(0.001)}` : formatShort(ratio);
  if (cell?.value == null || !cell.interval) return cell?.text ?? '';
  const { low, high } = cell.interval;
  return high === null
    ? t('{0} × ({1} or more)', write(cell.value), write(low))
    : t('{0} × ({1} to {2})', write(cell.value), write(low), write(high));
}

function drawLegend(
  { chart, columns, measure }: ChartInput<RowChart>,
  room: Room,
): { readonly nodes: readonly SvgNode[]; readonly endPx: number } {
  const signs = listSigns(
    chart,
    columns.map(({ heading }) => heading),
  );
  const signPx = measure.sizePx * 1.3;
  const placed = flowTexts(
    signs.map(({ text }) => text),
    room.widthPx,
    signPx,
    GAP_PX * 1.6,
    measure,
  );
  const lines = placed.length === 0 ? 0 : Math.max(...placed.map(({ line }) => line)) + 1;
  const nodes = placed.flatMap(({ text, leftPx, line }, i) => {
    const middlePx = (line + 0.5) * room.linePx;
    return [
      signs[i]!.draw(leftPx - signPx / 2 - 2, middlePx, measure.sizePx * 1.6),
      createSvg('text', { class: 'dim-text', x: leftPx, y: middlePx + measure.sizePx * 0.35 }, text),
    ];
  });
  return { nodes, endPx: lines * room.linePx };
}

/** References: their texts stand over the rows, their lines go through them. */
function placeReferences({ chart, measure }: ChartInput<RowChart>, room: Room, scale: FigureScale, fromPx: number) {
  const texts = chart.references.map(({ value, text }) => ({ text, middlePx: scale.toPx(value) }));
  const placed = placeTexts(texts, room.leftPx, room.widthPx, GAP_PX, measure);
  const lines = placed.length === 0 ? 0 : Math.max(...placed.map(({ line }) => line)) + 1;
  const endPx = fromPx + lines * room.linePx + (lines > 0 ? 2 : 0);
  const draw = (toPx: number): readonly SvgNode[] => [
    ...chart.references.map(({ value }) => {
      const x = scale.toPx(value);
      return createSvg('line', { class: 'reference', x1: x, x2: x, y1: endPx, y2: toPx });
    }),
    ...placed.map(({ text, leftPx, line }) =>
      // The first line of texts stands next to the rows.
      createSvg('text', { class: 'reference-text', x: leftPx, y: endPx - 2 - (line + 0.5) * room.linePx + measure.sizePx * 0.35 }, text),
    ),
  ];
  return { endPx, draw };
}

function drawAxis({ chart, measure }: ChartInput<RowChart>, room: Room, scale: FigureScale, topPx: number, bottomPx: number) {
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

function drawBand(input: ChartInput<RowChart>, row: KeyedRow, room: Room, scale: FigureScale, topPx: number): readonly SvgNode[] {
  const { chart, measure } = input;
  const middlePx = topPx + room.rowPx / 2;
  const basePx = middlePx + measure.sizePx * 0.35;
  const name = createSvg('text', { class: 'name', x: 4, y: basePx }, cutText(nameRow(chart, row), room.leftPx - GAP_PX, measure));
  if (isDrawn(chart, row))
    return [name, ...drawRow(chart, row, { scale, middlePx, heightPx: room.rowPx * 0.8 }), ...drawFigures(input, row, room, basePx)];
  const words = cutText(findWords(chart, row), room.widthPx - room.leftPx - 4, measure);
  return [name, createSvg('text', { class: 'words', x: room.leftPx + 2, y: basePx }, words)];
}

function drawFigures({ chart, measure, widthPx }: ChartInput<RowChart>, row: KeyedRow, room: Room, basePx: number): readonly SvgNode[] {
  if (widthPx < LEAST_WIDTH_FOR_FIGURES) return [];
  const text = cutText(writeFigures(chart, row), widthPx - room.rightPx - GAP_PX, measure);
  return [createSvg('text', { class: 'figure', x: widthPx - 4, y: basePx, 'text-anchor': 'end' }, text)];
}

/** Why there is no figure, in the table's words. */
function findWords(chart: RowChart, { cells }: KeyedRow): string {
  const columns =
    chart.kind === 'pairs' ? [chart.to, chart.from] : chart.kind === 'ranges' ? [chart.usual, chart.rare, chart.worst] : [chart.column];
  const column = columns.find((at) => cells[at]?.value === null && cells[at]?.text !== '');
  return cells[column ?? columns[0]!]?.text ?? '';
}
