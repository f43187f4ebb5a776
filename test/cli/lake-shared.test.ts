import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { runCompact } from '../../cli/src/commands/compact';
import { vacuum } from '../../src/lake/compaction';
import { addRow, createRows, readDataFiles } from '../../src/lake/data-files';
import type { AddedFile } from '../../src/lake/delta-actions';
import { writeCheckpoint } from '../../src/lake/delta-checkpoint';
import { type Harvest, Lake } from '../../src/lake/lake';
import { CrashingDisk } from '../captures/crashing-disk';
import { createChance } from '../core/errorlog/disturbed-log';
import { makeFolder } from '../temporary-folder';
import { hear } from './collecting';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

function harvest(number: number): Harvest {
  const checkpoints = createRows('checkpoints');
  addRow(checkpoints, {
    server: 'A',
    capture_id: 'c',
    database_id: 5,
    begin_utc: NOON + number,
    end_utc: NOON + number,
    duration_ms: 0,
  });
  const runs = createRows('runs');
  addRow(runs, { server: 'A', started_utc: NOON + number });
  return { server: 'A', rows: { checkpoints, runs }, state: Buffer.of(number) };
}

async function append(folder: string, ...numbers: readonly number[]): Promise<Lake> {
  const lake = await Lake.open(folder);
  for (const number of numbers)
    assert.deepEqual(await lake.append([harvest(number)], await lake.stand()), []);
  return lake;
}

async function begins(folder: string): Promise<readonly number[]> {
  const { files } = await (await Lake.openToRead(folder)).table('checkpoints');
  const { begin_utc = [] } = await readDataFiles(folder, 'checkpoints', [...files.values()]);
  return begin_utc.map((at) => Number(at) - NOON).sort((a, b) => a - b);
}

/** Bytes as a frame of Zstandard that packs nothing: one block, as it is. */
function frame(bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(0xfd2fb528, 0);
  head[4] = 0xa0;
  head.writeUInt32LE(bytes.length, 5);
  head.writeUIntLE(1 + bytes.length * 8, 9, 3);
  return Buffer.concat([head, bytes]);
}

const toAdd = (path: string): { add: AddedFile } => ({
  add: { path, partitionValues: { date: '2026-03-02' }, size: 0, modificationTime: 0, dataChange: false },
});
const toRemove = (path: string) => ({ remove: { path, deletionTimestamp: Date.now(), dataChange: false } });

describe('A lake that other programs write to', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));

  it('is read where another program joined its files and packed them with Zstandard', async () => {
    const lake = await append(folder, 1, 2);
    const { version, files } = await lake.table('checkpoints');
    const target = new ByteWriter();
    const writer = new ParquetWriter({
      writer: target,
      codec: 'ZSTD',
      compressors: { ZSTD: frame },
      schema: [
        { name: 'root', num_children: 2 },
        { name: 'server', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        { name: 'begin_utc', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'OPTIONAL' },
      ],
    });
    void writer.write({
      columnData: [
        { name: 'server', data: ['A', 'A'] },
        { name: 'begin_utc', data: [1, 2].map((number) => BigInt(NOON + number) * 1_000n) },
      ],
    });
    void writer.finish();
    writeFileSync(join(folder, 'checkpoints', 'date=2026-03-02', 'joined.zstd.parquet'), target.getBytes());
    assert.ok(
      await lake
        .log('checkpoints')
        .commit(version, [...[...files.keys()].map(toRemove), toAdd('date=2026-03-02/joined.zstd.parquet')]),
    );
    await append(folder, 3);
    assert.deepEqual(await begins(folder), [1, 2, 3]);
  });

  it('is read from a checkpoint of the log in parts, and not from one of which a part is missing', async () => {
    const lake = await append(folder, 1, 2, 3);
    const state = await lake.table('checkpoints');
    const log = join(folder, 'checkpoints', '_delta_log');
    const parts = [0, 1].map((part) => new Map([...state.files].filter((_, at) => at % 2 === part)));
    const name = (version: number, part: number): string =>
      join(log, `${String(version).padStart(20, '0')}.checkpoint.000000000${part}.0000000002.parquet`);
    parts.forEach((files, at) =>
      writeFileSync(name(state.version, at + 1), writeCheckpoint({ ...state, files })),
    );
    for (const file of readdirSync(log)) if (/^\d+\.json$/.test(file)) rmSync(join(log, file));
    assert.deepEqual(await begins(folder), [1, 2, 3]);
    await append(folder, 4);
    writeFileSync(name(state.version + 1, 1), writeCheckpoint({ ...state, files: new Map() }));
    assert.deepEqual(await begins(folder), [1, 2, 3, 4]);
  });

  it('keeps the name and the description that another program gave a table, in its own checkpoints of the log', async () => {
    const lake = await append(folder, 1);
    const { version, metaData } = await lake.table('checkpoints');
    await lake.log('checkpoints').commit(version, [{ metaData: { ...metaData, description: 'Ours' } }]);
    await lake.log('checkpoints').checkpoint();
    assert.equal((await (await Lake.open(folder)).table('checkpoints')).metaData.description, 'Ours');
  });
});

