/** Relations of millions of rows, read by DuckDB row by row as a statement goes through them: nothing is copied, and TOP reads no further than it must. */
import {
  DuckDBTableFunction,
  INTEGER,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBTableFunctionBindInfo,
  type DuckDBTableFunctionInfo,
  type DuckDBTableFunctionInitInfo,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { RelationColumn } from '../engine/instance';
import type { SqlType, SqlValue } from '../tds/handler';
import { duckType, packError, toDuck } from './duck';
import { fromSqlValue } from './sql-value';

/** DuckDB takes no more at a time. The first chunk is smaller: who asks for the TOP (1000) rows shall not wait for the next ones. */
const CHUNK_ROWS = 2048;
const FIRST_CHUNK_ROWS = 1024;

/** What one statement reads: always the same rows, however often it goes through them. */
interface Scan {
  /** The relation's columns that are used, and their places in its rows. */
  readonly columns: readonly RelationColumn[];
  readonly places: readonly number[];
  readonly rows: Iterable<readonly SqlValue[]>;
}

/** One going through. */
interface Passage {
  readonly rows: Iterator<readonly SqlValue[]>;
  /** Of each column that DuckDB wants: its place in a row, and its type. */
  readonly places: readonly number[];
  readonly types: readonly SqlType[];
  chunkRows: number;
}

export class Scans {
  private readonly open = new Map<number, Scan>();
  private last = 0;

  constructor(connection: DuckDBConnection) {
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: 'scan',
        parameterTypes: [INTEGER],
        supportsProjectionPushdown: true,
        bindFunction: (info) => this.bind(info),
        initFunction: (info) => this.begin(info),
        mainFunction: fillChunk,
      }),
    );
  }

  /** @returns DuckDB's text for the rows, with columns named as in a table: c1, c2... by their places */
  add(columns: readonly RelationColumn[], used: ReadonlySet<number>, rows: Iterable<readonly SqlValue[]>): string {
    const places = [...(used.size === 0 ? [0] : used)].sort((a, b) => a - b);
    this.last++;
    this.open.set(this.last, { columns: places.map((place) => columns[place] as RelationColumn), places, rows });
    return `scan(${this.last})`;
  }

  remove(text: string): void {
    this.open.delete(Number(/\d+/.exec(text)?.[0]));
  }

  private bind(info: DuckDBTableFunctionBindInfo): void {
    const scan = this.open.get(info.getParameter(0) as number);
    if (scan === undefined) return info.setError('this scan is over');
    scan.columns.forEach((column, i) => info.addResultColumn(`c${(scan.places[i] as number) + 1}`, duckType(column.type)));
    info.setBindData(scan);
  }

  private begin(info: DuckDBTableFunctionInitInfo): void {
    const scan = info.getBindData() as Scan;
    const wanted = info.getColumnIndexes().filter((index) => index < scan.places.length);
    const passage: Passage = {
      rows: scan.rows[Symbol.iterator](),
      places: wanted.map((index) => scan.places[index] as number),
      types: wanted.map((index) => (scan.columns[index] as RelationColumn).type),
      chunkRows: FIRST_CHUNK_ROWS,
    };
    info.setMaxThreads(1);
    info.setInitData(passage);
  }
}

function fillChunk(info: DuckDBTableFunctionInfo, chunk: DuckDBDataChunk): void {
  try {
    const passage = info.getInitData() as Passage;
    const columns = passage.places.map((): DuckDBValue[] => []);
    const count = takeRows(passage, columns);
    chunk.rowCount = count;
    if (count > 0) columns.forEach((values, i) => chunk.setColumnValues(i, values));
  } catch (error) {
    info.setError(packError(error));
  }
}

function takeRows(passage: Passage, columns: readonly DuckDBValue[][]): number {
  const { rows, places, types } = passage;
  for (let count = 0; count < passage.chunkRows; count++) {
    const next = rows.next();
    if (next.done === true) return count;
    for (let i = 0; i < places.length; i++) {
      const type = types[i] as SqlType;
      columns[i]?.push(toDuck(fromSqlValue(next.value[places[i] as number] ?? null, type), type));
    }
  }
  const taken = passage.chunkRows;
  passage.chunkRows = CHUNK_ROWS;
  return taken;
}
