/**
 * Which values of a record are date, process and text: found by what they look like, and by names where that is not
 * enough.
 */
import { type Field, splitCells } from '../fields';
import { readSentence } from './error-log-message';
import { readCheckpointLines } from './flush-cache-line';
import { looksLikeDate, readMoment } from './log-date';

/** What was found of a message. */
export interface LogRecord {
  readonly logDateLocal: string;
  readonly processInfo: string;
  readonly text: string;
  /** When another program took the line, by a clock whose zone is known. */
  readonly utcMs?: number | undefined;
}

export const PROCESS = String.raw`(?:spid\d+s?|Server|Logon|Backup)`;
const ONLY_PROCESS = new RegExp(`^${PROCESS}$`, 'i');
/** Names of columns and labels, in the languages of Management Studio. */
const DATE_NAME =
  /^@?(?:log_?|event_?|system)?(?:date|time|datum|zeit|fecha|data(?!b)|дата|日付|日時|날짜|일시|日期|時間|时间)/i;
const SOURCE_NAME =
  /^(?:source|process_?info|quelle|origen|orig[ie]ne?|origem|fonte|источник|ソース|원본|源|来源|來源)$/i;
const TEXT_NAME =
  /^(?:@?(?:log_?|event_?)?(?:text|message|msg|meldung|mensaje|messaggio|mensagem|сообщение|メッセージ|메시지|消息|訊息|description|beschreibung|descripción|descrição|descrizione|описание|説明|설명|描述)|log)$/i;
/** What stands beside a text: a process, a severity in any language, the name of a computer, numbers. */
const SHORT = /^[\p{L}\d_.\\()$/#+-]{0,60}(?: [\p{L}\d_.\\()$/#+-]{1,40}){0,2}$/u;

export const isProcess = (text: string): boolean => ONLY_PROCESS.test(text.trim());
export const isDate = ({ name, value }: Field): boolean => DATE_NAME.test(name) && looksLikeDate(value);
/** In the Log File Viewer, “Log” is the name of the log. */
export const isTextName = (name: string): boolean => TEXT_NAME.test(name) && name !== 'Log';

/** A line that names the columns below it. */
export function isHead(line: string): boolean {
  const names = line
    .slice(0, 2_000)
    .split(/[",;|\t]+|\s{2,}/)
    .map((name) => name.trim());
  const isWord = (name: string): boolean => TEXT_NAME.test(name) || SOURCE_NAME.test(name);
  return (
    names.length > 1 &&
    names.every((name) => /^[\p{L}\d_ .@#()-]{0,40}$/u.test(name)) &&
    names.some((name) => DATE_NAME.test(name)) &&
    names.some((name) => name.split(' ').some(isWord))
  );
}

export function findRecord(fields: readonly Field[]): LogRecord {
  const dates = fields.filter(({ value }) => looksLikeDate(value));
  const date = dates.find(({ name }) => /^(?:log_?date|timecreated)$/i.test(name)) ?? dates[0];
  const source =
    fields.find(({ name }) => SOURCE_NAME.test(name)) ?? fields.find(({ value }) => isProcess(value));
  const others = fields.filter((field) => field !== source && !dates.includes(field));
  const [longest] = [...others].sort((a, b) => b.value.length - a.value.length);
  return {
    logDateLocal: date?.value.trim() ?? '',
    processInfo: source && isProcess(source.value) ? source.value.trim() : '',
    text: (others.find(({ name }) => isTextName(name)) ?? longest)?.value ?? '',
    utcMs: [date, ...dates].flatMap((one) => (one && readMoment(one.value)) ?? [])[0],
  };
}

/** True for a text that is a message about checkpoints by itself. */
export const isMessage = (text: string): boolean =>
  readCheckpointLines(text.trim()) !== null || readSentence(text.trim()) !== null;

/** The Log File Viewer writes a comma as `<c/>`, Markdown a stroke as `\|`. */
const unmark = (text: string): string => text.replaceAll('<c/>', ',').replaceAll('\\|', '|');
const LABEL = /^([A-Za-z]\w{0,40}) ?: ?(?=\S)/;

/**
 * Reads a line of a table, whatever the order of its columns; null if no cell is a date. A text without quotes may hold
 * the separator. Empty cells may follow it: if logs of several kinds are exported together, columns of the others.
 */
export function readRow(line: string, separator: string): LogRecord | null {
  const { cells } = splitCells(line, separator);
  const values = cells.map(({ text }) => {
    const [label = '', name = ''] = (separator === '|' && LABEL.exec(text)) || [];
    const value = text.slice(label.length);
    return isTextName(name) || looksLikeDate(value) || SHORT.test(value) ? value : text;
  });
  const date = values.find(looksLikeDate);
  if (date === undefined || cells.length < 2) return null;
  const isBeside = (value: string): boolean => value === '' || looksLikeDate(value) || isProcess(value);
  let end = values.length;
  while (end > 0 && isBeside(values[end - 1] ?? '')) end--;
  const isLong = (value: string): boolean => !looksLikeDate(value) && !SHORT.test(value);
  const quoted = cells.findIndex(({ text, isQuoted }) => isQuoted && isLong(text));
  const found = [values.findIndex(isMessage), quoted, values.findIndex(isLong)];
  const at = found.find((place) => place >= 0) ?? end - 1;
  const [cell, value = ''] = [cells[at], values[at]];
  const isWhole = cell === undefined || cell.isQuoted || end <= at + 1;
  // Columns of words may follow, but not many.
  const ends = [0, 1, 2, 3, 4, 5].map((fewer) => end - fewer).filter((to) => to > at || to === end);
  const cut = (to: number): string =>
    line.slice(cell?.begin, (cells[to]?.begin ?? line.length + 1) - 1).trim();
  const texts = ends.map((to) => unmark(isWhole ? value : cut(to)));
  return {
    logDateLocal: date,
    processInfo: values.find((each, place) => place !== at && isProcess(each)) ?? '',
    text: (texts.find(isMessage) ?? texts[0] ?? '').replace(/^Message ?: ?/, ''),
  };
}
