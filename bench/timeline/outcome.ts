/** What was measured of one contender at one size. */
import { findMedian } from '../contest';

const MEASURES = ['firstMs', 'scriptMs', 'cpuMs', 'bytes'] as const;

/** Of one turn, or medians of several; null where it was not measured. */
export interface Turn {
  /** From data in hand to its picture on screen. */
  readonly firstMs: number | null;
  /** Of one frame of panning: script in the page. */
  readonly scriptMs: number | null;
  /** Of one frame of panning: CPU time of all processes of the browser. */
  readonly cpuMs: number | null;
  /** Private memory of the renderer above that of an empty page. */
  readonly bytes: number | null;
  /** Why it ended before all was measured. */
  readonly stopped: string | null;
}

export interface Outcome extends Turn {
  /** How many gave a picture. */
  readonly turns: number;
}

export const NOTHING: Turn = { firstMs: null, scriptMs: null, cpuMs: null, bytes: null, stopped: null };

/** Medians of what the turns measured. One that was stopped says so for all. */
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
