import type { Agenda } from './agenda';
import { findAction, findEvent } from './event-catalogue';
import type { FileTarget } from './event-file';
import { passesPredicate } from './event-predicate';
import type { RingTarget } from './event-ring';
import type { EventLayout, EventRow, FiredEvent } from './event-row';
import type { EventDefinition } from './instance';
import type { OpenRun } from './ledger';

/** Bytes of one event in a buffer: header and fields, then each action. Model's choice, near the published 60 to 120. */
const EVENT_BYTES = 72;
const ACTION_BYTES = 24;
const CAUSALITY_BYTES = 40;
/** MAX_MEMORY is divided into three buffers when memory is not partitioned. Microsoft Learn, "CREATE EVENT SESSION", MEMORY_PARTITION_MODE. */
const BUFFERS = 3;

export interface RunOptions {
  readonly causality: boolean;
  /** MAX_DISPATCH_LATENCY; undefined for INFINITE. */
  readonly dispatchLatencyUs: number | undefined;
  readonly maxMemoryBytes: number;
}

/**
 * A session while it runs: events go to a buffer, the buffer to the targets when it is full or its oldest event has waited for MAX_DISPATCH_LATENCY.
 *   fire -> [buffer] -> dispatch -> file, ring
 */
export class RunningSession {
  private subscriptions = new Map<string, { readonly definition: EventDefinition; readonly layout: EventLayout }>();
  private rows: EventRow[] = [];
  private bytes = 0;
  private generation = 0;
  private isOver = false;
  buffersProcessed = 0;
  buffersFilled = 0;
  bytesGenerated = 0;

  constructor(
    readonly startedUs: number,
    private readonly options: RunOptions,
    private readonly agenda: Agenda,
    readonly ledger: OpenRun,
    readonly files: FileTarget[],
    readonly rings: RingTarget[],
  ) {}

  get bufferBytes(): number {
    return this.options.maxMemoryBytes / BUFFERS;
  }

  subscribe(definition: EventDefinition): void {
    const event = findEvent(definition.package, definition.name);
    if (event === undefined) throw new RangeError(`unknown event ${definition.package}.${definition.name}`);
    const actions = definition.actions.flatMap((written) => findAction(written) ?? []);
    this.subscriptions.set(event.name, { definition, layout: { event, actions, causality: this.options.causality } });
  }

  unsubscribe(eventName: string): void {
    this.subscriptions.delete(eventName.toLowerCase());
  }

  take(fired: FiredEvent): void {
    const subscription = this.subscriptions.get(fired.event.name);
    if (subscription === undefined || !passesPredicate(subscription.definition.predicate, fired)) return;
    const { layout } = subscription;
    const { atUs, databaseId, task, sequence } = fired;
    this.rows.push({ layout, atUs, databaseId, task, sequence, more: fired.more ?? [] });
    this.bytes += EVENT_BYTES + layout.actions.length * ACTION_BYTES + (layout.causality ? CAUSALITY_BYTES : 0);
    this.ledger.countEvent();
    if (fired.checkpoint !== undefined) this.ledger.captured(fired.checkpoint.phase, fired.checkpoint.number);
    if (this.bytes >= this.bufferBytes) {
      this.buffersFilled += 1;
      this.dispatch(atUs);
    } else if (this.rows.length === 1) this.dispatchLater(atUs);
  }

  /** Stopping flushes what is buffered. @returns after the targets have it. */
  stop(atUs: number): void {
    this.dispatch(atUs);
    this.isOver = true;
    this.ledger.stopped(Math.floor(atUs / 1000));
  }

  dispatch(atUs: number): void {
    this.generation += 1;
    if (this.rows.length === 0 || this.isOver) return;
    this.buffersProcessed += 1;
    this.bytesGenerated += this.bytes;
    this.files.forEach((file) => file.write(this.rows, this.bytes, atUs));
    this.rings.forEach((ring) => ring.write(this.rows));
    this.rows = [];
    this.bytes = 0;
  }

  private dispatchLater(atUs: number): void {
    const { dispatchLatencyUs } = this.options;
    if (dispatchLatencyUs === undefined) return;
    const generation = this.generation;
    this.agenda.enter(atUs + dispatchLatencyUs, (dueUs) => {
      if (this.generation === generation) this.dispatch(dueUs);
    });
  }
}
