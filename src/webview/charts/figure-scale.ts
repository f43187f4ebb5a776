/** From figures to pixels along one axis, with its ticks. */
import { scaleLinear, scaleLog } from 'd3-scale';
import type { ChartUnit } from '../../core/pages/evidence-chart';
import { formatTick, listAxisTicks } from './chart-ticks';

export interface FigureScale {
  /** Values outside of the axis are placed at its edge. */
  toPx(value: number): number;
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly { readonly px: number; readonly text: string }[];
}

interface ScaleInput {
  readonly unit: ChartUnit;
  readonly scale: 'linear' | 'log';
  /** All values that the axis should hold. */
  readonly values: readonly number[];
  readonly fromPx: number;
  readonly toPx: number;
  /** How many ticks there is room for. */
  readonly ticks: number;
}

/** The server's clock counts milliseconds: a duration of 0 may have been up to 1 ms. */
const LEAST_MS = 1;
/** Values this many times smaller than the largest do not stretch a logarithmic axis: they lie at its edge. */
const LONGEST_LOG = 1e10;

export function createFigureScale(input: ScaleInput): FigureScale {
  const { unit, scale, fromPx, toPx } = input;
  const [low, high] = unit === 'moment' ? spanMoments(input.values) : scale === 'log' ? spanLog(input) : spanLinear(input);
  const map = (scale === 'log' && unit !== 'moment' ? scaleLog : scaleLinear)([low, high], [fromPx, toPx]);
  const ticks = listAxisTicks(unit, scale, low, high, input.ticks);
  const isCut = scale === 'log' && input.values.some((value) => value < low);
  return {
    toPx: (value) => map(Math.max(low, Math.min(high, value))),
    low,
    high,
    ticks: ticks.map((value, i) => ({
      px: map(value),
      text: `${isCut && i === 0 && value <= low * 1.001 ? '≤ ' : ''}${formatTick(unit, value, high - low)}`,
    })),
  };
}

/** From 0 to the first tick at or above the largest value. */
function spanLinear({ unit, values, ticks }: ScaleInput): readonly [number, number] {
  const largest = Math.max(0, ...values);
  if (largest === 0) return [0, 1];
  const [first = 0, second = largest] = listAxisTicks(unit, 'linear', 0, largest, ticks);
  const step = second - first;
  return [0, Math.ceil(largest / step - 1e-9) * step];
}

/** From a little below the smallest value to a little above the largest; the axis of a ratio always shows both sides of 1. */
function spanLog({ unit, values }: ScaleInput): readonly [number, number] {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value)).sort((a, b) => a - b);
  const [smallest = 1] = positive;
  const least = unit === 'ms' ? Math.max(LEAST_MS, smallest) : smallest;
  const largest = positive[positive.length - 1] ?? least;
  const low = Math.max(least, largest / LONGEST_LOG);
  if (unit === 'ratio') return [Math.min(low / 1.1, 0.5), Math.max(largest * 1.1, 2)];
  if (unit === 'count') return [Math.min(1, low), Math.max(largest * 1.1, 10)];
  const isAtLeast = values.some((value) => value < low) || low === LEAST_MS;
  return [isAtLeast ? low : low / 1.25, Math.max(largest * 1.15, low * 10)];
}

function spanMoments(values: readonly number[]): readonly [number, number] {
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(30_000, (last - first) * 0.02);
  return Number.isFinite(first) ? [first - margin, last + margin] : [0, 1];
}
