/** Reads how a line begins in an ERRORLOG file and in results as text: `2016-07-09 03:30:14.02 spid23s     FlushCache: ...` (docs/facts.md, SQL Server 5). */
import { readDigits } from '../time';

interface LogHead {
  readonly logDateLocal: string;
  readonly localMs: number;
  readonly processInfo: string;
  /** The rest of the line. */
  readonly text: string;
}

const [BLANK, TAB, DASH, COLON, DOT, COMMA, CAPITAL_T] = [32, 9, 45, 58, 46, 44, 84];
/** Place before the head of a joined line. Its process is `spid51`, `spid25s` or one of these names. */
const JOINT = /\s(?=\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{2,3}\s+(?:spid\d+s?|Server|Logon|Backup)\s)/;

/** null for a line that begins otherwise: it continues the message before. */
export function readLogHead(given: string): LogHead | null {
  const line = isBlank(given.charCodeAt(0)) || given.charCodeAt(0) === 0xfeff ? given.trimStart() : given;
  if (line.length < 21 || line.charCodeAt(4) !== DASH || line.charCodeAt(7) !== DASH) return null;
  const between = line.charCodeAt(10);
  if ((between !== BLANK && between !== CAPITAL_T) || line.charCodeAt(13) !== COLON || line.charCodeAt(16) !== COLON) return null;
  const dot = line.charCodeAt(19);
  if (dot !== DOT && dot !== COMMA) return null;
  const dateEnd = skip(line, 20, isDigit);
  const digits = dateEnd - 20;
  if (digits < 1 || digits > 7 || !isBlank(line.charCodeAt(dateEnd))) return null;
  const localMs = readLocalMs(line, dateEnd);
  if (Number.isNaN(localMs)) return null;
  const processBegin = skip(line, dateEnd, isBlank);
  const processEnd = skip(line, processBegin, isNoBlank);
  if (processEnd === processBegin) return null;
  const processInfo = line.slice(processBegin, processEnd);
  return { logDateLocal: line.slice(0, dateEnd), localMs, processInfo, text: line.slice(processEnd).trim() };
}

/** The same for separated cells, with dates of any culture. */
const SEPARATED_JOINT =
  /\s(?="?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]\d{1,2}:\d\d:\d\d(?:[.,]\d{1,7})?(?: ?[AP]M)?"?\s?[,;|\t]\s?"?(?:spid\d+s?|Server|Logon|Backup)"?\s?[,;|\t])/i;

export function splitJoinedRecords(line: string): readonly string[] {
  return line.length < 60 || !SEPARATED_JOINT.test(line) ? [line] : line.split(SEPARATED_JOINT);
}

/** Splits lines that were joined into one; most often there is only the line itself. */
export function splitJoinedLines(line: string): readonly string[] {
  // A second date would begin with the same digits. That test is much cheaper than the pattern.
  if (line.length < 60 || line.indexOf(line.startsWith('2') ? line.slice(0, 3) : '20', 20) < 0 || !JOINT.test(line)) return [line];
  return line.split(JOINT);
}

function readLocalMs(line: string, end: number): number {
  const dayMs = readDay(line);
  const [hour, minute, second] = [readDigits(line, 11, 13), readDigits(line, 14, 16), readDigits(line, 17, 19)];
  const shown = Math.min(end, 23);
  const milliseconds = readDigits(line, 20, shown) * 10 ** (23 - shown);
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return NaN;
  return dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
}

function readDay(line: string): number {
  const [year, month, date] = [readDigits(line, 0, 4), readDigits(line, 5, 7), readDigits(line, 8, 10)];
  if (!(year >= 1900 && month >= 1 && month <= 12 && date >= 1 && date <= 31)) return NaN;
  const dayMs = Date.UTC(year, month - 1, date);
  return date <= 28 || new Date(dayMs).getUTCDate() === date ? dayMs : NaN;
}

function skip(text: string, from: number, isSkipped: (unit: number) => boolean): number {
  let at = from;
  while (at < text.length && isSkipped(text.charCodeAt(at))) at++;
  return at;
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isBlank = (unit: number): boolean => unit === BLANK || unit === TAB || unit === 0xa0;
const isNoBlank = (unit: number): boolean => !isBlank(unit);
