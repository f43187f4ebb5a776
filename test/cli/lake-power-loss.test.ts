import assert from 'node:assert/strict';
import promises from 'node:fs/promises';
import { addRow, createRows, readDataFiles } from '../../src/lake/data-files';
import { type Harvest, Lake } from '../../src/lake/lake';
import { CrashingDisk } from '../captures/crashing-disk';
import { createChance } from '../core/errorlog/disturbed-log';

const FOLDER = '/lakes/one';
const NOON = Date.UTC(2026, 2, 2, 12);
const FUNCTIONS = ['link', 'mkdir', 'open', 'readdir', 'readFile', 'rename', 'stat', 'unlink'] as const;
const TABLES = ['runs', 'checkpoints', 'log_messages'] as const;

/** One row in each of three tables, each in a day of its own. */
function harvest(server: string, number: number): Harvest {
  const at = NOON + number * 24 * 3_600_000;
  const [runs, checkpoints, messages] = TABLES.map(createRows) as [Rows, Rows, Rows];
  addRow(runs, { server, started_utc: at, attempt: number });
  addRow(checkpoints, { server, capture_id: 'c', database_id: number, begin_utc: at });
  addRow(messages, { server, read_utc: at, logged_utc: at, logged_local: String(number) });
  return { server, rows: { runs, checkpoints, log_messages: messages }, state: Buffer.of(number) };
}
type Rows = ReturnType<typeof createRows>;

/** For each server, the days of its rows, the same in each table, and the state that goes with them. */
async function readLake(): Promise<ReadonlyMap<string, readonly number[]>> {
  const lake = await Lake.open(FOLDER);
  const told = await Promise.all(
    TABLES.map(async (table) => {
      const rows = await readDataFiles(FOLDER, table, [...(await lake.table(table)).files.values()]);
      const times = rows.started_utc ?? rows.begin_utc ?? rows.logged_utc ?? [];
      return times
        .map((time, at) => `${String(rows.server?.[at])} ${(Number(time) - NOON) / (24 * 3_600_000)}`)
        .sort();
    }),
  );
  assert.deepEqual(
    told,
    TABLES.map(() => told[0]),
  );
  const days = new Map<string, number[]>();
  for (const each of told[0] ?? []) {
    const [server, day] = each.split(' ') as [string, string];
    days.set(server, [...(days.get(server) ?? []), Number(day)]);
  }
  const { states } = await lake.stand();
  for (const [server, own] of days) assert.equal(states.get(server)?.[0]?.state[0], Math.max(...own));
  return days;
}

/**
 * Appends one day after the other, until the power is lost.
 * @returns the days that were appended while there was power
 */
async function collect(
  disk: CrashingDisk,
  server: string,
  first: number,
  appends: number,
): Promise<readonly number[]> {
  const kept: number[] = [];
  try {
    const lake = await Lake.open(FOLDER);
    for (let day = first; day < first + appends; day++) {
      assert.deepEqual(await lake.append([harvest(server, day)], await lake.stand()), []);
      if (disk.left > 0) kept.push(day);
    }
  } catch (error) {
    assert.equal(disk.left, 0, (error as Error).stack);
  }
  return kept;
}

describe('A lake on a disk that loses power', () => {
  const real = Object.fromEntries(FUNCTIONS.map((name) => [name, promises[name]]));
  const put = (disk: CrashingDisk): unknown =>
    Object.assign(promises, Object.fromEntries(FUNCTIONS.map((name) => [name, disk[name]])));
  afterEach(() => Object.assign(promises, real));

  it('has after every loss each append whole or not at all, and every one that was done, from two collectors at once', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      let disk = new CrashingDisk(createChance(seed));
      const kept = new Map<string, readonly number[]>([
        ['A', []],
        ['B', []],
      ]);
      for (let loss = 0; loss < 3; loss++) {
        put(disk);
        disk.left = 40 + ((seed * 97 + loss * 41) % 260);
        for (const [server, days] of await Promise.all(
          [...kept.keys()].map(async (each) => [each, await collect(disk, each, loss * 10, 2)] as const),
        ))
          kept.set(server, [...(kept.get(server) ?? []), ...days]);
        disk = disk.restart();
        put(disk);
        const found = await readLake();
        for (const [server, days] of kept) {
          const missing = days.filter((day) => !found.get(server)?.includes(day));
          assert.deepEqual(missing, [], `seed ${seed}, server ${server}`);
        }
        for (const [server, days] of found)
          assert.equal(new Set(days).size, days.length, `seed ${seed}, server ${server}`);
      }
    }
  });
});
