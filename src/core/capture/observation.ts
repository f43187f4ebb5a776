import type { Gap, Observation } from './checkpoint-columns';

/** The observation stretched so that it covers the interval too; what lies between the two is not a gap unless one is added. */
export function extendObservation(observation: Observation | null, beginUtcMs: number, endUtcMs: number): Observation {
  if (observation === null) return { beginUtcMs, endUtcMs, gaps: [] };
  return {
    beginUtcMs: Math.min(observation.beginUtcMs, beginUtcMs),
    endUtcMs: Math.max(observation.endUtcMs, endUtcMs),
    gaps: observation.gaps,
  };
}

/** The gaps in order of time with the new one among them. Each keeps its own reason, so overlapping ones are not merged here. */
export function insertGap(gaps: readonly Gap[], gap: Gap): readonly Gap[] {
  return [...gaps, gap].sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs);
}
