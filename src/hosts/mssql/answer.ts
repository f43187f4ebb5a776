/** The answer of mssql's executeSimpleQuery as a result set: SQL Tools Service shows every cell as text (docs/facts.md, Hosts 3). */
import type { Cell, ConnectionError, ResultSet } from '../host';
import { explainStrangeAnswer, explainQueryFailure } from './errors';
import { read } from './foreign';

/** The length that SQL Tools Service cuts longer cells to, unless the user's settings say otherwise (`mssql.query.maxCharsToStore`). */
const DEFAULT_CELL_LIMIT = 65_535;

/**
 * Reads `{rowCount, columnInfo, rows, messages?}` (SimpleExecuteResult in typings/vscode-mssql.d.ts, v1.34.1 to v1.45).
 * @throws ConnectionError `queryFailed` where it is anything else, or where a cell was cut
 * @param cellLimit the setting as it was read, so anything
 */
export function readAnswer(answer: unknown, server: string, cellLimit: unknown): ResultSet {
  const fail = (what: string): ConnectionError => explainStrangeAnswer(what, server);
  const columns = readColumns(answer);
  const rows = read(answer, 'rows');
  if (columns === null || columns.length === 0) {
    const message = readErrorMessage(answer);
    throw message === null ? fail('no columns') : explainQueryFailure({ message }, server);
  }
  if (!Array.isArray(rows)) throw fail('no rows');
  const rowCount = read(answer, 'rowCount');
  if (typeof rowCount === 'number' && rowCount !== rows.length) throw fail(`${rows.length} rows of ${rowCount}`);
  const limit = typeof cellLimit === 'number' && cellLimit > 0 ? Math.min(cellLimit, DEFAULT_CELL_LIMIT) : DEFAULT_CELL_LIMIT;
  return { columns, rows: rows.map((row: unknown, index) => readRow(row, { columns, index, limit, fail })) };
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
  return typeof text === 'string' ? text : null;
}

interface RowContext {
  readonly columns: readonly string[];
  readonly index: number;
  readonly limit: number;
  readonly fail: (what: string) => ConnectionError;
}

function readRow(row: unknown, context: RowContext): readonly Cell[] {
  const { columns, index, fail } = context;
  if (!Array.isArray(row)) throw fail(`something else than a row in row ${index + 1}`);
  if (row.length !== columns.length) throw fail(`${row.length} cells of ${columns.length} in row ${index + 1}`);
  return row.map((cell: unknown, column) => readCell(cell, `column ${columns[column] || column + 1} of row ${index + 1}`, context));
}

function readCell(cell: unknown, where: string, { limit, fail }: RowContext): Cell {
  if (read(cell, 'isNull') === true) return null;
  const text = read(cell, 'displayValue');
  if (typeof text !== 'string') throw fail(`no text in ${where}`);
  if (text.length >= limit)
    throw fail(`a text in ${where} that was cut at ${limit.toLocaleString('en')} characters (its setting mssql.query.maxCharsToStore)`);
  return text;
}
