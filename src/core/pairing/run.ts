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
 * The undecided events of one key, in order. A task runs one checkpoint at a time, and so does a session, whatever runs
 * beside it. So a second begin proves that the end of the first was lost: of `b b e e` the second and third are a
 * checkpoint.
 *
 * A begin stands before an end of the same time. So a session that ends a checkpoint and begins the next in one moment
 * gives `b b e`, and only its next events explain that: an end makes two checkpoints; a begin whose own end does not come
 * in that moment says that an end was lost, and not which.
 *
 * As soon as one event does not tell its session, the level decides: the number of begins less that of ends.
 *
 *     level 2            b   e                    b e : one checkpoint
 *     level 1    b e   b       e     b ...       b b e e : nothing tells which end is whose
 *
 * A run that never comes back to 0 lost an end. Then its first begin is given up, and the rest is judged without it: in
 * `b b e` the end is paired with the second begin. That happens when PATIENCE_MS have passed: until then the end may
 * still come and show an overlap.
 */
export class Run {
  private slots: number[] = [];
  private level = 0;
  private isByLevel = false;

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
    return this.slots.length;
  }

  /** It has only begins, whose ends may still come. */
  get isOpen(): boolean {
    return this.length === this.level;
  }

  /** The slot of the last event; -1 if there is none. */
  get last(): number {
    return this.slots[this.length - 1] ?? NONE;
  }

  /** Visits the undecided events, in order. */
  visit(visit: (slot: number) => void): void {
    for (const slot of this.slots) visit(slot);
  }

  /** Takes the key's next event. */
  take(slot: number): void {
    this.expire(this.pending.atUtcMs[slot] as number);
    this.isByLevel ||= !this.hasActivity && this.pending.sessionOf(slot) === 0;
    if (!this.isByLevel) return this.takeOwn(slot);
    this.hold(slot);
    if (this.level > 0) return;
    const [begin = NONE, end = NONE] = this.slots;
    if (this.length === 2 && this.pending.mayBeOfOne(begin, end)) this.pair([begin], [end]);
    else this.giveUp(this.slots);
  }

  /** Decides what can be decided if nothing before that time comes any more. A single begin waits for ever. */
  expire(utcMs: number): void {
    const { atUtcMs } = this.pending;
    while (this.isByLevel && this.length > 1 && utcMs - (atUtcMs[this.slots[0] ?? 0] as number) > PATIENCE_MS)
      this.giveUpFirst();
  }

  /** Decides everything: nothing comes any more. */
  finish(): void {
    while (this.isByLevel && !this.isOpen) this.giveUpFirst();
    if (this.isByLevel) this.giveUp(this.slots);
    while (this.length > 0) this.giveUpLost(this.listOwn(this.last));
  }

  /** Forgets its events without a decision. */
  clear(): void {
    this.slots = [];
    this.level = 0;
    this.isByLevel = false;
  }

  /** Takes the next event of a known task or session. */
  private takeOwn(slot: number): void {
    const { atUtcMs, isEnd } = this.pending;
    const own = this.listOwn(slot);
    const begins = own.filter((one) => isEnd[one] === 0);
    const ends = own.filter((one) => isEnd[one] === 1);
    const open = begins.length - ends.length;
    const last = own[own.length - 1] ?? slot;
    const isLater = (atUtcMs[last] as number) < (atUtcMs[slot] as number);
    if (open > 1 && isLater) {
      this.giveUpLost(own);
      return this.takeOwn(slot);
    }
    if (this.hasActivity && isEnd[slot] === 0) this.giveUp(own);
    this.hold(slot);
    if (isEnd[slot] === 0) return;
    if (open === 0) this.giveUp([slot]);
    else if (open === 1) this.pair(begins, [...ends, slot]);
  }

  /** Of its events, those of the task or session of that one. */
  private listOwn(slot: number): readonly number[] {
    const { pending } = this;
    const session = pending.sessionOf(slot);
    return this.slots.filter((one) => this.hasActivity || pending.sessionOf(one) === session);
  }

  private hold(slot: number): void {
    this.slots.push(slot);
    this.level += this.pending.isEnd[slot] === 1 ? -1 : 1;
  }

  private pair(begins: readonly number[], ends: readonly number[]): void {
    this.forget([...begins, ...ends]);
    begins.forEach((begin, at) => this.outcome.pair(this.owner, begin, ends[at] ?? NONE, this.task));
  }

  /** Gives up the first begin, and judges the rest without it. */
  private giveUpFirst(): void {
    const { slots, isOpen } = this;
    const [first = NONE, second = NONE] = slots;
    this.outcome.giveUp(this.owner, first, 'begin without end');
    // Nothing changes for the begins behind it, of which there may be many.
    if (isOpen && this.pending.sessionOf(second) === 0) {
      slots.shift();
      this.level--;
      return;
    }
    this.clear();
    for (let at = 1; at < slots.length; at++) this.take(slots[at] ?? NONE);
  }

  /** Gives up all but the last begin, whose end may still come, or that one. */
  private giveUpLost(own: readonly number[]): void {
    const last = own.filter((slot) => this.pending.isEnd[slot] === 0).pop();
    this.giveUp(own.length > 1 ? own.filter((slot) => slot !== last) : own);
  }

  private giveUp(slots: readonly number[]): void {
    const { isEnd } = this.pending;
    const alone = slots.length === 1 ? 'end without begin' : 'overlap without activity id';
    const reason = slots.some((slot) => isEnd[slot] === 1) ? alone : 'begin without end';
    this.forget(slots);
    for (const slot of slots) this.outcome.giveUp(this.owner, slot, reason);
  }

  private forget(slots: readonly number[]): void {
    const gone = new Set(slots);
    const left = this.slots.filter((slot) => !gone.has(slot));
    for (const slot of slots) this.level -= this.pending.isEnd[slot] === 1 ? -1 : 1;
    this.slots = left;
    this.isByLevel &&= left.length > 0;
  }
}
