/** Turns the rows of the error log into evidence. Every row and every line is counted (docs/facts.md, SQL Server 5). */
import { type LoggedMessages, type NumberedMessage, readSentence } from './error-log-message';
import type { ErrorLogRow, Logged, PlacedRow } from './error-log-row';
import { closeGroup, type ClosedGroup, nameDatabases } from './flush-cache-group';
import { assembleGroups } from './flush-cache-groups';
import { type PrintMessage, readCheckpointLines } from './flush-cache-line';
import { isKnownNoise } from './known-noise';
import { readLogDate } from './log-date';
import { createTemplateReader, type MessageTemplate } from './message-template';
import { type ClockJump, createLocalTimeReader, type OffsetObservation } from './server-clock';
import { CHECKPOINT, readTranslated } from './translated-message';
import { makeRecord } from '../lists';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time';

/** How many were read, and as what: read = parsed + noise + unrecognised. */
interface Accounting {
  readonly read: number;
  readonly parsed: number;
  /** Known, and without meaning here: logins, backups, starting databases. */
  readonly noise: number;
  readonly unrecognised: number;
}

interface ErrorLogCounts extends Omit<Accounting, 'read'> {
  /** Messages: rows of a procedure, or lines with a date and what follows them. */
  readonly rows: number;
  /** The same in lines of the text; if rows were read, in rows. */
  readonly lines: Accounting;
}

/** Of several kinds, the first is the one to explain first. */
export const MESSAGE_KINDS = [
  'groups',
  'failures',
  'dirtyPageFlushes',
  'scans',
  'slowIos',
  'recoveries',
  'changes',
  'notices',
  'prints',
] as const satisfies readonly (keyof LoggedMessages)[];

export interface ErrorLogReading extends LoggedMessages {
  /**
   * Rows of no known message, and lines of a FlushCache message without its beginning, in their order: the first
   * `mostUnrecognised`, with texts cut.
   */
  readonly unrecognised: readonly (ErrorLogRow & { readonly line: number })[];
  readonly counts: ErrorLogCounts;
  /** Unrecognised lines that are about checkpoints by their words or their number: how many, and the first three. */
  readonly unread: { readonly lines: number; readonly first: readonly string[] };
  /** Offsets from UTC that the log itself tells, in addition to those given. */
  readonly observations: readonly OffsetObservation[];
  /** The earliest and the latest local time in it, as texts and as if they were UTC; null if no date could be read. */
  readonly period: { readonly firstLocalMs: number; readonly lastLocalMs: number } | null;
  readonly isNewestFirst: boolean;
}

export interface ErrorLogOptions {
  /** What is known of the server's offset from UTC, besides the log's own header lines. */
  readonly clock?: readonly OffsetObservation[] | undefined;
  /** The server's own sentences, for instances that do not log in English. */
  readonly templates?: readonly MessageTemplate[] | undefined;
  /** How many unrecognised rows are kept for showing. */
  readonly mostUnrecognised?: number | undefined;
}

/** Takes rows one by one, in the order of the log, and keeps only what was found. */
export interface ErrorLogCollector {
  take(row: PlacedRow): void;
  /** Counts lines that belong to no message: the head of a table, blank lines before the first message. */
  takeLayout(lineCount: number): void;
  end(): ErrorLogReading;
}

