/**
 * Error logs as far as the login may read them (docs/facts.md, SQL Server 5). We try each way, because permissions
 * mislead: xp_readerrorlog, sp_readerrorlog, Amazon's own procedure, none.
 */
import type { ErrorLogRow } from '../../core/errorlog/error-log-row';
import {
  type CaughtRefusal,
  type ErrorLogAnswer,
  type ErrorLogFile,
  readErrorLogAnswer,
  readErrorLogFilesAnswer,
  readMessageTemplates,
  readOffsetObservations,
} from '../../core/errorlog/error-log-answer';
import { MESSAGE_SPAN_MS } from '../../core/errorlog/flush-cache-groups';
import { readLogDate } from '../../core/errorlog/log-date';
import type { MessageTemplate } from '../../core/errorlog/message-template';
import type { OffsetObservation } from '../../core/errorlog/server-clock';
import { ERROR_LOG_WAYS, type ErrorLogWay, writeErrorLogRead } from '../../core/script/error-log';
import { fillTemplate } from '../../core/script/template';
import { toUtcMs, writeUtcTime } from '../../core/time';
import { ConnectionError } from '../../hosts/host';
import { gatheringTemplates, readTemplates } from '../../texts';
import { REFUSALS } from '../queries/failure';
import { askIn, isAnswer, isLate, readOr } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';
import { formatCount } from '../../core/format';
import { t } from '../../core/language';
import { countEach } from '../../core/lists';

/** How far to read. Reading costs, because the server goes through each whole log. */
interface ErrorLogBounds {
  /** Logs, the current one and archives. */
  readonly mostLogs: number;
  /** Rows of each log. */
  readonly mostRows: number;
  /** Milliseconds after which no further log is begun. */
  readonly mostMs: number;
  /** A log is not read if it is known to be larger, the current one neither. */
  readonly mostBytes: number;
}

export const ERROR_LOG_BOUNDS: ErrorLogBounds = {
  mostLogs: 12,
  mostRows: 20_000,
  mostMs: 60_000,
  mostBytes: 500_000_000,
};

/** Where reading goes on: the way that was open, the local time of the last row, and the rows shortly before it. */
export interface ErrorLogCursor {
  readonly way: ErrorLogWay;
  readonly lastLocalMs: number;
  /**
   * The next reading asks from here, or from an hour earlier if the clocks have gone back since: new rows then have
   * times that were read before.
   */
  readonly sinceLocalMs: number;
  /** The server's offset from UTC then. */
  readonly offsetMinutes: number | null;
  /** Rows since an hour before it. They tell which rows come again. */
  readonly recent: readonly ErrorLogRow[];
  /**
   * When that was, by the server's clock in UTC, and by the clock of the reader. Absent in states of an earlier
   * version.
   */
  readonly readUtcMs?: number;
  readonly readAtMs?: number;
}

/** The rows that were read, and what stood in the way of the others. */
export interface ErrorLogReadingResult {
  /** null if no way is open. */
  readonly way: ErrorLogWay | null;
  /** All refusals until then, in the order of trying. */
  readonly refusals: readonly (CaughtRefusal & { readonly way: ErrorLogWay })[];
  /** New rows, oldest log first, each log in its own order. */
  readonly rows: readonly ErrorLogRow[];
  readonly repeatedRows: number;
  /** Sizes of the logs; null if this login may not see them. */
  readonly files: readonly ErrorLogFile[] | null;
  /** Why older or newer rows are missing, one sentence each. */
  readonly limits: readonly string[];
  /** null if nothing could be read. */
  readonly cursor: ErrorLogCursor | null;
}

/**
 * This much is read again: lines of several tasks are a little out of order, and the clock may have been set back a
 * little.
 */
const OVERLAP_MS = 2 * 60_000;
/** The same, and the hour by which clocks go back. */
const RECENT_MS = OVERLAP_MS + 60 * 60_000;
/** A row this far ahead of the server's clock is not believed. Reading the log takes less. */
const AHEAD_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Stands for an error's number if the server did not answer in time. */
const NO_ANSWER = 0;
/** No such procedure, no such database: what other servers say to Amazon's own procedure. */
const NOT_THERE: readonly number[] = [2812, 911];
/** Error 22004 says this if there is no log of that number. */
const NO_SUCH_LOG = /error 2\b|error 3\b/i;

