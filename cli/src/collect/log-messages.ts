/**
 * New rows of the error log -> rows of `log_messages`, and how the next run goes on. Each row is settled in one run.
 * Rows of the last minute wait for the next run, because more lines of their messages may follow: a FlushCache message
 * is never cut in two.
 */
import type { Facts } from '../../../src/core/advice/facts';
import { type ErrorLogReading, readErrorLog } from '../../../src/core/errorlog/error-log';
import type { ErrorLogRow, Logged } from '../../../src/core/errorlog/error-log-row';
import { readLogDate } from '../../../src/core/errorlog/log-date';
import { createLocalTimeReader, type OffsetObservation } from '../../../src/core/errorlog/server-clock';
import type { UtcMs } from '../../../src/core/schema';
import { addRow, createRows } from '../../../src/lake/data-files';
import type { LakeValue } from '../../../src/lake/parquet-file';
import type { ErrorLogRead } from '../../../src/monitor/evidence/along-reading';
import { ERROR_LOG_BOUNDS, type ErrorLogCursor } from '../../../src/monitor/facts/error-log-reading';
import { MINUTE_MS } from '../../../src/core/time';

/** How the error log of a server goes on in the next run: plain values. */
export interface LogPosition {
  readonly serverName: string | null;
  /** When it was read last, by the server's clock. */
  readonly readUtcMs: UtcMs;
  /** null: nothing could be read yet. */
  readonly cursor: ErrorLogCursor | null;
  /** Offsets from UTC, oldest first: the first at or before the first row that is to come, as far as that is known. */
  readonly offsets: readonly OffsetObservation[];
  /** Rows that were read and wait. */
  readonly waiting: readonly ErrorLogRow[];
}

/** Rows of this time wait. Lines of one message are a second apart at most. */
const WAIT_MS = MINUTE_MS;
/** Rows with times this far ahead are of before the clock was set back. Reading the log takes less. */
const AHEAD_MS = 5 * MINUTE_MS;
const LONGEST_TEXT = 2_000;
const FIRST_READING = 'Rows older than 24 hours were not read, because this was the first reading.';

/** @returns `counts`: null if no log could be read; `missing`: what was not read, one sentence each */
export function takeErrorLog(server: string, read: ErrorLogRead, facts: Facts, known: LogPosition | null) {
  const { serverName } = facts.server;
  const before = known?.serverName === serverName ? known : null;
  const { result, templates, observations, now } = read;
  const rows = [...(before?.waiting ?? []), ...result.rows];
  const end = findEnd(rows, read);
  const reading = readErrorLog(rows, { clock: observations, templates, mostUnrecognised: rows.length });
  const isSettled = (line: number): boolean => line <= end;
  const all = listMessages(reading, facts);
  const messages = all.filter(({ logged }) => isSettled(logged.lines[0] ?? 0));
  // The later lines of a message whose first line is settled. A row may hold lines of two messages.
  const open = new Set(all.flatMap(({ logged }) => ((logged.lines[0] ?? 0) > end ? logged.lines : [])));
  const later = new Set(
    messages.flatMap(({ logged }) => logged.lines.filter((line) => line > end && !open.has(line))),
  );
  const waiting = rows.slice(end).filter((_, at) => !later.has(end + at + 1));
  const isFirst =
    result.way !== null && (before === null || (before.cursor === null && result.cursor !== null));
  const table = createRows('log_messages');
  for (const message of messages)
    addRow(table, { server, read_utc: read.nowUtcMs, ...describeMessage(message, rows) });
  const log_rows_unrecognised = reading.unrecognised.filter(({ line }) => isSettled(line)).length;
  const isUnread = result.way === null && rows.length === 0;
  const offsets = findOffsets(waiting[0], observations, now);
  const log: LogPosition = { serverName, readUtcMs: read.nowUtcMs, cursor: result.cursor, offsets, waiting };
  return {
    rows: table,
    counts: isUnread ? null : { log_rows_read: end + later.size, log_rows_unrecognised },
    missing: [...(isFirst ? [FIRST_READING] : []), ...result.limits],
    log,
  };
}

/** How many rows are settled: up to the last one older than a minute. A log read in part goes on where it was cut. */
function findEnd(rows: readonly ErrorLogRow[], { result, now }: ErrorLogRead): number {
  const isCut = result.rows.length + result.repeatedRows >= ERROR_LOG_BOUNDS.mostRows;
  const cutLocalMs = isCut ? (result.cursor?.lastLocalMs ?? Infinity) : Infinity;
  const untilLocalMs = Math.min(now.localMs, cutLocalMs) - WAIT_MS;
  const isOld = (localMs: number | null): boolean =>
    localMs !== null && (localMs < untilLocalMs || (!isCut && localMs > now.localMs + AHEAD_MS));
  let end = rows.length;
  while (end > 0 && !isOld(readLogDate(rows[end - 1]?.logDateLocal ?? ''))) end--;
  return end;
}

