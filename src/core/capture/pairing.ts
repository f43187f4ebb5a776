import type { CheckpointEvent } from './event';
import { LONGEST_DURATION_MS } from './checkpoint-store';
import { Run } from './run';
import { compareEvents, type SourcedEvent } from './sourced-event';
import type { UnpairedReason } from './unpaired';

/** What pairing decides, told as it is decided. */
export interface PairingOutcome {
  readonly checkpoint: (databaseId: number, beginUtcMs: number, durationMs: number) => void;
  readonly unpaired: (event: CheckpointEvent, reason: UnpairedReason) => void;
  /** Whether events may have been lost between the two times, so that a begin and an end there are no pair. */
  readonly isInterrupted: (beginUtcMs: number, endUtcMs: number) => boolean;
}

interface Key {
  /** Not yet settled, in no order. */
  readonly waiting: SourcedEvent[];
  /** Settled, not yet decided. */
  readonly run: Run;
}

/**
 * Events -> checkpoints, a few at a time, whatever the order in which they arrive. Events of one task and database belong together (their
 * key). An event waits until the caller says that nothing older will come; what is decided then (see Run) depends neither on the order of
 * arrival nor on how the reads were cut.
 */
export class Pairing {
  private readonly keys = new Map<string, Key>();
  /** Identities of everything in `keys`. */
  private readonly known = new Set<string>();
  /** Everything before was settled. */
  private horizonUtcMs = -Infinity;
  private readonly runOutcome = {
    pair: (begin: SourcedEvent, end: SourcedEvent): void => this.pair(begin, end),
    giveUp: (event: SourcedEvent, reason: UnpairedReason): void => this.giveUp(event, reason),
  };

  constructor(private readonly outcome: PairingOutcome) {}

  /** Begins whose end may still come. */
  get open(): number {
    let open = 0;
    for (const { run } of this.keys.values()) if (run.isOpen) open += run.length;
    return open;
  }

  /** Events that are neither decided nor an open begin. */
  get held(): number {
    return this.known.size - this.open;
  }

  /** Whether this very event waits here already. */
  holds(event: SourcedEvent): boolean {
    return this.known.has(event.identity);
  }

  /** Whether the event is dated before what has been settled, so that it may be a second reading of a settled one. */
  isLate(event: CheckpointEvent): boolean {
    return event.atUtcMs < this.horizonUtcMs;
  }

  /** Takes one event that is no second reading of another. */
  add(event: SourcedEvent): void {
    let key = this.keys.get(event.key);
    if (key === undefined) this.keys.set(event.key, (key = { waiting: [], run: new Run(this.runOutcome) }));
    const { last } = key.run;
    if (last !== undefined && compareEvents(event, last) < 0) return this.outcome.unpaired(event, 'arrived late');
    key.waiting.push(event);
    this.known.add(event.identity);
  }

  /**
   * Decides about everything before `horizonUtcMs`: the caller promises that no older event will still arrive, and none that its task
   * fired earlier. Within a task an event also waits for the task's earlier ones. Infinity means that nothing will come at all: then
   * nothing stays open or held.
   */
  settle(horizonUtcMs: number): void {
    const isFinal = horizonUtcMs === Infinity;
    let settledUtcMs = isFinal ? this.horizonUtcMs : horizonUtcMs;
    // In the order of the keys, so that the order of arrival leaves no trace in the order of the rows.
    for (const [name, key] of [...this.keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const event of takeSettled(key.waiting, horizonUtcMs)) {
        settledUtcMs = isFinal ? Math.max(settledUtcMs, event.atUtcMs + 1) : settledUtcMs;
        key.run.take(event);
      }
      if (isFinal) key.run.finish();
      else if (key.waiting.length === 0) key.run.expire(horizonUtcMs);
      if (key.waiting.length + key.run.length === 0) this.keys.delete(name);
    }
    this.horizonUtcMs = Math.max(this.horizonUtcMs, settledUtcMs);
  }

  private pair(begin: SourcedEvent, end: SourcedEvent): void {
    const refusal = this.refusePair(begin.atUtcMs, end.atUtcMs);
    if (refusal !== null) {
      this.giveUp(begin, refusal);
      this.giveUp(end, refusal);
      return;
    }
    this.known.delete(begin.identity);
    this.known.delete(end.identity);
    this.outcome.checkpoint(begin.databaseId, begin.atUtcMs, end.atUtcMs - begin.atUtcMs);
  }

  private refusePair(beginUtcMs: number, endUtcMs: number): UnpairedReason | null {
    if (endUtcMs < beginUtcMs) return 'clock moved back';
    if (endUtcMs - beginUtcMs > LONGEST_DURATION_MS) return 'too long';
    return this.outcome.isInterrupted(beginUtcMs, endUtcMs) ? 'across a gap' : null;
  }

  private giveUp(event: SourcedEvent, reason: UnpairedReason): void {
    this.known.delete(event.identity);
    this.outcome.unpaired(event, reason);
  }
}

/** Takes out, in order, the events before the horizon that no earlier event of the key holds up. */
function takeSettled(waiting: SourcedEvent[], horizonUtcMs: number): SourcedEvent[] {
  if (waiting.length === 0) return waiting;
  waiting.sort(compareEvents);
  const first = waiting.findIndex((event) => event.atUtcMs >= horizonUtcMs);
  return waiting.splice(0, first < 0 ? waiting.length : first);
}
