/** The error log's rows as evidence; every row and every line is accounted for (docs/facts.md, SQL Server 5). */
import { type NumberedMessage, readSentence } from './error-log-message';
import type { ErrorLogRow, PlacedRow } from './error-log-row';
import { readCheckpointLines } from './flush-cache-line';
import { assembleGroups } from './flush-cache-groups';
import { isKnownNoise } from './known-noise';
import { readLogDate } from './log-date';
import { createMessageCollector, type LoggedMessages } from './message-collector';
import { createTemplateReader, type MessageTemplate } from './message-template';
import { watchRowOrder } from './row-order';
import { createLocalTimeReader, type OffsetObservation, type ServerClock } from './server-clock';
import { readTranslated } from './translated-message';

/** How many were read, and what became of each: read = parsed + noise + unrecognised. */
interface Accounting {
  readonly read: number;
  readonly parsed: number;
  /** Known, and without meaning here: logins, backups, starting databases. */
  readonly noise: number;
  readonly unrecognised: number;
}

interface ErrorLogCounts {
  /** Messages: rows of a procedure, or lines with a date and what follows them. */
  readonly rows: number;
  readonly parsed: number;
  readonly noise: number;
  readonly unrecognised: number;
  /** The same by lines of the text that was read; of rows, their number. */
  readonly lines: Accounting;
}

export interface ErrorLogReading extends LoggedMessages {
  /** Rows of no known message, and lines of a FlushCache message whose beginning is missing, in the order given; the first `mostUnrecognised` of them, their texts cut. */
  readonly unrecognised: readonly (ErrorLogRow & { readonly line: number })[];
  readonly counts: ErrorLogCounts;
  /** Offsets from UTC that the log itself tells, beside those given. */
  readonly observations: readonly OffsetObservation[];
  /** The earliest and the latest local time in it, as texts and as if they were UTC; null where no date could be read. */
  readonly period: { readonly firstLocalMs: number; readonly lastLocalMs: number } | null;
  readonly isNewestFirst: boolean;
}

export interface ErrorLogOptions {
  /** What is known of the server's offset from UTC; of kind `observed`, the log's own header lines are added. Without it they are all that is known. */
  readonly clock?: ServerClock | undefined;
  /** The server's own sentences, for instances that do not log in English. */
  readonly templates?: readonly MessageTemplate[] | undefined;
  /** How many unrecognised rows are kept for showing. */
  readonly mostUnrecognised?: number | undefined;
}

/** Takes rows one by one, in the order of the log, and holds no more of them than what was found. */
interface ErrorLogCollector {
  take(row: PlacedRow): void;
  /** Counts lines that belong to no message: the head of a table, blank lines before the first message. */
  takeLayout(lineCount: number): void;
  end(): ErrorLogReading;
}

const MOST_UNRECOGNISED = 1_000;
const LONGEST_SHOWN = 2_000;
const UTC_ADJUSTMENT = /^UTC adjustment: ?([-+−]?)(\d{1,2}):([0-5]\d)/;

/**
 * Reads rows in any order of time. A row is read whole or counted as unrecognised; nothing is completed by guessing.
 */
export function readErrorLog(rows: readonly ErrorLogRow[], options: ErrorLogOptions = {}): ErrorLogReading {
  const collector = createErrorLogCollector(options);
  rows.forEach((row, at) => collector.take(placeRow(row, at + 1)));
  return collector.end();
}

/** @param line its number among the rows */
export function placeRow({ logDateLocal, processInfo, text }: ErrorLogRow, line: number): PlacedRow {
  const localMs = readLogDate(logDateLocal);
  return { logDateLocal, processInfo, text, line, lineCount: 1, localMs, orderMs: localMs };
}

