/** Puts the lines of a log, in any of its forms, together to messages. A message may take several lines, and a line may hold several messages. */
import { readSentence } from './error-log-message';
import type { PlacedRow } from './error-log-row';
import { beginsCheckpointLine, readCheckpointLines } from './flush-cache-line';
import { type DayPlace, looksLikeDate, readCultureDate } from './log-date';
import { type Columns, findLogForm, type LogForm, VIEWER_DATE } from './log-form';
import { readLogHead, splitJoinedLines, splitJoinedRecords } from './log-head';
import { createPrefixStripper, cutToHeads } from './log-prefix';
import { continueQuoted, splitRecord } from './separated-record';

interface LogLineSink {
  readonly take: (row: PlacedRow) => void;
  readonly takeLayout: (lineCount: number) => void;
}

interface LogLineReader {
  take(line: string): void;
  end(): void;
  /** null until enough was read to tell. */
  form(): LogForm | null;
}

/** This many lines, or characters, tell the form. */
const SAMPLE_LINES = 500;
const SAMPLE_CHARACTERS = 1_000_000;
/** A message of more lines is cut. None of ours is so long, and a quote without an end must not swallow the log. */
const MOST_LINES = 200;
/** No message of ours is longer. */
const LONGEST_UNWRAPPED = 8_000;
const LAYOUT =
  /^(?:\uFEFF?"?LogDate"?[\s,;|]+"?ProcessInfo"?[\s,;|].*|\uFEFF?"?Date"?[\t,;|]"?Source"?[\t,;|].*|[-+=| :\t]{10,}|\(\d+ (?:rows?|row\(s\)) affected\)|Completion time: \S+|Date[\t, ]+Source[\t, ]+Severity.*|@?timestamp,@?message)$/;
const EVENT_LABEL = /^([A-Z]\w{0,60}) +: ?(.*)$/;
const VIEWER_LABEL = /^(Log|Source|Message)[ \t]*(?:[ \t](\S.*))?$/;

/** A message whose lines are still coming. */
interface OpenMessage {
  logDateLocal: string;
  localMs: number | null;
  orderMs: number | null;
  processInfo: string;
  readonly line: number;
  readonly lines: string[];
  /** Lines that belong to it but hold none of its text. */
  extra: number;
  isQuoted: boolean;
}

export function readLogLines(sink: LogLineSink): LogLineReader {
  let sample: string[] | null = [];
  let characters = 0;
  let form: LogForm | null = null;
  let takeLine: LineTaker | null = null;
  const builder = buildMessages(sink);
  const strip = createPrefixStripper();
  const begin = (): void => {
    if (sample === null) return;
    const lines = sample;
    sample = null;
    const found = findForm(lines);
    form = found.form;
    const takeCut = chooseTaker(form, builder);
    takeLine = (line) => takeCut(found.cut(line));
    for (const line of lines) takeLine(line);
  };
  return {
    take(given) {
      const line = strip(given);
      if (takeLine) return takeLine(line);
      sample?.push(line);
      characters += line.length;
      if ((sample?.length ?? 0) >= SAMPLE_LINES || characters >= SAMPLE_CHARACTERS) begin();
    },
    end() {
      begin();
      builder.end();
    },
    form: () => form,
  };
}

/** A text in no known form may have something else before each line; then the form is that of what remains. */
function findForm(lines: readonly string[]): { readonly form: LogForm; readonly cut: (line: string) => string } {
  const form = findLogForm(lines);
  if (form.name === 'unknown') {
    const cut = findLogForm(lines.map(cutToHeads()));
    if (cut.name === 'error log') return { form: cut, cut: cutToHeads() };
  }
  return { form, cut: (line) => line };
}

type LineTaker = (line: string) => void;

interface Opening extends Pick<OpenMessage, 'logDateLocal' | 'localMs' | 'processInfo'> {
  /** Only if it differs from localMs. */
  readonly orderMs?: number | null;
  /** null: its text comes in the next lines. */
  readonly text: string | null;
  readonly isQuoted?: boolean;
}

