/** Reads a Parquet file with DuckDB. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReadRow, withDuckDb } from '../../duckdb';
import { makeFolder } from '../../temporary-folder';

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
  const folder = makeFolder();
  const path = join(folder, 'file.parquet');
  writeFileSync(path, bytes);
  return await withDuckDb(async (ask) => {
    await ask(`CREATE VIEW file AS SELECT * FROM read_parquet('${path}')`);
    const columns = await ask('DESCRIBE file');
    const metadata = await ask(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${path}')`,
    );
    const groups = await ask(
      `SELECT DISTINCT row_group_id, row_group_num_rows AS rows FROM parquet_metadata('${path}') ORDER BY 1`,
    );
    const encodings = await ask(`SELECT DISTINCT encodings FROM parquet_metadata('${path}')`);
    return {
      columns: columns.map((column) => [String(column['column_name']), String(column['column_type'])]),
      rows: await ask(sql),
      metadata: Object.fromEntries(metadata.map(({ key, value }) => [key, value])) as Readonly<
        Record<string, string>
      >,
      groups: groups.map(({ rows }) => Number(rows)),
      encodings: [...new Set(encodings.flatMap((one) => String(one['encodings']).split(', ')))].sort(),
    };
  });
}
