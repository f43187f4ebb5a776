/**
 * Finds date, process and text at the beginning of a line by what they look like:
 *
 *     2016-07-09 03:30:14.02 spid23s     FlushCache: ...                 an ERRORLOG file, results as text
 *     07/09/2016 03:30:14,spid23s,Unknown,"FlushCache: ..."              cells of a grid or of CSV, quoted or not, perhaps with a severity
 *     2016-07-09 03:30:14.02 FlushCache: ...                             messages known here also without a process
 *     TimeCreated: 03/02/2026 08:00:00 | Id: 3421 | Message: ...         Get-WinEvent, a line an event
 */
import { readSentence } from './error-log-message';
import { readCheckpointLines } from './flush-cache-line';
import { DATE } from './log-date';

interface LogRecord {
  readonly form: 'error log' | 'grid' | 'csv';
  readonly logDateLocal: string;
  readonly processInfo: string;
  readonly text: string;
  /** True if the text is quoted and goes on in the next line. */
  readonly isQuoted: boolean;
}

const PROCESS = String.raw`(?:spid\d+s?|Server|Logon|Backup)`;
const BEGIN = new RegExp(String.raw`^[\s\uFEFF|]*("?)(${DATE})(?:"?\s?([,;|\t])|\s+)`, 'i');
const NAMED = new RegExp(`^${PROCESS}$`, 'i');
const ISO = /^\d{4}-.*[.,]\d{1,7}$/;
const EVENT =
  /^TimeCreated ?: ?([^|]{6,40}?) ?\| ?(?:(?!Message)[A-Za-z]{1,40} ?: ?[^|]{0,200}\| ?){1,6}(?:Message ?: ?)?/;
/** What may stand between date and text, in any order: the process, and a severity in any language. */
const LABELS = [/^[\w.-]{0,40}$/, /^(?:\p{L}+|spid\d+s?|\d{1,3})$/u];
/** A record that is certain, wherever it stands in a line. */
const CERTAIN_RECORD = String.raw`(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{2,3}\s+${PROCESS}\s|(?<!\d)"?${DATE}"?\s?[,;|\t]\s?"?${PROCESS}"?\s?[,;|\t])`;
export const RECORD = new RegExp(CERTAIN_RECORD, 'i');
/** A message where nothing says when it was logged. */
export const MESSAGE =
  /FlushCache:?\s+cleaned\s+up\s|DirtyPageMgr::|Ckpt\s+dbid\s|Checkpointing\s+and\s+truncating\s|Buffer Pool scan took |SQL Server has encountered |Setting database option |Recovery (?:completed|is writing) /;
const JOINT = new RegExp(String.raw`(?:\s|(?<=[\w.]))(?=${CERTAIN_RECORD})`, 'i');

/** null for a line that begins otherwise: it continues the message before. */
export function readRecord(line: string): LogRecord | null {
  const [event, at = ''] = (line.startsWith('TimeCreated') && EVENT.exec(line)) || [];
  if (event !== undefined)
    return {
      form: 'csv',
      logDateLocal: at,
      processInfo: '',
      text: line.slice(event.length),
      isQuoted: false,
    };
  const match = BEGIN.exec(line);
  if (!match) return null;
  const [{ length }, quote = '', logDateLocal = '', separator] = match;
  if (separator !== undefined) return { logDateLocal, ...readCells(line, length, separator) };
  const rest = line.slice(length).trim();
  const [token = ''] = rest.split(/\s/, 1);
  const isNamed = NAMED.test(token);
  const isMessageAlone = !isNamed && isMessage(rest);
  if (token === '' || !(isNamed || isMessageAlone || ISO.test(logDateLocal))) return null;
  const text = isMessageAlone ? rest : rest.slice(token.length).trim();
  const content = quote === '' ? { text, isQuoted: false } : continueQuoted(text);
  return { form: 'error log', logDateLocal, processInfo: isMessageAlone ? '' : token, ...content };
}

/** True for a text that is a message about checkpoints by itself. */
export function isMessage(text: string): boolean {
  const trimmed = text.trim();
  return readCheckpointLines(trimmed) !== null || readSentence(trimmed) !== null;
}

/** Splits lines that were joined into one; most often there is only the line itself. */
export function splitJoinedLines(line: string): readonly string[] {
  return line.length < 60 || !JOINT.test(line) ? [line] : line.split(JOINT);
}

function readCells(line: string, from: number, separator: string): Omit<LogRecord, 'logDateLocal'> {
  const labels: string[] = [];
  let at = from;
  for (const pattern of LABELS) {
    const { text, end } = readCell(line, at, separator);
    if (end >= line.length || !pattern.test(text.trim())) break;
    labels.push(text.trim());
    at = end + 1;
  }
  const { text, isQuoted, isOpen } = readCell(line, at, separator);
  const whole = isQuoted ? text : dropEmptyCells(line, separator, at);
  return {
    form: separator === '\t' ? 'grid' : 'csv',
    processInfo: labels.find((label) => NAMED.test(label)) ?? labels[0] ?? '',
    // The Log File Viewer quotes no cells, and writes a comma in one as `<c/>`.
    text: separator === ',' ? whole.replaceAll('<c/>', ',') : whole,
    isQuoted: isOpen,
  };
}

