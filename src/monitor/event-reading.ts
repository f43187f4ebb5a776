import { readEventPage } from '../core/capture/event-page';
import type { EventRow } from '../core/capture/event';
import { type FileCursor, writeEventsRead } from '../core/script/session';
import { ConnectionError } from '../hosts/host';
import { readTemplates } from '../texts';
import type { ServerQuery } from './server-query';

/** Rows asked for at once: bounded, because every read costs the server (docs/facts.md, SQL Server 4). */
const pageRows = 2_000;
const mostPageRows = 64_000;

export interface EventFiles {
  readonly filePattern: string;
  readonly hasTimestampUtc: boolean;
}

/** What reading on from a cursor gave, and why it stopped. */
export interface EventsReading {
  readonly cursor: FileCursor | null;
  /** 'rolled over': the file that the cursor stands in is gone; the next read begins with the oldest file that is left. */
  readonly end: 'reached the end' | 'rolled over' | 'no file yet';
}

/** The cursor's file is gone: 25722 to 2022, 25717 in 2025. No file: 25718 (docs/facts.md, SQL Server 4). */
const rolledOver = [25717, 25722];
const noFile = 25718;

/**
 * Reads on from the cursor to the end, a page at a time, handing over whole buffers in file order.
 * @throws ConnectionError; what was handed over before stays handed over, and `take` was told the cursor that goes with it
 */
export async function readEvents(
  query: ServerQuery,
  files: EventFiles,
  from: FileCursor | null,
  take: (rows: readonly EventRow[], cursor: FileCursor | null) => void,
): Promise<EventsReading> {
  let cursor = from;
  let rows = pageRows;
  for (;;) {
    const text = writeEventsRead({ ...files, cursor, rows }, readTemplates.checkpointEvents);
    const set = await query.run(text).catch((error: unknown) => describeEnd(error, cursor));
    if (typeof set === 'string') return { cursor: set === 'rolled over' ? null : cursor, end: set };
    const page = readEventPage(set, rows, cursor);
    // Without a column there are no rows, which must not be taken for a server without checkpoints.
    const unreadable = page.problems.find((problem) => problem.kind !== 'unknown column');
    if (unreadable !== undefined) throw new ConnectionError('queryFailed', unreadable.message);
    if (page.rows.length > 0) take(page.rows, page.cursor);
    cursor = page.cursor;
    if (!page.more) return { cursor, end: 'reached the end' };
    if (page.tooSmall) rows = growPage(rows);
  }
}

function growPage(rows: number): number {
  if (rows >= mostPageRows)
    throw new ConnectionError('queryFailed', `One buffer of the event files holds more than ${mostPageRows} events.`);
  return rows * 2;
}

function describeEnd(error: unknown, cursor: FileCursor | null): 'rolled over' | 'no file yet' {
  if (error instanceof ConnectionError && error.number !== null) {
    if (cursor !== null && rolledOver.includes(error.number)) return 'rolled over';
    if (cursor === null && error.number === noFile) return 'no file yet';
  }
  throw error;
}
