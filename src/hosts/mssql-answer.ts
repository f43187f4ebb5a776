/** The answer of mssql's executeSimpleQuery as a result set: SQL Tools Service shows every cell as text (docs/facts.md, Hosts 3). */
import type { Cell, ConnectionError, ResultSet } from './host';
import { explainAnswer, quoteForeign } from './mssql-errors';
import { read } from './mssql-foreign';

/** Longer cells are cut to this length by SQL Tools Service, without a word about it. */
const CELL_LIMIT = 65_535;

/**
 * Reads `{rowCount, columnInfo, rows, messages?}` (SimpleExecuteResult in typings/vscode-mssql.d.ts, v1.34.1 to v1.45).
 * @throws ConnectionError `queryFailed` where it is anything else, or where a cell was cut
 */
export function readAnswer(answer: unknown, server: string): ResultSet {
  const fail = (what: string): ConnectionError => explainAnswer(what, server);
  const columns = readColumns(answer);
  const rows = read(answer, 'rows');
  if (columns === null || columns.length === 0) throw fail(readErrorMessage(answer) ?? 'no columns');
  if (!Array.isArray(rows)) throw fail('no rows');
  const rowCount = read(answer, 'rowCount');
  if (typeof rowCount === 'number' && rowCount !== rows.length) throw fail(`${rows.length} rows of ${rowCount}`);
  return { columns, rows: rows.map((row: unknown, index) => readRow(row, { columns, index, fail })) };
}

function readColumns(answer: unknown): readonly string[] | null {
  const infos = read(answer, 'columnInfo');
  if (!Array.isArray(infos)) return null;
  return infos.map((info: unknown) => {
    const name = read(info, 'columnName');
    return typeof name === 'string' ? name : '';
  });
}

/** Newer services send along what the server printed; an error without rows is in there. */
function readErrorMessage(answer: unknown): string | null {
  const messages = read(answer, 'messages');
  if (!Array.isArray(messages)) return null;
  const error: unknown = messages.find((message: unknown) => read(message, 'isError') === true);
  const text = read(error, 'message');
  return typeof text === 'string' ? `an error: ${quoteForeign(text)}` : null;
}

interface RowContext {
  readonly columns: readonly string[];
  readonly index: number;
  readonly fail: (what: string) => ConnectionError;
}

function readRow(row: unknown, context: RowContext): readonly Cell[] {
  const { columns, index, fail } = context;
  if (!Array.isArray(row)) throw fail(`something else than a row in row ${index + 1}`);
  if (row.length !== columns.length) throw fail(`${row.length} cells of ${columns.length} in row ${index + 1}`);
  return row.map((cell: unknown, column) => readCell(cell, `column ${columns[column] || column + 1} of row ${index + 1}`, fail));
}

function readCell(cell: unknown, where: string, fail: RowContext['fail']): Cell {
  if (read(cell, 'isNull') === true) return null;
  const text = read(cell, 'displayValue');
  if (typeof text !== 'string') throw fail(`no text in ${where}`);
  if (text.length >= CELL_LIMIT) throw fail(`a text in ${where} that it cuts at ${CELL_LIMIT.toLocaleString('en')} characters`);
  return text;
}
