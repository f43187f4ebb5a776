/** The texts of analysis/, run by DuckDB behind its views over the Parquet files that a lake's logs name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddedFile } from '../../src/lake/delta-actions';
import { Lake } from '../../src/lake/lake';
import { TABLE_NAMES, TABLES } from '../../src/lake/tables';
import { type ReadRow, withDuckDb } from '../duckdb';

const FOLDER = join(__dirname, '../../analysis');

export const ANALYSES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql') && name !== 'views.sql')
  .map((name) => name.slice(0, -'.sql'.length));

export type AnalysisRow = ReadRow;
export type AnalysisName =
  | 'before_after'
  | 'cohort'
  | 'collecting'
  | 'fleet'
  | 'offenders'
  | 'saturation'
  | 'silent'
  | 'storms';

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

/**
 * Every text over one lake, or several as one. The session's time zone is far from UTC: no figure may follow it.
 * @param sinceUtcMs a day: checkpoints, runs and sums of the days before are left out, as the README of the texts says
 */
export async function runAnalyses(
  folders: string | readonly string[],
  sinceUtcMs = -Infinity,
): Promise<Readonly<Record<AnalysisName, readonly AnalysisRow[]>>> {
  const lakes = await Promise.all([folders].flat().map((folder) => Lake.open(folder)));
  return withDuckDb(async (ask) => {
    await ask("SET TimeZone = 'Asia/Tokyo'");
    await ask('CREATE MACRO unix_micros(t) AS epoch_us(t)');
    for (const table of TABLE_NAMES) {
      const columns = Object.entries(TABLES[table].columns).map(([name, type]) => `${name} ${TYPES[type]}`);
      await ask(`CREATE TABLE ${table} (${columns.join(', ')})`);
      const isWanted = ({ partitionValues: { date = '' } }: AddedFile): boolean =>
        !['checkpoints', 'runs', 'server_days', 'database_days'].includes(table) ||
        Date.parse(date) >= sinceUtcMs;
      const paths: string[] = [];
      for (const lake of lakes)
        for (const file of (await lake.table(table)).files.values())
          if (isWanted(file)) paths.push(`'${join(lake.folder, table, file.path)}'`);
      if (paths.length > 0)
        await ask(
          `INSERT INTO ${table} BY NAME SELECT * FROM read_parquet([${paths.join()}], hive_partitioning = false)`,
        );
    }
    await ask(readAnalysis('views'));
    const results: Record<string, readonly AnalysisRow[]> = {};
    for (const name of ANALYSES) results[name] = await ask(readAnalysis(name));
    return results as Record<AnalysisName, readonly AnalysisRow[]>;
  });
}
