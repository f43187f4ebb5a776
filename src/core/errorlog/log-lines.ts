/**
 * Puts the lines of a log, in any of its forms, together to messages. A message may take several lines, and a line may
 * hold several messages.
 */
import { countEach } from '../lists';
import type { ErrorLogCollector } from './error-log';
import { beginsCheckpointLine, readCheckpointLines } from './flush-cache-line';
import { type DayPlace, findDayPlace, readLogDate } from './log-date';
import { type Field, type FieldForm, readFields, stripTags, unescapeXml } from '../fields';
import { findRecord, isDate, isHead, isMessage, isTextName, type LogRecord } from './log-fields';
import {
  createPrefixCutter,
  findSeparator,
  isOpenRecord,
  MESSAGE,
  readRecord,
  RECORD,
  splitJoinedLines,
} from './log-record';

/**
 * `error log`: lines that begin with date and process, as in an ERRORLOG file or in results as text. `grid`: cells
 * separated by tabs. `csv`: cells separated by something else. `JSON`, `XML`: each record with names. `log viewer`: the
 * details that the Log File Viewer or the Event Viewer copies, a label a line. `Windows events`, `list`: what
 * Format-List makes of Get-WinEvent and of an error log. `messages alone`: messages without dates, as people quote
 * them. `unknown`: none of these.
 */
export type LogFormName =
  | 'error log'
  | 'grid'
  | 'csv'
  | FieldForm
  | 'Windows events'
  | 'messages alone'
  | 'unknown';

type LogLineSink = Pick<ErrorLogCollector, 'take' | 'takeLayout'>;

