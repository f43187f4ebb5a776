import type { CapturePlainState } from './capture-state';
import type { CapturedDatabase, Observation } from './checkpoint-columns';
import type { Gap, GapKind } from '../session/gap';
import { listUnrecorded } from './unrecorded';

/**
 * Kinds of which a pair is spoilt by touching the gap, not only by lying around it: single events are missing from its midst, or its time was gone
 * through twice, so that a begin and an end may be of two checkpoints even where one of them lies within it. Of the other kinds everything that was
 * recorded up to some moment in the gap is there, and nothing behind it.
 */
export const SPOILT_THROUGHOUT: ReadonlySet<GapKind> = new Set([
  'events lost',
  'clock moved back',
  'damaged file',
  'databases changed',
  'ring buffer overwritten',
]);

/** What a capture watched, and the gaps in it. */
export class ObservationLog {
  private interval: { readonly beginUtcMs: number; readonly endUtcMs: number } | null = null;
  private sorted: readonly Gap[] = [];

  /** In order of time. Gaps may overlap: each keeps its own reason. */
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

  /** Takes back what `keep` gave, into an empty log. */
  restore({ observed, gaps }: Pick<CapturePlainState, 'observed' | 'gaps'>): void {
    this.interval = observed;
    this.sorted = gaps;
  }

  /** Stretches the interval; time between two stretches is a gap only where one is added. */
  extend(beginUtcMs: number, endUtcMs: number): void {
    const { interval } = this;
    this.interval = {
      beginUtcMs: Math.min(interval?.beginUtcMs ?? beginUtcMs, beginUtcMs),
      endUtcMs: Math.max(interval?.endUtcMs ?? endUtcMs, endUtcMs),
    };
  }

  /** Of one kind and one begin, or of one reason and touching each other, there is one gap: what lasts, or happens again and again, is told at every look. */
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

  /** Takes a gap back: what seemed to be missing has been read after all. */
  removeGap(kind: GapKind, beginUtcMs: number): void {
    this.sorted = this.sorted.filter((gap) => gap.kind !== kind || gap.beginUtcMs !== beginUtcMs);
  }

  /** Whether events between the two times may be missing, so that what stands there is no pair. */
  isInterrupted(beginUtcMs: number, endUtcMs: number): boolean {
    return this.sorted.some(({ kind, beginUtcMs: from, endUtcMs: to }) => {
      if (from >= to) return false;
      return SPOILT_THROUGHOUT.has(kind) ? beginUtcMs <= to && from <= endUtcMs : beginUtcMs <= from && to <= endUtcMs;
    });
  }
}

function sortGaps(gaps: Gap[]): readonly Gap[] {
  return gaps.sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs);
}
