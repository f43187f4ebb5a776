/** What was measured of one contender at one size. */
import { findMedian } from '../contest';

const MEASURES = ['firstMs', 'scriptMs', 'cpuMs', 'bytes'] as const;

/** One turn, or the medians of several; null if it was not measured. */
export interface Turn {
  /** Milliseconds from the data in memory to the picture on screen. */
  readonly firstMs: number | null;
  /** Milliseconds of script in the page, for one frame of panning. */
  readonly scriptMs: number | null;
  /** Milliseconds of CPU in all processes of the browser, for one frame of panning. */
  readonly cpuMs: number | null;
  /** Private memory of the renderer, less that of an empty page. */
  readonly bytes: number | null;
  /** Why the turn ended before all was measured. */
  readonly stopped: string | null;
}

export interface Outcome extends Turn {
  /** How many turns gave a picture. */
  readonly turns: number;
}

export const NOTHING: Turn = { firstMs: null, scriptMs: null, cpuMs: null, bytes: null, stopped: null };

/** The medians of the turns. If one was stopped, the outcome says so. */
export function joinTurns(turns: readonly Turn[]): Outcome {
  const medians = MEASURES.map((measure) => {
    const values = turns.flatMap((turn) => turn[measure] ?? []);
    return [measure, values.length > 0 ? findMedian(values) : null] as const;
  });
  return {
    ...NOTHING,
    ...Object.fromEntries(medians),
    stopped: turns.find(({ stopped }) => stopped !== null)?.stopped ?? null,
    turns: turns.filter(({ firstMs }) => firstMs !== null).length,
  };
}
