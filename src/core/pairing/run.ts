import { NONE, type PendingEvents } from './pending-events';
import type { UnpairedReason } from './unpaired';

/**
 * How long a begin may wait for its end while other events come, before the end counts as lost. The longest checkpoint
 * of the published cases took under four minutes (docs/facts.md, SQL Server 1).
 */
export const PATIENCE_MS = 3_600_000;

/** The task of events that have no activity id. */
export const NO_TASK = -1;

/** Told of each decision about slots of pending events. `owner` is the database of the run, `task` its task. */
export interface RunOutcome {
  readonly pair: (owner: number, begin: number, end: number, task: number) => void;
  readonly giveUp: (owner: number, slot: number, reason: UnpairedReason) => void;
}

/**
 * The undecided events of one key, in order. The level is the number of begins less the number of ends. When it is back
 * at 0 the run is decided:
 *
 *     level 2            b   e                    b e : one checkpoint
 *     level 1    b e   b       e     b ...       b b e e : without activity id only sessions tell which end is whose
 *
 * A run that never comes back lost an end. Then its first begin is given up, and the rest is judged without it: in
 * `b b e` the end is paired with the second begin. An end is known to be lost
 *   - with an activity id, when a second begin comes: a task runs one checkpoint at a time. So there `b b e e` is a begin without end,
 *     a checkpoint, and an end without begin;
 *   - without one, when PATIENCE_MS have passed: until then an end may still come that shows an overlap;
 *   - when no more events will come.
 */
export class Run {
  private slots: number[] = [];
  /** How many of the slots are used. It is cheaper than cutting the list. */
  private end = 0;
  /** Events before this position, and levels up to `base`, are decided. */
  private start = 0;
  private base = 0;
  private level = 0;
  /** For each level, the last position after which it was reached. */
  private lastAt: number[] = [];

  constructor(
    private readonly pending: PendingEvents,
    private readonly owner: number,
    private readonly task: number,
    private readonly outcome: RunOutcome,
  ) {}

  private get hasActivity(): boolean {
    return this.task !== NO_TASK;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** It has only begins, whose ends may still come. */
  get isOpen(): boolean {
    return this.length === this.level - this.base;
  }

  /** The slot of the last event; -1 if there is none. */
  get last(): number {
    return this.length === 0 ? -1 : (this.slots[this.end - 1] as number);
  }

  /** Visits the undecided events, in order. */
  visit(visit: (slot: number) => void): void {
    for (let at = this.start; at < this.end; at++) visit(this.slots[at] as number);
  }

  /** Takes the key's next event. The end of a session that has a begin open comes before a begin of the same time. */
  take(slot: number): void {
    const isEnd = this.pending.isEnd[slot] === 1;
    const later = isEnd && !this.hasActivity ? this.findSecondBegin(slot) : NONE;
    if (later !== NONE) {
      const moved = this.slots.slice(later, this.end);
      for (const one of moved) this.level += this.pending.isEnd[one] === 1 ? 1 : -1;
      this.end = later;
      for (const one of [slot, ...moved]) this.take(one);
      return;
    }
    while (this.length > 0 && this.isOverAt(slot, isEnd)) this.giveUpFirst();
    if (isEnd && this.length === 0) return this.outcome.giveUp(this.owner, slot, 'end without begin');
    this.slots[this.end] = slot;
    this.level += isEnd ? -1 : 1;
    this.lastAt[this.level] = this.end++;
    if (this.level > this.base) return;
    this.decide(this.start, this.end);
    this.clear();
  }

  /** Decides what can be decided if nothing before the horizon comes any more. */
  expire(horizonUtcMs: number): void {
    while (this.isExpiredAt(horizonUtcMs)) this.giveUpFirst();
  }

  /** Decides everything: nothing comes any more. */
  finish(): void {
    while (this.length > 0) this.giveUpFirst();
  }

  /** Where its session begins at the time of that end while it has a begin open: it runs one checkpoint at a time. */
  private findSecondBegin(end: number): number {
    const { pending, slots } = this;
    const { atUtcMs, isEnd } = pending;
    const session = pending.sessionOf(end);
    if (session === 0 || this.length < 2 || atUtcMs[this.last] !== atUtcMs[end]) return NONE;
    let isOpen = false;
    for (let at = this.start; at < this.end; at++) {
      const slot = slots[at] as number;
      if (pending.sessionOf(slot) !== session) continue;
      if (isOpen && isEnd[slot] === 0 && atUtcMs[slot] === atUtcMs[end]) return at;
      isOpen = isEnd[slot] === 0;
    }
    return NONE;
  }

  private isOverAt(slot: number, isEnd: boolean): boolean {
    if (this.isExpiredAt(this.pending.atUtcMs[slot] as number)) return true;
    return this.hasActivity && !isEnd;
  }

  /** A single open begin waits for ever, because nothing contradicts it. */
  private isExpiredAt(atUtcMs: number): boolean {
    return (
      this.length > 1 &&
      atUtcMs - (this.pending.atUtcMs[this.slots[this.start] as number] as number) > PATIENCE_MS
    );
  }

  /** Gives up the first begin. Decides about the events that are back at its level; the rest stays a run. */
  private giveUpFirst(): void {
    if (this.length === 0) return;
    const first = this.slots[this.start] as number;
    this.outcome.giveUp(this.owner, first, 'begin without end');
    this.base++;
    const end = (this.lastAt[this.base] ?? this.start) + 1;
    let level = this.base;
    let from = this.start + 1;
    for (let i = from; i < end; i++) {
      level += this.pending.isEnd[this.slots[i] as number] === 1 ? -1 : 1;
      if (level > this.base) continue;
      this.decide(from, i + 1);
      from = i + 1;
    }
    this.start = end;
    if (this.length === 0) this.clear();
    else if (this.start > 1000 && this.start > this.length) this.compact();
  }

  /** Decides about events that start and end at one level. Without activity id, their sessions tell them apart. */
  private decide(from: number, to: number): void {
    const { owner, outcome, pending } = this;
    const slots = this.slots.slice(from, to);
    const [first = 0, second = 0] = slots;
    if (slots.length === 2 && (this.hasActivity || pending.mayBeOfOne(first, second)))
      return outcome.pair(owner, first, second, this.task);
    if (slots.some((slot) => pending.sessionOf(slot) === 0))
      return slots.forEach((slot) => outcome.giveUp(owner, slot, 'overlap without activity id'));
    const open = new Map<number, number>();
    for (const slot of slots) {
      const session = pending.sessionOf(slot);
      const begin = open.get(session);
      open.delete(session);
      if (pending.isEnd[slot] === 0) open.set(session, slot);
      else if (begin === undefined) outcome.giveUp(owner, slot, 'end without begin');
      else outcome.pair(owner, begin, slot, this.task);
      if (pending.isEnd[slot] === 0 && begin !== undefined) outcome.giveUp(owner, begin, 'begin without end');
    }
    for (const begin of open.values()) outcome.giveUp(owner, begin, 'begin without end');
  }

  /** Forgets its events without a decision. */
  clear(): void {
    this.start = this.end = this.base = this.level = 0;
  }

  private compact(): void {
    this.slots = this.slots.slice(this.start, this.end);
    this.end -= this.start;
    this.lastAt = this.lastAt.slice(this.base).map((position) => position - this.start);
    this.level -= this.base;
    this.start = this.base = 0;
  }
}
