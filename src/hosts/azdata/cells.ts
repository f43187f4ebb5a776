/** The answer of `runQueryAndReturn`: rows of display text (docs/facts.md, Hosts 3). */
import type * as azdata from 'azdata';
import type { Cell, HostServer, ResultSet } from '../host';
import { explainCutCell, explainNoResult, explainPartialResult } from './errors';

/** Characters at which SQL Tools Service cuts a cell, and one that is typed as xml. */
interface CellLimits {
  readonly text: number;
  readonly xml: number;
}

const DEFAULTS: CellLimits = { text: 65_535, xml: 2 * 1024 * 1024 };

/** @param settings `mssql.query` as the user has it, so anything; a larger number than the default is not trusted */
export function readCellLimits(settings: { get(name: string): unknown }): CellLimits {
  const limit = (name: string, most: number): number => {
    const value = settings.get(name);
    return typeof value === 'number' && value > 0 ? Math.min(value, most) : most;
  };
  return { text: limit('maxCharsToStore', DEFAULTS.text), xml: limit('maxXmlCharsToStore', DEFAULTS.xml) };
}

/** @throws ConnectionError where nothing came back, or less than there was */
export function readResultSet(
  result: Partial<azdata.SimpleExecuteResult> | undefined,
  server: HostServer,
  limits: CellLimits = DEFAULTS,
): ResultSet {
  const { columnInfo, rows = [], rowCount = rows.length } = result ?? {};
  if (!Array.isArray(columnInfo) || columnInfo.length === 0 || !Array.isArray(rows)) throw explainNoResult(server);
  if (rowCount !== rows.length || rows.some((row) => row.length !== columnInfo.length)) throw explainPartialResult(server);
  const read = (cell: Partial<azdata.DbCellValue> | undefined, { columnName, dataTypeName }: azdata.IDbColumn): Cell => {
    const text = readCell(cell);
    if (text !== null && text.length >= (dataTypeName === 'xml' ? limits.xml : limits.text)) throw explainCutCell(server, columnName);
    return text;
  };
  return {
    columns: columnInfo.map(({ columnName }) => columnName),
    rows: rows.map((row) => columnInfo.map((column, index) => read(row[index], column))),
  };
}

/** Numbers come in the culture of the service; where that differs from the invariant one, the latter is given too. */
function readCell(cell: Partial<azdata.DbCellValue> | undefined): Cell {
  if (cell === undefined || cell.isNull === true) return null;
  return cell.invariantCultureDisplayValue ? cell.invariantCultureDisplayValue : (cell.displayValue ?? null);
}