describe('A lake that a later version writes to', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));

  const COLUMN = '{"name":"pages","type":"long","nullable":true,"metadata":{}},{"name":"date"';
  for (const [what, from, to, why] of [
    ['another column', '{"name":"date"', COLUMN, 'this version does not know its columns pages'],
    [
      'a higher number',
      '"4"',
      '"99"',
      'it has version 99, and only versions up to 4 can be read. Use the version that wrote it',
    ],
  ] as const)
    it(`keeps a table with ${what} as it is, and that is said`, async () => {
      const lake = await append(folder, 1, 2);
      const { version, metaData, files } = await lake.table('checkpoints');
      const { schemaString, configuration } = metaData;
      const changed = {
        schemaString: schemaString.replace(from, to),
        configuration: JSON.parse(JSON.stringify(configuration).replace(from, to)),
      };
      assert.ok(await lake.log('checkpoints').commit(version, [{ metaData: { ...metaData, ...changed } }]));
      const { output, said } = hear();
      await runCompact({ lake: folder }, output);
      assert.ok(said.join('').includes(`checkpoints is left as it is: ${why}.`), said.join(''));
      assert.deepEqual(
        [...(await (await Lake.open(folder)).table('checkpoints')).files.keys()],
        [...files.keys()],
      );
    });

  it('brings an append of it into a table that this version does not know', async () => {
    const lake = await append(folder, 1);
    const { metaData } = await lake.table('runs');
    await lake
      .log('waits')
      .commit(-1, [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, { metaData }]);
    const commit = { servers: ['A'], tables: { waits: [toAdd('later.parquet')] } };
    writeFileSync(join(folder, '_commits', '000000000001.json'), JSON.stringify(commit));
    assert.deepEqual(
      [...((await (await Lake.open(folder)).log('waits').read())?.files.keys() ?? [])],
      ['later.parquet'],
    );
  });

  it('is refused where a table of it has an unknown protocol', async () => {
    await append(folder, 1);
    const first = join(folder, 'collector', '_delta_log', '00000000000000000000.json');
    writeFileSync(first, readFileSync(first, 'utf8').replace('"minReaderVersion":1', '"minReaderVersion":3'));
    await assert.rejects(Lake.open(folder), /protocol 3 \/ 2/);
  });
});

const FUNCTIONS = ['link', 'mkdir', 'open', 'readdir', 'readFile', 'rename', 'stat', 'unlink'] as const;
const real = Object.fromEntries(FUNCTIONS.map((name) => [name, promises[name]]));

describe('A lake on a disk that is full', () => {
  afterEach(() => Object.assign(promises, real));

  it('keeps no file that nothing names, whatever write fails, and takes the same rows once there is room', async () => {
    const folder = '/lakes/one';
    let failures = 0;
    for (let room = 0; ; room++) {
      const disk = new CrashingDisk(createChance(room));
      let left = Infinity;
      const spend = (): void => {
        if (left-- <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      };
      const open: CrashingDisk['open'] = async (path, flags) => {
        const file = await disk.open(path, flags);
        // The beginning is written, and then there is no room.
        const writeFile: typeof file.writeFile = async (bytes) => {
          await file.writeFile(bytes.subarray(0, bytes.length / 2));
          spend();
          await file.writeFile(bytes);
        };
        return { ...file, writeFile };
      };
      const makes = {
        link: async (...args: [string, string]) => (spend(), disk.link(...args)),
        mkdir: async (path: string) => (spend(), disk.mkdir(path)),
      };
      Object.assign(promises, Object.fromEntries(FUNCTIONS.map((name) => [name, disk[name]])), makes, {
        open,
      });
      await append(folder, 1);
      left = room;
      const failed = await append(folder, 2).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ENOSPC' || assert.fail(error),
      );
      left = Infinity;
      if (!failed) break;
      failures++;
      assert.deepEqual(
        disk.names.filter((name) => name.includes('.unfinished-')),
        [],
        `room for ${room}`,
      );
      const { states } = await (await Lake.open(folder)).stand();
      if (states.get('A')?.[0]?.state[0] !== 2) await append(folder, 2);
      assert.deepEqual(await begins(folder), [1, 2], `room for ${room}`);
      const named = await Promise.all(
        (['checkpoints', 'runs', 'collector'] as const).map(
          async (table) => (await (await Lake.open(folder)).table(table)).files.size,
        ),
      );
      assert.deepEqual(named, [2, 2, 2]);
      assert.equal(disk.names.filter((name) => name.endsWith('.parquet')).length, 6, `room for ${room}`);
    }
    assert.ok(failures >= 8, `${failures}`);
  });

  it('loses what an append left unfinished to the next upkeep, also in its logs, once it is a week old', async () => {
    const folder = makeFolder();
    const lake = await append(folder, 1);
    const places = ['_commits', 'checkpoints/_delta_log', 'checkpoints/date=2026-03-02'];
    for (const place of places) writeFileSync(join(folder, place, '.unfinished-1'), '');
    assert.equal(await vacuum(lake, Date.now()), 0);
    const { unlink } = promises;
    promises.unlink = async (path) => {
      if (String(path).includes('_commits')) throw Object.assign(new Error('held'), { code: 'EBUSY' });
      return unlink(path);
    };
    await assert.rejects(
      vacuum(lake, Date.now() + 8 * DAY_MS),
      { message: 'held' },
      'the others go all the same',
    );
    promises.unlink = unlink;
    assert.equal(await vacuum(lake, Date.now() + 8 * DAY_MS), 1);
    for (const place of places) assert.ok(!readdirSync(join(folder, place)).includes('.unfinished-1'));
    assert.deepEqual(await begins(folder), [1]);
  });
});

