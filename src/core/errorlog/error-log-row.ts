/** One row of the error log as SQL Server's procedures give it. */
export interface ErrorLogRow {
  /**
   * The server's wall clock, `2016-07-09T03:30:14.79` or with a blank. It is a text, because its offset from UTC is not
   * known here.
   */
  readonly logDateLocal: string;
  /** `spid25s`, `Server`, `Backup`. */
  readonly processInfo: string;
  readonly text: string;
}

/**
 * How sure the UTC time of a message is. `known`: the offset at that local time is known. `by order`: the local time
 * came twice, and the order of the lines says which one it was. `assumed`: an offset from another time was used.
 * `ambiguous`: the local time came twice. `unknown`: no offset, or no readable time.
 */
type TimeSureness = 'known' | 'by order' | 'assumed' | 'ambiguous' | 'unknown';

/** When a message was logged, by which process, and in which lines. */
export interface Logged {
  readonly logDateLocal: string;
  readonly processInfo: string;
  /** null if `sureness` is `ambiguous` or `unknown`. */
  readonly atUtcMs: number | null;
  readonly sureness: TimeSureness;
  /** Numbers of the lines (or rows, if rows were read) that it was read from, in their order. The first is 1. */
  readonly lines: readonly number[];
}

/** One of several kinds, with its values. */
export type OneOf<Kinds> = {
  readonly [K in keyof Kinds]: { readonly kind: K; readonly values: Kinds[K] };
}[keyof Kinds];
/** What a message says. */
export type ValuesOf<M> = M extends Logged ? Omit<M, keyof Logged> : never;

/** A row on its way through the reader, with its place in the log. */
export interface PlacedRow extends ErrorLogRow {
  /** Number of its first line. */
  readonly line: number;
  readonly lineCount: number;
  /** Its wall clock as if it were UTC; null if it cannot be read. */
  readonly localMs: number | null;
  /**
   * Tells how far rows are apart, even if it is not known which number of a date is the day: within one day that makes
   * no difference.
   */
  readonly orderMs: number | null;
  /** When another program took it from the log, by a clock whose zone is known. */
  readonly utcMs?: number | undefined;
}
