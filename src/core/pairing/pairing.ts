import type { Steps } from '../steps';
import type { EventRow } from '../events/event';
import type { EventRegister } from '../events/event-register';
import { PairingKey } from './pairing-key';
import { createPendingColumns, NONE, type PendingColumns, PendingEvents } from './pending-events';
import { NO_TASK, type RunOutcome } from './run';
import { type RowSource, SourceTable } from '../events/source-table';
import { TaskNames, TaskTable } from './task-table';
import type { UnpairedReason } from './unpaired';

/** This many empty keys, or as many as hold events, are kept for their next event. */
const MOST_EMPTY = 1024;
/** Keys that are settled in one step: about 5 ms. */
const KEYS_A_STEP = 8_192;
/** Up to this many keys of one database are looked through one by one; more are looked up in a map. */
const LONG_CHAIN = 16;

/**
 * Turns events into checkpoints, a few at a time, in whatever order they arrive. Events of one task and database belong
 * together (their key). An event waits until the caller says that nothing older will come. What is decided then (see
 * Run) depends neither on the order of arrival nor on how the reads were cut.
 */
export class Pairing {
  private readonly pending = new PendingEvents();
  private readonly tasks = new TaskTable();
  /** The tasks that checkpoints name: they are kept, and restored before the first event. */
  readonly names = new TaskNames();
  private readonly sources = new SourceTable();
  private keys: PairingKey[] = [];
  /**
   * Keys that hold events come first: settling looks at no others. It is never emptied, because filling it again would
   * allocate it each time.
   */
  private readonly holding: PairingKey[] = [];
  private holdingCount = 0;
  /** By owner: its first key, which is nearly always the one wanted. All its keys are chained from it. */
  private firstKeys: (PairingKey | undefined)[] = [];
  /** By owner and task, if the chain got long. */
  private readonly longChains = new Map<number, Map<number, PairingKey>>();
  /** Everything before this time was settled. */
  private settledUtcMs = -Infinity;
  private readonly decisions: Decisions;

  constructor(outcome: PairingOutcome) {
    this.decisions = new Decisions(this.pending, outcome, (task, caller) =>
      this.names.nameOf(task === NO_TASK ? null : this.tasks.guidOf(task), caller),
    );
  }

  /** Everything before this time was settled; -Infinity if nothing was. */
  get horizonUtcMs(): number {
    return this.settledUtcMs;
  }

  /** Begins whose end may still come: the owner and the time of each. */
  listOpen(): readonly (readonly [owner: number, atUtcMs: number])[] {
    const open: (readonly [number, number])[] = [];
    for (const { owner, run } of this.listHolding())
      if (run?.isOpen === true) run.visit((slot) => void open.push([owner, this.timeOf(slot)]));
    return open;
  }

  /** Events that are neither decided nor an open begin. */
  get held(): number {
    return this.pending.count - this.listOpen().length;
  }

  /** The key for an event of the database. The first such event makes it. */
  keyOf(owner: number, register: EventRegister): PairingKey {
    if (register.hasActivity !== true) return this.findKey(owner, NO_TASK);
    const task = this.tasks.numberOf(register.guid0, register.guid1, register.guid2, register.guid3);
    // A new task has no key yet; looking for it would go through all keys of the database.
    return this.tasks.isNew === true ? this.addKey(task, owner) : this.findKey(owner, task);
  }

  /** Keeps an event of that key and gives its slot, which is then taken, added or dropped. */
  keep(register: EventRegister, row: Pick<EventRow, 'fileName' | 'fileOffset'>): number {
    return this.pending.add(
      register,
      register.hasActivity === true ? register.sequence : this.sources.numberOf(row),
    );
  }

  /** Takes the event of a slot. If another slot holds the same event, drops it and gives false. */
  take(key: PairingKey, slot: number): boolean {
    if (key.appendNext(slot) !== true) {
      const same = key.find(slot);
      if (same !== NONE) {
        this.pending.callers[same] = this.pending.joinCallers(same, slot);
        this.drop(slot);
        return false;
      }
      key.add(slot);
    }
    if (key.isHeld !== true) this.hold(key);
    return true;
  }

  /** Takes the event of a slot that no other slot holds. */
  add(key: PairingKey, slot: number): void {
    key.add(slot);
    if (!key.isHeld) this.hold(key);
  }

  timeOf(slot: number): number {
    return this.pending.atUtcMs[slot] as number;
  }

