import { NONE, type PendingColumns } from '../pairing/pending-events';
import { finishSteps, ROWS_A_STEP, type Steps } from '../steps';
import type { CapturePlainState, CaptureState, MalformedRow } from './capture-state';
import type { Catalog } from './catalog';
import type { CapturedDatabase, CheckpointColumns, Observation } from './checkpoint-columns';
import { CheckpointStore, type CheckpointSlice, type RowRange, sliceColumns } from './checkpoint-store';
import { DatabaseIndex, describeTooMany } from './database-index';
import type { EventRow } from '../events/event';
import { Handovers } from './handovers';
import { EventReader } from '../events/event-reader';
import { EventRegister } from '../events/event-register';
import type { Gap, GapKind } from '../session/gap';
import { type Ledger, RowAccount } from './ledger';
import { ObservationLog } from './observation';
import { Pairing } from '../pairing/pairing';
import type { PairingKey } from '../pairing/pairing-key';
import { AHEAD } from '../events/event-xml';
import { SettledBatch } from './settled-batch';
import { findSettledEvents, type LateEvent } from './settled-events';
import {
  type OpenBegins,
  UNPAIRED_REASONS,
  UnpairedStore,
  type UnpairedEvent,
  type UnpairedReason,
} from '../pairing/unpaired';

/** A page may be read that long after the look at the clock. */
const AHEAD_MS = 60 * 60_000;
/** The times of the begins and ends among rows that were appended. */
export interface AppendedEvents {
  /** Of all of them, also those left out; Infinity and -Infinity if there are none. */
  readonly firstUtcMs: number;
  readonly lastUtcMs: number;
  /** The first one taken that is later than the time asked about; Infinity if there is none. */
  readonly firstBehindUtcMs: number;
  /** Some were older than the earliest time, and were left out. */
  readonly hasEarlier: boolean;
}

/**
 * One history of checkpoints from its first row to its last. Rows go in, in any order and cut anyhow. Checkpoints come
 * out, events that did not pair, and an account of every row. It never fails because of a row.
 */
export class Capture {
  private readonly reader = new EventReader();
  private readonly register = new EventRegister();
  private readonly store = new CheckpointStore();
  private readonly index = new DatabaseIndex();
  private readonly unpairedStore = new UnpairedStore();
  private readonly account = new RowAccount();
  private readonly observationLog = new ObservationLog();
  private readonly batch = new SettledBatch();
  /** Always a number: a field that may be null would cost an object for every event. */
  private lastUtcMs = -Infinity;
  private generationNumber = 1;
  private readonly pairing = new Pairing({
    checkpoint: (owner, beginUtcMs, durationMs, task) =>
      this.batch.addCheckpoint(beginUtcMs, durationMs, this.index.columnOf(owner) ?? 0, task),
    unpaired: (owner, isEnd, atUtcMs, reason) =>
      this.batch.addUnpaired(isEnd, this.index.idOf(owner), atUtcMs, reason),
  });
  private readonly refuse = (owner: number, beginUtcMs: number, endUtcMs: number): UnpairedReason | null => {
    if (this.index.columnOf(owner) === null) return 'database replaced';
    return this.observationLog.isInterrupted(beginUtcMs, endUtcMs) ? 'across a gap' : null;
  };

  private readonly namingBatch = new SettledBatch();
  /** The naming by the latest catalog, which may not be done yet. */
  private naming: Steps<void> | null = null;

  constructor(readonly id: string) {}

  /** Rises if rows given out earlier are no longer true; appending does not raise it. */
  get generation(): number {
    return this.generationNumber;
  }

  /** Checkpoints so far, without copying. The view stays true while rows are appended. */
  get columns(): CheckpointColumns {
    return { ...this.store.columns(), callers: this.pairing.names.callers };
  }

  /** In the order of the numbers in the `database` column. */
  get databases(): readonly CapturedDatabase[] {
    return this.index.databases;
  }

  get gaps(): readonly Gap[] {
    return this.observationLog.gaps;
  }

  /** What was watched; null until `observe` was called. */
  get observation(): Observation | null {
    return this.observationLog.describe(this.databases);
  }

