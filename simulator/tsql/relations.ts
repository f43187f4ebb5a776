/**
 * Relations of the modelled server as DuckDB tables: only those that a statement names and the columns that it uses,
 * kept until their version changes.
 */
import { DuckDBDataChunk, type DuckDBConnection } from '@duckdb/node-api';
import type { Relation } from '../engine/interface/instance';
import { physicalType } from './bound';
import { startPassage, takeChunk } from './chunks';
import { duckType, type Duck } from './duck';
import { Scans } from './scans';

/** A relation as one statement uses it. `materialise` reads its rows. */
export class TableHandle {
  readonly columns = new Set<number>();
  copy: Copy | undefined;

  constructor(
    readonly key: string,
    readonly relation: Relation,
    /** The name in SQL text until there is a copy. */
    readonly placeholder: string,
  ) {}
}

interface Copy {
  readonly table: string;
  readonly columns: ReadonlySet<number>;
  readonly version: number | undefined;
  /** It is not copied to a table: rows are made as they are read. */
  readonly isScan?: true;
  users: number;
  retired: boolean;
}

export class Relations {
  private readonly copies = new Map<string, Copy>();
  private readonly building = new Map<string, Promise<Copy>>();
  private tables = 0;
  private handles = 0;

  private readonly scans: Scans;
  /** What the connection does now: DuckDB breaks off a statement where the same connection is given another. */
  private busy: Promise<unknown> = Promise.resolve();

  private constructor(private readonly connection: DuckDBConnection) {
    this.scans = new Scans(connection);
  }

  static async create(duck: Duck): Promise<Relations> {
    return new Relations(await duck.connect());
  }

  handle(key: string, relation: Relation): TableHandle {
    this.handles++;
    return new TableHandle(key, relation, `"relation ${this.handles}"`);
  }

  /** Gives every handle a copy with its columns; `release` ends their use. */
  async materialise(handles: Iterable<TableHandle>): Promise<void> {
    for (const handle of handles) {
      if (handle.copy !== undefined) continue;
      const copy = await this.copyOf(handle);
      copy.users++;
      handle.copy = copy;
    }
  }

  async release(handles: Iterable<TableHandle>): Promise<void> {
    for (const handle of handles) {
      const { copy } = handle;
      if (copy === undefined) continue;
      // If it is used again, it gets a copy again: arguments of a table function may need the rows of another one.
      handle.copy = undefined;
      copy.users--;
      if (copy.isScan) this.scans.remove(copy.table);
      else if (copy.retired && copy.users === 0) await this.drop(copy);
    }
  }

  private async copyOf(handle: TableHandle): Promise<Copy> {
    if (handle.relation.isStream) return this.scan(handle);
    for (
      let pending = this.building.get(handle.key);
      pending !== undefined;
      pending = this.building.get(handle.key)
    )
      await pending.catch(() => undefined);
    const existing = this.copies.get(handle.key);
    const { version } = handle.relation;
    const fits =
      existing !== undefined &&
      version !== undefined &&
      existing.version === version &&
      [...handle.columns].every((column) => existing.columns.has(column));
    if (fits) return existing;
    const building = this.build(handle, existing);
    this.building.set(handle.key, building);
    try {
      return await building;
    } finally {
      this.building.delete(handle.key);
    }
  }

  private scan({ relation, columns }: TableHandle): Copy {
    const table = this.scans.add(relation.columns, columns, relation.rows(columns));
    return { table, columns, version: undefined, isScan: true, users: 0, retired: true };
  }

  private async build(handle: TableHandle, replaced: Copy | undefined): Promise<Copy> {
    const { relation } = handle;
    const kept =
      replaced !== undefined && replaced.version === relation.version && relation.version !== undefined
        ? [...replaced.columns]
        : [];
    const columns = [...new Set([...handle.columns, ...kept])].sort((a, b) => a - b);
    if (columns.length === 0) columns.push(0);
    this.tables++;
    const table = `r${this.tables}`;
    const definitions = columns.map(
      (column) => `c${column + 1} ${physicalType(relation.columns[column]?.type ?? { name: 'int' })}`,
    );
    await this.inTurn(async () => {
      await this.connection.run(`CREATE TABLE ${table} (${definitions.join(', ')})`);
      await this.append(table, relation, columns);
    });
    const copy: Copy = {
      table,
      columns: new Set(columns),
      version: relation.version,
      users: 0,
      retired: relation.version === undefined,
    };
    if (relation.version !== undefined) this.copies.set(handle.key, copy);
    if (replaced !== undefined) {
      replaced.retired = true;
      if (replaced.users === 0) await this.drop(replaced);
    }
    return copy;
  }

  private async drop({ table }: Copy): Promise<void> {
    await this.inTurn(() => this.connection.run(`DROP TABLE IF EXISTS ${table}`));
  }

  private inTurn(work: () => Promise<unknown>): Promise<unknown> {
    const done = this.busy.then(work);
    this.busy = done.catch(() => undefined);
    return done;
  }

  private async append(table: string, relation: Relation, columns: readonly number[]): Promise<void> {
    const appender = await this.connection.createAppender(table);
    const types = columns.map((column) => relation.columns[column]?.type ?? ({ name: 'int' } as const));
    const duckTypes = types.map(duckType);
    const passage = startPassage(relation.rows(new Set(columns)), columns, types);
    // Whole chunks: DuckDB's appender makes an object of every single value.
    for (let chunk = takeChunk(passage); chunk.rowCount > 0; chunk = takeChunk(passage)) {
      const data = DuckDBDataChunk.create(duckTypes, chunk.rowCount);
      chunk.columns.forEach((values, i) => data.setColumnValues(i, values));
      appender.appendDataChunk(data);
    }
    appender.closeSync();
  }

  close(): void {
    this.connection.closeSync();
  }
}

/** Replaces the placeholders in a statement's text by the tables with their rows. */
export function placeTables(sql: string, handles: Iterable<TableHandle>): string {
  let placed = sql;
  for (const handle of handles)
    placed = placed.split(handle.placeholder).join(handle.copy?.table ?? handle.placeholder);
  return placed;
}