/**
 * Reads the logs from a local time of the server, or from where the last reading ended. A way that was open is kept
 * until it is refused.
 * @param since the server's wall clock as if it were UTC
 * @param now milliseconds of the reader's own clock, which tells how long ago the reading before was
 * @param clock the server's, shortly before; null: not known
 * @throws ConnectionError if the server could not be asked at all
 */
export async function readErrorLogs(
  query: ServerQuery,
  since: number | ErrorLogCursor,
  now: () => number,
  clock: OffsetObservation | null = null,
  bounds: ErrorLogBounds = ERROR_LOG_BOUNDS,
): Promise<ErrorLogReadingResult> {
  const readAtMs = now();
  const setBackMs = typeof since === 'number' || clock === null ? null : findSetBack(since, clock, readAtMs);
  const from =
    setBackMs === null || typeof since === 'number' ? since : { ...since, sinceLocalMs: setBackMs };
  const result = await readLogs(query, from, now, { clock, bounds });
  const { cursor, limits } = result;
  return {
    ...result,
    limits:
      setBackMs === null
        ? limits
        : [
            ...limits,
            t("The server's clock was moved back. Rows with times that still lie ahead are left out."),
          ],
    cursor:
      cursor === null || clock === null
        ? cursor
        : { ...cursor, readUtcMs: toUtcMs(clock.localMs, clock.offsetMinutes), readAtMs },
  };
}

/**
 * From where to read if the server's clock was moved back since the last reading: the cursor may lie ahead of it, and
 * nothing new would come for as long. The last reading was as long ago as the reader's own clock says; if that was
 * moved back too, nothing tells, and a day is read again. null: the clock was not moved back, as far as is seen.
 */
function findSetBack(
  cursor: ErrorLogCursor,
  { localMs, offsetMinutes }: OffsetObservation,
  readAtMs: number,
): number | null {
  const seenUtcMs = Math.max(
    toUtcMs(cursor.lastLocalMs, cursor.offsetMinutes ?? offsetMinutes),
    cursor.readUtcMs ?? -Infinity,
  );
  if (seenUtcMs <= toUtcMs(localMs, offsetMinutes)) return null;
  const agoMs = readAtMs - (cursor.readAtMs ?? readAtMs);
  return Math.min(cursor.sinceLocalMs, localMs - (agoMs < 0 ? DAY_MS : agoMs) - OVERLAP_MS);
}

async function readLogs(
  query: ServerQuery,
  since: number | ErrorLogCursor,
  now: () => number,
  { clock, bounds }: { readonly clock: OffsetObservation | null; readonly bounds: ErrorLogBounds },
): Promise<ErrorLogReadingResult> {
  const cursor = typeof since === 'number' ? null : since;
  const sinceLocalMs = typeof since === 'number' ? since : since.sinceLocalMs;
  const offsetMinutes = cursor?.offsetMinutes ?? null;
  const read = (way: ErrorLogWay, log: number): Promise<ErrorLogAnswer> =>
    readLog(query, { way, log, sinceLocalMs, offsetMinutes, rows: bounds.mostRows });
  const refusals: (CaughtRefusal & { way: ErrorLogWay })[] = [];
  const none = { rows: [], repeatedRows: 0, cursor };
  const files = await readFiles(query);
  const { bytes } = files?.find(({ log }) => log === 0) ?? { bytes: null };
  if (bytes !== null && bytes > bounds.mostBytes)
    return { way: null, refusals, files, limits: [describeTooLarge(bytes, bounds)], ...none };
  for (const way of new Set(cursor === null ? ERROR_LOG_WAYS : [cursor.way, ...ERROR_LOG_WAYS])) {
    const current = await read(way, 0);
    if (current.refusal) {
      refusals.push({ way, ...current.refusal });
      continue;
    }
    const reading = { files, sinceLocalMs, cursor, bounds };
    const logs = await readArchives((log) => read(way, log), current, reading, now);
    const joined = joinLogs(way, logs, reading, (clock?.localMs ?? Infinity) + AHEAD_MS);
    return { ...joined, way, refusals, files };
  }
  const limits = refusals
    .filter(isOfThisServer)
    .map(({ way, ...refusal }) => `${way}: ${writeRefusal(refusal)}`);
  return { way: null, refusals, files, limits, ...none };
}

