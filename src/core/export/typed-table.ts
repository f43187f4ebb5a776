/** A table whose columns have types, for formats that keep them; and the same table for those that have texts and numbers alone. */
import type { ExportCell, ExportTable, MissingCell } from './export-table';
import { writeUtc } from './written-time';

/** `moment`: milliseconds of UTC. `name`: a text that comes again and again. `flag`: true or false. */
export type ColumnType = 'moment' | 'text' | 'name' | 'int32' | 'int64' | 'double' | 'flag';

export type Value = string | number | boolean | MissingCell;

interface TypedRows {
  readonly id: string;
  /** Of each column, in their order. */
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly rows: number;
  /** A value for each column. */
  readonly values: (at: number) => readonly Value[];
}

export interface TypedTable extends ExportTable, TypedRows {}

/** Where there are no types, a moment is a text in ISO 8601, and a flag `yes` or `no`. */
export function createTypedTable(typed: TypedRows): TypedTable {
  const types = Object.values(typed.types);
  return {
    ...typed,
    columns: Object.keys(typed.types),
    row: (at) => typed.values(at).map((value, column) => writeValue(value, types[column])),
  };
}

export function isTyped(table: ExportTable): table is TypedTable {
  return 'types' in table;
}

function writeValue(value: Value, type: ColumnType | undefined): ExportCell {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return type === 'moment' && typeof value === 'number' ? writeUtc(value) : value;
}
