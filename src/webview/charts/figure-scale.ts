/** From figures to pixels along one axis of durations or of moments, with ticks in the usual steps. */
import { scaleLinear, scaleLog, scaleUtc } from 'd3-scale';
import { utcFormat } from 'd3-time-format';
import { formatShort } from '../../core/format';
import { fillText, t } from '../../core/language';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time';

export interface FigureScale {
  /** Values outside of the axis are placed at its edge. */
  toPx(value: number): number;
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly { readonly px: number; readonly text: string }[];
}

interface ScaleInput {
  readonly values: readonly number[];
  readonly fromPx: number;
  readonly toPx: number;
  readonly ticks: number;
}

/** The server's clock counts milliseconds: a duration of 0 may have been up to 1 ms. */
const LEAST_MS = 1;

/** Logarithmic, from a little below the smallest duration to a little above the largest. */
export function createDurationScale({ values, fromPx, toPx, ticks }: ScaleInput): FigureScale {
  const least = Math.max(LEAST_MS, Math.min(...values.filter((value) => value > 0)));
  const smallest = Number.isFinite(least) ? least : LEAST_MS;
  const low = smallest === LEAST_MS ? smallest : smallest / 1.25;
  const high = Math.max(Math.max(...values) * 1.15, smallest * 10);
  const map = scaleLog([low, high], [fromPx, toPx]);
  const isCut = values.some((value) => value < low);
  const texts = listDurationTicks(low, high, ticks).map((value, at) => ({
    px: map(value),
    text: `${isCut && at === 0 && value <= low * 1.001 ? '≤ ' : ''}${formatShortDuration(value)}`,
  }));
  return { toPx: (value) => map(Math.max(low, Math.min(high, value))), low, high, ticks: texts };
}

/** Linear, with a little room before the first moment and after the last. */
export function createMomentScale({ values, fromPx, toPx, ticks }: ScaleInput): FigureScale {
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(30_000, (last - first) * 0.02);
  const [low, high] = [first - margin, last + margin];
  const map = scaleLinear([low, high], [fromPx, toPx]);
  const texts = scaleUtc([low, high], [0, 1])
    .ticks(ticks)
    .map((at) => ({ px: map(at), text: formatTickMoment(Number(at), high - low) }));
  return { toPx: map, low, high, ticks: texts };
}

/** From the finest steps to the coarsest. */
const LEVELS_MS: readonly (readonly number[])[] = [
  [
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
    ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND_MS),
    ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
    ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS),
    ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * DAY_MS),
  ],
  [
    1,
    10,
    100,
    SECOND_MS,
    10 * SECOND_MS,
    MINUTE_MS,
    10 * MINUTE_MS,
    HOUR_MS,
    10 * HOUR_MS,
    4 * DAY_MS,
    40 * DAY_MS,
  ],
  [1, SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS],
];

/** Ticks of a logarithmic axis, as fine as there is room for `count` of them. */
function listDurationTicks(lowMs: number, highMs: number, count: number): readonly number[] {
  const levels = LEVELS_MS.map((values) =>
    values.filter((value) => value >= lowMs * 0.999 && value <= highMs * 1.001),
  );
  const coarse = levels.filter((ticks) => ticks.length > 0).pop() ?? [];
  const fitting = levels.find((ticks) => ticks.length > 1 && ticks.length <= count);
  return fitting ?? coarse.filter((_, at) => at % Math.ceil(coarse.length / count) === 0);
}

const withSeconds = utcFormat('%H:%M:%S');
const withMinutes = utcFormat('%H:%M');
const DAY = t({ message: '{0}-{1}', comment: ['A day without its year: month, day'] });
const MONTH = t({ message: '{0}-{1}', comment: ['A month: year, month'] });

/**
 * By the clock of the value: the day at midnight, else the time; months if there are many days.
 * @param spanMs from the first tick to the last
 */
function formatTickMoment(value: number, spanMs: number): string {
  const at = new Date(value);
  const [year = '', month = '', day = ''] = at.toISOString().slice(0, 10).split('-');
  if (spanMs > 200 * DAY_MS) return fillText(MONTH, year, month);
  if (value % DAY_MS === 0 && spanMs > DAY_MS / 2) return fillText(DAY, month, day);
  return spanMs < 10 * MINUTE_MS ? withSeconds(at) : withMinutes(at);
}

/** The same texts as of durations in sentences. */
const UNITS: readonly (readonly [sizeMs: number, text: string])[] = [
  [DAY_MS, t('{0} d')],
  [HOUR_MS, t('{0} h')],
  [MINUTE_MS, t('{0} min')],
  [SECOND_MS, '{0} s'],
  [1, '{0} ms'],
];

/** `500 ms`, `10 s`, `1 min`: in the largest unit that leaves no fraction. */
function formatShortDuration(durationMs: number): string {
  const [sizeMs, text] = UNITS.find(
    ([size]) => durationMs >= size && Number.isInteger(durationMs / size),
  ) ?? [1, '{0} ms'];
  return fillText(text, formatShort(durationMs / sizeMs));
}
