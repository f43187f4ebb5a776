import type { Agenda } from '../time/agenda';
import { findAction, type CatalogueAction, type XmlContext } from './event-actions';
import type { CatalogueEvent } from './event-catalogue';
import type { EventDisk } from './event-disk';
import type { FileTarget } from './event-file';
import type { RunOptions } from './event-options';
import { compilePredicate } from './event-predicate';
import type { RingTarget } from './event-ring';
import type { EventLayout, EventRow, FiredEvent } from './event-row';
import type { EventDefinition } from '../../scenarios/event-session';
import type { OpenRun } from '../ledger/ledger';
import { unitOf } from '../../scenarios/random';

/**
 * Bytes of one event in a buffer: header and fields, then each action. Model's choice, near the published 60 to 120.
 */
const EVENT_BYTES = 72;
const ACTION_BYTES = 24;
const CAUSALITY_BYTES = 40;
/**
 * An event takes up to 50 ms to reach the buffer, drawn for each event. So if two tasks fire close together, the later
 * event may be written first: file order is not time order (docs/facts.md, SQL Server 3). How far off it is on a real
 * server is not published. The events of one task keep their order.
 */
const MOST_PLACING_US = 50_000;

const NOTHING: readonly (number | string)[] = [];

/** An event in a buffer, on its way to the targets. */
interface Placed {
  readonly row: EventRow;
  readonly placedUs: number;
  readonly checkpoint: FiredEvent['checkpoint'];
}

interface Buffer {
  events: Placed[];
  bytes: number;
}

interface Subscription {
  readonly layout: EventLayout;
  readonly passes: (fired: FiredEvent) => boolean;
  readonly collected: readonly NonNullable<CatalogueAction['ofEvent']>[];
  readonly texts: readonly NonNullable<CatalogueAction['ofTask']>[];
  readonly bytes: number;
}

interface RunSurroundings {
  readonly agenda: Agenda;
  readonly disk: EventDisk;
  readonly context: XmlContext;
  readonly seed: number;
}

/**
 * A session while it runs. Each set of buffers fills one at a time. The dispatcher takes it to the targets when it is
 * full, or when its oldest event has waited for MAX_DISPATCH_LATENCY. While the targets are stalled, full buffers wait;
 * if no buffer is left, the retention mode decides what is lost.
 *   fire -> [filling] -> [waiting]... -> dispatch -> file, ring
 * Every event that passes its predicate is captured, lost or still in a buffer; after a stop it is captured or lost.
 */
export class RunningSession {
  private readonly subscriptions = new Map<string, Subscription>();
  private filling: Buffer = { events: [], bytes: 0 };
  private waiting: Buffer[] = [];
  private readonly placed = new WeakMap<object, number>();
  private eventNumber = 0;
  private isOver = false;
  droppedEvents = 0;

  constructor(
    readonly startedUs: number,
    readonly options: RunOptions,
    private readonly surroundings: RunSurroundings,
    readonly ledger: OpenRun,
    readonly files: FileTarget[],
    readonly rings: RingTarget[],
  ) {}

  subscribe(event: CatalogueEvent, definition: EventDefinition): void {
    const actions = definition.actions.flatMap((written) => findAction(written) ?? []);
    const { causality } = this.options;
    this.subscriptions.set(event.name, {
      layout: { event, actions, causality },
      passes: compilePredicate(definition.predicate, event, this.surroundings.context),
      collected: actions.flatMap((action) => action.ofEvent ?? []),
      texts: actions.flatMap((action) =>
        action.type === 'unicode_string' && action.ofTask !== undefined ? [action.ofTask] : [],
      ),
      bytes: EVENT_BYTES + actions.length * ACTION_BYTES + (causality ? CAUSALITY_BYTES : 0),
    });
  }

  unsubscribe(eventName: string): void {
    this.subscriptions.delete(eventName.toLowerCase());
  }

  take(fired: FiredEvent): void {
    const subscription = this.subscriptions.get(fired.event.name);
    if (this.isOver || subscription === undefined || !subscription.passes(fired)) return;
    this.eventNumber += 1;
    const bytes = this.sizeOf(fired, subscription);
    const { bufferBytes } = this.options;
    if (bytes > bufferBytes) return this.loseEvent();
    const event = this.place(fired, subscription);
    if (this.filling.bytes + bytes > bufferBytes && !this.makeRoom(fired.atUs)) return this.loseEvent();
    const buffer = this.filling;
    buffer.events.push(event);
    buffer.bytes += bytes;
    if (buffer.events.length === 1) this.dispatchLater(buffer, fired.atUs);
  }

  /** Stopping writes what is buffered, however slow the targets are; the caller does not wait for them. */
  stop(atUs: number): void {
    if (this.isOver) return;
    this.drain(atUs);
    this.deliver(this.filling, atUs);
    this.isOver = true;
    this.ledger.stopped(Math.floor(atUs / 1000));
  }

