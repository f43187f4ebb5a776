/** Reads a Parquet file with DuckDB, which knows nothing of us. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type JS } from '@duckdb/node-api';

/** Moments as texts in ISO 8601, whole numbers as numbers. */
export type ReadRow = Readonly<Record<string, string | number | boolean | null>>;

export interface ReadParquet {
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly ReadRow[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Rows of each row group. */
  readonly groups: readonly number[];
  readonly encodings: readonly string[];
}

/** @param sql what is asked of `file`, a view of it; all rows in their order where nothing is */
export async function readParquet(bytes: Uint8Array, sql = 'SELECT * FROM file'): Promise<ReadParquet> {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  const path = join(folder, 'file.parquet');
  writeFileSync(path, bytes);
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run(`CREATE VIEW file AS SELECT * FROM read_parquet('${path}')`);
    const columns = await ask(connection, 'DESCRIBE file');
    const metadata = await ask(connection, `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${path}')`);
    const groups = await ask(
      connection,
      `SELECT DISTINCT row_group_id, row_group_num_rows AS rows FROM parquet_metadata('${path}') ORDER BY 1`,
    );
    const encodings = await ask(connection, `SELECT DISTINCT encodings FROM parquet_metadata('${path}')`);
    return {
      columns: columns.map((column) => [String(column['column_name']), String(column['column_type'])]),
      rows: await ask(connection, sql),
      metadata: Object.fromEntries(metadata.map(({ key, value }) => [key, value])) as Readonly<Record<string, string>>,
      groups: groups.map(({ rows }) => Number(rows)),
      encodings: [...new Set(encodings.flatMap((one) => String(one['encodings']).split(', ')))].sort(),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

async function ask(connection: DuckDBConnection, sql: string): Promise<readonly ReadRow[]> {
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPlain(value)])));
}

function toPlain(value: JS): ReadRow[string] {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Date ? value.toISOString() : (value as ReadRow[string]);
}
