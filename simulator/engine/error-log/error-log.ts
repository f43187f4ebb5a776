import type { ServerDescription } from '../../scenarios/scenario';
import type { ErrorLogFile, ErrorLogRow } from '../interface/instance';
import { translateToGerman } from './messages';

/**
 * The current log and the archives behind it, at most six: Microsoft Learn, "sp_cycle_errorlog" and "Configure error
 * log".
 */
export type ErrorLog = ReturnType<typeof createErrorLog>;

const MOST_ARCHIVES = 6;

interface Log {
  readonly rows: ErrorLogRow[];
  readonly begun: string;
}

/** @param localMoment what a clock on the server's wall showed at a moment */
export function createErrorLog(server: ServerDescription, localMoment: (atUs: number) => string) {
  const say = server.language === 'German' ? translateToGerman(server) : (english: string): string => english;
  /** To 10 ms. */
  const localTime = (atUs: number): string => `${localMoment(atUs).slice(0, -1)}0`;
  let current: Log = { rows: [], begun: localTime(0) };
  let archives: readonly Log[] = [];
  return {
    /** Rows of the current log, oldest first. */
    get rows(): readonly ErrorLogRow[] {
      return current.rows;
    },
    write: (atUs: number, processInfo: string, text: string): void =>
      void current.rows.push({ logDate: localTime(atUs), processInfo, text: say(text) }),
    /** Rows of one of the logs, oldest first; undefined if there is none of that number. */
    read: (number: number): readonly ErrorLogRow[] | undefined => [current, ...archives][number]?.rows,
    list: (): readonly ErrorLogFile[] =>
      [current, ...archives].map(({ rows, begun }, number) => ({
        number,
        changed: rows.at(-1)?.logDate ?? begun,
        bytes: countBytes(rows),
      })),
    /** Begins a new log; the oldest archive goes. */
    cycle(atUs: number): void {
      archives = [current, ...archives].slice(0, MOST_ARCHIVES);
      current = { rows: [], begun: localTime(atUs) };
    },
  };
}

/**
 * Bytes of the file: UTF-16 with a byte order mark; each line has its time to 10 ms, 12 characters for the process, and
 * CRLF. docs/facts.md, SQL Server 5.
 */
function countBytes(rows: readonly ErrorLogRow[]): number {
  const lineLength = ({ processInfo, text }: ErrorLogRow): number =>
    22 + 1 + Math.max(12, processInfo.length) + text.length + 2;
  return rows.reduce((sum, row) => sum + 2 * lineLength(row), 2);
}

/** Message 5084: lower case, seconds, no unit. docs/facts.md, SQL Server 2. */
export function writeTargetChange(
  log: ErrorLog,
  atUs: number,
  spid: number,
  database: string,
  seconds: number,
): void {
  log.write(
    atUs,
    `spid${spid}`,
    `Setting database option target_recovery_time to ${seconds} for database '${database}'.`,
  );
}
