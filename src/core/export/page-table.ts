/** A table of a page of evidence as a table for a file: what is on screen, and beside each figure its exact value. */
import type { EvidenceCell, EvidenceColumn, EvidenceTable } from '../pages/evidence-page';
import { NOT_OBSERVABLE } from '../format';
import { type ExportCell, type ExportTable, writeUtc } from './export-table';

/** A figure of a column has the unit that its heading names. Where each row has its own, the last column names it. */
export function createPageTable({ id, columns, rows }: EvidenceTable): ExportTable {
  const hasRowUnits = columns.some(({ unit }) => unit === null);
  return {
    id,
    columns: ['database_id', ...columns.flatMap(nameColumns), ...(hasRowUnits ? ['unit'] : [])],
    rows: rows.length,
    row: (at) => {
      const { databaseId, cells, unit } = rows[at] ?? { databaseId: null, cells: [] };
      const written = columns.flatMap((column, place) => writeCells(cells[place], column));
      return [
        databaseId ?? { missing: 'of no database that is there now' },
        ...written,
        ...(hasRowUnits ? [unit ?? { missing: 'none' }] : []),
      ];
    },
  };
}

type Part = readonly [ending: string, valueOf: (cell: EvidenceCell) => number | null | undefined];

const ONE: Part = ['', ({ value }) => value];
const LOW: Part = ['_low', ({ interval }) => interval?.low];
const HIGH: Part = ['_high', ({ interval }) => interval?.high];
const PARTS: Readonly<Record<NonNullable<EvidenceColumn['parts']>, readonly Part[]>> = {
  pair: [
    ['_before', ({ before }) => before],
    ['_after', ({ value }) => value],
  ],
  range: [LOW, HIGH],
  estimate: [ONE, LOW, HIGH],
};

const partsOf = ({ isNumeric, parts }: EvidenceColumn): readonly Part[] =>
  !isNumeric ? [] : parts === undefined ? [ONE] : PARTS[parts];

function nameColumns(column: EvidenceColumn): readonly string[] {
  const { name, unit } = column;
  return [name, ...partsOf(column).map(([ending]) => `${name}${ending} (${unit ?? 'exact'})`)];
}

function writeCells(cell: EvidenceCell | undefined, column: EvidenceColumn): readonly ExportCell[] {
  const text = cell?.text ?? NOT_OBSERVABLE;
  const write = (value: number | null | undefined): ExportCell => {
    if (value == null || !Number.isFinite(value)) return { missing: text === '' ? 'none' : text };
    return column.unit === 'UTC' ? writeUtc(value) : value;
  };
  return [
    text.startsWith(NOT_OBSERVABLE) ? { missing: text } : text,
    ...partsOf(column).map(([, valueOf]) => write(cell && valueOf(cell))),
  ];
}
