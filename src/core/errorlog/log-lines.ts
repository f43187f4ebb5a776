/**
 * Puts the lines of a log, in any of its forms, together to messages. A message may take several lines, and a line may
 * hold several messages.
 */
import type { PlacedRow } from './error-log-row';
import { beginsCheckpointLine, readCheckpointLines } from './flush-cache-line';
import { type DayPlace, findDayPlace, looksLikeDate, readLogDate } from './log-date';
import {
  continueQuoted,
  createPrefixCutter,
  isMessage,
  MESSAGE,
  readRecord,
  RECORD,
  splitJoinedLines,
} from './log-record';

/**
 * `error log`: lines that begin with date and process, as in an ERRORLOG file or in results as text. `grid`: cells
 * separated by tabs. `csv`: cells separated by something else. `log viewer`: the details that the Log File Viewer
 * copies, a label a line. `Windows events`, `list`: what Format-List makes of Get-WinEvent and of an error log, a label
 * a line. `messages alone`: messages without dates, as people quote them. `unknown`: none of these.
 */
export type LogFormName =
  | 'error log'
  | 'grid'
  | 'csv'
  | 'log viewer'
  | 'Windows events'
  | 'list'
  | 'messages alone'
  | 'unknown';

interface LogLineSink {
  readonly take: (row: PlacedRow) => void;
  readonly takeLayout: (lineCount: number) => void;
}

