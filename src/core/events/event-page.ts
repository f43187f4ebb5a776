import { defineRow, nullable, readRows, type RowProblem, text, type TextRows } from '../rows';
import type { EventRow, FileCursor } from './event';

/** Why events between two readings are missing. */
export interface SourceLoss {
  readonly kind: 'files rolled over' | 'ring buffer overwritten' | 'damaged file';
  readonly reason: string;
}

/** What one read of the event files gives. */
interface EventPage {
  /** The rows to take now: whole buffers only. */
  readonly rows: readonly EventRow[];
  /** Where the next read goes on; null if nothing has been read yet. */
  readonly cursor: FileCursor | null;
  /** The page was full, so there is more to read. */
  readonly more: boolean;
  /** One buffer filled the whole page: read again with more rows. */
  readonly tooSmall: boolean;
  readonly problems: readonly RowProblem[];
}

const eventRow = defineRow({
  event_name: nullable(text()),
  event_data: nullable(text()),
  file_name: nullable(text()),
  file_offset: nullable(text()),
});
const eventRowWithTime = defineRow({ ...eventRow, timestamp_utc: nullable(text()) });

/**
 * Takes the whole buffers of a page. A full page may have cut the last buffer, so that one is left for the next read: a
 * read goes on after a buffer, never inside one (docs/facts.md, SQL Server 4).
 * @param limit the TOP that the page was read with
 * @param before the cursor that the page was read from: rows without a file name are of its file
 */
export function readEventPage(set: TextRows, limit: number, before: FileCursor | null): EventPage {
  const timed = set.columns.some((column) => column.toLowerCase() === 'timestamp_utc');
  const { rows, problems } = timed ? readRows(eventRowWithTime, set) : readRows(eventRow, set);
  const read = rows.map((row) => ({
    objectName: row.eventName,
    eventData: row.eventData,
    fileName: row.fileName ?? before?.fileName ?? null,
    fileOffset: row.fileOffset,
    timestampUtc: 'timestampUtc' in row ? (row.timestampUtc as string | null) : null,
  }));
  const last = read[read.length - 1];
  if (last === undefined || set.rows.length < limit)
    return { rows: read, cursor: cursorOf(last) ?? before, more: false, tooSmall: false, problems };
  const whole = read.filter((row) => row.fileOffset !== last.fileOffset || row.fileName !== last.fileName);
  const tooSmall = whole.length === 0;
  return { rows: whole, cursor: cursorOf(whole[whole.length - 1]) ?? before, more: true, tooSmall, problems };
}

function cursorOf(row: EventRow | undefined): FileCursor | null {
  if (row === undefined || row.fileName === null || row.fileOffset === null) return null;
  return { fileName: row.fileName, offset: row.fileOffset };
}
