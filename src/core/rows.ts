/**
 * A row is read once, at the edge, by a typed spec. Hosts give cells as display text, so all our SQL converts numbers,
 * dates (style 126) and bits to text, and only this file turns them into values again. Bad rows come back beside the
 * good ones.
 */
import { t } from './language';
import { readUtcTime } from './time';
import type { Steps } from './steps';

/** One result set as any host gives it. */
export interface TextRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** How one cell becomes a value. `read` gives undefined for any other text; `expected` completes "expected ...". */
interface ColumnKind<T> {
  readonly expected: string;
  readonly read: (cell: string | null) => T | undefined;
  /** Answers that earlier versions kept lack the column. */
  readonly isLater?: true;
}

/** The row type a spec reads, its names as ours: `databaseId` for the column `database_id`. */
export type RowOf<S> = {
  readonly [K in keyof S as Ours<K & string>]: S[K] extends ColumnKind<infer T> ? T : never;
};
type Ours<K extends string> = K extends `${infer A}_${infer B}` ? `${A}${Capitalize<Ours<B>>}` : K;

export interface RowProblem {
  readonly kind: 'missing column' | 'unknown column' | 'repeated column' | 'wrong value' | 'repeated row';
  readonly column: string;
  /** 1 for the first row; null if the column itself is the problem. */
  readonly row: number | null;
  /** One sentence that names row and column. */
  readonly message: string;
}

/** A column that we do not know is only told; with any other problem something of the answer is missing. */
export function isLacking({ kind }: RowProblem): boolean {
  return kind !== 'unknown column';
}

interface ReadRows<T> {
  readonly rows: readonly T[];
  readonly problems: readonly RowProblem[];
}

/** Any text, kept as it is; also for bigint, which does not fit a number. */
export const text = (): ColumnKind<string> => ({ expected: t('text'), read: (cell) => cell ?? undefined });

/**
 * A name as the server's counters have it, without the spaces that pad it: what RTRIM takes off, and no more. Other
 * blanks are part of the name, so that `Sales` and `Sales` with a no-break space behind it stay two.
 */
export const counterName = (): ColumnKind<string> => ({
  expected: t('text'),
  read: (cell) => (cell === null ? undefined : dropPadding(cell)),
});

/** @see counterName */
export function dropPadding(name: string): string {
  let end = name.length;
  while (name[end - 1] === ' ') end--;
  return name.slice(0, end);
}

/** A whole number within the safe range: an optional minus and digits, nothing else. */
export const integer = (): ColumnKind<number> => ({ expected: t('a whole number'), read: readInteger });

/** A number in the safe range, with an optional fraction and exponent, as SQL Server shows decimal, float and real. */
export const decimal = (): ColumnKind<number> => ({ expected: t('a number'), read: readDecimal });

/** A bit: 0, 1, True or False, because hosts show it either way. */
export const bit = (): ColumnKind<boolean> => ({ expected: t('0, 1, True or False'), read: readBit });

/** Style 126 text without a zone, which our SQL gives in UTC, as milliseconds since 1970. */
export const utc = (): ColumnKind<number> => ({
  expected: t('a UTC time such as 2016-07-09T03:30:14.023'),
  read: (cell) => (cell === null ? undefined : (readUtcTime(cell) ?? undefined)),
});

/** A server's version, "15.0.4322.2". */
export const version = (): ColumnKind<string> =>
  shaped(t('a version such as 16.0.1000.6'), /^\d{1,5}(\.\d{1,6}){1,3}$/);