interface LogLineReader {
  take(line: string): void;
  end(): void;
  /** `unknown` until enough was read to tell. */
  form(): LogFormName;
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
const LIST_LABEL = /^([A-Z]\w{0,60}) +: ?(.*)$/;
/** Forms with a label a line, and the label of their dates. */
const LABELLED = [
  { name: 'log viewer', pattern: /^(Date|Log|Source|Message)[ \t]*(?:[ \t](\S.*))?$/, date: /^Date$/ },
  { name: 'Windows events', pattern: LIST_LABEL, date: /^TimeCreated$/ },
  { name: 'list', pattern: LIST_LABEL, date: /^LogDate$/ },
] as const;
const PROCESS_LABEL = /^(?:Source|ProcessInfo)$/;
const TEXT_LABEL = /^(?:Message|Text)$/;

interface LogForm {
  readonly name: LogFormName;
  readonly labelled?: (typeof LABELLED)[number];
  /** Which number of its dates is the day. */
  readonly dayPlace: DayPlace;
}

/** A message whose lines are still coming. */
interface OpenMessage {
  logDateLocal: string;
  processInfo: string;
  readonly line: number;
  readonly lines: string[];
  /** Lines of the text that belong to it, also those that hold none of its own. */
  lineCount: number;
  isQuoted: boolean;
}

export function readLogLines(sink: LogLineSink): LogLineReader {
  let sample: string[] | null = [];
  let characters = 0;
  let form: LogForm | null = null;
  let takeLine: LineTaker = () => undefined;
  let builder: Builder | null = null;
  const begin = (): void => {
    if (sample === null) return;
    const lines = sample;
    sample = null;
    const findForm = (begin: RegExp): LogForm => findLogForm(lines.map(createPrefixCutter(lines, begin)));
    form = findForm(RECORD);
    const isUndated = ['unknown', 'messages alone'].includes(form.name);
    if (isUndated) form = findForm(MESSAGE);
    builder = buildMessages(sink, form.dayPlace);
    const takeCut = chooseTaker(form, builder);
    const cut = createPrefixCutter(lines, isUndated ? MESSAGE : RECORD);
    takeLine = (line) => takeCut(cut(line));
    for (const line of lines) takeLine(line);
  };
  return {
    take(line) {
      if (sample === null) return takeLine(line);
      sample.push(line);
      characters += line.length;
      if (sample.length >= SAMPLE_LINES || characters >= SAMPLE_CHARACTERS) begin();
    },
    end() {
      begin();
      builder?.end();
    },
    form: () => form?.name ?? 'unknown',
  };
}

/** Finds the form of a log by its first lines. A text in no known form is not guessed at. */
function findLogForm(lines: readonly string[]): LogForm {
  const records = lines.flatMap(splitJoinedLines).flatMap((line) => readRecord(line) ?? []);
  const count = (name: LogFormName): number => records.filter(({ form }) => form === name).length;
  const [name] = (['error log', 'grid', 'csv'] as const)
    .filter((each) => count(each) > 0)
    .sort((a, b) => count(b) - count(a));
  if (name !== undefined)
    return { name, dayPlace: findDayPlace(records.map(({ logDateLocal }) => logDateLocal)) };
  for (const labelled of LABELLED) {
    const dates = lines.flatMap((line) => {
      const [, label = '', value = ''] = labelled.pattern.exec(line) ?? [];
      return labelled.date.test(label) && looksLikeDate(value) ? value : [];
    });
    if (dates.length > 0) return { name: labelled.name, labelled, dayPlace: findDayPlace(dates) };
  }
  return { name: lines.some(isMessage) ? 'messages alone' : 'unknown', dayPlace: 'unknown' };
}

type LineTaker = (line: string) => void;

/** Each line of the text is counted once, before anything is done with it. */
interface Builder {
  count(): void;
  /** Begins a message. Its text comes next. */
  open(message?: Partial<Pick<OpenMessage, 'logDateLocal' | 'processInfo' | 'isQuoted'>>): void;
  /** Adds to the text of the message that is open; without one it is a message of its own. */
  goOn(text: string): void;
  /** The message that is open. */
  current(): OpenMessage | null;
  /** The line belongs to the message that is open but holds none of its text. */
  belong(message: OpenMessage): void;
  layout(): void;
  end(): void;
}

function chooseTaker({ name, labelled }: LogForm, builder: Builder): LineTaker {
  if (labelled) return takeLabelled(labelled, builder);
  return name === 'messages alone' ? takeQuoted(builder) : takeRecords(builder);
}

/** Lines may have been wrapped: a line that begins no message may belong to the one before. */
function takeQuoted(builder: Builder): LineTaker {
  let isAfterText = false;
  return (line) => {
    builder.count();
    const isText = line.trim() !== '';
    if (!isText) builder.end();
    else if (!isAfterText || isMessage(line) || beginsCheckpointLine(line)) builder.open();
    isAfterText = isText;
    builder.goOn(line);
  };
}

function takeRecords(builder: Builder): LineTaker {
  return (joined) => {
    builder.count();
    for (const line of splitJoinedLines(joined)) takeRecord(line, builder);
  };
}

function takeRecord(line: string, builder: Builder): void {
  // A line that begins like a record is no text, even if the quote before it was never closed.
  const record = readRecord(line);
  if (record) {
    builder.open(record);
    return builder.goOn(record.text);
  }
  const open = builder.current();
  if (open?.isQuoted !== true) return LAYOUT.test(line) ? builder.layout() : builder.goOn(line);
  const { text, isQuoted } = continueQuoted(line);
  builder.goOn(text);
  open.isQuoted = isQuoted;
}

/**
 * A message is a run of labels; a label that it has already begins the next. The Log File Viewer writes the text below
 * its label, and only a date ends it. Format-List indents the further lines of a text, and wraps them at the width of
 * the window.
 */
function takeLabelled({ name, pattern, date }: (typeof LABELLED)[number], builder: Builder): LineTaker {
  const isList = name !== 'log viewer';
  const seen = new Set<string>();
  let isText = false;
  return (line) => {
    builder.count();
    const [, label = '', value = ''] = pattern.exec(line) ?? [];
    if (label === '' || (!isList && isText && !date.test(label))) {
      const open = builder.current();
      if (isList && isText && open && /^\s+\S/.test(line)) return unwrap(open, line, builder);
      return open === null || (isList ? /^\S/.test(line) : isText)
        ? builder.goOn(line)
        : builder.belong(open);
    }
    if (seen.has(label) || builder.current() === null) {
      builder.open();
      seen.clear();
    }
    seen.add(label);
    isText = TEXT_LABEL.test(label);
    const open = builder.current();
    if (open === null || (isText && value !== '')) return builder.goOn(value);
    if (date.test(label)) open.logDateLocal = value.trim();
    if (PROCESS_LABEL.test(label)) open.processInfo = value.trim();
    builder.belong(open);
  };
}

function unwrap(open: OpenMessage, line: string, builder: Builder): void {
  const before = open.lines.pop() ?? '';
  if (before.length <= LONGEST_UNWRAPPED) {
    open.lines.push(`${before.trimEnd()} ${line.trim()}`);
    return builder.belong(open);
  }
  open.lines.push(before);
  builder.goOn(line);
}

function buildMessages(sink: LogLineSink, dayPlace: DayPlace): Builder {
  let current: OpenMessage | null = null;
  let line = 0;
  let isCounted = true;
  const close = (): void => {
    if (current) giveMessage(current, dayPlace, sink);
    current = null;
  };
  /** A physical line counts once, for the first thing in it. */
  const claim = (): number => {
    const count = isCounted ? 0 : 1;
    isCounted = true;
    return count;
  };
  const builder: Builder = {
    count() {
      line++;
      isCounted = false;
    },
    open({ logDateLocal = '', processInfo = '', isQuoted = false } = {}) {
      close();
      current = { logDateLocal, processInfo, line, lines: [], lineCount: 0, isQuoted };
    },
    goOn(text) {
      if (current && current.lines.length >= MOST_LINES) close();
      if (!current && text.trim() === '') return builder.layout();
      if (!current)
        return sink.take({
          logDateLocal: '',
          processInfo: '',
          text,
          line,
          lineCount: claim(),
          localMs: null,
          orderMs: null,
        });
      current.lines.push(text);
      current.lineCount += claim();
    },
    current: () => current,
    belong: (message) => void (message.lineCount += claim()),
    layout: () => sink.takeLayout(claim()),
    end: close,
  };
  return builder;
}

/**
 * Gives a message as one row. If text was added below it, lines that are messages by themselves become rows of their
 * own: a message is read whole or not at all, and must not be lost because something was written under it.
 */
function giveMessage(
  { logDateLocal, processInfo, line, lines, lineCount: all }: OpenMessage,
  dayPlace: DayPlace,
  sink: LogLineSink,
): void {
  const localMs = readLogDate(logDateLocal, dayPlace);
  const orderMs =
    localMs ?? readLogDate(logDateLocal, 'day first') ?? readLogDate(logDateLocal, 'month first');
  const extra = all - lines.length;
  const give = (text: string, at: number, lineCount: number): void =>
    sink.take({ logDateLocal, processInfo, text, line: line + at, lineCount, localMs, orderMs });
  const whole = lines.join('\n');
  if (lines.length <= 1 || readCheckpointLines(whole.trim()) !== null || !lines.some(isMessage))
    return give(whole, 0, all);
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
