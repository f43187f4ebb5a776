/**
 * Random expressions mean the same wherever they stand: over rows, in derived and applied tables, in CASE, and as
 * constants in place of the rows' values.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shown } from '../shown';
import { useClient } from './client';

interface Column {
  readonly name: string;
  readonly type: string;
  /** As literals, the last a NULL. */
  readonly values: readonly string[];
}

const columns: readonly Column[] = [
  { name: 'i', type: 'int', values: ['7', '-3', '0', 'NULL'] },
  { name: 'b', type: 'bigint', values: ['5000000000', '1', '-1', 'NULL'] },
  { name: 'd', type: 'decimal(9, 3)', values: ['12.345', '-0.500', '2.000', 'NULL'] },
  { name: 's', type: 'varchar(12)', values: ["'Alpha '", "'alpha'", "'7'", 'NULL'] },
  { name: 'u', type: 'nvarchar(12)', values: ["N'co-op'", "N'é'", "N''", 'NULL'] },
  {
    name: 't',
    type: 'datetime2(3)',
    values: ["'2024-02-29T23:59:59.999'", "'2023-12-31'", "'1900-01-01'", 'NULL'],
  },
];

const number = (leaf: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec((tie) => ({
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.oneof(tie('sum') as fc.Arbitrary<string>, tie('call') as fc.Arbitrary<string>),
    ),
    sum: fc
      .tuple(
        tie('number') as fc.Arbitrary<string>,
        fc.constantFrom('+', '-', '*', '/', '%'),
        tie('number') as fc.Arbitrary<string>,
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    call: fc
      .tuple(
        fc.constantFrom(
          'ISNULL(#, 4)',
          'NULLIF(#, 7)',
          'CASE WHEN # > 1 THEN # ELSE 2 END',
          '-(#)',
          'CAST(# AS int)',
        ),
        tie('number') as fc.Arbitrary<string>,
      )
      .map(([form, inner]) => form.replace(/#/g, () => inner)),
  }))['number'] as fc.Arbitrary<string>;

const numbers = number(
  fc.constantFrom('i', 'b', 'd', 'LEN(s)', 'DATEPART(day, t)', '3', '2.50', "CHARINDEX('p', s + u)"),
);

const text = fc.oneof(
  fc.constantFrom(
    's',
    'u',
    's + u',
    'UPPER(s)',
    "REPLACE(u, N'-', s)",
    "CONCAT(s, i, '/', d)",
    'CONVERT(varchar(30), t, 126)',
    'RIGHT(s, 3)',
    "RTRIM(s) + '.'",
  ),
  numbers.map((inner) => `CONVERT(varchar(40), ${inner})`),
);

const condition = fc.oneof(
  fc.tuple(numbers, fc.constantFrom('=', '<>', '<', '>='), numbers).map((parts) => parts.join(' ')),
  fc.tuple(text, fc.constantFrom('=', '<>', '<', '>='), text).map((parts) => parts.join(' ')),
  fc.constantFrom(
    "s LIKE '[a-c]%'",
    "u LIKE N'%o'",
    'i IN (7, NULL)',
    'i NOT IN (7, NULL)',
    "t BETWEEN '2023-01-01' AND '2024-12-31'",
    's IS NULL',
  ),
);

const expressions = fc.oneof(
  numbers,
  text,
  condition.map((each) => `CASE WHEN ${each} THEN 'yes' WHEN NOT (${each}) THEN 'no' ELSE 'unknown' END`),
);

const rowOf = (row: number): string =>
  columns.map(({ type, values }) => `CAST(${values[row] as string} AS ${type})`).join(', ');
const rows = `(SELECT k, ${columns.map(({ name }) => name).join(', ')} FROM (VALUES ${[0, 1, 2, 3].map((row) => `(${row}, ${rowOf(row)})`).join(', ')}) AS v (k, ${columns.map(({ name }) => name).join(', ')})) AS r`;

/** The expression with the values of one row in place of the columns, outside of literals. */
const asConstant = (expression: string, row: number): string =>
  expression.replace(/N?'(?:[^']|'')*'|\b[ibdsut]\b(?!\()/g, (word) => {
    const column = columns.find(({ name }) => name === word);
    return column === undefined ? word : `CAST(${column.values[row] as string} AS ${column.type})`;
  });

describe('T-SQL random expressions', () => {
  const client = useClient();

  /** Rows, or the number of the error. */
  const answer = async (sql: string): Promise<string> => {
    const { sets, errors } = await client.run(sql);
    return errors[0] === undefined ? shown(sets[0]?.rows) : `error ${errors[0].number}`;
  };

  it('give the same rows in derived tables, APPLY and CASE', async () => {
    await fc.assert(
      fc.asyncProperty(expressions, async (expression) => {
        const expected = await answer(`SELECT ${expression} AS e FROM ${rows} ORDER BY k`);
        assert.doesNotMatch(expected, /error 50000/, expression);
        for (const sql of [
          `SELECT x.e FROM (SELECT k, ${expression} AS e FROM ${rows}) AS x ORDER BY x.k`,
          `SELECT x.e FROM ${rows} CROSS APPLY (SELECT ${expression} AS e) AS x ORDER BY r.k`,
          `SELECT CASE WHEN r.k >= 0 THEN ${expression} END FROM ${rows} ORDER BY r.k`,
          `SELECT MAX(e) FROM (SELECT k, ${expression} AS e FROM ${rows}) AS x GROUP BY k ORDER BY k`,
        ])
          assert.equal(await answer(sql), expected, sql);
      }),
      { numRuns: 25, seed: 11 },
    );
  });

  it('give the same values as constants', async () => {
    await fc.assert(
      fc.asyncProperty(expressions, fc.constantFrom(0, 1, 2, 3), async (expression, row) => {
        const overRows = await answer(`SELECT ${expression} FROM ${rows} WHERE k = ${row}`);
        assert.equal(
          await answer(`SELECT ${asConstant(expression, row)}`),
          overRows,
          `${expression} of row ${row}`,
        );
      }),
      { numRuns: 100, seed: 12 },
    );
  });
});
