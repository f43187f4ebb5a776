import type { EventRow } from './event-row';
import { makeEventXml, type XmlContext } from './event-xml';

/** target_data is cut at about 4 MB on every platform. docs/facts.md, SQL Server 3. */
const MOST_XML_BYTES = 4 * 1024 * 1024;
/** A ring_buffer keeps 1,000 events a type unless told otherwise. Microsoft Learn, "ring_buffer target", MAX_EVENTS_LIMIT; the model counts all types together. */
const DEFAULT_EVENTS = 1000;

/** The newest events of a running session, in memory: gone when the session stops. */
export class RingTarget {
  private rows: EventRow[] = [];
  writes = 0;
  private processed = 0;
  private dropped = 0;
  private readonly mostEvents: number;

  constructor(options: Readonly<Record<string, string | number>>) {
    const limit = Object.entries(options).find(([name]) => name.toLowerCase() === 'max_events_limit')?.[1];
    const most = limit === undefined ? DEFAULT_EVENTS : Number(limit);
    // 0 means as many as memory holds; the model's memory is what target_data could show twice over.
    this.mostEvents = most === 0 ? 40_000 : most;
  }

  get eventCount(): number {
    return this.rows.length;
  }

  write(rows: readonly EventRow[]): void {
    this.writes += 1;
    this.processed += rows.length;
    this.rows.push(...rows);
    const over = this.rows.length - this.mostEvents;
    if (over <= 0) return;
    this.dropped += over;
    this.rows = this.rows.slice(over);
  }

  /** As sys.dm_xe_session_targets shows it; `truncated` counts the newest events that did not fit. */
  makeTargetData(context: XmlContext): string {
    const events: string[] = [];
    let bytes = 0;
    for (const row of this.rows) {
      const xml = makeEventXml(row, 'ring', context);
      bytes += xml.length * 2;
      if (bytes > MOST_XML_BYTES) break;
      events.push(xml);
    }
    const truncated = this.rows.length - events.length;
    const head = `truncated="${truncated}" processingTime="0" totalEventsProcessed="${this.processed}" eventCount="${this.rows.length}" droppedCount="${this.dropped}" memoryUsed="${this.rows.length * 128}"`;
    return `<RingBufferTarget ${head}>${events.join('')}</RingBufferTarget>`;
  }
}
