import type { Observation } from '../capture/checkpoint-columns';
import { type Gap, GAP_KINDS, type GapKind } from '../session/gap';
import { findObservedPieces, sumPieces, type TimeWindow } from './observed-time';

/** The gaps of one kind that touch a window: how many, and how much of it they take; overlapping ones count once. */
export interface GapTally {
  readonly kind: GapKind;
  readonly count: number;
  readonly gapMs: number;
}

/** What the figures of a window rest on. All figures have one, so that none is shown without what was not seen. */
export interface Coverage {
  /** Time of the window that was observed, less its gaps. */
  readonly observedMs: number;
  /** Time of the window inside of gaps. Overlapping gaps count once, so it can be less than the sum over the kinds. */
  readonly gapMs: number;
  /** Time of the window before the first look and after the last; null for a window without bounds. */
  readonly unwatchedMs: number | null;
  /** The gaps that touch the window, by kind, in the order of GAP_KINDS. Empty: nothing is known to be missing. */
  readonly gaps: readonly GapTally[];
}

/** How much of the window was watched, and the gaps in that time. */
export function measureCoverage(window: TimeWindow, observation: Observation): Coverage {
  const watched = cutWindow(window, observation);
  const watchedMs = watched.endUtcMs - watched.beginUtcMs;
  const observedMs = sumPieces(findObservedPieces(window, observation));
  const wholeMs = Math.max(0, window.endUtcMs - window.beginUtcMs);
  return {
    observedMs,
    gapMs: watchedMs - observedMs,
    unwatchedMs: Number.isFinite(wholeMs) ? wholeMs - watchedMs : null,
    gaps: tallyGaps(watched, observation.gaps),
  };
}

/** The gaps that took any of the time that was watched. Every count of gaps counts these. */
export function listGaps(observation: Observation): readonly Gap[] {
  return observation.gaps.filter((gap) => isTouching(gap, observation));
}

function tallyGaps(watched: TimeWindow, gaps: readonly Gap[]): readonly GapTally[] {
  return GAP_KINDS.flatMap((kind) => {
    const mine = gaps.filter((gap) => gap.kind === kind && isTouching(gap, watched));
    if (mine.length === 0) return [];
    const left = sumPieces(findObservedPieces(watched, { ...watched, gaps: mine }));
    return [{ kind, count: mine.length, gapMs: watched.endUtcMs - watched.beginUtcMs - left }];
  });
}

function isTouching(gap: Gap, { beginUtcMs, endUtcMs }: TimeWindow): boolean {
  return gap.beginUtcMs < gap.endUtcMs && gap.beginUtcMs < endUtcMs && gap.endUtcMs > beginUtcMs;
}

function cutWindow(window: TimeWindow, observation: Observation): TimeWindow {
  const beginUtcMs = Math.max(window.beginUtcMs, observation.beginUtcMs);
  return { beginUtcMs, endUtcMs: Math.max(beginUtcMs, Math.min(window.endUtcMs, observation.endUtcMs)) };
}
