/** Rows of a relation on their way into DuckDB: columns of some thousand values at a time. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { SqlType, SqlValue } from '../tds/handler';
import { toDuck } from './duck';
import { fromSqlValue } from './sql-value';

/** DuckDB takes no more at a time. The first chunk is smaller, so that TOP (1000) does not wait for further rows. */
const CHUNK_ROWS = 2048;
const FIRST_CHUNK_ROWS = 1024;

/** One pass through rows. */
export interface Passage {
  readonly rows: Iterator<readonly SqlValue[]>;
  /** For each wanted column its place in a row, and its type. */
  readonly places: readonly number[];
  readonly types: readonly SqlType[];
  chunkRows: number;
}

interface Chunk {
  readonly rowCount: number;
  readonly columns: readonly (readonly DuckDBValue[])[];
}

export function startPassage(
  rows: Iterable<readonly SqlValue[]>,
  places: readonly number[],
  types: readonly SqlType[],
): Passage {
  return { rows: rows[Symbol.iterator](), places, types, chunkRows: FIRST_CHUNK_ROWS };
}

/** The next rows; none at the end. */
export function takeChunk(passage: Passage): Chunk {
  const { rows, places, types } = passage;
  const columns = places.map((): DuckDBValue[] => []);
  let rowCount = 0;
  while (rowCount < passage.chunkRows) {
    const next = rows.next();
    if (next.done === true) break;
    rowCount++;
    for (let i = 0; i < places.length; i++) {
      const type = types[i] as SqlType;
      const value = fromSqlValue(next.value[places[i] as number] ?? null, type);
      (columns[i] as DuckDBValue[]).push(toDuck(value, type));
    }
  }
  passage.chunkRows = CHUNK_ROWS;
  return { rowCount, columns };
}