export function createErrorLogCollector(options: ErrorLogOptions = {}): ErrorLogCollector {
  const readTemplate = createTemplateReader(options.templates ?? []);
  const messages = createMessageCollector();
  const order = watchRowOrder();
  const account = createAccount(options.mostUnrecognised ?? MOST_UNRECOGNISED);
  const observations: OffsetObservation[] = [];
  const period = { first: Infinity, last: -Infinity };
  const groups = assembleGroups({
    found: (group, state) => messages.addGroup(group, state),
    stray: (row) => account.moveToUnrecognised(row),
  });

  const readCheckpoint = (row: PlacedRow): boolean => {
    const lines = readCheckpointLines(row.text);
    for (const line of lines ?? []) {
      if (line.kind === 'print') messages.addPrint(row, line);
      else if (line.kind === 'dirty pages') messages.addDirtyPages(row, line);
      else groups.take(row, line);
    }
    return lines !== null;
  };
  const readNumbered = (row: PlacedRow): boolean => {
    const message: NumberedMessage | null = readSentence(row.text) ?? readTemplate(row.text);
    if (message) messages.addNumbered(row, message);
    return message !== null;
  };
  const readUnknown = (row: PlacedRow): boolean => {
    const message = readTranslated(row.text);
    if (message) messages.addNumbered(row, message);
    return message !== null;
  };
  const readOffset = (row: PlacedRow): boolean => {
    const offsetMinutes = readAdjustment(row.text);
    if (offsetMinutes !== null && row.localMs !== null) observations.push({ localMs: row.localMs, offsetMinutes });
    return offsetMinutes !== null;
  };
  return {
    take(given) {
      const text = given.text.trim();
      const row = text.length === given.text.length ? given : { ...given, text };
      order.take(row);
      if (row.localMs !== null) [period.first, period.last] = [Math.min(period.first, row.localMs), Math.max(period.last, row.localMs)];
      // The account comes first, because a line may turn out a stray at once.
      account.add(row, 'parsed');
      if (readCheckpoint(row) || readNumbered(row) || readOffset(row)) return;
      if (isKnownNoise(row.text)) account.move(row, 'noise');
      else if (!readUnknown(row)) account.moveToUnrecognised(row);
    },
    takeLayout: (lineCount) => account.addLayout(lineCount),
    end() {
      groups.end();
      const { jumps, isNewestFirst } = order.end();
      const clock = joinClocks(options.clock, observations);
      const readLocalTime = createLocalTimeReader(clock, jumps, isNewestFirst);
      const seen = period.first <= period.last ? { firstLocalMs: period.first, lastLocalMs: period.last } : null;
      return { ...messages.end(readLocalTime), ...account.end(), observations, period: seen, isNewestFirst };
    },
  };
}

function joinClocks(clock: ServerClock | undefined, logged: readonly OffsetObservation[]): ServerClock {
  if (clock === undefined) return { kind: 'observed', observations: logged };
  return clock.kind === 'observed' ? { kind: 'observed', observations: [...clock.observations, ...logged] } : clock;
}

/** Minutes to add to UTC, from the header of every log since 2012. */
function readAdjustment(text: string): number | null {
  const match = UTC_ADJUSTMENT.exec(text);
  if (!match) return null;
  const [, sign = '', hours, minutes] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  return offset > 14 * 60 ? null : sign === '' || sign === '+' ? offset : -offset;
}

type Class = 'parsed' | 'noise' | 'unrecognised';

interface Account {
  add(row: PlacedRow, to: Class): void;
  /** Of a row that was added as parsed. */
  move(row: PlacedRow, to: Class): void;
  moveToUnrecognised(row: PlacedRow): void;
  addLayout(lineCount: number): void;
  end(): Pick<ErrorLogReading, 'unrecognised' | 'counts'>;
}

function createAccount(most: number): Account {
  const rows = { parsed: 0, noise: 0, unrecognised: 0 };
  const lines = { parsed: 0, noise: 0, unrecognised: 0 };
  const kept: (ErrorLogRow & { line: number })[] = [];
  const moved = new WeakSet<PlacedRow>();
  const add = (row: PlacedRow, to: Class, sign: 1 | -1): void => {
    rows[to] += sign;
    lines[to] += sign * row.lineCount;
  };
  const account: Account = {
    add: (row, to) => add(row, to, 1),
    move(row, to) {
      add(row, 'parsed', -1);
      add(row, to, 1);
    },
    moveToUnrecognised(row) {
      // A row that holds several lines may be called a stray several times.
      if (moved.has(row)) return;
      moved.add(row);
      account.move(row, 'unrecognised');
      if (kept.length < most) kept.push(showRow(row));
    },
    addLayout: (lineCount) => void (lines.noise += lineCount),
    end: () => ({
      unrecognised: kept.sort((a, b) => a.line - b.line),
      counts: {
        rows: rows.parsed + rows.noise + rows.unrecognised,
        ...rows,
        lines: { read: lines.parsed + lines.noise + lines.unrecognised, ...lines },
      },
    }),
  };
  return account;
}

/** Texts are cut: a stack dump or a query may be long. */
function showRow({ logDateLocal, processInfo, text, line }: PlacedRow): ErrorLogRow & { line: number } {
  return { logDateLocal, processInfo, text: text.slice(0, LONGEST_SHOWN), line };
}
