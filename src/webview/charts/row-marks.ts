/** The signs of one row of a chart. Each has a shape of its own, so that colour is not the only difference. */
import { symbol, symbolCircle, symbolDiamond, symbolSquare, type SymbolType } from 'd3-shape';
import type { EvidenceCell, EvidenceRow } from '../../core/pages/evidence-page';
import type { RowChart } from '../../core/pages/evidence-chart';
import type { FigureScale } from './figure-scale';
import { createSvg, type SvgNode } from './svg-tree';

interface MarkBand {
  readonly scale: FigureScale;
  readonly middlePx: number;
  /** Height available for signs. */
  readonly heightPx: number;
}

/** Figures of a row that lie on the axis, with the bounds of an interval if it has any. */
export function listFigures(chart: RowChart, row: Pick<EvidenceRow, 'cells'>): readonly number[] {
  return cellsOf(chart, row).flatMap(({ value, interval }) => [
    ...(value === null ? [] : [value]),
    ...(chart.kind === 'intervals' && interval ? listBounds(interval, value) : []),
  ]);
}

/** A bound a thousand times off says very little, so it does not stretch the axis. */
function listBounds({ low, high }: NonNullable<EvidenceCell['interval']>, value: number | null): readonly number[] {
  const about = value ?? low;
  return [low, high].filter((bound): bound is number => bound !== null && bound > about / 1000 && bound < Math.min(1e12, about * 1000));
}

function cellsOf(chart: RowChart, { cells }: Pick<EvidenceRow, 'cells'>): readonly EvidenceCell[] {
  const columns =
    chart.kind === 'pairs' ? [chart.from, chart.to] : chart.kind === 'ranges' ? [chart.usual, chart.rare, chart.worst] : [chart.column];
  return columns.map((column) => cells[column] ?? { text: '', value: null });
}

/** @param row with something to draw */
export function drawRow(chart: RowChart, row: Pick<EvidenceRow, 'cells'>, band: MarkBand): readonly SvgNode[] {
  const cells = cellsOf(chart, row);
  switch (chart.kind) {
    case 'intervals':
      return drawInterval(cells[0]!, band);
    case 'pairs':
      return drawPair(cells[0]!.value!, cells[1]!.value!, band);
    case 'ranges':
      return drawRange(
        cells.map(({ value }) => value),
        band,
      );
    case 'bars':
      return drawBar(cells[0]!.value!, band);
  }
}

/** `⊢──◆────⊣`; an arrow if a bound is missing or out of view. */
function drawInterval({ value, interval }: EvidenceCell, { scale, middlePx, heightPx }: MarkBand): readonly SvgNode[] {
  const { low, high } = interval ?? { low: value!, high: value };
  const [from, to] = [scale.toPx(low), scale.toPx(high ?? Infinity)];
  const endsLow = low >= scale.low;
  const endsHigh = high !== null && high <= scale.high;
  return [
    createSvg('line', { class: 'span', x1: from, x2: to, y1: middlePx, y2: middlePx }),
    endsLow ? drawTick(from, middlePx, heightPx * 0.28) : drawArrow(from, middlePx, heightPx * 0.22, 1),
    endsHigh ? drawTick(to, middlePx, heightPx * 0.28) : drawArrow(to, middlePx, heightPx * 0.22, -1),
    ...(value === null ? [] : [drawSign('to', symbolDiamond, scale.toPx(value), middlePx, heightPx)]),
  ];
}

/** `○────◆` */
function drawPair(from: number, to: number, { scale, middlePx, heightPx }: MarkBand): readonly SvgNode[] {
  return [
    createSvg('line', { class: 'span', x1: scale.toPx(from), x2: scale.toPx(to), y1: middlePx, y2: middlePx }),
    drawSign('from', symbolCircle, scale.toPx(from), middlePx, heightPx),
    drawSign('to', symbolDiamond, scale.toPx(to), middlePx, heightPx),
  ];
}

/** `●━━━■────|` */
function drawRange(values: readonly (number | null)[], { scale, middlePx, heightPx }: MarkBand): readonly SvgNode[] {
  const [usual, rare, worst] = values.map((value) => (value === null ? null : scale.toPx(value)));
  const line = (look: { class: string }, from: number | null | undefined, to: number | null | undefined): readonly SvgNode[] =>
    from == null || to == null ? [] : [createSvg('line', { ...look, x1: from, x2: to, y1: middlePx, y2: middlePx })];
  return [
    ...line({ class: 'span' }, rare ?? usual, worst),
    ...line({ class: 'span thick' }, usual, rare),
    ...(worst == null ? [] : [drawTick(worst, middlePx, heightPx * 0.32)]),
    ...(rare == null ? [] : [drawSign('rare', symbolSquare, rare, middlePx, heightPx * 0.85)]),
    ...(usual == null ? [] : [drawSign('from', symbolCircle, usual, middlePx, heightPx)]),
  ];
}

/** At least a pixel wide, so that a small value can be seen. */
function drawBar(value: number, { scale, middlePx, heightPx }: MarkBand): readonly SvgNode[] {
  const x = scale.toPx(scale.low);
  const width = value === 0 ? 0 : Math.max(1, scale.toPx(value) - x);
  return [createSvg('rect', { class: 'bar-of', x, y: middlePx - heightPx * 0.28, width, height: heightPx * 0.56 })];
}

function drawTick(x: number, middlePx: number, halfPx: number): SvgNode {
  return createSvg('line', { class: 'end', x1: x, x2: x, y1: middlePx - halfPx, y2: middlePx + halfPx });
}

function drawArrow(x: number, middlePx: number, sizePx: number, towards: 1 | -1): SvgNode {
  const back = Math.round((x + towards * sizePx * 1.6) * 10) / 10;
  const points = [`${back},${tenths(middlePx - sizePx)}`, `${tenths(x)},${tenths(middlePx)}`, `${back},${tenths(middlePx + sizePx)}`];
  return createSvg('path', { class: 'open-end', d: `M${points.join('L')}` });
}

const tenths = (px: number): number => Math.round(px * 10) / 10;

/** The sign of a figure, with its middle at a point; also for a legend. */
export function drawSign(of: string, type: SymbolType, x: number, y: number, heightPx: number): SvgNode {
  const d = symbol(type, (heightPx * 0.36) ** 2)() ?? '';
  return createSvg('path', { class: `sign ${of}`, d, transform: `translate(${tenths(x)},${tenths(y)})` });
}

/** What the signs of a kind of chart mean, each with its sign; none if there is only one sign. */
export function listSigns(
  chart: RowChart,
  headings: readonly string[],
): readonly { readonly text: string; readonly draw: (x: number, y: number, heightPx: number) => SvgNode }[] {
  const textOf = (column: number): string => headings[column] ?? '';
  if (chart.kind === 'pairs')
    return [
      { text: textOf(chart.to), draw: (x, y, height) => drawSign('to', symbolDiamond, x, y, height) },
      { text: textOf(chart.from), draw: (x, y, height) => drawSign('from', symbolCircle, x, y, height) },
    ];
  if (chart.kind === 'ranges')
    return [
      { text: textOf(chart.usual), draw: (x, y, height) => drawSign('from', symbolCircle, x, y, height) },
      { text: textOf(chart.rare), draw: (x, y, height) => drawSign('rare', symbolSquare, x, y, height * 0.85) },
      { text: textOf(chart.worst), draw: (x, y, height) => drawTick(x, y, height * 0.32) },
    ];
  return [];
}
