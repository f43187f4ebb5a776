/**
 * A lake that grows: rows, bytes, files, time and memory, and what a run with nothing new costs with a short and a long
 * history. Run: npx tsx bench/lake.ts [servers] [runs a day] [days] [checkpoints a server and run]
 */
import { mkdtempSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactTables, vacuum } from '../src/lake/compaction';
import { addRow, createRows } from '../src/lake/data-files';
import { type Harvest, Lake } from '../src/lake/lake';
import { TABLE_NAMES } from '../src/lake/tables';

const [SERVERS = 1_000, RUNS_A_DAY = 24, DAYS = 4, CHECKPOINTS = 45] = process.argv.slice(2).map(Number);
const DAY_MS = 24 * 60 * 60_000;
const BEGIN_UTC_MS = Date.parse('2026-01-01T00:00:00Z');
const STATE = Buffer.from(
  JSON.stringify({
    facts: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`fact ${at}`, { value: String(at) }])),
  }),
);

/** Deterministic. */
let seed = 42;
const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;

function harvest(server: number, run: number, checkpoints: number): Harvest {
  const fromMs = BEGIN_UTC_MS + (run * DAY_MS) / RUNS_A_DAY!;
  const [rows, runs] = [createRows('checkpoints'), createRows('runs')];
  for (let at = 0; at < checkpoints; at++) {
    const begin = Math.round(fromMs + ((at + random()) * DAY_MS) / RUNS_A_DAY! / checkpoints);
    const duration = Math.round(random() ** 3 * 20_000);
    const database = 5 + Math.floor(random() ** 2 * 60);
    const times = { begin_utc: begin, end_utc: begin + duration, duration_ms: duration, task: 1 };
    addRow(rows, {
      server: `SQL${server}`,
      capture_id: `c${server}`,
      database_id: database,
      database_name: `db_${database}`,
      ...times,
    });
  }
  addRow(runs, {
    server: `SQL${server}`,
    run_id: String(run),
    started_utc: fromMs,
    outcome: checkpoints === 0 ? 'nothing new' : 'collected',
    checkpoints,
  });
  return {
    server: `SQL${server}`,
    rows: { checkpoints: rows, runs },
    state: checkpoints === 0 ? null : STATE,
  };
}

async function append(folder: string, run: number, checkpoints: number): Promise<void> {
  const lake = await Lake.open(folder);
  const standing = await lake.stand();
  await lake.append(
    Array.from({ length: SERVERS! }, (_, server) => harvest(server, run, checkpoints)),
    standing,
  );
}

function measureFolder(folder: string): { files: number; bytes: number } {
  let [files, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = measureFolder(path);
      [files, bytes] = [files + below.files, bytes + below.bytes];
    } else [files, bytes] = [files + 1, bytes + statSync(path).size];
  }
  return { files, bytes };
}

/**
 * A day takes seconds here, so what a lake keeps for some days is taken away by hand.
 * @param ends when each day was over
 */
async function endDay(folder: string, ends: number[]): Promise<void> {
  const lake = await Lake.open(folder);
  await compactTables(lake, new Date(BEGIN_UTC_MS + (ends.length + 1) * DAY_MS).toISOString().slice(0, 10));
  ends.push(Date.now());
  const daysAgo = (days: number): number => ends[ends.length - 1 - days] ?? 0;
  await vacuum(lake, Date.now(), Date.now() - daysAgo(7));
  for (const name of TABLE_NAMES) await lake.log(name).checkpoint(daysAgo(14) + 14 * DAY_MS);
  const commits = join(folder, '_commits');
  for (const name of readdirSync(commits).sort().slice(0, -RUNS_A_DAY!)) unlinkSync(join(commits, name));
}

async function timeNothingNew(folder: string, run: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < 5; at++) {
    const from = performance.now();
    await append(folder, run, 0);
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[2]!;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lake-'));
  try {
    const all = RUNS_A_DAY! * DAYS!;
    const ends: number[] = [];
    let shortMs = 0;
    let from = performance.now();
    let rows = 0;
    for (let run = 0; run < all; run++) {
      await append(folder, run, CHECKPOINTS!);
      rows += SERVERS! * CHECKPOINTS!;
      if (run === Math.max(0, Math.floor(all / 100) - 1)) {
        const pausedAt = performance.now();
        shortMs = await timeNothingNew(folder, run);
        from += performance.now() - pausedAt;
        console.log(`history of ${run + 1} runs: a run with nothing new takes ${shortMs.toFixed(0)} ms`);
      }
      if (run % RUNS_A_DAY! === RUNS_A_DAY! - 1) {
        await endDay(folder, ends);
        const { files, bytes } = measureFolder(folder);
        const seconds = (performance.now() - from) / 1_000;
        const memory = process.resourceUsage().maxRSS / 1024;
        console.log(
          [
            `day ${Math.floor(run / RUNS_A_DAY!) + 1}: ${rows} checkpoints in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second`,
            `${(bytes / 2 ** 20).toFixed(1)} MB in ${files} files with what waits for vacuum, at most ${memory.toFixed(0)} MB of memory`,
          ].join(', '),
        );
      }
    }
    const longMs = await timeNothingNew(folder, all);
    console.log(
      `history of ${all} runs: a run with nothing new takes ${longMs.toFixed(0)} ms, ${(longMs / shortMs).toFixed(2)} times as long`,
    );
    const { files } = await (await Lake.open(folder)).table('checkpoints');
    const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    console.log(`${(bytes / rows).toFixed(1)} bytes a checkpoint in ${files.size} files`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
