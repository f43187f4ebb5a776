import type { PixelView } from './pixel-grid';
import type { StripSamples } from './strip-samples';
import { findFirst, pickRank } from '../sorted';

/** What each pixel column of a strip shows of one series. The caller owns it, and it is filled again. */
export interface StripColumns {
  /** The highest value of the samples that touch the column, which is drawn; NaN: none of them could be observed. */
  readonly highest: Float32Array;
  /** The lowest of them. */
  readonly lowest: Float32Array;
  /** How many samples touch the column, including those that could not be observed; 0: nothing was sampled. */
  readonly samples: Uint32Array;
}

/** Empty columns for this many device pixels. */
export function createStripColumns(columns: number): StripColumns {
  return {
    highest: new Float32Array(columns).fill(NaN),
    lowest: new Float32Array(columns).fill(NaN),
    samples: new Uint32Array(columns),
  };
}

/** Fills the columns of a view with one series. It costs by the samples in view. */
export function reduceSamples(
  samples: StripSamples,
  values: Float32Array,
  view: PixelView,
  picture: StripColumns,
): void {
  picture.highest.fill(NaN);
  picture.lowest.fill(NaN);
  picture.samples.fill(0);
  for (let i = findSampleFrom(samples, view.beginUtcMs); i < samples.samples; i++) {
    const begin = samples.beginUtcMs[i]!;
    if (begin >= view.endUtcMs) break;
    const first = Math.floor(columnOf(view, begin));
    const last = Math.max(first, Math.ceil(columnOf(view, samples.endUtcMs[i]!)) - 1);
    for (let column = Math.max(0, first); column <= Math.min(last, view.columns - 1); column++) {
      picture.samples[column]!++;
      const value = values[i]!;
      if (!(value <= picture.highest[column]!))
        picture.highest[column] = Number.isNaN(value) ? picture.highest[column]! : value;
      if (!(value >= picture.lowest[column]!))
        picture.lowest[column] = Number.isNaN(value) ? picture.lowest[column]! : value;
    }
  }
}

/** Multiplies before it divides, so that an edge exactly between two columns gives an exact number. */
const columnOf = (view: PixelView, utcMs: number): number =>
  ((utcMs - view.beginUtcMs) * view.columns) / (view.endUtcMs - view.beginUtcMs);

/** The first sample that ends after a moment; `samples` if there is none. */
export function findSampleFrom({ samples, endUtcMs }: StripSamples, utcMs: number): number {
  return findFirst(0, samples, (sample) => endUtcMs[sample]! > utcMs);
}

/** What is told of a series as a whole. */
export interface SeriesSummary {
  readonly highest: number;
  /** By nearest rank. */
  readonly median: number;
}

/** Highest and median value of a series; null: none of the samples could be observed. */
export function summarizeSeries(values: Float32Array): SeriesSummary | null {
  const seen = values.filter((value) => !Number.isNaN(value)).sort();
  if (seen.length === 0) return null;
  return { highest: pickRank(seen, 100)!, median: pickRank(seen, 50)! };
}