  /** The time of the latest event so far; null before the first one. */
  get lastEventUtcMs(): number | null {
    return this.lastUtcMs === -Infinity ? null : this.lastUtcMs;
  }

  /** Shows this capture in place of another of the same id: rows given out of that one are sent again. */
  replace(other: Pick<Capture, 'generation'>): void {
    this.generationNumber = Math.max(this.generationNumber, other.generation) + 1;
  }

  /**
   * Takes rows as read from the target. None becomes a checkpoint before `settle`. A row that is read again is counted
   * as a duplicate.
   * @param earliestUtcMs older begins and ends are left out, and not counted: files can hold what an earlier run of a
   * session wrote
   * @param behindUtcMs the time for `firstBehindUtcMs`
   * @param nowUtcMs by the server's clock. Much later ones are of a clock that was ahead and was set right: they cannot
   * be placed, and would hold up what came after them
   */
  append(
    rows: readonly EventRow[],
    earliestUtcMs = -Infinity,
    behindUtcMs = -Infinity,
    nowUtcMs = Infinity,
  ): AppendedEvents {
    const late: LateEvent[] = [];
    const { reader, register } = this;
    let firstUtcMs = Infinity;
    let lastUtcMs = -Infinity;
    let firstBehindUtcMs = Infinity;
    let leftOut = 0;
    for (const row of rows) {
      const reading = reader.read(row, register);
      if (reading !== null) {
        this.countReading(reading, row);
        continue;
      }
      const { atUtcMs } = register;
      if (atUtcMs > nowUtcMs + AHEAD_MS) {
        this.countReading(AHEAD, row);
        continue;
      }
      if (atUtcMs < firstUtcMs) firstUtcMs = atUtcMs;
      if (atUtcMs > lastUtcMs) lastUtcMs = atUtcMs;
      if (atUtcMs < earliestUtcMs) {
        leftOut++;
        continue;
      }
      if (atUtcMs > behindUtcMs && atUtcMs < firstBehindUtcMs) firstBehindUtcMs = atUtcMs;
      this.observationLog.seeEvent(row.fileName, atUtcMs);
      this.appendEvent(row, late);
    }
    this.account.rowsRead += rows.length - leftOut;
    if (late.length > 0) this.appendLate(late);
    return { firstUtcMs, lastUtcMs, firstBehindUtcMs, hasEarlier: leftOut > 0 };
  }

  /**
   * Pairs everything before `horizonUtcMs`. The caller promises that no older event will still arrive. Infinity after
   * the last read: then no event stays open or held.
   */
  settle(horizonUtcMs: number): void {
    finishSteps(this.settleInSteps(horizonUtcMs));
  }

  /** The same in steps. Do not use the capture before the last one. */
  private *settleInSteps(horizonUtcMs: number): Steps<void> {
    // A gap that is not known yet may spoil what comes behind its begin.
    const untilUtcMs =
      horizonUtcMs === Infinity ? Infinity : Math.min(horizonUtcMs, this.observationLog.readToUtcMs);
    yield* this.pairing.settle(untilUtcMs, this.index.hasDoubts || this.gaps.length > 0 ? this.refuse : null);
    this.batch.appendTo(this.store, this.unpairedStore);
    if (horizonUtcMs === Infinity) this.store.trim();
  }

  /** Adds time to what was watched. */
  observe(beginUtcMs: number, endUtcMs: number): void {
    this.observationLog.extend(beginUtcMs, endUtcMs);
  }

  /** Adds rows that were read elsewhere. Whoever read them says which time those spoil that could not be read. */
  addRows(account: RowAccount): void {
    this.account.add(account.keep());
  }

  /** Marks time in which events may have been lost. A begin before it and an end after it are not paired. */
  addGap(gap: Gap): void {
    this.observationLog.addGap(gap);
  }

  /** Takes back the gap of that kind and begin: the events were read after all. */
  removeGap(kind: GapKind, beginUtcMs: number): void {
    this.observationLog.removeGap(kind, beginUtcMs);
  }