const MOST_UNRECOGNISED = 1_000;
const LONGEST_SHOWN = 2_000;
/** Words of messages about checkpoints and slow I/O, and numbers of messages that name none. */
const OURS =
  /FlushCache|DirtyPageMgr|avgWriteLatency|average throughput|average writes per second|last target outstanding|target_recovery_time|encountered \d+ occurrence|(?:I\/O|E\/[AS]|ввода-вывода).{0,400} 0x[\dA-F]{8}|(?<![a-z])(?:error|fehler|erreur|errore|ошибка|エラー|오류|错误|錯誤|msg|message|event_?id|(?<!process |database )id)["#]?[:=]? ?"?(?:5084|833|3619|5901)(?!\d)|[,;|\t>"] ?(?:5084|833|3619|5901) ?[,;|\t<"]/i;
const MOST_UNREAD = 3;
/** `Registry startup parameters: -d C:\master.mdf -T 3505`, in any language; before 2012 each in a row of its own. */
const STARTUP = /^(?:[^:：]{3,60}[:：]\s+-[delsT]|-T)/;
const UTC_ADJUSTMENT = /^UTC adjustment: ?([-+−]?)(\d{1,2}):([0-5]\d)/;

/** Reads rows in any order of time. A row is read whole or counted as unrecognised; nothing is guessed. */
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
  const times = watchTimes();
  const account = createAccount(options.mostUnrecognised ?? MOST_UNRECOGNISED);
  const offsets = watchOffsets();
  const groups = assembleGroups(
    (group, state) => messages.add(group.cleanedRow, { kind: 'groups', values: closeGroup(group, state) }),
    (row) => account.takeStray(row),
  );

  const readCheckpoint = (row: PlacedRow): boolean => {
    const lines = readCheckpointLines(row.text);
    for (const line of lines ?? [])
      if (line.kind === 'prints' || line.kind === 'dirtyPageFlushes') messages.add(row, line);
      else groups.take(row, line);
    return lines !== null;
  };
  const add = (row: PlacedRow, message: NumberedMessage | null): boolean => {
    if (message) messages.add(row, message);
    return message !== null;
  };
  /** Trace flags that are on from the start. */
  const readStartup = (row: PlacedRow): boolean => {
    const flags = STARTUP.test(row.text) ? row.text.matchAll(/(?:^|\s)-T ?(\d{1,5})\b/g) : [];
    return [...flags].filter(([, flag]) => add(row, readSentence(`DBCC TRACEON ${flag},`))).length > 0;
  };
  const isParsed = (row: PlacedRow): boolean =>
    readStartup(row) ||
    readCheckpoint(row) ||
    add(row, readSentence(row.text) ?? readTemplate(row.text)) ||
    offsets.read(row);
  return {
    take(given) {
      const text = given.text.trim();
      const row = text.length === given.text.length ? given : { ...given, text };
      times.take(row);
      offsets.compare(row);
      if (isParsed(row)) account.add(row, 'parsed');
      else if (isKnownNoise(row.text)) account.add(row, 'noise');
      else account.add(row, add(row, readTranslated(row.text)) ? 'parsed' : 'unrecognised');
    },
    takeLayout: (lineCount) => account.addLayout(lineCount),
    end() {
      groups.end();
      const { jumps, ...seen } = times.end();
      const observations = offsets.end();
      const clock = [...(options.clock ?? []), ...observations];
      return { ...messages.end(clock, jumps, seen.isNewestFirst), ...account.end(), observations, ...seen };
    },
  };
}

/** Minutes to add to UTC, from the header of every log since 2012. */
export function readAdjustment(text: string): number | null {
  const match = UTC_ADJUSTMENT.exec(text);
  if (!match) return null;
  const [, sign = '', hours, minutes] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  return offset > 14 * 60 ? null : sign === '' || sign === '+' ? offset : -offset;
}

type Class = keyof Omit<Accounting, 'read'>;

function createAccount(most: number) {
  const rows = { parsed: 0, noise: 0, unrecognised: 0 };
  const lines = { parsed: 0, noise: 0, unrecognised: 0 };
  const kept: (ErrorLogRow & { line: number })[] = [];
  const unread = { lines: 0, first: [] as { readonly line: number; readonly text: string }[] };
  const strays = new WeakSet<PlacedRow>();
  const add = (row: PlacedRow, to: Class, sign = 1): void => {
    rows[to] += sign;
    lines[to] += sign * row.lineCount;
    if (to !== 'unrecognised') return;
    if (kept.length < most) kept.push(showRow(row));
    const texts = row.text.split('\n').filter((text) => CHECKPOINT.test(text) || OURS.test(text));
    unread.lines += texts.length;
    const ours = texts.map((text) => ({ line: row.line, text: text.trim().slice(0, LONGEST_SHOWN) }));
    unread.first = [...unread.first, ...ours].sort((a, b) => a.line - b.line).slice(0, MOST_UNREAD);
  };
  return {
    add: (row: PlacedRow, to: Class): void => add(row, to),
    /** A row that counts as parsed has a line that belongs to no message; or several, and it is told of each. */
    takeStray(row: PlacedRow): void {
      if (strays.has(row)) return;
      strays.add(row);
      add(row, 'parsed', -1);
      add(row, 'unrecognised');
    },
    addLayout: (lineCount: number): void => void (lines.noise += lineCount),
    end: (): Pick<ErrorLogReading, 'unrecognised' | 'counts' | 'unread'> => ({
      unrecognised: kept.sort((a, b) => a.line - b.line),
      unread: { ...unread, first: unread.first.map(({ text }) => text) },
      counts: {
        rows: rows.parsed + rows.noise + rows.unrecognised,
        ...rows,
        lines: { read: lines.parsed + lines.noise + lines.unrecognised, ...lines },
      },
    }),
  };
}

/** Cuts texts, because a stack dump or a query may be long. */
function showRow({ logDateLocal, processInfo, text, line }: PlacedRow): ErrorLogRow & { line: number } {
  return { logDateLocal, processInfo, text: text.slice(0, LONGEST_SHOWN), line };
}

type Lists = { readonly [K in keyof LoggedMessages]: LoggedMessages[K][number][] };
type AnyMessage = PrintMessage | NumberedMessage | { readonly kind: 'groups'; readonly values: ClosedGroup };