/** Even a reading from a late time goes through the whole file, and sp_readerrorlog writes all of it to tempdb. */
function describeTooLarge(bytes: number, { mostBytes }: ErrorLogBounds): string {
  const sizes = [bytes, mostBytes].map((each) => formatCount(Math.round(each / 1_000_000)));
  return t(
    'The error log has {0} MB. More than {1} MB are not read, to spare the server. sp_cycle_errorlog begins a new log.',
    ...sizes,
  );
}

/**
 * The server's own message texts, and the offsets that its backups tell: needed to read the rows of readErrorLogs. What
 * the login may not see is left out.
 * @throws ConnectionError
 */
export async function readErrorLogContext(
  query: ServerQuery,
  sinceLocalMs: number,
): Promise<{
  readonly templates: readonly MessageTemplate[];
  readonly observations: readonly OffsetObservation[];
}> {
  const all = askIn((text) => query.run(text), []);
  const since = { since_local: writeUtcTime(sinceLocalMs) };
  return {
    templates: await readOr(() => all(readTemplates.messageTemplates, readMessageTemplates), []),
    observations: await readOr(() => all(readTemplates.utcOffsets, readOffsetObservations, since), []),
  };
}

async function readLog(
  query: ServerQuery,
  read: Parameters<typeof writeErrorLogRead>[0],
): Promise<ErrorLogAnswer> {
  const answer = await orRefusal(
    async () => readErrorLogAnswer(await query.gather(writeErrorLogRead(read, gatheringTemplates.errorLog))),
    (refusal) => ({
      refusal,
      rows: [],
      noiseRows: 0,
      beginsLocalMs: null,
      offsetMinutes: null,
      problems: [],
    }),
  );
  const problem = answer.problems.find(({ kind }) => kind !== 'unknown column');
  if (problem !== undefined) throw new ConnectionError('queryFailed', problem.message);
  return answer;
}

async function readFiles(query: ServerQuery): Promise<readonly ErrorLogFile[] | null> {
  const answer = await orRefusal(
    async () =>
      readErrorLogFilesAnswer(await query.gather(fillTemplate(gatheringTemplates.errorLogFiles, {}))),
    (refusal) => ({ refusal, files: [], problems: [] }),
  );
  return answer.refusal !== null || answer.problems.length > 0 ? null : answer.files;
}

interface Reading {
  readonly files: readonly ErrorLogFile[] | null;
  readonly sinceLocalMs: number;
  readonly cursor: ErrorLogCursor | null;
  readonly bounds: ErrorLogBounds;
}

interface ReadLog {
  readonly log: number;
  readonly answer: ErrorLogAnswer;
}

interface ReadLogs {
  readonly logs: readonly ReadLog[];
  readonly limits: readonly string[];
}

/**
 * Reads older and older logs until one has nothing of the requested time, or something that was read before, or a bound
 * is reached.
 */
async function readArchives(
  read: (log: number) => Promise<ErrorLogAnswer>,
  current: ErrorLogAnswer,
  { files, sinceLocalMs, cursor, bounds }: Reading,
  now: () => number,
): Promise<ReadLogs> {
  const begun = now();
  const logs: ReadLog[] = [{ log: 0, answer: current }];
  const stop = (limit: string): ReadLogs => ({ logs, limits: [limit] });
  const known = new Set((cursor?.recent ?? []).map(keyOf));
  for (let log = 1; mayGoOn(logs[logs.length - 1], sinceLocalMs, known); log++) {
    const file = files?.find((each) => each.log === log);
    if (files !== null && file === undefined) break;
    if (log >= bounds.mostLogs) return stop(t('Logs older than number {0} were not read.', log - 1));
    if (now() - begun > bounds.mostMs)
      return stop(
        t(
          'Reading stopped after {0} s: log {1} and older logs were not read.',
          Math.round(bounds.mostMs / 1000),
          log,
        ),
      );
    if ((file?.bytes ?? 0) > bounds.mostBytes)
      return stop(
        t('Log {0} has {1} bytes. It and older logs were not read.', log, formatCount(file?.bytes ?? 0)),
      );
    const answer = await read(log);
    if (answer.refusal !== null)
      return NO_SUCH_LOG.test(answer.refusal.message)
        ? { logs, limits: [] }
        : stop(t('Log {0}: {1}', log, writeRefusal(answer.refusal)));
    logs.push({ log, answer });
  }
  return { logs, limits: [] };
}

