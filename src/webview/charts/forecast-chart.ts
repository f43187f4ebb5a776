/**
 * The busy share of the checkpoint task now, and its forecast after each wave:
 *
 *      97 %
 *     ██████  ≥ 95 %
 *     ██████  ▔▔▔▔▔▔▔  ≈ 46 %           a likely value is a line within its band
 *     ██████           ▔▔▔▔▔▔▔   6–29 %
 *     ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄▁▁▁▁▁▁▁┄┄┄▔▔▔▔▔▔▔┄ 30 %    up to here the task counts as free
 *      now     wave 1   wave 2   wave 3
 */
import { describeForecast, formatShortRange } from '../../core/pages/forecast-words';
import type { Forecast, ForecastSteps } from '../../core/advice/forecast';
import { countDatabases, formatCount, formatPercent } from '../../core/format';
import { createElement, wrap } from '../kit/elements';
import { type TextMeasure, createTextMeasure } from './chart-texts';
import { drawSvg, createSvg, type SvgNode } from './svg-tree';
import { t } from '../../core/language';

const WIDTH_PX = 372;
/** Share of the page's font size (charts.css). */
const FONT_SHARE = 0.85;
/** Height of 100 %. */
const PLOT_PX = 66;
const WIDEST_BAR_PX = 46;
const GAP_PX = 4;
/** With more waves there is room only for the figures of now and of the last wave. */
const MOST_TOLD = 6;

/** The chart with its heading; it shrinks if there is less room. */
export function createForecastChart(forecast: ForecastSteps): HTMLElement {
  const ofPage = createTextMeasure(document.body);
  const measure: TextMeasure = {
    sizePx: ofPage.sizePx * FONT_SHARE,
    widthPx: (text) => ofPage.widthPx(text) * FONT_SHARE,
  };
  const heading = wrap('figcaption', [
    createElement('strong', { text: t('Checkpoint task busy') }),
    createElement('span.dim', {
      text: t('Forecast (goal: under {0})', formatPercent(forecast.bound)),
    }),
  ]);
  const figure = wrap('figure.forecast', [heading]);
  figure.append(drawSvg(layoutForecast(forecast, WIDTH_PX, measure)));
  return figure;
}

/** A bar or a band with its texts above and below. */
interface Column extends Forecast {
  readonly figure: string;
  readonly name: string;
  readonly count: string;
}

function listColumns({ now, waves }: ForecastSteps): readonly Column[] {
  return [
    { low: 0, high: now, figure: formatPercent(now), name: t('now'), count: '' },
    ...waves.map((one, at) => ({
      ...one,
      figure: one.likely === undefined ? formatShortRange(one) : `≈ ${formatPercent(one.likely)}`,
      name: t('wave {0}', one.wave),
      count: at === 0 ? countDatabases(one.databases) : `+${formatCount(one.databases)}`,
    })),
  ];
}

export function layoutForecast(forecast: ForecastSteps, widthPx: number, measure: TextMeasure): SvgNode {
  const linePx = Math.ceil(measure.sizePx * 1.2);
  const bottomPx = linePx + GAP_PX + PLOT_PX;
  const bound = formatPercent(forecast.bound);
  const rightPx = widthPx - measure.widthPx(bound) - GAP_PX;
  const columns = listColumns(forecast);
  const slotPx = rightPx / columns.length;
  const barPx = Math.min(WIDEST_BAR_PX, slotPx * 0.62);
  const toPx = (share: number): number => bottomPx - Math.min(1, share) * PLOT_PX;
  const middleOf = (at: number): number => slotPx * (at + 0.5);
  const tellsAll = columns.length <= MOST_TOLD + 1;
  const height = bottomPx + linePx * (tellsAll ? 2 : 1) + GAP_PX;
  const place = createTextPlaces(rightPx, linePx, measure);
  const texts = orderByWeight(columns.length).flatMap((at) => {
    const { high, figure, name, count } = columns[at]!;
    const isEnd = at === 0 || at === columns.length - 1;
    const weight = isEnd ? ' heavy' : '';
    return [
      ...(tellsAll || isEnd ? [place(figure, middleOf(at), toPx(high) - GAP_PX, `figure${weight}`)] : []),
      place(name, middleOf(at), bottomPx + linePx * 0.95, `dim-text${weight}`),
      ...(tellsAll ? [place(count, middleOf(at), bottomPx + linePx * 1.95, 'dim-text')] : []),
    ].flat();
  });
  const boundPx = toPx(forecast.bound);
  const attributes = {
    width: widthPx,
    height,
    viewBox: `0 0 ${widthPx} ${height}`,
    class: 'chart',
    role: 'img',
  };
  return createSvg('svg', { ...attributes, 'aria-label': describeForecast(forecast) }, [
    createSvg('line', { class: 'axis', x1: 0, x2: rightPx, y1: bottomPx, y2: bottomPx }),
    ...columns.flatMap((column, at) => drawColumn(column, at === 0, middleOf(at) - barPx / 2, barPx, toPx)),
    createSvg('line', { class: 'reference', x1: 0, x2: rightPx, y1: boundPx, y2: boundPx }),
    createSvg(
      'text',
      { class: 'dim-text', x: widthPx, y: boundPx + measure.sizePx * 0.35, 'text-anchor': 'end' },
      bound,
    ),
    ...texts,
  ]);
}

/**
 * What was measured is a full bar, a forecast is a band between two edges. Each is at least a pixel high, so that a
 * small value can be seen.
 */
function drawColumn(
  column: Column,
  isNow: boolean,
  x: number,
  width: number,
  toPx: (share: number) => number,
): readonly SvgNode[] {
  const { low, high, likely } = column;
  const [y, under] = [toPx(high), toPx(low)];
  const area = createSvg('rect', {
    class: isNow ? 'now' : 'band',
    x,
    y,
    width,
    height: Math.max(1, under - y),
  });
  const lines = [y, under].concat(likely === undefined ? [] : toPx(likely));
  const edges = lines.map((edge) =>
    createSvg('line', { class: 'edge', x1: x, x2: x + width, y1: edge, y2: edge }),
  );
  return isNow ? [area] : [area, ...edges];
}

/** Now and the last wave first: if there is no room for all texts, theirs stay. */
function orderByWeight(columns: number): readonly number[] {
  const between = Array.from({ length: Math.max(0, columns - 2) }, (_, at) => at + 1);
  return columns < 2 ? [0] : [0, columns - 1, ...between];
}

/** Places texts around their middle. Leaves out a text that would overlap another. */
function createTextPlaces(rightPx: number, linePx: number, measure: TextMeasure) {
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  return (text: string, middlePx: number, y: number, name: string): readonly SvgNode[] => {
    if (text === '') return [];
    const half = measure.widthPx(text) / 2;
    const x = Math.max(half, Math.min(rightPx - half, middlePx));
    const [left, right] = [x - half, x + half];
    if (
      taken.some(
        (other) => other.left < right + 2 && left < other.right + 2 && Math.abs(other.y - y) < linePx,
      )
    )
      return [];
    taken.push({ left, right, y });
    return [createSvg('text', { class: name, x, y, 'text-anchor': 'middle' }, text)];
  };
}