/** Gathers messages row by row. Their times come at the end, because a later row may tell which offset was in force. */
function createMessageCollector() {
  const lists = makeRecord(MESSAGE_KINDS, () => []) as Lists;
  const dated: { readonly localMs: number | null; readonly message: Logged }[] = [];
  return {
    /** @param row the one that tells the time */
    add({ logDateLocal, processInfo, line, localMs }: PlacedRow, { kind, values }: AnyMessage): void {
      const untimed = { atUtcMs: null, sureness: 'unknown' } as const;
      const message = { logDateLocal, processInfo, ...untimed, lines: [line], ...values };
      (lists[kind] as Logged[]).push(message);
      dated.push({ localMs, message });
    },
    end(clock: readonly OffsetObservation[], jumps: readonly ClockJump[], isNewestFirst: boolean) {
      const readLocalTime = createLocalTimeReader(clock, jumps, isNewestFirst);
      // In place: there may be many, and no other part has them yet.
      for (const { localMs, message } of dated)
        Object.assign(message, readLocalTime(localMs, firstLine(message)));
      lists.groups.sort((a, b) => firstLine(a) - firstLine(b));
      nameDatabases(lists.groups, lists.prints, isNewestFirst);
      return lists satisfies LoggedMessages;
    },
  };
}

function firstLine({ lines }: Logged): number {
  return lines[0] ?? 0;
}

const QUARTER_MS = 15 * MINUTE_MS;
/** Another program takes a line this soon. Later, nothing tells how much later. */
const SOON_MS = 5_000;

/**
 * The offsets from UTC that a log tells: by its own header, and by the clock of another program that took its lines at
 * once, unless it took one in ten of them later.
 */
function watchOffsets() {
  const told: OffsetObservation[] = [];
  const seen = new Map<string, readonly [first: OffsetObservation, last: OffsetObservation]>();
  const counts = { soon: 0, late: 0 };
  return {
    /** True for a line of the header that tells it. */
    read({ text, localMs }: PlacedRow): boolean {
      const offsetMinutes = readAdjustment(text);
      if (offsetMinutes !== null && localMs !== null) told.push({ localMs, offsetMinutes });
      return offsetMinutes !== null;
    },
    compare({ localMs, utcMs }: PlacedRow): void {
      if (localMs === null || utcMs === undefined) return;
      const offsetMinutes = Math.round((localMs - utcMs) / QUARTER_MS) * 15;
      const isSoon = Math.abs(utcMs + offsetMinutes * MINUTE_MS - localMs) <= SOON_MS;
      counts[isSoon ? 'soon' : 'late']++;
      if (!isSoon) return;
      const [key, one] = [`${offsetMinutes} ${Math.floor(localMs / DAY_MS)}`, { localMs, offsetMinutes }];
      seen.set(key, [seen.get(key)?.[0] ?? one, one]);
    },
    end: (): readonly OffsetObservation[] => [
      ...told,
      ...(counts.late * 10 > counts.soon ? [] : [...seen.values()].flat()),
    ],
  };
}

/** Steps of a minute to two hours may be a change of the clock; rows of one moment may be out of order. */
const [LEAST_JUMP_MS, MOST_JUMP_MS] = [MINUTE_MS, 2 * HOUR_MS];
const MOST_JUMPS = 1_000;

/** Finds out whether the rows run forward or backward in time, and where the clock jumped against that. */
function watchTimes() {
  const steps = { ahead: 0, back: 0 };
  const jumps = { ahead: [] as ClockJump[], back: [] as ClockJump[] };
  let period: { firstLocalMs: number; lastLocalMs: number } | null = null;
  let beforeLocalMs = NaN;
  return {
    take({ localMs, line }: PlacedRow): void {
      if (localMs === null) return;
      period ??= { firstLocalMs: localMs, lastLocalMs: localMs };
      if (localMs < period.firstLocalMs) period.firstLocalMs = localMs;
      if (localMs > period.lastLocalMs) period.lastLocalMs = localMs;
      const stepMs = localMs - beforeLocalMs;
      const jump = { line, beforeLocalMs, afterLocalMs: localMs };
      beforeLocalMs = localMs;
      if (stepMs === 0 || Number.isNaN(stepMs)) return;
      const way = stepMs > 0 ? 'ahead' : 'back';
      steps[way]++;
      const isJump = Math.abs(stepMs) >= LEAST_JUMP_MS && Math.abs(stepMs) <= MOST_JUMP_MS;
      if (isJump && jumps[way].length < MOST_JUMPS) jumps[way].push(jump);
    },
    end() {
      const isNewestFirst = steps.back > steps.ahead;
      return { jumps: isNewestFirst ? jumps.ahead : jumps.back, isNewestFirst, period };
    },
  };
}
