import type { PendingEvents } from './pending-events';
import { Run, type RunOutcome } from './run';

/** The task of events that have no activity id. */
export const NO_TASK = -1;

/** The undecided events that may pair with each other: those of one task and one database; without activity id those of one database. */
export class PairingKey {
  readonly run: Run;
  /** Slots of events that are not yet settled. */
  private waiting: number[] = [];
  private isOrdered = true;
  /** The last one of them in order; -1 where none waits. */
  private greatest = -1;
  /** Slots by time, made only once an event arrives out of order: it may be a second reading. */
  private byTime: Map<number, number[]> | null = null;

  constructor(
    private readonly pending: PendingEvents,
    readonly task: number,
    readonly owner: number,
    outcome: RunOutcome,
  ) {
    this.run = new Run(pending, owner, task !== NO_TASK, outcome);
  }

  get hasActivity(): boolean {
    return this.task !== NO_TASK;
  }

  get isEmpty(): boolean {
    return this.waiting.length + this.run.length === 0;
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether this very event is held here. One behind everything held, as nearly all are, can not be. */
  holds(isEnd: boolean, atUtcMs: number, mark: number): boolean {
    const greatest = this.greatest >= 0 ? this.greatest : this.run.last;
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
    this.waiting.push(slot);
    if (this.byTime !== null) noteTime(this.byTime, this.pending, slot);
  }

  /**
   * Hands everything before the horizon that no earlier event of the key holds up to the run, in order. What comes before an event that the run holds already has
   * arrived too late: `refuse` is told.
   * @returns the latest time handed over; -Infinity where nothing was
   */
  settle(horizonUtcMs: number, refuse: (owner: number, slot: number) => void): number {
    const { waiting, pending, run } = this;
    this.byTime = null;
    if (!this.isOrdered) waiting.sort((a, b) => pending.compare(a, b, this.hasActivity));
    this.isOrdered = true;
    let latestUtcMs = -Infinity;
    let taken = 0;
    for (; taken < waiting.length; taken++) {
      const slot = waiting[taken] as number;
      const atUtcMs = pending.atUtcMs[slot] as number;
      if (atUtcMs >= horizonUtcMs) break;
      if (atUtcMs > latestUtcMs) latestUtcMs = atUtcMs;
      if (run.length > 0 && pending.compare(slot, run.last, this.hasActivity) < 0) refuse(this.owner, slot);
      else run.take(slot);
    }
    if (taken === waiting.length) {
      waiting.length = 0;
      this.greatest = -1;
    } else if (taken > 0) this.waiting = waiting.slice(taken);
    return latestUtcMs;
  }

  /** Gives back all of its slots, in no order, and is empty. */
  drain(): readonly number[] {
    const slots = [...this.run.list(), ...this.waiting];
    this.run.clear();
    this.waiting = [];
    this.isOrdered = true;
    this.greatest = -1;
    this.byTime = null;
    return slots;
  }

  /** All of its slots. */
  list(): readonly number[] {
    return [...this.run.list(), ...this.waiting];
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
