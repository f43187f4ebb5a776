import type { Plan, PlanStep } from '../advice/plan';

/** What one script contains: a wave that has a script of its own, or all of them. */
export interface SwitchPart {
  /** null: all waves. */
  readonly wave: number | null;
  readonly waves: number;
  /** What it changes, in order of waves. */
  readonly steps: readonly PlanStep[];
  /** What the script before it changed, for a look at it; that one looked at the one before. */
  readonly earlier: readonly PlanStep[];
  /** Minutes between two waves of it, or of looking before its own; 0: none. */
  readonly pauseMinutes: number;
  readonly stopAboveWriteMs: number | null;
}

/** Before the script of a later wave begins, it looks at the earlier ones for so long: a minute tells a latency. */
const lookMinutes = 1;
/** WAITFOR waits 24 hours at most (Microsoft Learn, "WAITFOR"). */
const mostPauseMinutes = 24 * 60 - 1;

/** The parts of a plan in the order in which they are run. */
export function listParts({ steps, waves }: Plan): readonly SwitchPart[] {
  const count = steps[steps.length - 1]?.wave ?? 0;
  const { pauseMinutes, stopAboveWriteMs } = waves;
  const limit = count > 1 && stopAboveWriteMs !== null && Number.isFinite(stopAboveWriteMs) ? stopAboveWriteMs : null;
  const all = { wave: null, waves: count, steps, earlier: [], stopAboveWriteMs: limit };
  if (count <= 1) return [{ ...all, pauseMinutes: 0 }];
  if (pauseMinutes !== null) {
    const minutes = Math.round(Number.isFinite(pauseMinutes) ? pauseMinutes : lookMinutes);
    return [{ ...all, pauseMinutes: Math.min(mostPauseMinutes, Math.max(1, minutes)) }];
  }
  return Array.from({ length: count }, (_, at) => ({
    wave: at + 1,
    waves: count,
    steps: steps.filter((step) => step.wave === at + 1),
    earlier: steps.filter((step) => step.wave === at),
    pauseMinutes: at > 0 && limit !== null ? lookMinutes : 0,
    stopAboveWriteMs: at > 0 ? limit : null,
  }));
}
