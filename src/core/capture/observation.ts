import type { CapturePlainState } from './capture-state';
import type { CapturedDatabase, Observation } from './checkpoint-columns';
import type { Gap, GapKind } from '../session/gap';
import { listUnrecorded } from './unrecorded';

/**
 * Gaps of these kinds spoil every pair that touches them, not only pairs around them. Single events are missing within, or the clock went through
 * that time twice, so a begin and an end may be of two checkpoints even if one of them lies inside. Gaps of other kinds hold all
 * events up to some moment and none after it.
 */
export const SPOILT_THROUGHOUT: ReadonlySet<GapKind> = new Set([
  'events lost',
  'clock moved back',
  'damaged file',
  'databases changed',
  'ring buffer overwritten',
]);

/**
 * After a gap of these kinds another run of the session recorded. It ends when that run began; what was read last before it may be older than the last event
 * of the earlier run. So a begin inside the gap and an end after it are of two runs.
 */
const ENDED_BY_A_NEW_RUN: ReadonlySet<GapKind> = new Set([
  'session stopped',
  'session dropped',
  'session replaced',
  'server restarted',
  'failover',
]);

/** What a capture watched, and the gaps in it. */
export class ObservationLog {
  private interval: { readonly beginUtcMs: number; readonly endUtcMs: number } | null = null;
  private sorted: readonly Gap[] = [];

  /** In order of time. Gaps may overlap; each keeps its own reason. */
  get gaps(): readonly Gap[] {
    return this.sorted;
  }

  /** null until something was observed. @param databases of the capture, by index */
  describe(databases: readonly CapturedDatabase[]): Observation | null {
    const { interval, gaps } = this;
    if (interval === null) return null;
    const unrecorded = listUnrecorded(databases, interval, gaps);
    return { ...interval, gaps, ...(unrecorded.length === 0 ? {} : { unrecorded }) };
  }

  keep(): Pick<CapturePlainState, 'observed' | 'gaps' | 'openGaps'> {
    return { observed: this.interval, gaps: this.sorted, openGaps: [] };
  }

  /** Restores what `keep` gave, into an empty log. */
  restore({ observed, gaps }: Pick<CapturePlainState, 'observed' | 'gaps'>): void {
    this.interval = observed;
    this.sorted = gaps;
  }

  /** Extends the interval. Time between two stretches is a gap only if one is added. */
  extend(beginUtcMs: number, endUtcMs: number): void {
    const { interval } = this;
    this.interval = {
      beginUtcMs: Math.min(interval?.beginUtcMs ?? beginUtcMs, beginUtcMs),
      endUtcMs: Math.max(interval?.endUtcMs ?? endUtcMs, endUtcMs),
    };
  }

  /** Adds a gap. Gaps of one kind and begin, or of one reason that touch, become one: what lasts or repeats is found at every look. */
  addGap(gap: Gap): void {
    const isSame = (other: Gap): boolean =>
      other.kind === gap.kind &&
      (other.beginUtcMs === gap.beginUtcMs ||
        (other.reason === gap.reason && other.beginUtcMs <= gap.endUtcMs && gap.beginUtcMs <= other.endUtcMs));
    const same = this.sorted.filter(isSame);
    const beginUtcMs = Math.min(gap.beginUtcMs, ...same.map((other) => other.beginUtcMs));
    const endUtcMs = Math.max(gap.endUtcMs, ...same.map((other) => other.endUtcMs));
    const told = [...same, gap].flatMap(({ databases }) => (databases === undefined ? [] : [databases]));
    const [first, last] = [told[0], told[told.length - 1]];
    const databases = first && last ? { databases: { before: first.before, after: last.after } } : {};
    this.sorted = sortGaps([...this.sorted.filter((other) => !isSame(other)), { ...gap, ...databases, beginUtcMs, endUtcMs }]);
  }

  /** Takes a gap back: the events were read after all. */
  removeGap(kind: GapKind, beginUtcMs: number): void {
    this.sorted = this.sorted.filter((gap) => gap.kind !== kind || gap.beginUtcMs !== beginUtcMs);
  }

  /** Whether events between the two times may be missing, so that a begin and an end there are no pair. */
  isInterrupted(beginUtcMs: number, endUtcMs: number): boolean {
    return this.sorted.some(({ kind, beginUtcMs: from, endUtcMs: to }) => {
      if (from >= to) return false;
      if (SPOILT_THROUGHOUT.has(kind)) return beginUtcMs <= to && from <= endUtcMs;
      return to <= endUtcMs && (beginUtcMs <= from || (ENDED_BY_A_NEW_RUN.has(kind) && beginUtcMs < to));
    });
  }
}

function sortGaps(gaps: Gap[]): readonly Gap[] {
  return gaps.sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs);
}
