/** Ticks of an axis in the usual steps of its unit, and their texts. */
import { ticks as listTicks } from 'd3-array';
import { scaleUtc } from 'd3-scale';
import { utcFormat } from 'd3-time-format';
import { formatCount, formatPercent, formatShort } from '../../core/format';
import { fillText, t } from '../../core/language';
import type { ChartUnit } from '../../core/pages/evidence-chart';
import { formatBytes } from '../../core/pages/write-tables';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const DURATIONS_MS: readonly number[] = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * DAY_MS),
];
const DECADES_MS: readonly number[] = [
  ...[0.1, 1, 10, 100, SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 10 * HOUR_MS, 4 * DAY_MS, 40 * DAY_MS],
];
const KILO = 1024;
const POWERS: readonly number[] = [0, 1, 2, 3, 4, 5];
const BYTES: readonly number[] = POWERS.flatMap((power) => [1, 2, 5, 10, 20, 50, 100, 200, 500].map((step) => step * KILO ** power));

/** Ticks of an axis from `low` to `high`, about `count` of them. */
export function listAxisTicks(unit: ChartUnit, scale: 'linear' | 'log', low: number, high: number, count: number): readonly number[] {
  if (unit === 'moment') return scaleUtc([low, high], [0, 1]).ticks(count).map(Number);
  if (scale === 'log') return listLogTicks(unit, low, high, count);
  const steps = unit === 'ms' ? DURATIONS_MS : unit === 'bytes' ? BYTES : null;
  if (steps === null) return listTicks(low, high, count);
  const step = steps.find((size) => (high - low) / size <= count) ?? (high - low) / count;
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => (Math.ceil(low / step) + i) * step);
}

/** As fine as there is room for: all steps, powers of ten, every other power of ten, and so on. */
function listLogTicks(unit: ChartUnit, low: number, high: number, count: number): readonly number[] {
  const inside = (values: readonly number[]): readonly number[] => values.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  const own = LOG_STEPS[unit === 'ms' || unit === 'ratio' || unit === 'bytes' ? unit : 'count'].map(inside);
  // Outside of the usual steps of a unit there are still powers of ten.
  const levels = own.some((ticks) => ticks.length > 0) ? own : [listDecades([1, 2, 5]), listDecades([1])].map(inside);
  const fitting = levels.find((ticks) => ticks.length > 1 && ticks.length <= count);
  if (fitting) return fitting;
  const coarse =
    levels
      .slice()
      .reverse()
      .find((ticks) => ticks.length > 0) ?? [];
  const every = Math.max(1, Math.ceil(coarse.length / Math.max(1, count)));
  return coarse.filter((_, i) => i % every === 0);
}

const listDecades = (steps: readonly number[]): readonly number[] =>
  Array.from({ length: 19 }, (_, i) => i - 6).flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));

/** From the finest steps to the coarsest. */
const LOG_STEPS = {
  ms: [DURATIONS_MS, DECADES_MS, [1, SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]],
  bytes: [BYTES, POWERS.map((power) => KILO ** power)],
  ratio: [
    [0.1, 0.2, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 3, 4, 5, 10],
    [0.1, 0.2, 0.5, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10],
    [0.1, 0.2, 0.5, 1, 2, 5, 10],
  ],
  count: [],
} as const;

const withSeconds = utcFormat('%H:%M:%S');
const withMinutes = utcFormat('%H:%M');
const DAY = t({ message: '{0}-{1}', comment: ['A day without its year: month, day'] });
const MONTH = t({ message: '{0}-{1}', comment: ['A month: year, month'] });

/** The text of a tick; a moment by the clock of its value. @param spanMs of moments: from the first tick to the last */
export function formatTick(unit: ChartUnit, value: number, spanMs = 0): string {
  switch (unit) {
    case 'ms':
      return formatShortDuration(value);
    case 'ratio':
      return `${formatShort(value)} ×`;
    case 'bytes':
      return formatBytes(value).replace(/[.,]0 /, ' ');
    case 'share':
      return formatPercent(value);
    case 'count':
      return value >= 1000 ? formatCount(value) : formatShort(value);
    case 'gigabytes':
      return `${formatCount(value)} GB`;
    case 'moment':
      return formatMoment(value, spanMs);
  }
}

/** The day at midnight, else the time; months if there are many days. */
function formatMoment(value: number, spanMs: number): string {
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
  const [sizeMs, text] = UNITS.find(([size]) => durationMs >= size && Number.isInteger(durationMs / size)) ?? [1, '{0} ms'];
  return fillText(text, formatShort(durationMs / sizeMs));
}