  /** Forgets the event of a slot. */
  drop(slot: number): void {
    this.pending.release(slot);
  }

  /**
   * Decides about everything before `horizonUtcMs`. The caller promises that no older event will still arrive, and none
   * that its task fired earlier. Within a task an event also waits for the task's earlier ones. Infinity means that
   * nothing more will come: then nothing stays open or held. If `refuse` is null, no begin and end are refused as a
   * pair. In steps; use nothing here before the last one.
   */
  *settle(horizonUtcMs: number, refuse: Refuse | null): Steps<void> {
    const isFinal = horizonUtcMs === Infinity;
    const settledUtcMs = isFinal ? this.findEnd() : horizonUtcMs;
    this.decisions.refuse = refuse;
    const { holding } = this;
    let kept = 0;
    for (let i = 0; i < this.holdingCount; i++) {
      if (i > 0 && i % KEYS_A_STEP === 0) yield;
      const key = holding[i] as PairingKey;
      if (key.isWaiting) key.settle(horizonUtcMs);
      const { run } = key;
      if (run !== null && run.length > 0) {
        if (isFinal) run.finish();
        else if (!key.isWaiting && run.length > 1) run.expire(horizonUtcMs);
      }
      key.isHeld = !key.isEmpty;
      if (key.isHeld) holding[kept++] = key;
    }
    this.holdingCount = kept;
    this.settledUtcMs = Math.max(this.settledUtcMs, settledUtcMs);
    if (this.keys.length > this.holdingCount * 2 + MOST_EMPTY) this.sweep();
  }

  /** Gives the undecided events of these owners to the owners that they belong to now. */
  reassign(owners: ReadonlySet<number>, ownerAt: (owner: number, atUtcMs: number) => number): void {
    const moved = this.keys
      .filter((key) => owners.has(key.owner))
      .map((key) => ({ key, slots: key.drain() }));
    for (const { key, slots } of moved) {
      for (const slot of slots) {
        this.pending.next[slot] = NONE;
        this.add(this.findKey(ownerAt(key.owner, this.pending.atUtcMs[slot] as number), key.task), slot);
      }
    }
  }

  /**
   * All undecided events, to be kept, and where those without activity id were read; `idOf` gives the database_id of an
   * owner.
   */
  keepPending(idOf: (owner: number) => number): {
    readonly pending: PendingColumns;
    readonly pendingSources: readonly RowSource[];
  } {
    const { atUtcMs, mark, isEnd, callers, count } = this.pending;
    const kept = createPendingColumns(count);
    const sources = new Map<number, number>();
    let row = 0;
    let databaseId = 0;
    let hasActivity = false;
    let task = NO_TASK;
    const keep = (slot: number): void => {
      kept.atUtcMs[row] = atUtcMs[slot] as number;
      kept.mark[row] = hasActivity ? (mark[slot] as number) : placeOf(sources, mark[slot] as number);
      kept.databaseId[row] = databaseId;
      kept.kind[row] = (isEnd[slot] as number) + (hasActivity ? 2 : 0);
      kept.callers[row] = callers[slot] as number;
      if (hasActivity) kept.guids.set(this.tasks.guidOf(task), 4 * row);
      row++;
    };
    for (let at = 0; at < this.holdingCount; at++) {
      const key = this.holding[at] as PairingKey;
      ({ hasActivity, task } = key);
      databaseId = idOf(key.owner);
      key.visit(keep);
    }
    return {
      pending: kept,
      pendingSources: [...sources.keys()].map((number) => this.sources.sourceOf(number)),
    };
  }

  private listHolding(): readonly PairingKey[] {
    return this.holding.slice(0, this.holdingCount);
  }

  private hold(key: PairingKey): void {
    key.isHeld = true;
    this.holding[this.holdingCount++] = key;
  }

  /** The first time after every event that was ever taken. */
  private findEnd(): number {
    let latestUtcMs = -Infinity;
    for (const key of this.listHolding())
      key.visit((slot) => (latestUtcMs = Math.max(latestUtcMs, this.timeOf(slot))));
    return latestUtcMs < this.settledUtcMs ? this.settledUtcMs : latestUtcMs + 1;
  }

  private findKey(owner: number, task: number): PairingKey {
    const last = this.firstKeys[owner];
    if (last !== undefined && last.task === task) return last;
    let key = last;
    let looked = 0;
    while (key !== undefined && key.task !== task && looked++ < LONG_CHAIN) key = key.next;
    if (looked > LONG_CHAIN) key = this.findInLongChain(owner, task);
    return key ?? this.addKey(task, owner);
  }