interface Builder {
  /** Begins a message. */
  open(message: Opening): void;
  /** Adds a line that begins no message. */
  goOn(line: string): void;
  /** The message that is open. */
  current(): OpenMessage | null;
  /** Counts a line of the text; each line is counted once, before anything is done with it. */
  count(): void;
  layout(): void;
  end(): void;
}

function chooseTaker(form: LogForm, builder: Builder): LineTaker {
  if (form.columns) return takeSeparated(form, builder);
  if (form.name === 'error log') return takeHeaded(builder);
  if (form.name === 'log viewer') return takeViewer(form, builder);
  if (form.name === 'Windows events') return takeEvents(form, builder);
  return form.name === 'messages alone' ? takeQuoted(builder) : takeUnknown(builder);
}

function takeUnknown(builder: Builder): LineTaker {
  return (line) => {
    builder.count();
    if (line.trim() === '') builder.layout();
    else builder.open({ logDateLocal: '', localMs: null, processInfo: '', text: line });
  };
}

/** Lines may have been wrapped: a line that begins no message may belong to the one before. */
function takeQuoted(builder: Builder): LineTaker {
  const takeLine = takeUnknown(builder);
  let isAfterText = false;
  return (line) => {
    const isWrapped = isAfterText && line.trim() !== '' && !isMessage(line) && !beginsCheckpointLine(line);
    isAfterText = line.trim() !== '';
    if (!isWrapped) return takeLine(line);
    builder.count();
    builder.goOn(line);
  };
}

function takeHeaded(builder: Builder): LineTaker {
  return (joined) => {
    builder.count();
    for (const line of splitJoinedLines(joined)) {
      const head = readLogHead(line);
      if (head) builder.open(head);
      else if (LAYOUT.test(line)) builder.layout();
      else builder.goOn(line);
    }
  };
}

function takeSeparated(form: LogForm, builder: Builder): LineTaker {
  const takeCells = takeRecord(form, builder);
  return (joined) => {
    builder.count();
    for (const line of splitJoinedRecords(joined)) takeCells(line);
  };
}

function takeRecord({ columns, dayPlace }: LogForm, builder: Builder): LineTaker {
  return (line) => {
    const record = columns && readRecord(line, columns, dayPlace);
    const open = builder.current();
    // A line that begins like a record is no text, even if the quote before it was never closed.
    if (record) return builder.open(record);
    if (open?.isQuoted !== true) return LAYOUT.test(line) ? builder.layout() : builder.goOn(line);
    const { text, isOpen } = continueQuoted(line);
    builder.goOn(text);
    const current = builder.current();
    if (current) current.isQuoted = isOpen;
  };
}

function readRecord(line: string, columns: Columns, dayPlace: DayPlace): Opening | null {
  const { cells, isOpen } = splitRecord(line, columns.separator, columns.text + 1);
  const logDateLocal = (cells[columns.date] ?? '').trim();
  if (cells.length <= columns.text || !looksLikeDate(logDateLocal)) return null;
  const cell = cells[columns.text] ?? '';
  const text = columns.separator === '|' ? cell.replace(/\|\s*$/, '') : cell;
  const processInfo = (cells[columns.process] ?? '').trim();
  return { logDateLocal, ...readTimes(logDateLocal, dayPlace), processInfo, text, isQuoted: isOpen };
}
function readTimes(date: string, dayPlace: DayPlace): Pick<PlacedRow, 'localMs' | 'orderMs'> {
  const localMs = readCultureDate(date, dayPlace);
  return { localMs, orderMs: localMs ?? readCultureDate(date, 'day first') ?? readCultureDate(date, 'month first') };
}

/** `Date` begins a message, `Source` names the process, and the text follows `Message`. */
function takeViewer({ dayPlace }: LogForm, builder: Builder): LineTaker {
  let isText = false;
  return (line) => {
    builder.count();
    const date = VIEWER_DATE.exec(line)?.[1];
    const open = builder.current();
    if (date !== undefined) {
      isText = false;
      return builder.open({ logDateLocal: date.trim(), ...readTimes(date, dayPlace), processInfo: '', text: null });
    }
    if (isText || open === null) return builder.goOn(line);
    const label = VIEWER_LABEL.exec(line);
    if (label?.[1] === 'Source') open.processInfo = label[2]?.trim() ?? '';
    isText = label?.[1] === 'Message';
    if (isText && label?.[2] !== undefined) open.lines.push(label[2]);
    else open.extra++;
  };
}

