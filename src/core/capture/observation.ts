import type { CapturePlainState } from './capture-state';
import type { CapturedDatabase, Observation } from './checkpoint-columns';
import type { Gap, GapKind } from '../session/gap';
import { listUnrecorded } from './unrecorded';

/** A gap whose end is not known before the first event behind it is. */
interface OpenGap {
  readonly kind: GapKind;
  readonly beginUtcMs: number;
  readonly reason: string;
  /** The earliest event behind the gap so far. */
  firstBehindUtcMs: number;
}

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
  private closed: readonly Gap[] = [];
  private opened: readonly OpenGap[] = [];

  /** In order of time. Gaps may overlap: each keeps its own reason. */
  get gaps(): readonly Gap[] {
    if (this.opened.length === 0) return this.closed;
    return sortGaps([...this.closed, ...this.opened.map((gap) => closeGap(gap, this.interval?.endUtcMs ?? gap.beginUtcMs))]);
  }

  /** null until something was observed. @param databases of the capture, by index */
  describe(databases: readonly CapturedDatabase[]): Observation | null {
    const { interval, gaps } = this;
    if (interval === null) return null;
    const unrecorded = listUnrecorded(databases, interval, gaps);
    return { ...interval, gaps, ...(unrecorded.length === 0 ? {} : { unrecorded }) };
  }

  keep(): Pick<CapturePlainState, 'observed' | 'gaps' | 'openGaps'> {
    const openGaps = this.opened.map((gap) => {
      return { ...gap, firstBehindUtcMs: gap.firstBehindUtcMs === Infinity ? null : gap.firstBehindUtcMs };
    });
    return { observed: this.interval, gaps: this.closed, openGaps };
  }

  /** Takes back what `keep` gave, into an empty log. */
  restore({ observed, gaps, openGaps }: Pick<CapturePlainState, 'observed' | 'gaps' | 'openGaps'>): void {
    this.interval = observed;
    this.closed = gaps;
    this.opened = openGaps.map((gap) => ({ ...gap, firstBehindUtcMs: gap.firstBehindUtcMs ?? Infinity }));
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
    const same = this.closed.filter(isSame);
    const beginUtcMs = Math.min(gap.beginUtcMs, ...same.map((other) => other.beginUtcMs));
    const endUtcMs = Math.max(gap.endUtcMs, ...same.map((other) => other.endUtcMs));
    const told = [...same, gap].flatMap(({ databases }) => (databases === undefined ? [] : [databases]));
    const [first, last] = [told[0], told[told.length - 1]];
    const databases = first && last ? { databases: { before: first.before, after: last.after } } : {};
    this.closed = sortGaps([...this.closed.filter((other) => !isSame(other)), { ...gap, ...databases, beginUtcMs, endUtcMs }]);
  }

  /** Takes a gap back: what seemed to be missing has been read after all. */
  removeGap(kind: GapKind, beginUtcMs: number): void {
    this.closed = this.closed.filter((gap) => gap.kind !== kind || gap.beginUtcMs !== beginUtcMs);
  }

  openGap(beginUtcMs: number, kind: GapKind, reason: string): void {
    this.opened = [...this.opened, { kind, beginUtcMs, reason, firstBehindUtcMs: Infinity }];
  }

  get hasGaps(): boolean {
    return this.closed.length > 0 || this.opened.length > 0;
  }

  /** Tells of an event that was not read before. */
  noteEvent(atUtcMs: number): void {
    if (this.opened.length === 0) return;
    for (const gap of this.opened) {
      if (atUtcMs > gap.beginUtcMs && atUtcMs < gap.firstBehindUtcMs) gap.firstBehindUtcMs = atUtcMs;
    }
  }

  /** No event before the horizon will arrive any more: open gaps that an event ended are closed for good. */
  settle(horizonUtcMs: number): void {
    const isDone = (gap: OpenGap): boolean => gap.firstBehindUtcMs < horizonUtcMs;
    if (!this.opened.some(isDone)) return;
    this.closed = sortGaps([...this.closed, ...this.opened.filter(isDone).map((gap) => closeGap(gap, Infinity))]);
    this.opened = this.opened.filter((gap) => !isDone(gap));
  }

  /** Whether events between the two times may be missing, so that what stands there is no pair. */
  isInterrupted(beginUtcMs: number, endUtcMs: number): boolean {
    const isSpoilt = (kind: GapKind, gapBegin: number, gapEnd: number): boolean =>
      gapBegin < gapEnd &&
      (SPOILT_THROUGHOUT.has(kind) ? beginUtcMs <= gapEnd && gapBegin <= endUtcMs : beginUtcMs <= gapBegin && gapEnd <= endUtcMs);
    return (
      this.closed.some((gap) => isSpoilt(gap.kind, gap.beginUtcMs, gap.endUtcMs)) ||
      this.opened.some((gap) => isSpoilt(gap.kind, gap.beginUtcMs, gap.firstBehindUtcMs))
    );
  }
}

/** The gap up to the first event behind it, or as far as time was watched. */
function closeGap({ kind, beginUtcMs, reason, firstBehindUtcMs }: OpenGap, watchedToUtcMs: number): Gap {
  return { kind, beginUtcMs, endUtcMs: Math.max(beginUtcMs, Math.min(firstBehindUtcMs, watchedToUtcMs)), reason };
}

function sortGaps(gaps: Gap[]): readonly Gap[] {
  return gaps.sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs);
}
