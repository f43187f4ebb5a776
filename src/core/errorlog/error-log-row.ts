/** One row of the error log as SQL Server's procedures give it. */
export interface ErrorLogRow {
  /** The server's own wall clock, `2016-07-09T03:30:14.79` or with a blank; a text, because its offset from UTC is not known here. */
  readonly logDateLocal: string;
  /** `spid25s`, `Server`, `Backup`. */
  readonly processInfo: string;
  readonly text: string;
}
