import type { CapturedDatabase, CheckpointColumns, Observation } from './checkpoint-columns';
import { CheckpointStore, sliceColumns, type CheckpointSlice } from './checkpoint-store';
import { DatabaseIndex, MOST_DATABASES } from './database-index';
import type { CheckpointEvent, EventRow, MalformedEvent } from './event';
import { readEvent } from './event-xml';
import type { Gap, GapKind } from './gap';
import type { Ledger } from './ledger';
import { ObservationLog } from './observation';
import { Pairing } from './pairing';
import { SCAN_EVENT } from './scan-event';
import { findSettledEvents } from './settled-events';
import { sourceEvent, type SourcedEvent } from './sourced-event';
import { UnpairedStore, type UnpairedEvent, type UnpairedReason } from './unpaired';

/** Malformed rows kept for listing; beyond it they are only counted. */
const MOST_MALFORMED_LISTED = 1000;

/** A malformed row as it is listed: why, where it was read, and how its text begins. */
export interface MalformedRow extends MalformedEvent {
  readonly fileName: string | null;
  readonly fileOffset: string | null;
  readonly excerpt: string;
}

/**
 * One history of checkpoints from its first row to its last: rows go in, in any order and cut in any way; checkpoints, what did not
 * pair, and an account of every row come out. Never fails because of a row.
 */
export class Capture {
  private readonly store = new CheckpointStore();
  private readonly index = new DatabaseIndex();
  private readonly unpairedStore = new UnpairedStore();
  private readonly malformedRows: MalformedRow[] = [];
  private readonly otherByName = new Map<string, number>();
  private readonly observationLog = new ObservationLog();
  private lastUtcMs: number | null = null;
  private rowsRead = 0;
  private duplicates = 0;
  private malformedCount = 0;
  private readonly pairing = new Pairing({
    checkpoint: (databaseId, beginUtcMs, durationMs) => this.store.append(beginUtcMs, durationMs, this.index.indexOf(databaseId) ?? 0),
    unpaired: (event, reason) => this.unpairedStore.append(event, reason),
    isInterrupted: (beginUtcMs, endUtcMs) => this.observationLog.isInterrupted(beginUtcMs, endUtcMs),
  });

  /** Rises when rows given out earlier are no longer true; appending does not raise it. */
  readonly generation = 1;

  constructor(readonly id: string) {}

  /** Checkpoints so far, without copying; the view stays true while rows are appended. */
  get columns(): CheckpointColumns {
    return this.store.columns();
  }

  /** In order of the `database` column. */
  get databases(): readonly CapturedDatabase[] {
    return this.index.databases;
  }

  get gaps(): readonly Gap[] {
    return this.observationLog.gaps;
  }

  /** What was watched; null until `observe` was called. */
  get observation(): Observation | null {
    return this.observationLog.observation;
  }

  /** The time of the latest event so far; null before the first one. */
  get lastEventUtcMs(): number | null {
    return this.lastUtcMs;
  }

  /** Bytes held for settled rows. */
  get bytesHeld(): number {
    return this.store.bytesHeld + this.unpairedStore.bytesHeld;
  }

  /** Takes rows as read from the target. Nothing becomes a checkpoint before `settle`. A row read again is counted as a duplicate. */
  append(rows: readonly EventRow[]): void {
    const late: SourcedEvent[] = [];
    for (const row of rows) {
      this.rowsRead++;
      const event = this.readCheckpointEvent(row);
      if (event === null) continue;
      if (this.pairing.holds(event)) this.duplicates++;
      else if (this.pairing.isLate(event)) late.push(event);
      else this.take(event);
    }
    if (late.length > 0) this.appendLate(late);
  }

  /**
   * Pairs everything before `horizonUtcMs`; the caller promises that no older event will still arrive. Infinity after the last read: then
   * no event stays open or held.
   */
  settle(horizonUtcMs: number): void {
    this.pairing.settle(horizonUtcMs);
    this.observationLog.settle(horizonUtcMs);
    if (horizonUtcMs === Infinity) this.store.trim();
  }

  /** Stretches what was watched. */
  observe(beginUtcMs: number, endUtcMs: number): void {
    this.observationLog.extend(beginUtcMs, endUtcMs);
  }