/**
 * The offset at the first row that is to come, if that is known. Otherwise all that may have been in force since: a row
 * is never dated by an offset that came after it. When clocks go back, rows of the hour before come late: the server
 * shows none that is later than its clock.
 */
function findOffsets(
  first: ErrorLogRow | undefined,
  observations: readonly OffsetObservation[],
  now: OffsetObservation,
): readonly OffsetObservation[] {
  const localMs = Math.min(readLogDate(first?.logDateLocal ?? '') ?? Infinity, now.localMs - WAIT_MS);
  const { atUtcMs, sureness } = createLocalTimeReader(observations)(localMs, 0);
  if (atUtcMs === null || sureness !== 'known') return observations;
  return [{ localMs, offsetMinutes: (localMs - atUtcMs) / MINUTE_MS }];
}

interface Message {
  readonly kind: string;
  readonly logged: Logged;
  readonly columns: Readonly<Record<string, LakeValue>>;
}

function describeMessage(
  { kind, logged, columns }: Message,
  rows: readonly ErrorLogRow[],
): Message['columns'] {
  const text = logged.lines.map((line) => rows[line - 1]?.text ?? '').join('\n');
  return {
    // Not by the order of the rows: while the clock is set back, rows come late and out of order.
    logged_utc: logged.sureness === 'known' ? logged.atUtcMs : null,
    logged_local: logged.logDateLocal,
    sureness: logged.sureness,
    kind,
    ...columns,
    text: text.slice(0, LONGEST_TEXT),
  };
}

/** All messages in the order of their first lines. */
function listMessages(reading: ErrorLogReading, { databases }: Facts): readonly Message[] {
  const names = new Map(databases.map(({ databaseId, name }) => [databaseId, name]));
  const ids = new Map(databases.map(({ databaseId, name }) => [name, databaseId]));
  const by = (id: number | null, name: string | null = null): Message['columns'] => ({
    database_id: id ?? (name === null ? null : (ids.get(name) ?? null)),
    database_name: name ?? (id === null ? null : (names.get(id) ?? null)),
  });
  const of = <T extends Logged>(
    kind: string,
    messages: readonly T[],
    describe: (message: T) => Message['columns'],
  ): readonly Message[] => messages.map((logged) => ({ kind, logged, columns: describe(logged) }));
  return [
    ...of('FlushCache', reading.groups, (group) => ({
      ...by(group.databaseId),
      duration_ms: group.durationMs,
      pages_written: group.pages,
      state: group.state,
      writes: group.writes,
      avoided_pages: group.avoidedPages,
      writes_per_second: group.writesPerSecond,
      mb_per_second: group.megabytesPerSecond,
      io_saturation: group.ioSaturation,
      context_switches: group.contextSwitches,
      last_target_outstanding: group.lastTargetOutstanding,
      average_write_latency_ms: group.averageWriteLatencyMs,
    })),
    ...of('buffer pool scan', reading.scans, ({ databaseId, durationSeconds }) => ({
      ...by(databaseId),
      duration_ms: durationSeconds * 1_000,
    })),
    ...of('slow I/O', reading.slowIos, ({ databaseId, databaseName, durationMs }) => ({
      ...by(databaseId, databaseName),
      duration_ms: durationMs,
    })),
    ...of('failed checkpoint', reading.failures, (failure) => by(failure.databaseId, failure.databaseName)),
    ...of('recovery', reading.recoveries, (recovery) => ({
      ...by(recovery.databaseId, recovery.databaseName),
      duration_ms: recovery.kind === 'completed' ? recovery.durationSeconds * 1_000 : null,
    })),
    ...of('option changed', reading.changes, ({ databaseName, option, value }) => ({
      ...by(null, databaseName),
      option_name: option,
      option_value: value,
    })),
    ...of('dirty pages', reading.dirtyPageFlushes, ({ databaseId, durationMs, pages }) => ({
      ...by(databaseId),
      duration_ms: durationMs,
      pages_written: pages,
    })),
    ...of('checkpoint print', reading.prints, ({ databaseId }) => by(databaseId)),
  ].sort((a, b) => (a.logged.lines[0] ?? 0) - (b.logged.lines[0] ?? 0));
}
