import type { PendingEvents } from './pending-events';
import { Run, type RunOutcome } from './run';

/** The task of events that have no activity id. */
export const NO_TASK = -1;

/** The undecided events that may pair with each other: those of one task and one database; without activity id those of one database. */
export class PairingKey {
  /** Another key of the same database. */
  next: PairingKey | undefined = undefined;
  /** Whether it is among the keys that hold events. */
  isHeld = false;
  /** Made once a settled event is not decided at once. */
  private held: Run | null = null;
  /** Slots of events that are not yet settled, the first `count` of them. */
  private waiting: number[] = [];
  private count = 0;
  private isOrdered = true;
  /** The last one of them in order; -1 where none waits. */
  private greatest = -1;
  /** Slots by time, made only once an event arrives out of order: it may be a second reading. */
  private byTime: Map<number, number[]> | null = null;

  constructor(
    private readonly pending: PendingEvents,
    readonly task: number,
    readonly owner: number,
    private readonly outcome: RunOutcome,
  ) {}

  get hasActivity(): boolean {
    return this.task !== NO_TASK;
  }

  get isEmpty(): boolean {
    return this.count === 0 && (this.held === null || this.held.length === 0);
  }

  get isWaiting(): boolean {
    return this.count > 0;
  }

  /** The settled events that are not decided; null where there never were any. */
  get run(): Run | null {
    return this.held;
  }

  /** Whether this very event is held here. One behind everything held, as nearly all are, can not be. */
  holds(isEnd: boolean, atUtcMs: number, mark: number): boolean {
    const greatest = this.greatest >= 0 ? this.greatest : this.last;
    if (greatest < 0 || this.isBehind(greatest, isEnd, atUtcMs, mark)) return false;
    this.byTime ??= this.indexTimes();
    const { pending } = this;
    const same = this.byTime.get(atUtcMs);
    return same !== undefined && same.some((slot) => pending.mark[slot] === mark && (pending.isEnd[slot] === 1) === isEnd);
  }

  /** Takes an event that is no second reading of another. */
  add(slot: number): void {
    if (this.greatest >= 0 && this.pending.compare(slot, this.greatest, this.hasActivity) < 0) this.isOrdered = false;
    else this.greatest = slot;
    this.waiting[this.count++] = slot;
    if (this.byTime !== null) noteTime(this.byTime, this.pending, slot);
  }

  /**
   * Hands everything before the horizon that no earlier event of the key holds up to the run, in order. What comes before an event that the run holds already has
   * arrived too late: `refuse` is told.
   * @returns the latest time handed over; -Infinity where nothing was
   */
  settle(horizonUtcMs: number, refuse: (owner: number, slot: number) => void): number {
    const { pending } = this;
    this.byTime = null;
    if (!this.isOrdered) this.order();
    let latestUtcMs = -Infinity;
    let taken = 0;
    while (taken < this.count) {
      const slot = this.waiting[taken] as number;
      const atUtcMs = pending.atUtcMs[slot] as number;
      if (atUtcMs >= horizonUtcMs) break;
      if (atUtcMs > latestUtcMs) latestUtcMs = atUtcMs;
      taken++;
      if (this.isPlainPair(slot, taken, horizonUtcMs)) {
        const end = this.waiting[taken++] as number;
        const endUtcMs = pending.atUtcMs[end] as number;
        if (endUtcMs > latestUtcMs) latestUtcMs = endUtcMs;
        this.outcome.pair(this.owner, slot, end);
      } else this.decide(slot, refuse);
    }
    if (taken > 0) this.removeFirst(taken);
    return latestUtcMs;
  }

  /** Gives back all of its slots, in no order, and is empty. */
  drain(): readonly number[] {
    const slots = this.list();
    this.held?.clear();
    this.count = 0;
    this.isOrdered = true;
    this.greatest = -1;
    this.byTime = null;
    return slots;
  }

  /** All of its slots. */
  list(): readonly number[] {
    return [...(this.held?.list() ?? []), ...this.waiting.slice(0, this.count)];
  }

  /** The slot of the last settled event that is not decided; -1 where there is none. */
  private get last(): number {
    return this.held === null ? -1 : this.held.last;
  }

  /** A begin with nothing open, and its end right behind it: what the run would make of them, without it. */
  private isPlainPair(slot: number, next: number, horizonUtcMs: number): boolean {
    const { pending } = this;
    if (pending.isEnd[slot] === 1 || next >= this.count || (this.held !== null && this.held.length > 0)) return false;
    const end = this.waiting[next] as number;
    return pending.isEnd[end] === 1 && (pending.atUtcMs[end] as number) < horizonUtcMs;
  }

  private decide(slot: number, refuse: (owner: number, slot: number) => void): void {
    const run = (this.held ??= new Run(this.pending, this.owner, this.hasActivity, this.outcome));
    if (run.length > 0 && this.pending.compare(slot, run.last, this.hasActivity) < 0) refuse(this.owner, slot);
    else run.take(slot);
  }

  private order(): void {
    this.waiting.length = this.count;
    this.waiting.sort((a, b) => this.pending.compare(a, b, this.hasActivity));
    this.isOrdered = true;
  }

  private removeFirst(taken: number): void {
    const { waiting } = this;
    for (let i = taken; i < this.count; i++) waiting[i - taken] = waiting[i] as number;
    this.count -= taken;
    if (this.count === 0) this.greatest = -1;
  }

  private isBehind(slot: number, isEnd: boolean, atUtcMs: number, mark: number): boolean {
    const { pending } = this;
    const byNumber = this.hasActivity ? mark - (pending.mark[slot] as number) : 0;
    const order = byNumber || atUtcMs - (pending.atUtcMs[slot] as number) || (isEnd ? 1 : 0) - (pending.isEnd[slot] as number);
    return order > 0;
  }

  private indexTimes(): Map<number, number[]> {
    const byTime = new Map<number, number[]>();
    for (const slot of this.list()) noteTime(byTime, this.pending, slot);
    return byTime;
  }
}

function noteTime(byTime: Map<number, number[]>, pending: PendingEvents, slot: number): void {
  const atUtcMs = pending.atUtcMs[slot] as number;
  const same = byTime.get(atUtcMs);
  if (same === undefined) byTime.set(atUtcMs, [slot]);
  else same.push(slot);
}