  /** Marks time in which events may have been lost. A begin before it and an end behind it that settle from now on are not paired. */
  addGap(gap: Gap): void {
    this.observationLog.addGap(gap);
  }

  /** Takes back a gap of that kind and begin: what seemed to be missing has been read after all. */
  removeGap(kind: GapKind, beginUtcMs: number): void {
    this.observationLog.removeGap(kind, beginUtcMs);
  }

  /** Marks a gap that ends with the next event not read before; until there is one, it reaches as far as time was observed. */
  openGap(beginUtcMs: number, kind: GapKind, reason: string): void {
    this.observationLog.openGap(beginUtcMs, kind, reason);
  }

  nameDatabases(names: ReadonlyMap<number, string>): void {
    this.index.name(names);
  }

  /** Rows as exact buffers for the wire. */
  slice(fromRow: number, toRow: number): CheckpointSlice {
    return sliceColumns(this.columns, fromRow, toRow);
  }

  /** Events that became no checkpoint, in the order in which they were given up; `from` and `to` cut a part of a long list. */
  unpaired(from?: number, to?: number): readonly UnpairedEvent[] {
    return this.unpairedStore.list(from, to);
  }

  /** How many events did not pair, by reason (UNPAIRED_SENTENCES has each as a sentence). */
  countUnpaired(): ReadonlyMap<UnpairedReason, number> {
    return this.unpairedStore.countByReason();
  }

  /** The first 1,000 malformed rows. */
  malformed(): readonly MalformedRow[] {
    return this.malformedRows;
  }

  ledger(): Ledger {
    let other = 0;
    for (const count of this.otherByName.values()) other += count;
    return {
      rowsRead: this.rowsRead,
      checkpoints: this.store.count,
      unpaired: this.unpairedStore.count,
      duplicates: this.duplicates,
      malformed: this.malformedCount,
      other,
      otherByName: new Map(this.otherByName),
      open: this.pairing.open,
      held: this.pairing.held,
    };
  }

  /** The event of a row, or null where the row is none and was counted as what it is. */
  private readCheckpointEvent(row: EventRow): SourcedEvent | null {
    const reading = readEvent(row);
    if (reading.kind === 'other' || reading.kind === 'scan') {
      const name = reading.kind === 'scan' ? SCAN_EVENT : reading.name;
      this.otherByName.set(name, (this.otherByName.get(name) ?? 0) + 1);
      return null;
    }
    if (reading.kind === 'malformed') return this.countMalformed(reading, row);
    if (this.index.indexOf(reading.databaseId) === null) return this.countMalformed(tooManyDatabases(reading), row);
    return sourceEvent(reading, row);
  }

  private countMalformed(event: MalformedEvent, row: EventRow): null {
    this.malformedCount++;
    if (this.malformedRows.length < MOST_MALFORMED_LISTED) {
      const excerpt = (row.eventData ?? '').slice(0, 200);
      this.malformedRows.push({ ...event, fileName: row.fileName, fileOffset: row.fileOffset, excerpt });
    }
    return null;
  }

  /** Events dated before what has been settled: most were settled themselves and are read again. */
  private appendLate(events: readonly SourcedEvent[]): void {
    const settled = findSettledEvents(events, this.columns, this.databases, this.unpairedStore);
    for (const event of events) {
      if (settled.has(event) || this.pairing.holds(event)) this.duplicates++;
      else this.take(event);
    }
  }

  private take(event: SourcedEvent): void {
    this.lastUtcMs = Math.max(this.lastUtcMs ?? event.atUtcMs, event.atUtcMs);
    this.observationLog.noteEvent(event.atUtcMs);
    this.pairing.add(event);
  }
}

/** An empty capture. `id` names it across the wire and on disk. */
export function createCapture(options: { readonly id: string }): Capture {
  return new Capture(options.id);
}

function tooManyDatabases(event: CheckpointEvent): MalformedEvent {
  const detail = `Database ${event.databaseId} is beyond the ${MOST_DATABASES} databases that one capture can hold.`;
  return { kind: 'malformed', reason: 'too many databases', detail };
}
