/** Tables as CSV (RFC 4180) that a spreadsheet opens as what it is: in UTF-8 with a mark at its begin, and without a cell that could be taken for a formula. */
import { type ExportCell, type ExportTable, type TextPieces, writeRows } from './export-table';

const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';
/** Spreadsheets look past blanks and quotes, and take full-width and small signs for the plain ones (OWASP, "CSV Injection"). */
const FORMULA = /^[\s\p{Z}\p{Cc}\p{Cf}"'`´‘’“”]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;
const CONTROL = /^[\s\p{Z}"'`]*[\t\r\n]/u;
/** Some read other separators than the comma, and a line end as one whatever stands around it: what follows one is the begin of a cell too. */
const INNER_FORMULA = /([;|\t\r\n])(?=[\s\p{Z}\p{Cc}\p{Cf}"'`´‘’“”]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
/** Most cells: times, numbers as words, usual names. They need nothing, and to know that is a third of the time of writing. */
const HARMLESS = /^[A-Za-z0-9](?:[\w .:+\-/()[\]]*[\w)\]])?$/;
const NEEDS_QUOTES = /[",;|\t\r\n]|^[\s\p{Z}]|[\s\p{Z}]$/u;

/** The header, then the rows; a cell that is missing is empty. */
export function* writeCsv({ columns, rows, row }: ExportTable): TextPieces {
  yield BYTE_ORDER_MARK + writeLine(columns);
  yield* writeRows(rows, (at) => writeLine(row(at)));
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front of it, wherever a cell could begin; they are taken off again by whoever reads the file as data. */
export function disarmFormula(text: string): string {
  const inside = text.replace(INNER_FORMULA, "$1'");
  return FORMULA.test(text) || CONTROL.test(text) ? `'${inside}` : inside;
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
