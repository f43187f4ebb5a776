/** What was measured of one contender at one size. */
import { findMedian } from '../contest';

/** One turn, or the medians of several. */
export interface Turn {
  /** Milliseconds from the data in memory to the picture on screen. */
  readonly firstMs: number;
  /** Milliseconds of script in the page, for one frame of panning. */
  readonly scriptMs: number;
  /** Milliseconds of CPU in all processes of the browser, for one frame of panning. */
  readonly cpuMs: number;
  /** Private memory of the renderer, less that of an empty page; null if the system does not tell. */
  readonly bytes: number | null;
}

export interface Outcome extends Turn {
  readonly turns: number;
}

/** The medians of the turns. */
export function joinTurns(turns: readonly Turn[]): Outcome {
  const median = (measure: keyof Turn): number => findMedian(turns.flatMap((turn) => turn[measure] ?? []));
  const bytes = turns.some((turn) => turn.bytes === null) ? null : median('bytes');
  return {
    firstMs: median('firstMs'),
    scriptMs: median('scriptMs'),
    cpuMs: median('cpuMs'),
    bytes,
    turns: turns.length,
  };
}
