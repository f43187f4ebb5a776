/** The answer of `runQueryAndReturn`: rows of display text (docs/facts.md, Hosts 3). */
import type * as azdata from 'azdata';
import type { Cell, HostServer, ResultSet } from './host';
import { explainCutCell, explainNoResult } from './azdata-errors';

/** Characters at which SQL Tools Service cuts a cell, and one that is typed as xml. */
const LONGEST_TEXT = 65_535;
const LONGEST_XML = 2 * 1024 * 1024;

/** @throws ConnectionError where nothing came back, or less than there was */
export function readResultSet(result: Partial<azdata.SimpleExecuteResult> | undefined, server: HostServer): ResultSet {
  if (!Array.isArray(result?.columnInfo)) throw explainNoResult(server);
  const { columnInfo } = result;
  const limits = columnInfo.map(({ dataTypeName }) => (dataTypeName === 'xml' ? LONGEST_XML : LONGEST_TEXT));
  const columns = columnInfo.map(({ columnName }) => columnName);
  const rows = (result.rows ?? []).map((row) =>
    columns.map((column, index) => {
      const cell = readCell(row[index]);
      if (cell !== null && cell.length >= (limits[index] ?? LONGEST_TEXT)) throw explainCutCell(server, column);
      return cell;
    }),
  );
  return { columns, rows };
}

/** Numbers come in the culture of the service; where that differs from the invariant one, the latter is given too. */
function readCell(cell: Partial<azdata.DbCellValue> | undefined): Cell {
  if (cell === undefined || cell.isNull === true) return null;
  return cell.invariantCultureDisplayValue ? cell.invariantCultureDisplayValue : (cell.displayValue ?? null);
}