/**
 * An event is a run of labels, in whatever order they were asked for; a label after a blank line begins the next. Format-List indents the further lines of a
 * text, and wraps them at the width of the window.
 */
function takeEvents({ dayPlace }: LogForm, builder: Builder): LineTaker {
  let [isText, isAfterBlank] = [false, true];
  return (line) => {
    builder.count();
    const [, label, value = ''] = EVENT_LABEL.exec(line) ?? [];
    const isFirst = label !== undefined && (isAfterBlank || builder.current() === null);
    isAfterBlank = line.trim() === '';
    if (isFirst) builder.open({ logDateLocal: '', localMs: null, processInfo: '', text: label === 'Message' ? value : null });
    const event = builder.current();
    if (event === null || (label === undefined && /^\S/.test(line))) return builder.goOn(line);
    if (label === 'TimeCreated') Object.assign(event, { logDateLocal: value.trim(), ...readTimes(value, dayPlace) });
    if (label !== undefined) isText = label === 'Message';
    else if (isText && !isAfterBlank) return unwrap(event, line, builder);
    if (isFirst) return;
    if (isText && label !== undefined) event.lines.push(value);
    else event.extra++;
  };
}

function unwrap(event: OpenMessage, line: string, builder: Builder): void {
  const at = event.lines.length - 1;
  const before = event.lines[at] ?? '';
  if (before.length > LONGEST_UNWRAPPED) return builder.goOn(line);
  event.lines[at] = `${before.trimEnd()} ${line.trim()}`;
  event.extra++;
}

function buildMessages(sink: LogLineSink): Builder {
  let current: OpenMessage | null = null;
  let line = 0;
  let isCounted = true;
  const close = (): void => {
    if (current) giveMessage(current, sink);
    current = null;
  };
  /** A physical line counts once, for the first thing in it. */
  const claim = (): number => {
    const count = isCounted ? 0 : 1;
    isCounted = true;
    return count;
  };
  return {
    open({ logDateLocal, localMs, orderMs = localMs, processInfo, text, isQuoted = false }) {
      close();
      const extra = claim() - (text === null ? 0 : 1);
      current = { logDateLocal, localMs, orderMs, processInfo, line, lines: text === null ? [] : [text], extra, isQuoted };
    },
    goOn(text) {
      if (current && current.lines.length >= MOST_LINES) close();
      if (current) {
        current.extra += claim() - 1;
        current.lines.push(text);
      } else if (text.trim() === '') sink.takeLayout(claim());
      else sink.take({ logDateLocal: '', processInfo: '', text, line, lineCount: claim(), localMs: null, orderMs: null });
    },
    current: () => current,
    count() {
      line++;
      isCounted = false;
    },
    layout: () => sink.takeLayout(claim()),
    end: close,
  };
}

/**
 * Gives a message as one row. If text was added below it, lines that are messages by themselves become rows of their own: a message is read whole or not at
 * all, and must not be lost because somebody wrote something under it.
 */
function giveMessage({ logDateLocal, localMs, orderMs, processInfo, line, lines, extra }: OpenMessage, sink: LogLineSink): void {
  const give = (text: string, at: number, lineCount: number): void =>
    sink.take({ logDateLocal, processInfo, text, line: line + at, lineCount, localMs, orderMs });
  const whole = lines.length === 1 ? (lines[0] ?? '') : lines.join('\n');
  const isOne = lines.length <= 1 || readCheckpointLines(whole.trim()) !== null || !lines.some(isMessage);
  if (isOne) return give(whole, 0, lines.length + extra);
  let from = 0;
  const giveUpTo = (to: number): void => {
    if (to > from) give(lines.slice(from, to).join('\n'), from, to - from + (from === 0 ? extra : 0));
    from = to;
  };
  lines.forEach((text, at) => {
    if (!isMessage(text)) return;
    giveUpTo(at);
    giveUpTo(at + 1);
  });
  giveUpTo(lines.length);
}

function isMessage(text: string): boolean {
  const trimmed = text.trim();
  return readCheckpointLines(trimmed) !== null || readSentence(trimmed) !== null;
}
