/**
 * Finds date, process and text of a line by what they look like:
 *
 *     2016-07-09 03:30:14.02 spid23s     FlushCache: ...                 an ERRORLOG file, results as text
 *     2016-07-09 03:30:14.02 FlushCache: ...                             messages known here also without a process
 *     07/09/2016 03:30:14,spid23s,Unknown,"FlushCache: ..."              cells in any order, quoted or not
 *     TimeCreated: 03/02/2026 08:00:00 | Id: 3421 | Message: ...         Get-WinEvent, a line an event
 */
import { DATE, readMoment } from './log-date';
import { splitCells } from '../fields';
import { isMessage, isProcess, type LogRecord, PROCESS, readRow } from './log-fields';

interface RecordLine extends LogRecord {
  readonly form: 'error log' | 'grid' | 'csv';
}

const BEGIN = new RegExp(String.raw`^[\s\uFEFF|]*("?)(${DATE})(?:"?\s?([,;|\t])|\s+)`, 'i');
const ISO = /^\d{4}-.*[.,]\d{1,7}$/;
/** A process that is not known by its name: the log pads it. */
const PADDED = /^(\S{1,30})\s{2,}\S/;
/** A record that is certain, wherever it stands in a line. */
const CERTAIN_RECORD = String.raw`(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{2,3}\s+${PROCESS}\s|(?<!\d)"?${DATE}"?\s?[,;|\t]\s?"?${PROCESS}"?\s?[,;|\t])`;
export const RECORD = new RegExp(CERTAIN_RECORD, 'i');
/** A message where nothing says when it was logged. */
export const MESSAGE =
  /FlushCache:?\s+cleaned\s+up\s|DirtyPageMgr::|Ckpt\s+dbid\s|Checkpointing\s+and\s+truncating\s|Buffer Pool scan took |SQL Server has encountered |Setting database option |Recovery (?:completed|is writing) |Could not write a checkpoint |One or more recovery units |The transaction log for database |DBCC TRACEO|[Tt]ime[- ]?out occurred while |Configuration option /;
const LEVEL = new RegExp(String.raw`^[\p{L} ]{1,40}?\s(?=${MESSAGE.source})`, 'u');
/** Finds a record behind the first character of a line, to skip other lines quickly. */
const LATER_RECORD = new RegExp(CERTAIN_RECORD, 'gi');
const JOINT = new RegExp(String.raw`(?:\s|(?<=[\w.]))(?=${CERTAIN_RECORD})`, 'i');

/**
 * @param separator of the columns of a table, in which a line may begin with any of them
 * @returns null for a line that begins otherwise: it continues the message before
 */
export function readRecord(line: string, separator: string | null = null): RecordLine | null {
  const match = BEGIN.exec(line);
  const between = match ? match[3] : (separator ?? (/^\s*\||^TimeCreated/.test(line) ? '|' : undefined));
  const row = between === undefined ? null : readRow(line, between);
  if (row) return { form: between === '\t' ? 'grid' : 'csv', ...row };
  if (!match || between !== undefined) return null;
  const [{ length }, quote, logDateLocal = ''] = match;
  const [cell] = quote === '' ? [] : splitCells(line, ',;|\t').cells;
  if (cell?.isQuoted === true) return readRecord(cell.text);
  const given = line.slice(length).trim();
  const [token = ''] = given.split(/\s/, 1);
  const isNamed = isProcess(token);
  // PowerShell's tables of Windows events have the level before the text.
  const text = isNamed || ISO.test(logDateLocal) ? given : given.replace(LEVEL, '');
  const isAlone = !isNamed && isMessage(text);
  if (token === '' || !(isNamed || isAlone || ISO.test(logDateLocal))) return null;
  const processInfo = isNamed ? token : isAlone ? '' : (PADDED.exec(text)?.[1] ?? '');
  return { form: 'error log', logDateLocal, processInfo, text: text.slice(processInfo.length).trim() };
}

/** Whether a line ends within a quoted cell. */
export function isOpenRecord(line: string, separator: string | null): boolean {
  return line.includes('"') && splitCells(line, BEGIN.exec(line)?.[3] ?? separator ?? '\0').isOpen;
}

/** What separates the columns of a text whose lines do not begin with a date; null if it is no table. */
export function findSeparator(lines: readonly string[]): string | null {
  const others = lines.filter((line) => !BEGIN.test(line));
  const isTable = (separator: string): boolean => {
    const rows = others.flatMap((line) => readRow(line, separator) ?? []);
    return (
      rows.length > lines.length - others.length &&
      rows.every(({ text }) => text.includes(' ') && !RECORD.test(text))
    );
  };
  return ['\t', ';', ',', '|'].find(isTable) ?? null;
}

/** Splits lines that were joined into one; most often there is only the line itself. */
export function splitJoinedLines(line: string): readonly string[] {
  LATER_RECORD.lastIndex = 1;
  return LATER_RECORD.test(line) ? line.split(JOINT) : [line];
}

/** A line without what stood before it, and the moment that this said. */
type CutLine = readonly [text: string, utcMs?: number | undefined];

const LONGEST_PREFIX = 200;
const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)/;
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
 *     -- FlushCache: ...                                                            a comment, a quote
 *
 * A line without a date goes on with the message before, and loses what differs from the last prefix in its numbers
 * only.
 * @param sample lines of the text; if more of them begin with what is looked for, each line comes back as it is
 */
export function createPrefixCutter(sample: readonly string[], begin: RegExp): (line: string) => CutLine {
  const isPrefixed = (line: string): boolean =>
    findPrefix(line, begin) !== '' && line.split(JOINT).length <= 2;
  const begins = sample.filter((line) => line.search(begin) === 0).length;
  if (sample.filter(isPrefixed).length <= begins) return (line) => [line];
  let shape: RegExp | null = null;
  return (line) => {
    const prefix = shape?.exec(line)?.[0] ?? findPrefix(line, begin);
    const literal = prefix.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\d+/g, '\\d+');
    if (prefix !== '') shape = new RegExp(`^${literal}`);
    // A text in a comment, or in quotes in a script.
    const text = line.slice(prefix.length).replace(prefix.endsWith("'") ? /'[),;\s]*$/ : /\*\/$/, '');
    const isTabbed = prefix.endsWith('\t');
    const { cells, isOpen } = splitCells(prefix === '' ? '' : text, isTabbed ? '\t' : ',;');
    const [cell] = isOpen ? [] : cells.filter(({ isQuoted }) => isQuoted || isTabbed);
    return [cell?.begin === 0 ? cell.text : text, readMoment(MOMENT.exec(prefix)?.[0] ?? '') ?? undefined];
  };
}

/** Without the quote at its end; '' if there is none. */
function findPrefix(line: string, begin: RegExp): string {
  const prefix = line.slice(0, Math.max(line.slice(0, LONGEST_PREFIX).search(begin), 0));
  return MESSAGE_WORDS.test(prefix) ? '' : prefix.replace(/"$/, '');
}