  /** The server crashed: what was buffered is lost, and no counter says so. */
  crash(atUs: number): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const { events } of [...this.waiting, this.filling]) this.ledger.countLost(events.length);
    this.ledger.stopped(Math.floor(atUs / 1000));
  }

  /** Sends what is buffered to the targets, unless they are stalled. */
  flush(atUs: number): void {
    if (this.isOver || this.isStalled(atUs)) return;
    this.drain(atUs);
    this.deliver(this.replace(), atUs);
  }

  private place(fired: FiredEvent, { layout, collected }: Subscription): Placed {
    const { atUs, databaseId, task, sequence, checkpoint } = fired;
    const fields = fired.more ?? NOTHING;
    const own =
      collected.length === 0 ? NOTHING : collected.map((read) => toCell(read({ number: this.eventNumber })));
    const more = own.length === 0 ? fields : [...pad(fields, layout.event.fields.length - 1), ...own];
    const delayUs = Math.floor(
      unitOf(this.surroundings.seed, Math.floor(this.startedUs / 1000), this.eventNumber) * MOST_PLACING_US,
    );
    const placedUs = Math.max(this.placed.get(task) ?? 0, atUs + delayUs);
    this.placed.set(task, placedUs);
    return { row: { layout, atUs, databaseId, task, sequence, more }, placedUs, checkpoint };
  }

  /** Text takes two bytes for each character; the fixed size of an action includes numbers. */
  private sizeOf({ task }: FiredEvent, { texts, bytes }: Subscription): number {
    return texts.reduce((sum, read) => sum + String(read(task, this.surroundings.context)).length * 2, bytes);
  }

  private isStalled(atUs: number): boolean {
    return this.files.length > 0 && atUs < this.surroundings.disk.stalledUntilUs;
  }

  /** Replaces a full buffer by an empty one, if there is one. @returns whether there is room now */
  private makeRoom(atUs: number): boolean {
    const { buffers } = this.options;
    const isFree = !this.isStalled(atUs) || this.waiting.length < buffers - 1;
    if (!isFree) return false;
    const full = this.replace();
    this.handOver(full, atUs);
    return true;
  }

  private replace(): Buffer {
    const buffer = this.filling;
    this.filling = { events: [], bytes: 0 };
    return buffer;
  }

  private handOver(buffer: Buffer, atUs: number): void {
    if (!this.isStalled(atUs)) {
      this.drain(atUs);
      return this.deliver(buffer, atUs);
    }
    this.waiting.push(buffer);
    if (this.waiting.length === 1)
      this.surroundings.agenda.enter(this.surroundings.disk.stalledUntilUs, (dueUs) => this.resume(dueUs));
  }

  private resume(atUs: number): void {
    if (this.isOver) return;
    if (this.isStalled(atUs))
      this.surroundings.agenda.enter(this.surroundings.disk.stalledUntilUs, (dueUs) => this.resume(dueUs));
    else this.flush(atUs);
  }

  private drain(atUs: number): void {
    const { waiting } = this;
    this.waiting = [];
    waiting.forEach((buffer) => this.deliver(buffer, atUs));
  }

  private deliver(buffer: Buffer, atUs: number): void {
    if (buffer.events.length === 0) return;
    const events = buffer.events.sort((a, b) => a.placedUs - b.placedUs);
    const rows = events.map((event) => event.row);
    this.files.forEach((file) => file.write(rows, buffer.bytes, atUs));
    this.rings.forEach((ring) => ring.write(rows));
    for (const { checkpoint } of events) {
      this.ledger.countEvent();
      if (checkpoint !== undefined) this.ledger.captured(checkpoint.phase, checkpoint.number);
    }
    buffer.events = [];
    buffer.bytes = 0;
  }

  private loseEvent(): void {
    this.droppedEvents += 1;
    this.ledger.countLost(1);
  }

  private dispatchLater(buffer: Buffer, atUs: number): void {
    const { dispatchLatencyUs } = this.options;
    if (dispatchLatencyUs === undefined) return;
    this.surroundings.agenda.enter(atUs + dispatchLatencyUs, (dueUs) => {
      if (this.isOver || this.filling !== buffer || buffer.events.length === 0) return;
      // While the dispatcher is stalled, it takes no further buffer before it is full.
      if (this.isStalled(dueUs) && this.waiting.length > 0) return;
      this.handOver(this.replace(), dueUs);
    });
  }
}

function toCell(value: number | string | boolean): number | string {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Adds empty fields for those that an event left out. */
function pad(fields: readonly (number | string)[], length: number): readonly (number | string)[] {
  return fields.length >= length
    ? fields
    : [...fields, ...Array.from({ length: length - fields.length }, () => '')];
}