/**
 * The rest of a line without the empty cells at its end: if logs of several kinds are exported together, the columns of
 * the others stand there.
 */
function dropEmptyCells(line: string, separator: string, from: number): string {
  let end = separator === '|' ? line.trimEnd().length : line.length;
  while (line.charAt(end - 1) === separator) end--;
  return line.slice(from, separator === '|' || line.length - end > 1 ? Math.max(end, from) : line.length);
}

interface Cell {
  readonly text: string;
  /** Place of the separator after it, or the length of the line. */
  readonly end: number;
  readonly isQuoted: boolean;
  /** True if the quote goes on in the next line. */
  readonly isOpen: boolean;
}

/** A cell counts as quoted only if its closing quote stands before a separator or at the end. */
function readCell(line: string, from: number, separator: string): Cell {
  const begin = skipBlanks(line, from);
  if (line.charAt(begin) === '"') {
    const { text, close } = readQuoted(line, begin + 1);
    const end = close < 0 ? line.length : skipBlanks(line, close + 1);
    if (end >= line.length || line.charAt(end) === separator)
      return { text, end, isQuoted: true, isOpen: close < 0 };
  }
  const at = line.indexOf(separator, from);
  const end = at < 0 ? line.length : at;
  return { text: line.slice(from, end), end, isQuoted: false, isOpen: false };
}

/** @returns the place of the closing quote; -1 if there is none */
function readQuoted(line: string, begin: number): { readonly text: string; readonly close: number } {
  let close = line.indexOf('"', begin);
  while (close >= 0 && line.charAt(close + 1) === '"') close = line.indexOf('"', close + 2);
  return { text: line.slice(begin, close < 0 ? line.length : close).replace(/""/g, '"'), close };
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === ' ') at++;
  return at;
}

/** Reads what a line adds to an open quoted text. */
export function continueQuoted(line: string): Pick<LogRecord, 'text' | 'isQuoted'> {
  const { text, close } = readQuoted(line, 0);
  return { text, isQuoted: close < 0 };
}

const LONGEST_PREFIX = 200;
/** Then it is a part of a message, to which another was joined. */
const MESSAGE_WORDS = /FlushCache|DirtyPageMgr|Ckpt|average|outstanding|checkpoint|database/i;

/**
 * Makes a function that takes the lines of a text in their order and leaves out what other programs put before each:
 *
 *     2026-03-02T08:00:00.123456789Z 2026-03-02 08:00:00.12 spid51 ...              docker logs -t
 *     sql-1  | 2026-03-02 08:00:00.12 spid51 ...                                    docker compose logs
 *     Jul 09 03:30:14.123456 host sqlservr[812]: 2026-03-02 08:00:00.12 spid51 ...  journalctl, of any precision
 *     ERRORLOG.1:12:2026-03-02 08:00:00.12 spid51 ...                               grep, Select-String
 *     1772438400123,"2026-03-02 08:00:00.12 spid51 ..."                             CloudWatch, timestamp and message; quoted only where it has to be
 *
 * A line without a date goes on with the message before, and loses what differs from the last prefix in its numbers
 * only.
 * @param sample lines of the text; if more of them begin with what is looked for, each line comes back as it is
 */
export function createPrefixCutter(sample: readonly string[], begin: RegExp): (line: string) => string {
  const isPrefixed = (line: string): boolean =>
    findPrefix(line, begin) !== '' && line.split(JOINT).length <= 2;
  const begins = sample.filter((line) => line.search(begin) === 0).length;
  if (sample.filter(isPrefixed).length <= begins) return (line) => line;
  let shape: RegExp | null = null;
  return (line) => {
    const prefix = shape?.exec(line)?.[0] ?? findPrefix(line, begin);
    if (prefix !== '') shape = writeShape(prefix);
    const text = line.slice(prefix.length);
    const quoted = prefix !== '' && text.startsWith('"') ? readQuoted(text, 1) : null;
    return quoted !== null && quoted.close === text.length - 1 ? quoted.text : text;
  };
}

/** Without the quote at its end; '' if there is none. */
function findPrefix(line: string, begin: RegExp): string {
  const prefix = line.slice(0, Math.max(line.slice(0, LONGEST_PREFIX).search(begin), 0));
  return MESSAGE_WORDS.test(prefix) ? '' : prefix.replace(/"$/, '');
}

function writeShape(prefix: string): RegExp {
  const literal = prefix.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\d+/g, '\\d+')}`);
}
