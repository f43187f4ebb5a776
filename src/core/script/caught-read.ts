/**
 * Reads for hosts that return only the first result set and hide errors (docs/facts.md, Hosts 3). An error after the
 * first rows would leave a table that looks whole, an error before them "no results". So each answer is gathered first,
 * and all are sent in one result set, with their errors. A last row ends it: these hosts also give the rows that came
 * before a connection broke.
 */
import type { TextRows } from '../rows';
import { quoteString } from './quote';
import type { ReadText } from './text';

const ownColumns = ['part', 'caught_number', 'caught_message', 'ordinal'];

/** What one of the reads answered. */
interface CaughtAnswer extends TextRows {
  /** The error with SQL Server's number. */
  readonly error: { readonly number: number; readonly message: string } | null;
}

/**
 * Wraps the reads; the rows of each keep their order.
 * @param texts each one SELECT with columns as `name = expression`, perhaps after its own variables
 */
export function writeCaughtReads(texts: readonly ReadText[]): ReadText {
  const columns = texts.map(listColumns);
  const most = Math.max(...columns.map(({ length }) => length));
  const answers = columns.map((own, at) => `${writeAnswer(own, at + 1, most)}UNION ALL\n`).join('');
  const gathering = texts.map((text, at) => writeGathering(text, columns[at] ?? [], at + 1)).join('');
  return `\n${gathering}${answers}${writeEnd(texts.length + 1, most)}ORDER BY part, ordinal;\n` as ReadText;
}

/**
 * Wraps a read that gathers what a procedure answers and catches its errors itself. Only its last SELECT is put into a
 * table, because INSERT ... EXEC cannot be nested (8164).
 * @returns the text, and the SELECT by which `readCaughtAnswers` reads its answer
 */
export function writeGatheredRead(text: ReadText): { readonly text: ReadText; readonly select: ReadText } {
  const at = text.lastIndexOf('\nSELECT') + 1;
  const select = text.slice(at) as ReadText;
  const columns = listColumns(select);
  const own = `${writeTable(columns, 1)}${writeInsert(columns, 1)}${select}\n`;
  const answer = `${writeAnswer(columns, 1, columns.length)}UNION ALL\n${writeEnd(2, columns.length)}ORDER BY part, ordinal;\n`;
  return { text: `${text.slice(0, at)}${own}${answer}` as ReadText, select };
}

function writeTable(columns: readonly string[], part: number): string {
  const answer = columns.map((column) => `    [${column}] nvarchar(max) NULL`);
  return `DECLARE @answer_${part} table
(
    answer_row int IDENTITY(1, 1) NOT NULL PRIMARY KEY,
${answer.join(',\n')}
);
DECLARE @number_${part} int = NULL;
DECLARE @message_${part} nvarchar(2048) = NULL;
`;
}

function writeInsert(columns: readonly string[], part: number): string {
  return `INSERT INTO @answer_${part} (${columns.map((column) => `[${column}]`).join(', ')})\n`;
}

function writeGathering(text: ReadText, columns: readonly string[], part: number): string {
  return `${writeTable(columns, part)}BEGIN TRY
    ${writeInsert(columns, part)}    EXEC sys.sp_executesql ${quoteString(text)};
END TRY
BEGIN CATCH
    SELECT
        @number_${part} = ERROR_NUMBER(),
        @message_${part} = ERROR_MESSAGE();
END CATCH;
`;
}

/**
 * All answers are one result set, so shorter ones are filled up with NULL. It needs a type: two NULLs without one would
 * be numbers.
 */
function writeAnswer(columns: readonly string[], part: number, most: number): string {
  const cells = Array.from(
    { length: most },
    (_, at) =>
      `    c${at + 1} = ${columns[at] === undefined ? 'CONVERT(nvarchar(max), NULL)' : `a.[${columns[at]}]`}`,
  );
  return `SELECT
    part = ${part},
    caught_number = CONVERT(varchar(11), @number_${part}),
    caught_message = @message_${part},
    ordinal = a.answer_row,
${cells.join(',\n')}
FROM (SELECT one = 1) AS n
LEFT JOIN @answer_${part} AS a
    ON @number_${part} IS NULL
`;
}

/** A part of its own without an answer. */
function writeEnd(part: number, most: number): string {
  const cells = Array.from({ length: most }, (_, at) => `    c${at + 1} = NULL`);
  return `SELECT\n    part = ${part},\n    caught_number = NULL,\n    caught_message = NULL,\n    ordinal = NULL,\n${cells.join(',\n')}\n`;
}

/** Takes the answers of such reads apart. @returns null if this is no answer of them, or not a whole one */
export function readCaughtAnswers(
  answer: TextRows,
  texts: readonly ReadText[],
): readonly CaughtAnswer[] | null {
  const { columns, rows } = answer;
  if (!isCaughtAnswer(columns) || isBrokenOff(answer, texts)) return null;
  const parts = texts.map((text, at) =>
    readPart(
      rows.filter(([part]) => part === String(at + 1)),
      listColumns(text),
    ),
  );
  return parts.every((part) => part !== null) ? parts : null;
}

/** Whether it is an answer to such reads whose end is missing. */
export function isBrokenOff({ columns, rows }: TextRows, texts: readonly ReadText[]): boolean {
  return isCaughtAnswer(columns) && rows[rows.length - 1]?.[0] !== String(texts.length + 1);
}

function isCaughtAnswer(columns: TextRows['columns']): boolean {
  return ownColumns.every((column, at) => columns[at] === column);
}

function readPart(rows: TextRows['rows'], columns: readonly string[]): CaughtAnswer | null {
  const first = rows[0];
  if (first === undefined) return null;
  const [, number, message] = first;
  if (typeof number === 'string')
    return { error: { number: Number(number), message: message ?? '' }, columns, rows: [] };
  const given = rows.filter((row) => row[3] !== null);
  return {
    error: null,
    columns,
    rows: given.map((row) => row.slice(ownColumns.length, ownColumns.length + columns.length)),
  };
}

/**
 * Names of the columns, in order: what stands before `=` in each item of the outermost select list, outside of any
 * parenthesis.
 */
export function listColumns(text: string): readonly string[] {
  const tokens = [
    ...text.matchAll(/\/\*[\s\S]*?\*\/|--[^\n]*|N?'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]?|[\w@#$.]+|\S/g),
  ].map(([token]) => token);
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
    else if (depth === 0 && isList && list[at + 1] === '=' && /^(SELECT|,|\))$/i.test(list[at - 1] ?? ''))
      columns.push(token);
  }
  return columns;
}
