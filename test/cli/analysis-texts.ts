/** The texts of analysis/, run by DuckDB behind its views over the Parquet files that a lake's logs name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBDateValue, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { Lake } from '../../src/lake/lake';
import { TABLE_NAMES, TABLES } from '../../src/lake/tables';

const FOLDER = join(__dirname, '../../analysis');

export const ANALYSES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql') && name !== 'views.sql')
  .map((name) => name.slice(0, -'.sql'.length));

export type AnalysisRow = Readonly<Record<string, string | number | boolean | null>>;
export type AnalysisName = 'before_after' | 'cohort' | 'fleet' | 'offenders' | 'saturation' | 'silent' | 'storms';

function readAnalysis(name: string): string {
  return readFileSync(join(FOLDER, `${name}.sql`), 'utf8');
}

const TYPES = {
  moment: 'timestamptz',
  name: 'varchar',
  text: 'varchar',
  int: 'integer',
  long: 'bigint',
  double: 'double',
  flag: 'boolean',
  bytes: 'blob',
} as const;

/** Every text over one lake. The session's time zone is far from UTC: no figure may follow it. */
export async function runAnalyses(folder: string): Promise<Readonly<Record<AnalysisName, readonly AnalysisRow[]>>> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'Asia/Tokyo'");
    await connection.run('CREATE MACRO unix_micros(t) AS epoch_us(t)');
    const lake = await Lake.open(folder);
    for (const table of TABLE_NAMES) {
      const { files } = await lake.table(table);
      const columns = Object.entries(TABLES[table].columns).map(([name, type]) => `${name} ${TYPES[type]}`);
      await connection.run(`CREATE TABLE ${table} (${columns.join(', ')})`);
      const paths = [...files.keys()].map((path) => `'${join(folder, table, path)}'`);
      if (paths.length > 0)
        await connection.run(`INSERT INTO ${table} BY NAME SELECT * FROM read_parquet([${paths.join()}], hive_partitioning = false)`);
    }
    await connection.run(readAnalysis('views'));
    const results: Record<string, readonly AnalysisRow[]> = {};
    for (const name of ANALYSES) {
      const rows = (await connection.runAndReadAll(readAnalysis(name))).getRowObjects();
      results[name] = rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toPlain(value)])));
    }
    return results as Record<AnalysisName, readonly AnalysisRow[]>;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function toPlain(value: DuckDBValue): string | number | boolean | null {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DuckDBDateValue) return value.toString();
  return value as string | number | boolean | null;
}
