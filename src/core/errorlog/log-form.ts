/** Finds the form of an error log by its first lines. A text in no known form is not guessed at. */
import { readSentence } from './error-log-message';
import { readCheckpointLines } from './flush-cache-line';
import { type DayPlace, findDayPlace, looksLikeDate } from './log-date';
import { readLogHead, splitJoinedRecords } from './log-head';
import { splitRecord } from './separated-record';

/**
 * `error log`: lines that begin with date and process, as in an ERRORLOG file or in results as text. `grid`: cells separated by tabs. `csv`: cells separated
 * by something else. `log viewer`: the details that the Log File Viewer copies, a label a line. `Windows events`: what Format-List makes of Get-WinEvent, a
 * label a line. `messages alone`: messages without dates, as people quote them. `unknown`: none of these.
 */
export type LogFormName = 'error log' | 'grid' | 'csv' | 'log viewer' | 'Windows events' | 'messages alone' | 'unknown';

export interface LogForm {
  readonly name: LogFormName;
  /** For a grid or CSV. */
  readonly columns: Columns | null;
  /** Which number of its dates is the day. */
  readonly dayPlace: DayPlace;
}

export interface Columns {
  readonly separator: string;
  readonly date: number;
  readonly process: number;
  /** The last column: it takes the rest of the line. */
  readonly text: number;
}

const SEPARATORS = ['\t', ',', ';', '|'] as const;
const SEVERITIES = /^(?:unknown|information|informational|warning|error|critical|audit success|audit failure|success)$/i;
const DATE_NAMES = ['logdate', 'date'];
const PROCESS_NAMES = ['processinfo', 'source'];
const TEXT_NAMES = ['text', 'message'];
export const VIEWER_DATE = /^Date[ \t]+(\S.*)$/;
/** Forms with a label a line, and how their dates stand. */
const LABELLED = [
  ['log viewer', VIEWER_DATE],
  ['Windows events', /^TimeCreated +: ?(\S.*)$/],
] as const;

/** @param lines the first lines of the text */
export function findLogForm(given: readonly string[]): LogForm {
  const lines = given.flatMap(splitJoinedRecords);
  const plain = { columns: null, dayPlace: 'year first' } as const;
  const separated = findColumns(lines);
  const dated = lines.filter((line) => readLogHead(line) !== null).length;
  if (separated && separated.count > 0 && separated.count >= dated) {
    const { columns, dates } = separated;
    return { name: columns.separator === '\t' ? 'grid' : 'csv', columns, dayPlace: findPlace(dates) };
  }
  if (dated > 0) return { ...plain, name: 'error log' };
  for (const [name, pattern] of LABELLED) {
    const dates = lines.flatMap((line) => pattern.exec(line)?.[1] ?? []).filter(looksLikeDate);
    if (dates.length > 0) return { name, columns: null, dayPlace: findPlace(dates) };
  }
  const isQuoted = lines.some((line) => readCheckpointLines(line.trim()) !== null || readSentence(line.trim()) !== null);
  return { ...plain, name: isQuoted ? 'messages alone' : 'unknown' };
}

interface Separated {
  readonly columns: Columns;
  readonly dates: readonly string[];
  readonly count: number;
}

/** Finds the separator with which most lines have a date. */
function findColumns(lines: readonly string[]): Separated | null {
  const found = SEPARATORS.map((separator) => {
    const columns = nameColumns(lines, separator) ?? countColumns(lines, separator);
    const dates = columns === null ? [] : lines.flatMap((line) => readDate(line, columns) ?? []);
    return columns && { columns, dates, count: dates.length };
  });
  return found.reduce((best, next) => (next && next.count > (best?.count ?? 0) ? next : best), null);
}

function readDate(line: string, columns: Columns): string | null {
  const { cells } = splitRecord(line, columns.separator, columns.text + 1);
  const date = (cells[columns.date] ?? '').trim();
  return cells.length > columns.process && looksLikeDate(date) ? date : null;
}

/** Finds the columns by a line of known names; the text must come after date and process. */
function nameColumns(lines: readonly string[], separator: string): Columns | null {
  for (const line of lines.slice(0, 20)) {
    const names = splitRecord(line, separator, 20).cells.map((cell) => cell.trim().toLowerCase());
    const [date, process, text] = [DATE_NAMES, PROCESS_NAMES, TEXT_NAMES].map((known) => names.findIndex((name) => known.includes(name)));
    if (date === undefined || process === undefined || text === undefined) return null;
    if (date >= 0 && process >= 0 && text > Math.max(date, process)) return { separator, date, process, text };
  }
  return null;
}

/** Finds the columns by their content: a date, a process, perhaps a severity, and the text. */
function countColumns(lines: readonly string[], separator: string): Columns | null {
  for (const line of lines) {
    const cells = splitRecord(line, separator, 20).cells.map((cell) => cell.trim());
    const date = cells.findIndex((cell) => cell !== '');
    if (date > 1 || cells.length < date + 3 || !looksLikeDate(cells[date] ?? '')) continue;
    const text = cells.length > date + 3 && SEVERITIES.test(cells[date + 2] ?? '') ? date + 3 : date + 2;
    return { separator, date, process: date + 1, text };
  }
  return null;
}

/** If one date shows the place of the day, it holds for all. If dates contradict each other, it is not known. */
function findPlace(dates: readonly string[]): DayPlace {
  const places = new Set(dates.map(findDayPlace).filter((place) => place !== 'unknown'));
  const [place] = places;
  return places.size === 1 && place !== undefined ? place : 'unknown';
}
