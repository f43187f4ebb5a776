import type { Observation } from './checkpoint-columns';
import type { Gap, GapKind } from './gap';

/** A gap whose end is not known before the first event behind it is. */
interface OpenGap {
  readonly kind: GapKind;
  readonly beginUtcMs: number;
  readonly reason: string;
  /** The earliest event behind the gap so far. */
  firstBehindUtcMs: number;
}

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

  /** null until something was observed. */
  get observation(): Observation | null {
    return this.interval && { ...this.interval, gaps: this.gaps };
  }

  /** Stretches the interval; time between two stretches is a gap only where one is added. */
  extend(beginUtcMs: number, endUtcMs: number): void {
    const { interval } = this;
    this.interval = {
      beginUtcMs: Math.min(interval?.beginUtcMs ?? beginUtcMs, beginUtcMs),
      endUtcMs: Math.max(interval?.endUtcMs ?? endUtcMs, endUtcMs),
    };
  }

  addGap(gap: Gap): void {
    this.closed = sortGaps([...this.closed, gap]);
  }

  openGap(beginUtcMs: number, kind: GapKind, reason: string): void {
    this.opened = [...this.opened, { kind, beginUtcMs, reason, firstBehindUtcMs: Infinity }];
  }

  /** Tells of an event that was not read before. */
  noteEvent(atUtcMs: number): void {
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

  /** Whether a whole gap lies between the two times, so that events between them may be missing. */
  isInterrupted(beginUtcMs: number, endUtcMs: number): boolean {
    const isBetween = (gapBegin: number, gapEnd: number): boolean => beginUtcMs <= gapBegin && gapEnd <= endUtcMs && gapBegin < gapEnd;
    return (
      this.closed.some((gap) => isBetween(gap.beginUtcMs, gap.endUtcMs)) ||
      this.opened.some((gap) => isBetween(gap.beginUtcMs, gap.firstBehindUtcMs))
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
