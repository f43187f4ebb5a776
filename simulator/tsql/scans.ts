/**
 * Relations of millions of rows. DuckDB reads them row by row while the statement runs: nothing is copied, and TOP
 * reads only what it needs.
 */
import {
  DuckDBTableFunction,
  INTEGER,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBTableFunctionBindInfo,
  type DuckDBTableFunctionInfo,
  type DuckDBTableFunctionInitInfo,
} from '@duckdb/node-api';
import type { RelationColumn } from '../engine/interface/instance';
import type { SqlValue } from '../tds/handler';
import { startPassage, takeChunk, type Passage } from './chunks';
import { duckType, packError } from './duck';

/** What one statement reads: the same rows in every pass. */
interface Scan {
  /** The used columns of the relation, and their places in its rows. */
  readonly columns: readonly RelationColumn[];
  readonly places: readonly number[];
  readonly rows: Iterable<readonly SqlValue[]>;
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
  add(
    columns: readonly RelationColumn[],
    used: ReadonlySet<number>,
    rows: Iterable<readonly SqlValue[]>,
  ): string {
    const places = [...(used.size === 0 ? [0] : used)].sort((a, b) => a - b);
    this.last++;
    this.open.set(this.last, {
      columns: places.map((place) => columns[place] as RelationColumn),
      places,
      rows,
    });
    return `scan(${this.last})`;
  }

  remove(text: string): void {
    this.open.delete(Number(/\d+/.exec(text)?.[0]));
  }

  private bind(info: DuckDBTableFunctionBindInfo): void {
    const scan = this.open.get(info.getParameter(0) as number);
    if (scan === undefined) return info.setError('this scan is over');
    scan.columns.forEach((column, i) =>
      info.addResultColumn(`c${(scan.places[i] as number) + 1}`, duckType(column.type)),
    );
    info.setBindData(scan);
  }

  private begin(info: DuckDBTableFunctionInitInfo): void {
    const scan = info.getBindData() as Scan;
    const wanted = info.getColumnIndexes().filter((index) => index < scan.places.length);
    const places = wanted.map((index) => scan.places[index] as number);
    const types = wanted.map((index) => (scan.columns[index] as RelationColumn).type);
    info.setMaxThreads(1);
    info.setInitData(startPassage(scan.rows, places, types));
  }
}

function fillChunk(info: DuckDBTableFunctionInfo, chunk: DuckDBDataChunk): void {
  try {
    const { rowCount, columns } = takeChunk(info.getInitData() as Passage);
    chunk.rowCount = rowCount;
    if (rowCount > 0) columns.forEach((values, i) => chunk.setColumnValues(i, values));
  } catch (error) {
    info.setError(packError(error));
  }
}
