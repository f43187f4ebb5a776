/**
 * Writes the read of one error log, in each of the ways that a login may be allowed to use (docs/facts.md, SQL Server
 * 5).
 */
import { quoteInString, writeInteger } from './quote';
import { fillTemplate } from './template';
import type { ReadTemplate, ReadText } from './text';
import { writeUtcTime } from '../time';

/**
 * In the order in which they are tried. The first takes a time and leaves out older rows; the others return the whole
 * log.
 */
export const ERROR_LOG_WAYS = ['xp_readerrorlog', 'sp_readerrorlog', 'rds_read_error_log'] as const;
export type ErrorLogWay = (typeof ERROR_LOG_WAYS)[number];

interface ErrorLogRead {
  readonly way: ErrorLogWay;
  /** 0 is the current log. */
  readonly log: number;
  /** The server's wall clock as if it were UTC. */
  readonly sinceLocalMs: number;
  /**
   * The server's offset from UTC when that time was read; if it is smaller by now, that much more is read. null: not
   * known.
   */
  readonly offsetMinutes: number | null;
  readonly rows: number;
}

/**
 * @param template of sql/read/error-log.sql. It catches its own errors and must not be wrapped: INSERT ... EXEC cannot
 * be nested (8164).
 */
export function writeErrorLogRead(
  { way, log, sinceLocalMs, offsetMinutes, rows }: ErrorLogRead,
  template: ReadTemplate,
): ReadText {
  return fillTemplate(template, {
    call: quoteInString(writeCall(way, log)),
    since_local: writeUtcTime(sinceLocalMs),
    ...(offsetMinutes === null ? {} : { utc_offset_minutes: writeInteger(offsetMinutes) }),
    rows: writeInteger(rows),
  });
}

function writeCall(way: ErrorLogWay, log: number): string {
  switch (way) {
    case 'sp_readerrorlog':
      return `EXEC sys.sp_readerrorlog ${writeInteger(log)}, 1;`;
    case 'xp_readerrorlog':
      // The fifth argument is the time from which on to read. Texts to search for would have to be nvarchar (22004).
      return `EXEC master.sys.xp_readerrorlog ${writeInteger(log)}, 1, NULL, NULL, @since, NULL;`;
    case 'rds_read_error_log':
      return `EXEC rdsadmin.dbo.rds_read_error_log @index = ${writeInteger(log)}, @type = 1;`;
  }
}
