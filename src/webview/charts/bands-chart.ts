/**
 * Lays out a line over time and the bands that it should stay in. Each band begins at the moment of its row; a band without a moment is still to come:
 *
 *     Seen: line. Forecast: band
 *              Wave 1     Wave 2 · +25       Wave 3 · +25
 *     100 % ┼──│▒▒▒▒▒▒▒▒▒▒│                  ┊
 *           ╱╲╱│╲╱╲╱╲╱╲╱╲╱│▒╲▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┊
 *      50 % ┼──│──────────│▒▒╲╱╲▒╱╲▒╱╲▒╱╲▒▒▒▒┊▔▔▔▔  22–78 %
 *       0 % ┼──┴──────────┴──────────────────┊
 *           2 Mar         9 Mar            now
 */
import { isDrawn, nameRow } from '../../core/pages/chart-text';
import type { BandsChart } from '../../core/pages/evidence-chart';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { frameChart, createChartMark, type ChartPlot, drawEdgedBand, drawTickTexts, drawUpAxis } from './chart-frame';
import { createFigureScale } from './figure-scale';
import type { ChartInput } from './row-chart';
import { createSvg, type SvgNode } from './svg-tree';
import { t } from '../../core/language';

/** Share of the width for each band that is still to come, and for all of these. */
const TO_COME = 0.07;
const MOST_TO_COME = 0.28;
const PLOT_LINES = 8;
const EDGE_PX = 12;
const DASH_PX = 6;

interface Band {
  readonly row: KeyedRow;
  readonly low: number;
  readonly high: number;
  readonly fromPx: number;
  readonly toPx: number;
  readonly isToCome: boolean;
}

interface BandsPlot extends ChartPlot {
  /** Where now is; to its right lies what is still to come. */
  readonly nowPx: number;
}

export function layoutBandsChart(input: ChartInput<BandsChart>): SvgNode {
  const { chart, columns, widthPx } = input;
  const rows = input.rows.filter((row) => isDrawn(chart, row));
  const begun = rows.filter((row) => momentOf(chart, row) !== null).sort((a, b) => momentOf(chart, a)! - momentOf(chart, b)!);
  const toCome = rows.filter((row) => momentOf(chart, row) === null);
  const plot = createPlot(input, begun, toCome.length);
  const bands = placeBands(chart, begun, toCome, plot);
  const heightPx = plot.bottomPx + plot.linePx * 1.4;
  const boxOf = ({ fromPx, toPx }: Band) => {
    return { x: fromPx, y: plot.topPx, width: Math.max(1, toPx - fromPx), height: plot.bottomPx - plot.topPx };
  };
  return frameChart({
    chart,
    widthPx,
    heightPx,
    marks: bands.map((band) => createChartMark(chart, columns, band.row, boxOf(band))),
    drawn: [
      ...drawAxes(input, plot),
      ...bands.flatMap((band) => drawBand(band, plot)),
      createSvg('path', { class: 'seen', d: drawLine(chart, plot) }),
      ...nameBands(input, bands, plot),
      createSvg('line', { class: 'reference', x1: plot.nowPx, x2: plot.nowPx, y1: plot.topPx, y2: plot.bottomPx }),
    ],
  });
}

/** A moment lies where the table's clock shows it. */
function momentOf({ from }: BandsChart, { cells }: KeyedRow): number | null {
  const cell = cells[from];
  return cell === undefined || cell.value === null ? null : (cell.localMs ?? cell.value);
}

