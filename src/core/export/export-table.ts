/**
 * A table for a file of any format: every cell is a text, a number, or missing with the reason. A typed table also
 * gives the types of its columns.
 */

interface MissingCell {
  /** Why there is no value, in the words of the screen. */
  readonly missing: string;
}

export type ExportCell = string | number | MissingCell;

export interface ExportTable {
  /** Stable; for a page, the id of the table on it. */
  readonly id: string;
  /** Each names its unit. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** A cell for each column. */
  readonly row: (at: number) => readonly ExportCell[];
}

/** Bytes in pieces, each made within some milliseconds; one may be empty. */
export type BytePieces = Generator<Uint8Array, void, void>;

/** A text in pieces, each made within some milliseconds. */
export type TextPieces = Generator<string, void, void>;

/** Rows in one piece: about 2 ms. */
export const ROWS_A_PIECE = 500;

/** Writes a text for each row, in such pieces. */
export function* writeRows(rows: number, write: (at: number) => string): TextPieces {
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let piece = '';
    const to = Math.min(rows, from + ROWS_A_PIECE);
    for (let at = from; at < to; at++) piece += write(at);
    yield piece;
  }
}

/** The number, or a missing cell. */
export function numberOr(value: number | null, reason: string): ExportCell {
  return value === null || !Number.isFinite(value) ? { missing: reason } : value;
}

/** `2026-03-02T08:30:00.123Z` */
export function writeUtc(utcMs: number): string {
  return new Date(utcMs).toISOString();
}

/** `moment`: milliseconds of UTC. `name`: a text that often repeats. `flag`: true or false. */
export type ColumnType = 'moment' | 'text' | 'name' | 'int32' | 'int64' | 'double' | 'flag';

export type Value = string | number | boolean | MissingCell;

interface TypedRows {
  readonly id: string;
  /** The type of each column, in their order. */
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly rows: number;
  /** A value for each column. */
  readonly values: (at: number) => readonly Value[];
}

export interface TypedTable extends ExportTable, TypedRows {}

/** In formats without types, a moment is a text in ISO 8601, and a flag `yes` or `no`. */
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
