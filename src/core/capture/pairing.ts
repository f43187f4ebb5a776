/**
 * Events -> checkpoints, a few at a time, whatever the order in which they arrive.
 *
 * Events of one task and database belong together (its key). Within a key the task's own sequence decides, else the time, a begin before
 * an end on a tie (docs/facts.md, SQL Server 3: file order is not time order). An event waits until the caller says that nothing older
 * will come (`settle`); what settles does not depend on the order of arrival or on how the reads were cut.
 *
 * The settled events of a key form runs, `begin ... begin end ... end`, and each run is judged by itself:
 *
 *     b e         a checkpoint
 *     b           open while more may come, at last a begin without end
 *       e         an end without begin
 *     b b e       the last begin and the end are a checkpoint, the begins before it have no end
 *     b e e       the begin and the first end are a checkpoint, the ends behind it have no begin
 *     b b e e     an overlap: nothing tells which belongs to which, so nothing is paired
 *
 * A pair with a gap between begin and end is none: what was lost there may have been the end of the one and the begin of the next.
 * Whether `b b e` is an overlap is known when the key's next event is; until then it is held.
 */
import type { CheckpointEvent } from './event';
import { LONGEST_DURATION_MS } from './checkpoint-store';
import type { UnpairedReason } from './unpaired';

/** An event with the place it was read from, which tells a second reading from a second event where there is no activity id. */
export interface SourcedEvent extends CheckpointEvent {
  readonly fileName: string | null;
  readonly fileOffset: string | null;
}

/** What pairing decides, told as it is decided. */
export interface PairingOutcome {
  readonly checkpoint: (databaseId: number, beginUtcMs: number, durationMs: number) => void;
  readonly unpaired: (event: CheckpointEvent, reason: UnpairedReason) => void;
  /** Whether events may have been lost between the two times, so that a begin and an end there are no pair. */
  readonly isInterrupted: (beginUtcMs: number, endUtcMs: number) => boolean;
}

interface Key {
  /** Not yet settled, in no order. */
  waiting: SourcedEvent[];
  /** The run that is not yet decided. */
  readonly begins: SourcedEvent[];
  readonly ends: SourcedEvent[];
}

export class Pairing {
  private readonly keys = new Map<string, Key>();
  /** Identities of everything in `keys`. */
  private readonly known = new Set<string>();
  /** Everything before was settled. */
  private horizonUtcMs = -Infinity;
  private openCount = 0;

  constructor(private readonly outcome: PairingOutcome) {}

  /** Begins whose end may still come. */
  get open(): number {
    return this.openCount;
  }

  /** Events that are neither decided nor an open begin. */
  get held(): number {
    return this.known.size - this.openCount;
  }

  /** Whether this very event waits here already. */
  holds(event: SourcedEvent): boolean {
    return this.known.has(identityOf(event));
  }

  /** Whether the event is dated before what has been settled, so that it may be a second reading of a settled one. */
  isLate(event: CheckpointEvent): boolean {
    return event.atUtcMs < this.horizonUtcMs;
  }

  /** Takes one event that is no second reading of another. */
  add(event: SourcedEvent): void {
    const name = keyOf(event);
    let key = this.keys.get(name);
    if (key === undefined) this.keys.set(name, (key = { waiting: [], begins: [], ends: [] }));
    const last = key.ends[key.ends.length - 1] ?? key.begins[key.begins.length - 1];
    if (last !== undefined && compareEvents(event, last) < 0) return this.outcome.unpaired(event, 'arrived late');
    key.waiting.push(event);
    this.known.add(identityOf(event));
  }

  /**
   * Decides about everything before `horizonUtcMs`: the caller promises that no older event will still arrive. Within a task an event
   * also waits for the task's earlier ones. Infinity means that nothing will come at all: then nothing stays open or held.
   */
  settle(horizonUtcMs: number): void {
    let latestUtcMs = -Infinity;
    const isFinal = horizonUtcMs === Infinity;
    const settling: { readonly name: string; readonly key: Key; readonly events: SourcedEvent[] }[] = [];
    for (const [name, key] of this.keys) {
      const events = takeSettled(key, horizonUtcMs);
      for (const event of events) latestUtcMs = Math.max(latestUtcMs, event.atUtcMs);
      if (events.length > 0 || isFinal) settling.push({ name, key, events });
    }
    settling.sort((a, b) => compareNames(a.name, b.name));
    for (const { name, key, events } of settling) {
      for (const event of events) this.advance(key, event);
      if (isFinal) this.decideRun(key);
      if (key.waiting.length + key.begins.length + key.ends.length === 0) this.keys.delete(name);
    }
    this.horizonUtcMs = Math.max(this.horizonUtcMs, isFinal ? latestUtcMs + 1 : horizonUtcMs);
  }