describe('A lake of which another program holds a file', () => {
  const { setTimeout: realTimeout } = globalThis;
  beforeEach(() => Object.assign(globalThis, { setTimeout: (go: () => void) => setImmediate(go) }));
  afterEach(() => {
    Object.assign(promises, real);
    Object.assign(globalThis, { setTimeout: realTimeout });
  });

  /**
   * A disk on which that call of the function fails, and each that repeats it, so often.
   * @returns how often it was called in all
   */
  function hold(
    disk: CrashingDisk,
    name: 'link' | 'rename' | 'unlink',
    call: number,
    tries: number,
  ): () => number {
    let [calls, held, left]: [number, string | null, number] = [0, null, tries];
    const work = disk[name] as (...paths: string[]) => Promise<void>;
    Object.assign(promises, Object.fromEntries(FUNCTIONS.map((each) => [each, disk[each]])), {
      [name]: async (...paths: string[]) => {
        if (calls++ === call) held = paths.join();
        if (held === paths.join() && left-- > 0)
          throw Object.assign(new Error('held'), { code: ['EBUSY', 'EPERM', 'EACCES'][call % 3] });
        return work(...paths);
      },
    });
    return () => calls;
  }

  for (const name of ['link', 'unlink'] as const)
    it(`waits for it, and loses nothing where it is not let go: ${name}`, async () => {
      for (let call = 0; ; call++) {
        const disk = new CrashingDisk(createChance(call));
        hold(disk, name, Infinity, 0);
        await append('/lakes/one', 1);
        const count = hold(disk, name, call, 3);
        await append('/lakes/one', 2);
        assert.deepEqual(
          disk.names.filter((each) => each.includes('.unfinished-')),
          [],
        );
        const isOver = count() <= call;
        hold(disk, name, call, Infinity);
        const failed = await append('/lakes/one', 3).then(
          () => null,
          (error: NodeJS.ErrnoException) => error,
        );
        hold(disk, name, Infinity, 0);
        if (failed !== null) assert.deepEqual([name, failed.message], ['link', 'held']);
        const { states } = await (await Lake.open('/lakes/one')).stand();
        if (states.get('A')?.[0]?.state[0] !== 3) await append('/lakes/one', 3);
        assert.deepEqual(await begins('/lakes/one'), [1, 2, 3]);
        if (isOver) return assert.ok(call >= 6, `${call}`);
      }
    });

  it('is appended to though the checkpoint of its log cannot be renamed', async () => {
    const disk = new CrashingDisk(createChance(1));
    const count = hold(disk, 'rename', 0, Infinity);
    await append('/lakes/one', ...Array.from({ length: 25 }, (_, at) => at));
    assert.ok(count() > 1);
    assert.equal((await begins('/lakes/one')).length, 25);
  });
});

describe('A lake on a network', () => {
  it('keeps a commit whose link was made, though the file system says that the name is taken', async () => {
    const folder = makeFolder();
    const { link } = promises;
    promises.link = async (from, to) => {
      await link(from, to);
      if (/_commits|_delta_log/.test(String(to))) throw Object.assign(new Error('taken'), { code: 'EEXIST' });
    };
    await append(folder, 1, 2).finally(() => void (promises.link = link));
    assert.deepEqual(await begins(folder), [1, 2]);
  });
});

describe('A folder that is no lake', () => {
  it('is refused by compact, which makes none', async () => {
    const folder = join(tmpdir(), `no-lake-${process.pid}`);
    await assert.rejects(
      runCompact({ lake: folder }, hear().output),
      /is not a lake of Checkpoint Health\.$/,
    );
    assert.throws(() => readdirSync(folder), /ENOENT/);
  });

  it('is refused at once where no folder can be made', async function () {
    this.timeout(5_000);
    await assert.rejects(Lake.open('/proc/no/lake'));
  });
});
