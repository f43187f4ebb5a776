/** What a reader asks to be written to a file, and how that is called. */
import type { TimeWindow } from '../statistics/observed-time';
import type { EvidencePages } from '../pages/evidence-page';
import { makeVisible } from '../visible';

/** Checkpoints one by one, their figures for each database, or a page of evidence. */
type ExportedThing = 'checkpoints' | 'statistics' | 'page';

/** Parquet keeps the types of columns, which the tables of pages, written for readers, do not have. */
export type ExportFormat = 'csv' | 'json' | 'parquet';

export interface ExportRequest {
  /** Of `page`: CSV or JSON. */
  readonly format: ExportFormat;
  readonly what: ExportedThing;
  /** Of `page`: which. null otherwise. */
  readonly pageId: keyof EvidencePages | null;
  /** Of `page`: one of its tables; null: all in JSON, while for CSV, which holds one table, the reader is asked. */
  readonly tableId: string | null;
  /** Checkpoints that begin in it, half-open; null: all that was observed. A page is of all that was read, and leaves it out of account. */
  readonly window: TimeWindow | null;
  /** As the dashboard knows them, below zero for those that had an id that another database has now; null: all. */
  readonly databaseIds: readonly number[] | null;
}

/** What Windows does not take in a name. */
const FORBIDDEN = /[<>:"/\\|?*]/g;
const LONGEST_PART = 80;

/**
 * A name that every file system takes: `checkpoints PROD-SQL07 2026-03-02 0830Z.csv`
 * @param what what is in it, as a few plain words
 * @param name of the server, of any characters
 */
export function nameExport(what: string, name: string, generatedUtcMs: number, extension: string): string {
  const [day = '', time = ''] = new Date(generatedUtcMs).toISOString().split('T');
  const parts = [makeSafe(what), makeSafe(name), day, `${time.slice(0, 5).replace(':', '')}Z`];
  return `${parts.filter((part) => part !== '').join(' ')}.${extension}`;
}

/** What cannot be seen as `-U+202E-`. Cut between characters; without dots and blanks at either end, which Windows drops, and without the joiner of an emoji that was cut. */
function makeSafe(text: string): string {
  const safe = makeVisible(text).replace(FORBIDDEN, '-').replace(/ +/g, ' ');
  return [...safe]
    .slice(0, LONGEST_PART)
    .join('')
    .replace(/^[. ]+|[. \u200d]+$/g, '');
}
