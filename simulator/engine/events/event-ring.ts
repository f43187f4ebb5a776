import type { EventRow } from './event-row';
import type { XmlContext } from './event-actions';
import { makeEventXml } from './event-xml';

/**
 * target_data is cut at about 4 MB on every platform, with two bytes for each character. docs/facts.md, SQL Server 3.
 */
const MOST_XML_BYTES = 4 * 1024 * 1024;
/**
 * By default a ring_buffer keeps 1,000 events of all types together. Microsoft Learn, "Ring Buffer Target",
 * max_events_limit.
 */
const DEFAULT_EVENTS = 1000;
/**
 * A published checkpoint_begin of a ring takes 52 bytes with one action (memoryUsed="104" for two); the shares of event
 * and action are the model's choice.
 */
const EVENT_BYTES = 44;
const ACTION_BYTES = 8;
const CAUSALITY_BYTES = 32;
const KB = 1024;

interface RingOptions {
  /** Infinity if max_events_limit is 0. */
  readonly mostEvents: number;
  /** Infinity if max_memory is absent or 0. */
  readonly mostBytes: number;
  /** How many of each type are kept while other types can make room. */
  readonly occurrences: number;
}

function readRingOptions(options: Readonly<Record<string, string | number>>): RingOptions {
  const given = new Map(Object.entries(options).map(([name, value]) => [name.toLowerCase(), Number(value)]));
  const orEndless = (value: number): number => (value === 0 ? Number.POSITIVE_INFINITY : value);
  return {
    mostEvents: orEndless(given.get('max_events_limit') ?? DEFAULT_EVENTS),
    mostBytes: orEndless((given.get('max_memory') ?? 0) * KB),
    occurrences: given.get('occurrence_number') ?? 0,
  };
}

/**
 * The newest events of a running session, in memory: gone when the session stops. Discarded events are counted nowhere:
 * a published ring has droppedCount 0 beside totalEventsProcessed="5084" eventCount="1000". What droppedCount and
 * processingTime do count is not known.
 */
export class RingTarget {
  private rows: EventRow[] = [];
  private head = 0;
  memoryUsed = 0;
  private processed = 0;
  private readonly countOf = new Map<string, number>();
  private readonly options: RingOptions;

  constructor(options: Readonly<Record<string, string | number>>) {
    this.options = readRingOptions(options);
  }

  get eventCount(): number {
    return this.rows.length - this.head;
  }

  write(rows: readonly EventRow[]): void {
    this.processed += rows.length;
    for (const row of rows) {
      this.rows.push(row);
      this.count(row, 1);
      while (this.eventCount > this.options.mostEvents || this.memoryUsed > this.options.mostBytes)
        this.discard();
    }
    if (this.head < this.rows.length / 2) return;
    this.rows = this.rows.slice(this.head);
    this.head = 0;
  }

  /**
   * The ring as sys.dm_xe_session_targets shows it. If it does not fit, events are left out and truncated is 1
   * (Microsoft Learn, "Extended Events targets", ring_buffer). That the newest are left out is the model's choice.
   */
  makeTargetData(context: XmlContext): string {
    const events: string[] = [];
    let bytes = 0;
    for (let i = this.head; i < this.rows.length; i++) {
      const xml = makeEventXml(this.rows[i] as EventRow, 'ring', context);
      bytes += xml.length * 2;
      if (bytes > MOST_XML_BYTES) break;
      events.push(xml);
    }
    const truncated = events.length < this.eventCount ? 1 : 0;
    const head = `truncated="${truncated}" processingTime="0" totalEventsProcessed="${this.processed}" eventCount="${this.eventCount}" droppedCount="0" memoryUsed="${this.memoryUsed}"`;
    return events.length === 0
      ? `<RingBufferTarget ${head}/>`
      : `<RingBufferTarget ${head}>${events.join('')}</RingBufferTarget>`;
  }

  /** Discards the oldest event; if `occurrences` is set, the oldest of a type that has more than that. */
  private discard(): void {
    const { occurrences } = this.options;
    const spare =
      occurrences === 0
        ? this.head
        : this.rows.findIndex(
            (row, i) => i >= this.head && (this.countOf.get(row.layout.event.name) ?? 0) > occurrences,
          );
    const at = Math.max(this.head, spare);
    const row = this.rows[at] as EventRow;
    this.count(row, -1);
    if (at === this.head) this.head += 1;
    else this.rows.splice(at, 1);
  }

  private count(row: EventRow, by: 1 | -1): void {
    const { event, actions, causality } = row.layout;
    this.memoryUsed += by * (EVENT_BYTES + actions.length * ACTION_BYTES + (causality ? CAUSALITY_BYTES : 0));
    this.countOf.set(event.name, (this.countOf.get(event.name) ?? 0) + by);
  }
}
