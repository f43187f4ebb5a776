import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactTables } from '../../src/lake/compaction';
import { sumDays } from '../../src/lake/day-sums';
import { readDataFiles } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import { TABLE_NAMES, TABLES, type TableName } from '../../src/lake/tables';
import { installLakeReaders } from '../../tools/clients/run';
import { runLeashed } from '../../tools/processes/leashed';
import { ANALYSES, type AnalysisName, type AnalysisRow, runAnalyses } from '../cli/analysis-texts';
import { createChance as createRandom } from '../core/errorlog/disturbed-log';
import { fact, run, target, turn } from '../cli/counted-lake';
import { modelServer, writeModelledLake, writeRows } from '../cli/modelled-lake';
import { drawDeeds, LakeSequence } from '../simulator/fleet/lake-sequence';
import { makeFolder } from '../temporary-folder';

const SPARKS = ['spark 4.0', 'spark 3.5'];

type Cell = string | number | boolean | null;

interface Reading {
  readonly tables: Readonly<Record<string, Readonly<Record<TableName, readonly string[]>>>>;
  readonly analyses: Readonly<Record<string, Readonly<Record<AnalysisName, readonly (readonly Cell[])[]>>>>;
  readonly seconds: Readonly<Record<string, number>>;
}

describe('a lake, read by others', function () {
  this.timeout(900_000);
  let folder: string;
  let readings: readonly Reading[];
  let ours: Readonly<Record<AnalysisName, readonly AnalysisRow[]>>;

  before(async () => {
    folder = makeFolder();
    const lake = join(folder, 'lake');
    const random = createRandom(7);
    const model = (names: readonly string[]): ReturnType<typeof modelServer>[] =>
      names.map((name) => modelServer(name, random));
    await writeModelledLake(lake, model(['A', 'b', "SQL\\Ü 'x' 😀"]), random);
    // A checkpoint of each log, and a commit after it.
    const opened = await Lake.open(lake);
    for (const name of TABLE_NAMES) await opened.log(name).checkpoint();
    await writeModelledLake(lake, model(['later']), random);
    assert.ok((await sumDays(opened, '2026-10-27')) >= 1);
    // A server of both, whose later history is in the other lake, and one that is there alone.
    const other = join(folder, 'other');
    await writeModelledLake(other, model(['there']), random);
    const seen = (capture_id: string, from: number, to: number) => ({
      runs: [run(from, to, { capture_id, server_name: 'S' })],
      checkpoints: [10, 30, 50, 58, 90]
        .filter((minutes) => minutes >= from && minutes + 5 <= to)
        .map((minutes) => ({ ...turn(minutes, 300_000), capture_id })),
      facts: [fact(0, 'state', 'ONLINE'), target(0, '0')],
    });
    await writeRows(lake, 'moved', seen('one', 0, 60));
    await writeRows(other, 'moved', seen('two', 30, 120));
    ours = await runAnalyses([lake, other]);
    assert.equal(ours.offenders.find(({ server }) => server === 'moved')?.checkpoints, 5);
    const out = join(folder, 'out.json');
    const script = join(__dirname, 'lake_readers.py');
    const found: Reading[] = [];
    for (const { python, readers, jars } of await installLakeReaders()) {
      const args = [script, lake, other, join(__dirname, '../../analysis'), out, readers.join(','), ...jars];
      const { exitCode, output } = await runLeashed(python, args);
      assert.equal(exitCode, 0, output);
      found.push(JSON.parse(readFileSync(out, 'utf8')) as Reading);
    }
    readings = found;
    console.log(
      `      seconds: ${JSON.stringify(Object.assign({}, ...readings.map(({ seconds }) => seconds)))}`,
    );
  });

  for (const reader of ['duckdb', ...SPARKS, 'delta-rs', 'pandas'])
    it(`${reader} finds every row that was written, and no other`, async () => {
      const tables = readings.find((reading) => reader in reading.tables)!.tables[reader]!;
      for (const name of TABLE_NAMES)
        assert.deepEqual(tables[name], await listRows(join(folder, 'lake'), name), name);
    });

  it('the same texts give the same rows of two lakes as one on DuckDB and on each Spark SQL, in the same order', () => {
    for (const name of ANALYSES as readonly AnalysisName[]) {
      const expected = ours[name].map((row) => Object.values(row));
      assert.ok(expected.length >= 3, name);
      for (const engine of ['duckdb', ...SPARKS])
        assert.deepEqual(
          readings.find(({ analyses }) => engine in analyses)!.analyses[engine]![name],
          expected,
          `${name} on ${engine}`,
        );
    }
  });
});

describe('a lake, worked on in turns with others', function () {
  this.timeout(1_800_000);
  let folder: string;
  let programs: Awaited<ReturnType<typeof installLakeReaders>>;

  before(async () => (programs = await installLakeReaders()));
  beforeEach(() => (folder = makeFolder()));

  async function work(at: number, writer: string, deed: string): Promise<void> {
    const { python, jars } = programs[at]!;
    const { exitCode, output } = await runLeashed(python, [
      join(__dirname, 'lake_writers.py'),
      folder,
      writer,
      deed,
      ...jars,
    ]);
    assert.equal(exitCode, 0, output);
    console.log(`      ${deed}: ${output.trim().split('\n').pop()}`);
  }

  const rows = async (): Promise<readonly string[]> => listRows(folder, 'checkpoints');
  const isOfFive = (row: string): boolean => (JSON.parse(row) as Cell[])[2] === 5;

  for (const [at, writer, seed] of [
    [0, 'delta-rs', 11],
    [0, 'spark', 12],
    [1, 'spark', 13],
  ] as const)
    it(`has each observation once, whatever happens, while ${writer} ${at === 0 ? '' : '3.5 '}keeps it up`, async () => {
      const chance = createRandom(seed);
      const sequence = await LakeSequence.open(folder, chance);
      try {
        const deeds = drawDeeds(chance, 3);
        for (const [turn, deed] of deeds.entries()) {
          sequence.pass();
          await sequence.collect();
          if (turn % 4 === 1) await sequence.keepUp(() => work(at, writer, 'keep up'));
          await sequence.do(deed);
        }
        await sequence.collectBoth();
        await sequence.check();
        const before = await rows();
        await work(at, writer, 'delete');
        assert.ok(before.some(isOfFive));
        assert.deepEqual(
          await rows(),
          before.filter((row) => !isOfFive(row)),
        );
      } finally {
        await sequence.close();
      }
    });

  it('has the rows that DuckDB inserts, also after it was compacted', async () => {
    const random = createRandom(7);
    await writeModelledLake(folder, [modelServer('A', random)], random);
    const before = await rows();
    await work(0, 'duckdb', 'insert');
    const after = await rows();
    assert.equal(after.length, before.length + 5);
    assert.equal(after.filter((row) => (JSON.parse(row) as Cell[])[0] === 'inserted').length, 5);
    await compactTables(await Lake.open(folder), '9999-12-31');
    assert.deepEqual(await rows(), after);
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
