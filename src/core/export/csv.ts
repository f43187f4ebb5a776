/**
 * Tables as CSV (RFC 4180) that is safe to open in a spreadsheet: UTF-8 with a byte order mark, and no cell that could
 * run as a formula.
 */
import { type ExportCell, type ExportTable, type TextPieces, writeRows } from './export-table';

const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';
/**
 * Spreadsheets ignore blanks and quotes at the beginning, and treat full-width and small signs like the plain ones
 * (OWASP, "CSV Injection").
 */
const FORMULA = /^[\s\p{Z}\p{Cc}\p{Cf}"'`´‘’“”]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;
const CONTROL = /^[\s\p{Z}"'`]*[\t\r\n]/u;
const BLANK = /^[\s\p{Z}\p{Cc}\p{Cf}"'`´‘’“”]*$/u;
/**
 * Some spreadsheets take other separators than the comma, and line ends even in quotes. So a cell may begin after one
 * of these too.
 */
const SEPARATORS = ';|\t\r\n';
/** Most cells, such as times, numbers and usual names, need no change. Knowing that at once saves much of the time. */
const HARMLESS = /^[A-Za-z0-9](?:[\w .:+\-/()[\]]*[\w)\]])?$/;
const NEEDS_QUOTES = /[",;|\t\r\n]|^[\s\p{Z}]|[\s\p{Z}]$/u;

/** The header, then the rows; a cell that is missing is empty. */
export function* writeCsv({ columns, rows, row }: ExportTable): TextPieces {
  yield BYTE_ORDER_MARK + writeLine(columns);
  yield* writeRows(rows, (at) => writeLine(row(at)));
}

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula, wherever a cell could begin. A reader of
 * the data has to remove it.
 */
export function disarmFormula(text: string): string {
  let disarmed = '';
  let isFormula = false;
  let end = text.length;
  // From the end, so that each character is looked at once: whether blanks begin a formula, the cell behind them has
  // told.
  for (let at = text.length; at >= 0; at--) {
    if (at > 0 && !SEPARATORS.includes(text.charAt(at - 1))) continue;
    const cell = text.slice(at, end);
    isFormula = FORMULA.test(cell) || (isFormula && BLANK.test(cell));
    disarmed = `${isFormula ? "'" : ''}${cell}${disarmed}`;
    end = at;
  }
  return !isFormula && CONTROL.test(text) ? `'${disarmed}` : disarmed;
}

function writeLine(cells: readonly ExportCell[]): string {
  return cells.map(writeCell).join(',') + LINE_END;
}

function writeCell(cell: ExportCell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell !== 'string') return '';
  if (HARMLESS.test(cell)) return cell;
  const text = disarmFormula(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
