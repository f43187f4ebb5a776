/** A table on its way to a file, whatever the format: every cell is a text, a number, or missing with the reason. */

export interface MissingCell {
  /** Why there is no value; in words as on screen. */
  readonly missing: string;
}

export type ExportCell = string | number | MissingCell;

export interface ExportTable {
  /** Stable; of a page, the id of its table there. */
  readonly id: string;
  /** Each names its unit. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** A cell for each column. */
  readonly row: (at: number) => readonly ExportCell[];
}

/** Bytes in pieces that are made one after the other, each within some milliseconds; one may be empty. */
export type BytePieces = Generator<Uint8Array, void, void>;

/** A text in pieces that are made one after the other, each within some milliseconds. */
export type TextPieces = Generator<string, void, void>;

/** Rows that are written in one piece: some 2 ms. */
export const ROWS_A_PIECE = 500;

/** The number, or that it could not be observed. */
export function numberOr(value: number | null, reason: string): ExportCell {
  return value === null || !Number.isFinite(value) ? { missing: reason } : value;
}