  /**
   * Takes names from the server's catalog, and which database each database_id belongs to now. If an id was given
   * again, the later database gets what was counted for the earlier one since, and `generation` rises. In steps;
   * checkpoints change in the last one. If two catalogs are given, the second is taken once the first is done.
   */
  nameDatabases(catalog: Catalog): Steps<void> {
    this.finishNaming();
    return (this.naming = this.takeCatalog(catalog));
  }

  /** Rows as buffers of exactly their size, to be sent to the webview. */
  slice(fromRow: number, toRow: number): CheckpointSlice {
    return sliceColumns(this.columns, fromRow, toRow);
  }

  /** The smallest range of rows that holds every checkpoint that begins in the half-open time. It may hold others. */
  findRows(fromUtcMs: number, toUtcMs: number): RowRange {
    return this.store.findRows(fromUtcMs, toUtcMs);
  }

  /** Events that became no checkpoint, each settling's in order of time; `from` and `to` cut a part of a long list. */
  unpaired(from?: number, to?: number): readonly UnpairedEvent[] {
    return this.unpairedStore.list(from, to);
  }

  open(): OpenBegins {
    const begins = this.pairing.listOpen().map(([owner, atUtcMs]) => {
      return {
        databaseId: this.index.idOf(owner),
        atUtcMs,
        kind: 'begin',
        reason: 'begin without end',
      } as const;
    });
    return { begins, untilUtcMs: this.pairing.horizonUtcMs };
  }

  /** The first 1,000 malformed rows. */
  malformed(): readonly MalformedRow[] {
    return this.account.malformed;
  }

  ledger(): Ledger {
    const { rowsRead, duplicates, malformedCount: malformed, other, otherByName } = this.account;
    const checkpoints = this.store.count;
    const unpaired = this.unpairedStore.count;
    const open = this.pairing.listOpen().length;
    const held = this.pairing.held;
    return { rowsRead, checkpoints, unpaired, duplicates, malformed, other, otherByName, open, held };
  }

  /** The whole capture, for keeping and for `restoreCapture`. The columns are views: true until the next `append`. */
  keepState(): CaptureState {
    this.finishNaming();
    const { horizonUtcMs } = this.pairing;
    const { pending, pendingSources } = this.pairing.keepPending((owner) => this.index.idOf(owner));
    const plain: CapturePlainState = {
      id: this.id,
      generation: this.generationNumber,
      ...this.account.keep(),
      horizonUtcMs: horizonUtcMs === -Infinity ? null : horizonUtcMs,
      lastEventUtcMs: this.lastEventUtcMs,
      ...this.observationLog.keep(),
      ...this.index.keep(),
      pendingSources,
      unpairedReasons: UNPAIRED_REASONS,
    };
    const taskGuids = this.pairing.names.keep();
    return { plain, columns: this.columns, taskGuids, unpaired: this.unpairedStore.keep(), pending };
  }

  /** Restores a state into an empty capture, in steps. */
  *takeState(state: CaptureState): Steps<void> {
    const { plain, columns, taskGuids, unpaired } = state;
    this.generationNumber = plain.generation;
    this.account.add(plain);
    this.observationLog.restore(plain);
    this.index.restore(plain.databases, plain.expectedDatabases);
    this.lastUtcMs = plain.lastEventUtcMs ?? -Infinity;
    this.store.restore(columns);
    yield* this.unpairedStore.restore(unpaired, plain.unpairedReasons);
    this.pairing.names.restore(taskGuids, columns.callers ?? new Uint32Array(0));
    yield* this.takePending(state);
    if (plain.horizonUtcMs !== null) yield* this.settleInSteps(plain.horizonUtcMs);
  }

  /** Does the remaining steps of naming, so that what is kept never has names of one catalog and rows of another. */
  private finishNaming(): void {
    if (this.naming !== null) finishSteps(this.naming);
  }

