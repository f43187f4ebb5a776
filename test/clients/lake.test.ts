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
import { createRandom, modelServer, writeModelledLake } from '../cli/modelled-lake';

type Cell = string | number | boolean | null;

interface Reading {
  readonly tables: Readonly<Record<string, Readonly<Record<TableName, readonly string[]>>>>;
  readonly analyses: Readonly<Record<'duckdb' | 'spark', Readonly<Record<AnalysisName, readonly (readonly Cell[])[]>>>>;
  readonly seconds: Readonly<Record<string, number>>;
}

describe('a lake, read by others', function () {
  this.timeout(300_000);
  let folder: string;
  let reading: Reading;
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
    const { python, jars } = await installLakeReaders();
    const out = join(folder, 'out.json');
    const script = join(__dirname, 'lake_readers.py');
    const { exitCode, output } = await runLeashed(python, [script, lake, join(__dirname, '../../analysis'), out, ...jars]);
    assert.equal(exitCode, 0, output);
    reading = JSON.parse(readFileSync(out, 'utf8')) as Reading;
    console.log(`      seconds: ${JSON.stringify(reading.seconds)}`);
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const reader of ['duckdb', 'spark', 'delta-rs', 'pandas'])
    it(`${reader} finds every row that was written, and no other`, async () => {
      for (const name of TABLE_NAMES) assert.deepEqual(reading.tables[reader]![name], await listRows(join(folder, 'lake'), name), name);
    });

  it('the same texts give the same rows on DuckDB and on Spark SQL, in the same order', () => {
    for (const name of ANALYSES as readonly AnalysisName[]) {
      const expected = ours[name].map((row) => Object.values(row));
      assert.ok(expected.length >= 3, name);
      for (const engine of ['duckdb', 'spark'] as const) assert.deepEqual(reading.analyses[engine][name], expected, `${name} on ${engine}`);
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
