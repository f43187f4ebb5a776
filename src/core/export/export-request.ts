/** What a reader asks to be written to a file. */
import type { TimeWindow } from '../statistics/observed-time';
import type { EvidencePages } from '../pages/evidence-page';

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