  /** Moves a key on by its next event. */
  private advance(key: Key, event: SourcedEvent): void {
    if (event.kind === 'begin') {
      if (key.ends.length > 0) this.decideRun(key);
      key.begins.push(event);
      this.openCount++;
      return;
    }
    if (key.ends.length === 0) this.openCount -= key.begins.length;
    key.ends.push(event);
    if (key.begins.length < 2) this.decideRun(key);
  }

  private decideRun(key: Key): void {
    const { begins, ends } = key;
    if (ends.length === 0) this.openCount -= begins.length;
    if (begins.length > 1 && ends.length > 1) {
      for (const event of [...begins, ...ends]) this.giveUp(event, event.activity === null ? 'overlap without activity id' : 'overlap');
    } else {
      const isPair = begins.length > 0 && ends.length > 0;
      const begin = isPair ? begins.pop() : undefined;
      const end = isPair ? ends.shift() : undefined;
      for (const event of begins) this.giveUp(event, 'begin without end');
      if (begin !== undefined && end !== undefined) this.pair(begin, end);
      for (const event of ends) this.giveUp(event, 'end without begin');
    }
    begins.length = 0;
    ends.length = 0;
  }

  private pair(begin: SourcedEvent, end: SourcedEvent): void {
    const refusal = this.refusePair(begin.atUtcMs, end.atUtcMs);
    if (refusal !== null) {
      this.giveUp(begin, refusal);
      this.giveUp(end, refusal);
      return;
    }
    this.known.delete(identityOf(begin));
    this.known.delete(identityOf(end));
    this.outcome.checkpoint(begin.databaseId, begin.atUtcMs, end.atUtcMs - begin.atUtcMs);
  }

  private refusePair(beginUtcMs: number, endUtcMs: number): UnpairedReason | null {
    if (endUtcMs < beginUtcMs) return 'clock moved back';
    if (endUtcMs - beginUtcMs > LONGEST_DURATION_MS) return 'too long';
    return this.outcome.isInterrupted(beginUtcMs, endUtcMs) ? 'across a gap' : null;
  }

  private giveUp(event: SourcedEvent, reason: UnpairedReason): void {
    this.known.delete(identityOf(event));
    this.outcome.unpaired(event, reason);
  }
}

/** Takes out of `waiting`, in order, the events before the horizon that no earlier event of the key holds up. */
function takeSettled(key: Key, horizonUtcMs: number): SourcedEvent[] {
  if (key.waiting.length === 0) return [];
  key.waiting.sort(compareEvents);
  const first = key.waiting.findIndex((event) => event.atUtcMs >= horizonUtcMs);
  return key.waiting.splice(0, first < 0 ? key.waiting.length : first);
}

function compareEvents(a: CheckpointEvent, b: CheckpointEvent): number {
  const bySequence = (a.activity?.sequence ?? 0) - (b.activity?.sequence ?? 0);
  return bySequence || a.atUtcMs - b.atUtcMs || rankOf(a) - rankOf(b);
}

function rankOf(event: CheckpointEvent): number {
  return event.kind === 'begin' ? 0 : 1;
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function keyOf(event: CheckpointEvent): string {
  return `${event.activity?.guid ?? ''}/${event.databaseId}`;
}

/**
 * Two readings of one event have one identity. With an activity id that is the task, the sequence and the content; without it the content
 * and the buffer it came from.
 */
function identityOf(event: SourcedEvent): string {
  const { activity } = event;
  const source = activity === null ? `${event.fileName ?? ''}|${event.fileOffset ?? ''}` : `${activity.guid}-${activity.sequence}`;
  return `${event.kind === 'begin' ? 'b' : 'e'}${event.databaseId}@${event.atUtcMs}|${source}`;
}
