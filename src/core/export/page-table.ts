/** A table of a page of evidence as a table for a file: what stands on screen, and beside each figure its exact value. */
import type { EvidenceCell, EvidenceTable, PairUnit } from '../pages/evidence-page';
import { formatDuration, formatPercent, NOT_OBSERVABLE } from '../format';
import { type ExportCell, type ExportTable, writeUtc } from './export-table';

export function createPageTable({ id, columns, rows }: EvidenceTable): ExportTable {
  const units = columns.map(({ isNumeric, unit }, at) =>
    isNumeric ? (unit ? PAIR_UNITS[unit] : findUnit(rows.map(({ cells }) => cells[at]))) : null,
  );
  const isPair = (at: number): boolean => columns[at]?.unit !== undefined;
  return {
    id,
    columns: ['database_id', ...columns.flatMap(({ name }, at) => nameColumns(name, units[at] ?? null, isPair(at)))],
    rows: rows.length,
    row: (at) => {
      const { databaseId, cells } = rows[at] ?? { databaseId: null, cells: [] };
      const written = columns.flatMap((_, column) => writeCells(cells[column], units[column] ?? null, isPair(column)));
      return [databaseId ?? { missing: 'of no database that is there now' }, ...written];
    },
  };
}

const PAIR_UNITS: Readonly<Record<PairUnit, string>> = {
  perHour: 'an hour',
  ms: 'ms',
  secondsPerHour: 'seconds an hour',
  share: 'share, 0 to 1',
};

function nameColumns(name: string, unit: string | null, isPair: boolean): readonly string[] {
  if (unit === null) return [name];
  return isPair ? [name, `${name}_before (${unit})`, `${name}_after (${unit})`] : [name, `${name} (${unit})`];
}

/** The text tells it, in any language: the value as one function of format.ts writes it. */
function findUnit(cells: readonly (EvidenceCell | undefined)[]): string {
  const first = cells.find((cell) => typeof cell?.value === 'number');
  if (first === undefined) return 'exact';
  if (first.kind === 'moment') return 'UTC';
  const isWritten = (format: (value: number) => string): boolean => first.text === format(first.value ?? 0);
  if (isWritten(formatDuration)) return 'ms';
  return isWritten(formatPercent) ? 'share, 0 to 1' : 'exact';
}

function writeCells(cell: EvidenceCell | undefined, unit: string | null, isPair: boolean): readonly ExportCell[] {
  const text = cell?.text ?? NOT_OBSERVABLE;
  const shown = text.startsWith(NOT_OBSERVABLE) ? { missing: text } : text;
  if (unit === null) return [shown];
  const write = (value: number | null): ExportCell => {
    if (value === null || !Number.isFinite(value)) return { missing: text === '' ? 'none' : text };
    return unit === 'UTC' ? writeUtc(value) : value;
  };
  return [shown, ...(isPair ? [write(cell?.before ?? null)] : []), write(cell?.value ?? null)];
}
