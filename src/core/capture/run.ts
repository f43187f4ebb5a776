import type { SourcedEvent } from './sourced-event';
import type { UnpairedReason } from './unpaired';

/**
 * How long a begin may stay unanswered while others come and go before its end counts as lost. The longest checkpoint of the published
 * cases took under four minutes (docs/facts.md, SQL Server 1).
 */
export const PATIENCE_MS = 3_600_000;

/** What a run decides, told as it is decided. */
export interface RunOutcome {
  readonly pair: (begin: SourcedEvent, end: SourcedEvent) => void;
  readonly giveUp: (event: SourcedEvent, reason: UnpairedReason) => void;
}

/**
 * The undecided events of one key, in order. The level is the number of begins less the number of ends; when it comes back to 0 the run is
 * decided:
 *
 *     level 2            b   e                    b e : one checkpoint
 *     level 1    b e   b       e     b ...       b b e e : nothing tells which end is whose, so nothing is paired
 *
 * A run that never comes back lost an end. Then its first begin is given up, and the rest is judged without it: `b b e` becomes `e` paired
 * with the later begin. That is known
 *   - with an activity id, when a begin follows an end: a task runs one checkpoint at a time;
 *   - without one, when PATIENCE_MS have passed: until then an end may still come that shows an overlap;
 *   - when nothing will follow.
 */
export class Run {
  private events: SourcedEvent[] = [];
  /** Events before this position, and levels up to `base`, are decided. */
  private start = 0;
  private base = 0;
  private level = 0;
  /** The last position at which each level was left behind an event. */
  private lastAt: number[] = [];

  constructor(private readonly outcome: RunOutcome) {}

  get length(): number {
    return this.events.length - this.start;
  }

  /** Only begins: their ends may still come. */
  get isOpen(): boolean {
    return this.length === this.level - this.base;
  }

  get last(): SourcedEvent | undefined {
    return this.length === 0 ? undefined : this.events[this.events.length - 1];
  }

  /** Takes the key's next event. */
  take(event: SourcedEvent): void {
    while (this.isOverAt(event)) this.giveUpFirst();
    if (event.kind === 'end' && this.length === 0) return this.outcome.giveUp(event, 'end without begin');
    this.events.push(event);
    this.level += event.kind === 'begin' ? 1 : -1;
    this.lastAt[this.level] = this.events.length - 1;
    if (this.level > this.base) return;
    this.decide(this.start, this.events.length);
    this.clear();
  }

  /** Nothing before the horizon will come any more. */
  expire(horizonUtcMs: number): void {
    while (this.isExpiredAt(horizonUtcMs)) this.giveUpFirst();
  }

  /** Nothing will come any more at all. */
  finish(): void {
    while (this.length > 0) this.giveUpFirst();
  }

  private isOverAt(next: SourcedEvent): boolean {
    if (this.isExpiredAt(next.atUtcMs)) return true;
    return next.activity !== null && next.kind === 'begin' && !this.isOpen;
  }

  /** One open begin alone waits for ever: nothing contradicts it. */
  private isExpiredAt(atUtcMs: number): boolean {
    return this.length > 1 && atUtcMs - (this.events[this.start]?.atUtcMs ?? atUtcMs) > PATIENCE_MS;
  }

  /** Gives up the first begin; decides about what came back to its level, and leaves the rest as a run. */
  private giveUpFirst(): void {
    const first = this.events[this.start];
    if (first === undefined) return;
    this.outcome.giveUp(first, 'begin without end');
    this.base++;
    const end = (this.lastAt[this.base] ?? this.start) + 1;
    let level = this.base;
    let from = this.start + 1;
    for (let i = from; i < end; i++) {
      level += this.events[i]?.kind === 'begin' ? 1 : -1;
      if (level > this.base) continue;
      this.decide(from, i + 1);
      from = i + 1;
    }
    this.start = end;
    if (this.length === 0) this.clear();
    else if (this.start > 1000 && this.start > this.length) this.compact();
  }

  /** Decides about a stretch that starts and ends at one level. */
  private decide(from: number, to: number): void {
    const [begin, end] = [this.events[from], this.events[to - 1]];
    if (to - from === 2 && begin && end) return this.outcome.pair(begin, end);
    for (let i = from; i < to; i++) {
      const event = this.events[i];
      if (event) this.outcome.giveUp(event, event.activity === null ? 'overlap without activity id' : 'overlap');
    }
  }

  private clear(): void {
    this.events = [];
    this.lastAt = [];
    this.start = this.base = this.level = 0;
  }

  private compact(): void {
    this.events = this.events.slice(this.start);
    this.lastAt = this.lastAt.slice(this.base).map((position) => position - this.start);
    this.level -= this.base;
    this.start = this.base = 0;
  }
}
