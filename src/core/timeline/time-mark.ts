/** What is drawn over the lanes beside checkpoints: moments and stretches of time that the error log, msdb or the catalog tell of. */
export const TIME_MARK_KINDS = ['FlushCache', 'buffer pool scan', 'slow I/O', 'backup', 'recovery'] as const;

/** FlushCache: a logged long checkpoint; buffer pool scan: message 898; slow I/O: message 833; backup: a run in msdb; recovery: of a database. */
export type TimeMarkKind = (typeof TIME_MARK_KINDS)[number];

/** Marks of one sort that are left out, because there are more than can be drawn: the oldest. */
export interface OlderMarks {
  /** How many of what: "1,204 log backups". */
  readonly text: string;
  /** When the newest of them ended. */
  readonly lastUtcMs: number;
}

export interface TimeMark {
  readonly kind: TimeMarkKind;
  readonly beginUtcMs: number;
  /** The same as beginUtcMs: a moment. */
  readonly endUtcMs: number;
  /** null: of the instance, or of a database that has no id now. */
  readonly databaseId: number | null;
  /** As the source names it; null: of the instance. */
  readonly database: string | null;
  /** What the source says, with its figures, as one short sentence. */
  readonly text: string;
}
