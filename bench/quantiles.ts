/** Goal 6: exact p50, p95 and p99 of a million durations of 500 databases, every contender on the same values. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { CheckpointColumns } from '../src/core/capture/checkpoint-columns';
import { DurationRanks } from '../src/core/statistics/duration-ranks';
import { computeStatistics } from '../test/core/finished';
import { makeCheckpoints, observeAll } from './checkpoints';
import { type Contender, type Outcome, printContest, printGoal, runContest } from './contest';

const DATABASES = 500;
const PERCENTS = [50, 95, 99];
const ROUNDS = 11;

type Ranks = (number | null)[][];

function rankOurs({ rows, durationMs, database }: CheckpointColumns): Ranks {
  const ranks = new DurationRanks(DATABASES, PERCENTS);
  const counts = new Uint32Array(DATABASES);
  for (let row = 0; row < rows; row++) {
    ranks.count(database[row] ?? 0, durationMs[row] ?? 0);
    counts[database[row] ?? 0]!++;
  }
  ranks.locate(counts);
  for (let row = 0; row < rows; row++) ranks.collect(database[row] ?? 0, durationMs[row] ?? 0);
  return Array.from(counts, (_, index) => PERCENTS.map((_, position) => ranks.pick(index, position)));
}

function rankSorted({ rows, durationMs, database }: CheckpointColumns): Ranks {
  const starts = new Uint32Array(DATABASES + 1);
  for (let row = 0; row < rows; row++) starts[(database[row] ?? 0) + 1]!++;
  for (let i = 1; i <= DATABASES; i++) starts[i]! += starts[i - 1]!;
  const [values, next] = [new Uint32Array(rows), starts.slice()];
  for (let row = 0; row < rows; row++) values[next[database[row] ?? 0]!++] = durationMs[row] ?? 0;
  return Array.from({ length: DATABASES }, (_, i) => {
    const sorted = values.subarray(starts[i], starts[i + 1]).sort();
    return PERCENTS.map((percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null);
  });
}

interface Checkpoint {
  readonly database: number;
  readonly durationMs: number;
}

function rankNaively(checkpoints: readonly Checkpoint[]): Ranks {
  const groups = new Map<number, number[]>();
  for (const { database, durationMs } of checkpoints) {
    const group = groups.get(database);
    if (group === undefined) groups.set(database, [durationMs]);
    else group.push(durationMs);
  }
  return Array.from({ length: DATABASES }, (_, database) => {
    const sorted = (groups.get(database) ?? []).sort((a, b) => a - b);
    return PERCENTS.map((percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null);
  });
}

export async function benchQuantiles(): Promise<void> {
  const columns = makeCheckpoints(1_000_000, DATABASES);
  const objects = Array.from({ length: columns.rows }, (_, row) => ({
    database: columns.database[row] ?? 0,
    durationMs: columns.durationMs[row] ?? 0,
  }));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run('CREATE TABLE checkpoints (database USMALLINT, ms UINTEGER)');
  const appender = await connection.createAppender('checkpoints');
  for (const { database, durationMs } of objects) {
    appender.appendUSmallInt(database);
    appender.appendUInteger(durationMs);
    appender.endRow();
  }
  appender.closeSync();
  const sql =
    'SELECT database, quantile_disc(ms, [0.5, 0.95, 0.99]) AS p FROM checkpoints GROUP BY database ORDER BY database';
  const rankInDuckDb = async (): Promise<Ranks> =>
    (await connection.runAndReadAll(sql)).getRowsJson().map((row) => (row[1] as number[]).map(Number));
  const contenders: readonly Contender[] = [
    { name: 'ours: two passes over typed columns', run: () => rankOurs(columns) },
    {
      name: 'ours: all figures (rates, shares, totals) with them',
      run: () => computeStatistics(columns, DATABASES, observeAll(columns), observeAll(columns)),
    },
    { name: 'DuckDB, one thread, in memory: quantile_disc', run: rankInDuckDb },
    { name: 'typed columns, grouped and sorted', run: () => rankSorted(columns) },
    { name: 'naive: objects, Map, sort', run: () => rankNaively(objects) },
  ];
  const expected = JSON.stringify(rankSorted(columns));
  for (const [name, ranks] of [
    ['ours', rankOurs(columns)],
    ['naive', rankNaively(objects)],
    ['DuckDB', await rankInDuckDb()],
  ] as const) {
    if (JSON.stringify(ranks) !== expected) throw new Error(`${name} finds other ranks than sorting does.`);
  }
  const outcomes = await runContest(contenders, ROUNDS);
  printContest('Goal 6: exact p50, p95, p99 of 1,000,000 checkpoints of 500 databases', outcomes);
  /** The best of those whose name contains the text. */
  const cpuOf = (part: string): number =>
    Math.min(...outcomes.flatMap(({ name, cpuMs }: Outcome) => (name.includes(part) ? [cpuMs] : [])));
  const ours = cpuOf('two passes');
  printGoal('our time over that of DuckDB', ours / cpuOf('DuckDB'), 0.8, 0.4, true);
  printGoal('times faster than naive objects', cpuOf('naive') / ours, 7, 15, false);
  connection.closeSync();
  instance.closeSync();
}
