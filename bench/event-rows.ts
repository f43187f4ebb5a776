/**
 * Rows of an event session, for the benchmarks: one background task serves all databases, and now and then there is a
 * manual checkpoint.
 */
import type { EventRow } from '../src/core/events/event';

export const BEGIN_UTC_MS = Date.UTC(2026, 0, 5, 10);
const BACKGROUND = '770C3538-EC3F-4A27-86A9-31A2FC777DBC';
/** Milliseconds from one event to the next. */
export const EVENT_MS = 40;

/**
 * `published`: a session made by hand with one more action. `typed`: as a ring buffer writes it. `unlike`: every row
 * has another layout, so all are walked.
 */
type RowShape = 'own' | 'published' | 'typed' | 'unlike';

/** Two rows for each checkpoint, one checkpoint after the other. Every twentieth has a task of its own. */
export function createEventRows(events: number, databases: number, shape: RowShape): readonly EventRow[] {
  return Array.from({ length: events }, (_, i) => createRow(i, databases, shape));
}

function createRow(i: number, databases: number, shape: RowShape): EventRow {
  const checkpoint = i >> 1;
  const isManual = checkpoint % 20 === 19;
  const name = i % 2 === 0 ? 'checkpoint_begin' : 'checkpoint_end';
  const guid = isManual
    ? `${checkpoint.toString(16).toUpperCase().padStart(8, '0')}-1B2C-4D3E-8F90-A1B2C3D4E5F6`
    : BACKGROUND;
  const sequence = isManual ? (i % 2) + 1 : i + 1;
  const type = shape === 'typed' ? '<type name="uint32" package="package0"/>' : '';
  const data = `<data name="database_id">${type}<value>${5 + (checkpoint % databases)}</value></data>`;
  const unlike = `<action name="note_${i}" package="sqlserver"><value><![CDATA[60]]></value></action>`;
  const session =
    shape === 'unlike'
      ? unlike
      : shape === 'published'
        ? '<action name="session_id" package="sqlserver"><value>60</value></action>'
        : '';
  const activity = `<action name="attach_activity_id" package="package0"><value>${guid}-${sequence}</value></action>`;
  const timestamp = new Date(BEGIN_UTC_MS + i * EVENT_MS).toISOString();
  const eventData = `<event name="${name}" package="sqlserver" timestamp="${timestamp}">${data}${session}${activity}</event>`;
  return {
    // Flat strings, as a driver makes them; concatenated ones take longer to read.
    objectName: flatten(name),
    eventData: flatten(eventData),
    fileName: 'CheckpointHealth_0_132.xel',
    fileOffset: String(Math.floor(i / 100) * 4096),
  };
}

function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