/** This many lines, or characters, tell the form. */
const SAMPLE_LINES = 500;
const SAMPLE_CHARACTERS = 1_000_000;
/** A message of more lines is cut. None of ours is so long, and a quote without an end must not swallow the log. */
const MOST_LINES = 200;
/** No message of ours is longer. */
const LONGEST_UNWRAPPED = 8_000;
const LONGEST_OPEN = 20_000;
const LAYOUT =
  /^(?:[-+=| :\t]{10,}|\(\d+ (?:rows?|row\(s\)) affected\)|Completion time: \S+|#TYPE .*|(?:\/\*+|\*+\/|```\w*|--|#|>)?)$/;
/** Stands between the fields of a record. */
const BETWEEN = /^(?!.*FlushCache)\s*(?:"[^"]*"\s*:\s*)?(?:[{}[\],<].*)?$/;
/** Behind the text of the Event Viewer; what follows says the same again. */
const EVENT_XML = /^(?=.{0,40}$).*\bxml\b.*[:：]\s*$/i;
const WHOLE_OBJECT = /^\s*\{.*\},?\s*$/;
const OF_WINDOWS = /^(?:TimeCreated|TimeGenerated|Event ID)$/i;

interface LogForm {
  readonly name: LogFormName;
  /** Which number of its dates is the day. */
  readonly dayPlace: DayPlace;
  readonly fields?: FieldForm;
  /** True if a field holds a whole line of the log. */
  readonly isWrapped?: boolean;
}

interface LineTaker {
  take(line: string, utcMs?: number): void;
  end(): void;
}

export function readLogLines(sink: LogLineSink) {
  const sample: string[] = [];
  let characters = 0;
  let form: LogFormName = 'unknown';
  let taker: LineTaker | null = null;
  const begin = (start = RECORD): LineTaker => {
    const own = findFieldForm(sample, ['JSON', 'XML']);
    const separator = own ? null : findSeparator(sample);
    const cut = createPrefixCutter(own || separator !== null ? [] : sample, start);
    const lines = sample.map((line) => cut(line));
    const texts = lines.map(([text]) => text);
    const { name, dayPlace, fields, isWrapped = false } = own ?? findLogForm(texts, separator);
    const isAlone = name === 'messages alone';
    if (start === RECORD && (isAlone || name === 'unknown')) return begin(MESSAGE);
    form = name;
    const builder = buildMessages(sink, dayPlace);
    const lineTaker = fields
      ? takeFields(fields, isWrapped, builder)
      : takeRecords(separator, isAlone, builder);
    for (const line of lines) lineTaker.take(...line);
    return { take: (line) => lineTaker.take(...cut(line)), end: lineTaker.end };
  };
  return {
    take(given: string): void {
      const line = stripTags(given);
      if (taker !== null) return taker.take(line);
      sample.push(line);
      characters += line.length;
      if (sample.length >= SAMPLE_LINES || characters >= SAMPLE_CHARACTERS) taker = begin();
    },
    end(): LogFormName {
      (taker ??= begin()).end();
      return form;
    },
  };
}

/** Finds the form of a log by its first lines. A text in no known form is not guessed at. */
function findLogForm(lines: readonly string[], separator: string | null): LogForm {
  const parts = separator === null ? lines.flatMap(splitJoinedLines) : lines;
  const records = parts.flatMap((line) => readRecord(line, separator) ?? []);
  const [name] = countEach(records.map(({ form }) => form)).keys();
  if (name !== undefined)
    return { name, dayPlace: findDayPlace(records.map(({ logDateLocal }) => logDateLocal)) };
  const undated = lines.some(isMessage) ? 'messages alone' : 'unknown';
  return findFieldForm(lines, ['list', 'log viewer']) ?? { name: undated, dayPlace: 'unknown' };
}

/** The form of a text whose records have names for their parts; null for lines that begin with a date. */
function findFieldForm(lines: readonly string[], forms: readonly FieldForm[]): LogForm | null {
  const begins = lines.filter((line) => line.search(RECORD) === 0).length;
  for (const form of forms) {
    const fields = lines.flatMap((line) => readFields(line, form));
    const wrapped = fields.flatMap(
      ({ value }) => (RECORD.test(value) && readRecord(value)?.logDateLocal) || [],
    );
    const isWrapped = wrapped.length > 0;
    const dates = isWrapped ? wrapped : fields.filter(isDate).map(({ value }) => value);
    const texts = fields.filter(({ name, value }) => isTextName(name) || isMessage(value));
    const most = form === 'JSON' ? Math.max(dates.length, texts.length) : dates.length;
    if (most <= begins || (texts.length === 0 && !isWrapped)) continue;
    const name = fields.some((field) => OF_WINDOWS.test(field.name)) ? 'Windows events' : form;
    return { name, fields: form, isWrapped, dayPlace: findDayPlace(dates) };
  }
  return null;
}

/**
 * A cell whose quote is open goes on in the next line, unless that begins like a record. Messages alone may have been
 * wrapped: a line that begins none may belong to the one before.
 */
function takeRecords(separator: string | null, isAlone: boolean, builder: Builder): LineTaker {
  let open = '';
  let isAfterText = false;
  const give = (line: string, utcMs?: number): void => {
    const isText = isAlone && !LAYOUT.test(line.trim());
    if (isAlone && !isText) builder.end();
    else if (isText && (!isAfterText || isMessage(line) || beginsCheckpointLine(line)))
      builder.open({ text: line });
    else takeRecord(line, separator, builder, utcMs);
    [open, isAfterText] = ['', isText];
  };
  return {
    take(line, utcMs) {
      if (open !== '' && (open.length > LONGEST_OPEN || readRecord(line) !== null)) give(open);
      builder.count();
      const parts = open !== '' ? [`${open}\n${line}`] : separator === null ? splitJoinedLines(line) : [line];
      for (const [at, part] of parts.entries())
        if (at === parts.length - 1 && !isAlone && isOpenRecord(part, separator)) open = part;
        else give(part, utcMs);
    },
    end() {
      if (open !== '') give(open);
      builder.end();
    },
  };
}

function takeRecord(line: string, separator: string | null, builder: Builder, utcMs?: number): void {
  const record = readRecord(line, separator);
  if (record) builder.open({ utcMs, ...record });
  else if (LAYOUT.test(line.trim()) || isHead(line)) builder.layout(line);
  else builder.goOn(line);
}

/**
 * A record is a run of fields; its first name, or a second date or text, begins the next. The viewers write a text
 * below its label, and only the first label of a record ends it. Format-List indents the further lines of a text, and
 * wraps them at the width of the window.
 */
function takeFields(form: FieldForm, isWrapped: boolean, builder: Builder): LineTaker {
  let fields: { readonly name: string; value: string }[] = [];
  let text: { value: string } | null = null;
  let [size, isCopy] = [0, false];
  const close = (): void => {
    const { length } = fields;
    const record = findRecord(fields);
    [fields, text, size] = [[], null, 0];
    // What stands around the records is no message.
    if (!isWrapped && record.logDateLocal === '' && /^[\w:/.-]*$/.test(record.text)) return;
    if (length > 0 && !isWrapped) builder.open(record);
    else if (length > 0)
      for (const line of record.text.trimEnd().split('\n').flatMap(splitJoinedLines))
        takeRecord(line, null, builder, record.utcMs);
  };
  const goesOn = (line: string, field: Field | undefined): boolean => {
    if (form === 'list') return /^\s+\S/.test(line);
    return field === undefined || (form === 'log viewer' && field.name !== fields[0]?.name && !isDate(field));
  };
  const add = (line: string, to: { value: string }): void => {
    if (form === 'list' && to.value.length <= LONGEST_UNWRAPPED)
      to.value = `${to.value.trimEnd()} ${line.trim()}`;
    else
      to.value += `${to.value === '' ? '' : '\n'}${form === 'XML' ? unescapeXml(line.replace(/<.*/, '')) : line}`;
    if (form === 'XML' && line.includes('</')) text = null;
  };
  return {
    take(line) {
      // PowerShell writes the values of a row a second time, without names.
      isCopy = isCopy ? !/^\s*\]/.test(line) : /"(?:ItemArray|Table)"\s*:\s*\[\s*$/.test(line);
      if (isCopy) return builder.count();
      const found = readFields(line, form);
      if (size++ >= MOST_LINES || (found.length === 0 && text === null && !BETWEEN.test(line))) close();
      if (text !== null && goesOn(line, found[0])) {
        builder.count();
        if (!EVENT_XML.test(line)) return add(line, text);
        text = null;
        return;
      }
      for (const [at, field] of found.entries()) {
        const isKey = field.name === fields[0]?.name || isDate(field) || isTextName(field.name);
        if (isKey && fields.some(({ name }) => field.name === name)) close();
        if (at === 0) builder.count();
        const own = { ...field };
        fields.push(own);
        text = isTextName(own.name) && form !== 'JSON' && !line.includes('</') ? own : null;
      }
      if (found.length === 0) {
        if (text !== null && !BETWEEN.test(line)) close();
        builder.count();
        if (fields.length === 0) builder.goOn(BETWEEN.test(line) ? '' : line);
      }
      if (form === 'JSON' && WHOLE_OBJECT.test(line)) close();
    },
    end() {
      close();
      builder.end();
    },
  };
}

/** One line of the text of a message. */
interface Piece {
  readonly text: string;
  readonly line: number;
  lineCount: number;
}

type Builder = ReturnType<typeof buildMessages>;

/** Each line of the text is counted once, for the first thing that is made of it. */
function buildMessages(sink: LogLineSink, dayPlace: DayPlace) {
  let current: Partial<LogRecord> | null = null;
  let pieces: Piece[] = [];
  let [line, unclaimed] = [0, 0];
  const close = (): void => {
    // A blank line at the end is nothing of its own.
    while (pieces.length > 1 && pieces[pieces.length - 1]?.text.trim() === '') {
      const { lineCount } = pieces.pop() ?? { lineCount: 0 };
      pieces[pieces.length - 1]!.lineCount += lineCount;
    }
    if (pieces.length > 0) giveMessage(current ?? {}, pieces, dayPlace, sink);
    [current, pieces] = [null, []];
  };
  const add = (text: string): void => {
    const texts = text.split('\n');
    texts.forEach((each, at) => {
      const rest = texts.length - 1 - at;
      const lineCount = Math.max(unclaimed - rest, Math.min(unclaimed, 1));
      pieces.push({ text: each, line: line - Math.max(unclaimed - 1, 0), lineCount });
      unclaimed -= lineCount;
    });
  };
  const giveLayout = (): void => {
    sink.takeLayout(unclaimed);
    unclaimed = 0;
  };
  return {
    count(): void {
      line++;
      unclaimed++;
    },
    /** Begins a message with its text. All lines count for it that nothing was made of. */
    open(record: Partial<LogRecord>): void {
      close();
      current = record;
      add(record.text ?? '');
    },
    /** Adds to the text of the message that is open; without one it is a message of its own. */
    goOn(text: string): void {
      if (pieces.length >= MOST_LINES) close();
      if (current === null && text.trim() === '') return giveLayout();
      add(text);
      if (current === null) close();
    },
    /** The line holds nothing. A blank one is text if a message is open. */
    layout(text: string): void {
      if (current !== null && text.trim() === '') add(text);
      else giveLayout();
    },
    end(): void {
      close();
      giveLayout();
    },
  };
}

/**
 * Gives a message as one row. If text was added below it, lines that are messages by themselves become rows of their
 * own: a message is read whole or not at all, and must not be lost because something was written under it.
 */
function giveMessage(
  { logDateLocal = '', processInfo = '', utcMs }: Partial<LogRecord>,
  pieces: readonly Piece[],
  dayPlace: DayPlace,
  sink: LogLineSink,
): void {
  const localMs = readLogDate(logDateLocal, dayPlace);
  const orderMs =
    localMs ?? readLogDate(logDateLocal, 'day first') ?? readLogDate(logDateLocal, 'month first');
  const join = (own: readonly Piece[]): string => own.map(({ text }) => text).join('\n');
  const give = (own: readonly Piece[]): void => {
    const [first] = own;
    if (!first) return;
    const [text, lineCount] = [join(own), own.reduce((sum, piece) => sum + piece.lineCount, 0)];
    sink.take({ logDateLocal, processInfo, text, line: first.line, lineCount, localMs, orderMs, utcMs });
  };
  if (pieces.length === 1 || readCheckpointLines(join(pieces).trim()) !== null) return give(pieces);
  let from = 0;
  for (const [at, { text }] of pieces.entries()) {
    if (!isMessage(text)) continue;
    give(pieces.slice(from, at));
    give(pieces.slice(at, at + 1));
    from = at + 1;
  }
  give(pieces.slice(from));
}
