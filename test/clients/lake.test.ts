import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataFiles } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import { TABLE_NAMES, TABLES, type TableName } from '../../src/lake/tables';
import { installLakeReaders } from '../../tools/clients/run';
import { runLeashed } from '../../tools/processes/leashed';
import { ANALYSES, type AnalysisName, type AnalysisRow, runAnalyses } from '../cli/analysis-texts';
import { createChance as createRandom } from '../core/errorlog/disturbed-log';
import { modelServer, writeModelledLake } from '../cli/modelled-lake';

const SPARKS = ['spark 4.0', 'spark 3.5'];

type Cell = string | number | boolean | null;

interface Reading {
  readonly tables: Readonly<Record<string, Readonly<Record<TableName, readonly string[]>>>>;
  readonly analyses: Readonly<Record<string, Readonly<Record<AnalysisName, readonly (readonly Cell[])[]>>>>;
  readonly seconds: Readonly<Record<string, number>>;
}

describe('a lake, read by others', function () {
  this.timeout(300_000);
  let folder: string;
  let readings: readonly Reading[];
  let ours: Readonly<Record<AnalysisName, readonly AnalysisRow[]>>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lake-'));
    const lake = join(folder, 'lake');
    const random = createRandom(7);
    const model = (names: readonly string[]): ReturnType<typeof modelServer>[] => names.map((name) => modelServer(name, random));
    await writeModelledLake(lake, model(['A', 'b', "SQL\\Ü 'x' 😀"]), random);
    // A checkpoint of each log, and a commit after it.
    const opened = await Lake.open(lake);
    for (const name of TABLE_NAMES) await opened.log(name).checkpoint();
    await writeModelledLake(lake, model(['later']), random);
    ours = await runAnalyses(lake);
    const out = join(folder, 'out.json');
    const script = join(__dirname, 'lake_readers.py');
    const found: Reading[] = [];
    for (const { python, readers, jars } of await installLakeReaders()) {
      const args = [script, lake, join(__dirname, '../../analysis'), out, readers.join(','), ...jars];
      const { exitCode, output } = await runLeashed(python, args);
      assert.equal(exitCode, 0, output);
      found.push(JSON.parse(readFileSync(out, 'utf8')) as Reading);
    }
    readings = found;
    console.log(`      seconds: ${JSON.stringify(Object.assign({}, ...readings.map(({ seconds }) => seconds)))}`);
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const reader of ['duckdb', ...SPARKS, 'delta-rs', 'pandas'])
    it(`${reader} finds every row that was written, and no other`, async () => {
      const tables = readings.find((reading) => reader in reading.tables)!.tables[reader]!;
      for (const name of TABLE_NAMES) assert.deepEqual(tables[name], await listRows(join(folder, 'lake'), name), name);
    });

  it('the same texts give the same rows on DuckDB and on each Spark SQL, in the same order', () => {
    for (const name of ANALYSES as readonly AnalysisName[]) {
      const expected = ours[name].map((row) => Object.values(row));
      assert.ok(expected.length >= 3, name);
      for (const engine of ['duckdb', ...SPARKS])
        assert.deepEqual(readings.find(({ analyses }) => engine in analyses)!.analyses[engine]![name], expected, `${name} on ${engine}`);
    }
  });
});

/** Rows as our own reader gives them, written as the others' are. */
async function listRows(lake: string, name: TableName): Promise<readonly string[]> {
  const { files } = await (await Lake.open(lake)).table(name);
  const rows = await readDataFiles(lake, name, [...files.values()]);
  const columns = Object.entries<string>(TABLES[name].columns);
  const count = rows[columns[0]![0]]?.length ?? 0;
  return Array.from({ length: count }, (_, at) =>
    columns.map(([column, type]) => {
      const value = rows[column]![at] ?? null;
      return type === 'moment' && value !== null ? Math.round(Number(value) * 1_000) : value;
    }),
  )
    .map((row) => `[${row.map((value) => JSON.stringify(value)).join(', ')}]`)
    .sort();
}
