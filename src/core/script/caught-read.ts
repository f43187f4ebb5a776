/**
 * A read for hosts that give back the first result set only and hide what SQL Server refused (docs/facts.md, Hosts 3). An error after the first rows were sent
 * would leave a table that looks whole, and one before them "no results"; so the answer is gathered first, and sent with the error, if any, in one result set.
 */
import { quoteString } from './quote';
import type { ReadText } from './text';

const ownColumns = ['caught_number', 'caught_message', 'ordinal'];

export interface CaughtError {
  /** SQL Server's error number. */
  readonly number: number;
  readonly message: string;
}

export interface CaughtAnswer {
  readonly error: CaughtError | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The read, wrapped. Its rows keep their order. @param text one SELECT whose columns are written `name = expression`; variables of its own may stand before it */
export function writeCaughtRead(text: ReadText): ReadText {
  const columns = listColumns(text);
  const answer = columns.map((column) => `    [${column}] nvarchar(max) NULL`);
  return `
DECLARE @answer table
(
    ordinal int IDENTITY(1, 1) NOT NULL PRIMARY KEY,
${answer.join(',\n')}
);
DECLARE @caught_number int = NULL;
DECLARE @caught_message nvarchar(2048) = NULL;
BEGIN TRY
    INSERT INTO @answer (${columns.map((column) => `[${column}]`).join(', ')})
    EXEC sys.sp_executesql ${quoteString(text)};
END TRY
BEGIN CATCH
    SELECT
        @caught_number = ERROR_NUMBER(),
        @caught_message = ERROR_MESSAGE();
END CATCH;
SELECT
    caught_number = CONVERT(varchar(11), @caught_number),
    caught_message = @caught_message,
    ordinal = CONVERT(varchar(11), a.ordinal),
${columns.map((column) => `    [${column}] = a.[${column}]`).join(',\n')}
FROM (SELECT one = 1) AS n
LEFT JOIN @answer AS a
    ON @caught_number IS NULL
ORDER BY a.ordinal;
` as ReadText;
}

/** What such a read answered. @returns null where this is no answer of such a read */
export function readCaughtAnswer(columns: readonly string[], rows: CaughtAnswer['rows']): CaughtAnswer | null {
  const first = rows[0];
  if (first === undefined || !ownColumns.every((column, at) => columns[at] === column)) return null;
  const [number, message] = first;
  const rest = columns.slice(ownColumns.length);
  if (typeof number === 'string') return { error: { number: Number(number), message: message ?? '' }, columns: rest, rows: [] };
  const given = rows.filter((row) => row[2] !== null);
  return { error: null, columns: rest, rows: given.map((row) => row.slice(ownColumns.length)) };
}

/** Names of the columns, in order: what stands before `=` at the beginning of each item of the outermost select list, which no parenthesis encloses. */
export function listColumns(text: string): readonly string[] {
  const tokens = [...text.matchAll(/\/\*[\s\S]*?\*\/|--[^\n]*|N?'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]|[\w@#$.]+|\S/g)].map(([token]) => token);
  const list = tokens.filter((token) => !token.startsWith('/*') && !token.startsWith('--'));
  const columns: string[] = [];
  let depth = 0;
  let isList = false;
  for (let at = 0; at < list.length; at++) {
    const token = list[at] ?? '';
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && /^SELECT$/i.test(token)) isList = true;
    else if (depth === 0 && isList && /^FROM$/i.test(token)) break;
    else if (depth === 0 && isList && list[at + 1] === '=' && /^(SELECT|,|\))$/i.test(list[at - 1] ?? '')) columns.push(token);
  }
  return columns;
}
