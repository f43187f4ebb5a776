/** Asks DuckDB, a program that knows nothing of us. */
import { DuckDBDateValue, DuckDBInstance, DuckDBTimestampTZValue, type DuckDBValue } from '@duckdb/node-api';

/** Moments and days as texts in ISO 8601, whole numbers as numbers. */
export type ReadRow = Readonly<Record<string, string | number | boolean | null>>;

/** @param work asks one statement after the other, of a database of its own in memory */
export async function withDuckDb<T>(
  work: (ask: (sql: string) => Promise<readonly ReadRow[]>) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    return await work(async (sql) => {
      const rows = (await connection.runAndReadAll(sql)).getRowObjects();
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPlain(value)])),
      );
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function toPlain(value: DuckDBValue): ReadRow[string] {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DuckDBTimestampTZValue) return new Date(Number(value.micros) / 1_000).toISOString();
  return value instanceof DuckDBDateValue ? value.toString() : (value as ReadRow[string]);
}
