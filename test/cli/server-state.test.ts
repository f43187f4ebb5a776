import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { NO_ATTEMPTS } from '../../cli/src/collect/attempts';
import { decodeState, encodeState, type CollectState } from '../../cli/src/collect/server-state';
import { Lake } from '../../src/lake/lake';
import type { TableName } from '../../src/lake/tables';
import { FakeServer } from '../monitor/fake-server';
import { readLakeRows } from '../simulator/fleet/lake-rows';
import { collectInto } from './collecting';
import { forAll } from '../for-all';
import { makeFolder } from '../temporary-folder';

const row = { logDateLocal: '2026-03-02T08:00:00', processInfo: 'spid7s', text: 'x' };
const state: CollectState = {
  facts: {
    'server version': { value: '16.0.1', missing: null },
    'trace flags': { value: null, missing: 'Denied.' },
  },
  answersUtcMs: 1_772_438_400_000,
  capture: null,
  attempts: {
    refusal: { account: 'a', sinceUtcMs: 1, sentence: 'No.' },
    lost: { failures: 2, sinceUtcMs: 1, dueUtcMs: 3, sentence: 'Gone.' },
  },
  log: {
    serverName: 'SQL07',
    readUtcMs: 1_772_438_400_000,
    cursor: { way: 'xp_readerrorlog', lastLocalMs: 1, sinceLocalMs: 0, offsetMinutes: null, recent: [row] },
    offsets: [{ localMs: 1, offsetMinutes: 60 }],
    waiting: [row],
  },
  beginsUtcMs: 1_772_438_300_000,
};
const nothing: CollectState = {
  facts: {},
  answersUtcMs: 0,
  capture: null,
  attempts: NO_ATTEMPTS,
  log: null,
  beginsUtcMs: null,
};

/** Each value of a JSON text, replaced one at a time. */
function* replaceEach(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    for (const other of replaceEach(inner, by))
      yield Array.isArray(value)
        ? value.map((each: unknown, at) => (String(at) === key ? other : each))
        : { ...value, [key]: other };
}

