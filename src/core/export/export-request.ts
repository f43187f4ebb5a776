/** What a reader wants in a file, and the file's name. */
import type { TimeWindow } from '../statistics/observed-time';
import type { EvidencePages } from '../pages/evidence-page';
import type { WholeNumber } from '../schema';
import { makeVisible } from '../visible';

/** Checkpoints one by one, their figures for each database, or a page of evidence. */
type ExportedThing = 'checkpoints' | 'statistics' | 'page';

/** Parquet needs columns with types. Tables of pages have none, so a page is CSV or JSON. */
export type ExportFormat = 'csv' | 'json' | 'parquet';

export interface ExportRequest {
  /** For `page`: CSV or JSON. */
  readonly format: ExportFormat;
  readonly what: ExportedThing;
  /** For `page`: which one; null otherwise. */
  readonly pageId: keyof EvidencePages | null;
  /** For `page`: one of its tables; null: JSON takes all. CSV holds only one, so the reader is asked. */
  readonly tableId: string | null;
  /**
   * Checkpoints that begin in it, half-open; null: all that was observed. Does not apply to a page, which has all that
   * was read.
   */
  readonly window: TimeWindow | null;
  /** For `statistics`: only the time before the first change, or since the last one, that counts; null: the window. */
  readonly side: 'before' | 'since' | null;
  /** As on the dashboard: below zero for a former database whose id another one has now; null: all. */
  readonly databaseIds: readonly WholeNumber[] | null;
}

/** Not allowed in a file name on Windows. */
const FORBIDDEN = /[<>:"/\\|?*]/g;
const LONGEST_PART = 80;

/**
 * A name that every file system takes: `checkpoints PROD-SQL07 2026-03-02 0830Z.csv`
 * @param what what is in the file, in a few plain words
 * @param name of the server, of any characters
 */
export function nameExport(what: string, name: string, generatedUtcMs: number, extension: string): string {
  const [day = '', time = ''] = new Date(generatedUtcMs).toISOString().split('T');
  const parts = [makeSafe(what), makeSafe(name), day, `${time.slice(0, 5).replace(':', '')}Z`];
  return `${parts.filter((part) => part !== '').join(' ')}.${extension}`;
}

/**
 * Writes invisible characters as `-U+202E-`. Cuts between characters. Removes dots and blanks at the ends, which
 * Windows drops, and a cut emoji's joiner.
 */
function makeSafe(text: string): string {
  const safe = makeVisible(text).replace(FORBIDDEN, '-').replace(/ +/g, ' ');
  return [...safe]
    .slice(0, LONGEST_PART)
    .join('')
    .replace(/^[. ]+|(?<![. \u200d])[. \u200d]+$/g, '');
}
