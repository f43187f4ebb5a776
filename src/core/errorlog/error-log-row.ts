/** One row of the error log as SQL Server's procedures give it. */
export interface ErrorLogRow {
  /** The server's own wall clock, `2016-07-09T03:30:14.79` or with a blank; a text, because its offset from UTC is not known here. */
  readonly logDateLocal: string;
  /** `spid25s`, `Server`, `Backup`. */
  readonly processInfo: string;
  readonly text: string;
}

/**
 * How sure the UTC time of a message is. `known`: the offset in force at that local time is known. `by order`: the local time came twice, and the order of
 * the lines says which one it was. `assumed`: an offset that was in force at another time. `ambiguous`: the local time came twice. `unknown`: no offset, or
 * no readable time.
 */
export type TimeSureness = 'known' | 'by order' | 'assumed' | 'ambiguous' | 'unknown';

/** When and by whom a message was logged, and where it stands. */
export interface Logged {
  readonly logDateLocal: string;
  readonly processInfo: string;
  /** null if `sureness` is `ambiguous` or `unknown`. */
  readonly atUtcMs: number | null;
  readonly sureness: TimeSureness;
  /** Numbers of the lines (of rows where rows were read) that it was read from, 1 for the first, in the order in which they stand. */
  readonly lines: readonly number[];
}

/** A row on its way through the reader, with its place in the log. */
export interface PlacedRow extends ErrorLogRow {
  /** Number of its first line. */
  readonly line: number;
  readonly lineCount: number;
  /** Its wall clock as if it were UTC; null if it cannot be read. */
  readonly localMs: number | null;
  /** The same for telling how far rows are apart, also where it is open which number of a date is the day: within one day that makes no difference. */
  readonly orderMs: number | null;
}