describe('How to go on with one server of a lake', () => {
  const write = (head: unknown): Uint8Array =>
    Buffer.from(`${JSON.stringify({ version: 2, ...(head as object) })}\n`);

  it('is read as it was written', () => {
    assert.deepEqual(decodeState(encodeState(state)), { state, problems: [] });
  });

  const { answersUtcMs, log, beginsUtcMs } = state;
  const attempts = { ...state.attempts, lost: null };
  for (const [file, parts] of Object.entries({
    '1-facts': {},
    '1-refusals': { attempts },
    '1-error-log': { attempts, answersUtcMs, log },
    '1-begin-in-the-lake': { attempts, answersUtcMs, log, beginsUtcMs },
  }))
    it(`is read as an earlier version wrote it, and what that did not write is as at the first run: ${file}`, () => {
      const { state: read, problems } = decodeState(
        readFileSync(join(__dirname, 'earlier', `${file}.state`)),
      );
      assert.deepEqual({ ...read, capture: null }, { ...nothing, ...parts });
      assert.deepEqual(
        [read.capture?.columns.rows, read.capture?.following?.snapshot.isRunning, problems],
        [3, true, []],
      );
    });

  it('is found in a lake that version 1 made, where no checkpoint, fact or time is lost or twice behind that', async () => {
    const folder = makeFolder();
    const packed = Buffer.from(readFileSync(join(__dirname, 'earlier', '1.lake'), 'utf8'), 'base64');
    const files = JSON.parse(brotliDecompressSync(packed).toString('utf8')) as Readonly<
      Record<string, string>
    >;
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes, 'latin1');
    }
    const server = new FakeServer();
    Object.assign(server, {
      isDefined: true,
      isRunning: true,
      file: 'CheckpointHealth_0.xel',
      startedLocal: '2026-03-02T08:55:00',
    });
    Object.assign(server, {
      currentFile: server.fileName,
      nowUtc: '2026-03-02T08:05:00',
      databases: server.databases.slice(0, 1),
    });
    // That version read the first five.
    server.events = [
      '07:58:00',
      '07:58:05',
      '07:58:10',
      '07:58:12',
      '07:58:50',
      '07:58:58',
      '08:01:00',
      '08:01:01',
    ].map((time, at) => {
      const [kind, sequence] = [at % 2 === 0 ? 'begin' : 'end', at + 1] as const;
      return { kind, sequence, databaseId: 5, at: `2026-03-02T${time}.000`, offset: 512 * sequence };
    });
    for (const _ of [0, 1]) await collectInto(folder, { A: server });
    const rowsOf = async (table: TableName, ...columns: readonly string[]) =>
      (await readLakeRows(folder, table))
        .map((row) => columns.map((name) => String(row[name])).join(' '))
        .sort();
    const [begin, seen, again] = ['07:55', '08:00', '08:05'].map((time) =>
      Date.parse(`2026-03-02T${time}:00Z`),
    );
    assert.deepEqual(await rowsOf('checkpoints', 'capture_id', 'duration_ms'), [
      'first 1000',
      'first 2000',
      'first 5000',
      'first 8000',
    ]);
    const runs = await rowsOf('runs', 'observed_from_utc', 'observed_to_utc', 'rows_read', 'duplicates');
    assert.deepEqual(runs, [`${begin} ${seen} 5 0`, `${seen} ${again} 3 0`, 'null null 0 0']);
    const { schemaString, configuration } = (await (await Lake.open(folder)).table('collector')).metaData;
    assert.deepEqual(
      [schemaString.includes('server_name'), configuration['checkpoint-health.schemaVersion']],
      [true, '4'],
    );
    const facts = await rowsOf('facts', 'database_id', 'fact');
    assert.deepEqual(
      [facts.length, new Set(facts).size, await rowsOf('gaps')],
      [facts.length, facts.length, []],
    );
  });

  it('of a later version is not gone on with, which is said, and what was refused is not tried again', () => {
    const later = Buffer.from(
      Buffer.from(encodeState(state)).toString('utf8').replace('"version":2', '"version":3'),
    );
    const { state: read, problems } = decodeState(later);
    assert.deepEqual(read, { ...nothing, attempts: state.attempts });
    const why =
      'it has version 3, and only versions up to 2 can be read. Use the version that wrote it. The lake tells where to go on.';
    assert.deepEqual(problems, [`The state of the server: ${why}`]);
  });

  it('loses of its first line only the part that has another shape, and says so', () => {
    const { capture: _, ...head } = state;
    let damaged = 0;
    for (const [name, part] of Object.entries(head))
      for (const other of [{ x: 1 }, [[]], true])
        for (const each of replaceEach(part, other)) {
          // An object without any fact is as good as none.
          if (name === 'facts' && JSON.stringify(each) === '[[]]') continue;
          damaged++;
          const { state: read, problems } = decodeState(write({ ...head, [name]: each }));
          assert.deepEqual(
            problems,
            [`The state of the server: its ${name} cannot be read.`],
            JSON.stringify(each),
          );
          assert.deepEqual(read, { ...state, [name]: nothing[name as keyof CollectState] });
        }
    assert.ok(damaged > 80);
  });

  it('is a state or a sentence, whatever the bytes are', () => {
    const read = (bytes: Uint8Array): void => {
      const { state: found, problems } = decodeState(bytes);
      for (const problem of problems) assert.match(problem, /^The state of the server: .+\.$/);
      assert.deepEqual(Object.keys(found).sort(), Object.keys(state).sort());
    };
    forAll(fc.uint8Array({ maxLength: 200 }), read);
    const whole = encodeState(state);
    forAll(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), ([at, byte]) =>
      read(Uint8Array.from(whole, (each, i) => (i === at ? byte : each))),
    );
  });
});
