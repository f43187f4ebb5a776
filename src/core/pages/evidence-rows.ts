/** The rows of a table of evidence in the order that a reader chose. */
import { compareNames } from '../lists';
import { hasText } from '../visible';
import type { EvidenceCell, EvidenceRow, EvidenceTable } from './evidence-page';

/** The column is given by its name, so that the choice survives a version with other columns, and another language. */
export interface EvidenceSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface KeyedRow extends EvidenceRow {
  /** Stays the same while figures change: made of the database, the first cell, and a number for equal rows. */
  readonly key: string;
}

/**
 * The rows with their keys, sorted; in the table's own order if there is no sort or its column is gone.
 * @param filter leaves out rows of databases without this text in any of their words, in any case; rows of no database
 * stay
 */
export function selectEvidenceRows(
  { columns, rows }: Pick<EvidenceTable, 'columns' | 'rows'>,
  sort: EvidenceSort | null,
  filter = '',
): readonly KeyedRow[] {
  const wanted = filter.toLowerCase();
  const keyed = keyRows(rows).filter(
    (row) => wanted === '' || row.databaseId === null || hasWords(row, wanted),
  );
  const column = sort === null ? -1 : columns.findIndex(({ name }) => name === sort.column);
  if (sort === null || column < 0) return keyed;
  const isNumeric =
    columns[column]?.isNumeric === true || rows.some(({ cells }) => typeof cells[column]?.value === 'number');
  const compare = (a: EvidenceCell, b: EvidenceCell): number =>
    isNumeric
      ? compareFigures(a.value, b.value, sort.descending)
      : compareNames(a.text, b.text) * (sort.descending ? -1 : 1);
  return keyed
    .map((row, at) => ({ row, at, cell: row.cells[column] ?? NOTHING }))
    .sort((a, b) => compare(a.cell, b.cell) || a.at - b.at)
    .map(({ row }) => row);
}

/**
 * The sort after a click on a heading: first figures from the top or words from A, then the other way, then the table's
 * own order.
 */
export function chooseSort(
  { name, isNumeric }: EvidenceTable['columns'][number],
  sort: EvidenceSort | null,
): EvidenceSort | null {
  if (sort?.column !== name) return { column: name, descending: isNumeric };
  return sort.descending === isNumeric ? { column: name, descending: !isNumeric } : null;
}

const NOTHING: EvidenceCell = { text: '', value: null };

/** Figures that could not be observed come last in both directions. */
export function compareFigures(a: number | null, b: number | null, descending: boolean): number {
  const [left, right] = [a ?? NaN, b ?? NaN];
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return left === right ? 0 : left < right === descending ? 1 : -1;
}

function hasWords({ cells }: EvidenceRow, wanted: string): boolean {
  return cells.some(({ text, value }) => value === null && hasText(text, wanted));
}

function keyRows(rows: readonly EvidenceRow[]): readonly KeyedRow[] {
  const times = new Map<string, number>();
  return rows.map((row) => {
    const name = `${row.databaseId ?? ''}|${row.cells[0]?.text ?? ''}`;
    const time = times.get(name) ?? 0;
    times.set(name, time + 1);
    return { ...row, key: `${name}|${time}` };
  });
}