/** If one row was read before, all rows before it were read too. */
function mayGoOn(read: ReadLog | undefined, sinceLocalMs: number, known: ReadonlySet<string>): boolean {
  if (read === undefined || read.answer.rows.length + read.answer.noiseRows === 0) return false;
  if (read.answer.rows.some((row) => known.has(keyOf(row)))) return false;
  return read.answer.beginsLocalMs === null || read.answer.beginsLocalMs >= sinceLocalMs;
}

/**
 * The cursor moves to the last row in the order of the logs. If clocks went back, its time may be earlier than others.
 * If a log was cut, reading goes on from the cut. If nothing is new, the cursor stays: the hour that comes twice may
 * not have been written yet.
 */
function joinLogs(
  way: ErrorLogWay,
  { logs, limits }: ReadLogs,
  { cursor, bounds }: Reading,
  latestMs: number,
): Pick<ErrorLogReadingResult, 'rows' | 'repeatedRows' | 'limits' | 'cursor'> {
  const all = [...logs].reverse().flatMap(({ answer }) => answer.rows);
  const rows = dropRepeated(all, cursor?.recent ?? []);
  const cut = logs.filter(({ answer }) => answer.rows.length >= bounds.mostRows);
  const cuts = cut.map(({ log, answer }) =>
    t('Log {0} was read only up to {1}.', log, answer.rows[answer.rows.length - 1]?.logDateLocal ?? ''),
  );
  const joined = { rows, repeatedRows: all.length - rows.length, limits: [...limits, ...cuts] };
  const dates = all.map(({ logDateLocal }) => readLogDate(logDateLocal));
  const lastLocalMs = dates.reduce<number | null>(
    (last, date) => (date !== null && date <= latestMs ? date : last),
    null,
  );
  if (lastLocalMs === null || rows.length === 0) return { ...joined, cursor: cursor && { ...cursor, way } };
  const sinceLocalMs = lastLocalMs - (cut.some(({ log }) => log === 0) ? MESSAGE_SPAN_MS : OVERLAP_MS);
  const isRecent = ({ logDateLocal }: ErrorLogRow): boolean =>
    (readLogDate(logDateLocal) ?? -Infinity) >= lastLocalMs - RECENT_MS;
  const recent = [...(cursor?.recent ?? []), ...rows].filter(isRecent);
  return {
    ...joined,
    cursor: { way, lastLocalMs, sinceLocalMs, offsetMinutes: logs[0]?.answer.offsetMinutes ?? null, recent },
  };
}

/** Drops rows that were read before: each as often as it was read then. */
function dropRepeated(rows: readonly ErrorLogRow[], recent: readonly ErrorLogRow[]): readonly ErrorLogRow[] {
  const before = new Map(countEach(recent.map(keyOf)));
  return rows.filter((row) => {
    const left = before.get(keyOf(row)) ?? 0;
    if (left > 0) before.set(keyOf(row), left - 1);
    return left === 0;
  });
}

function keyOf({ logDateLocal, processInfo, text }: ErrorLogRow): string {
  return `${logDateLocal}|${processInfo}|${text}`;
}

/**
 * Whether the login lacks a permission: not a failure that may pass, as a deadlock does, nor that the server is not
 * Amazon's.
 */
export function lacksPermission({ number }: ErrorLogReadingResult['refusals'][number]): boolean {
  return REFUSALS.includes(number);
}

/** That a server is not Amazon's is not worth saying. */
function isOfThisServer({ way, number }: ErrorLogReadingResult['refusals'][number]): boolean {
  return way !== 'rds_read_error_log' || !NOT_THERE.includes(number);
}

function writeRefusal({ number, message }: CaughtRefusal): string {
  if (number === NO_ANSWER) return message;
  return t('{0} (Msg {1}).', message.trim().replace(/(?<![.\s])[.\s]+$/, ''), number);
}

/**
 * Some hosts throw the server's error instead of giving its answer. An error that no server sent, such as a lost
 * connection, stays an error.
 */
async function orRefusal<T>(ask: () => Promise<T>, refused: (refusal: CaughtRefusal) => T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ConnectionError && error.number !== null && isAnswer(error))
      return refused({ number: error.number, message: error.message });
    // A log may be too large for one way, and not for another that does not send all of it.
    if (error instanceof ConnectionError && isLate(error))
      return refused({ number: NO_ANSWER, message: error.message });
    throw error;
  }
}
