import assert from 'node:assert/strict';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactTables, vacuum } from '../../src/lake/compaction';
import { addRow, createRows, readDataFiles } from '../../src/lake/data-files';
import { type Harvest, Lake } from '../../src/lake/lake';
import type { LakeValue } from '../../src/lake/parquet-file';
import { makeFolder } from '../temporary-folder';

const DAY_MS = 24 * 60 * 60_000;
const NOON = Date.parse('2026-03-02T12:00:00Z');

describe('A lake', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));

  /** Checkpoints of a server on one day, told apart by their begin. */
  function harvest(
    server: string,
    numbers: readonly number[],
    state: string | null = null,
    day = 0,
  ): Harvest {
    const checkpoints = createRows('checkpoints');
    for (const number of numbers)
      addRow(checkpoints, {
        server,
        capture_id: 'c',
        database_id: 5,
        database_name: 'a]b\'c"-- 🦆',
        begin_utc: NOON + day * DAY_MS + number,
      });
    return { server, rows: { checkpoints }, state: state === null ? null : Buffer.from(state) };
  }

  /** As one process does it. */
  async function append(...harvests: readonly Harvest[]): Promise<Lake> {
    const lake = await Lake.open(folder);
    assert.deepEqual(await lake.append(harvests, await lake.stand()), []);
    return lake;
  }

  async function begins(lake: Lake): Promise<readonly string[]> {
    const { files } = await lake.table('checkpoints');
    const rows = await readDataFiles(folder, 'checkpoints', [...files.values()]);
    return rows.server!.map((server, at) => `${String(server)} ${Number(rows.begin_utc![at]) - NOON}`).sort();
  }

  it('gives back what was appended, with its times, names and missing values', async () => {
    const lake = await append(harvest('SQL\\ONE,1433', [1, 2.5]));
    const { files } = await lake.table('checkpoints');
    const rows = await readDataFiles(folder, 'checkpoints', [...files.values()]);
    assert.deepEqual(rows.server, ['SQL\\ONE,1433', 'SQL\\ONE,1433']);
    assert.deepEqual(rows.database_name, ['a]b\'c"-- 🦆', 'a]b\'c"-- 🦆']);
    assert.deepEqual(rows.begin_utc, [NOON + 1, NOON + 2.5]);
    assert.deepEqual(rows.end_utc, [null, null] as LakeValue[]);
  });

  it('puts a message whose time in UTC is not known to the day on which it was read, and says how many there are', async () => {
    const lake = await Lake.open(folder);
    const messages = createRows('log_messages');
    for (const logged_utc of [NOON - DAY_MS, null, NOON - 1, null])
      addRow(messages, { server: 'A', read_utc: NOON, logged_utc, logged_local: '2026-03-02T13:00:00' });
    await lake.append([{ server: 'A', rows: { log_messages: messages }, state: null }], await lake.stand());
    const files = [...(await lake.table('log_messages')).files.values()].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    );
    const told = files.map(({ partitionValues, stats }) => {
      const { numRecords, nullCount } = JSON.parse(stats ?? '') as {
        numRecords: number;
        nullCount: Record<string, number>;
      };
      return [partitionValues.date, numRecords, nullCount.logged_utc];
    });
    assert.deepEqual(told, [
      ['2026-03-01', 1, 0],
      ['2026-03-02', 3, 2],
    ]);
    const rows = await readDataFiles(folder, 'log_messages', files);
    assert.deepEqual(rows.logged_utc, [NOON - DAY_MS, NOON - 1, null, null], 'in the order of time');
  });

  it('takes appends of many processes at once, each once', async () => {
    const lakes = await Promise.all(Array.from({ length: 12 }, () => Lake.open(folder)));
    const left = await Promise.all(
      lakes.map(async (lake, at) => lake.append([harvest(`SQL${at}`, [at])], await lake.stand())),
    );
    assert.deepEqual(left.flat(), []);
    assert.deepEqual(await begins(await Lake.open(folder)), lakes.map((_, at) => `SQL${at} ${at}`).sort());
  });

  it('takes one of two appends that began from the same state of a server, and all of other servers', async () => {
    const [one, other] = [await Lake.open(folder), await Lake.open(folder)];
    const [first, second] = [await one.stand(), await other.stand()];
    assert.deepEqual(await one.append([harvest('A', [1]), harvest('B', [1])], first), []);
    assert.deepEqual(await other.append([harvest('B', [1]), harvest('C', [1])], second), ['B']);
    assert.deepEqual(await begins(one), ['A 1', 'B 1', 'C 1']);
    const stored = readdirSync(join(folder, 'checkpoints', 'date=2026-03-02'));
    assert.equal(stored.length, 2, 'no file stays that no commit names');
  });

  it('keeps the newest state for each server behind a name, however often states are merged', async () => {
    for (let run = 0; run < 45; run++)
      await append(
        { ...harvest('LISTENER', [], `run ${run}`), serverName: run % 10 === 9 ? 'NODE2' : 'NODE1' },
        harvest('A', [], 'x'),
      );
    const lake = await Lake.open(folder);
    const { states } = await lake.stand();
    const told = ['LISTENER', 'A'].map((name) =>
      states
        .get(name)!
        .map(({ turn, serverName, state }) => `${turn} ${serverName} ${Buffer.from(state).toString()}`),
    );
    assert.deepEqual(told, [['45 NODE1 run 44', '40 NODE2 run 39'], ['45 null x']]);
    assert.ok((await lake.table('collector')).files.size <= 21);
  });

  it('joins small files of past days without changing a row, and leaves today alone', async () => {
    for (let run = 0; run < 4; run++) await append(harvest('A', [run]), harvest('B', [run], null, 1));
    const lake = await Lake.open(folder);
    const before = await begins(lake);
    assert.deepEqual(await compactTables(lake, '2026-03-03'), [
      { table: 'checkpoints', joined: 4, into: 1, leftBecause: null },
    ]);
    assert.deepEqual(await begins(lake), before);
    assert.equal((await lake.table('checkpoints')).files.size, 5);
    assert.deepEqual(await compactTables(lake, '2026-03-03'), []);
  });

  it('joins a large day into files of few servers, and reads of one server only those', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `SQL${at} 😀 Ａ`);
    for (const run of [1, 2, 3])
      for (const name of names) {
        const lake = await Lake.open(folder);
        await lake.append([harvest(name, [run, run + 10])], await lake.stand());
      }
    const lake = await Lake.open(folder);
    const before = await begins(lake);
    await compactTables(lake, '9999-12-31', undefined, 20);
    assert.deepEqual(await begins(lake), before);
    const files = [...(await lake.table('checkpoints')).files.values()];
    assert.equal(files.length, 4, 'of 72 rows, 18 a file');
    for (const name of names) {
      const rows = await readDataFiles(folder, 'checkpoints', files, new Set([name]));
      assert.deepEqual(new Set(rows.server), new Set([name]));
      assert.equal(rows.server!.length, 6);
    }
    const [first] = files;
    const { minValues } = JSON.parse(first!.stats!) as { minValues: { server: string } };
    rmSync(join(folder, 'checkpoints', first!.path));
    const others = names.filter(
      (name) => Buffer.compare(Buffer.from(name), Buffer.from(minValues.server)) < 0,
    );
    for (const name of others) await readDataFiles(folder, 'checkpoints', files, new Set([name]));
  });

  it('deletes only files that nobody has been able to read for a week', async () => {
    for (let run = 0; run < 2; run++) await append(harvest('A', [run]));
    const lake = await Lake.open(folder);
    await compactTables(lake, '2026-03-03');
    const day = join(folder, 'checkpoints', 'date=2026-03-02');
    writeFileSync(join(day, 'part-orphan.parquet'), '');
    writeFileSync(join(day, 'part-under-way.parquet'), '');
    const old = (Date.now() - 8 * DAY_MS) / 1_000;
    for (const name of readdirSync(day))
      if (!name.includes('under-way')) utimesSync(join(day, name), old, old);
    assert.equal(await vacuum(lake, Date.now()), 1, 'the orphan; what was joined just now may still be read');
    assert.equal(await vacuum(lake, Date.now() + 8 * DAY_MS), 3);
    assert.deepEqual(await begins(lake), ['A 0', 'A 1']);
  });
});