  private addKey(task: number, owner: number): PairingKey {
    return this.link(new PairingKey(this.pending, task, owner, this.decisions));
  }

  /** Puts the key after the first one of its database, so that the long-lived task stays first. */
  private link(key: PairingKey): PairingKey {
    const { owner } = key;
    this.keys.push(key);
    while (this.firstKeys.length <= owner) this.firstKeys.push(undefined);
    const first = this.firstKeys[owner];
    if (first === undefined) this.firstKeys[owner] = key;
    else {
      key.next = first.next;
      first.next = key;
    }
    this.longChains.get(owner)?.set(key.task, key);
    return key;
  }

  private findInLongChain(owner: number, task: number): PairingKey | undefined {
    let byTask = this.longChains.get(owner);
    if (byTask === undefined) {
      byTask = new Map();
      for (let key = this.firstKeys[owner]; key !== undefined; key = key.next) byTask.set(key.task, key);
      this.longChains.set(owner, byTask);
    }
    return byTask.get(task);
  }

  /** Forgets tasks, keys and sources that no undecided event needs. */
  private sweep(): void {
    const keys = this.keys.filter((key) => !key.isEmpty);
    this.holding.length = this.holdingCount;
    this.keys = [];
    this.firstKeys = [];
    this.longChains.clear();
    const tasks = new Set<number>();
    const sources = new Set<number>();
    for (const key of keys) {
      key.next = undefined;
      this.link(key);
      if (key.hasActivity) tasks.add(key.task);
      else for (const slot of key.list()) sources.add(this.pending.mark[slot] as number);
    }
    this.tasks.keepOnly(tasks);
    this.names.sweep();
    this.sources.keepOnly(sources);
  }
}

/** The place of a number among those seen so far. */
function placeOf(places: Map<number, number>, number: number): number {
  const known = places.get(number);
  if (known === undefined) places.set(number, places.size);
  return known ?? places.size - 1;
}

/** A duration beyond this (49.7 days) does not fit its column. */
const LONGEST_DURATION_MS = 0xffffffff;

/**
 * Told of each decision. `owner` is the number of a database of the capture, `task` the name of the task that ran it; 0:
 * not known.
 */
interface PairingOutcome {
  readonly checkpoint: (owner: number, beginUtcMs: number, durationMs: number, task: number) => void;
  readonly unpaired: (owner: number, isEnd: boolean, atUtcMs: number, reason: UnpairedReason) => void;
}

/** Why a begin and an end of that database at these times are no pair; null if they are. */
type Refuse = (owner: number, beginUtcMs: number, endUtcMs: number) => UnpairedReason | null;

/** Frees the slots of decided events, and tells the outcome. */
class Decisions implements RunOutcome {
  /** null while no begin and end have to be refused as a pair. */
  refuse: Refuse | null = null;

  constructor(
    private readonly pending: PendingEvents,
    private readonly outcome: PairingOutcome,
    private readonly nameOf: (task: number, caller: number) => number,
  ) {}

  pair(owner: number, begin: number, end: number, task: number): void {
    const { pending } = this;
    const beginUtcMs = pending.atUtcMs[begin] as number;
    const endUtcMs = pending.atUtcMs[end] as number;
    const refusal = this.refusePair(owner, beginUtcMs, endUtcMs);
    if (refusal !== null) {
      this.giveUp(owner, begin, refusal);
      this.giveUp(owner, end, refusal);
      return;
    }
    pending.release(begin);
    pending.release(end);
    const name = this.nameOf(task, pending.joinCallers(begin, end));
    this.outcome.checkpoint(owner, beginUtcMs, endUtcMs - beginUtcMs, name);
  }

  giveUp(owner: number, slot: number, reason: UnpairedReason): void {
    const { pending } = this;
    pending.release(slot);
    this.outcome.unpaired(owner, pending.isEnd[slot] === 1, pending.atUtcMs[slot] as number, reason);
  }

  private refusePair(owner: number, beginUtcMs: number, endUtcMs: number): UnpairedReason | null {
    if (endUtcMs < beginUtcMs) return 'clock moved back';
    if (endUtcMs - beginUtcMs > LONGEST_DURATION_MS) return 'too long';
    return this.refuse === null ? null : this.refuse(owner, beginUtcMs, endUtcMs);
  }
}
