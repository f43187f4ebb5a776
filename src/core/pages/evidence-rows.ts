/** The rows of a table of evidence in the order that a reader chose. */
import { hasText } from '../visible';
import type { EvidenceCell, EvidenceRow, EvidenceTable } from './evidence-page';

/** By which column, told by its heading, so that it outlives a version with other columns. */
export interface EvidenceSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface KeyedRow extends EvidenceRow {
  /** The same row has the same key while figures change: its database, its first cell, and the how manieth such row it is. */
  readonly key: string;
}

/**
 * The rows with their keys, sorted; in the table's own order where no sort is given or its column is gone.
 * @param filter leaves out rows of databases that do not have it in any of their words (case aside); what is of no database stays
 */
export function selectEvidenceRows(
  { columns, rows }: Pick<EvidenceTable, 'columns' | 'rows'>,
  sort: EvidenceSort | null,
  filter = '',
): readonly KeyedRow[] {
  const wanted = filter.toLowerCase();
  const keyed = keyRows(rows).filter((row) => wanted === '' || row.databaseId === null || hasWords(row, wanted));
  const column = sort === null ? -1 : columns.findIndex(({ heading }) => heading === sort.column);
  if (sort === null || column < 0) return keyed;
  const isNumeric = columns[column]?.isNumeric === true || rows.some(({ cells }) => typeof cells[column]?.value === 'number');
  const compare = isNumeric ? compareValues : compareTexts;
  return keyed
    .map((row, at) => ({ row, at, cell: row.cells[column] ?? NOTHING }))
    .sort((a, b) => compare(a.cell, b.cell, sort.descending) || a.at - b.at)
    .map(({ row }) => row);
}

/** What a click on a heading makes of the sort: figures first from the top, words from A, then the other way, then the table's own order. */
export function chooseSort({ heading, isNumeric }: EvidenceTable['columns'][number], sort: EvidenceSort | null): EvidenceSort | null {
  if (sort?.column !== heading) return { column: heading, descending: isNumeric };
  return sort.descending === isNumeric ? { column: heading, descending: !isNumeric } : null;
}

const NOTHING: EvidenceCell = { text: '', value: null };
const collator = new Intl.Collator('en', { numeric: true });

/** What could not be observed comes last either way. */
function compareValues(a: EvidenceCell, b: EvidenceCell, descending: boolean): number {
  const left = a.value === null || Number.isNaN(a.value) ? null : a.value;
  const right = b.value === null || Number.isNaN(b.value) ? null : b.value;
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  return left === right ? 0 : left < right === descending ? 1 : -1;
}

function compareTexts(a: EvidenceCell, b: EvidenceCell, descending: boolean): number {
  return collator.compare(a.text, b.text) * (descending ? -1 : 1);
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
