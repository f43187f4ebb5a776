import { addToList } from '../lists';
import { NONE, type PendingEvents } from './pending-events';
import { NO_TASK, Run, type RunOutcome } from './run';

/**
 * The undecided events that may pair with each other: those of one task and one database; without activity id, those of
 * one database.
 */
export class PairingKey {
  /** The next key of the same database. */
  next: PairingKey | undefined = undefined;
  /** Whether it is in the list of keys that hold events. */
  isHeld = false;
  /** The settled events that are not decided; null if there never were any. */
  run: Run | null = null;
  /**
   * Slots of events that are not settled, as they arrived: the first one, from which the others are linked, and the
   * last one.
   */
  private first = NONE;
  private latest = NONE;
  private isOrdered = true;
  /** The latest of them in order. */
  private greatest = NONE;
  /** Slots by time, made only when an event arrives out of order: it may be one that is read again. */
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
    return this.first === NONE && !this.hasRun;
  }

  get isWaiting(): boolean {
    return this.first !== NONE;
  }

  /**
   * Whether the event of the slot comes after everything held, as nearly all do. Then it cannot be one that is read
   * again.
   */
  isNext(slot: number): boolean {
    const last = this.greatest === NONE ? (this.run?.last ?? NONE) : this.greatest;
    return last === NONE || this.pending.compare(slot, last, this.hasActivity) > 0;
  }

  /** Another slot that holds the same event; NONE: there is none. Asked only of an event that is not next. */
  find(slot: number): number {
    this.byTime ??= this.indexTimes();
    const { pending } = this;
    const { mark, isEnd, atUtcMs } = pending;
    const isSame = (other: number): boolean =>
      mark[other] === mark[slot] && isEnd[other] === isEnd[slot] && pending.mayBeOfOne(other, slot);
    return this.byTime.get(atUtcMs[slot] as number)?.find(isSame) ?? NONE;
  }

  /** Takes the event of the slot if it is next, as nearly all are; otherwise gives false. */
  appendNext(slot: number): boolean {
    if (this.isNext(slot) !== true) return false;
    this.append(slot);
    return true;
  }

  /** Adds the slot to the end of those that wait. */
  private append(slot: number): void {
    if (this.first === NONE) this.first = slot;
    else this.pending.next[this.latest] = slot;
    this.greatest = this.latest = slot;
    if (this.byTime !== null) addToList(this.byTime, this.pending.atUtcMs[slot] as number, slot);
  }

  /** Takes an event that no other slot holds. */
  add(slot: number): void {
    const { greatest } = this;
    this.append(slot);
    if (greatest === NONE || this.pending.compare(slot, greatest, this.hasActivity) >= 0) return;
    this.isOrdered = false;
    this.greatest = greatest;
  }

  /**
   * Decides about events in order, up to the first one that is not before the horizon. An event that comes before one
   * that the run already holds has arrived too late.
   */
  settle(horizonUtcMs: number): void {
    this.byTime = null;
    if (!this.isOrdered) this.order();
    const { atUtcMs, isEnd, next } = this.pending;
    let slot = this.first;
    while (slot !== NONE && (atUtcMs[slot] as number) < horizonUtcMs) {
      const second = next[slot] as number;
      // A begin with nothing open, and its end right after it: a pair, as the run would say.
      const isPair =
        second !== NONE &&
        isEnd[slot] === 0 &&
        isEnd[second] === 1 &&
        (this.hasActivity || this.pending.mayBeOfOne(slot, second)) &&
        (atUtcMs[second] as number) < horizonUtcMs;
      if (isPair && !this.hasRun) {
        const third = next[second] as number;
        this.outcome.pair(this.owner, slot, second, this.task);
        slot = third;
      } else {
        this.decide(slot);
        slot = second;
      }
    }
    this.first = slot;
    if (slot === NONE) this.latest = this.greatest = NONE;
  }

  /** Gives away all of its slots, in no order. Then it is empty. */
  drain(): readonly number[] {
    const slots = this.list();
    this.run?.clear();
    this.first = this.latest = this.greatest = NONE;
    this.isOrdered = true;
    this.byTime = null;
    return slots;
  }

  /** All of its slots, in no order. */
  list(): readonly number[] {
    const slots: number[] = [];
    this.visit((slot) => slots.push(slot));
    return slots;
  }

  /** Visits all of its slots: those of the run in order, then those that wait as they arrived. */
  visit(visit: (slot: number) => void): void {
    this.run?.visit(visit);
    for (let slot = this.first; slot !== NONE; slot = this.pending.next[slot] as number) visit(slot);
  }

  private get hasRun(): boolean {
    return this.run !== null && this.run.length > 0;
  }

  private listWaiting(): number[] {
    const slots: number[] = [];
    for (let slot = this.first; slot !== NONE; slot = this.pending.next[slot] as number) slots.push(slot);
    return slots;
  }

  private decide(slot: number): void {
    const run = (this.run ??= new Run(this.pending, this.owner, this.task, this.outcome));
    if (run.length > 0 && this.pending.compare(slot, run.last, this.hasActivity) < 0)
      this.outcome.giveUp(this.owner, slot, 'arrived late');
    else run.take(slot);
  }

  private order(): void {
    const slots = this.listWaiting().sort((a, b) => this.pending.compare(a, b, this.hasActivity));
    slots.forEach((slot, i) => (this.pending.next[slot] = slots[i + 1] ?? NONE));
    this.first = slots[0] ?? NONE;
    this.latest = slots[slots.length - 1] ?? NONE;
    this.isOrdered = true;
  }

  private indexTimes(): Map<number, number[]> {
    const byTime = new Map<number, number[]>();
    for (const slot of this.list()) addToList(byTime, this.pending.atUtcMs[slot] as number, slot);
    return byTime;
  }
}
