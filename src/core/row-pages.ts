import { type ColumnKind, readRows, type ReadRows, type RowOf, type RowProblem, type TextRows } from './rows';
import type { Steps } from './steps';

/** Some 5 ms. */
const ROWS_A_STEP = 500;

/** Reads rows as `readRows` does, in steps: an answer of thousands of rows takes longer than anyone should be kept waiting. */
export function* readRowPages<S extends Readonly<Record<string, ColumnKind<unknown>>>>(spec: S, set: TextRows): Steps<ReadRows<RowOf<S>>> {
  const rows: RowOf<S>[] = [];
  const problems: RowProblem[] = [];
  // One step at least: a column that is missing shows without rows too.
  for (let from = 0; from === 0 || from < set.rows.length; from += ROWS_A_STEP) {
    const page = readRows(spec, { columns: set.columns, rows: set.rows.slice(from, from + ROWS_A_STEP) });
    for (const row of page.rows) rows.push(row);
    for (const problem of page.problems) if (problem.row !== null || from === 0) problems.push(moveProblem(problem, from));
    yield;
  }
  return { rows, problems };
}

function moveProblem(problem: RowProblem, by: number): RowProblem {
  if (problem.row === null || by === 0) return problem;
  const row = problem.row + by;
  return { ...problem, row, message: problem.message.replace(/^Row \d+/, `Row ${row}`) };
}