function createPlot({ chart, measure, widthPx }: ChartInput<BandsChart>, begun: readonly KeyedRow[], toCome: number): BandsPlot {
  const linePx = Math.ceil(measure.sizePx * 1.45);
  const [topPx, bottomPx] = [linePx * 2.4, linePx * (2.4 + PLOT_LINES)];
  const up = createFigureScale({ unit: chart.unit, scale: 'linear', values: [1], fromPx: bottomPx, toPx: topPx, ticks: 2 });
  const leftPx = Math.ceil(Math.max(0, ...up.ticks.map(({ text }) => measure.widthPx(text))) + EDGE_PX);
  const rightPx = widthPx - EDGE_PX;
  const nowPx = rightPx - (rightPx - leftPx) * Math.min(MOST_TO_COME, TO_COME * toCome);
  const first = [...begun.map((row) => momentOf(chart, row)!), ...chart.line.slice(0, 1).map(({ localMs }) => localMs)];
  const ticks = Math.max(2, Math.floor((nowPx - leftPx) / (measure.sizePx * 7)));
  const values = [Math.min(chart.end.localMs - 60_000, ...first), chart.end.localMs];
  const across = createFigureScale({ unit: 'moment', scale: 'linear', values, fromPx: leftPx, toPx: nowPx, ticks });
  return { across, up, leftPx, nowPx, rightPx, topPx, bottomPx, linePx };
}

function placeBands(chart: BandsChart, begun: readonly KeyedRow[], toCome: readonly KeyedRow[], plot: BandsPlot): readonly Band[] {
  const { across, nowPx, rightPx } = plot;
  const begins = begun.map((row) => across.toPx(momentOf(chart, row)!));
  const slotPx = (rightPx - nowPx) / Math.max(1, toCome.length);
  const rangeOf = ({ cells }: KeyedRow): { low: number; high: number } => {
    const { low = 0, high = 1 } = cells[chart.band]?.interval ?? {};
    return { low, high: high ?? 1 };
  };
  return [
    ...begun.map((row, at): Band => ({ row, ...rangeOf(row), fromPx: begins[at]!, toPx: begins[at + 1] ?? nowPx, isToCome: false })),
    ...toCome.map((row, at): Band => {
      const fromPx = nowPx + slotPx * at;
      return { row, ...rangeOf(row), fromPx, toPx: fromPx + slotPx, isToCome: true };
    }),
  ];
}

function drawBand({ low, high, fromPx, toPx, isToCome }: Band, { up, topPx, bottomPx }: ChartPlot): readonly SvgNode[] {
  return [
    ...drawEdgedBand(fromPx, Math.max(1, toPx - fromPx), up.toPx(high), up.toPx(low)),
    createSvg('line', { class: isToCome ? 'reference' : 'axis', x1: fromPx, x2: fromPx, y1: topPx - 4, y2: bottomPx }),
  ];
}

/** In pieces: there is no line where nothing was observed. A value without neighbours is a dash. */
function drawLine({ line }: BandsChart, { across, up }: ChartPlot): string {
  const isSeen = (at: number): boolean => typeof line[at]?.value === 'number';
  return line
    .flatMap(({ localMs, value }, at) => {
      if (value === null) return [];
      const [x, y] = [across.toPx(localMs), up.toPx(value).toFixed(1)];
      if (isSeen(at - 1)) return [`L${x.toFixed(1)} ${y}`];
      return [isSeen(at + 1) ? `M${x.toFixed(1)} ${y}` : `M${(x - DASH_PX / 2).toFixed(1)} ${y}h${DASH_PX}`];
    })
    .join('');
}

/** From left to right. Leaves out a name that would overlap the one before: its mark and the table still have it. */
function nameBands(
  { chart, measure }: ChartInput<BandsChart>,
  bands: readonly Band[],
  { topPx, leftPx, rightPx }: ChartPlot,
): readonly SvgNode[] {
  let endPx = leftPx;
  return bands.flatMap(({ row, fromPx }) => {
    const text = nameRow(chart, row);
    const x = Math.min(fromPx + 4, rightPx - measure.widthPx(text));
    if (x < endPx) return [];
    endPx = x + measure.widthPx(text) + measure.sizePx;
    return [createSvg('text', { class: 'name', x, y: topPx - measure.sizePx * 0.5 }, text)];
  });
}

function drawAxes({ chart, measure, widthPx }: ChartInput<BandsChart>, plot: BandsPlot): readonly SvgNode[] {
  const { across, nowPx, bottomPx, linePx } = plot;
  const ticks = [...across.ticks.filter(({ px }) => px < nowPx - measure.sizePx * 3), { text: t('now'), px: nowPx }];
  return [...drawUpAxis(chart.axis, plot, widthPx, measure), ...drawTickTexts(ticks, widthPx, bottomPx + linePx, measure)];
}