/** Style 126 text in the server's own time, kept as it is. */
export const localTime = (): ColumnKind<string> =>
  shaped(t('a time such as 2016-07-09T03:30:14.023'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/);

const shaped = (expected: string, pattern: RegExp): ColumnKind<string> => ({
  expected,
  read: (cell) => (cell !== null && pattern.test(cell) ? cell : undefined),
});

/** Time zones go from -12 to +14 hours. */
const MOST_OFFSET_MINUTES = 14 * 60;

/** Minutes from UTC. */
export const offset = (): ColumnKind<number> => ({
  expected: t('minutes from UTC'),
  read: (cell) => {
    const minutes = readInteger(cell);
    return minutes === undefined || Math.abs(minutes) > MOST_OFFSET_MINUTES ? undefined : minutes;
  },
});

/** The same kind, or NULL. */
export function nullable<T>(kind: ColumnKind<T>): ColumnKind<T | null> {
  return {
    expected: t('{0} or NULL', kind.expected),
    read: (cell) => (cell === null ? null : kind.read(cell)),
  };
}

/** The same kind, or null where an earlier version did not ask for it. */
export const later = <T>(kind: ColumnKind<T>): ColumnKind<T | null> => ({ ...nullable(kind), isLater: true });

/** Names the columns of one query. The keys are the column names; upper and lower case do not matter. */
export function defineRow<S extends Readonly<Record<string, ColumnKind<unknown>>>>(spec: S): S {
  return spec;
}

/**
 * Reads every row that fits the spec. A row with a wrong value is left out and named. An unknown column is named and
 * ignored. If a column is missing there are no rows.
 * @param before rows of the same answer that come before these
 */
export function readRows<S extends Readonly<Record<string, ColumnKind<unknown>>>>(
  spec: S,
  set: TextRows,
  before = 0,
): ReadRows<RowOf<S>> {
  const names = Object.keys(spec);
  const positions = new Map(set.columns.map((column, i) => [column.toLowerCase(), i]));
  const problems = findColumnProblems(spec, set.columns);
  if (problems.some(isLacking)) return { rows: [], problems };
  const readers = names.map((name) => ({
    name,
    key: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    kind: spec[name] as ColumnKind<unknown>,
    position: positions.get(name.toLowerCase()) ?? -1,
  }));
  const rows: RowOf<S>[] = [];
  set.rows.forEach((cells, i) => {
    const row: Record<string, unknown> = {};
    const known = problems.length;
    for (const { name, key, kind, position } of readers) {
      const value = kind.read(cells[position] ?? null);
      if (value === undefined)
        problems.push(describeValue(before + i + 1, name, kind, cells[position] ?? null));
      row[key] = value;
    }
    if (problems.length === known) rows.push(row as RowOf<S>);
  });
  return { rows, problems };
}

function findColumnProblems(
  spec: Readonly<Record<string, ColumnKind<unknown>>>,
  columns: readonly string[],
): RowProblem[] {
  const names = Object.keys(spec);
  const known = new Set(names.map((name) => name.toLowerCase()));
  const seen = new Set<string>();
  const problems: RowProblem[] = [];
  for (const column of columns) {
    const key = column.toLowerCase();
    if (!known.has(key))
      problems.push(
        describeColumn('unknown column', column, t('The query returned an unknown column, "{0}".', column)),
      );
    else if (seen.has(key))
      problems.push(
        describeColumn('repeated column', column, t('The query returned the column "{0}" twice.', column)),
      );
    seen.add(key);
  }
  for (const name of names) {
    if (!seen.has(name.toLowerCase()) && spec[name]?.isLater !== true)
      problems.push(describeColumn('missing column', name, t('The query returned no column "{0}".', name)));
  }
  return problems;
}

function describeColumn(kind: RowProblem['kind'], column: string, message: string): RowProblem {
  return { kind, column, row: null, message };
}

function describeValue(
  row: number,
  column: string,
  kind: ColumnKind<unknown>,
  cell: string | null,
): RowProblem {
  const shown = cell === null ? 'NULL' : `"${cell.length > 60 ? `${cell.slice(0, 60)}…` : cell}"`;
  return {
    kind: 'wrong value',
    column,
    row,
    message: t('Row {0}, column "{1}": expected {2}, found {3}.', row, column, kind.expected, shown),
  };
}

function readInteger(cell: string | null): number | undefined {
  if (cell === null || !/^-?\d+$/.test(cell)) return undefined;
  const value = Number(cell);
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

function readDecimal(cell: string | null): number | undefined {
  if (cell === null || !/^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(cell)) return undefined;
  const value = Number(cell);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

function readBit(cell: string | null): boolean | undefined {
  const shown = cell?.toLowerCase();
  if (shown === '1' || shown === 'true') return true;
  return shown === '0' || shown === 'false' ? false : undefined;
}

/** About 5 ms. */
const READ_A_STEP = 500;

/**
 * Reads rows as `readRows` does, in steps, because thousands of rows take too long at once.
 * @param keyOf see `readValues`
 */
export function* readRowPages<S extends Readonly<Record<string, ColumnKind<unknown>>>>(
  spec: S,
  set: TextRows,
  keyOf?: (row: RowOf<S>) => number | string,
): Steps<ReadRows<RowOf<S>>> {
  const rows: RowOf<S>[] = [];
  const problems: RowProblem[] = [];
  // One step at least: even without rows a missing column is found.
  for (let from = 0; from === 0 || from < set.rows.length; from += READ_A_STEP) {
    const page = readRows(
      spec,
      { columns: set.columns, rows: set.rows.slice(from, from + READ_A_STEP) },
      from,
    );
    for (const row of page.rows) rows.push(row);
    for (const problem of page.problems) if (problem.row !== null || from === 0) problems.push(problem);
    yield;
  }
  if (keyOf !== undefined && new Set(rows.map(keyOf)).size < rows.length) problems.push(repeatedRow());
  return { rows, problems };
}

/** Values that could be read, and what could not be. */
export interface Readings<T> {
  readonly values: readonly T[];
  readonly problems: readonly RowProblem[];
}

/**
 * Turns each row that can be read into a value.
 * @param keyOf what one row alone may have; null: the answer may repeat a row
 */
export function readValues<S extends Readonly<Record<string, ColumnKind<unknown>>>, T>(
  spec: S,
  set: TextRows,
  keyOf: ((row: RowOf<S>) => number | string) | null,
  toValue: (row: RowOf<S>) => T,
): Readings<T> {
  const { rows, problems } = readRows(spec, set);
  if (keyOf === null) return { values: rows.map(toValue), problems };
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return {
    values: [...byKey.values()].map(toValue),
    problems: byKey.size === rows.length ? problems : [...problems, repeatedRow()],
  };
}

const repeatedRow = (): RowProblem => ({
  kind: 'repeated row',
  column: '',
  row: null,
  message: t('The query returned a row twice.'),
});