  private *takeCatalog(catalog: Catalog): Steps<void> {
    const { index, namingBatch: batch } = this;
    const moved = index.read(catalog);
    if (moved.size === 0) return;
    this.pairing.reassign(moved, (owner, atUtcMs) => index.ownerAt(index.idOf(owner), atUtcMs));
    const handovers = new Handovers(index.listHandovers(moved));
    const isRewritten = yield* this.store.rewrite(handovers, (database, beginUtcMs, endUtcMs) => {
      const databaseId = index.databases[database]?.databaseId ?? 0;
      batch.addUnpaired(false, databaseId, beginUtcMs, 'database replaced');
      batch.addUnpaired(true, databaseId, endUtcMs, 'database replaced');
    });
    batch.appendTo(this.store, this.unpairedStore);
    if (isRewritten) this.generationNumber++;
  }

  /** Takes the event in the register. */
  private appendEvent(row: EventRow, late: LateEvent[]): void {
    const { register, index, pairing, account } = this;
    const owner = index.ownerOf(register);
    if (owner < 0) return account.countMalformed(describeTooMany(register.databaseId), row);
    const key = pairing.keyOf(owner, register);
    const slot = pairing.keep(register, row);
    const { isEnd, databaseId, atUtcMs } = register;
    if (atUtcMs >= pairing.horizonUtcMs || (!key.isNext(slot) && key.find(slot) !== NONE))
      this.takeEvent(key, slot);
    else late.push({ key, slot, isEnd, databaseId, atUtcMs });
  }

  /** Counts a row that is neither a begin nor an end. */
  private countReading(reading: Exclude<ReturnType<EventReader['read']>, null>, row: EventRow): void {
    if (reading.kind === 'malformed') {
      this.account.countMalformed(reading, row);
      this.observationLog.seeUnread();
    } else if (reading.kind === 'other') this.account.countOther(reading.name);
  }

  /** Takes events older than what was settled. Most of them were settled themselves and are read again. */
  private appendLate(events: readonly LateEvent[]): void {
    const settled = findSettledEvents(events, this.store, this.databases, this.unpairedStore);
    for (const event of events) {
      if (!settled.has(event)) this.takeEvent(event.key, event.slot);
      else {
        this.account.duplicates++;
        this.pairing.drop(event.slot);
      }
    }
  }

  private takeEvent(key: PairingKey, slot: number): void {
    const atUtcMs = this.pairing.timeOf(slot);
    if (this.pairing.take(key, slot) !== true) this.account.duplicates++;
    else if (atUtcMs > this.lastUtcMs) this.lastUtcMs = atUtcMs;
  }

  private *takePending({ pending, plain }: CaptureState): Steps<void> {
    const { register, pairing } = this;
    for (let row = 0; row < pending.rows; row++) {
      if (row > 0 && row % PENDING_A_STEP === 0) yield;
      const mark = pending.mark[row] as number;
      readPending(pending, row, register);
      const owner = this.index.ownerAt(register.databaseId, register.atUtcMs);
      if (owner < 0) continue;
      pairing.add(
        pairing.keyOf(owner, register),
        pairing.keep(register, plain.pendingSources[mark] ?? NO_SOURCE),
      );
    }
  }
}

/** Undecided events restored in one step: about 5 ms. */
const PENDING_A_STEP = ROWS_A_STEP / 16;
const NO_SOURCE = { fileName: null, fileOffset: null };

function readPending(
  { kind, databaseId, atUtcMs, mark, guids, callers }: PendingColumns,
  row: number,
  into: EventRegister,
): void {
  into.isEnd = ((kind[row] as number) & 1) === 1;
  into.hasActivity = ((kind[row] as number) & 2) === 2;
  into.databaseId = databaseId[row] as number;
  into.atUtcMs = atUtcMs[row] as number;
  into.sequence = mark[row] as number;
  into.caller = callers[row] as number;
  into.guid0 = guids[4 * row] as number;
  into.guid1 = guids[4 * row + 1] as number;
  into.guid2 = guids[4 * row + 2] as number;
  into.guid3 = guids[4 * row + 3] as number;
}

/** An empty capture. `id` names it in messages to the webview and on disk. */
export function createCapture(options: { readonly id: string }): Capture {
  return new Capture(options.id);
}

/** Restores, in steps, the capture that `keepState` gave. It goes on where it was. */
export function* restoreCapture(state: CaptureState): Steps<Capture> {
  const capture = new Capture(state.plain.id);
  yield* capture.takeState(state);
  return capture;
}
