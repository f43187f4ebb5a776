/** A table of a page of evidence as a table for a file: what stands on screen, and beside each figure its exact value. */
import type { EvidenceCell, EvidenceTable } from '../pages/evidence-page';
import { formatDuration, formatPercent, NOT_OBSERVABLE } from '../format';
import { type ExportCell, type ExportTable, writeUtc } from './export-table';

export function createPageTable({ id, columns, rows }: EvidenceTable): ExportTable {
  const units = columns.map(({ isNumeric }, at) => (isNumeric ? findUnit(rows.map(({ cells }) => cells[at])) : null));
  return {
    id,
    columns: ['database_id', ...columns.flatMap(({ name }, at) => nameColumns(name, units[at] ?? null))],
    rows: rows.length,
    row: (at) => {
      const { databaseId, cells } = rows[at] ?? { databaseId: null, cells: [] };
      const written = columns.flatMap((_, column) => writeCells(cells[column], units[column] ?? null));
      return [databaseId ?? { missing: 'of no database that is there now' }, ...written];
    },
  };
}

function nameColumns(name: string, unit: Unit | null): readonly string[] {
  return unit === null ? [name] : [name, `${name} (${unit})`];
}

type Unit = 'UTC' | 'ms' | 'share, 0 to 1' | 'exact';

/** The text tells it, in any language: the value as one function of format.ts writes it. */
function findUnit(cells: readonly (EvidenceCell | undefined)[]): Unit {
  const first = cells.find((cell) => typeof cell?.value === 'number');
  if (first === undefined) return 'exact';
  if (first.kind === 'moment') return 'UTC';
  const isWritten = (format: (value: number) => string): boolean => first.text === format(first.value ?? 0);
  if (isWritten(formatDuration)) return 'ms';
  return isWritten(formatPercent) ? 'share, 0 to 1' : 'exact';
}

function writeCells(cell: EvidenceCell | undefined, unit: Unit | null): readonly ExportCell[] {
  const text = cell?.text ?? NOT_OBSERVABLE;
  const shown = text.startsWith(NOT_OBSERVABLE) ? { missing: text } : text;
  if (unit === null) return [shown];
  const value = cell?.value ?? null;
  if (value === null || !Number.isFinite(value)) return [shown, { missing: text === '' ? 'none' : text }];
  return [shown, unit === 'UTC' ? writeUtc(value) : value];
}
